//! The reference arithmetic as an [`Engine`]: each question answered by going through the data.

use std::convert::Infallible;

use ndarray::{Array1, ArrayView1};

use super::options::better_sign;
use super::residual;
use crate::fit::engine::{Choice, Engine, Figure};
use crate::fit::poll::{Poll, or_cancelled};
use crate::{Error, ErrorMeasure, Lags, Predictors, Split, memory};

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
        for predictor in (0..active.len()).filter(|&predictor| active[predictor]) {
            or_cancelled(poll(steps))?;
            let (start, stop) = self.lags.of(predictor);
            for lag in start..stop {
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
