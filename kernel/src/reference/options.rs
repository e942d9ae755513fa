//! The error of every option of a step: of adding and of subtracting `delta` at each lag of each
//! predictor.

use ndarray::ArrayView1;

use super::shift::{Seen, Shift};
use crate::measure::{Absolute, Measure, Square};
use crate::predictors::Padded;
use crate::{ErrorMeasure, Segments, stretch};

/// The better of the two signs at one predictor and lag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Better {
    /// The error after the step.
    pub(crate) error: f64,
    /// 1 or -1.
    pub(crate) sign: i8,
}

impl Better {
    /// The better of the errors after adding and after subtracting.
    pub(crate) fn of(add: f64, subtract: f64) -> Self {
        // Not `min`: on a tie the sign is +1, and NaN is not above anything, so that it comes out as is.
        if add > subtract { Self { error: subtract, sign: -1 } } else { Self { error: add, sign: 1 } }
    }
}

/// Tries `+delta` and `-delta` at one predictor and lag.
pub(crate) fn better_sign(
    y_error: ArrayView1<'_, f64>,
    predictor: Padded<'_>,
    segments: &Segments<'_>,
    error: ErrorMeasure,
    delta: f64,
    lag: i64,
) -> Better {
    let (add, subtract) = match error {
        ErrorMeasure::L1 => errors::<Absolute>(y_error, predictor, segments, delta, lag),
        ErrorMeasure::L2 => errors::<Square>(y_error, predictor, segments, delta, lag),
    };
    Better::of(add, subtract)
}

/// The errors after adding and after subtracting `delta` times the shifted predictor.
fn errors<M: Measure>(
    y_error: ArrayView1<'_, f64>,
    predictor: Padded<'_>,
    segments: &Segments<'_>,
    delta: f64,
    lag: i64,
) -> (f64, f64) {
    let (mut add, mut subtract) = (0.0, 0.0);
    let mut sample = |y: f64, d: f64| {
        add += M::of(y - d);
        subtract += M::of(y + d);
    };
    for segment in segments.iter() {
        for (samples, seen) in Shift::new(&segment, lag).stretches(predictor) {
            let y_error = stretch::of(y_error, samples);
            match seen {
                Seen::Pad(pad) => {
                    let d = delta * pad;
                    y_error.into_iter().for_each(|&y| sample(y, d));
                }
                Seen::Predictor(x) => y_error.into_iter().zip(x).for_each(|(&y, &x)| sample(y, delta * x)),
            }
        }
    }
    (add, subtract)
}
