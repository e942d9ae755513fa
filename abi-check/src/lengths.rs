//! Agreement of lengths, by name.
//!
//! The first dimension of a name fixes its length for the call. The commonest cause of a disagreement is
//! an array passed the wrong way round, be it the one that is found or the one that fixed the length, so
//! the search for the fault is repeated on transposed shapes to see which of them would help.

use crate::array::Array;
use crate::fault::{FixedBy, Reason, Transpose};
use crate::{Dimension, Fault, Signature};

/// Every length is what its dimension asks for.
pub(crate) fn agree(arrays: &[Array<'_>]) -> Result<(), Fault> {
    let Some(found) = disagreement(arrays, 0) else { return Ok(()) };
    let array = &arrays[found.array];
    let fixed_by = found.fixed_by.map(|(by, dimension)| FixedBy { argument: arrays[by].place.name, dimension });
    let reason = Reason::Length {
        axis: found.axis,
        expected: found.expected,
        found: found.length,
        fixed_by,
        remedy: remedy(arrays, &found),
    };
    Err(Fault::new(array.place, reason))
}

/// A length that is not what it has to be.
struct Disagreement {
    array: usize,
    axis: usize,
    length: i64,
    expected: i64,
    /// Index of the array that fixed the length, and the name of the dimension.
    fixed_by: Option<(usize, &'static str)>,
}

/// A length that has a name: what the first dimension of that name had, and whose it was.
#[derive(Clone, Copy)]
struct Fixed {
    name: &'static str,
    length: i64,
    by: usize,
}

/// The first disagreement, were those arrays transposed whose bit is set.
fn disagreement(arrays: &[Array<'_>], transposed: u32) -> Option<Disagreement> {
    let (mut names, mut count) = ([Fixed { name: "", length: 0, by: 0 }; Signature::MAX_NAMES], 0);
    for (index, array) in arrays.iter().enumerate() {
        for (axis, dimension) in array.dimensions.iter().enumerate() {
            let length = length(array, axis, transposed >> index & 1 == 1);
            let (expected, fixed_by) = match *dimension {
                Dimension::Fixed(expected) => (expected, None),
                Dimension::Named(name) => match names[..count].iter().find(|fixed| same(fixed.name, name)) {
                    Some(fixed) => (fixed.length, Some((fixed.by, name))),
                    None => {
                        names[count] = Fixed { name, length, by: index };
                        count += 1;
                        continue;
                    }
                },
            };
            if length != expected {
                return Some(Disagreement { array: index, axis, length, expected, fixed_by });
            }
        }
    }
    None
}

fn length(array: &Array<'_>, axis: usize, transposed: bool) -> i64 {
    array.view.shape[if transposed { array.dimensions.len() - 1 - axis } else { axis }]
}

/// Equality of names, most of which are one letter, without a call of `memcmp` for each.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().eq(b.bytes())
}

/// Which transposes would make this and all earlier arguments agree.
fn remedy(arrays: &[Array<'_>], found: &Disagreement) -> Transpose {
    let so_far = &arrays[..=found.array];
    let this = 1 << found.array;
    let other = found.fixed_by.map_or(0, |(by, _)| 1 << by);
    let remedies = [(this, Transpose::ThisOne), (other, Transpose::TheOther), (this | other, Transpose::Both)];
    let helps = |(transposed, _): &(u32, Transpose)| disagreement(so_far, *transposed).is_none();
    remedies.into_iter().find(helps).map_or(Transpose::Nothing, |(_, remedy)| remedy)
}
