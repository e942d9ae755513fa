//! `trfb_error_for_indexes`.

use trfboost_abi_check::signatures::ERROR_FOR_INDEXES;
use trfboost_kernel::{Segments, error_for_indexes};

use super::measure;
use crate::arrays::Arrays;
use crate::entry::with_arrays;
use crate::failure::Failure;
use crate::pointer::Pointer;
use crate::{ErrorDetails, View, signature};

/// The error of a signal over segments; see the C header.
///
/// # Safety
///
/// Each pointer is NULL or points to what the C header says, for the time of the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trfb_error_for_indexes(
    x: *const View,
    indexes: *const View,
    error: i32,
    out: *mut f64,
    details: *mut ErrorDetails,
) -> i32 {
    // SAFETY: what this function's caller promises is what `Pointer::new` asks for.
    let out = unsafe { Pointer::new(out) };
    let body = |arrays: &Arrays<'_>| {
        if out.is_null() {
            return Err(Failure::Null("out"));
        }
        let x = arrays.input("x");
        let indexes = Segments::new("indexes", arrays.input("indexes"), x.len())?;
        out.write(error_for_indexes(x, &indexes, measure(error)?)?);
        Ok(())
    };
    // SAFETY: what this function's caller promises is what `with_arrays` asks for.
    unsafe { with_arrays(&ERROR_FOR_INDEXES, [x, indexes], &[out.written("out")], details, body) }
}

const _: signature::ErrorForIndexes = trfb_error_for_indexes;
