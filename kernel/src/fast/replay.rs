//! The residual, when it is needed.
//!
//! A fit whose decisions are made from estimates need not know its residual, only the steps that
//! led to it. Where a number has to be the reference's to the bit, the steps are replayed up to
//! the moment that it belongs to, in the reference's arithmetic.

use ndarray::{ArrayView1, ArrayViewMut1};

use crate::reference::options::{Better, better_sign};
use crate::reference::residual;
use crate::{Error, ErrorMeasure, Lags, Predictors, Split, memory};

/// A signal, the steps taken, and the residual after some of them.
pub(crate) struct Replay<'a> {
    signal: ArrayView1<'a, f64>,
    predictors: Predictors<'a>,
    split: Split<'a>,
    measure: ErrorMeasure,
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
    /// The training error of the better sign of an option.
    Option { moment: Moment, predictor: usize, column: usize, delta: f64 },
}

impl Origin {
    /// When the residual was that of the number.
    pub(crate) fn moment(self) -> Moment {
        let (Self::Train(moment) | Self::Validation(moment) | Self::Option { moment, .. }) = self;
        moment
    }
}

/// What was taken off the residual.
#[derive(Clone, Copy)]
struct Step {
    predictor: usize,
    column: usize,
    delta: f64,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(
        signal: ArrayView1<'a, f64>,
        predictors: Predictors<'a>,
        lags: &Lags<'_>,
        split: Split<'a>,
        measure: ErrorMeasure,
    ) -> Result<Self, Error> {
        let residual = memory::with_capacity(signal.len())?; // filled when it is first asked for
        Ok(Self { signal, predictors, split, measure, i_start: lags.i_start(), residual, seen: 0, steps: Vec::new() })
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
        let (Split { train, validate, .. }, measure) = (self.split, self.measure);
        match origin {
            Origin::Train(moment) => residual::sum(self.residual(moment), &train, measure),
            Origin::Validation(moment) => residual::sum(self.residual(moment), &validate, measure),
            Origin::Option { moment, predictor, column, delta } => {
                self.better_sign(moment, predictor, column, delta).error
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
