//! An array argument: where it stands in the call, and what is known of it once it was looked at.

use crate::{Access, Descriptor, Dimension, MAX_NDIM};

/// Whom a fault is about: an argument, by name and by position in the C parameter list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) name: &'static str,
    pub(crate) position: i32,
}

/// How many dimensions are expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rank {
    Dimensions(&'static [Dimension]),
    Exactly(i32),
    Any,
}

impl Rank {
    /// The number that is expected; for any, the most that there can be.
    pub(crate) fn expected(self) -> i64 {
        match self {
            Self::Dimensions(dimensions) => dimensions.len() as i64,
            Self::Exactly(ndim) => ndim.into(),
            Self::Any => MAX_NDIM as i64,
        }
    }

    pub(crate) fn allows(self, ndim: i32) -> bool {
        let possible = (0..=MAX_NDIM as i32).contains(&ndim);
        possible && (matches!(self, Self::Any) || i64::from(ndim) == self.expected())
    }
}

/// The memory that the elements of a view take: the bytes from `first` up to `end`, though not all in
/// between need be elements. At most `i64::MAX` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) first: u64,
    pub(crate) end: u64,
}

impl Memory {
    /// That of a view without elements, wherever it points.
    pub(crate) const NOTHING: Self = Self { first: 0, end: 0 };

    /// Whether there is a byte that lies between the ends of both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.first < other.end && other.first < self.end
    }
}

/// An array argument that was found sound on its own.
#[derive(Clone, Copy)]
pub(crate) struct Array<'a> {
    pub(crate) place: Place,
    pub(crate) dimensions: &'static [Dimension],
    pub(crate) access: Access,
    pub(crate) view: &'a Descriptor,
    pub(crate) memory: Memory,
}

impl Array<'_> {
    /// Fills the places of a list that are not taken.
    pub(crate) const NONE: Self = Self {
        place: Place { name: "", position: -1 },
        dimensions: &[],
        access: Access::Read,
        view: &Descriptor::EMPTY,
        memory: Memory::NOTHING,
    };
}
