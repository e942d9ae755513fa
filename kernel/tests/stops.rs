//! Why a fit stops: for each reason the smallest data that lead to it, with the history they leave.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ndarray::{Array2, array};
use trfboost_kernel::{Error, ErrorMeasure, Fit, Lags, Predictors, Segments, Settings, Split, Stop, boosting_fit};

/// A fit of one predictor that is 1 at both samples, with one lag: `train` is the signal at the
/// sample for training, `validate` at the sample for validation.
fn fit(train: f64, validate: f64, settings: &Settings) -> Result<Fit, Error> {
    watched(train, validate, settings, None)
}

/// [`fit`], with a progress function.
fn watched(
    train: f64,
    validate: f64,
    settings: &Settings,
    progress: Option<&mut dyn FnMut(u64) -> ControlFlow<()>>,
) -> Result<Fit, Error> {
    let (x, pads) = (array![[1.0, 1.0]], array![0.0]);
    let (start, stop) = (array![0], array![1]);
    let rows: [Array2<i64>; 3] = [array![[0, 1]], array![[1, 2]], array![[0, 1], [1, 2]]];
    let segments = |index: usize| Segments::new("split", rows[index].view(), 2);
    let split = Split { train: segments(0)?, validate: segments(1)?, train_and_validate: segments(2)? };
    let lags = Lags::new(start.view(), stop.view())?;
    let y = array![train, validate];
    boosting_fit(y.view(), &Predictors::new(x.view(), pads.view())?, &lags, &split, settings, progress)
}

/// The steps of an entry: when, and by how much.
fn steps(fit: &Fit) -> Vec<(i64, f64)> {
    fit.history.iter().map(|entry| (entry.i_step, entry.delta)).collect()
}

#[test]
fn a_step_that_would_take_back_the_last_one_stops_the_fit() {
    // 0.25 - 0.5 and back again are as good as each other.
    let fit = fit(0.25, 0.25, &Settings::new(0.5)).unwrap();
    assert_eq!(fit.stop, Stop::Circles);
    assert_eq!(steps(&fit), [(-1, 0.0), (0, 0.5), (1, 0.0)]);
    assert_eq!((fit.history[2].i_stim, fit.history[2].i_time), (0, 0));
    assert!(fit.history[2].e_test.is_nan(), "the error after the last entry was never asked for");
    // No step made the validation error smaller.
    assert_eq!((fit.best_step, fit.h[[0, 0]]), (None, 0.0));
}

#[test]
fn delta_is_halved_down_to_mindelta_before_the_fit_gives_up() {
    let fit = fit(0.7, 0.7, &Settings::new(0.5).mindelta(0.25)).unwrap();
    // 0.5 leaves 0.2, which 0.5 would make larger; 0.25 leaves -0.05; 0.125 is too small a step.
    assert_eq!(fit.stop, Stop::NoImprovement);
    assert_eq!(steps(&fit), [(-1, 0.0), (0, 0.5), (1, 0.0), (2, 0.25), (3, 0.0)]);
    assert_eq!((fit.best_step, fit.h[[0, 0]]), (Some(2), 0.75));
    // A halving has no option; the entry with which the fit gives up keeps the one that it refused.
    let option = |index: usize| (fit.history[index].i_stim, fit.history[index].i_time);
    assert_eq!([option(2), option(4)], [(-1, -1), (0, 0)]);
}

#[test]
fn a_validation_error_that_rises_stops_the_fit_after_step_ten() {
    let fit = fit(100.0, -100.0, &Settings::new(0.5)).unwrap();
    assert_eq!(fit.stop, Stop::TestErrorRises);
    assert_eq!(fit.history.len(), 12, "the first entry and the steps 0 to 10");
    assert_eq!((fit.best_step, fit.h[[0, 0]]), (None, 0.0));
}

#[test]
fn selective_stopping_ends_with_the_last_predictor() {
    for limit in 1..=3 {
        let fit = fit(100.0, -100.0, &Settings::new(0.5).selective_stopping(limit)).unwrap();
        assert_eq!(fit.stop, Stop::NoPredictorLeft);
        // The predictor is switched off in its second bad step at the earliest: judging begins at step 2.
        assert_eq!(fit.history.len(), 1 + limit.max(2));
    }
}

#[test]
fn the_filter_is_that_of_the_best_validation_error() {
    // Training asks for 100, validation for 3: the steps after the sixth are undone.
    let fit = fit(100.0, 3.0, &Settings::new(0.5).error(ErrorMeasure::L2)).unwrap();
    assert_eq!((fit.stop, fit.best_step, fit.h[[0, 0]]), (Stop::TestErrorRises, Some(5), 3.0));
}

#[test]
fn options_that_all_overflow_are_an_error() {
    let found = fit(1e200, 0.0, &Settings::new(0.5).error(ErrorMeasure::L2));
    assert_eq!(found, Err(Error::NoFiniteError { step: 0 }));
}

#[test]
fn a_fit_asks_for_progress_no_more_often_than_fifty_times_a_second() {
    // Thousands of steps in a few milliseconds. A slow machine has time to ask more often.
    let (mut calls, begin) = (0, Instant::now());
    let mut progress = |_| {
        calls += 1;
        ControlFlow::Continue(())
    };
    let fit = watched(100.0, 100.0, &Settings::new(0.015625), Some(&mut progress)).unwrap();
    assert_eq!(fit.best_step, Some(6399));
    assert!(Duration::from_millis(20) * calls <= begin.elapsed(), "{calls} calls");
}
