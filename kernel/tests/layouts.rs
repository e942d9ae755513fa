//! A view is its elements in order, whatever its strides: each function gives the same bits for
//! contiguous, Fortran-ordered, spread-out and reversed arguments.

mod problem;

use ndarray::{Array, Array1, Array2, Axis, Dimension, ShapeBuilder, Slice};
use problem::{Problem, cases, problems};
use proptest::prelude::*;
use trfboost_kernel::{
    Schedule, Sweep, boosting_fit, boosting_runs, convolve, error_for_indexes, generate_options, update_error,
};

#[derive(Clone, Copy, Debug)]
enum Layout {
    Fortran,
    Spread,
    Reversed,
}

const LAYOUTS: [Layout; 3] = [Layout::Fortran, Layout::Spread, Layout::Reversed];

/// The same elements in the same order, laid out otherwise in memory.
fn laid_out<T: Clone, D: Dimension>(array: &Array<T, D>, layout: Layout) -> Array<T, D> {
    let Some(filler) = array.first().cloned() else { return array.clone() };
    let mut copy = match layout {
        Layout::Fortran => Array::from_elem(array.raw_dim().f(), filler),
        Layout::Reversed => Array::from_elem(array.raw_dim(), filler),
        Layout::Spread => {
            let mut shape = array.raw_dim();
            shape.slice_mut().iter_mut().for_each(|length| *length *= 3);
            Array::from_elem(shape, filler)
        }
    };
    for axis in 0..array.ndim() {
        match layout {
            Layout::Fortran => {}
            Layout::Reversed => copy.invert_axis(Axis(axis)),
            Layout::Spread => copy.slice_axis_inplace(Axis(axis), Slice::new(1, None, 3)),
        }
    }
    copy.assign(array);
    copy
}

fn problem_laid_out(problem: &Problem, layout: Layout) -> Problem {
    Problem {
        y: laid_out(&problem.y, layout),
        x: laid_out(&problem.x, layout),
        pads: laid_out(&problem.pads, layout),
        start: laid_out(&problem.start, layout),
        stop: laid_out(&problem.stop, layout),
        train: laid_out(&problem.train, layout),
        validate: laid_out(&problem.validate, layout),
        both: laid_out(&problem.both, layout),
        settings: problem.settings,
    }
}

/// What a function wrote or returned, as bits, so that NaN equals itself.
fn bits<'a>(values: impl IntoIterator<Item = &'a f64>) -> Vec<u64> {
    values.into_iter().map(|value| value.to_bits()).collect()
}

/// All results of all functions on one problem, outputs laid out by `output`.
fn results(problem: &Problem, output: impl Fn(Array2<f64>) -> Array2<f64>) -> Vec<Vec<u64>> {
    let (predictors, lags, split) = (problem.predictors(), problem.lags(), problem.split());
    let y = problem.y.row(0);
    let fit = boosting_fit(y, &predictors, &lags, &split, &problem.settings, None).unwrap();
    let runs = boosting_runs(problem.y.view(), &predictors, &lags, &[split], &problem.settings, Schedule::default());

    let active = laid_out(&Array1::from_elem(predictors.len(), 1_i8), Layout::Reversed);
    let sweep = Sweep {
        predictors,
        active: active.view(),
        lags,
        i_start: lags.i_start(),
        indexes: split.train,
        error: problem.settings.error,
        delta: problem.settings.delta,
    };
    let mut new_error = output(Array2::zeros((predictors.len(), lags.columns())));
    let mut new_sign = Array2::zeros(new_error.raw_dim());
    generate_options(y, &sweep, new_error.view_mut(), new_sign.view_mut()).unwrap();

    let mut residual = output(problem.y.clone());
    let shift = lags.i_start();
    update_error(residual.row_mut(0), predictors.x().row(0), 0.5, &split.train, 0.3, shift).unwrap();
    let mut predicted = output(Array2::zeros((1, problem.samples())));
    convolve(fit.h.view(), &predictors, shift, &split.train, predicted.row_mut(0)).unwrap();

    let history = fit.history.iter().flat_map(|entry| [&entry.delta, &entry.e_test, &entry.e_train]);
    vec![
        bits(&fit.h),
        bits(history),
        bits(&runs.unwrap().hs),
        bits(&new_error),
        bits(&residual),
        bits(&predicted),
        vec![error_for_indexes(y, &split.train, problem.settings.error).unwrap().to_bits()],
    ]
}

proptest! {
    #![proptest_config(cases(64))]
    #[test]
    fn the_layout_changes_no_bit(problem in problems()) {
        let expected = results(&problem, |output| output);
        for layout in LAYOUTS {
            let found = results(&problem_laid_out(&problem, layout), |output| laid_out(&output, layout));
            prop_assert_eq!(&found, &expected, "{:?}", layout);
        }
    }
}
