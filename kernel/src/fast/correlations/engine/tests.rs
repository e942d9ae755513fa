//! Sums made afresh in the midst of a fit.

use std::ops::ControlFlow;

use ndarray::{Array2, array};

use super::*;
use crate::Settings;
use crate::problem::Problem;
use crate::reference::engine::Reference;
use crate::team::Team;
use crate::threads::Standard;
use crate::vectors::Path;

/// Two predictors that are the same, so that no option is ever alone, and a signal that they explain but
/// for what is far smaller than what was there before, so that the bounds of then are wide.
fn explained() -> Problem {
    let samples = 120;
    let noise = |t: usize| ((t * t * 7919 + t * 104_729) % 1009) as f64 / 504.5 - 1.0;
    let before = |t: usize, lag: usize| t.checked_sub(lag).map_or(0.0, noise);
    Problem {
        y: Array2::from_shape_fn((1, samples), |(_, t)| 3.0 * noise(t) - 2.0 * before(t, 2) + before(t, 3)),
        x: Array2::from_shape_fn((2, samples), |(_, t)| noise(t)),
        pads: array![0.0, 0.0],
        start: array![0, 0],
        stop: array![5, 5],
        train: array![[0, 90]],
        validate: array![[90, 120]],
        both: array![[0, 120]],
        settings: Settings::new(0.01).error(ErrorMeasure::L2),
    }
}

/// Everything is what a signal that is this residual would begin with.
fn assert_fresh(engine: &mut Correlations<'_, '_>) {
    let residual = engine.replay.residual(engine.replay.now()).to_vec();
    let Correlations { shared, products, train, validate, .. } = engine;
    for (state, list) in [(train, &products.train), (validate, &products.validate)] {
        let mut first = FirstSums::of(&residual);
        let sums = first.over(&shared.basis, list, &mut || Ok(())).unwrap();
        let fresh = State::new(&shared.basis, list, &first, sums).unwrap().expect("the bounds hold");
        assert_eq!((&state.correlations, state.squares), (&fresh.correlations, fresh.squares));
    }
}

#[test]
fn sums_made_afresh_are_closer_and_lead_to_the_references_steps() {
    let (problem, mut poll) = (explained(), |_| ControlFlow::Continue(()));
    let (lags, split, delta, active) = (problem.lags(), problem.split(), problem.settings.delta, [true, true]);
    for path in Path::all() {
        let (y, splits, team) = (problem.y.row(0), [split.reborrow()], Team::of(&Standard, 1));
        let shared = || Shared::new(problem.predictors(), &lags, &splits, &problem.settings, team);
        let shared = path.as_widest(shared).unwrap().expect("the bounds hold");
        let mut first = shared.first_sums(y, 1).unwrap();
        let split = || (0, split.reborrow());
        let engine = Correlations::new(&shared, y, &mut first, &lags, split(), false, &mut poll);
        let mut engine = engine.unwrap().expect("the bounds hold");
        let mut reference =
            Reference::new(y, problem.predictors(), problem.lags(), split().1, ErrorMeasure::L2).unwrap();
        let mut afresh = 0;
        for step in 0..700 {
            let (vain, off) = (engine.vain, engine.train.drift.correlation);
            let mut found = engine.best_option(&active, delta, step, &mut poll).unwrap().expect("an option");
            if engine.vain < vain {
                assert!(engine.train.drift.correlation < off, "{path:?}, step {step}");
                assert_fresh(&mut engine);
                afresh += 1;
            }
            let expected = reference.best_option(&active, delta, step, &mut poll).unwrap().expect("an option");
            let number = found.error.settle(&mut engine);
            assert_eq!(Some(number), expected.error.number(), "{path:?}, step {step}");
            let place = (expected.predictor, expected.column, expected.delta);
            assert_eq!((found.predictor, found.column, found.delta), place, "{path:?}, step {step}");
            engine.step(place.0, place.1, place.2).unwrap();
            reference.step(place.0, place.1, place.2).unwrap();
        }
        assert!(afresh > 0, "{path:?}");
    }
}
