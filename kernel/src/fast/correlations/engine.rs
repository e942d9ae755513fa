//! A fit answered from estimates.

use ndarray::ArrayView1;

use super::first::FirstSums;
use super::section::List;
use super::shared::{Products, Shared};
use super::state::State;
use crate::fast::best::Best;
use crate::fast::replay::{Origin, Replay, Step};
use crate::fit::engine::{Choice, Engine, Figure};
use crate::fit::poll::{Poll, or_cancelled};
use crate::team::Ask;
use crate::{Error, ErrorMeasure, Lags, Split, memory};

/// The l2 engine.
pub(crate) struct Correlations<'s, 'a> {
    shared: &'s Shared<'a>,
    products: &'s Products,
    train: State<'s>,
    validate: State<'s>,
    replay: Replay<'s>,
    /// Which options exist: those of the lags of each predictor.
    exists: Vec<bool>,
    /// `delta² q` for each option, infinite for those that may not be chosen.
    costs: Costs,
    /// Whether every number is computed at once: because it is wanted, or because one that was left
    /// open had to be computed after the residual had gone on, which began again. If that happened
    /// at each step, a fit would take the square of its steps.
    exact: bool,
    /// How many options were computed in vain since everything was last summed afresh.
    vain: usize,
    candidates: Vec<usize>,
    scratch: Vec<f64>,
}

/// What the costs were computed for.
struct Costs {
    values: Vec<f64>,
    delta: f64,
    active: Vec<bool>,
}

impl<'s, 'a> Correlations<'s, 'a> {
    /// For one signal, of which `first` are the first sums. `None` if the bounds do not hold for it. With
    /// `exact`, every figure is.
    pub(crate) fn new(
        shared: &'s Shared<'a>,
        signal: ArrayView1<'s, f64>,
        first: &mut FirstSums<'_>,
        lags: &Lags<'_>,
        split: (usize, Split<'s>),
        exact: bool,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Self>, Error> {
        let mut ask = || or_cancelled(poll(0));
        let basis = &shared.basis;
        let Some(products) = shared.of_split(split.0) else { return Ok(None) };
        let [over_train, over_validate] = products.first_sums(basis, first, &mut ask)?;
        let Some(train) = State::new(basis, &products.train, first, over_train)? else { return Ok(None) };
        let Some(validate) = State::new(basis, &products.validate, first, over_validate)? else { return Ok(None) };
        let replay = Replay::new(signal, basis.predictors.reborrow(), lags, split.1, (ErrorMeasure::L2, basis.path))?;
        let exists = |index| {
            let (predictor, column) = basis.option(index);
            let (start, stop) = lags.of(predictor);
            (start..stop).contains(&(lags.i_start() + column as i64))
        };
        Ok(Some(Self {
            exists: memory::collected((0..basis.options()).map(exists))?,
            costs: Costs { values: Vec::new(), delta: 0.0, active: Vec::new() },
            shared,
            products,
            train,
            validate,
            replay,
            exact,
            vain: 0,
            candidates: memory::with_capacity(basis.options())?,
            scratch: Vec::new(),
        }))
    }

    fn list(&self) -> &'s List {
        &self.products.train
    }

    /// How far the estimate of an option's error is off, as compared with another option's.
    fn off(&self, predictor: usize, delta: f64) -> f64 {
        self.train.drift.option(self.list().precision, delta, self.list().norms[predictor])
    }

    fn update_costs(&mut self, active: &[bool], delta: f64) -> Result<(), Error> {
        if self.costs.delta == delta && self.costs.active == active {
            return Ok(());
        }
        let (basis, squares) = (&self.shared.basis, &self.list().squares);
        let cost = |(index, square): (usize, &f64)| {
            let chosen = self.exists[index] && active[basis.option(index).0];
            if chosen { delta * delta * square } else { f64::INFINITY }
        };
        let values = memory::collected(squares.iter().enumerate().map(cost))?;
        self.costs = Costs { values, delta, active: memory::collected(active.iter().copied())? };
        Ok(())
    }

    fn gain(&self, index: usize, delta: f64) -> f64 {
        2.0 * delta * self.train.correlations[index].abs() - self.costs.values[index]
    }

    /// Collects the options that may be the best: all whose error may be below every error that
    /// another is sure not to exceed.
    fn collect_candidates(&mut self, active: &[bool], delta: f64) -> Result<(), Error> {
        self.update_costs(active, delta)?;
        let correlations = self.train.correlations.iter().zip(&self.costs.values);
        let gains = correlations.map(|(correlation, cost)| 2.0 * delta * correlation.abs() - cost);
        let largest = gains.clone().fold(f64::NEG_INFINITY, f64::max);
        let predictors = (0..active.len()).filter(|&predictor| active[predictor]);
        let off = predictors.map(|predictor| self.off(predictor, delta)).fold(0.0, f64::max);
        // First with the same bound for all options, then with each one's own.
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let near = gains.enumerate().filter(|&(_, gain)| gain > f64::NEG_INFINITY && gain >= largest - 2.0 * off);
        candidates.extend(near.map(|(index, _)| index));
        if candidates.len() > 1 {
            let range = |index: usize| {
                let (gain, off) = (self.gain(index, delta), self.off(self.shared.basis.option(index).0, delta));
                (gain - off, gain + off)
            };
            let sure = candidates.iter().map(|&index| range(index).0).fold(f64::NEG_INFINITY, f64::max);
            candidates.retain(|&index| range(index).1 >= sure);
        }
        self.candidates = candidates;
        Ok(())
    }

    /// The only candidate, if there is one and its sign is known.
    fn sole(&self, delta: f64) -> Option<Choice<Origin>> {
        let &[index] = &self.candidates[..] else { return None };
        let (predictor, column) = self.shared.basis.option(index);
        let (off, correlation) = (self.off(predictor, delta), self.train.correlations[index]);
        // The errors of the two signs differ by 4 delta c.
        if 2.0 * delta * correlation.abs() <= off {
            return None;
        }
        let (error, off) = (self.train.squares - self.gain(index, delta), off + self.train.drift.squares);
        let delta = delta * correlation.signum();
        let origin = Origin::Step(self.replay.now(), Step { predictor, column, delta });
        let error = Figure::Within { low: error - off, high: error + off, origin };
        Some(Choice { predictor, column, delta, error })
    }

    /// The best of the candidates by the reference's arithmetic.
    fn compared(&mut self, delta: f64, ask: &mut Ask<'_>) -> Result<Option<Choice<Origin>>, Error> {
        let places = self.candidates.iter().map(|&index| self.shared.basis.option(index));
        let mut places = memory::collected(places)?;
        places.sort_unstable(); // row order: the first of those that tie is the best
        let mut best = Best::default();
        for (predictor, column) in places {
            ask()?;
            let better = self.replay.better_sign(self.replay.now(), predictor, column, delta);
            best.offer(predictor, column, delta, better);
        }
        Ok(best.into_choice())
    }

    /// Sums everything afresh, if options were computed in vain because too much was carried along.
    fn refresh(&mut self, ask: &mut Ask<'_>) -> Result<bool, Error> {
        self.vain += self.candidates.len().saturating_sub(1);
        let precision = self.list().precision;
        let fresh = super::bound::Drift::fresh(precision, self.train.drift.norm);
        // About what the sums cost, in options.
        if self.vain < 16 || self.train.drift.correlation < 8.0 * fresh.correlation {
            return Ok(false);
        }
        self.vain = 0;
        let Self { train, validate, replay, shared, .. } = self;
        let residual = replay.residual(replay.now());
        let mut sums = FirstSums::of(residual.to_slice().expect("the residual is contiguous"));
        Ok(train.refresh(&shared.basis, &mut sums, ask)? && validate.refresh(&shared.basis, &mut sums, ask)?)
    }
}

impl Engine for Correlations<'_, '_> {
    type Origin = Origin;

    fn train_error(&mut self) -> Figure<Origin> {
        let (low, high) = self.train.error();
        let mut figure = Figure::Within { low, high, origin: Origin::Train(self.replay.now()) };
        if self.exact {
            figure.settle(self);
        }
        figure
    }

    fn validation_error(&mut self) -> Figure<Origin> {
        let (low, high) = self.validate.error();
        let mut figure = Figure::Within { low, high, origin: Origin::Validation(self.replay.now()) };
        if self.exact {
            figure.settle(self);
        }
        figure
    }

    fn best_option(
        &mut self,
        active: &[bool],
        delta: f64,
        steps: u64,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Choice<Origin>>, Error> {
        let mut ask = || or_cancelled(poll(steps));
        self.collect_candidates(active, delta)?;
        if self.candidates.len() > 1 && self.refresh(&mut ask)? {
            self.collect_candidates(active, delta)?;
        }
        let choice = match self.sole(delta) {
            Some(mut choice) => {
                if self.exact {
                    choice.error.settle(self);
                }
                Some(choice)
            }
            None => self.compared(delta, &mut ask)?,
        };
        if let Some(choice) = &choice {
            self.shared.prepare(self.products, choice.predictor, &mut ask)?;
        }
        Ok(choice)
    }

    fn step(&mut self, predictor: usize, column: usize, delta: f64) -> Result<(), Error> {
        let Self { shared, products, train, validate, scratch, .. } = self;
        let option = (predictor, column);
        let both = shared.column(products, option, scratch)?;
        let (over_train, over_validate) = both.split_at(shared.basis.options());
        train.step(&shared.basis, option, delta, over_train);
        validate.step(&shared.basis, option, delta, over_validate);
        self.replay.note(predictor, column, delta)
    }

    fn exact(&mut self, origin: Origin) -> f64 {
        self.exact |= self.replay.is_past(origin.moment());
        self.replay.number(origin)
    }
}

#[cfg(test)]
mod tests;
