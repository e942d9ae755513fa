//! trfboost for other languages.
//!
//! Every array crosses the boundary as a [`View`]: address, shape, strides, element type. The C
//! header `include/trfboost.h` is the contract and its comments are the manual; what is here mirrors
//! it. The way of a call:
//!
//! 1. `entry`: reads the descriptors, has `trfboost-abi-check` hold them against the function's
//!    signature, contains panics, and reports what went wrong in the caller's [`ErrorDetails`].
//! 2. `arrays`: makes ndarray views of descriptors that passed.
//! 3. `functions`: one file per function, which passes the views to `trfboost-kernel` and writes
//!    the result.
//!
//! This is the only crate with `unsafe`, and there is unsafe code in few places of it: `entry` and
//! `arrays`, which read through the caller's pointers, the functions' own pointer arguments, which are
//! wrapped in `pointer`, and `threads`, which starts some. What all of it rests on is the promise that
//! the caller makes and no code can check: *the memory that a descriptor describes is there, for the time
//! of the call, and nobody else writes to it (or, for outputs, touches it) meanwhile.*
//!
//! Rust programs have no use for this crate and depend on `trfboost-kernel`; its public items are
//! for programs that test the boundary.

mod arrays;
mod build_info;
mod entry;
mod failure;
mod functions;
mod layout;
mod message;
mod pointer;
mod progress;
pub mod signature;
mod status;
mod threads;
mod types;

pub use build_info::{trfb_abi_version, trfb_build_info};
pub use functions::boosting_fit::trfb_boosting_fit;
pub use functions::boosting_runs::trfb_boosting_runs;
pub use functions::convolve::trfb_convolve;
pub use functions::error_for_indexes::trfb_error_for_indexes;
pub use functions::generate_options::trfb_generate_options;
pub use functions::update_error::trfb_update_error;
pub use functions::view_check::trfb_view_check;
pub use layout::trfb_abi_layout;
pub use status::Status;
pub use types::{ErrorDetails, FitResult, LayoutRow, MESSAGE_SIZE, View};
