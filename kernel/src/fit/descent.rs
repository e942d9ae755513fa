//! The state machine of a fit.
//!
//! It holds the filter, the history and the rules; it never looks at the data, but asks the
//! [`Engine`]. So there is one of it, and an engine that answers faster cannot change what a fit
//! does. The rules, their order and their strictness are Eelbrain's.

use ndarray::Array2;

use super::engine::{Choice, Engine};
use super::poll::{Poll, or_cancelled};
use super::{Entry, Fit, Settings, Stop, selective};
use crate::{Error, Lags, memory};

/// Eelbrain's limit. A fit that gets here has a step that is too small for its data.
const MAX_STEPS: u64 = 999_999;

/// `i_step`, `i_stim` and `i_time` of an entry that has none.
const NONE: i64 = -1;

/// Runs a fit to its end.
pub(crate) fn descend<E: Engine>(
    engine: &mut E,
    lags: &Lags<'_>,
    settings: &Settings,
    poll: &mut Poll<'_>,
) -> Result<Fit, Error> {
    let mut descent = Descent::new(engine, lags, settings)?;
    for step in 0..MAX_STEPS {
        or_cancelled(poll(step))?;
        let stop = match descent.validate(step) {
            Some(stop) => Some(stop),
            None => descent.advance(step, poll)?,
        };
        if let Some(stop) = stop {
            return Ok(descent.finish(stop));
        }
    }
    Err(Error::TooManySteps { delta: settings.delta, steps: MAX_STEPS })
}

struct Descent<'a, E> {
    engine: &'a mut E,
    settings: &'a Settings,
    h: Array2<f64>,
    /// Never empty: the first entry is not undone.
    history: Vec<Entry>,
    active: Vec<bool>,
    /// The present step size.
    delta: f64,
    /// The smallest validation error so far, and the `i_step` of its entry.
    best: (f64, i64),
}

impl<'a, E: Engine> Descent<'a, E> {
    fn new(engine: &'a mut E, lags: &Lags<'_>, settings: &'a Settings) -> Result<Self, Error> {
        let h = memory::array((lags.len(), lags.columns()), 0.0)?;
        let active = memory::filled(lags.len(), true)?;
        let mut history = Vec::new();
        let (delta, e_test, e_train) = (0.0, f64::NAN, engine.train_error());
        memory::push(&mut history, Entry { i_step: NONE, i_stim: NONE, i_time: NONE, delta, e_test, e_train })?;
        Ok(Self { engine, settings, h, history, active, delta: settings.delta, best: (f64::INFINITY, NONE) })
    }

    /// Judges the last entry by the validation data: remembers it as the best, or has it stop the
    /// fit, or switch its predictor off, or none of these.
    fn validate(&mut self, step: u64) -> Option<Stop> {
        let e_test = self.engine.validation_error();
        let last = self.history.len() - 1;
        self.history[last].e_test = e_test;
        if e_test < self.best.0 {
            self.best = (e_test, self.history[last].i_step);
            return None;
        }
        let above = |back: usize| last.checked_sub(back).is_some_and(|index| e_test > self.history[index].e_test);
        if step < 2 || !above(1) {
            return None;
        }
        match self.settings.selective_stopping {
            0 => (step > 10 && above(2)).then_some(Stop::TestErrorRises),
            limit => selective::first_to_undo(&self.history, limit).and_then(|first| self.switch_off(first)),
        }
    }

    /// Switches the last entry's predictor off and undoes the entries from `first` on; stops if no
    /// predictor is left.
    fn switch_off(&mut self, first: usize) -> Option<Stop> {
        if let Some((predictor, _)) = self.history.last().and_then(Entry::moved) {
            self.active[predictor] = false;
        }
        if !self.active.contains(&true) {
            return Some(Stop::NoPredictorLeft);
        }
        for entry in self.history.drain(first..).rev() {
            if let Some((predictor, column)) = entry.moved() {
                self.h[[predictor, column]] -= entry.delta;
                self.engine.step(predictor, column, -entry.delta);
            }
        }
        None
    }

    /// Makes the best step, or halves `delta` if it improves nothing.
    fn advance(&mut self, step: u64, poll: &mut Poll<'_>) -> Result<Option<Stop>, Error> {
        let best = self.engine.best_option(&self.active, self.delta, step, poll)?;
        let choice = best.ok_or(Error::NoFiniteError { step })?;
        let last = self.history[self.history.len() - 1];
        let (i_stim, i_time) = (choice.predictor as i64, choice.column as i64);
        let entry = Entry { i_step: step as i64, i_stim, i_time, delta: 0.0, e_test: f64::NAN, e_train: choice.error };

        if choice.error > last.e_train {
            self.delta *= 0.5;
            let gives_up = self.delta < self.settings.mindelta;
            let entry = if gives_up { entry } else { Entry { i_stim: NONE, i_time: NONE, ..entry } };
            memory::push(&mut self.history, entry)?;
            return Ok(gives_up.then_some(Stop::NoImprovement));
        }
        if (choice.delta, i_stim, i_time) == (-last.delta, last.i_stim, last.i_time) {
            memory::push(&mut self.history, entry)?;
            return Ok(Some(Stop::Circles));
        }
        memory::push(&mut self.history, Entry { delta: choice.delta, ..entry })?;
        self.make(choice);
        Ok(None)
    }

    fn make(&mut self, Choice { predictor, column, delta, .. }: Choice) {
        self.h[[predictor, column]] += delta;
        self.engine.step(predictor, column, delta);
    }

    /// Takes the steps after the best one off the filter.
    fn finish(mut self, stop: Stop) -> Fit {
        let best_step = u64::try_from(self.best.1).ok();
        if best_step.is_none() {
            self.h.fill(0.0);
        }
        let after_best = |entry: &&Entry| best_step.is_some() && entry.i_step > self.best.1;
        for entry in self.history.iter().rev().take_while(after_best) {
            if let Some(place) = entry.moved() {
                self.h[place] -= entry.delta;
            }
        }
        Fit { h: self.h, history: self.history, stop, best_step }
    }
}
