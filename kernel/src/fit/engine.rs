//! The questions that a fit asks of the data.

use super::poll::Poll;
use crate::Error;

/// A residual, and what can be asked of it. Each answer is the reference's, to the bit.
pub(crate) trait Engine {
    /// The error of the residual over the training segments.
    fn train_error(&mut self) -> f64;

    /// The error of the residual over the validation segments.
    fn validation_error(&mut self) -> f64;

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
    ) -> Result<Option<Choice>, Error>;

    /// Takes `delta` times the predictor, shifted by the column's lag, off the residual.
    fn step(&mut self, predictor: usize, column: usize, delta: f64);
}

/// An option, chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) predictor: usize,
    pub(crate) column: usize,
    /// What the filter changes by: `delta` or `-delta`.
    pub(crate) delta: f64,
    /// The training error after it.
    pub(crate) error: f64,
}
