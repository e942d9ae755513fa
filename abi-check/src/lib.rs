//! What a well-formed call is.
//!
//! A function of the C ABI takes arrays as descriptors. Before it touches one element, the call is
//! held against the function's [`Signature`]: which arguments there are, of what element type, with
//! which dimensions, read or written. Everything here is plain data: addresses are numbers, and this
//! crate dereferences nothing, allocates nothing and knows neither the kernel nor the functions
//! behind the signatures.
//!
//! The order of the checks is part of the contract, since it decides which of several faults is
//! reported. For each argument in turn: the descriptor itself (null, misaligned, magic number, size,
//! version), number of dimensions, element type, flags, lengths, and for views with elements data,
//! alignment, address arithmetic, bounds. Then, for the call: lengths that have to agree, read-only
//! outputs, overlap.
//!
//! ```
//! use trfboost_abi_check::{Argument, Descriptor, Dtype, check, signatures::ERROR_FOR_INDEXES};
//!
//! let signal = Descriptor::contiguous(0x1000, Dtype::FLOAT64, &[100]);
//! let transposed = Descriptor::contiguous(0x2000, Dtype::INT64, &[2, 5]);
//! let fault = check(&ERROR_FOR_INDEXES, &[Argument::View(&signal), Argument::View(&transposed)]).unwrap_err();
//! assert_eq!(fault.to_string(), "indexes: axis 1 has length 5, expected 2; its transpose would fit");
//! assert_eq!((fault.argument, fault.axis(), fault.expected(), fault.actual()), (1, Some(1), 2, 5));
//! ```
#![forbid(unsafe_code)]

mod call;
mod descriptor;
mod dtype;
mod equation;
mod fault;
mod footprint;
mod overlap;
mod signature;
pub mod signatures;
mod view;

pub use call::{Argument, MAX_ARRAYS, check, check_view};
pub use descriptor::{ABI_VERSION, Descriptor, Head, MAX_NDIM, READONLY, VIEW_MAGIC, VIEW_SIZE};
pub use dtype::Dtype;
pub use fault::{Fault, FaultKind, Reason, Remedy};
pub use signature::{Access, Dimension, Parameter, Signature};
