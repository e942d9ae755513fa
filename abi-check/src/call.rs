//! The whole call: each argument on its own, then what they have to do with each other.

use crate::array::{Array, Place, Rank};
use crate::fault::Reason;
use crate::{Access, Descriptor, Dtype, Fault, Head, Parameter, Signature, lengths, outputs, view};

/// What was passed for an array parameter, as far as it could be read.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// NULL.
    Null,
    /// A pointer at which no descriptor can lie, since it is no multiple of 8.
    Misaligned {
        /// The pointer.
        address: u64,
    },
    /// Something that begins with another head than [`Head::CURRENT`]; the rest was not read.
    Foreign(Head),
    /// A descriptor.
    View(&'a Descriptor),
}

/// Memory that a function writes through a pointer parameter of its own: a number, or a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Name of the parameter.
    pub name: &'static str,
    /// Where the memory begins; 0: NULL was passed, and nothing is written.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
}

/// Holds a call against a signature. `arguments` has one entry for each *array* parameter, in order; one
/// that is missing counts as NULL.
///
/// # Errors
/// The first thing that is wrong, in the order that the [crate] documents.
///
/// # Panics
/// If the signature has more than [`Signature::MAX_ARRAYS`] arrays.
pub fn check(signature: &Signature, arguments: &[Argument<'_>]) -> Result<(), Fault> {
    check_with(signature, arguments, &[])
}

/// [`check`] for a function that also writes through pointers: what it writes there is apart from all
/// arrays.
///
/// # Errors
/// As [`check`], and [`FaultKind::Overlap`](crate::FaultKind::Overlap) at the pointer.
///
/// # Panics
/// As [`check`].
pub fn check_with(signature: &Signature, arguments: &[Argument<'_>], written: &[Written]) -> Result<(), Fault> {
    let (mut arrays, mut count) = ([Array::NONE; Signature::MAX_ARRAYS], 0);
    let mut arguments = arguments.iter();
    for (position, parameter) in signature.parameters.iter().enumerate() {
        let Parameter::Array { name, dtype, dimensions, access, optional } = *parameter else { continue };
        let argument = arguments.next().unwrap_or(&Argument::Null);
        if optional && matches!(argument, Argument::Null) {
            continue;
        }
        let place = Place { name, position: position as i32 };
        let at = |reason| Fault::new(place, reason);
        let view = view::descriptor(argument).map_err(at)?;
        let memory = match view::usual(view, dtype, dimensions.len()) {
            Some(memory) => memory,
            None => view::memory(view, dtype, Rank::Dimensions(dimensions)).map_err(at)?,
        };
        arrays[count] = Array { place, dimensions, access, view, memory };
        count += 1;
    }
    let arrays = &arrays[..count];
    lengths::agree(arrays)?;
    outputs::writable(arrays)?;
    outputs::apart(arrays)?;
    outputs::apart_from_arrays(signature, written, arrays)
}

/// Holds one view against an element type, a number of dimensions (None: any) and an access. The fault
/// names it `view`, at position 0.
///
/// # Errors
/// As [`check`], and [`FaultKind::Dtype`](crate::FaultKind::Dtype) if `dtype` itself is no element type.
pub fn check_view(argument: &Argument<'_>, dtype: Dtype, ndim: Option<i32>, access: Access) -> Result<(), Fault> {
    let place = Place { name: "view", position: 0 };
    let at = |reason| Fault::new(place, reason);
    if !dtype.is_a_type() {
        return Err(at(Reason::NoDtype { asked: dtype }));
    }
    let view = view::descriptor(argument).map_err(at)?;
    let memory = view::memory(view, dtype, ndim.map_or(Rank::Any, Rank::Exactly)).map_err(at)?;
    let array = Array { place, dimensions: &[], access, view, memory };
    outputs::writable(&[array])?;
    outputs::apart(&[array])
}
