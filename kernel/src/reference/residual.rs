//! The error of a residual, and what a step does to it.

use ndarray::{ArrayView1, ArrayViewMut1, Zip};

use super::shift::{Seen, Shift};
use crate::check::length;
use crate::measure::{Absolute, Measure, Square};
use crate::predictors::Padded;
use crate::{Error, ErrorMeasure, Segments, stretch};

/// The error of a signal, usually a residual, over segments.
///
/// `x` is `[T]`. The result is one running sum, of absolute values (l1) or squares (l2), in the
/// order of the list; 0 if there is no sample. A sample in two segments counts twice. NaN and
/// infinity go into the sum as they are.
///
/// # Errors
///
/// [`Error::Length`] if the segments are of a signal of another length.
///
/// ```
/// # use ndarray::array;
/// # use trfboost_kernel::{ErrorMeasure, Segments, error_for_indexes};
/// let residual = array![1.0, -2.0, 100.0, 3.0];
/// let rows = array![[0, 2], [3, 4]];
/// let indexes = Segments::new("indexes", rows.view(), 4)?;
/// assert_eq!(error_for_indexes(residual.view(), &indexes, ErrorMeasure::L1)?, 6.0);
/// assert_eq!(error_for_indexes(residual.view(), &indexes, ErrorMeasure::L2)?, 14.0);
/// # Ok::<(), trfboost_kernel::Error>(())
/// ```
pub fn error_for_indexes(x: ArrayView1<'_, f64>, indexes: &Segments<'_>, error: ErrorMeasure) -> Result<f64, Error> {
    length("x", 0, x.len(), indexes.samples(), "indexes")?;
    Ok(sum(x, indexes, error))
}

/// Takes `delta` times the shifted predictor off the residual: the effect of a step.
///
/// `y_error` and `x` are `[T]`; `shift` is the lag in samples. Where the shifted predictor is
/// outside of a segment it has the value `x_pad`. Samples in no segment stay; a sample in two
/// segments is updated twice. `delta` is finite and may have any sign: the negative one undoes a
/// step, but for rounding.
///
/// # Errors
///
/// [`Error::Length`] if lengths do not agree, [`Error::Value`] if `delta` is not finite.
///
/// ```
/// # use ndarray::array;
/// # use trfboost_kernel::{Segments, update_error};
/// let mut residual = array![1.0, 1.0, 1.0, 1.0];
/// let x = array![2.0, 4.0, 6.0, 8.0];
/// let rows = array![[0, 3]];
/// let indexes = Segments::new("indexes", rows.view(), 4)?;
/// update_error(residual.view_mut(), x.view(), 0.0, &indexes, 0.5, 1)?;
/// assert_eq!(residual, array![1.0, 0.0, -1.0, 1.0]);
/// # Ok::<(), trfboost_kernel::Error>(())
/// ```
pub fn update_error(
    y_error: ArrayViewMut1<'_, f64>,
    x: ArrayView1<'_, f64>,
    x_pad: f64,
    indexes: &Segments<'_>,
    delta: f64,
    shift: i64,
) -> Result<(), Error> {
    length("x", 0, x.len(), y_error.len(), "y_error")?;
    length("y_error", 0, y_error.len(), indexes.samples(), "indexes")?;
    if !delta.is_finite() {
        return Err(Error::Value { argument: "delta", expected: "a finite number", actual: delta });
    }
    step(y_error, Padded { x, pad: x_pad }, indexes, delta, shift);
    Ok(())
}

/// [`error_for_indexes`] for arguments that agree.
pub(crate) fn sum(x: ArrayView1<'_, f64>, segments: &Segments<'_>, error: ErrorMeasure) -> f64 {
    match error {
        ErrorMeasure::L1 => sum_of::<Absolute>(x, segments),
        ErrorMeasure::L2 => sum_of::<Square>(x, segments),
    }
}

fn sum_of<M: Measure>(x: ArrayView1<'_, f64>, segments: &Segments<'_>) -> f64 {
    let mut sum = 0.0;
    for segment in segments.iter() {
        for &value in stretch::of(x, segment) {
            sum += M::of(value);
        }
    }
    sum
}

/// [`update_error`] for arguments that agree.
pub(crate) fn step(
    mut y_error: ArrayViewMut1<'_, f64>,
    predictor: Padded<'_>,
    segments: &Segments<'_>,
    delta: f64,
    lag: i64,
) {
    for segment in segments.iter() {
        for (samples, seen) in Shift::new(&segment, lag).stretches(predictor) {
            let y_error = stretch::of(y_error.view_mut(), samples);
            match seen {
                Seen::Pad(pad) => {
                    let change = delta * pad;
                    y_error.into_iter().for_each(|y| *y -= change);
                }
                Seen::Predictor(x) => Zip::from(y_error).and(x).for_each(|y, &x| *y -= delta * x),
            }
        }
    }
}
