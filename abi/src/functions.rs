//! The exported functions, one per file: views go to the kernel, results to the caller.
//!
//! What is common to several of them is here: the arguments of the kernel that are made of more than
//! one of theirs.

pub(crate) mod boosting_fit;
pub(crate) mod boosting_runs;
pub(crate) mod convolve;
pub(crate) mod error_for_indexes;
pub(crate) mod generate_options;
pub(crate) mod update_error;
pub(crate) mod view_check;

use trfboost_kernel::{Error, ErrorMeasure, Lags, Predictors, Settings};

use crate::arrays::Arrays;

/// The predictors and their pads.
fn predictors<'a>(arrays: &'a Arrays<'_>) -> Result<Predictors<'a>, Error> {
    Predictors::new(arrays.input("x"), arrays.input("x_pads"))
}

/// The predictors' ranges of lags.
fn lags<'a>(arrays: &'a Arrays<'_>) -> Result<Lags<'a>, Error> {
    Lags::new(arrays.input("i_start_by_x"), arrays.input("i_stop_by_x"))
}

/// `enum trfb_measure`.
fn measure(error: i32) -> Result<ErrorMeasure, Error> {
    let refused = Error::Value { argument: "error", expected: "1 (l1) or 2 (l2)", actual: error.into() };
    ErrorMeasure::from_code(error).ok_or(refused)
}

/// The scalars of a fit.
fn settings(delta: f64, mindelta: f64, error: i32, selective_stopping: i32) -> Result<Settings, Error> {
    let selective_stopping = natural("selective_stopping", selective_stopping)?;
    let settings = Settings::new(delta).mindelta(mindelta).error(measure(error)?);
    Ok(settings.selective_stopping(selective_stopping))
}

/// A count.
fn natural(argument: &'static str, count: i32) -> Result<usize, Error> {
    usize::try_from(count).map_err(|_| Error::Value { argument, expected: "0 or more", actual: count.into() })
}

/// A filter has as many columns as there are lags.
fn check_columns(argument: &'static str, axis: usize, actual: usize, lags: &Lags<'_>) -> Result<(), Error> {
    match lags.columns() {
        columns if columns == actual => Ok(()),
        expected => Err(Error::Length { argument, axis, expected, actual, fixed_by: "the range of all lags" }),
    }
}
