//! How a function says what it takes.

use crate::Dtype;

/// A function's whole parameter list in C, but for the `trfb_error *` at its end: the index of a
/// parameter here is its position there.
#[derive(Debug)]
pub struct Signature {
    /// The name of the function in C.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// One parameter.
#[derive(Debug)]
pub enum Parameter {
    /// A `const trfb_view *`.
    Array {
        /// Its name in C.
        name: &'static str,
        /// The type of its elements.
        dtype: Dtype,
        /// Its dimensions, from the first.
        dimensions: &'static [Dimension],
        /// What the function does with it.
        access: Access,
        /// Whether NULL may stand for it.
        optional: bool,
    },
    /// A number, checked by the function itself.
    Scalar {
        /// Its name in C.
        name: &'static str,
        /// Its type in C.
        c_type: &'static str,
    },
    /// Any other pointer, checked by the function itself.
    Pointer {
        /// Its name in C.
        name: &'static str,
        /// Its type in C.
        c_type: &'static str,
        /// Whether NULL may stand for it.
        optional: bool,
    },
}

/// What a function does with the elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads them.
    Read,
    /// It writes them, and may read them.
    Write,
}

/// The length that a dimension has to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// The same wherever the name occurs in a call.
    Named(&'static str),
    /// This one.
    Fixed(i64),
}

/// An array of a call: where it stands, and what it has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array {
    pub(crate) position: i32,
    pub(crate) name: &'static str,
    pub(crate) dtype: Dtype,
    pub(crate) dimensions: &'static [Dimension],
    pub(crate) access: Access,
    pub(crate) optional: bool,
}

impl Signature {
    /// The parameters that are arrays.
    pub(crate) fn arrays(&self) -> impl Iterator<Item = Array> {
        self.parameters.iter().zip(0..).filter_map(|(parameter, position)| match *parameter {
            Parameter::Array { name, dtype, dimensions, access, optional } => {
                Some(Array { position, name, dtype, dimensions, access, optional })
            }
            Parameter::Scalar { .. } | Parameter::Pointer { .. } => None,
        })
    }

    /// The position of a parameter in the list, from 0.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<i32> {
        self.parameters.iter().zip(0..).find(|(parameter, _)| parameter.name() == name).map(|(_, position)| position)
    }
}

impl Parameter {
    /// The parameter's name in C.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Array { name, .. } | Self::Scalar { name, .. } | Self::Pointer { name, .. } => name,
        }
    }
}
