//! The state machine of a fit.
//!
//! It holds the filter, the history and the rules; it never looks at the data, but asks the
//! [`Engine`]. So there is one of it, and an engine that answers faster cannot change what a fit
//! does. The rules, their order and their strictness are Eelbrain's.

use ndarray::Array2;

use super::engine::{Choice, Engine, Figure};
use super::poll::{Poll, or_cancelled};
use super::selective::{self, Judged};
use super::steps::Steps;
use super::{Entry, Fit, Settings, Stop};
use crate::{Error, memory};

/// Eelbrain's limit. A fit that gets here has a step that is too small for its data.
const MAX_STEPS: u64 = 999_999;

/// `i_step`, `i_stim` and `i_time` of an entry that has none.
const NONE: i64 = -1;

/// Runs a fit to its end.
///
/// Errors that the engine left open, and no decision needed, are NaN in the history.
pub(crate) fn descend<E: Engine>(
    engine: &mut E,
    steps: &Steps<'_>,
    settings: &Settings,
    poll: &mut Poll<'_>,
) -> Result<Fit, Error> {
    let mut descent = Descent::new(engine, steps, settings)?;
    for step in 0..MAX_STEPS {
        or_cancelled(poll(step))?;
        let stop = match descent.validate(step)? {
            Some(stop) => Some(stop),
            None => descent.advance(step, poll)?,
        };
        if let Some(stop) = stop {
            return descent.finish(stop);
        }
    }
    Err(too_many_steps(settings))
}

fn too_many_steps(settings: &Settings) -> Error {
    Error::TooManySteps { delta: settings.delta, steps: MAX_STEPS }
}

struct Descent<'a, 'b, E: Engine> {
    engine: &'a mut E,
    steps: &'a Steps<'b>,
    settings: &'a Settings,
    h: Array2<f64>,
    /// Never empty: the first entry is not undone.
    history: Vec<Record<E::Origin>>,
    active: Vec<bool>,
    /// The present step size.
    delta: f64,
    /// The smallest validation error so far, and the `i_step` of its entry.
    best: (Figure<E::Origin>, i64),
}

/// An entry of the history, and what is known of its errors: those in `entry` itself are NaN.
struct Record<O> {
    entry: Entry,
    e_test: Figure<O>,
    e_train: Figure<O>,
}

impl<O: Copy> Record<O> {
    fn new(i_step: i64, place: Option<(usize, usize)>, delta: f64, e_train: Figure<O>) -> Self {
        let (i_stim, i_time) = place.map_or((NONE, NONE), |(predictor, column)| (predictor as i64, column as i64));
        let entry = Entry { i_step, i_stim, i_time, delta, e_test: f64::NAN, e_train: f64::NAN };
        Self { entry, e_test: Figure::Exact(f64::NAN), e_train }
    }

    fn into_entry(self) -> Entry {
        let or_nan = |figure: Figure<O>| figure.number().unwrap_or(f64::NAN);
        Entry { e_test: or_nan(self.e_test), e_train: or_nan(self.e_train), ..self.entry }
    }
}

impl<'a, 'b, E: Engine> Descent<'a, 'b, E> {
    fn new(engine: &'a mut E, steps: &'a Steps<'b>, settings: &'a Settings) -> Result<Self, Error> {
        let h = memory::array((steps.lags().len(), steps.lags().columns()), 0.0)?;
        let active = memory::filled(steps.lags().len(), true)?;
        let mut history = Vec::new();
        memory::push(&mut history, Record::new(NONE, None, 0.0, engine.train_error()))?;
        let best = (Figure::Exact(f64::INFINITY), NONE);
        Ok(Self { engine, steps, settings, h, history, active, delta: settings.delta, best })
    }

    /// Judges the last entry by the validation data: remembers it as the best, or has it stop the
    /// fit, or switch its predictor off, or none of these.
    fn validate(&mut self, step: u64) -> Result<Option<Stop>, Error> {
        let last = self.history.len() - 1;
        let record = &mut self.history[last];
        record.e_test = self.engine.validation_error();
        if below(self.engine, &mut record.e_test, &mut self.best.0) {
            self.best = (record.e_test, record.entry.i_step);
            return Ok(None);
        }
        if step < 2 || !self.rose(last, last.checked_sub(1)) {
            return Ok(None);
        }
        match self.settings.selective_stopping {
            0 => Ok((step > 10 && self.rose(last, last.checked_sub(2))).then_some(Stop::TestErrorRises)),
            limit => selective::first_to_undo(self, limit).map_or(Ok(None), |first| self.switch_off(first)),
        }
    }

    /// Whether the validation error of one entry is above that of another, which may not exist.
    fn rose(&mut self, index: usize, from: Option<usize>) -> bool {
        from.is_some_and(|from| self.is_above(index, from))
    }

    /// Switches the last entry's predictor off and undoes the entries from `first` on; stops if no
    /// predictor is left.
    fn switch_off(&mut self, first: usize) -> Result<Option<Stop>, Error> {
        if let Some((predictor, _)) = self.history.last().and_then(|record| record.entry.moved()) {
            self.active[predictor] = false;
        }
        if !self.active.contains(&true) {
            return Ok(Some(Stop::NoPredictorLeft));
        }
        for record in self.history.drain(first..).rev() {
            if let Some((predictor, column)) = record.entry.moved() {
                self.h[[predictor, column]] -= record.entry.delta;
                self.engine.step(predictor, column, -record.entry.delta)?;
            }
        }
        Ok(None)
    }

    /// Makes the best step, or halves `delta` if it improves nothing.
    fn advance(&mut self, step: u64, poll: &mut Poll<'_>) -> Result<Option<Stop>, Error> {
        let best = self.engine.best_option(&self.active, self.delta, step, poll)?;
        let Choice { predictor, column, delta, mut error } = best.ok_or(Error::NoFiniteError { step })?;
        let last = self.history.len() - 1;
        let place = Some((predictor, column));
        let record = |place, delta, error| Record::new(step as i64, place, delta, error);

        if above(self.engine, &mut error, &mut self.history[last].e_train) {
            self.delta *= 0.5;
            let gives_up = self.delta < self.settings.mindelta;
            memory::push(&mut self.history, record(place.filter(|_| gives_up), 0.0, error))?;
            return Ok(gives_up.then_some(Stop::NoImprovement));
        }
        if self.history[last].entry.is_opposite(place, delta) {
            memory::push(&mut self.history, record(place, 0.0, error))?;
            return Ok(Some(Stop::Circles));
        }
        if self.repeats_nothing((predictor, column), delta, &error) {
            return Err(too_many_steps(self.settings));
        }
        memory::push(&mut self.history, record(place, delta, error))?;
        self.h[[predictor, column]] += delta;
        self.engine.step(predictor, column, delta)?;
        Ok(None)
    }

    /// Whether the last step is to be taken again, with the error that it had, and changed nothing: so it will
    /// be up to the limit. For the errors stay what they are; so no validation error is above the one before it,
    /// and no predictor is switched off; and the best option is this one each time, with an error that is not
    /// above the last, and not the opposite of itself.
    fn repeats_nothing(&self, place: (usize, usize), delta: f64, error: &Figure<E::Origin>) -> bool {
        let Record { entry, e_train, .. } = &self.history[self.history.len() - 1];
        let repeats = entry.moved() == Some(place) && entry.delta == delta && e_train.above(error) != Some(true);
        // Last, since it looks at the data.
        repeats && !self.steps.matters(place.0, place.1, delta)
    }

    /// Takes the steps after the best one off the filter.
    fn finish(mut self, stop: Stop) -> Result<Fit, Error> {
        let best_step = u64::try_from(self.best.1).ok();
        if best_step.is_none() {
            self.h.fill(0.0);
        }
        let mut history = memory::with_capacity(self.history.len())?;
        history.extend(self.history.into_iter().map(Record::into_entry));
        let after_best = |entry: &&Entry| best_step.is_some() && entry.i_step > self.best.1;
        for entry in history.iter().rev().take_while(after_best) {
            if let Some(place) = entry.moved() {
                self.h[place] -= entry.delta;
            }
        }
        Ok(Fit { h: self.h, history, stop, best_step })
    }
}

impl<E: Engine> Judged for Descent<'_, '_, E> {
    fn len(&self) -> usize {
        self.history.len()
    }

    fn moved(&self, index: usize) -> Option<(usize, usize)> {
        self.history[index].entry.moved()
    }

    fn is_above(&mut self, index: usize, other: usize) -> bool {
        let pair = self.history.get_disjoint_mut([index, other]);
        pair.is_ok_and(|[one, other]| above(self.engine, &mut one.e_test, &mut other.e_test))
    }
}

/// Whether an error is above an older one. Settles both where what is known of them does not tell.
fn above<E: Engine>(engine: &mut E, error: &mut Figure<E::Origin>, older: &mut Figure<E::Origin>) -> bool {
    error.above(older).unwrap_or_else(|| {
        // The older one first: the residual has to pass there on its way.
        let older = older.settle(engine);
        error.settle(engine) > older
    })
}

/// Whether an error is below an older one, likewise.
fn below<E: Engine>(engine: &mut E, error: &mut Figure<E::Origin>, older: &mut Figure<E::Origin>) -> bool {
    older.above(error).unwrap_or_else(|| {
        let older = older.settle(engine);
        older > error.settle(engine)
    })
}
