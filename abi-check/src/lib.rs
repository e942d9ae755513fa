//! The validator: what a well-formed call is.
//!
//! Every array crosses the C boundary as a [`Descriptor`]: address, shape, strides, element type and,
//! where the caller knows them, the bounds of the memory. This crate holds the descriptors of one call
//! against the [`Signature`] of the function, a table of names, element types, dimensions with named
//! lengths, and access. A call that does not fit comes back as a [`Fault`] that says, in a sentence that
//! begins with the argument's name, what is wrong, what was expected, and where there is one, the remedy.
//!
//! It works on plain data. Addresses are numbers here and nothing is ever dereferenced, so what can be
//! said of a call is tested to the last corner without a pointer in sight.
//!
//! # The order of checks
//!
//! For each array, in the order of the parameter list:
//!
//! 1. the pointer to the descriptor is neither null nor misaligned; magic number, size, version;
//! 2. number of dimensions; element type; unknown flags; negative lengths;
//! 3. the lengths that are not 0 multiply to no more than `i64::MAX`. A view that is empty is then fine,
//!    whatever its address, strides and bounds;
//! 4. the data are not null; address and strides are aligned to the element (strides of dimensions of
//!    length 1 are ignored); all elements fit the address space; all lie inside the bounds.
//!
//! Then, over the whole call: lengths agree, by name, in the order of the parameter list; no output is
//! read-only; no output has two elements at one place or shares a byte with another argument; what is
//! written through a pointer parameter shares none with an array.
//!
//! ```
//! use trfboost_abi_check::{Argument, Descriptor, Dtype, Head, check, signatures};
//!
//! let vector = |data: u64, length: i64| Descriptor {
//!     dtype: Dtype::FLOAT64,
//!     ndim: 1,
//!     data,
//!     shape: [length, 0, 0, 0, 0, 0, 0, 0],
//!     strides: [8, 0, 0, 0, 0, 0, 0, 0],
//!     ..Descriptor::EMPTY
//! };
//! let segments = Descriptor {
//!     dtype: Dtype::INT64,
//!     ndim: 2,
//!     data: 0x9000,
//!     shape: [1, 2, 0, 0, 0, 0, 0, 0],
//!     strides: [16, 8, 0, 0, 0, 0, 0, 0],
//!     ..Descriptor::EMPTY
//! };
//! let (y_error, x) = (vector(0x1000, 100), vector(0x2000, 99));
//! let call = [Argument::View(&y_error), Argument::View(&x), Argument::View(&segments)];
//!
//! let fault = check(&signatures::UPDATE_ERROR, &call).unwrap_err();
//! assert_eq!(fault.to_string(), "x: axis 0 has length 99, but y_error fixed T = 100");
//! ```
#![forbid(unsafe_code)]

mod array;
mod call;
mod descriptor;
mod diophantine;
mod dtype;
mod fault;
mod lengths;
mod outputs;
mod signature;
pub mod signatures;
mod view;

pub use call::{Argument, Written, check, check_view, check_with};
pub use descriptor::{ABI_VERSION, Descriptor, Head, MAX_NDIM, READONLY, VIEW_MAGIC, VIEW_SIZE};
pub use dtype::Dtype;
pub use fault::{Fault, FaultKind};
pub use signature::{Access, Dimension, Parameter, Signature};
