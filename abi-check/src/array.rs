//! One argument on its own: the checks that need no other argument.

use crate::fault::Reason;
use crate::{ABI_VERSION, Access, Argument, Descriptor, Dimension, Dtype, Head, MAX_NDIM, READONLY};
use crate::{VIEW_MAGIC, VIEW_SIZE};

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

    fn allows(self, ndim: i32) -> bool {
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

/// The descriptor behind an argument, if it is one of this version.
#[inline(always)]
pub(crate) fn descriptor<'a>(argument: &Argument<'a>) -> Result<&'a Descriptor, Reason> {
    match *argument {
        Argument::Null => Err(Reason::Null),
        Argument::Misaligned { address } => Err(Reason::DescriptorMisaligned { address }),
        // A head that fits has its descriptor behind it, which is then what is passed here; without it
        // there is nothing that could be vouched for.
        Argument::Foreign(head) => Err(head_fault(head).unwrap_or(Reason::Magic { found: head.magic })),
        Argument::View(view) if view.head().fits() => Ok(view),
        Argument::View(view) => descriptor(&Argument::Foreign(view.head())),
    }
}

fn head_fault(head: Head) -> Option<Reason> {
    let Head { magic, size, version } = head;
    match (magic == VIEW_MAGIC, size == VIEW_SIZE, version == ABI_VERSION) {
        (false, _, _) => Some(Reason::Magic { found: magic }),
        (_, false, _) => Some(Reason::Size { found: size }),
        (_, _, false) => Some(Reason::Version { found: version }),
        (true, true, true) => None,
    }
}

/// Holds a view against an element type and a number of dimensions, and says where its elements lie.
#[inline(always)]
pub(crate) fn memory(view: &Descriptor, dtype: Dtype, rank: Rank) -> Result<Memory, Reason> {
    if !rank.allows(view.ndim) {
        return Err(Reason::Ndim { rank, found: view.ndim });
    }
    if view.dtype != dtype {
        return Err(Reason::Dtype { expected: dtype, found: view.dtype });
    }
    if view.flags & !READONLY != 0 {
        return Err(Reason::Flags { found: view.flags });
    }
    if is_empty(view)? {
        return Ok(Memory::NOTHING);
    }
    if view.data == 0 {
        return Err(Reason::NullData);
    }
    aligned(view)?;
    let memory = reach(view)?;
    inside_bounds(view, memory)?;
    Ok(memory)
}

/// Whether there is no element. That the lengths multiply without overflow holds of empty views too,
/// zeros left out: it is what NumPy and ndarray ask of a shape.
#[inline(always)]
fn is_empty(view: &Descriptor) -> Result<bool, Reason> {
    let (mut elements, mut too_many, mut empty) = (1_i64, false, false);
    for (axis, &length) in view.lengths().iter().enumerate() {
        if length < 0 {
            return Err(Reason::NegativeLength { axis, found: length });
        }
        let (product, overflows) = elements.overflowing_mul(length.max(1));
        (elements, too_many, empty) = (product, too_many | overflows, empty | (length == 0));
    }
    if too_many { Err(Reason::TooManyElements) } else { Ok(empty) }
}

/// Address and strides are multiples of what the element needs. Sizes are powers of two, so the bits
/// below the size have to be 0.
#[inline(always)]
fn aligned(view: &Descriptor) -> Result<(), Reason> {
    let dtype = view.dtype;
    if view.data.cast_signed() & (dtype.alignment() - 1) != 0 {
        return Err(Reason::MisalignedData { dtype, address: view.data });
    }
    match view.steps().find(|(_, _, stride)| stride & (dtype.item_size() - 1) != 0) {
        Some((axis, _, stride)) => Err(Reason::MisalignedStride { dtype, axis, stride }),
        None => Ok(()),
    }
}

/// The first and last byte of the elements. Nothing may wrap, and from first to last there may be no more
/// than `i64::MAX` bytes, the most that offsets can express.
#[inline(always)]
fn reach(view: &Descriptor) -> Result<Memory, Reason> {
    let (mut down, mut up) = (0_i64, view.dtype.item_size());
    for (axis, length, stride) in view.steps() {
        let step = (length - 1).checked_mul(stride).ok_or(Reason::AxisLeaves { axis, length, stride })?;
        let side = if step < 0 { &mut down } else { &mut up };
        *side = side.checked_add(step).ok_or(Reason::ElementsLeave)?;
    }
    up.checked_sub(down).ok_or(Reason::ElementsLeave)?;
    let first = view.data.checked_add_signed(down).ok_or(Reason::ElementsLeave)?;
    let end = view.data.checked_add_signed(up).ok_or(Reason::ElementsLeave)?;
    Ok(Memory { first, end })
}

/// The elements lie in `[base, base + extent)`, where that is given.
#[inline(always)]
fn inside_bounds(view: &Descriptor, Memory { first, end }: Memory) -> Result<(), Reason> {
    let Descriptor { base, extent, .. } = *view;
    if base == 0 && extent == 0 {
        return Ok(());
    }
    if base == 0 || extent == 0 {
        return Err(Reason::HalfBound { base, extent });
    }
    let limit = base.checked_add(extent).ok_or(Reason::BoundsLeave { base, extent })?;
    if first < base || end > limit {
        return Err(Reason::Outside { first, end, base, extent });
    }
    Ok(())
}
