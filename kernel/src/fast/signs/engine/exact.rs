//! Options in the reference's arithmetic, where estimates do not decide.

use ndarray::ArrayView1;

use super::{Room, Signs, active_of};
use crate::fast::best::Best;
use crate::fast::replay::Origin;
use crate::fit::engine::Choice;
use crate::fit::poll::{Poll, or_cancelled};
use crate::reference::options::{Better, better_sign};
use crate::sweep;
use crate::{Error, ErrorMeasure};

impl Signs<'_, '_> {
    /// The best of the candidates by the reference's arithmetic.
    pub(super) fn compared(&mut self, delta: f64) -> Result<Option<Choice<Origin>>, Error> {
        const SWEEP: usize = 8; // of so many lags, a sweep of all is cheaper
        let mut candidates = std::mem::take(&mut self.room.candidates);
        let mut best = Best::default();
        candidates.sort_unstable_by_key(|candidate| (candidate.predictor, usize::MAX - candidate.place));
        candidates.dedup_by_key(|candidate| (candidate.predictor, candidate.place));
        for of_predictor in candidates.chunk_by(|a, b| a.predictor == b.predictor) {
            let predictor = of_predictor[0].predictor;
            if of_predictor.len() >= SWEEP {
                self.sweep(predictor, delta, &mut best)?;
                continue;
            }
            for candidate in of_predictor {
                let column = self.column(predictor, candidate.place);
                best.offer(predictor, column, delta, self.better_sign(predictor, column, delta));
            }
        }
        self.room.candidates = candidates;
        Ok(best.into_choice())
    }

    /// All options by the reference's arithmetic.
    pub(super) fn swept(
        &mut self,
        active: &[bool],
        delta: f64,
        steps: u64,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Choice<Origin>>, Error> {
        let mut best = Best::default();
        for predictor in active_of(active) {
            or_cancelled(poll(steps))?;
            self.sweep(predictor, delta, &mut best)?;
        }
        Ok(best.into_choice())
    }

    fn sweep(&mut self, predictor: usize, delta: f64, best: &mut Best) -> Result<(), Error> {
        let Self { shared, residual, split, i_start, room: Room { errors, .. }, .. } = self;
        let y_error = ArrayView1::from(&residual[..]);
        let terms = sweep::Terms { y_error, segments: split.train.reborrow(), error: ErrorMeasure::L1, delta };
        let lags = &shared.lags[predictor];
        errors.compute(shared.path, &terms, shared.predictors.padded(predictor), (lags.start, lags.end))?;
        let first = (lags.start - *i_start) as usize;
        (first..).zip(errors.better()).for_each(|(column, better)| best.offer(predictor, column, delta, better));
        Ok(())
    }

    pub(super) fn better_sign(&self, predictor: usize, column: usize, delta: f64) -> Better {
        let (residual, lag) = (ArrayView1::from(&self.residual[..]), self.i_start + column as i64);
        better_sign(residual, self.shared.predictors.padded(predictor), &self.split.train, ErrorMeasure::L1, delta, lag)
    }
}
