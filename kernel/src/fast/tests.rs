//! Each engine against the reference: same filters, same histories, same ends, to the bit.

use std::ops::ControlFlow;

use ndarray::{Array1, Array2, array};
use proptest::prelude::*;

use super::Plan;
use super::correlations::{Correlations, Shared};
use crate::fit::descent::descend;
use crate::fit::steps::Steps;
use crate::problem::{Problem, cases, problems};
use crate::reference::engine::Reference;
use crate::team::Team;
use crate::threads::Standard;
use crate::vectors::Path;
use crate::{Error, ErrorMeasure, Fit, Settings};

/// What a fit came to, as bits, so that NaN equals itself.
pub(super) fn bits(fit: &Fit, history: bool) -> Vec<u64> {
    let mut bits: Vec<u64> = fit.h.iter().map(|value| value.to_bits()).collect();
    bits.extend([fit.stop as u64, fit.best_step.map_or(u64::MAX, |step| step)]);
    for entry in &fit.history {
        bits.extend([entry.i_step, entry.i_stim, entry.i_time].map(|number| number as u64));
        bits.push(entry.delta.to_bits());
        if history {
            bits.extend([entry.e_test.to_bits(), entry.e_train.to_bits()]);
        }
    }
    bits
}

/// More than there are processors, perhaps.
fn team() -> Team<'static> {
    Team::of(&Standard, 3)
}

/// A step that is lost in rounding ties with doing nothing, a million times.
fn give_up(steps: u64) -> ControlFlow<()> {
    if steps < 300 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

pub(super) fn by_reference(problem: &Problem) -> Result<Fit, Error> {
    let (predictors, lags, split) = (problem.predictors(), problem.lags(), problem.split());
    let mut engine = Reference::new(problem.y.row(0), predictors, lags, split, problem.settings.error)?;
    descend(&mut engine, &Steps::new(predictors, lags, split), &problem.settings, &mut give_up)
}

/// `None` if the engine does not take the problem. With room for `budget` bytes of products.
fn by_correlations(problem: &Problem, history: bool, budget: usize) -> Option<Result<Fit, Error>> {
    let (lags, split) = (problem.lags(), problem.split());
    let shared =
        Shared::with_budget(problem.predictors(), &lags, &[split], &problem.settings, team(), budget).unwrap()?;
    let y = problem.y.row(0);
    let mut first = shared.first_sums(y, 1).unwrap();
    let mut engine = Correlations::new(&shared, y, &mut first, &lags, (0, split), history, &mut give_up).unwrap()?;
    let steps = Steps::new(problem.predictors(), lags, split);
    Some(descend(&mut engine, &steps, &problem.settings, &mut give_up))
}

/// By whichever engine a call would choose.
pub(super) fn by_plan(problem: &Problem, history: bool) -> Result<Fit, Error> {
    let splits = [problem.split()];
    let plan = Plan::new(problem.predictors(), problem.lags(), &splits, &problem.settings, team()).unwrap();
    plan.fit(&mut plan.signal(problem.y.row(0), 1).unwrap(), 0, history, &mut give_up)
}

fn assert_equal(found: Result<Fit, Error>, expected: &Result<Fit, Error>, history: bool) -> Result<(), TestCaseError> {
    match (&found, expected) {
        (Ok(found), Ok(expected)) => prop_assert_eq!(bits(found, history), bits(expected, history)),
        (Err(found), Err(expected)) => prop_assert_eq!(found, expected),
        _ => prop_assert!(false, "{:?} against {:?}", found, expected),
    }
    Ok(())
}

/// The engine takes the problem, and answers as the reference does, on every instruction set, whether
/// its history is wanted or not and whether products are kept or not.
fn assert_correlations(problem: &Problem) -> Result<(), TestCaseError> {
    let expected = by_reference(problem);
    let kept = [(true, usize::MAX), (false, usize::MAX), (false, 0), (true, 1000)];
    for (path, (history, budget)) in Path::all().into_iter().flat_map(|path| kept.map(|kept| (path, kept))) {
        let found = path.as_widest(|| by_correlations(problem, history, budget));
        prop_assert!(found.is_some(), "not taken");
        assert_equal(found.expect("taken"), &expected, history)?;
    }
    Ok(())
}

fn with_l2(problem: Problem) -> Problem {
    Problem { settings: Settings { error: ErrorMeasure::L2, ..problem.settings }, ..problem }
}

proptest! {
    #![proptest_config(cases(64))]
    #[test]
    fn correlations_give_the_references_bits(problem in problems()) {
        assert_correlations(&with_l2(problem))?;
    }

    /// As for a recording that is cut into pieces for cross-validation only: segments that touch
    /// are padded apart when errors are summed, but updated as one.
    #[test]
    fn so_they_do_where_segments_are_updated_as_one(problem in problems()) {
        let both = array![[0, problem.samples() as i64]];
        assert_correlations(&with_l2(Problem { both, ..problem }))?;
    }

    /// Options that are the same to the bit, so that none is ever alone.
    #[test]
    fn so_they_do_where_predictors_are_copies_of_each_other(problem in problems()) {
        let mut problem = with_l2(problem);
        let first = problem.x.row(0).to_owned();
        problem.x.outer_iter_mut().for_each(|mut row| row.assign(&first));
        let (pad, start, stop) = (problem.pads[0], problem.start[0], problem.stop[0]);
        problem.pads.fill(pad);
        problem.start.fill(start);
        problem.stop.fill(stop);
        assert_correlations(&problem)?;
    }

    #[test]
    fn so_they_do_where_numbers_hide_behind_an_offset(problem in problems(), offset in prop_oneof![Just(1e4), Just(1e9)]) {
        let mut problem = with_l2(problem);
        problem.x.row_mut(0).mapv_inplace(|x| x + offset);
        problem.y.mapv_inplace(|y| y - offset);
        assert_correlations(&problem)?;
    }

    #[test]
    fn so_they_do_for_a_segment_twice_and_segments_shorter_than_the_lags(problem in problems()) {
        let mut problem = with_l2(problem);
        let samples = problem.samples() as i64;
        problem.train = array![[0, 18], [18, 20], [24, 25], [0, 18], [26, 29]];
        problem.both = array![[26, 30], [0, 20], [24, 25], [30, samples]];
        problem.validate = array![[30, samples], [24, 25]];
        assert_correlations(&problem)?;
    }

    /// Whoever answers, at any scale: also where no bound holds, and where everything overflows.
    #[test]
    fn a_call_gives_the_references_bits_at_any_scale(
        problem in problems(),
        scales in prop::array::uniform2(prop_oneof![Just(1.0), Just(1e60), Just(1e-60), Just(1e150), Just(1e-150), Just(1e-310)]),
    ) {
        let mut problem = problem;
        problem.y.mapv_inplace(|y| y * scales[0]);
        problem.x.row_mut(0).mapv_inplace(|x| x * scales[1]);
        let expected = by_reference(&problem);
        for history in [true, false] {
            assert_equal(by_plan(&problem, history), &expected, history)?;
        }
    }
}

/// Segments long enough, and predictors enough, for products by way of spectra.
#[test]
fn a_fit_with_products_by_spectra_has_the_references_bits_on_every_instruction_set() {
    let noise = |seed: usize, t: usize| ((t * t * 7919 + t * 104_729 + seed * 31_337) % 10_007) as f64 / 5003.5 - 1.0;
    let (samples, count) = (2000, 8);
    let x = Array2::from_shape_fn((count, samples), |(row, t)| noise(row, t));
    let y = Array2::from_shape_fn((1, samples), |(_, t)| {
        (0..count).map(|row| t.checked_sub(row).map_or(0.0, |t| 0.1 * x[[row, t]])).sum::<f64>() + noise(9, t)
    });
    let (pads, start, stop) = (Array1::zeros(count), Array1::from_elem(count, -3), Array1::from_elem(count, 17));
    let (train, validate) = (array![[0, 700], [700, 1400]], array![[1400, 2000]]);
    let both = array![[0, 700], [700, 2000]];
    let settings = Settings::new(0.02).error(ErrorMeasure::L2);
    let problem = Problem { y, x, pads, start, stop, train, validate, both, settings };
    let (lags, split) = (problem.lags(), problem.split());
    let shared = Shared::new(problem.predictors(), &lags, &[split], &settings, team()).unwrap();
    assert!(shared.expect("taken").has_spectra(0));
    assert_correlations(&problem).unwrap();
}
