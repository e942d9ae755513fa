//! Many filters: one fit for each signal and each split, on several threads.
//!
//! Fits are independent, so that the number of threads cannot change a bit of the result. Threads that
//! there is no fit for help inside of the others ([`team`](crate::team)), with estimates, which decide
//! the same however they are added up. Threads are started for one call and joined before it returns: a
//! pool that outlived the call would be missing in a forked child, which is where Python's
//! `multiprocessing` puts its workers.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use ndarray::{Array2, Array4, ArrayView2, Axis};

use crate::fast::{Plan, Signal};
use crate::fit::poll::{INTERVAL, Poll, Throttle, or_cancelled};
use crate::fit::{Fit, Settings, Stop, check_arguments, check_some_option};
use crate::team::Team;
use crate::threads::{Standard, Threads};
use crate::{Error, Lags, Predictors, Split, check, memory};

/// How [`boosting_runs`] goes about its fits.
#[derive(Default)]
pub struct Schedule<'a> {
    /// The most threads that are started; 0, the default, is one per processor, and never are there
    /// more than eight per processor. Where none can be started, the calling thread does the work.
    pub threads: usize,
    /// Where threads come from; [`Standard`], if it is not said.
    pub source: Option<&'a dyn Threads>,
    /// Called on the calling thread with the number of fits done and of all fits: before the first
    /// fit, after each, and several times a second in between. [`ControlFlow::Break`] cancels.
    pub progress: Option<&'a mut Progress<'a>>,
}

/// See [`Schedule::progress`].
pub type Progress<'a> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'a;

/// The filters of [`boosting_runs`].
#[derive(Clone, Debug, PartialEq)]
pub struct Runs {
    /// `[n_splits, n_y, n, L]`: the filters; all 0 where the fit failed.
    pub hs: Array4<f64>,
    /// `[n_splits, n_y]`: whether the filter of zeros predicted the validation data best.
    pub failed: Array2<bool>,
    /// `[n_splits, n_y]`: the number of entries of the history after the first.
    pub steps: Array2<i64>,
    /// `[n_splits, n_y]`: why the fit stopped.
    pub stop: Array2<Stop>,
}

/// Estimates one filter for each row of `y` (`[n_y, T]`) and each split, as
/// [`boosting_fit`](crate::boosting_fit) does.
///
/// The result is the same to the bit for any number of threads.
///
/// # Errors
///
/// Those of [`boosting_fit`](crate::boosting_fit). If several fits fail, the
/// error is that of the first, in order of `y` and then of the splits. Without a signal or a split
/// there is no fit, and so no error for want of an option.
///
/// ```
/// use ndarray::{Array, array};
/// use trfboost_kernel::{Lags, Predictors, Schedule, Segments, Settings, Split, boosting_runs};
///
/// let x = Array::from_shape_fn((1, 60), |(_, t)| f64::from(u8::from(t % 7 == 0 || t % 11 == 3)));
/// let y = Array::from_shape_fn((2, 60), |(row, t)| 0.5 * (row as f64 + 1.0) * x[[0, t]]);
/// let (pads, start, stop) = (array![0.0], array![0], array![3]);
/// let lists = [array![[0, 40]], array![[40, 60]], array![[0, 60]]];
/// let segments = |index: usize| Segments::new("split", lists[index].view(), 60);
/// let split = Split { train: segments(0)?, validate: segments(1)?, train_and_validate: segments(2)? };
///
/// let mut ticks = 0;
/// let mut progress = |done, total| {
///     ticks += 1;
///     assert!(done <= total);
///     std::ops::ControlFlow::Continue(())
/// };
/// let runs = boosting_runs(
///     y.view(),
///     &Predictors::new(x.view(), pads.view())?,
///     &Lags::new(start.view(), stop.view())?,
///     &[split],
///     &Settings::new(0.125),
///     Schedule { threads: 2, progress: Some(&mut progress), ..Schedule::default() },
/// )?;
/// assert_eq!(runs.hs.shape(), [1, 2, 1, 3]);
/// assert_eq!(runs.hs[[0, 1, 0, 0]], 1.0);
/// assert!(ticks >= 3);
/// # Ok::<(), trfboost_kernel::Error>(())
/// ```
pub fn boosting_runs(
    y: ArrayView2<'_, f64>,
    predictors: &Predictors<'_>,
    lags: &Lags<'_>,
    splits: &[Split<'_>],
    settings: &Settings,
    schedule: Schedule<'_>,
) -> Result<Runs, Error> {
    check_arguments(y.ncols(), predictors, lags, splits, settings)?;
    let read = check::samples_read(splits)?;
    check::finite_predictors(predictors, &read)?;
    check::finite_rows("y", y, &read)?;
    let results = Results::new(splits.len(), y.nrows(), lags)?;
    let total = splits.len().checked_mul(y.nrows()).ok_or(Error::OutOfMemory { bytes: u64::MAX })?;
    let mut silent = |_, _| ControlFlow::Continue(());
    let progress: &mut Progress<'_> = match schedule.progress {
        Some(progress) => progress,
        None => &mut silent,
    };
    if total == 0 {
        or_cancelled(progress(0, 0))?;
        return Ok(results.runs);
    }
    check_some_option(lags)?;

    let x = memory::contiguous_rows(predictors.x())?;
    let predictors = Predictors::new(x.view(), predictors.pads())?;
    or_cancelled(progress(0, total as u64))?;
    let source = schedule.source.unwrap_or(&Standard);
    let threads = threads(schedule.threads, source);
    let of_group = of_group(threads, y.nrows(), splits.len());
    let beside = threads.min(total / of_group);
    let team = Team::of(source, threads / beside);
    let plan = Plan::new(predictors.reborrow(), lags.reborrow(), splits, settings, team)?;
    let fits = Fits { plan, y, splits: splits.len(), of_group };
    match beside {
        1 => one_by_one(&fits, results, progress),
        beside => side_by_side((source, beside), &fits, results, progress),
    }
}

/// Threads beyond this many take turns and gain nothing. Thousands of them, where a number was meant for
/// something else, would starve each other and the thread that waits for their progress.
const MOST_PER_PROCESSOR: usize = 8;

/// The number of threads that `requested` stands for.
fn threads(requested: usize, source: &dyn Threads) -> usize {
    match requested {
        0 => source.processors(),
        1 => 1,
        _ => requested.min(MOST_PER_PROCESSOR * source.processors()),
    }
}

/// How many consecutive fits a thread takes at once: those of a signal, which share what it begins
/// with, unless there are so few signals that threads would wait for each other at the end.
fn of_group(threads: usize, signals: usize, splits: usize) -> usize {
    const SIGNALS_PER_THREAD: usize = 4;
    if threads == 1 || signals / threads >= SIGNALS_PER_THREAD { splits } else { 1 }
}

/// All fits of a call, in order of `y` and then of the splits, in groups that belong to one signal.
struct Fits<'a> {
    plan: Plan<'a>,
    y: ArrayView2<'a, f64>,
    splits: usize,
    of_group: usize,
}

impl Fits<'_> {
    fn total(&self) -> usize {
        self.y.nrows() * self.splits
    }

    fn groups(&self) -> usize {
        self.total() / self.of_group
    }

    fn group(&self, group: usize) -> Range<usize> {
        group * self.of_group..(group + 1) * self.of_group
    }

    /// The signal of a group.
    fn signal(&self, group: usize) -> Result<Signal<'_>, Error> {
        self.plan.signal(self.y.row(self.group(group).start / self.splits), self.of_group)
    }

    fn make<'b>(&'b self, signal: &mut Signal<'b>, index: usize, poll: &mut Poll<'_>) -> Result<Fit, Error> {
        self.plan.fit(signal, index % self.splits, false, poll)
    }
}

/// All fits on the calling thread, which asks for progress between steps.
fn one_by_one(fits: &Fits<'_>, mut results: Results, progress: &mut Progress<'_>) -> Result<Runs, Error> {
    let total = fits.total() as u64;
    let mut throttle = Throttle::new();
    for group in 0..fits.groups() {
        let mut signal = fits.signal(group)?;
        for index in fits.group(group) {
            let mut poll = |_steps| match throttle.is_due() {
                true => progress(index as u64, total),
                false => ControlFlow::Continue(()),
            };
            results.store(index, fits.make(&mut signal, index, &mut poll)?);
            or_cancelled(progress(index as u64 + 1, total))?;
        }
    }
    Ok(results.runs)
}

/// The fits on several threads, or on as many as there can be, while the calling thread waits for them and
/// asks for progress.
fn side_by_side(
    (source, threads): (&dyn Threads, usize),
    fits: &Fits<'_>,
    results: Results,
    progress: &mut Progress<'_>,
) -> Result<Runs, Error> {
    let (total, queue) = (fits.total(), Queue::new(fits.groups()));
    let board =
        Board { state: Mutex::new(State { results, done: 0, first_failure: None, ended: 0 }), changed: Condvar::new() };
    let mut outcome = Ok(());
    let run = source.run(threads, &|| queue.work(fits, &board), &mut |started| {
        // Whatever ends this closure, a panic in `progress` included, ends the fits first: they are waited for.
        let _stop = StopOnDrop(&queue);
        outcome = board.watch(started, total, progress);
    });
    outcome?;
    let State { results, first_failure, .. } = board.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match first_failure {
        _ if !run => one_by_one(fits, results, progress),
        Some((_, error)) => Err(error),
        None => Ok(results.runs),
    }
}

/// Where threads note what they have done. (A lock and not a channel: it needs no memory.)
struct Board {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    results: Results,
    /// How many fits are stored.
    done: u64,
    first_failure: Option<(usize, Error)>,
    /// How many threads have nothing more to do.
    ended: usize,
}

impl Board {
    fn note(&self, change: impl FnOnce(&mut State)) {
        // A thread that panicked while it held the lock is told of by whoever waits for it.
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_one();
    }

    fn store(&self, index: usize, fit: Result<Fit, Error>) {
        self.note(|state| match fit {
            Ok(fit) => {
                state.results.store(index, fit);
                state.done += 1;
            }
            Err(error) if state.first_failure.as_ref().is_none_or(|(first, _)| index < *first) => {
                state.first_failure = Some((index, error));
            }
            Err(_) => {}
        });
    }

    /// Tells of each fit that is done, and asks several times a second in between, until all threads have ended.
    fn watch(&self, threads: usize, total: usize, progress: &mut Progress<'_>) -> Result<(), Error> {
        let mut told = 0;
        loop {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let waiting = |state: &mut State| state.done == told && state.ended < threads;
            let waited = self.changed.wait_timeout_while(state, INTERVAL, waiting);
            let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            let (done, over) = (state.done, state.ended == threads);
            drop(state);
            if timeout.timed_out() {
                or_cancelled(progress(told, total as u64))?;
            }
            while told < done {
                told += 1;
                or_cancelled(progress(told, total as u64))?;
            }
            if over {
                return Ok(());
            }
        }
    }
}

/// Notes that a thread has ended, also if it panics.
struct EndOnDrop<'a>(&'a Board);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.note(|state| state.ended += 1);
    }
}

/// Which group of fits is next. Shared by the threads of one call.
struct Queue {
    next: AtomicUsize,
    /// No group from here on is begun. Falls to that of a fit that failed: the groups before it
    /// still run, since the first failure is the one to report.
    end: AtomicUsize,
    stop: AtomicBool,
}

impl Queue {
    fn new(groups: usize) -> Self {
        Self { next: AtomicUsize::new(0), end: AtomicUsize::new(groups), stop: AtomicBool::new(false) }
    }

    // Relaxed throughout: the numbers guard no other memory, the results are handed over under a lock.
    fn work(&self, fits: &Fits<'_>, board: &Board) {
        let _end = EndOnDrop(board);
        let mut poll = |_steps| match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        loop {
            let group = self.next.fetch_add(1, Ordering::Relaxed);
            if group >= self.end.load(Ordering::Relaxed) {
                return;
            }
            let mut signal = fits.signal(group);
            for index in fits.group(group) {
                let of_signal = signal.as_mut().map_err(|error| error.clone());
                let fit = of_signal.and_then(|signal| fits.make(signal, index, &mut poll));
                let failed = fit.is_err();
                if failed {
                    self.end.fetch_min(group, Ordering::Relaxed);
                }
                board.store(index, fit);
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                if failed {
                    break;
                }
            }
        }
    }
}

struct StopOnDrop<'a>(&'a Queue);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

/// Where the fits' results go.
struct Results {
    runs: Runs,
}

impl Results {
    fn new(splits: usize, signals: usize, lags: &Lags<'_>) -> Result<Self, Error> {
        let runs = Runs {
            hs: memory::array((splits, signals, lags.len(), lags.columns()), 0.0)?,
            failed: memory::array((splits, signals), false)?,
            steps: memory::array((splits, signals), 0)?,
            stop: memory::array((splits, signals), Stop::NoImprovement)?,
        };
        Ok(Self { runs })
    }

    fn store(&mut self, index: usize, fit: Fit) {
        let splits = self.runs.failed.nrows();
        let (split, signal) = (index % splits, index / splits);
        let place = [split, signal];
        self.runs.hs.index_axis_mut(Axis(0), split).index_axis_mut(Axis(0), signal).assign(&fit.h);
        self.runs.failed[place] = fit.failed();
        self.runs.steps[place] = fit.history.len() as i64 - 1;
        self.runs.stop[place] = fit.stop;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::AtMost;

    #[test]
    fn no_number_starts_more_threads_than_can_take_turns() {
        let processors = Standard.processors();
        let started = [0, 1, 3, usize::MAX].map(|requested| threads(requested, &Standard));
        assert_eq!(started, [processors, 1, 3, 8 * processors]);
    }

    #[test]
    fn threads_that_the_system_refuses_are_done_without() {
        let (x, pads) = (Array2::from_shape_fn((1, 20), |(_, t)| (t % 3) as f64), ndarray::array![0.0]);
        let y = Array2::from_shape_fn((4, 20), |(row, t)| (t % (row + 2)) as f64);
        let (start, stop, rows) = (ndarray::array![0], ndarray::array![3], ndarray::array![[0, 20]]);
        let all = crate::Segments::new("split", rows.view(), 20).unwrap();
        let splits = [Split { train: all, validate: all, train_and_validate: all }];
        let predictors = Predictors::new(x.view(), pads.view()).unwrap();
        let lags = Lags::new(start.view(), stop.view()).unwrap();
        let plan = Plan::new(predictors, lags, &splits, &Settings::new(0.1), Team::of(&Standard, 1)).unwrap();
        let fits = Fits { plan, y: y.view(), splits: 1, of_group: 1 };
        let with = |source: &dyn Threads| {
            let results = Results::new(1, 4, &lags).unwrap();
            side_by_side((source, 3), &fits, results, &mut |_, _| ControlFlow::Continue(())).unwrap()
        };
        let all_started = with(&AtMost(3));
        assert_eq!([with(&AtMost(1)), with(&AtMost(0))], [all_started.clone(), all_started]);
    }
}
