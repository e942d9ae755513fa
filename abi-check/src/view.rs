//! One view, on its own.

use crate::footprint::Footprint;
use crate::{Descriptor, Dtype, MAX_NDIM, READONLY, Reason};

/// Holds a view against an element type and a number of dimensions (`None`: any), and its parts
/// against each other. The footprint is `None` for a view without elements.
pub(crate) fn check(view: &Descriptor, dtype: Dtype, ndim: Option<i32>) -> Result<Option<Footprint>, Reason> {
    let possible = (0..=MAX_NDIM as i32).contains(&view.ndim);
    if !possible || ndim.is_some_and(|ndim| ndim != view.ndim) {
        return Err(Reason::Ndim { expected: ndim, actual: view.ndim });
    }
    if view.dtype != dtype {
        return Err(Reason::Dtype { expected: dtype, actual: view.dtype });
    }
    if view.flags & !READONLY != 0 {
        return Err(Reason::Flags { actual: view.flags });
    }
    if let Some(axis) = view.lengths().iter().position(|&length| length < 0) {
        return Err(Reason::NegativeLength { axis: axis as i32, actual: view.shape[axis] });
    }
    check_count(view.lengths())?;
    if view.is_empty() {
        return Ok(None);
    }
    if view.data == 0 {
        return Err(Reason::NullData);
    }
    check_alignment(view, dtype.alignment())?;
    let footprint = Footprint::of(view)?;
    check_bounds(view, footprint)?;
    Ok(Some(footprint))
}

/// The number of elements can be counted, also where strides of 0 let them take no room, and also
/// with the axes of length 0 left out, since views of a part are made of the lengths that remain.
fn check_count(lengths: &[i64]) -> Result<(), Reason> {
    let count =
        lengths.iter().filter(|&&length| length != 0).try_fold(1_i64, |count, &length| count.checked_mul(length));
    count.map(|_| ()).ok_or(Reason::AddressSpace { axis: None })
}

fn check_alignment(view: &Descriptor, alignment: i64) -> Result<(), Reason> {
    if !view.data.is_multiple_of(alignment as u64) {
        return Err(Reason::MisalignedData { address: view.data, alignment });
    }
    match view.moving().find(|(_, _, stride)| stride % alignment != 0) {
        Some((axis, _, stride)) => Err(Reason::MisalignedStride { axis: axis as i32, stride, alignment }),
        None => Ok(()),
    }
}

fn check_bounds(view: &Descriptor, footprint: Footprint) -> Result<(), Reason> {
    let (base, extent) = (view.base, view.extent);
    if (base, extent) == (0, 0) {
        return Ok(());
    }
    let end = base.checked_add(extent).filter(|_| base != 0 && extent != 0);
    let end = end.ok_or(Reason::BrokenBounds { extent })?;
    match base.saturating_sub(footprint.first) + footprint.end.saturating_sub(end) {
        0 => Ok(()),
        outside => Err(Reason::Bounds { extent, outside }),
    }
}
