//! Many fits on several threads: same bits, progress on the calling thread, and ends that leave
//! nothing behind.

mod problem;

use std::ops::ControlFlow;
use std::thread;

use ndarray::{Array, Array2, Axis, array};
use problem::{cases, problems};
use proptest::prelude::*;
use trfboost_kernel::{
    Error, ErrorMeasure, Lags, Predictors, Runs, Schedule, Segments, Settings, Split, boosting_fit, boosting_runs,
};

proptest! {
    #![proptest_config(cases(48))]
    #[test]
    fn the_number_of_threads_changes_no_bit(problem in problems()) {
        let (predictors, lags) = (problem.predictors(), problem.lags());
        let splits = [problem.split(), Split { train: problem.split().validate, ..problem.split() }];
        let run = |threads| {
            let schedule = Schedule { threads, ..Schedule::default() };
            boosting_runs(problem.y.view(), &predictors, &lags, &splits, &problem.settings, schedule)
        };
        let expected = run(1);
        for threads in [0, 2, 3, 4, 5, 6, 7, 8] {
            prop_assert_eq!(&run(threads), &expected, "{} threads", threads);
        }
        let Ok(runs) = expected else { return Ok(()) };
        for (split, signal) in ndarray::indices(runs.failed.raw_dim()) {
            let y = problem.y.row(signal);
            let fit = boosting_fit(y, &predictors, &lags, &splits[split], &problem.settings, None).unwrap();
            prop_assert_eq!(fit.failed(), runs.failed[[split, signal]]);
            prop_assert_eq!(fit.history.len() as i64 - 1, runs.steps[[split, signal]]);
            prop_assert_eq!(fit.stop, runs.stop[[split, signal]]);
            let of_split = runs.hs.index_axis(Axis(0), split);
            prop_assert_eq!(fit.h, of_split.index_axis(Axis(0), signal));
        }
    }
}

/// Runs on `signals` noisy signals, each of which takes a good many steps.
fn run(signals: usize, delta: f64, schedule: Schedule<'_>) -> Result<Runs, Error> {
    let noise = |row: usize, t: usize| ((row * 7919 + t * 104_729 + t * t * 31) % 1000) as f64 / 500.0 - 1.0;
    let x = Array::from_shape_fn((3, 300), |(row, t)| noise(row, t));
    let y = Array::from_shape_fn((signals, 300), |(row, t)| noise(row + 10, t) + x[[row % 3, t]]);
    let (pads, start, stop) = (array![0.0, 0.0, 0.0], array![0, 0, 0], array![9, 9, 9]);
    let lists = [array![[0, 200]], array![[200, 300]], array![[0, 300]]];
    let segments = |index: usize| Segments::new("split", lists[index].view(), 300);
    let split = Split { train: segments(0)?, validate: segments(1)?, train_and_validate: segments(2)? };
    let predictors = Predictors::new(x.view(), pads.view())?;
    let settings = Settings::new(delta).error(ErrorMeasure::L2);
    boosting_runs(y.view(), &predictors, &Lags::new(start.view(), stop.view())?, &[split], &settings, schedule)
}

#[test]
fn progress_is_told_before_the_first_fit_and_after_each_on_the_calling_thread() {
    for threads in [1, 2, 5] {
        let (mut calls, caller) = (Vec::new(), thread::current().id());
        let mut progress = |done, total| {
            assert_eq!(thread::current().id(), caller);
            calls.push((done, total));
            ControlFlow::Continue(())
        };
        run(4, 0.02, Schedule { threads, progress: Some(&mut progress), ..Schedule::default() }).unwrap();
        calls.dedup();
        let expected: Vec<(u64, u64)> = (0..=4).map(|done| (done, 4)).collect();
        assert_eq!(calls, expected, "{threads} threads");
    }
}

#[test]
fn progress_can_cancel_at_any_call() {
    for threads in [1, 3] {
        for last in 0..4 {
            let mut calls = 0;
            let mut progress = |_, _| {
                calls += 1;
                if calls > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let cancelled = run(3, 0.02, Schedule { threads, progress: Some(&mut progress), ..Schedule::default() });
            assert_eq!(cancelled, Err(Error::Cancelled), "{threads} threads, call {last}");
            assert_eq!(calls, last + 1, "no call after the one that cancelled");
        }
    }
}

#[test]
fn a_long_fit_is_cancelled_between_its_steps() {
    // At this step size a single fit would take minutes.
    for threads in [1, 2] {
        let mut calls = 0;
        let mut progress = |done, _| {
            assert_eq!(done, 0);
            calls += 1;
            if calls > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let cancelled = run(2, 1e-7, Schedule { threads, progress: Some(&mut progress), ..Schedule::default() });
        assert_eq!(cancelled, Err(Error::Cancelled));
    }
}

#[test]
fn the_first_failure_is_the_one_reported() {
    // Signal 1 overflows at once, signal 3 as well; the others are fine.
    let x = Array2::from_elem((1, 8), 1.0);
    let y = Array::from_shape_fn((4, 8), |(row, t)| if row % 2 == 1 { 1e200 } else { t as f64 });
    let (pads, start, stop) = (array![0.0], array![0], array![1]);
    let rows = array![[0, 8]];
    let all = Segments::new("split", rows.view(), 8).unwrap();
    let split = Split { train: all, validate: all, train_and_validate: all };
    let (predictors, lags) =
        (Predictors::new(x.view(), pads.view()).unwrap(), Lags::new(start.view(), stop.view()).unwrap());
    let settings = Settings::new(0.1).error(ErrorMeasure::L2);
    for threads in [1, 4] {
        let schedule = Schedule { threads, ..Schedule::default() };
        let failed = boosting_runs(y.view(), &predictors, &lags, &[split], &settings, schedule);
        assert_eq!(failed, Err(Error::NoFiniteError { step: 0 }), "{threads} threads");
    }
}

/// Long enough for several parts of everything that is divided inside of a fit.
#[test]
fn threads_that_help_inside_of_one_fit_change_no_bit() {
    const SAMPLES: usize = 9000;
    let noise =
        |row: usize, t: usize| ((row * 7919 + t * 104_729 + t * t * 31 + t * t % 977) % 1009) as f64 / 504.0 - 1.0;
    let x = Array::from_shape_fn((5, SAMPLES), |(row, t)| noise(row, t));
    let y =
        Array::from_shape_fn((1, SAMPLES), |(_, t)| noise(9, t) + 0.5 * x[[1, t.saturating_sub(4)]] - 0.2 * x[[3, t]]);
    let (pads, start, stop) = (Array::from_elem(5, 0.5), Array::from_elem(5, -4), Array::from_elem(5, 20));
    let lists = [array![[0, 3000], [3000, 7000]], array![[7000, 9000]], array![[0, 3000], [3000, 9000]]];
    let segments = |index: usize| Segments::new("split", lists[index].view(), SAMPLES).unwrap();
    let split = Split { train: segments(0), validate: segments(1), train_and_validate: segments(2) };
    let (predictors, lags) =
        (Predictors::new(x.view(), pads.view()).unwrap(), Lags::new(start.view(), stop.view()).unwrap());
    for error in [ErrorMeasure::L1, ErrorMeasure::L2] {
        let settings = Settings::new(0.02).mindelta(0.005).error(error);
        let alone = boosting_fit(y.row(0), &predictors, &lags, &split, &settings, None).unwrap();
        assert!(alone.history.len() > 20 && !alone.failed());
        for threads in 1..=8 {
            let schedule = Schedule { threads, ..Schedule::default() };
            let runs = boosting_runs(y.view(), &predictors, &lags, &[split], &settings, schedule).unwrap();
            let bits = |h: &mut dyn Iterator<Item = &f64>| h.map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&mut runs.hs.iter()), bits(&mut alone.h.iter()), "{error:?} {threads} threads");
            assert_eq!(runs.steps[[0, 0]], alone.history.len() as i64 - 1);
        }
    }
}
