//! A view is its elements in order, whatever its strides: each function gives the same bits for
//! contiguous, Fortran-ordered, spread-out and reversed arguments.

mod laid_out;
mod problem;

use laid_out::{LAYOUTS, Layout, laid_out, problem_laid_out};
use ndarray::{Array1, Array2};
use problem::{Problem, cases, problems};
use proptest::prelude::*;
use trfboost_kernel::{
    Schedule, Sweep, boosting_fit, boosting_runs, convolve, error_for_indexes, generate_options, update_error,
};

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
