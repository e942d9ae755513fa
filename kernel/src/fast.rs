//! Engines that answer a fit from estimates with proven bounds, to the reference's bits.
//!
//! Only the winner of a step matters. So all options are estimated fast, with a bound of the
//! estimate's error; every option that the bound excludes is discarded; and what is left is decided
//! in the reference's own arithmetic. What a fit does is then the reference's by proof: the bounds
//! are worst cases, and where none holds the reference itself computes.
//!
//! - [`correlations`]: the engine for l2.
//! - [`signs`]: the engine for l1.
//! - [`packed`], [`accumulate`]: predictors laid out by time, and sums over them.
//! - [`fourier`]: Fourier transforms, eight at a time.
//! - [`replay`]: the exact residual, when it is needed.
//! - [`ordered`]: the reference's running sums, by runs of terms.
//! - [`best`]: the winner, where it takes exact numbers to tell.
//! - [`Plan`]: which engine, chosen once per call.

mod accumulate;
mod best;
mod correlations;
#[cfg(test)]
mod double;
#[cfg(test)]
mod edges;
mod fourier;
mod ordered;
mod packed;
mod replay;
mod signs;
#[cfg(test)]
mod tests;

use ndarray::ArrayView1;

use crate::fit::descent::descend;
use crate::fit::poll::Poll;
use crate::fit::steps::Steps;
use crate::reference::engine::Reference;
use crate::team::Team;
use crate::{Error, ErrorMeasure, Fit, Lags, Predictors, Settings, Split, memory};

/// How the fits of a call are computed, and what they share.
pub(crate) struct Plan<'a> {
    predictors: Predictors<'a>,
    lags: Lags<'a>,
    splits: Vec<Split<'a>>,
    settings: Settings,
    shared: Shared<'a>,
}

/// What the fits share, by engine.
enum Shared<'a> {
    Correlations(correlations::Shared<'a>),
    Signs(signs::Shared<'a>),
    /// The reference, which takes every input.
    Nothing,
}

/// A signal, and what its fits share.
pub(crate) struct Signal<'a> {
    y: ArrayView1<'a, f64>,
    first: First<'a>,
}

/// What the fits of a signal share, by engine.
enum First<'a> {
    Correlations(correlations::FirstSums<'a>),
    Signs(signs::FirstSums),
    Nothing,
}

impl<'a> Plan<'a> {
    /// For arguments that were checked. `predictors` have contiguous rows. Each fit may take the
    /// threads of `team`.
    pub(crate) fn new(
        predictors: Predictors<'a>,
        lags: Lags<'a>,
        of_call: &'a [Split<'_>],
        settings: &Settings,
        team: Team<'a>,
    ) -> Result<Self, Error> {
        let mut splits = memory::with_capacity(of_call.len())?;
        splits.extend(of_call.iter().map(|split| split.reborrow()));
        let shared = match settings.error {
            ErrorMeasure::L1 => signs::Shared::new(predictors, &lags, &splits)?.map(Shared::Signs),
            ErrorMeasure::L2 => {
                correlations::Shared::new(predictors, &lags, &splits, settings, team)?.map(Shared::Correlations)
            }
        };
        Ok(Self { predictors, lags, splits, settings: *settings, shared: shared.unwrap_or(Shared::Nothing) })
    }

    /// A signal that is to be fitted so often.
    pub(crate) fn signal<'b>(&self, y: ArrayView1<'b, f64>, fits: usize) -> Result<Signal<'b>, Error> {
        let first = match &self.shared {
            Shared::Correlations(shared) => First::Correlations(shared.first_sums(y, fits)?),
            Shared::Signs(shared) => First::Signs(shared.first_sums(fits)?),
            Shared::Nothing => First::Nothing,
        };
        Ok(Signal { y, first })
    }

    /// Estimates one filter. Without `history`, errors that no decision needed are NaN in the
    /// history.
    pub(crate) fn fit<'b>(
        &'b self,
        signal: &mut Signal<'b>,
        split: usize,
        history: bool,
        poll: &mut Poll<'_>,
    ) -> Result<Fit, Error> {
        let Self { lags, settings, .. } = self;
        let Signal { y, ref mut first } = *signal;
        let of_split = self.splits[split].reborrow();
        let steps = Steps::new(self.predictors.reborrow(), lags.reborrow(), of_split);
        if let (Shared::Correlations(shared), First::Correlations(first)) = (&self.shared, &mut *first)
            && let Some(mut engine) =
                correlations::Correlations::new(shared, y, first, lags, (split, of_split), history, poll)?
        {
            return descend(&mut engine, &steps, settings, poll);
        }
        if let (Shared::Signs(shared), First::Signs(first)) = (&self.shared, first)
            && let Some(mut engine) =
                signs::Signs::new(shared, (y, first), lags, (split, of_split), settings.delta, history)?
        {
            return descend(&mut engine, &steps, settings, poll);
        }
        let mut engine = Reference::new(y, self.predictors.reborrow(), lags.reborrow(), of_split, settings.error)?;
        descend(&mut engine, &steps, settings, poll)
    }
}
