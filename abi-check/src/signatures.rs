//! The functions' signatures: one table each, in the order of the C header.
//!
//! `T` samples, `n` predictors, `L` columns of a filter; `k`, `m`, `j` rows of segment lists; `r`
//! rows of a history. A name means the same length wherever it occurs in one table.

use Access::{Read, Write};
use Dimension::{Fixed, Named};

use crate::{Access, Dimension, Dtype, Parameter, Signature};

const F64: Dtype = Dtype::FLOAT64;
const I64: Dtype = Dtype::INT64;
const I8: Dtype = Dtype::INT8;

const T: Dimension = Named("T");
const N: Dimension = Named("n");
const L: Dimension = Named("L");
const K: Dimension = Named("k");
const M: Dimension = Named("m");
const J: Dimension = Named("j");
const R: Dimension = Named("r");
const N_Y: Dimension = Named("n_y");
const N_SPLITS: Dimension = Named("n_splits");
/// Start and stop of a segment.
const ROW: Dimension = Fixed(2);
/// What is said of an entry of a history.
const ENTRY: Dimension = Fixed(6);

const fn array(name: &'static str, dtype: Dtype, dimensions: &'static [Dimension], access: Access) -> Parameter {
    Parameter::Array { name, dtype, dimensions, access, optional: false }
}

const fn optional(name: &'static str, dtype: Dtype, dimensions: &'static [Dimension], access: Access) -> Parameter {
    Parameter::Array { name, dtype, dimensions, access, optional: true }
}

const fn scalar(c_type: &'static str, name: &'static str) -> Parameter {
    Parameter::Scalar { name, c_type }
}

const fn pointer(c_type: &'static str, name: &'static str, optional: bool) -> Parameter {
    Parameter::Pointer { name, c_type, optional }
}

/// All of them.
pub const ALL: &[&Signature] =
    &[&GENERATE_OPTIONS, &UPDATE_ERROR, &ERROR_FOR_INDEXES, &BOOSTING_FIT, &BOOSTING_RUNS, &CONVOLVE];

/// `trfb_generate_options`.
pub const GENERATE_OPTIONS: Signature = Signature {
    name: "trfb_generate_options",
    parameters: &[
        array("y_error", F64, &[T], Read),
        array("x", F64, &[N, T], Read),
        array("x_pads", F64, &[N], Read),
        array("x_active", I8, &[N], Read),
        array("indexes", I64, &[K, ROW], Read),
        scalar("int64_t", "i_start"),
        array("i_start_by_x", I64, &[N], Read),
        array("i_stop_by_x", I64, &[N], Read),
        scalar("int32_t", "error"),
        scalar("double", "delta"),
        array("new_error", F64, &[N, L], Write),
        array("new_sign", I8, &[N, L], Write),
    ],
};

/// `trfb_update_error`.
pub const UPDATE_ERROR: Signature = Signature {
    name: "trfb_update_error",
    parameters: &[
        array("y_error", F64, &[T], Write),
        array("x", F64, &[T], Read),
        scalar("double", "x_pad"),
        array("indexes", I64, &[K, ROW], Read),
        scalar("double", "delta"),
        scalar("int64_t", "shift"),
    ],
};

/// `trfb_error_for_indexes`.
pub const ERROR_FOR_INDEXES: Signature = Signature {
    name: "trfb_error_for_indexes",
    parameters: &[
        array("x", F64, &[T], Read),
        array("indexes", I64, &[K, ROW], Read),
        scalar("int32_t", "error"),
        pointer("double *", "out", false),
    ],
};

/// `trfb_boosting_fit`.
pub const BOOSTING_FIT: Signature = Signature {
    name: "trfb_boosting_fit",
    parameters: &[
        array("y", F64, &[T], Read),
        array("x", F64, &[N, T], Read),
        array("x_pads", F64, &[N], Read),
        array("split_train", I64, &[K, ROW], Read),
        array("split_validate", I64, &[M, ROW], Read),
        array("split_train_and_validate", I64, &[J, ROW], Read),
        array("i_start_by_x", I64, &[N], Read),
        array("i_stop_by_x", I64, &[N], Read),
        scalar("double", "delta"),
        scalar("double", "mindelta"),
        scalar("int32_t", "error"),
        scalar("int32_t", "selective_stopping"),
        array("h", F64, &[N, L], Write),
        optional("history", F64, &[R, ENTRY], Write),
        pointer("trfb_fit_result *", "result", true),
    ],
};

/// `trfb_boosting_runs`.
pub const BOOSTING_RUNS: Signature = Signature {
    name: "trfb_boosting_runs",
    parameters: &[
        array("y", F64, &[N_Y, T], Read),
        array("x", F64, &[N, T], Read),
        array("x_pads", F64, &[N], Read),
        array("split_train", I64, &[N_SPLITS, K, ROW], Read),
        array("split_validate", I64, &[N_SPLITS, M, ROW], Read),
        array("split_train_and_validate", I64, &[N_SPLITS, J, ROW], Read),
        array("i_start_by_x", I64, &[N], Read),
        array("i_stop_by_x", I64, &[N], Read),
        scalar("double", "delta"),
        scalar("double", "mindelta"),
        scalar("int32_t", "error"),
        scalar("int32_t", "selective_stopping"),
        scalar("int32_t", "num_threads"),
        array("hs", F64, &[N_SPLITS, N_Y, N, L], Write),
        array("failed", I8, &[N_SPLITS, N_Y], Write),
        optional("steps", I64, &[N_SPLITS, N_Y], Write),
        optional("stop", I8, &[N_SPLITS, N_Y], Write),
        pointer("trfb_progress", "progress", true),
        pointer("void *", "user", true),
    ],
};

/// `trfb_convolve`.
pub const CONVOLVE: Signature = Signature {
    name: "trfb_convolve",
    parameters: &[
        array("h", F64, &[N, L], Read),
        array("x", F64, &[N, T], Read),
        array("x_pads", F64, &[N], Read),
        scalar("int64_t", "i_start"),
        array("segments", I64, &[K, ROW], Read),
        array("out", F64, &[T], Write),
    ],
};
