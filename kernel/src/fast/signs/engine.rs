//! A fit answered from sums of signs.

mod candidates;
mod exact;
#[cfg(test)]
mod tests;

use ndarray::ArrayView1;

use super::bound::{self, Bound};
use super::first::{self, FirstSums};
use super::kept::Kept;
use super::lanes::{self, CHUNK, Found};
use super::near::NearZero;
use super::parts::{self, Magnitudes, Part};
use super::pass;
use super::shared::{Shared, Train};
use super::sign_of;
use super::windows::{self, ALIGNMENT, Flip};
use crate::fast::replay::{Origin, Replay, Step};
use crate::fit::engine::{Choice, Engine, Figure};
use crate::fit::poll::Poll;
use crate::reference::shift::{Seen, Shift};
use crate::sweep::LagErrors;
use crate::{Error, ErrorMeasure, Lags, Split, memory};
use candidates::{Block, Candidate, Terms};

/// The l1 engine.
pub(crate) struct Signs<'s, 'a> {
    shared: &'s Shared<'a>,
    train: &'s Train,
    split: Split<'s>,
    i_start: i64,
    /// The residual, the reference's.
    residual: Vec<f64>,
    /// The residual's errors, in whatever order they were summed, and what of them no step changes.
    magnitudes: Magnitudes,
    unchanging: Magnitudes,
    /// Whether a sample is below 0. In step with `sums`.
    negative: Vec<bool>,
    /// `G`, `[n, width]`, the largest lag first.
    sums: Vec<f64>,
    /// Flips since `sums` was summed afresh.
    flips: usize,
    near: NearZero,
    /// The step size that is `near`'s.
    delta: f64,
    replay: Replay<'s>,
    /// Whether every number is wanted.
    exact: bool,
    /// Whether validation errors are computed at once, since those left open were asked for when
    /// the residual had gone on.
    settles: bool,
    room: Room,
}

/// Memory that is used in each step.
struct Room {
    /// Samples to look at, and a list of them.
    found: Kept<Found>,
    hits: Kept<u32>,
    flips: Kept<Flip>,
    scales: Vec<f64>,
    excess: Vec<f64>,
    blocks: Vec<Block>,
    candidates: Vec<Candidate>,
    errors: LagErrors,
}

/// Samples that are offered before lists grow, so that these are little longer than what stays.
const AT_ONCE: usize = 2048;

impl<'s, 'a> Signs<'s, 'a> {
    /// For one signal, whose first steps are of `delta`, with what its fits share. `None` if the split is
    /// not one that this engine takes. With `exact`, every figure is.
    pub(crate) fn new(
        shared: &'s Shared<'a>,
        (signal, first): (ArrayView1<'s, f64>, &mut FirstSums),
        lags: &Lags<'_>,
        (index, split): (usize, Split<'s>),
        delta: f64,
        exact: bool,
    ) -> Result<Option<Self>, Error> {
        let Some(train) = shared.train(index) else { return Ok(None) };
        let measure = (ErrorMeasure::L1, shared.path);
        let replay = Replay::new(signal, shared.predictors.reborrow(), lags, split.reborrow(), measure)?;
        let mut residual = memory::with_capacity(signal.len())?;
        residual.extend(signal);
        let predictors = shared.lags.len();
        let options: usize = (0..predictors).map(|predictor| shared.count(predictor)).sum();
        let (mut magnitudes, mut unchanging) = (Magnitudes::default(), Magnitudes::default());
        for Part { samples, counts, updated, .. } in &train.parts {
            let sum = pass::absolute_sum(shared.path, &residual[samples.clone()]);
            magnitudes.add(sum, *counts);
            unchanging.add(if *updated { 0.0 } else { sum }, *counts);
        }
        let mut signs = Self {
            shared,
            train,
            split,
            magnitudes,
            unchanging,
            i_start: lags.i_start(),
            sums: first.over(shared, train, &residual)?,
            residual,
            negative: memory::filled(signal.len(), false)?,
            flips: train.segments.len(), // so often sums of sums were rounded
            near: NearZero::default(),
            delta,
            replay,
            exact,
            settles: exact,
            room: Room {
                found: Kept::default(),
                hits: Kept::default(),
                flips: Kept::default(),
                blocks: memory::with_capacity(2 * options + 2)?,
                candidates: memory::with_capacity(2 * options)?,
                errors: LagErrors::default(),
                scales: memory::filled(shared.width, 0.0)?,
                excess: memory::filled(shared.width, 0.0)?,
            },
        };
        signs.look_at_all()?;
        Ok(Some(signs))
    }

    /// Goes through all training samples, but for `sums`.
    fn look_at_all(&mut self) -> Result<(), Error> {
        let Self { shared, train, residual, negative, near, .. } = self;
        near.clear(shared.limit * self.delta);
        for part in train.parts.iter().filter(|part| part.is_trained()) {
            for start in part.samples.clone().step_by(AT_ONCE) {
                let samples = start..part.samples.end.min(start + AT_ONCE);
                near.expect(samples.len())?;
                let mut offers = near.offers();
                for sample in samples {
                    let y = residual[sample];
                    negative[sample] = y < 0.0;
                    offers.offer(part.position_of(sample), y);
                }
                offers.finish();
            }
        }
        Ok(())
    }

    fn sum_afresh(&mut self) -> Result<(), Error> {
        self.look_at_all()?;
        self.sums.fill(0.0);
        self.flips = 0;
        first::add(self.shared, self.train, &self.residual, &mut self.sums);
        Ok(())
    }

    /// Takes `delta` times what the samples of a part see off the residual.
    fn take_off(&mut self, part: &Part, seen: Seen<'_>, delta: f64) -> Result<(), Error> {
        let Self { shared, residual, near, room: Room { found, .. }, .. } = self;
        found.clear();
        found.expect(part.samples.len() / CHUNK + 1)?;
        let y = &mut residual[part.samples.clone()];
        let sum = pass::update(shared.path, y, seen, delta, near.reach, part.samples.start, found);
        self.magnitudes.add(sum, part.counts);
        if part.is_trained() { self.look_at_found(part) } else { Ok(()) }
    }

    /// Looks at the samples that the pass over a part found.
    fn look_at_found(&mut self, part: &Part) -> Result<(), Error> {
        let Self { residual, negative, room: Room { found, hits, flips, .. }, near, .. } = self;
        lanes::list(found, hits)?;
        flips.expect(hits.len())?;
        near.expect(hits.len())?;
        let (mut flipping, mut offers) = (flips.offers(), near.offers());
        for &sample in hits.iter() {
            let sample = sample as usize;
            let (position, y) = (part.position_of(sample), residual[sample]);
            let is_negative = y < 0.0;
            let flipped = negative[sample] != is_negative;
            negative[sample] = is_negative;
            flipping.offer(Flip { position, weight: if is_negative { -2.0 } else { 2.0 } }, flipped);
            offers.offer(position, y);
        }
        flipping.finish();
        offers.finish();
        Ok(())
    }

    fn column(&self, predictor: usize, place: usize) -> usize {
        (self.shared.largest_lag(predictor) - place as i64 - self.i_start) as usize
    }

    /// The only candidate, if there is one.
    fn sole(&self, delta: f64) -> Option<Choice<Origin>> {
        let &[Candidate { predictor, place, sign, error, off, .. }] = &self.room.candidates[..] else { return None };
        let column = self.column(predictor, place);
        let delta = sign * delta;
        let origin = Origin::Step(self.replay.now(), Step { predictor, column, delta });
        let error = Figure::Within { low: error - off, high: error + off, origin };
        Some(Choice { predictor, column, delta, error })
    }

    /// What is known of an error of the residual.
    fn figure(&mut self, samples: usize, sum: f64, origin: Origin) -> Figure<Origin> {
        let (low, high) = bound::of_sum(samples, sum);
        match low.is_finite() && high.is_finite() {
            true => Figure::Within { low, high, origin },
            false => Figure::Exact(self.exact(origin)),
        }
    }
}

impl Engine for Signs<'_, '_> {
    type Origin = Origin;

    fn train_error(&mut self) -> Figure<Origin> {
        let mut figure = self.figure(self.train.samples, self.magnitudes.train, Origin::Train(self.replay.now()));
        if self.exact {
            figure.settle(self);
        }
        figure
    }

    fn validation_error(&mut self) -> Figure<Origin> {
        let origin = Origin::Validation(self.replay.now());
        match self.settles {
            true => Figure::Exact(self.exact(origin)),
            false => self.figure(self.train.validated, self.magnitudes.validate, origin),
        }
    }

    fn best_option(
        &mut self,
        active: &[bool],
        delta: f64,
        steps: u64,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Choice<Origin>>, Error> {
        let error = self.magnitudes.train;
        let bound = Bound::new(self.train.samples, self.flips, error);
        let largest = self.shared.sums.iter().copied().fold(0.0, f64::max);
        if !bound.is_safe(delta, largest) {
            return self.swept(active, delta, steps, poll);
        }
        if self.shared.limit * delta > self.near.reach || self.flips > 16 * self.train.samples + (1 << 16) {
            self.delta = delta;
            self.sum_afresh()?;
        }
        self.delta = delta;
        if self.collect_candidates(active, &Terms { bound, error, delta }).is_none() {
            return Ok(None);
        }
        let Some(mut choice) = self.sole(delta) else { return self.compared(delta) };
        if self.exact {
            choice.error.settle(self);
        }
        Ok(Some(choice))
    }

    fn step(&mut self, predictor: usize, column: usize, delta: f64) -> Result<(), Error> {
        let lag = self.i_start + column as i64;
        let (train, padded) = (self.train, self.shared.predictors.padded(predictor));
        self.near.clear(self.shared.limit * self.delta);
        self.room.flips.clear();
        self.magnitudes = self.unchanging;
        for segment in self.split.train_and_validate.iter() {
            for (samples, seen) in Shift::new(&segment, lag).stretches(padded) {
                let start = samples.start;
                for part in parts::within(&train.parts, samples) {
                    let seen = seen.within(part.samples.start - start..part.samples.end - start);
                    self.take_off(&part, seen, delta)?;
                }
            }
        }
        self.flips += self.room.flips.len();
        let Self { shared, sums, room: Room { flips, .. }, .. } = self;
        for (predictor, sums) in shared.of_predictors(sums) {
            windows::add_flips(shared.path, sums, shared.row(predictor), shared.largest_lag(predictor), flips);
        }
        self.replay.note(predictor, column, delta)
    }

    fn exact(&mut self, origin: Origin) -> f64 {
        if origin.moment() != self.replay.now() {
            self.settles |= matches!(origin, Origin::Validation(_));
            return self.replay.number(origin);
        }
        self.replay.number_of(&self.residual, origin)
    }
}

fn active_of(active: &[bool]) -> impl Iterator<Item = usize> {
    (0..active.len()).filter(|&predictor| active[predictor])
}
