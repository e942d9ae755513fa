//! The boosting estimator of temporal response functions (TRFs), on [`ndarray`] views.
//!
//! A TRF is a filter that predicts a recorded signal `y` (a sensor of an EEG or MEG recording, say)
//! from predictors `x` (a spectrogram, word onsets) at a range of lags. Boosting finds it by
//! coordinate descent: again and again the one step of ± `delta` at one predictor and one lag that
//! lowers the error on the training data most, until the error on validation data rises
//! (David, Mesgarani & Shamma 2007, [doi 10.1080/09548980701609235]). This crate computes what
//! [Eelbrain](https://eelbrain.readthedocs.io) 0.41.2 computes, in the same order of arithmetic
//! and so to the same bits, and is defined where that reads outside of its arrays: segments
//! shorter than a lag, and numbers that overflow.
//!
//! Lengths have names: `T` samples, `n` predictors, `L` columns of a filter, one per lag. Lags are
//! in samples: lag `s` pairs sample `t` of the signal with sample `t - s` of the predictor.
//!
//! ```
//! use ndarray::{Array, array};
//! use trfboost_kernel::{ErrorMeasure, Lags, Predictors, Segments, Settings, Split, boosting_fit};
//!
//! // A predictor that is 1 now and then, and a signal that follows it after two samples.
//! let x = Array::from_shape_fn((1, 60), |(_, t)| f64::from(u8::from(t % 7 == 0 || t % 11 == 3)));
//! let y = Array::from_shape_fn(60, |t| if t < 2 { 0.0 } else { 0.4 * x[[0, t - 2]] });
//!
//! let pads = array![0.0];
//! let predictors = Predictors::new(x.view(), pads.view())?;
//! let (start, stop) = (array![0], array![5]);
//! let lags = Lags::new(start.view(), stop.view())?;
//! let (train, validate, both) = (array![[0, 40]], array![[40, 60]], array![[0, 60]]);
//! let split = Split {
//!     train: Segments::new("split_train", train.view(), 60)?,
//!     validate: Segments::new("split_validate", validate.view(), 60)?,
//!     train_and_validate: Segments::new("split_train_and_validate", both.view(), 60)?,
//! };
//!
//! let settings = Settings::new(0.1).error(ErrorMeasure::L2);
//! let fit = boosting_fit(y.view(), &predictors, &lags, &split, &settings, None)?;
//! assert!((fit.h[[0, 2]] - 0.4).abs() < 1e-12);
//! # Ok::<(), trfboost_kernel::Error>(())
//! ```
//!
//! # Where to look
//!
//! - [`boosting_fit`] estimates one filter, [`boosting_runs`] one for each signal and split, on
//!   several threads.
//! - [`convolve`] predicts a signal with a filter.
//! - [`generate_options`], [`update_error`] and [`error_for_indexes`] are the parts of a step, for
//!   those who write the loop themselves.
//! - [`Predictors`], [`Lags`], [`Segments`] and [`Split`] are views that were checked once, so that
//!   the functions need not doubt them.
//!
//! # Exactness
//!
//! Sums are running sums: one accumulator, in the order of the segment list and of rising samples,
//! each product rounded before it is added, never fused. The module `reference` says it line by line
//! and is kept plain on purpose: whatever computes faster has to give its bits.
//!
//! [doi 10.1080/09548980701609235]: https://doi.org/10.1080/09548980701609235
#![forbid(unsafe_code)]

mod check;
mod error;
mod fast;
mod fit;
mod instructions;
mod lags;
mod measure;
mod memory;
mod options;
#[cfg(not(feature = "planted"))]
mod planted;
#[cfg(feature = "planted")]
pub mod planted;
mod predictors;
mod reference;
mod runs;
mod segments;
mod stretch;
mod sweep;
mod team;
mod threads;
mod vectors;

pub use error::Error;
pub use fit::{Entry, Fit, Settings, Stop, boosting_fit};
pub use instructions::Instructions;
pub use lags::Lags;
pub use measure::ErrorMeasure;
pub use options::{Sweep, generate_options};
pub use predictors::Predictors;
pub use reference::{convolve, error_for_indexes, update_error};
pub use runs::{Progress, Runs, Schedule, boosting_runs};
pub use segments::{Segments, Split};
pub use threads::{Standard, Threads};

// The random problems of the integration tests, which know this crate by its name.
#[cfg(test)]
extern crate self as trfboost_kernel;
#[cfg(test)]
#[path = "../tests/hostile/mod.rs"]
mod hostile;
#[cfg(test)]
#[path = "../tests/problem/mod.rs"]
mod problem;
