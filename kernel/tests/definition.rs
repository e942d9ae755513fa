//! The functions of a step against their definitions, written down once more from the definition
//! of the shifted predictor: sample by sample, with none of the code under test.

mod problem;

use std::ops::Range;

use ndarray::{Array1, Array2, array};
use problem::{Problem, cases, problems};
use proptest::prelude::*;
use trfboost_kernel::{ErrorMeasure, Segments, Sweep, convolve, error_for_indexes, generate_options, update_error};

/// What sample `t` sees of a predictor at a lag.
fn seen(problem: &Problem, predictor: usize, segment: &Range<usize>, t: usize, lag: i64) -> f64 {
    let source = t as i64 - lag;
    let inside = (segment.start as i64..segment.end as i64).contains(&source);
    if inside { problem.x[[predictor, source as usize]] } else { problem.pads[predictor] }
}

/// The samples of a segment in the order in which they are summed: those before the valid part,
/// those after it, then the valid ones.
fn order(segment: &Range<usize>, lag: i64) -> Vec<usize> {
    let rank = |&t: &usize| match t as i64 - lag {
        source if source < segment.start as i64 => 0,
        source if source >= segment.end as i64 => 1,
        _ => 2,
    };
    let mut samples: Vec<usize> = segment.clone().collect();
    samples.sort_by_key(rank);
    samples
}

fn measured(error: ErrorMeasure, residual: f64) -> f64 {
    match error {
        ErrorMeasure::L1 => residual.abs(),
        ErrorMeasure::L2 => residual * residual,
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn options_are_the_errors_after_either_step(problem in problems(), active in prop::collection::vec(0..2_i8, 4)) {
        let active: Array1<i8> = active[..problem.x.nrows()].to_vec().into();
        let (lags, split, y) = (problem.lags(), problem.split(), problem.y.row(0));
        let (settings, i_start) = (problem.settings, lags.i_start() - 1);
        let sweep = Sweep {
            predictors: problem.predictors(), active: active.view(), lags, i_start,
            indexes: split.train, error: settings.error, delta: settings.delta,
        };
        let shape = (problem.x.nrows(), lags.columns() + 2);
        let (untouched_error, untouched_sign) = (-7.0, 7);
        let mut new_error = Array2::from_elem(shape, untouched_error);
        let mut new_sign = Array2::from_elem(shape, untouched_sign);
        generate_options(y, &sweep, new_error.view_mut(), new_sign.view_mut()).unwrap();

        for ((predictor, column), &found) in new_error.indexed_iter() {
            let lag = i_start + column as i64;
            let (start, stop) = lags.of(predictor);
            let sign = new_sign[[predictor, column]];
            if active[predictor] == 0 || !(start..stop).contains(&lag) {
                prop_assert_eq!((found, sign), (untouched_error, untouched_sign));
                continue;
            }
            let (mut add, mut subtract) = (0.0, 0.0);
            for segment in split.train.iter() {
                for t in order(&segment, lag) {
                    let d = settings.delta * seen(&problem, predictor, &segment, t, lag);
                    add += measured(settings.error, y[t] - d);
                    subtract += measured(settings.error, y[t] + d);
                }
            }
            let expected = if add > subtract { (subtract, -1) } else { (add, 1) };
            prop_assert_eq!((found.to_bits(), sign), (expected.0.to_bits(), expected.1));
        }
    }

    #[test]
    fn a_step_takes_the_shifted_predictor_off(problem in problems(), lag in -70..70_i64, delta in -1.0..1.0) {
        let split = problem.split();
        let mut residual = problem.y.row(0).to_owned();
        let mut expected = residual.clone();
        update_error(residual.view_mut(), problem.x.row(0), problem.pads[0], &split.train, delta, lag).unwrap();
        for segment in split.train.iter() {
            for t in segment.clone() {
                expected[t] -= delta * seen(&problem, 0, &segment, t, lag);
            }
        }
        prop_assert_eq!(residual, expected);
    }

    #[test]
    fn an_error_is_a_running_sum(problem in problems()) {
        let (split, y) = (problem.split(), problem.y.row(0));
        for error in [ErrorMeasure::L1, ErrorMeasure::L2] {
            let mut expected = 0.0;
            for t in split.train_and_validate.iter().flatten() {
                expected += measured(error, y[t]);
            }
            let found = error_for_indexes(y, &split.train_and_validate, error).unwrap();
            prop_assert_eq!(found.to_bits(), f64::to_bits(expected));
        }
    }

    #[test]
    fn a_prediction_is_the_sum_of_weighted_shifted_predictors(problem in problems(), i_start in -70..70_i64) {
        let split = problem.split();
        let h = problem.y.slice_axis(ndarray::Axis(1), (..5).into()).to_owned();
        let rows = h.nrows().min(problem.x.nrows());
        let h = h.slice_axis(ndarray::Axis(0), (..rows).into());
        let x = problem.x.slice_axis(ndarray::Axis(0), (..rows).into());
        let pads = problem.pads.slice_axis(ndarray::Axis(0), (..rows).into());
        let predictors = trfboost_kernel::Predictors::new(x, pads).unwrap();
        let mut out = Array1::from_elem(problem.samples(), f64::NAN);
        convolve(h, &predictors, i_start, &split.train, out.view_mut()).unwrap();

        let mut covered = vec![false; problem.samples()];
        for segment in split.train.iter() {
            for t in segment.clone() {
                covered[t] = true;
                let terms = h.indexed_iter().map(|((predictor, column), weight)| {
                    weight * seen(&problem, predictor, &segment, t, i_start + column as i64)
                });
                let expected: f64 = terms.sum();
                prop_assert!((out[t] - expected).abs() <= 1e-12, "sample {}: {} against {}", t, out[t], expected);
            }
        }
        for (t, covered) in covered.into_iter().enumerate() {
            prop_assert_eq!(out[t].is_nan(), !covered, "sample {}", t);
        }
    }
}

/// The rounded product is the number that it is taken from; what fused arithmetic leaves of it is
/// 2.7755575615628914e-17.
#[test]
fn a_product_is_rounded_before_it_is_taken_off() {
    let rows = array![[0, 1]];
    let segments = Segments::new("indexes", rows.view(), 1).unwrap();
    let mut residual = array![0.300_000_000_000_000_04];
    update_error(residual.view_mut(), array![3.0].view(), 0.0, &segments, 0.1, 0).unwrap();
    assert_eq!(residual[0].to_bits(), 0);
}
