//! `trfb_generate_options`.

use trfboost_abi_check::signatures::GENERATE_OPTIONS;
use trfboost_kernel::{Segments, Sweep, generate_options};

use super::{lags, measure, predictors};
use crate::arrays::Arrays;
use crate::entry::with_arrays;
use crate::{ErrorDetails, View, signature};

/// The error of adding or subtracting `delta` at each lag of each predictor; see the C header.
///
/// # Safety
///
/// Each pointer is NULL or points to what the C header says, for the time of the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trfb_generate_options(
    y_error: *const View,
    x: *const View,
    x_pads: *const View,
    x_active: *const View,
    indexes: *const View,
    i_start: i64,
    i_start_by_x: *const View,
    i_stop_by_x: *const View,
    error: i32,
    delta: f64,
    new_error: *const View,
    new_sign: *const View,
    details: *mut ErrorDetails,
) -> i32 {
    let views = [y_error, x, x_pads, x_active, indexes, i_start_by_x, i_stop_by_x, new_error, new_sign];
    let body = |arrays: &Arrays<'_>| {
        let predictors = predictors(arrays)?;
        let sweep = Sweep {
            active: arrays.input("x_active"),
            lags: lags(arrays)?,
            i_start,
            indexes: Segments::new("indexes", arrays.input("indexes"), predictors.samples())?,
            predictors,
            error: measure(error)?,
            delta,
        };
        let (new_error, new_sign) = (arrays.required("new_error"), arrays.required("new_sign"));
        Ok(generate_options(arrays.input("y_error"), &sweep, new_error, new_sign)?)
    };
    // SAFETY: what this function's caller promises is what `with_arrays` asks for.
    unsafe { with_arrays(&GENERATE_OPTIONS, views, &[], details, body) }
}

const _: signature::GenerateOptions = trfb_generate_options;
