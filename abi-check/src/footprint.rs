//! The memory between a view's first byte and its last.

use crate::{Descriptor, Reason};

/// The bytes `first..end`. Between them a view with strides may leave gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Footprint {
    pub(crate) first: u64,
    pub(crate) end: u64,
}

impl Footprint {
    /// Of a view with elements, in arithmetic that does not wrap.
    ///
    /// Each side of the data, and both together, have to stay within `i64::MAX` bytes: no object is
    /// larger, and differences of addresses are signed.
    pub(crate) fn of(view: &Descriptor) -> Result<Self, Reason> {
        let (mut below, mut above) = (0_i64, view.dtype.size());
        for (axis, length, stride) in view.moving() {
            let side = if stride < 0 { &mut below } else { &mut above };
            let reach = stride.checked_abs().and_then(|stride| stride.checked_mul(length - 1));
            let reach = reach.ok_or(Reason::AddressSpace { axis: Some(axis as i32) })?;
            *side = side.checked_add(reach).ok_or(Reason::AddressSpace { axis: None })?;
        }
        let within = below.checked_add(above).and_then(|_| {
            let first = view.data.checked_sub(below as u64)?;
            let end = view.data.checked_add(above as u64)?;
            Some(Self { first, end })
        });
        within.ok_or(Reason::AddressSpace { axis: None })
    }

    /// Whether the two have a byte in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.first < other.end && other.first < self.end
    }
}
