//! The prediction of a filter.

use ndarray::{ArrayView2, ArrayViewMut1};

use super::shift::{Seen, Shift};
use crate::check::length;
use crate::{Error, Predictors, Segments, stretch};

/// Predicts a signal: the sum over predictors and columns of `h` times the predictor shifted by
/// the column's lag.
///
/// `h` is `[n, L]`, with column 0 at lag `i_start` (in samples); `out` is `[T]`. Each segment is
/// predicted on its own, the predictors having the value of their pads outside of it; where two
/// overlap, the later one stands. Samples in no segment are not touched. Segments may be shorter
/// than the filter. Agrees with Eelbrain's convolution to rounding, not to the bit.
///
/// # Errors
///
/// [`Error::Length`] if lengths do not agree.
///
/// ```
/// # use ndarray::{Array1, array};
/// # use trfboost_kernel::{Predictors, Segments, convolve};
/// let (x, pads) = (array![[1.0, 0.0, 0.0, 2.0]], array![0.0]);
/// let rows = array![[0, 4]];
/// let h = array![[0.5, 0.25]];
/// let mut out = Array1::zeros(4);
/// let predictors = Predictors::new(x.view(), pads.view())?;
/// let segments = Segments::new("segments", rows.view(), 4)?;
/// convolve(h.view(), &predictors, 0, &segments, out.view_mut())?;
/// assert_eq!(out, array![0.5, 0.25, 0.0, 1.0]);
/// # Ok::<(), trfboost_kernel::Error>(())
/// ```
pub fn convolve(
    h: ArrayView2<'_, f64>,
    predictors: &Predictors<'_>,
    i_start: i64,
    segments: &Segments<'_>,
    mut out: ArrayViewMut1<'_, f64>,
) -> Result<(), Error> {
    length("h", 0, h.nrows(), predictors.len(), "x")?;
    length("segments", 0, segments.samples(), predictors.samples(), "x")?;
    length("out", 0, out.len(), predictors.samples(), "x")?;
    for segment in segments.iter().filter(|segment| !segment.is_empty()) {
        stretch::of(out.view_mut(), segment.clone()).fill(0.0);
        for ((predictor, column), &weight) in h.indexed_iter() {
            // Beyond the range of i64, as well as well within it, a lag sees the pad only.
            let lag = i_start.saturating_add_unsigned(column as u64);
            for (samples, seen) in Shift::new(&segment, lag).stretches(predictors.padded(predictor)) {
                let out = stretch::of(out.view_mut(), samples);
                match seen {
                    Seen::Pad(pad) => out.into_iter().for_each(|out| *out += weight * pad),
                    Seen::Predictor(x) => out.into_iter().zip(x).for_each(|(out, x)| *out += weight * x),
                }
            }
        }
    }
    Ok(())
}
