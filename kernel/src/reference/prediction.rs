//! The prediction of a filter.
//!
//! Boosting makes filters that are mostly zeros, so these are passed over. Each sample is a running sum in
//! the order of predictors and columns, whatever the layout and however many samples are added at once.

use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1};

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
        for (predictor, row) in h.outer_iter().enumerate() {
            let padded = predictors.padded(predictor);
            // Times 0, a finite number adds nothing; infinity and NaN do, and are not passed over.
            let zeros_add = !(padded.pad.is_finite() && all_finite(stretch::of(padded.x.view(), segment.clone())));
            for (column, &weight) in row.iter().enumerate().filter(|&(_, &weight)| weight != 0.0 || zeros_add) {
                // Beyond the range of i64, as well as well within it, a lag sees the pad only.
                let lag = i_start.saturating_add_unsigned(column as u64);
                for (samples, seen) in Shift::new(&segment, lag).stretches(padded) {
                    let mut out = stretch::of(out.view_mut(), samples);
                    match seen {
                        Seen::Pad(pad) => out += weight * pad,
                        Seen::Predictor(x) => out.scaled_add(weight, &x),
                    }
                }
            }
        }
    }
    Ok(())
}

fn all_finite(x: ArrayView1<'_, f64>) -> bool {
    // Without a branch per sample, which the compiler can make vectors of.
    x.fold(true, |finite, x| finite & x.is_finite())
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2, array};

    use super::convolve;
    use crate::{Predictors, Segments};

    #[test]
    fn a_zero_in_the_filter_does_not_hide_what_is_not_finite() {
        let rows = array![[0, 4]];
        let segments = Segments::new("segments", rows.view(), 5).unwrap();
        let predicted = |x: Array2<f64>, h: Array2<f64>| {
            let pads = Array1::zeros(x.nrows());
            let mut out = Array1::from_elem(5, 7.0);
            convolve(h.view(), &Predictors::new(x.view(), pads.view()).unwrap(), 0, &segments, out.view_mut()).unwrap();
            out
        };
        let x = array![[1.0, f64::INFINITY, 0.0, 0.0, f64::NAN], [1.0, 2.0, 3.0, 4.0, f64::NAN]];
        let out = predicted(x, array![[0.0, 0.0], [0.5, 0.0]]);
        assert_eq!((out[0], out[3], out[4]), (0.5, 2.0, 7.0)); // what lies outside of the segment is not looked at
        assert!(out[1].is_nan() && out[2].is_nan());
    }
}
