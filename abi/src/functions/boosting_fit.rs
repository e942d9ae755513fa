//! `trfb_boosting_fit`.

use std::ops::ControlFlow;

use ndarray::{ArrayViewMut2, Axis};
use trfboost_abi_check::signatures::BOOSTING_FIT;
use trfboost_kernel::{Entry, Segments, Split, boosting_fit};

use super::{check_columns, lags, predictors, settings};
use crate::arrays::Arrays;
use crate::entry::with_arrays;
use crate::pointer::Pointer;
use crate::progress::Callback;
use crate::{ErrorDetails, FitResult, View, signature};

/// One filter by coordinate descent with early stopping; see the C header.
///
/// # Safety
///
/// Each pointer is NULL or points to what the C header says, for the time of the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trfb_boosting_fit(
    y: *const View,
    x: *const View,
    x_pads: *const View,
    split_train: *const View,
    split_validate: *const View,
    split_train_and_validate: *const View,
    i_start_by_x: *const View,
    i_stop_by_x: *const View,
    delta: f64,
    mindelta: f64,
    error: i32,
    selective_stopping: i32,
    h: *const View,
    history: *const View,
    result: *mut FitResult,
    details: *mut ErrorDetails,
) -> i32 {
    let views =
        [y, x, x_pads, split_train, split_validate, split_train_and_validate, i_start_by_x, i_stop_by_x, h, history];
    // SAFETY: what this function's caller promises is what `Pointer::new` asks for.
    let result = unsafe { Pointer::new(result) };
    let body = |arrays: &Arrays<'_>| {
        result.check_size("result")?;
        // SAFETY: what this function's caller promises of `result` is what `Callback::new` asks for.
        let watch = result.progress().map(|(progress, user)| unsafe { Callback::new(progress, user) });
        let predictors = predictors(arrays)?;
        let segments = |name| Segments::new(name, arrays.input(name), predictors.samples());
        let split = Split {
            train: segments("split_train")?,
            validate: segments("split_validate")?,
            train_and_validate: segments("split_train_and_validate")?,
        };
        let (lags, mut h): (_, ArrayViewMut2<'_, f64>) = (lags(arrays)?, arrays.required("h"));
        let settings = settings(delta, mindelta, error, selective_stopping)?;
        check_columns("h", 1, h.ncols(), &lags)?;

        let mut progress = |steps| watch.map_or(ControlFlow::Continue(()), |watch| watch.call(steps, 0));
        let fit = boosting_fit(arrays.input("y"), &predictors, &lags, &split, &settings, Some(&mut progress))?;
        h.assign(&fit.h);
        if let Some(history) = arrays.output("history") {
            write_history(&fit.history, history);
        }
        let best_step = fit.best_step.map_or(-1, |step| step as i64);
        result.report(fit.stop as i32, fit.history.len() as i64, best_step);
        Ok(())
    };
    // SAFETY: what this function's caller promises is what `with_arrays` asks for.
    unsafe { with_arrays(&BOOSTING_FIT, views, &[result.written("result")], details, body) }
}

/// As many entries as there are rows.
fn write_history(entries: &[Entry], mut history: ArrayViewMut2<'_, f64>) {
    for (row, entry) in history.axis_iter_mut(Axis(0)).zip(entries) {
        let Entry { i_step, i_stim, i_time, delta, e_test, e_train } = *entry;
        // The integers are below 2^53: a fit has at most a million steps, and an array that many cells.
        let values = [i_step as f64, i_stim as f64, i_time as f64, delta, e_test, e_train];
        row.into_iter().zip(values).for_each(|(cell, value)| *cell = value);
    }
}

const _: signature::BoostingFit = trfb_boosting_fit;
