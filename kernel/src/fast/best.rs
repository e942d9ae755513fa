//! The winner of a step.

use super::replay::Origin;
use crate::fit::engine::{Choice, Figure};
use crate::reference::options::Better;

/// The first smallest error of those offered in row order. What has no finite error never wins.
#[derive(Default)]
pub(crate) struct Best(Option<Choice<Origin>>);

impl Best {
    /// Offers an option, whose better sign was computed in the reference's arithmetic.
    pub(crate) fn offer(&mut self, predictor: usize, column: usize, delta: f64, better: Better) {
        let smallest = self.0.as_ref().and_then(|best| best.error.number()).unwrap_or(f64::INFINITY);
        if better.error < smallest {
            let delta = delta * f64::from(better.sign);
            self.0 = Some(Choice { predictor, column, delta, error: Figure::Exact(better.error) });
        }
    }

    /// The winner, if there is one.
    pub(crate) fn into_choice(self) -> Option<Choice<Origin>> {
        self.0
    }
}
