//! Stretches of samples, cut out of a signal.
//!
//! What `signal.slice(s![range])` is elsewhere: ndarray's macro `s!` expands to code that
//! `forbid(unsafe_code)` does not let pass.

use std::ops::Range;

use ndarray::{ArrayBase, Axis, Dimension, Ix1, RawData, Slice};

/// The samples `range` of a signal `[T]`, given as a view of either kind.
///
/// # Panics
///
/// If the range is not within the signal.
pub(crate) fn of<S: RawData>(mut signal: ArrayBase<S, Ix1>, range: Range<usize>) -> ArrayBase<S, Ix1> {
    signal.slice_axis_inplace(Axis(0), Slice::from(range));
    signal
}

/// The first of the elements along an axis if all of them are one (a stride of 0), else all.
///
/// For what has to hold of each: a view that repeats an element can be longer than anything that could
/// be walked, and there is nothing new to see along it.
pub(crate) fn distinct<S: RawData, D: Dimension>(mut array: ArrayBase<S, D>, axis: Axis) -> ArrayBase<S, D> {
    if array.stride_of(axis) == 0 && array.len_of(axis) > 1 {
        array.slice_axis_inplace(axis, Slice::from(0..1));
    }
    array
}
