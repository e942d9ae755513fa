//! Whole fits against their definition: on problems at the edges, in any layout, on any number of threads.

mod definition;
mod kinds;

#[path = "../hostile/mod.rs"]
mod hostile;
#[path = "../laid_out/mod.rs"]
mod laid_out;
#[path = "../problem/mod.rs"]
mod problem;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use definition::{End, Entry, MOST_STEPS};
use hostile::Random;
use laid_out::{LAYOUTS, problem_laid_out};
use problem::{Problem, cases, problems};
use proptest::prelude::*;
use trfboost_kernel::{Error, Fit, Schedule, boosting_fit, boosting_runs};

fn bits<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Vec<u64> {
    // Which NaN it is, is the machine's affair.
    numbers.into_iter().map(|number| if number.is_nan() { u64::MAX } else { number.to_bits() }).collect()
}

fn entries(fit: &Fit) -> Vec<Entry> {
    fit.history.iter().map(|e| (e.i_step, e.i_stim, e.i_time, e.delta, e.e_test, e.e_train)).collect()
}

fn entry_bits(history: &[Entry]) -> Vec<(i64, i64, i64, Vec<u64>)> {
    history.iter().map(|&(step, row, column, a, b, c)| (step, row, column, bits(&[a, b, c]))).collect()
}

/// A fit by the library, which is cancelled where the definition gives up.
fn found(problem: &Problem, signal: usize) -> Result<Fit, Error> {
    let mut progress = |steps| if steps < MOST_STEPS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let y = problem.y.row(signal);
    boosting_fit(y, &problem.predictors(), &problem.lags(), &problem.split(), &problem.settings, Some(&mut progress))
}

/// `longer` is what the definition says if it goes on for longer.
fn assert_same(found: &Result<Fit, Error>, expected: &End, longer: impl FnOnce() -> End, told: &str) {
    match (found, expected) {
        (Ok(fit), End::Fit { h, history, stop, best }) => {
            assert_eq!(entry_bits(&entries(fit)), entry_bits(history), "{told}");
            assert_eq!((fit.stop, fit.best_step.map_or(-1, |step| step as i64)), (*stop, *best), "{told}");
            assert_eq!(bits(&fit.h), bits(h), "{told}");
        }
        (Err(Error::NoFiniteError { step }), End::NoFiniteError(expected)) => assert_eq!(step, expected, "{told}"),
        (Err(Error::TooManySteps { .. }), End::Endless { nothing: true }) => {}
        (Err(Error::Cancelled), End::Endless { nothing: false }) => {}
        // It is asked now and then only, and may have come to its end before.
        (Ok(fit), End::Endless { .. })
            if fit.history.last().is_some_and(|entry| entry.i_step >= MOST_STEPS as i64 - 1) => {}
        (Err(Error::NoFiniteError { step }), End::Endless { .. }) if *step >= MOST_STEPS => {}
        (Err(Error::TooManySteps { .. }), End::Endless { .. })
            if matches!(longer(), End::Endless { nothing: true }) => {}
        _ => panic!("{told}: {:.2000}, expected {:.2000}", format!("{found:?}"), format!("{expected:?}")),
    }
}

/// Filters, failures, numbers of steps and ends of the runs are those of the fits.
fn assert_runs(problem: &Problem, threads: usize, expected: &[End], told: &str) {
    let schedule = Schedule { threads, ..Schedule::default() };
    let (splits, settings) = ([problem.split()], &problem.settings);
    let runs = boosting_runs(problem.y.view(), &problem.predictors(), &problem.lags(), &splits, settings, schedule);
    if let Some(first) = expected.iter().find_map(|end| match end {
        End::NoFiniteError(step) => Some(*step),
        _ => None,
    }) {
        assert_eq!(runs.unwrap_err(), Error::NoFiniteError { step: first }, "{told}");
        return;
    }
    let runs = runs.unwrap();
    for (signal, end) in expected.iter().enumerate() {
        let End::Fit { h, history, stop, best } = end else { panic!("{told}: {end:?}") };
        let filter = runs.hs.index_axis(ndarray::Axis(0), 0);
        assert_eq!(bits(filter.index_axis(ndarray::Axis(0), signal)), bits(h), "{told}");
        assert_eq!(runs.failed[[0, signal]], *best == -1, "{told}");
        assert_eq!(runs.steps[[0, signal]], history.len() as i64 - 1, "{told}");
        assert_eq!(runs.stop[[0, signal]], *stop, "{told}");
    }
}

#[test]
fn problems_at_the_edges_have_the_bits_of_the_definition_in_any_layout_on_any_threads() {
    let (mut fits, mut ends) = (0_u64, BTreeMap::<String, u64>::new());
    let seeds = hostile::seeds(300);
    for seed in seeds.clone() {
        let problem = hostile::problem(seed);
        let mut random = Random::new(seed ^ 0xffff);
        let layout = random.one_of(&LAYOUTS);
        let laid_out = if random.one_in(2) { problem_laid_out(&problem, layout) } else { problem.clone() };
        let expected: Vec<_> =
            (0..problem.y.nrows()).map(|signal| definition::fit(&problem, signal, MOST_STEPS)).collect();
        for (signal, expected) in expected.iter().enumerate() {
            let told = format!("TRFBOOST_SEED={seed}, signal {signal}, {layout:?}");
            let longer = || definition::fit(&problem, signal, 100 * MOST_STEPS);
            assert_same(&found(&laid_out, signal), expected, longer, &told);
            let end = match expected {
                End::Fit { stop, best, .. } => format!("{stop:?}{}", if *best == -1 { ", failed" } else { "" }),
                End::NoFiniteError(_) => "NoFiniteError".to_owned(),
                End::Endless { nothing: true } => "nothing, again and again".to_owned(),
                End::Endless { nothing: false } => format!("given up after {MOST_STEPS} steps"),
            };
            *ends.entry(end).or_default() += 1;
            fits += 1;
        }
        if !expected.iter().any(|end| matches!(end, End::Endless { .. })) {
            let threads = random.within(1..9) as usize;
            assert_runs(&laid_out, threads, &expected, &format!("TRFBOOST_SEED={seed}, {threads} threads"));
        }
    }
    println!("fits held against the definition, seeds {seeds:?}: {fits}");
    println!("ends: {ends:?}");
    assert!(seeds.end - seeds.start < 300 || ends.len() >= 9, "{ends:?}");
}

proptest! {
    #![proptest_config(cases(128))]
    #[test]
    fn problems_like_recordings_have_the_bits_of_the_definition(problem in problems()) {
        let expected: Vec<_> = (0..problem.y.nrows()).map(|signal| definition::fit(&problem, signal, MOST_STEPS)).collect();
        for (signal, expected) in expected.iter().enumerate() {
            let longer = || definition::fit(&problem, signal, 100 * MOST_STEPS);
            assert_same(&found(&problem, signal), expected, longer, "");
        }
        if !expected.iter().any(|end| matches!(end, End::Endless { .. })) {
            assert_runs(&problem, 2, &expected, "");
        }
    }
}
