//! `trfb_boosting_runs`.

use std::ffi::c_void;

use ndarray::{Array2, ArrayView2, ArrayView3, ArrayViewMut4, Axis, Ix2};
use trfboost_abi_check::signatures::BOOSTING_RUNS;
use trfboost_kernel::{Error, Schedule, Segments, Split, boosting_runs};

use super::{check_columns, lags, natural, predictors, settings};
use crate::arrays::{Arrays, Element};
use crate::entry::with_arrays;
use crate::failure::Failure;
use crate::progress::Callback;
use crate::signature::Progress;
use crate::{ErrorDetails, View, signature, threads};

/// One filter for each split and each row of `y`; see the C header.
///
/// # Safety
///
/// Each pointer is NULL or points to what the C header says, for the time of the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trfb_boosting_runs(
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
    num_threads: i32,
    hs: *const View,
    failed: *const View,
    steps: *const View,
    stop: *const View,
    progress: Option<Progress>,
    user: *mut c_void,
    details: *mut ErrorDetails,
) -> i32 {
    let views = [
        y,
        x,
        x_pads,
        split_train,
        split_validate,
        split_train_and_validate,
        i_start_by_x,
        i_stop_by_x,
        hs,
        failed,
        steps,
        stop,
    ];
    // SAFETY: what this function's caller promises is what `Callback::new` asks for.
    let watch = unsafe { Callback::new(progress, user) };
    let body = |arrays: &Arrays<'_>| {
        let predictors = predictors(arrays)?;
        let lists = ["split_train", "split_validate", "split_train_and_validate"];
        let lists = lists.map(|name| (name, arrays.input(name)));
        let y: ArrayView2<'_, f64> = arrays.input("y");
        let splits = splits(&lists, predictors.samples(), y.nrows() == 0)?;
        let (lags, mut hs): (_, ArrayViewMut4<'_, f64>) = (lags(arrays)?, arrays.required("hs"));
        let settings = settings(delta, mindelta, error, selective_stopping)?;
        let threads = natural("num_threads", num_threads)?;
        check_columns("hs", 3, hs.len_of(Axis(3)), &lags)?;

        let mut progress = |done, total| watch.call(done, total);
        let schedule = Schedule { threads, source: threads::SOURCE, progress: Some(&mut progress) };
        let runs = boosting_runs(y, &predictors, &lags, &splits, &settings, schedule)?;
        if !hs.is_empty() {
            hs.assign(&runs.hs);
        }
        write(arrays, "failed", &runs.failed, |failed| i8::from(*failed));
        write(arrays, "steps", &runs.steps, |steps| *steps);
        write(arrays, "stop", &runs.stop, |stop| *stop as i8);
        Ok(())
    };
    // SAFETY: what this function's caller promises is what `with_arrays` asks for.
    unsafe { with_arrays(&BOOSTING_RUNS, views, &[], details, body) }
}

/// A list of segments for each split, and its name.
type Lists<'a> = (&'static str, ArrayView3<'a, i64>);

/// The splits of three stacks of segment lists; one of them for all, where nothing is to be fitted and they are
/// one in memory.
fn splits<'a>(lists: &'a [Lists<'_>; 3], samples: usize, nothing: bool) -> Result<Vec<Split<'a>>, Failure> {
    let count = match lists[0].1.len_of(Axis(0)) {
        count if nothing && lists.iter().all(|(_, rows)| rows.stride_of(Axis(0)) == 0) => count.min(1),
        count => count,
    };
    let mut splits = Vec::new();
    let bytes = (count as u64).saturating_mul(size_of::<Split<'_>>() as u64);
    splits.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { bytes })?;
    for split in 0..count {
        let list = |index: usize| {
            let (name, rows) = &lists[index];
            Segments::new(name, rows.index_axis(Axis(0), split), samples).map_err(|error| Failure::Split(split, error))
        };
        splits.push(Split { train: list(0)?, validate: list(1)?, train_and_validate: list(2)? });
    }
    Ok(splits)
}

/// Writes an output of one value per fit, if it was given, and there is a fit.
fn write<T, E: Element>(arrays: &Arrays<'_>, name: &str, values: &Array2<T>, value: impl Fn(&T) -> E) {
    if let Some(mut output) = arrays.output::<E, Ix2>(name).filter(|output| !output.is_empty()) {
        output.zip_mut_with(values, |cell, given| *cell = value(given));
    }
}

const _: signature::BoostingRuns = trfb_boosting_runs;
