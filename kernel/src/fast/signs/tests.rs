//! The engine against the reference, to the bit, on every instruction set.

use std::ops::ControlFlow;

use ndarray::{Array1, Array2, array, concatenate};
use proptest::prelude::*;

use super::{Shared, Signs};
use crate::fast::tests::bits;
use crate::fit::descent::descend;
use crate::fit::steps::Steps;
use crate::problem::{Problem, cases, problems};
use crate::reference::engine::Reference;
use crate::vectors::Path;
use crate::{Error, ErrorMeasure, Fit, Settings};

fn by_reference(problem: &Problem) -> Result<Fit, Error> {
    let (lags, split) = (problem.lags(), problem.split());
    let mut engine = Reference::new(problem.y.row(0), problem.predictors(), lags, split, ErrorMeasure::L1)?;
    let steps = Steps::new(problem.predictors(), lags, split);
    descend(&mut engine, &steps, &problem.settings, &mut |_| ControlFlow::Continue(()))
}

/// `None` if the engine does not take the problem.
fn by_signs(path: Path, problem: &Problem, history: bool) -> Option<Result<Fit, Error>> {
    let (lags, split, delta) = (problem.lags(), problem.split(), problem.settings.delta);
    let shared = Shared::on(path, problem.predictors(), &lags, &[split]).unwrap()?;
    let mut first = shared.first_sums(1).unwrap();
    let mut engine = Signs::new(&shared, (problem.y.row(0), &mut first), &lags, (0, split), delta, history).unwrap()?;
    let steps = Steps::new(problem.predictors(), lags, split);
    Some(descend(&mut engine, &steps, &problem.settings, &mut |_| ControlFlow::Continue(())))
}

/// Whether the engine took the problem; then it gave the reference's bits.
fn taken(problem: &Problem) -> bool {
    let expected = by_reference(problem);
    for path in Path::all() {
        for history in [true, false] {
            let Some(found) = by_signs(path, problem, history) else { return false };
            match (&found, &expected) {
                (Ok(found), Ok(expected)) => assert_eq!(bits(found, history), bits(expected, history), "{path:?}"),
                _ => assert_eq!(found.err(), expected.clone().err(), "{path:?}"),
            }
        }
    }
    true
}

fn l1(problem: Problem) -> Problem {
    Problem { settings: Settings { error: ErrorMeasure::L1, ..problem.settings }, ..problem }
}

/// Numbers between -1 and 1 that look random, rounded to multiples of `grid` (0: not at all).
fn noise(seed: u64, samples: usize, grid: f64) -> Array1<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    Array1::from_shape_simple_fn(samples, || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let value = (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        if grid > 0.0 { (value / grid).round() * grid } else { value }
    })
}

/// Two predictors at the lags -3 to 8, a signal that follows them, three quarters to train on.
fn problem(samples: usize, grid: f64, delta: f64) -> Problem {
    let x = ndarray::stack![ndarray::Axis(0), noise(1, samples, grid), noise(2, samples, grid)];
    let late = Array1::from_shape_fn(samples, |t| if t < 4 { 0.0 } else { 0.5 * x[[0, t - 4]] - 0.25 * x[[1, t - 2]] });
    let cut = samples as i64 * 3 / 4;
    let (train, validate) = (array![[0, cut]], array![[cut, samples as i64]]);
    Problem {
        y: (late + 0.5 * noise(3, samples, grid)).insert_axis(ndarray::Axis(0)),
        x,
        pads: array![0.0, 0.125],
        start: array![-3, 0],
        stop: array![9, 5],
        both: concatenate![ndarray::Axis(0), train, validate],
        train,
        validate,
        settings: Settings::new(delta),
    }
}

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn random_problems_have_the_bits_of_the_reference(problem in problems()) {
        prop_assert!(taken(&l1(problem)));
    }
}

#[test]
fn longer_problems_of_every_grid_and_step_have_the_bits_of_the_reference() {
    for grid in [0.0, 0.5, 0.0625] {
        for delta in [0.002, 0.0625, 0.4] {
            let problem = problem(700, grid, delta);
            assert!(taken(&problem), "grid {grid}, delta {delta}");
            let settings = problem.settings.mindelta(delta / 16.0);
            assert!(taken(&Problem { settings, ..problem.clone() }), "grid {grid}, delta {delta}, halved");
            for limit in [1, 3] {
                let settings = settings.selective_stopping(limit);
                assert!(
                    taken(&Problem { settings, ..problem.clone() }),
                    "grid {grid}, delta {delta}, selective {limit}"
                );
            }
        }
    }
}

#[test]
fn duplicate_predictors_tie_and_the_first_is_chosen() {
    for (factor, grid) in [(1.0, 0.0), (-1.0, 0.0), (1.0, 0.25)] {
        let mut problem = problem(400, grid, 0.01);
        let first = problem.x.row(0).to_owned();
        problem.x.row_mut(1).assign(&(first * factor));
        problem.pads.fill(0.0);
        (problem.start, problem.stop) = (array![0, 0], array![9, 9]);
        assert!(taken(&problem));
    }
}

#[test]
fn impulses_have_the_bits_of_the_reference() {
    let mut problem = problem(900, 0.0, 0.01);
    let keep_each = |problem: &mut Problem, nth: usize| {
        problem.x.iter_mut().enumerate().filter(|(index, _)| index % nth > 0).for_each(|(_, x)| *x = 0.0);
    };
    keep_each(&mut problem, 53);
    assert!(taken(&problem));
    keep_each(&mut problem, 601);
    problem.x.mapv_inplace(|x| x * 30.0);
    assert!(taken(&problem));
}

#[test]
fn scales_far_from_one_have_the_bits_of_the_reference() {
    for (scale, of_x) in [(1e150, 1.0), (1e-150, 1.0), (1e-305, 1e-3), (1e300, 1e-5), (1.0, 1e8)] {
        let mut problem = problem(300, 0.0, 0.02);
        problem.y.mapv_inplace(|y| y * scale);
        problem.x.mapv_inplace(|x| x * of_x);
        problem.pads.mapv_inplace(|pad| pad * of_x);
        let delta = (0.02 * scale / of_x).max(1e-310);
        problem.settings = Settings::new(delta).mindelta(delta / 4.0);
        assert!(taken(&problem), "y of {scale}, x of {of_x}");
    }
}

#[test]
fn offsets_and_outliers_have_the_bits_of_the_reference() {
    let mut problem = problem(500, 0.0, 0.01);
    let (settings, offset) = (problem.settings, 1e6);
    problem.y += offset;
    problem.settings = Settings::new(1e5);
    assert!(taken(&problem));
    problem.y -= offset;
    problem.settings = settings;
    problem.x[[0, 100]] = 1e5;
    problem.x[[1, 200]] = -300.0;
    assert!(taken(&problem));
}

#[test]
fn predictors_of_very_different_scale_have_the_bits_of_the_reference() {
    let mut problem = problem(500, 0.0, 0.01);
    problem.x.row_mut(1).mapv_inplace(|x| x * 1000.0);
    assert!(taken(&problem));
}

#[test]
fn many_short_segments_have_the_bits_of_the_reference() {
    let mut problem = problem(600, 0.0, 0.01);
    let segments = |range: std::ops::Range<i64>| -> Array2<i64> {
        let rows: Vec<_> = range.step_by(25).flat_map(|start| [start, start + 25 - start % 3]).collect();
        Array2::from_shape_vec((rows.len() / 2, 2), rows).unwrap()
    };
    (problem.train, problem.validate) = (segments(0..450), segments(450..600));
    problem.both = concatenate![ndarray::Axis(0), problem.validate, problem.train];
    assert!(taken(&problem));
}

#[test]
fn long_segments_share_the_recording_across_splits() {
    let problem = problem(600, 0.0, 0.02);
    let cuts = [(0, 60), (60, 200), (200, 201), (540, 600)];
    let splits: Vec<Problem> = cuts
        .into_iter()
        .map(|(start, stop)| Problem {
            train: array![[stop, 600], [0, start]],
            validate: array![[start, stop]],
            both: array![[0, 600]],
            ..problem.clone()
        })
        .collect();
    let (lags, views) = (problem.lags(), splits.iter().map(Problem::split).collect::<Vec<_>>());
    let shared = Shared::new(problem.predictors(), &lags, &views).unwrap().unwrap();
    let mut first = shared.first_sums(splits.len()).unwrap();
    for (index, split) in splits.iter().enumerate() {
        let (signal, delta) = (split.y.row(0), split.settings.delta);
        let mut engine =
            Signs::new(&shared, (signal, &mut first), &lags, (index, views[index]), delta, true).unwrap().unwrap();
        let steps = Steps::new(problem.predictors(), lags, views[index]);
        let found = descend(&mut engine, &steps, &split.settings, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(bits(&found, true), bits(&by_reference(split).unwrap(), true), "split {index}");
    }
}

#[test]
fn samples_that_are_trained_on_but_not_updated_once_are_left_to_the_reference() {
    let problem = problem(300, 0.0, 0.02);
    for train in [array![[0, 150], [100, 225]], array![[0, 225], [7, 9]]] {
        assert!(!taken(&Problem { train, ..problem.clone() }));
    }
    for both in [array![[0, 200]], array![[0, 225], [200, 300]]] {
        assert!(!taken(&Problem { both, ..problem.clone() }));
    }
}

#[test]
fn layouts_that_grow_beyond_measure_are_left_to_the_reference() {
    let problem = problem(300, 0.0, 0.02);
    assert!(!taken(&Problem { stop: array![5000, 5], ..problem }));
}
