//! The functions of the header, one table for each.
//!
//! Lengths: `T` samples, `n` predictors, `L` columns of a filter, `k`, `m`, `j` rows of segment lists, `r`
//! rows of a history, `n_y` signals, `n_splits` splits. A test holds the tables against the header.

use crate::{Access, Dimension, Dtype, Parameter, Signature};

const T: Dimension = Dimension::Named("T");
const N: Dimension = Dimension::Named("n");
const L: Dimension = Dimension::Named("L");
const K: Dimension = Dimension::Named("k");
const M: Dimension = Dimension::Named("m");
const J: Dimension = Dimension::Named("j");
const R: Dimension = Dimension::Named("r");
const N_Y: Dimension = Dimension::Named("n_y");
const N_SPLITS: Dimension = Dimension::Named("n_splits");
/// Start and stop of a segment.
const PAIR: Dimension = Dimension::Fixed(2);
/// i_step, i_stim, i_time, delta, e_test, e_train.
const ENTRY: Dimension = Dimension::Fixed(6);

const F64: Dtype = Dtype::FLOAT64;
const I64: Dtype = Dtype::INT64;
const I8: Dtype = Dtype::INT8;

/// The errors of one step at each lag of each predictor.
pub const GENERATE_OPTIONS: Signature = Signature {
    name: "trfb_generate_options",
    parameters: &[
        input("y_error", F64, &[T]),
        input("x", F64, &[N, T]),
        input("x_pads", F64, &[N]),
        input("x_active", I8, &[N]),
        input("indexes", I64, &[K, PAIR]),
        scalar("i_start", "int64_t"),
        input("i_start_by_x", I64, &[N]),
        input("i_stop_by_x", I64, &[N]),
        scalar("error", "int32_t"),
        scalar("delta", "double"),
        output("new_error", F64, &[N, L]),
        output("new_sign", I8, &[N, L]),
    ],
};

/// Takes delta times the shifted predictor off the residual.
pub const UPDATE_ERROR: Signature = Signature {
    name: "trfb_update_error",
    parameters: &[
        output("y_error", F64, &[T]),
        input("x", F64, &[T]),
        scalar("x_pad", "double"),
        input("indexes", I64, &[K, PAIR]),
        scalar("delta", "double"),
        scalar("shift", "int64_t"),
    ],
};

/// The error of a signal over segments.
pub const ERROR_FOR_INDEXES: Signature = Signature {
    name: "trfb_error_for_indexes",
    parameters: &[
        input("x", F64, &[T]),
        input("indexes", I64, &[K, PAIR]),
        scalar("error", "int32_t"),
        pointer("out", "double *"),
    ],
};

/// One filter.
pub const BOOSTING_FIT: Signature = Signature {
    name: "trfb_boosting_fit",
    parameters: &[
        input("y", F64, &[T]),
        input("x", F64, &[N, T]),
        input("x_pads", F64, &[N]),
        input("split_train", I64, &[K, PAIR]),
        input("split_validate", I64, &[M, PAIR]),
        input("split_train_and_validate", I64, &[J, PAIR]),
        input("i_start_by_x", I64, &[N]),
        input("i_stop_by_x", I64, &[N]),
        scalar("delta", "double"),
        scalar("mindelta", "double"),
        scalar("error", "int32_t"),
        scalar("selective_stopping", "int32_t"),
        output("h", F64, &[N, L]),
        optional_output("history", F64, &[R, ENTRY]),
        optional_pointer("result", "trfb_fit_result *"),
    ],
};

/// One filter for each split and signal.
pub const BOOSTING_RUNS: Signature = Signature {
    name: "trfb_boosting_runs",
    parameters: &[
        input("y", F64, &[N_Y, T]),
        input("x", F64, &[N, T]),
        input("x_pads", F64, &[N]),
        input("split_train", I64, &[N_SPLITS, K, PAIR]),
        input("split_validate", I64, &[N_SPLITS, M, PAIR]),
        input("split_train_and_validate", I64, &[N_SPLITS, J, PAIR]),
        input("i_start_by_x", I64, &[N]),
        input("i_stop_by_x", I64, &[N]),
        scalar("delta", "double"),
        scalar("mindelta", "double"),
        scalar("error", "int32_t"),
        scalar("selective_stopping", "int32_t"),
        scalar("num_threads", "int32_t"),
        output("hs", F64, &[N_SPLITS, N_Y, N, L]),
        output("failed", I8, &[N_SPLITS, N_Y]),
        optional_output("steps", I64, &[N_SPLITS, N_Y]),
        optional_output("stop", I8, &[N_SPLITS, N_Y]),
        optional_pointer("progress", "trfb_progress"),
        optional_pointer("user", "void *"),
    ],
};

/// The prediction.
pub const CONVOLVE: Signature = Signature {
    name: "trfb_convolve",
    parameters: &[
        input("h", F64, &[N, L]),
        input("x", F64, &[N, T]),
        input("x_pads", F64, &[N]),
        scalar("i_start", "int64_t"),
        input("segments", I64, &[K, PAIR]),
        output("out", F64, &[T]),
    ],
};

/// All of them, in the order of the header.
pub const ALL: &[&Signature] =
    &[&GENERATE_OPTIONS, &UPDATE_ERROR, &ERROR_FOR_INDEXES, &BOOSTING_FIT, &BOOSTING_RUNS, &CONVOLVE];

const fn input(name: &'static str, dtype: Dtype, dimensions: &'static [Dimension]) -> Parameter {
    Parameter::Array { name, dtype, dimensions, access: Access::Read, optional: false }
}

const fn output(name: &'static str, dtype: Dtype, dimensions: &'static [Dimension]) -> Parameter {
    Parameter::Array { name, dtype, dimensions, access: Access::Write, optional: false }
}

const fn optional_output(name: &'static str, dtype: Dtype, dimensions: &'static [Dimension]) -> Parameter {
    Parameter::Array { name, dtype, dimensions, access: Access::Write, optional: true }
}

const fn scalar(name: &'static str, c_type: &'static str) -> Parameter {
    Parameter::Scalar { name, c_type }
}

const fn pointer(name: &'static str, c_type: &'static str) -> Parameter {
    Parameter::Pointer { name, c_type, optional: false }
}

const fn optional_pointer(name: &'static str, c_type: &'static str) -> Parameter {
    Parameter::Pointer { name, c_type, optional: true }
}
