//! The reference arithmetic: plain scalar code that says, line by line, what is computed.
//!
//! It is the oracle. Results are the same bits as Eelbrain's because the order of every operation
//! is the same: sums start at 0.0 and run over the segments in list order, inside a segment first
//! over the samples before the valid part, then over those after it (both see the pad), then over
//! the valid ones, each in rising order. Each product is rounded before it is used, nothing is
//! fused, and each sum has one accumulator. Faster code lives elsewhere and is held against this,
//! bit for bit; this is not to be made faster at the price of being plain.
//!
//! - [`shift`]: what a shifted predictor is within a segment.
//! - [`residual`]: the error of a residual, and a step's effect on it.
//! - [`options`]: the error of every option of a step.
//! - [`prediction`]: the convolution of predictors with a filter.
//! - [`engine`]: these parts, as what the fit asks for.

pub(crate) mod engine;
pub(crate) mod options;
mod prediction;
pub(crate) mod residual;
pub(crate) mod shift;

pub use prediction::convolve;
pub use residual::{error_for_indexes, update_error};
