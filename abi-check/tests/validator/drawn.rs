//! Calls made of bytes: well-formed ones, and such as have a few things wrong.
//!
//! Each decision takes the next byte, so that a shorter or smaller string of bytes is a simpler call. What
//! shrinks strings (a property test) or learns which of them lead to new code (a fuzzer) needs to know
//! nothing of calls. Where there are to be millions, a call has a number, of which its bytes are made.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::{env, thread};

use trfboost_abi_check::{Descriptor, Dimension, Dtype, Parameter, Signature, Written};

use crate::oracle::Given;

/// The numbers of the calls that a test makes: from 0 on, unless `TRFBOOST_SEED` says which is the first, and `fewest`,
/// unless `TRFBOOST_CASES` asks for more.
pub(crate) fn numbers(fewest: u64) -> Range<u64> {
    let number = |name| env::var(name).ok().map(|text| text.parse::<u64>().expect("a whole number"));
    let first = number("TRFBOOST_SEED").unwrap_or(0);
    first..first + number("TRFBOOST_CASES").unwrap_or(0).max(fewest)
}

/// How many of these calls come to which end; they are made on all processors. If one panics, it is told which.
pub(crate) fn ends<E: Eq + Hash + Send>(numbers: &Range<u64>, end: impl Fn(&[u8]) -> E + Sync) -> HashMap<E, u64> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = &|thread| {
        let mut ends = HashMap::new();
        for number in numbers.clone().skip(thread).step_by(threads) {
            let told = Told(number);
            *ends.entry(end(&bytes(number))).or_insert(0) += 1;
            drop(told);
        }
        ends
    };
    let shares: Vec<_> = thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
        started.into_iter().map(|thread| thread.join().expect("a call that was told of")).collect()
    });
    let mut all = HashMap::new();
    shares.into_iter().flatten().for_each(|(end, count)| *all.entry(end).or_insert(0) += count);
    all
}

/// The bytes of a call, by SplitMix64.
fn bytes(number: u64) -> Vec<u8> {
    let mut state = number.wrapping_mul(0xd134_2543_de82_ef95);
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    (0..25).flat_map(|_| next().to_le_bytes()).collect()
}

/// Tells of the call that is made when there is a panic.
struct Told(u64);

impl Drop for Told {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("call {0} (TRFBOOST_SEED={0} makes it first), of the bytes {1:?}", self.0, bytes(self.0));
        }
    }
}

/// The bytes that are left; when they are used up, zeros.
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl Choices<'_> {
    /// A number below `count`, which is at most 256.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        usize::from(*first) % count
    }

    pub(crate) fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Once in `count` times, and never when the bytes are used up.
    pub(crate) fn rarely(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }
}

/// The length of each name, drawn when it is met first.
#[derive(Default)]
pub(crate) struct Lengths(pub(crate) Vec<(&'static str, i64)>);

impl Lengths {
    fn of(&mut self, dimension: Dimension, choices: &mut Choices<'_>) -> i64 {
        let name = match dimension {
            Dimension::Fixed(length) => return length,
            Dimension::Named(name) => name,
        };
        if let Some((_, length)) = self.0.iter().find(|(known, _)| *known == name) {
            return *length;
        }
        let length = choices.of(&[2, 1, 3, 4, 0]);
        self.0.push((name, length));
        length
    }
}

/// The arrays of a call in C order of the signature, and of them how many things are wrong. The arrays lie
/// in `region`, as far as it goes.
pub(crate) fn call(
    choices: &mut Choices<'_>,
    signature: &Signature,
    lengths: &mut Lengths,
    region: (u64, u64),
) -> Vec<Given> {
    let mut place = region.0;
    let mut given = Vec::new();
    for parameter in signature.parameters {
        let Parameter::Array { dtype, dimensions, optional, .. } = *parameter else { continue };
        if optional && choices.rarely(8) {
            given.push(Given::Null);
            continue;
        }
        let lengths: Vec<i64> = dimensions.iter().map(|&dimension| lengths.of(dimension, choices)).collect();
        let (view, bytes) = laid_out(choices, dtype, &lengths, place);
        place = place.wrapping_add(bytes.next_multiple_of(8)); // beyond the top, if the region is too small
        given.push(Given::View(view));
    }
    for _ in 0..choices.of(&[0, 1, 0, 1, 2, 3]) {
        spoil(choices, &mut given, region);
    }
    given
}

/// An array in one of many layouts from `place` on, and how many bytes it takes.
fn laid_out(choices: &mut Choices<'_>, dtype: Dtype, lengths: &[i64], place: u64) -> (Descriptor, u64) {
    let mut view = Descriptor { dtype, ndim: lengths.len() as i32, data: place, ..Descriptor::EMPTY };
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    if choices.below(3) > 0 {
        order.reverse();
    }
    let mut stride = i64::from(dtype.0 & 0xff);
    for axis in order {
        stride *= choices.of(&[1, 1, 1, 2, 3]);
        (view.shape[axis], view.strides[axis]) = (lengths[axis], stride);
        if lengths[axis] > 0 && choices.rarely(3) {
            view.data = view.data.wrapping_add_signed(stride * (lengths[axis] - 1));
            view.strides[axis] = -stride;
        }
        stride *= lengths[axis].max(1);
    }
    if choices.rarely(4) {
        (view.base, view.extent) = (place, stride.cast_unsigned());
    }
    (view, stride.cast_unsigned())
}

/// Does something to one argument that is wrong, or nearly.
fn spoil(choices: &mut Choices<'_>, given: &mut [Given], (start, end): (u64, u64)) {
    let index = choices.below(given.len());
    let other = given[choices.below(given.len())].clone();
    let Given::View(view) = &mut given[index] else {
        given[index] = other;
        return;
    };
    let axis = choices.below(8).min(view.ndim.clamp(0, 7) as usize);
    match choices.below(16) {
        // Where the elements are: near, or over another array.
        0 | 1 => view.data = view.data.wrapping_add_signed(choices.of(&[8, -8, 16, -16, 1, -1, 4, 24, -32])),
        2 | 3 => {
            if let Given::View(other) = other {
                view.data = other.data.wrapping_add_signed(choices.of(&[0, 8, -8, 1, 16]));
                view.strides[..2].copy_from_slice(&other.strides[..2]);
            }
        }
        4 => {
            view.data =
                choices.of(&[0, start, end, end.wrapping_sub(8), 8, u64::MAX, u64::MAX - 7, u64::MAX - 15, 1 << 63]);
        }
        // How they lie.
        5 | 6 => view.strides[axis] = 8 * choices.of(&[0, 1, -1, 2, -2, 3, 5, -7]),
        7 => view.strides[axis] = number(choices),
        8 => view.shape.swap(0, 1),
        9 => view.shape[axis] = choices.of(&[0, 1, 2, 3, 5, -1]),
        10 => view.shape[axis] = number(choices),
        // What the descriptor says of itself.
        11 => view.flags = choices.of(&[1, 1, 0, 2, 3, 1 << 63]),
        12 => view.base = choices.of(&[0, start, view.data, view.data.wrapping_add(8), end, u64::MAX]),
        13 => view.extent = choices.of(&[0, end.wrapping_sub(start), 8, 16, 7, u64::MAX, u64::MAX / 2]),
        14 => match choices.below(6) {
            0 => view.ndim = choices.of(&[0, 1, 2, 3, 4, 8, 9, -1, i32::MIN, i32::MAX]),
            1 => {
                view.dtype = choices.of(&[Dtype::BOOL, Dtype::INT8, Dtype::INT64, Dtype::FLOAT64, Dtype(0), Dtype(-1)]);
            }
            2 => view.magic ^= 1 << choices.below(32),
            3 => view.size = choices.of(&[0, 168, 184, u16::MAX]),
            4 => view.version = choices.of(&[0, 2, u16::MAX]),
            _ => view.strides = [number(choices); 8],
        },
        _ => given[index] = if choices.below(2) == 0 { Given::Null } else { Given::Misaligned(start ^ 4) },
    }
}

/// A number at an end of something.
fn number(choices: &mut Choices<'_>) -> i64 {
    let power = choices.below(64);
    let near = (1_i64 << power).wrapping_add(choices.of(&[0, -1, 1, 8, -8]));
    if choices.below(2) == 0 { near } else { near.wrapping_neg() }
}

/// Where a function writes through a pointer of its own: mostly behind the region, else somewhere in it. Behind the top
/// of the address space there is nothing; what is written there would begin in its last bytes, and end beyond.
pub(crate) fn written(choices: &mut Choices<'_>, signature: &Signature, region: (u64, u64)) -> Vec<Written> {
    let pointers = signature.parameters.iter().filter_map(|parameter| match *parameter {
        Parameter::Pointer { name: name @ ("out" | "result"), .. } => Some(name),
        _ => None,
    });
    let size = |name| if name == "out" { 8 } else { 40 };
    let inside = |choices: &mut Choices<'_>| region.0.wrapping_add(4 * choices.below(256) as u64);
    let behind =
        |choices: &mut Choices<'_>| region.1.checked_add(64).unwrap_or_else(|| u64::MAX - choices.below(64) as u64);
    pointers
        .map(|name| Written {
            name,
            address: if choices.rarely(3) { inside(choices) } else { behind(choices) },
            size: size(name),
        })
        .collect()
}
