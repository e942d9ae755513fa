//! Agreement of lengths, by name.
//!
//! The first dimension of a name fixes its length for the call. The commonest cause of a disagreement is
//! an array passed the wrong way round, be it the one that is found or the one that fixed the length, so
//! the search for the fault is repeated on transposed shapes to see which of them would help.

use std::ptr;

use crate::array::Array;
use crate::fault::{FixedBy, Reason, Transpose};
use crate::{Dimension, Fault, Signature};

/// Every length is what its dimension asks for.
pub(crate) fn agree(arrays: &[Array<'_>]) -> Result<(), Fault> {
    let Some(found) = disagreement(arrays, &[]) else { return Ok(()) };
    let Disagreement { array, axis, length, expected, fixed } = found;
    let fixed_by = fixed.map(|Fixed { name, by, .. }| FixedBy { argument: by.place.name, dimension: name });
    let remedy = remedy(arrays, array.place.position, fixed.map(|fixed| fixed.by.place.position));
    Err(Fault::new(array.place, Reason::Length { axis, expected, found: length, fixed_by, remedy }))
}

/// A length that is not what it has to be.
struct Disagreement<'a> {
    array: &'a Array<'a>,
    axis: usize,
    length: i64,
    expected: i64,
    /// What fixed the length, if it was another dimension of that name.
    fixed: Option<Fixed<'a>>,
}

/// A length that has a name: what the first dimension of that name had, and whose it was.
#[derive(Clone, Copy)]
struct Fixed<'a> {
    name: &'static str,
    length: i64,
    by: &'a Array<'a>,
}

/// The first disagreement, were the arrays at those positions transposed. Inlined, since the good path
/// transposes none and a third of a call's checks are spent here.
#[inline(always)]
fn disagreement<'a>(arrays: &'a [Array<'a>], transposed: &[i32]) -> Option<Disagreement<'a>> {
    let (mut names, mut count) = ([Fixed { name: "", length: 0, by: &Array::NONE }; Signature::MAX_NAMES], 0);
    for array in arrays {
        for (axis, dimension) in array.dimensions.iter().enumerate() {
            let length = length(array, axis, transposed);
            let (expected, fixed) = match *dimension {
                Dimension::Fixed(expected) => (expected, None),
                Dimension::Named(name) => {
                    if let Some(fixed) = names[..count].iter().find(|fixed| same(fixed.name, name)) {
                        (fixed.length, Some(*fixed))
                    } else {
                        names[count] = Fixed { name, length, by: array };
                        count += 1;
                        continue;
                    }
                }
            };
            if length != expected {
                return Some(Disagreement { array, axis, length, expected, fixed });
            }
        }
    }
    None
}

#[inline(always)]
fn length(array: &Array<'_>, axis: usize, transposed: &[i32]) -> i64 {
    let reversed = transposed.contains(&array.place.position);
    array.view.shape[if reversed { array.dimensions.len() - 1 - axis } else { axis }]
}

/// Equality of names, most of which are one letter, without a call of `memcmp` for each.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && (ptr::eq(a, b) || a.bytes().eq(b.bytes()))
}

/// Which transposes would make the argument `this` agree with all before it.
#[cold]
fn remedy(arrays: &[Array<'_>], this: i32, other: Option<i32>) -> Transpose {
    let after = |array: &Array<'_>| array.place.position > this;
    let so_far = &arrays[..arrays.iter().position(after).unwrap_or(arrays.len())];
    let other = other.unwrap_or(this);
    let remedies: [(&[i32], Transpose); 3] =
        [(&[this], Transpose::ThisOne), (&[other], Transpose::TheOther), (&[this, other], Transpose::Both)];
    let helps = |(transposed, _): &(&[i32], Transpose)| disagreement(so_far, transposed).is_none();
    remedies.into_iter().find(helps).map_or(Transpose::Nothing, |(_, remedy)| remedy)
}
