//! What a function takes, as data.

use crate::Dtype;

/// What a function does with an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only reads it.
    Read,
    /// Writes it, or reads and writes it.
    Write,
}

/// What a length has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// The same as that of every dimension of this name in the call. The first one fixes it.
    Named(&'static str),
    /// This number.
    Fixed(i64),
}

/// One parameter of a C function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// An array, passed as `const trfb_view *`.
    Array {
        /// Name in the header.
        name: &'static str,
        /// Element type.
        dtype: Dtype,
        /// One entry for each dimension.
        dimensions: &'static [Dimension],
        /// Whether the function writes it.
        access: Access,
        /// Whether NULL may be passed.
        optional: bool,
    },
    /// A number, passed by value.
    Scalar {
        /// Name in the header.
        name: &'static str,
        /// Type in the header.
        c_type: &'static str,
    },
    /// Any other pointer, to data or to a function.
    Pointer {
        /// Name in the header.
        name: &'static str,
        /// Type in the header.
        c_type: &'static str,
        /// Whether NULL may be passed.
        optional: bool,
    },
}

impl Parameter {
    /// Name in the header.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match *self {
            Self::Array { name, .. } | Self::Scalar { name, .. } | Self::Pointer { name, .. } => name,
        }
    }
}

/// A C function of the header: its whole parameter list but for the `trfb_error *` at its end, so that
/// the index in `parameters` is the position in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Name in the header.
    pub name: &'static str,
    /// Parameters in order. At most [`Signature::MAX_ARRAYS`] are arrays, with at most
    /// [`Signature::MAX_NAMES`] names of lengths among them.
    pub parameters: &'static [Parameter],
}

impl Signature {
    /// Most arrays that a call can have: the checks keep what they found on the stack.
    pub const MAX_ARRAYS: usize = 16;

    /// Most names of lengths that a call can have, likewise.
    pub const MAX_NAMES: usize = 16;

    /// The position of a parameter in the C parameter list; -1 if it has none of that name.
    #[must_use]
    pub fn position(&self, name: &str) -> i32 {
        let found = self.parameters.iter().zip(0..).find(|(parameter, _)| parameter.name() == name);
        found.map_or(-1, |(_, position)| position)
    }
}
