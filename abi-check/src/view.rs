//! One argument on its own: the checks that need no other argument.
//!
//! [`memory`] says what a sound view is, check by check. [`usual`] says the same of the views that nearly
//! all calls consist of, in one walk over the dimensions and without a word on what is wrong otherwise: a
//! call has nine arrays or more, and the checks one by one took half of its time. What it does not accept
//! goes the long way; a test holds the two ways against each other.

use crate::array::{Memory, Rank};
use crate::fault::Reason;
use crate::{Argument, Descriptor, Dtype, Head, READONLY, VIEW_MAGIC, VIEW_SIZE};

/// The descriptor behind an argument, if it is one of this version.
#[inline]
pub(crate) fn descriptor<'a>(argument: &Argument<'a>) -> Result<&'a Descriptor, Reason> {
    match *argument {
        Argument::View(view) if view.head().fits() => Ok(view),
        Argument::View(view) => Err(foreign(view.head())),
        Argument::Null => Err(Reason::Null),
        Argument::Misaligned { address } => Err(Reason::DescriptorMisaligned { address }),
        Argument::Foreign(head) => Err(foreign(head)),
    }
}

/// What is wrong with a head. One that fits has no business here: its descriptor was not passed on, so
/// nothing can be vouched for, and it counts as of another version.
#[cold]
fn foreign(head: Head) -> Reason {
    match head {
        Head { magic, .. } if magic != VIEW_MAGIC => Reason::Magic { found: magic },
        Head { size, .. } if size != VIEW_SIZE => Reason::Size { found: size },
        Head { version, .. } => Reason::Version { found: version },
    }
}

/// Where the elements of a view lie that has elements and is sound. None: look closer.
#[inline]
pub(crate) fn usual(view: &Descriptor, dtype: Dtype, ndim: usize) -> Option<Memory> {
    let size = dtype.item_size();
    if view.ndim as usize != ndim || view.dtype != dtype || view.flags > READONLY || view.data == 0 {
        return None;
    }
    let (mut elements, mut multiples, mut down, mut up) = (1_i64, view.data.cast_signed(), 0_i64, size);
    for (&length, &stride) in view.shape.get(..ndim)?.iter().zip(&view.strides) {
        if length < 1 {
            return None;
        }
        elements = elements.checked_mul(length)?;
        let step = (length - 1).checked_mul(stride)?;
        multiples |= if length > 1 { stride } else { 0 };
        let side = if step < 0 { &mut down } else { &mut up };
        *side = side.checked_add(step)?;
    }
    up.checked_sub(down)?;
    let memory = Memory { first: view.data.checked_add_signed(down)?, end: view.data.checked_add_signed(up)? };
    let bounded = view.base != 0 && view.extent != 0;
    let inside = memory.first >= view.base && memory.end <= view.base.checked_add(view.extent)?;
    let known = if bounded { inside } else { view.base == view.extent };
    (known && memory.first != 0 && multiples & (size - 1) == 0).then_some(memory)
}

/// Holds a view against an element type and a number of dimensions, and says where its elements lie.
#[cold]
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

/// The first and last byte of the elements. Nothing may wrap, from first to last there may be no more than
/// `i64::MAX` bytes, the most that offsets can express, and at address 0, which is NULL, there is nothing.
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
    if first == 0 { Err(Reason::ElementsLeave) } else { Ok(Memory { first, end }) }
}

/// The elements lie in `[base, base + extent)`, where that is given.
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
