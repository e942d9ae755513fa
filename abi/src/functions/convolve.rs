//! `trfb_convolve`.

use trfboost_abi_check::signatures::CONVOLVE;
use trfboost_kernel::{Segments, convolve};

use super::predictors;
use crate::arrays::Arrays;
use crate::entry::with_arrays;
use crate::{ErrorDetails, View, signature};

/// The prediction of a filter; see the C header.
///
/// # Safety
///
/// Each pointer is NULL or points to what the C header says, for the time of the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trfb_convolve(
    h: *const View,
    x: *const View,
    x_pads: *const View,
    i_start: i64,
    segments: *const View,
    out: *const View,
    details: *mut ErrorDetails,
) -> i32 {
    let body = |arrays: &Arrays<'_>| {
        let predictors = predictors(arrays)?;
        let segments = Segments::new("segments", arrays.input("segments"), predictors.samples())?;
        Ok(convolve(arrays.input("h"), &predictors, i_start, &segments, arrays.required("out"))?)
    };
    // SAFETY: what this function's caller promises is what `with_arrays` asks for.
    unsafe { with_arrays(&CONVOLVE, [h, x, x_pads, segments, out], &[], details, body) }
}

const _: signature::Convolve = trfb_convolve;
