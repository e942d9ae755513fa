//! Memory that is asked for politely.
//!
//! The size of a filter follows from the caller's numbers, so that a slip (lags in milliseconds
//! where samples are meant) can ask for more than there is. The standard library's answer to that
//! is to abort the process, which a library inside somebody's Python session must not do.

use ndarray::{Array, ArrayView2, CowArray, Dimension, IntoDimension, Ix2};

use crate::{Error, planted};

/// An empty vector with room for `capacity` elements.
pub(crate) fn with_capacity<T>(capacity: usize) -> Result<Vec<T>, Error> {
    let mut vector = Vec::new();
    reserve(&mut vector, capacity)?;
    Ok(vector)
}

/// Empties a vector and makes room for `capacity` elements.
pub(crate) fn clear<T>(vector: &mut Vec<T>, capacity: usize) -> Result<(), Error> {
    vector.clear();
    reserve(vector, capacity)
}

/// One more element, with the usual doubling.
pub(crate) fn push<T>(vector: &mut Vec<T>, value: T) -> Result<(), Error> {
    if vector.len() == vector.capacity() {
        let doubled = vector.len().max(4);
        reserve(vector, doubled)?;
    }
    vector.push(value);
    Ok(())
}

/// A vector of `length` times `value`.
pub(crate) fn filled<T: Clone>(length: usize, value: T) -> Result<Vec<T>, Error> {
    let mut vector = with_capacity(length)?;
    vector.resize(length, value);
    Ok(vector)
}

/// All items, side by side.
pub(crate) fn collected<T>(items: impl IntoIterator<Item = T>) -> Result<Vec<T>, Error> {
    all_of(items.into_iter().map(Ok))
}

/// All items, unless one of them is an error.
pub(crate) fn all_of<T>(items: impl IntoIterator<Item = Result<T, Error>>) -> Result<Vec<T>, Error> {
    let items = items.into_iter();
    let mut vector = with_capacity(items.size_hint().0)?;
    for item in items {
        push(&mut vector, item?)?;
    }
    Ok(vector)
}

/// An array of `shape` in C order in which every element is `value`.
pub(crate) fn array<T, S>(shape: S, value: T) -> Result<Array<T, S::Dim>, Error>
where
    T: Clone,
    S: IntoDimension,
{
    let shape = shape.into_dimension();
    let too_large = Error::OutOfMemory { bytes: u64::MAX };
    let length = shape.size_checked().ok_or(too_large.clone())?;
    Array::from_shape_vec(shape, filled(length, value)?).map_err(|_| too_large)
}

/// `view` with contiguous rows: itself if it has them, else a copy.
pub(crate) fn contiguous_rows(view: ArrayView2<'_, f64>) -> Result<CowArray<'_, f64, Ix2>, Error> {
    if view.is_standard_layout() {
        return Ok(view.into());
    }
    let mut copy = array(view.raw_dim(), 0.0)?;
    copy.assign(&view);
    Ok(copy.into())
}

fn reserve<T>(vector: &mut Vec<T>, additional: usize) -> Result<(), Error> {
    planted::here();
    vector.try_reserve_exact(additional).map_err(|_| {
        let bytes = additional.checked_mul(size_of::<T>()).map_or(u64::MAX, |bytes| bytes as u64);
        Error::OutOfMemory { bytes }
    })
}
