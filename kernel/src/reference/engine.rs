//! The reference arithmetic as an [`Engine`]: each question answered by going through the data.

use std::convert::Infallible;

use ndarray::{Array1, ArrayView1};

use super::options::better_sign;
use super::residual;
use crate::fit::engine::{Choice, Engine, Figure};
use crate::fit::poll::{Poll, or_cancelled};
use crate::{Error, ErrorMeasure, Lags, Predictors, Split, memory};

/// How many samples are summed, some milliseconds long, before the caller is asked again.
const SAMPLES_BETWEEN_POLLS: usize = 1 << 20;

/// Holds the residual itself, `[T]`.
pub(crate) struct Reference<'a> {
    residual: Array1<f64>,
    predictors: Predictors<'a>,
    lags: Lags<'a>,
    split: Split<'a>,
    error: ErrorMeasure,
}

impl<'a> Reference<'a> {
    pub(crate) fn new(
        y: ArrayView1<'_, f64>,
        predictors: Predictors<'a>,
        lags: Lags<'a>,
        split: Split<'a>,
        error: ErrorMeasure,
    ) -> Result<Self, Error> {
        let mut residual = memory::array(y.raw_dim(), 0.0)?;
        residual.assign(&y);
        Ok(Self { residual, predictors, lags, split, error })
    }
}

impl Engine for Reference<'_> {
    /// Every number is computed at once.
    type Origin = Infallible;

    fn train_error(&mut self) -> Figure<Infallible> {
        Figure::Exact(residual::sum(self.residual.view(), &self.split.train, self.error))
    }

    fn validation_error(&mut self) -> Figure<Infallible> {
        Figure::Exact(residual::sum(self.residual.view(), &self.split.validate, self.error))
    }

    fn best_option(
        &mut self,
        active: &[bool],
        delta: f64,
        steps: u64,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Choice<Infallible>>, Error> {
        let mut best = None;
        let mut smallest = f64::INFINITY;
        let samples: usize = self.split.train.iter().map(|segment| segment.len()).sum();
        let lags_between_polls = (SAMPLES_BETWEEN_POLLS / samples.max(1)).max(1);
        for predictor in (0..active.len()).filter(|&predictor| active[predictor]) {
            let (start, stop) = self.lags.of(predictor);
            for (count, lag) in (start..stop).enumerate() {
                if count % lags_between_polls == 0 {
                    or_cancelled(poll(steps))?;
                }
                let padded = self.predictors.padded(predictor);
                let better = better_sign(self.residual.view(), padded, &self.split.train, self.error, delta, lag);
                if better.error < smallest {
                    smallest = better.error;
                    let column = (lag - self.lags.i_start()) as usize; // i_start is the smallest lag
                    let delta = delta * f64::from(better.sign);
                    best = Some(Choice { predictor, column, delta, error: Figure::Exact(smallest) });
                }
            }
        }
        Ok(best)
    }

    fn step(&mut self, predictor: usize, column: usize, delta: f64) -> Result<(), Error> {
        let lag = self.lags.i_start() + column as i64;
        let padded = self.predictors.padded(predictor);
        residual::step(self.residual.view_mut(), padded, &self.split.train_and_validate, delta, lag);
        Ok(())
    }

    fn exact(&mut self, origin: Infallible) -> f64 {
        match origin {}
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use ndarray::{Array1, Array2, array};

    use super::*;
    use crate::Segments;

    #[test]
    fn a_sweep_asks_after_some_lags_whether_to_go_on() {
        const SAMPLES: usize = SAMPLES_BETWEEN_POLLS / 4;
        let (x, y, pads) = (Array2::ones((1, SAMPLES)), Array1::ones(SAMPLES), array![0.0]);
        let (start, stop, rows) = (array![0], array![10], array![[0, SAMPLES as i64]]);
        let segments = Segments::new("split", rows.view(), SAMPLES).unwrap();
        let split = Split { train: segments, validate: segments, train_and_validate: segments };
        let predictors = Predictors::new(x.view(), pads.view()).unwrap();
        let lags = Lags::new(start.view(), stop.view()).unwrap();
        let mut engine = Reference::new(y.view(), predictors, lags, split, ErrorMeasure::L2).unwrap();
        let mut polls = 0;
        let mut go_on = |_| {
            polls += 1;
            ControlFlow::Continue(())
        };
        assert!(engine.best_option(&[true], 0.5, 0, &mut go_on).unwrap().is_some());
        assert_eq!(polls, 3, "before the first, the fifth and the ninth lag");
        let mut answers = [ControlFlow::Continue(()), ControlFlow::Break(())].into_iter();
        let cancelled = engine.best_option(&[true], 0.5, 0, &mut |_| answers.next().expect("no third question"));
        assert_eq!(cancelled, Err(Error::Cancelled));
    }
}
