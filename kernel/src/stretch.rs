//! Stretches of samples, cut out of a signal.
//!
//! What `signal.slice(s![range])` is elsewhere: ndarray's macro `s!` expands to code that
//! `forbid(unsafe_code)` does not let pass.

use std::ops::Range;

use ndarray::{ArrayBase, Axis, Ix1, RawData, Slice};

/// The samples `range` of a signal `[T]`, given as a view of either kind.
///
/// # Panics
///
/// If the range is not within the signal.
pub(crate) fn of<S: RawData>(mut signal: ArrayBase<S, Ix1>, range: Range<usize>) -> ArrayBase<S, Ix1> {
    signal.slice_axis_inplace(Axis(0), Slice::from(range));
    signal
}
