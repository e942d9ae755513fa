//! What is wrong with a call: numbers for a program, a sentence for a person.
//!
//! A [`Reason`] is one kind of trouble with all that can be said of it. Two tables turn it into what goes
//! out: [`Reason::columns`] into the status, axis and numbers that the header promises, `Display` into the
//! sentence. Sentences are written from the reader's end: what is wrong, what was expected and, where
//! there is one, the remedy.

use std::fmt;

use crate::array::{Place, Rank};
use crate::{ABI_VERSION, Dimension, Dtype, MAX_NDIM, READONLY, VIEW_MAGIC, VIEW_SIZE};

/// The header's status numbers for what descriptors show, in the order in which they are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum FaultKind {
    /// A descriptor that has to be given is NULL.
    Null = 1,
    /// Not a descriptor: misaligned, or without the magic number.
    NotAView = 2,
    /// A descriptor of another size.
    StructSize = 3,
    /// A descriptor of another version.
    AbiVersion = 4,
    /// Number of dimensions.
    Ndim = 5,
    /// Element type.
    Dtype = 6,
    /// A flag that is not known.
    Flags = 7,
    /// A length below 0.
    NegativeLength = 8,
    /// Elements, but no address.
    NullData = 9,
    /// Address or stride that is no multiple of the alignment.
    Misaligned = 10,
    /// Elements that do not fit the address space.
    AddressSpace = 11,
    /// Elements outside of the bounds, or half a bound.
    Bounds = 12,
    /// A length that is not what it has to be.
    Length = 13,
    /// An output that is read-only.
    ReadonlyOutput = 14,
    /// An output that overlaps itself or another argument.
    Overlap = 15,
}

/// The first thing found wrong with a call. Displays as one sentence of at most 255 bytes that begins
/// with the name of the argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong; as a number, the header's status.
    pub kind: FaultKind,
    /// Position of the argument in the C parameter list.
    pub argument: i32,
    /// Name of the argument.
    pub name: &'static str,
    /// The axis, where the fault has one.
    pub axis: Option<i32>,
    /// What was expected, as the header says for each status.
    pub expected: i64,
    /// What was found, as the header says for each status.
    pub actual: i64,
    reason: Reason,
}

impl Fault {
    #[cold]
    pub(crate) fn new(place: Place, reason: Reason) -> Self {
        let (kind, axis, expected, actual) = reason.columns();
        Self {
            kind,
            argument: place.position,
            name: place.name,
            axis: axis.map(|axis| axis as i32),
            expected,
            actual,
            reason,
        }
    }
}

/// One kind of trouble, with all that can be said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    Null,
    DescriptorMisaligned { address: u64 },
    Magic { found: u32 },
    Size { found: u16 },
    Version { found: u16 },
    Ndim { rank: Rank, found: i32 },
    Dtype { expected: Dtype, found: Dtype },
    NoDtype { asked: Dtype },
    Flags { found: u64 },
    NegativeLength { axis: usize, found: i64 },
    TooManyElements,
    NullData,
    MisalignedData { dtype: Dtype, address: u64 },
    MisalignedStride { dtype: Dtype, axis: usize, stride: i64 },
    AxisLeaves { axis: usize, length: i64, stride: i64 },
    ElementsLeave,
    HalfBound { base: u64, extent: u64 },
    BoundsLeave { base: u64, extent: u64 },
    Outside { first: u64, end: u64, base: u64, extent: u64 },
    Length { axis: usize, expected: i64, found: i64, fixed_by: Option<FixedBy>, remedy: Transpose },
    Readonly,
    OverlapsItself { place: Place, certain: bool },
    Overlaps { other: Place, certain: bool },
}

/// The first dimension of a name, whose length the others have to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedBy {
    pub(crate) argument: &'static str,
    pub(crate) dimension: &'static str,
}

/// Whose transpose would make lengths agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transpose {
    Nothing,
    ThisOne,
    TheOther,
    Both,
}

impl Reason {
    /// What the header promises for each status: kind, axis, expected, actual. Where it says nothing of
    /// a number, 0.
    fn columns(&self) -> (FaultKind, Option<usize>, i64, i64) {
        use FaultKind as Kind;
        match *self {
            Self::Null => (Kind::Null, None, 0, 0),
            Self::DescriptorMisaligned { .. } => (Kind::NotAView, None, 0, 0),
            Self::Magic { found } => (Kind::NotAView, None, VIEW_MAGIC.into(), found.into()),
            Self::Size { found } => (Kind::StructSize, None, VIEW_SIZE.into(), found.into()),
            Self::Version { found } => (Kind::AbiVersion, None, ABI_VERSION.into(), found.into()),
            Self::Ndim { rank, found } => (Kind::Ndim, None, rank.expected(), found.into()),
            Self::Dtype { expected, found } => (Kind::Dtype, None, expected.0.into(), found.0.into()),
            Self::NoDtype { asked } => (Kind::Dtype, None, asked.0.into(), asked.0.into()),
            Self::Flags { found } => (Kind::Flags, None, 0, found.cast_signed()),
            Self::NegativeLength { axis, found } => (Kind::NegativeLength, Some(axis), 0, found),
            Self::NullData => (Kind::NullData, None, 0, 0),
            Self::MisalignedData { dtype, address } => {
                (Kind::Misaligned, None, dtype.alignment(), address.cast_signed())
            }
            Self::MisalignedStride { dtype, axis, stride } => (Kind::Misaligned, Some(axis), dtype.item_size(), stride),
            Self::AxisLeaves { axis, .. } => (Kind::AddressSpace, Some(axis), 0, 0),
            Self::TooManyElements | Self::ElementsLeave => (Kind::AddressSpace, None, 0, 0),
            Self::HalfBound { extent, .. } | Self::BoundsLeave { extent, .. } | Self::Outside { extent, .. } => {
                (Kind::Bounds, None, extent.cast_signed(), 0)
            }
            Self::Length { axis, expected, found, .. } => (Kind::Length, Some(axis), expected, found),
            Self::Readonly => (Kind::ReadonlyOutput, None, 0, 0),
            Self::OverlapsItself { place, .. } => (Kind::Overlap, None, 0, place.position.into()),
            Self::Overlaps { other, .. } => (Kind::Overlap, None, 0, other.position.into()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.reason)
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NOT_THE_DATA: &str = "pass the address of a descriptor, not of the data";
        const ONE_HEADER: &str = "build against the trfboost.h of this library";
        match *self {
            Self::Null => write!(f, "NULL, but an array is needed; pass the address of a trfb_view"),
            Self::DescriptorMisaligned { address } => {
                write!(f, "not a trfb_view (its address {address:#x} is not a multiple of 8); {NOT_THE_DATA}")
            }
            Self::Magic { found } => {
                write!(f, "not a trfb_view (its first word is {found:#x}, expected {VIEW_MAGIC:#x}); {NOT_THE_DATA}")
            }
            Self::Size { found } => write!(f, "trfb_view of {found} bytes, expected {VIEW_SIZE}; {ONE_HEADER}"),
            Self::Version { found } => {
                write!(f, "trfb_view of ABI version {found}, expected {ABI_VERSION}; {ONE_HEADER}")
            }
            Self::Ndim { rank, found } => write!(f, "ndim is {found}, expected {rank}"),
            Self::Dtype { expected: Dtype::INT8, found: Dtype::BOOL } => {
                write!(f, "dtype is bool, expected int8; the bytes are the same, so view it as int8")
            }
            Self::Dtype { expected, found } => write!(f, "dtype is {found}, expected {expected}; convert it"),
            Self::NoDtype { asked } => write!(f, "cannot have dtype {asked}, which is not an element type"),
            Self::Flags { found } => {
                write!(f, "flags are {found:#x}, known is {READONLY:#x} (TRFB_READONLY); set other bits to 0")
            }
            Self::NegativeLength { axis, found } => write!(f, "axis {axis} has length {found}, which is negative"),
            Self::TooManyElements => write!(f, "its lengths multiply to more than 2^63 - 1 elements"),
            Self::NullData => write!(f, "data is NULL, but the shape has elements"),
            Self::MisalignedData { dtype, address } => write!(
                f,
                "data at {address:#x} is misaligned ({dtype} needs a multiple of {}); copy it into a new array",
                dtype.alignment()
            ),
            Self::MisalignedStride { dtype, axis, stride } => write!(
                f,
                "stride {stride} of axis {axis} is misaligned ({dtype} needs a multiple of {}); copy it into a new array",
                dtype.item_size()
            ),
            Self::AxisLeaves { axis, length, stride } => {
                write!(f, "axis {axis} leaves the address space (length {length}, stride {stride})")
            }
            Self::ElementsLeave => write!(f, "its elements leave the address space"),
            Self::HalfBound { base, extent } => {
                write!(f, "base is {base:#x} and extent {extent}; give both, or 0 for both if they are not known")
            }
            Self::BoundsLeave { base, extent } => {
                write!(f, "base {base:#x} and extent {extent} leave the address space")
            }
            Self::Outside { first, end, base, extent } => write!(
                f,
                "its elements lie in bytes {} to {} from base, but extent is {extent}; check shape and strides",
                i128::from(first) - i128::from(base),
                i128::from(end) - i128::from(base)
            ),
            Self::Length { axis, expected, found, fixed_by, remedy } => {
                write!(f, "axis {axis} has length {found}, ")?;
                match fixed_by {
                    None => write!(f, "expected {expected}")?,
                    Some(FixedBy { argument, dimension }) => {
                        write!(f, "but {argument} fixed {dimension} = {expected}")?;
                    }
                }
                remedy.fmt(f, fixed_by)
            }
            Self::Readonly => write!(f, "read-only, but it is written; pass a writable array, such as a copy"),
            Self::OverlapsItself { certain: true, .. } => {
                write!(f, "has elements that share memory, but it is written; pass a copy")
            }
            Self::OverlapsItself { certain: false, .. } => {
                write!(f, "may overlap itself (strides too intricate to tell), but it is written; pass a copy")
            }
            Self::Overlaps { other, certain: true } => {
                write!(f, "shares memory with {}, but it is written; pass a copy of one of them", other.name)
            }
            Self::Overlaps { other, certain: false } => write!(
                f,
                "may overlap {} (strides too intricate to tell), but it is written; pass a copy of one of them",
                other.name
            ),
        }
    }
}

impl Transpose {
    fn fmt(self, f: &mut fmt::Formatter<'_>, fixed_by: Option<FixedBy>) -> fmt::Result {
        let other = fixed_by.map_or("", |fixed_by| fixed_by.argument);
        match self {
            Self::Nothing => Ok(()),
            Self::ThisOne => write!(f, "; its transpose would fit"),
            Self::TheOther => write!(f, "; the transpose of {other} would fit"),
            Self::Both => write!(f, "; the transposes of both would fit"),
        }
    }
}

/// What number of dimensions is expected, and what they mean: `2: [n, T]`.
impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dimensions = match *self {
            Self::Dimensions(dimensions) => dimensions,
            Self::Exactly(ndim) => return write!(f, "{ndim}"),
            Self::Any => return write!(f, "0 to {MAX_NDIM}"),
        };
        write!(f, "{}: [", dimensions.len())?;
        for (axis, dimension) in dimensions.iter().enumerate() {
            let comma = if axis == 0 { "" } else { ", " };
            match dimension {
                Dimension::Named(name) => write!(f, "{comma}{name}")?,
                Dimension::Fixed(length) => write!(f, "{comma}{length}")?,
            }
        }
        f.write_str("]")
    }
}
