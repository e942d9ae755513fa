//! `trfb_update_error`.

use trfboost_abi_check::signatures::UPDATE_ERROR;
use trfboost_kernel::{Segments, update_error};

use crate::arrays::Arrays;
use crate::entry::with_arrays;
use crate::{ErrorDetails, View, signature};

/// Takes `delta` times the shifted predictor off the residual; see the C header.
///
/// # Safety
///
/// Each pointer is NULL or points to what the C header says, for the time of the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trfb_update_error(
    y_error: *const View,
    x: *const View,
    x_pad: f64,
    indexes: *const View,
    delta: f64,
    shift: i64,
    details: *mut ErrorDetails,
) -> i32 {
    let body = |arrays: &Arrays<'_>| {
        let x = arrays.input("x");
        let indexes = Segments::new("indexes", arrays.input("indexes"), x.len())?;
        Ok(update_error(arrays.required("y_error"), x, x_pad, &indexes, delta, shift)?)
    };
    // SAFETY: what this function's caller promises is what `with_arrays` asks for.
    unsafe { with_arrays(&UPDATE_ERROR, [y_error, x, indexes], &[], details, body) }
}

const _: signature::UpdateError = trfb_update_error;
