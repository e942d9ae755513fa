//! The types of the exported functions, which they and their probes are held against.
//!
//! The parameters' names and meaning are in the C header.

use std::ffi::{c_char, c_void};

use crate::{ErrorDetails, FitResult, LayoutRow, View};

/// `trfb_progress`.
pub type Progress = unsafe extern "C" fn(user: *mut c_void, done: i64, total: i64) -> i32;

/// `trfb_generate_options`.
pub type GenerateOptions = unsafe extern "C" fn(
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
) -> i32;

/// `trfb_update_error`.
pub type UpdateError = unsafe extern "C" fn(
    y_error: *const View,
    x: *const View,
    x_pad: f64,
    indexes: *const View,
    delta: f64,
    shift: i64,
    details: *mut ErrorDetails,
) -> i32;

/// `trfb_error_for_indexes`.
pub type ErrorForIndexes = unsafe extern "C" fn(
    x: *const View,
    indexes: *const View,
    error: i32,
    out: *mut f64,
    details: *mut ErrorDetails,
) -> i32;

/// `trfb_boosting_fit`.
pub type BoostingFit = unsafe extern "C" fn(
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
) -> i32;

/// `trfb_boosting_runs`.
pub type BoostingRuns = unsafe extern "C" fn(
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
) -> i32;

/// `trfb_convolve`.
pub type Convolve = unsafe extern "C" fn(
    h: *const View,
    x: *const View,
    x_pads: *const View,
    i_start: i64,
    segments: *const View,
    out: *const View,
    details: *mut ErrorDetails,
) -> i32;

/// `trfb_view_check`.
pub type ViewCheck =
    unsafe extern "C" fn(view: *const View, dtype: i32, ndim: i32, access: i32, details: *mut ErrorDetails) -> i32;

/// `trfb_abi_version`.
pub type AbiVersion = extern "C" fn() -> u32;

/// `trfb_abi_layout`.
pub type AbiLayout = extern "C" fn() -> *const LayoutRow;

/// `trfb_build_info`.
pub type BuildInfo = extern "C" fn() -> *const c_char;
