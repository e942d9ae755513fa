//! The questions that a fit asks of the data.
//!
//! A fit compares errors far more often than it needs to know them. So an engine may answer with a
//! [`Figure`] that says only where the error lies, and is asked for the number itself, the
//! reference's to the bit, where two of these ranges overlap. An engine that computes every number
//! gives exact figures, and is never asked again.

use super::poll::Poll;
use crate::Error;

/// A residual, and what can be asked of it. A figure's number is the reference's, to the bit.
pub(crate) trait Engine {
    /// What this engine needs to know to compute a number after the fact: which error it is, and
    /// of the residual after how many steps.
    type Origin: Copy;

    /// The error of the residual over the training segments.
    fn train_error(&mut self) -> Figure<Self::Origin>;

    /// The error of the residual over the validation segments.
    fn validation_error(&mut self) -> Figure<Self::Origin>;

    /// The option with the smallest training error, the first in row order where several have it,
    /// among the predictors that are active (`[n]`). `None` if no option has a finite error.
    ///
    /// `poll` is asked now and then, with `steps`, whether to go on.
    fn best_option(
        &mut self,
        active: &[bool],
        delta: f64,
        steps: u64,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Choice<Self::Origin>>, Error>;

    /// Takes `delta` times the predictor, shifted by the column's lag, off the residual.
    fn step(&mut self, predictor: usize, column: usize, delta: f64) -> Result<(), Error>;

    /// The number that a figure left open.
    fn exact(&mut self, origin: Self::Origin) -> f64;
}

/// An option, chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Choice<O> {
    pub(crate) predictor: usize,
    pub(crate) column: usize,
    /// What the filter changes by: `delta` or `-delta`.
    pub(crate) delta: f64,
    /// The training error after it.
    pub(crate) error: Figure<O>,
}

/// What is known of an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Figure<O> {
    /// The number.
    Exact(f64),
    /// The number lies in `low..=high`, both finite, and follows from its origin.
    Within { low: f64, high: f64, origin: O },
}

impl<O: Copy> Figure<O> {
    /// Whether this number is above the other. `None`: what is known does not tell.
    pub(crate) fn above(&self, other: &Self) -> Option<bool> {
        let ((low, high), (other_low, other_high)) = (self.range(), other.range());
        if low > other_high {
            return Some(true);
        }
        // Nothing is above NaN, nor the other way round.
        let not_above = high <= other_low || low.is_nan() || other_low.is_nan();
        not_above.then_some(false)
    }

    /// The number, computed by the engine if it has not been.
    pub(crate) fn settle(&mut self, engine: &mut impl Engine<Origin = O>) -> f64 {
        let number = match *self {
            Self::Exact(number) => number,
            Self::Within { origin, .. } => engine.exact(origin),
        };
        *self = Self::Exact(number);
        number
    }

    /// The number, if it is known.
    pub(crate) fn number(&self) -> Option<f64> {
        match *self {
            Self::Exact(number) => Some(number),
            Self::Within { .. } => None,
        }
    }

    fn range(&self) -> (f64, f64) {
        match *self {
            Self::Exact(number) => (number, number),
            Self::Within { low, high, .. } => (low, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Figure::{self, Exact, Within};

    fn within(low: f64, high: f64) -> Figure<()> {
        Within { low, high, origin: () }
    }

    #[test]
    fn figures_are_compared_as_far_as_they_are_known() {
        // one, other, whether the one is above the other
        let cases = [
            (Exact(2.0), Exact(1.0), Some(true)),
            (Exact(1.0), Exact(1.0), Some(false)),
            (Exact(f64::NAN), Exact(1.0), Some(false)),
            (within(2.0, 3.0), Exact(1.0), Some(true)),
            (within(2.0, 3.0), Exact(2.0), None),
            (within(2.0, 3.0), Exact(3.0), Some(false)),
            (within(2.0, 3.0), within(1.0, 1.5), Some(true)),
            (within(2.0, 3.0), within(1.0, 2.0), None),
            (within(2.0, 3.0), within(3.0, 4.0), Some(false)),
            (Exact(f64::INFINITY), within(1.0, 2.0), Some(true)),
            (within(1.0, 2.0), Exact(f64::NAN), Some(false)),
            (Exact(f64::NAN), within(1.0, 2.0), Some(false)),
        ];
        for (one, other, expected) in cases {
            assert_eq!(one.above(&other), expected, "{one:?} above {other:?}");
        }
    }
}
