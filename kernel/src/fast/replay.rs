//! The residual, when it is needed.
//!
//! A fit whose decisions are made from estimates need not know its residual, only the steps that
//! led to it. Where a number has to be the reference's to the bit, the steps are replayed up to
//! the moment that it belongs to, in the reference's arithmetic.

use ndarray::{ArrayView1, ArrayViewMut1};

use super::ordered;
use crate::reference::options::{Better, better_sign};
use crate::reference::residual;
use crate::vectors::Path;
use crate::{Error, ErrorMeasure, Lags, Predictors, Split, memory};

/// A signal, the steps taken, and the residual after some of them.
pub(crate) struct Replay<'a> {
    signal: ArrayView1<'a, f64>,
    predictors: Predictors<'a>,
    split: Split<'a>,
    measure: ErrorMeasure,
    path: Path,
    /// The lag of column 0.
    i_start: i64,
    residual: Vec<f64>,
    /// How many of the steps the residual has seen.
    seen: Moment,
    steps: Vec<Step>,
}

/// The number of steps taken before.
pub(crate) type Moment = usize;

/// Which number of the reference.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// The error over the training segments.
    Train(Moment),
    /// The error over the validation segments.
    Validation(Moment),
    /// The training error after a step.
    Step(Moment, Step),
}

impl Origin {
    /// When the residual was that of the number.
    pub(crate) fn moment(self) -> Moment {
        let (Self::Train(moment) | Self::Validation(moment) | Self::Step(moment, _)) = self;
        moment
    }
}

/// What is taken off the residual: `delta`, of either sign, times the predictor at the column's lag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) predictor: usize,
    pub(crate) column: usize,
    pub(crate) delta: f64,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(
        signal: ArrayView1<'a, f64>,
        predictors: Predictors<'a>,
        lags: &Lags<'_>,
        split: Split<'a>,
        (measure, path): (ErrorMeasure, Path),
    ) -> Result<Self, Error> {
        let residual = memory::with_capacity(signal.len())?; // filled when it is first asked for
        let (i_start, steps) = (lags.i_start(), Vec::new());
        Ok(Self { signal, predictors, split, measure, path, i_start, residual, seen: 0, steps })
    }

    /// The present moment.
    pub(crate) fn now(&self) -> Moment {
        self.steps.len()
    }

    /// Whether the residual has seen more steps than those before a moment, so that asking for it
    /// means to begin again.
    pub(crate) fn is_past(&self, moment: Moment) -> bool {
        self.seen > moment
    }

    /// Notes a step.
    pub(crate) fn note(&mut self, predictor: usize, column: usize, delta: f64) -> Result<(), Error> {
        memory::push(&mut self.steps, Step { predictor, column, delta })
    }

    /// The residual at a moment, `[T]`.
    pub(crate) fn residual(&mut self, moment: Moment) -> ArrayView1<'_, f64> {
        if self.residual.is_empty() || self.is_past(moment) {
            self.residual.clear();
            self.residual.extend(self.signal.iter());
            self.seen = 0;
        }
        for &Step { predictor, column, delta } in &self.steps[self.seen..moment] {
            let (lag, padded) = (self.i_start + column as i64, self.predictors.padded(predictor));
            let residual = ArrayViewMut1::from(&mut self.residual[..]);
            residual::step(residual, padded, &self.split.train_and_validate, delta, lag);
        }
        self.seen = moment;
        ArrayView1::from(&self.residual[..])
    }

    /// A number of the reference.
    pub(crate) fn number(&mut self, origin: Origin) -> f64 {
        self.residual(origin.moment());
        self.number_of(&self.residual, origin)
    }

    /// The same, of a residual that is the one of the number's moment.
    pub(crate) fn number_of(&self, residual: &[f64], origin: Origin) -> f64 {
        let Self { split, measure, path, .. } = *self;
        match origin {
            Origin::Train(_) => ordered::sum(path, residual, &split.train, measure),
            Origin::Validation(_) => ordered::sum(path, residual, &split.validate, measure),
            Origin::Step(_, Step { predictor, column, delta }) => {
                let (lag, padded) = (self.i_start + column as i64, self.predictors.padded(predictor));
                ordered::sum_after(path, residual, padded, &split.train, measure, (lag, delta))
            }
        }
    }

    /// The better sign of an option.
    pub(crate) fn better_sign(&mut self, moment: Moment, predictor: usize, column: usize, delta: f64) -> Better {
        let (lag, padded) = (self.i_start + column as i64, self.predictors.padded(predictor));
        let (train, measure) = (self.split.train, self.measure);
        better_sign(self.residual(moment), padded, &train, measure, delta, lag)
    }
}
