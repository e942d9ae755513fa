//! The caller's pointers to things other than arrays.
//!
//! They are read and written whole and without alignment: C aligns them, but a caller that builds
//! structs out of bytes may not, and nothing is gained by insisting.

use std::marker::PhantomData;

use crate::failure::Failure;
use crate::{ErrorDetails, FitResult};

/// A pointer to a `T` that the caller promises is there for the time of the call, or NULL.
pub(crate) struct Pointer<'a, T> {
    address: *mut T,
    call: PhantomData<&'a mut T>,
}

impl<T: Copy> Pointer<'_, T> {
    /// # Safety
    ///
    /// `address` is NULL, or the `T` there may be read and written as long as this value lives, and
    /// nobody else writes to it meanwhile. Of a [`Sized32`] only the first 4 bytes have to be there
    /// if they are not its size.
    pub(crate) unsafe fn new(address: *mut T) -> Self {
        Self { address, call: PhantomData }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.address.is_null()
    }

    /// Writes the value, unless the pointer is NULL.
    pub(crate) fn write(&self, value: T) {
        if !self.is_null() {
            // SAFETY: not NULL, so by the promise made to `new` a `T` may be written here. (That a
            // `Sized32` is whole was seen by `checked`, which each use of one begins with.)
            unsafe { self.address.write_unaligned(value) }
        }
    }
}

/// A struct whose first field is its own size, set by the caller.
pub(crate) trait Sized32: Copy {}

impl Sized32 for ErrorDetails {}
impl Sized32 for FitResult {}

impl<T: Sized32> Pointer<'_, T> {
    /// Reads the struct, if there is one; a size that is not its own is refused before more of it is
    /// read than that.
    pub(crate) fn checked(&self, argument: &'static str) -> Result<Option<T>, Failure> {
        if self.is_null() {
            return Ok(None);
        }
        // SAFETY: not NULL, so by the promise made to `new` the first 4 bytes are there; any bytes are
        // a `u32`.
        let actual = unsafe { self.address.cast::<u32>().read_unaligned() };
        let expected = size_of::<T>() as u32;
        if actual != expected {
            return Err(Failure::StructSize { argument, expected, actual });
        }
        // SAFETY: the size is that of a `T`, so by the promise made to `new` there is one. Its fields
        // are numbers, an address, and a function pointer that may be NULL, so that what C may put
        // there is a `T`.
        Ok(Some(unsafe { self.address.read_unaligned() }))
    }
}
