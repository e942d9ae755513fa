//! Random calls through the C entry points, well-formed or not.
//!
//! All arrays lie in one piece of memory, where they may overlap. What an oracle calls wrong has to be refused
//! with that status, and not one bit of the memory may change. What it calls well-formed has to do what it does
//! on copies of the arrays side by side: the same status, the same numbers, and no byte written but those of
//! the outputs' elements.

use std::ffi::c_void;
use std::ops::{Range, RangeInclusive};
use std::ptr;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use trfboost::{FitResult, View};
use trfboost_abi_check::{Access, Descriptor, Dimension, Dtype, Parameter, Signature, Written, signatures};

use crate::call::Call;
use crate::drawn::{self, Choices, Lengths};
use crate::oracle::{self, Given, Verdict};
use crate::placed::{CONTIGUOUS, Element};

/// The memory: the arrays', and what lies behind them.
const WORDS: usize = 1024;
const BEHIND: usize = 32;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    /// The status of the call.
    Made(i32),
    /// It was not made: whether its arrays overlap takes an enumeration of too many elements.
    TooLarge,
    /// It was cancelled, having taken too long.
    Late,
}

/// Makes the call that the bytes stand for.
///
/// # Panics
///
/// If it does anything that it should not.
pub(crate) fn make(bytes: &[u8]) -> Outcome {
    let mut choices = Choices(bytes);
    let signature = choices.of(signatures::ALL);
    let mut memory = Memory { words: (0..WORDS + BEHIND).map(|index| number(index).to_bits()).collect() };
    let mut lengths = Lengths::default();
    if signature.name.contains("boosting") {
        // Enough for a fit to end.
        lengths.0 = vec![("T", choices.of(&[6, 7, 9])), ("k", 1 + choices.below(2) as i64), ("j", 1)];
    }
    let mut given = drawn::call(&mut choices, signature, &mut lengths, memory.region());
    let written = drawn::written(&mut choices, signature, memory.region());
    let mut verdict = oracle::judge(signature, &given, &written);
    if !matches!(verdict, Verdict::Wrong(..)) {
        bound(&mut given, &memory);
        verdict = oracle::judge(signature, &given, &written);
    }
    let scalars = scalars(&mut choices, signature);
    let names = arrays(signature).zip(&given);
    names
        .clone()
        .for_each(|((name, dimensions, _), given)| memory.fill(&mut choices, name, dimensions, given, &lengths));
    if choices.rarely(16) {
        let place = choices.below(64);
        memory.words[place] = choices.of(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY]).to_bits();
    }
    let deadline = Instant::now() + Duration::from_millis(50);
    written.iter().for_each(|written| memory.prepare(written, &deadline));

    let before = memory.words.clone();
    let mut here = Call::bare(signature, scalars.clone());
    let views: Vec<Option<View>> = given.iter().map(view).collect();
    for (((name, ..), given), view) in names.clone().zip(&views) {
        here.add(name, &[0], &[0.0; 0], &|_| CONTIGUOUS);
        here.pass(name, address(given, view));
    }
    here.progress = Some(cancel_late);
    here.user = ptr::from_ref(&deadline).cast_mut().cast();
    here.pointer = written.first().map(|written| ptr::with_exposed_provenance_mut(written.address as usize));
    match verdict {
        Verdict::TooLarge => Outcome::TooLarge,
        Verdict::Wrong(kind, position) => {
            let outcome = here.make();
            let told = (outcome.status, outcome.details.argument);
            assert_eq!(told, (kind as i32, position), "{}: {}: {given:?}", signature.name, outcome.sentence());
            assert!(memory.words == before, "{}: something was written: {given:?}", signature.name);
            Outcome::Made(outcome.status)
        }
        Verdict::WellFormed => {
            let mut copied = Call::bare(signature, scalars);
            (copied.out, copied.progress, copied.user) = (Some(0.0), here.progress, here.user);
            copied.result = Some(memory.result(&deadline));
            names.clone().for_each(|((name, ..), given)| memory.copy(&mut copied, name, given));
            let (expected, outcome) = (copied.make(), here.make());
            let told = |outcome: &crate::call::Outcome| {
                let details = outcome.details;
                (
                    outcome.status,
                    details.argument,
                    details.axis,
                    details.expected,
                    details.actual,
                    outcome.sentence().to_owned(),
                )
            };
            if outcome.status == 23 || expected.status == 23 {
                // Perhaps one of them only, for the clock tells when.
                assert!(outcome.status != 23 || memory.words == before, "a call that was cancelled wrote: {given:?}");
                return Outcome::Late;
            }
            assert_eq!(told(&outcome), told(&expected), "{}: {given:?}", signature.name);
            assert_ne!(outcome.status, 26, "{}: a defect: {given:?}", signature.name);
            let outputs = names.filter(|((.., access), _)| *access == Access::Write);
            let mut changed = memory.compare(outputs, &copied, outcome.status == 0);
            changed.extend(written.iter().map(|written| memory.offset(written.address.into(), written.size.into())));
            memory.check_others(&before, &changed);
            Outcome::Made(outcome.status)
        }
    }
}

/// A number without a pattern, never 0.
fn number(index: usize) -> f64 {
    ((index * 7919 + 13) % 1009) as f64 / 512.0 - 0.9
}

/// Cancels what has taken too long.
unsafe extern "C" fn cancel_late(user: *mut c_void, _: i64, _: i64) -> i32 {
    // SAFETY: the deadline of `make`, which outlives the call.
    i32::from(Instant::now() > unsafe { *user.cast::<Instant>() })
}

/// Name, dimensions and access of the array parameters.
fn arrays(
    signature: &'static Signature,
) -> impl Iterator<Item = (&'static str, &'static [Dimension], Access)> + Clone + use<> {
    signature.parameters.iter().filter_map(|parameter| match *parameter {
        Parameter::Array { name, dimensions, access, .. } => Some((name, dimensions, access)),
        _ => None,
    })
}

/// Views that reach out of the memory are given its bounds, lest a call that is otherwise fine follows them.
fn bound(given: &mut [Given], memory: &Memory) {
    let (start, end) = memory.region();
    for given in given {
        if let Given::View(view) = given {
            let reach = oracle::reach(view);
            if !reach.is_empty() && (reach.start < start.into() || reach.end > end.into()) {
                (view.base, view.extent) = (start, end - start);
            }
        }
    }
}

fn scalars(choices: &mut Choices<'_>, signature: &Signature) -> Vec<(&'static str, f64)> {
    let scalars = signature.parameters.iter().filter_map(|parameter| match *parameter {
        Parameter::Scalar { name, .. } => Some(name),
        _ => None,
    });
    let mut value = |name| match name {
        "error" => choices.of(&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 0.0, 3.0]),
        "delta" => choices.of(&[0.5, 0.25, 0.125, 1.0, 0.0, f64::NAN, -0.5, 1e300]),
        "mindelta" => choices.of(&[0.25, 0.5, 0.25, 0.125, 0.0]),
        "x_pad" => choices.of(&[0.0, 1.0, f64::NAN]),
        "i_start" | "shift" => choices.of(&[-1.0, 0.0, 1.0, 5.0, -7.0, 1e18, -1e18]),
        "selective_stopping" => choices.of(&[0.0, 1.0, 2.0, -1.0]),
        "num_threads" => choices.of(&[1.0, 1.0, 1.0, 2.0, -1.0]),
        other => unreachable!("{other}"),
    };
    scalars.map(|name| (name, value(name))).collect()
}

fn view(given: &Given) -> Option<View> {
    let Given::View(given) = given else { return None };
    let &Descriptor { magic, size, version, dtype, ndim, flags, data, base, extent, shape, strides } = given;
    let (data, base) = (ptr::with_exposed_provenance_mut(data as usize), ptr::with_exposed_provenance(base as usize));
    Some(View { magic, size, version, dtype: dtype.0, ndim, flags, data, base, extent, shape, strides })
}

fn address(given: &Given, view: &Option<View>) -> *const View {
    match given {
        Given::Misaligned(address) => ptr::without_provenance(*address as usize),
        _ => view.as_ref().map_or(ptr::null(), ptr::from_ref),
    }
}

/// What the arrays lie in.
struct Memory {
    words: Vec<u64>,
}

impl Memory {
    /// From where to where arrays may reach.
    fn region(&self) -> (u64, u64) {
        let start = self.words.as_ptr().expose_provenance() as u64;
        (start, start + 8 * WORDS as u64)
    }

    /// Where bytes that lie in the memory are in it.
    fn offset(&self, address: i128, size: i128) -> Range<usize> {
        let start = (address - i128::from(self.region().0)) as usize;
        start..start + size as usize
    }

    fn contains(&self, view: &Descriptor) -> bool {
        let (reach, (start, end)) = (oracle::reach(view), self.region());
        reach.is_empty() || (reach.start >= start.into() && reach.end <= end.into())
    }

    /// Where the elements of an array lie, if it is whole and all of them are in this memory.
    fn places(&self, given: &Given) -> Option<(Descriptor, Vec<Range<usize>>)> {
        let Given::View(view) = given else { return None };
        let sound = view.head().fits() && (0..=8).contains(&view.ndim) && [1, 8].contains(&oracle::item_size(view));
        if !sound || view.shape[..view.ndim as usize].iter().any(|&length| length < 0) || !self.contains(view) {
            return None;
        }
        let size = oracle::item_size(view);
        let elements = oracle::elements(view)?;
        Some((*view, elements.into_iter().map(|element| self.offset(element, size)).collect()))
    }

    /// Gives integers values that make sense, mostly.
    fn fill(
        &mut self,
        choices: &mut Choices<'_>,
        name: &str,
        dimensions: &[Dimension],
        given: &Given,
        lengths: &Lengths,
    ) {
        let Some((view, places)) = self.places(given) else { return };
        let length = |wanted: &str| lengths.0.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, length)| *length);
        let (samples, columns) = (length("T"), length("L"));
        let mut start = 0;
        for (index, place) in places.into_iter().enumerate() {
            let value = match name {
                "i_start_by_x" => choices.of(&[-1, -1, -1, -1, 0, 1]),
                "i_stop_by_x" => -1 + columns - i64::from(choices.rarely(8)),
                "x_active" => choices.of(&[1, 1, 0]),
                _ if view.dtype != Dtype::INT64 || !matches!(dimensions.last(), Some(Dimension::Fixed(2))) => continue,
                _ if index % 2 == 0 => {
                    start = if choices.rarely(8) {
                        choices.of(&[-1, -2, samples, i64::MAX])
                    } else {
                        (choices.below(3) as i64).min(samples)
                    };
                    start
                }
                _ => {
                    if choices.rarely(16) {
                        choices.of(&[-1, samples + 1, i64::MIN])
                    } else {
                        samples - (choices.below(3) as i64).min(samples - start.clamp(0, samples))
                    }
                }
            };
            let size = place.len();
            self.bytes_mut()[place].copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.words)
    }

    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words)
    }

    fn result(&self, deadline: &Instant) -> FitResult {
        let user = ptr::from_ref(deadline).cast_mut().cast();
        FitResult { size: 40, stop: 0, entries: 0, best_step: 0, progress: Some(cancel_late), user }
    }

    /// Sets up what a pointer points to.
    fn prepare(&mut self, written: &Written, deadline: &Instant) {
        if written.name == "result" {
            let result = self.result(deadline);
            let place = ptr::with_exposed_provenance_mut::<FitResult>(written.address as usize);
            // SAFETY: drawn in this memory, or behind the arrays in it.
            unsafe { place.write_unaligned(result) }
        }
    }

    /// Gives a call a copy of an array, in C order.
    fn copy(&self, call: &mut Call, name: &'static str, given: &Given) {
        let Some((view, places)) = self.places(given) else {
            call.add(name, &[0], &[0.0; 0], &|_| CONTIGUOUS);
            return call.pass(name, ptr::null());
        };
        let shape: Vec<usize> = view.shape[..view.ndim as usize].iter().map(|&length| length as usize).collect();
        match view.dtype {
            Dtype::INT8 => call.add(name, &shape, &self.values::<i8>(&places), &|_| CONTIGUOUS),
            Dtype::INT64 => call.add(name, &shape, &self.values::<i64>(&places), &|_| CONTIGUOUS),
            _ => call.add(name, &shape, &self.values::<f64>(&places), &|_| CONTIGUOUS),
        }
    }

    fn values<E: Element>(&self, places: &[Range<usize>]) -> Vec<E> {
        places.iter().map(|place| bytemuck::pod_read_unaligned(&self.bytes()[place.clone()])).collect()
    }

    /// The outputs' elements are those of the copies, if the call succeeded. Gives where they lie.
    fn compare<'a>(
        &self,
        outputs: impl Iterator<Item = ((&'static str, &'static [Dimension], Access), &'a Given)>,
        copied: &Call,
        succeeded: bool,
    ) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        for ((name, ..), given) in outputs {
            let Some((_, places)) = self.places(given) else { continue };
            let expected = bytemuck::cast_slice::<u64, u8>(copied.array(name).words());
            let size = places.first().map_or(0, Range::len);
            for (place, expected) in places.into_iter().zip(expected.chunks(size.max(1))) {
                assert_eq!(&self.bytes()[place.clone()], expected, "{name}: {given:?}");
                all.extend(succeeded.then_some(place));
            }
        }
        all
    }

    /// Everything but these bytes is as before.
    fn check_others(&self, before: &[u64], changed: &[Range<usize>]) {
        let mut before = bytemuck::cast_slice::<u64, u8>(before).to_vec();
        for place in changed {
            before[place.clone()].copy_from_slice(&self.bytes()[place.clone()]);
        }
        assert!(self.bytes() == before, "a byte was written that belongs to no output");
    }
}

/// How many random calls are made; more for the proof.
fn cases() -> u32 {
    let asked = std::env::var("TRFBOOST_CASES").ok();
    asked.map_or(1000, |asked| asked.parse().expect("TRFBOOST_CASES is a number"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn a_random_call_is_refused_untouched_or_gives_the_numbers_of_copies(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        make(&bytes);
    }
}

#[test]
fn numbered_calls_do_what_they_should_and_come_to_every_end() {
    let numbers = drawn::numbers(4000);
    let ends = drawn::ends(&numbers, make);
    let all = numbers.end - numbers.start;
    let count = |end| ends.get(&end).copied().unwrap_or(0);
    let (done, large, late) = (count(Outcome::Made(0)), count(Outcome::TooLarge), count(Outcome::Late));
    println!("calls through the C functions: {all}");
    println!("calls that did what they do on copies: {done}");
    let refused = |statuses: RangeInclusive<i32>| statuses.map(|status| count(Outcome::Made(status))).sum::<u64>();
    println!("calls that were refused by the validator, and changed nothing: {}", refused(1..=15));
    println!("calls that were refused for their values, and changed nothing: {}", refused(16..=22));
    println!("calls that were left, for too many elements: {large}");
    println!("calls that were left, for they took more than 50 ms: {late}");
    // Every refusal of the validator, and of values.
    let missing: Vec<_> = (0..=20).filter(|&status| count(Outcome::Made(status)) == 0).collect();
    assert!(missing.is_empty() && done * 13 > all, "{ends:?}");
    assert!(large * 1000 < all && late * 100 < all, "too many are left: {ends:?}");
}
