//! What a well-formed call is, decided the slow way: rule after rule, on every address of every element.
//!
//! Nothing is clever here, so that there is little that could be wrong: addresses are `i128`, in which
//! nothing wraps, and arrays share memory if a byte of one is a byte of the other. It says what is wrong
//! first, and with which argument, in the order that the header and the validator's documentation promise.

use std::collections::HashSet;
use std::ops::Range;

use trfboost_abi_check::{
    Access, Descriptor, Dimension, FaultKind, Head, Parameter, READONLY, Signature, VIEW_MAGIC, VIEW_SIZE, Written,
};

/// More elements than this are not enumerated.
const MOST: i128 = 3000;

/// What is passed for an array parameter.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Null,
    Misaligned(u64),
    /// A descriptor, or something with another head.
    View(Descriptor),
}

/// What is wrong with a call: the kind, and the position of the argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Verdict {
    WellFormed,
    Wrong(FaultKind, i32),
    /// Fine, but for overlap, which takes an enumeration of too many elements.
    TooLarge,
}

/// Judges a call, whose array parameters are given `arguments`.
pub(crate) fn judge(signature: &Signature, arguments: &[Given], written: &[Written]) -> Verdict {
    let mut arrays = Vec::new();
    let mut given = arguments.iter();
    for (position, parameter) in (0..).zip(signature.parameters) {
        let &Parameter::Array { dtype, dimensions, access, optional, .. } = parameter else { continue };
        let view = match given.next() {
            None | Some(Given::Null) if optional => continue,
            None | Some(Given::Null) => return Verdict::Wrong(FaultKind::Null, position),
            Some(Given::Misaligned(_)) => return Verdict::Wrong(FaultKind::NotAView, position),
            Some(Given::View(view)) => view,
        };
        if let Some(kind) = alone(view, dtype.0, dimensions.len()) {
            return Verdict::Wrong(kind, position);
        }
        arrays.push(Array { position, dimensions, access, view });
    }
    if let Some(position) = lengths_disagree(&arrays) {
        return Verdict::Wrong(FaultKind::Length, position);
    }
    let readonly = |array: &&Array<'_>| array.access == Access::Write && array.view.flags == READONLY;
    if let Some(array) = arrays.iter().find(readonly) {
        return Verdict::Wrong(FaultKind::ReadonlyOutput, array.position);
    }
    overlap(signature, &arrays, written)
}

struct Array<'a> {
    position: i32,
    dimensions: &'static [Dimension],
    access: Access,
    view: &'a Descriptor,
}

/// What is wrong with a view on its own.
fn alone(view: &Descriptor, dtype: i32, ndim: usize) -> Option<FaultKind> {
    let Head { magic, size, .. } = view.head();
    if !view.head().fits() {
        return Some(match (magic, size) {
            (magic, _) if magic != VIEW_MAGIC => FaultKind::NotAView,
            (_, size) if size != VIEW_SIZE => FaultKind::StructSize,
            _ => FaultKind::AbiVersion,
        });
    }
    if i128::from(view.ndim) != ndim as i128 {
        return Some(FaultKind::Ndim);
    }
    if view.dtype.0 != dtype {
        return Some(FaultKind::Dtype);
    }
    if view.flags > READONLY {
        return Some(FaultKind::Flags);
    }
    let lengths = &view.shape[..ndim];
    if lengths.iter().any(|&length| length < 0) {
        return Some(FaultKind::NegativeLength);
    }
    // Zeros left out, which no product of the others may hide.
    let product =
        lengths.iter().filter(|&&length| length > 0).try_fold(1_i64, |product, &length| product.checked_mul(length));
    if product.is_none() {
        return Some(FaultKind::AddressSpace);
    }
    if lengths.contains(&0) {
        return None;
    }
    if view.data == 0 {
        return Some(FaultKind::NullData);
    }
    if places(view).iter().any(|place| place % item_size(view) != 0) {
        return Some(FaultKind::Misaligned);
    }
    let Range { start: first, end } = reach(view);
    if first <= 0 || end > i128::from(u64::MAX) || end - first > i128::from(i64::MAX) {
        return Some(FaultKind::AddressSpace);
    }
    let (base, extent) = (i128::from(view.base), i128::from(view.extent));
    let bounded = base != 0 || extent != 0;
    let sound = base != 0 && extent != 0 && base + extent <= i128::from(u64::MAX);
    let inside = first >= base && end <= base + extent;
    (bounded && !(sound && inside)).then_some(FaultKind::Bounds)
}

/// The position of the first array with a length that is another than the first of its name.
fn lengths_disagree(arrays: &[Array<'_>]) -> Option<i32> {
    let mut known: Vec<(&str, i64)> = Vec::new();
    for array in arrays {
        for (&dimension, &length) in array.dimensions.iter().zip(&array.view.shape) {
            let expected = match dimension {
                Dimension::Fixed(expected) => expected,
                Dimension::Named(name) => match known.iter().find(|(other, _)| *other == name) {
                    Some(&(_, expected)) => expected,
                    None => {
                        known.push((name, length));
                        length
                    }
                },
            };
            if length != expected {
                return Some(array.position);
            }
        }
    }
    None
}

/// What is wrong with the memory that is written. (Which overlap is the first cannot be told behind one that
/// could not be looked at.)
fn overlap(signature: &Signature, arrays: &[Array<'_>], written: &[Written]) -> Verdict {
    let mut too_large = false;
    let wrong = |too_large, position| match too_large {
        true => Verdict::TooLarge,
        false => Verdict::Wrong(FaultKind::Overlap, position),
    };
    for (index, output) in arrays.iter().enumerate().filter(|(_, array)| array.access == Access::Write) {
        let Some(ours) = bytes(output.view) else {
            too_large |= !output.view.shape[..output.view.ndim as usize].contains(&0);
            continue;
        };
        let distinct: HashSet<i128> = ours.iter().copied().collect();
        let others = arrays.iter().enumerate().filter(|(other, array)| *other > index || array.access == Access::Read);
        if distinct.len() < ours.len() {
            return wrong(too_large, output.position);
        }
        for (_, other) in others {
            match bytes(other.view) {
                None => too_large = true,
                Some(theirs) if theirs.iter().any(|byte| distinct.contains(byte)) => {
                    return wrong(too_large, output.position);
                }
                Some(_) => {}
            }
        }
    }
    for written in written.iter().filter(|written| written.address != 0) {
        let memory = i128::from(written.address)..i128::from(written.address) + i128::from(written.size);
        for array in arrays {
            match bytes(array.view) {
                None => too_large = true,
                Some(bytes) if bytes.iter().any(|byte| memory.contains(byte)) => {
                    return wrong(too_large, signature.position(written.name));
                }
                Some(_) => {}
            }
        }
    }
    if too_large { Verdict::TooLarge } else { Verdict::WellFormed }
}

/// Size of an element in bytes.
pub(crate) fn item_size(view: &Descriptor) -> i128 {
    i128::from(view.dtype.0 & 0xff)
}

/// How many elements there are, of a view without negative lengths.
fn count(view: &Descriptor) -> i128 {
    let lengths = view.shape[..view.ndim as usize].iter();
    lengths.fold(1, |count, &length| i128::saturating_mul(count, length.into()))
}

/// The address of every element in C order; of a view with too many, of the first two and the last along
/// each axis, among which are the lowest, the highest and the misaligned.
fn places(view: &Descriptor) -> Vec<i128> {
    elements(view).unwrap_or_else(|| {
        enumerate(view, |length| if length > 2 { vec![0, 1, length - 1] } else { (0..length).collect() })
    })
}

/// The bytes from the lowest element to the end of the highest, of a view that is sound on its own; empty
/// if there is no element.
pub(crate) fn reach(view: &Descriptor) -> Range<i128> {
    if count(view) == 0 {
        return 0..0;
    }
    let places = places(view);
    let (first, last) = (places.iter().min().expect("an element"), places.iter().max().expect("an element"));
    *first..last + item_size(view)
}

/// The address of every element in C order; `None`: too many.
pub(crate) fn elements(view: &Descriptor) -> Option<Vec<i128>> {
    match count(view) {
        0 => Some(Vec::new()),
        count => (count <= MOST).then(|| enumerate(view, |length| (0..length).collect())),
    }
}

fn enumerate(view: &Descriptor, indices: impl Fn(i64) -> Vec<i64>) -> Vec<i128> {
    let mut places = vec![i128::from(view.data)];
    for (&length, &stride) in view.shape.iter().zip(&view.strides).take(view.ndim as usize) {
        let steps: Vec<i128> = indices(length).iter().map(|&index| i128::from(index) * i128::from(stride)).collect();
        places = places.iter().flat_map(|place| steps.iter().map(move |step| place + step)).collect();
    }
    places
}

/// Every byte of every element, those of an element that is there twice also twice; `None`: too many.
pub(crate) fn bytes(view: &Descriptor) -> Option<Vec<i128>> {
    let size = item_size(view);
    Some(elements(view)?.into_iter().flat_map(|place| place..place + size).collect())
}
