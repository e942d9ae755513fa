//! What is wrong with a call.
//!
//! The sentence is the product: whoever reads it is two languages away from this code, knows the
//! argument by its name, and wants to hear what was expected, what came, and what to do.

use std::fmt;

use crate::{ABI_VERSION, Head};
use crate::{Dtype, MAX_NDIM, VIEW_MAGIC, VIEW_SIZE};

/// A fault, and the argument that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Position of the argument in the C parameter list, from 0.
    pub argument: i32,
    /// Its name.
    pub name: &'static str,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What can be wrong with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is NULL.
    Null,
    /// The descriptor's address is not one that a descriptor can have.
    MisalignedView {
        /// The address.
        address: u64,
    },
    /// What it points to begins with another word than a descriptor.
    NotAView {
        /// That word.
        magic: u32,
    },
    /// The descriptor has another size than this library's.
    StructSize {
        /// Its size.
        actual: u16,
    },
    /// The descriptor is of another version.
    AbiVersion {
        /// Its version.
        actual: u16,
    },
    /// It has another number of dimensions.
    Ndim {
        /// The number that it should have; `None` for any that is possible.
        expected: Option<i32>,
        /// The number that it has.
        actual: i32,
    },
    /// Its elements are of another type.
    Dtype {
        /// The type that they should have.
        expected: Dtype,
        /// The type that they have.
        actual: Dtype,
    },
    /// It has flags that this library does not know.
    Flags {
        /// All its flags.
        actual: u64,
    },
    /// A length is negative.
    NegativeLength {
        /// The axis.
        axis: i32,
        /// The length.
        actual: i64,
    },
    /// It has elements, and no address of them.
    NullData,
    /// The data are not aligned to the element type.
    MisalignedData {
        /// Their address.
        address: u64,
        /// The alignment that is needed.
        alignment: i64,
    },
    /// A stride leads to elements that are not aligned.
    MisalignedStride {
        /// The axis.
        axis: i32,
        /// Its stride.
        stride: i64,
        /// The alignment that is needed.
        alignment: i64,
    },
    /// Its elements do not fit the address space.
    AddressSpace {
        /// The axis that alone does not, if there is one.
        axis: Option<i32>,
    },
    /// One of `base` and `extent` is 0, or they wrap.
    BrokenBounds {
        /// The extent given.
        extent: u64,
    },
    /// Its elements lie outside of the memory that it says it may touch.
    Bounds {
        /// The size of that memory.
        extent: u64,
        /// How many bytes lie outside.
        outside: u64,
    },
    /// An axis has another length.
    Length {
        /// The axis.
        axis: i32,
        /// The length that it should have.
        expected: i64,
        /// The length that it has.
        actual: i64,
        /// The argument that fixed it and the name of the length; `None` if the function did.
        fixed_by: Option<(&'static str, &'static str)>,
        /// What would make it fit.
        remedy: Remedy,
    },
    /// It is written to, and is read-only.
    ReadonlyOutput,
    /// It is written to, and has two elements at one place.
    OverlapsItself {
        /// Whether that was shown, or could not be excluded in reasonable time.
        certain: bool,
    },
    /// One of two arguments is written to, and they have memory in common.
    Overlap {
        /// The position of the other.
        other: i32,
        /// Its name.
        other_name: &'static str,
        /// Whether that was shown, or could not be excluded in reasonable time.
        certain: bool,
    },
}

/// What would make a length fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Nothing that could be seen.
    None,
    /// Transposing the argument.
    Transpose,
    /// Transposing the argument that fixed the length.
    TransposeOther,
}

/// The kind of a fault: the number is the status that the C header gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
#[allow(missing_docs, reason = "the names are those of the C header, which explains them")]
pub enum FaultKind {
    Null = 1,
    NotAView = 2,
    StructSize = 3,
    AbiVersion = 4,
    Ndim = 5,
    Dtype = 6,
    Flags = 7,
    NegativeLength = 8,
    NullData = 9,
    Misaligned = 10,
    AddressSpace = 11,
    Bounds = 12,
    Length = 13,
    ReadonlyOutput = 14,
    Overlap = 15,
}

impl Reason {
    /// The reason why a descriptor with this head is none of ours.
    pub(crate) fn of_head(head: Head) -> Self {
        match head {
            Head { magic, .. } if magic != VIEW_MAGIC => Self::NotAView { magic },
            Head { size, .. } if size != VIEW_SIZE => Self::StructSize { actual: size },
            Head { version, .. } => Self::AbiVersion { actual: version },
        }
    }

    fn kind(self) -> FaultKind {
        match self {
            Self::Null => FaultKind::Null,
            Self::MisalignedView { .. } | Self::NotAView { .. } => FaultKind::NotAView,
            Self::StructSize { .. } => FaultKind::StructSize,
            Self::AbiVersion { .. } => FaultKind::AbiVersion,
            Self::Ndim { .. } => FaultKind::Ndim,
            Self::Dtype { .. } => FaultKind::Dtype,
            Self::Flags { .. } => FaultKind::Flags,
            Self::NegativeLength { .. } => FaultKind::NegativeLength,
            Self::NullData => FaultKind::NullData,
            Self::MisalignedData { .. } | Self::MisalignedStride { .. } => FaultKind::Misaligned,
            Self::AddressSpace { .. } => FaultKind::AddressSpace,
            Self::BrokenBounds { .. } | Self::Bounds { .. } => FaultKind::Bounds,
            Self::Length { .. } => FaultKind::Length,
            Self::ReadonlyOutput => FaultKind::ReadonlyOutput,
            Self::OverlapsItself { .. } | Self::Overlap { .. } => FaultKind::Overlap,
        }
    }

    /// What the header calls expected and actual, 0 where it says nothing.
    fn expected_and_actual(self, argument: i32) -> (i64, i64) {
        match self {
            Self::Null | Self::NullData | Self::ReadonlyOutput | Self::AddressSpace { .. } => (0, 0),
            Self::MisalignedView { .. } => (i64::from(VIEW_MAGIC), 0),
            Self::NotAView { magic } => (i64::from(VIEW_MAGIC), i64::from(magic)),
            Self::StructSize { actual } => (i64::from(VIEW_SIZE), i64::from(actual)),
            Self::AbiVersion { actual } => (i64::from(ABI_VERSION), i64::from(actual)),
            Self::Ndim { expected, actual } => (i64::from(expected.unwrap_or(MAX_NDIM as i32)), i64::from(actual)),
            Self::Dtype { expected, actual } => (i64::from(expected.0), i64::from(actual.0)),
            Self::Flags { actual } => (0, actual as i64),
            Self::NegativeLength { actual, .. } => (0, actual),
            Self::MisalignedData { address, alignment } => (alignment, address as i64),
            Self::MisalignedStride { stride, alignment, .. } => (alignment, stride),
            Self::BrokenBounds { extent } | Self::Bounds { extent, .. } => (extent as i64, 0),
            Self::Length { expected, actual, .. } => (expected, actual),
            Self::OverlapsItself { .. } => (0, i64::from(argument)),
            Self::Overlap { other, .. } => (0, i64::from(other)),
        }
    }
}

impl Fault {
    /// The kind of the fault.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        self.reason.kind()
    }

    /// The axis at fault, where there is one.
    #[must_use]
    pub fn axis(&self) -> Option<i32> {
        match self.reason {
            Reason::NegativeLength { axis, .. }
            | Reason::MisalignedStride { axis, .. }
            | Reason::Length { axis, .. } => Some(axis),
            Reason::AddressSpace { axis } => axis,
            _ => None,
        }
    }

    /// What was expected, as a number; see the statuses in the C header.
    #[must_use]
    pub fn expected(&self) -> i64 {
        self.reason.expected_and_actual(self.argument).0
    }

    /// What came, as a number; see the statuses in the C header.
    #[must_use]
    pub fn actual(&self) -> i64 {
        self.reason.expected_and_actual(self.argument).1
    }
}

impl fmt::Display for Fault {
    /// One sentence of at most 255 bytes that begins with the argument's name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.name, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Null => write!(formatter, "is NULL, expected the address of a trfb_view"),
            Self::MisalignedView { address } => write!(
                formatter,
                "is not the address of a trfb_view: {address:#x} is not a multiple of 8; \
                 pass the address of a descriptor, not of the data"
            ),
            Self::NotAView { magic } => write!(
                formatter,
                "is not the address of a trfb_view: its first word is {magic:#010x}, expected {VIEW_MAGIC:#010x}; \
                 pass the address of a descriptor, not of the data"
            ),
            Self::StructSize { actual } => write!(
                formatter,
                "is a trfb_view of {actual} bytes, expected {VIEW_SIZE}; it was made with the header of another build"
            ),
            Self::AbiVersion { actual } => write!(
                formatter,
                "is a trfb_view of ABI version {actual}, expected {ABI_VERSION}; header and library have to be of one build"
            ),
            Self::Ndim { expected: Some(expected), actual } => {
                write!(formatter, "has {actual} dimensions, expected {expected}")
            }
            Self::Ndim { expected: None, actual } => {
                write!(formatter, "has {actual} dimensions, expected 0 to {MAX_NDIM}")
            }
            Self::Dtype { expected, actual } => {
                write!(formatter, "has elements of type {actual}, expected {expected}")
            }
            Self::Flags { actual } => write!(
                formatter,
                "has flags {actual:#x}, expected 0 or 1 (read-only); set all fields of the descriptor"
            ),
            Self::NegativeLength { axis, actual } => {
                write!(formatter, "axis {axis} has length {actual}, expected 0 or more")
            }
            Self::NullData => write!(formatter, "has elements, but its data is NULL"),
            Self::MisalignedData { address, alignment } => write!(
                formatter,
                "data is misaligned: address {address:#x} is not a multiple of {alignment}; pass an aligned copy"
            ),
            Self::MisalignedStride { axis, stride, alignment } => write!(
                formatter,
                "axis {axis} has stride {stride}, which is misaligned: no multiple of {alignment}; \
                 strides are in bytes; pass an aligned copy if that is meant"
            ),
            Self::AddressSpace { axis: Some(axis) } => {
                write!(formatter, "axis {axis}: length times stride leaves the address space")
            }
            Self::AddressSpace { axis: None } => write!(formatter, "leaves the address space"),
            Self::BrokenBounds { extent } => write!(
                formatter,
                "base and extent ({extent} bytes) are no piece of memory; set both to 0 if they are not known"
            ),
            Self::Bounds { extent, outside } => write!(
                formatter,
                "out of bounds: shape and strides reach {outside} bytes outside of the {extent} bytes at base"
            ),
            Self::Length { axis, expected, actual, fixed_by, remedy } => {
                write!(formatter, "axis {axis} has length {actual}, ")?;
                match fixed_by {
                    None => write!(formatter, "expected {expected}")?,
                    Some((argument, length)) => write!(formatter, "but {argument} fixed {length} = {expected}")?,
                }
                match (remedy, fixed_by) {
                    (Remedy::Transpose, _) => write!(formatter, "; its transpose would fit"),
                    (Remedy::TransposeOther, Some((argument, _))) => {
                        write!(formatter, "; is {argument} to be transposed?")
                    }
                    _ => Ok(()),
                }
            }
            Self::ReadonlyOutput => {
                write!(formatter, "is read-only, but the function writes to it; pass a writable array, such as a copy")
            }
            Self::OverlapsItself { certain } => write!(
                formatter,
                "{} itself: two of its elements are at one place, but the function writes to it",
                Overlaps(certain)
            ),
            Self::Overlap { other_name, certain, .. } => write!(
                formatter,
                "{} {other_name}: they share memory, and the function writes to it; pass a copy of one",
                Overlaps(certain)
            ),
        }
    }
}

/// The verb of a sentence on overlap.
struct Overlaps(bool);

impl fmt::Display for Overlaps {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0 { "overlaps" } else { "may overlap" })
    }
}
