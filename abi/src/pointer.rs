//! The caller's pointers to things other than arrays.
//!
//! They are read and written without alignment: C aligns them, but a caller that builds
//! structs out of bytes may not, and nothing is gained by insisting.

use std::ffi::c_void;
use std::marker::PhantomData;

use trfboost_abi_check::Written;

use crate::failure::Failure;
use crate::signature::Progress;
use crate::{ErrorDetails, FitResult};

/// A pointer to a `T` that the caller promises is there for the time of the call, or NULL.
pub(crate) struct Pointer<'a, T> {
    address: *mut T,
    call: PhantomData<&'a mut T>,
}

impl<T: Copy> Pointer<'_, T> {
    /// # Safety
    ///
    /// `address` is NULL, or the `T` there may be read and written as long as this value lives, and no
    /// other thread does so meanwhile. Of a [`Sized32`] only the first 4 bytes have to be there
    /// if they are not its size.
    pub(crate) unsafe fn new(address: *mut T) -> Self {
        Self { address, call: PhantomData }
    }

    /// What may be written here, for the validator.
    pub(crate) fn written(&self, name: &'static str) -> Written {
        Written { name, address: self.address.addr() as u64, size: size_of::<T>() as u64 }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.address.is_null()
    }

    /// Writes the value, unless the pointer is NULL.
    pub(crate) fn write(&self, value: T) {
        if !self.is_null() {
            // SAFETY: not NULL, so by the promise made to `new` a `T` may be written here. (That a
            // `Sized32` is whole was seen by `check_size`, which each use of one begins with.)
            unsafe { self.address.write_unaligned(value) }
        }
    }
}

/// A struct whose first field is its own size, set by the caller.
pub(crate) trait Sized32: Copy {}

impl Sized32 for ErrorDetails {}
impl Sized32 for FitResult {}

impl<T: Sized32> Pointer<'_, T> {
    /// Refuses a struct, if there is one, whose size is not its own. No more of it is read than that.
    pub(crate) fn check_size(&self, argument: &'static str) -> Result<(), Failure> {
        if self.is_null() {
            return Ok(());
        }
        // SAFETY: not NULL, so by the promise made to `new` the first 4 bytes are there; any bytes are
        // a `u32`.
        let actual = unsafe { self.address.cast::<u32>().read_unaligned() };
        let expected = size_of::<T>() as u32;
        if actual == expected { Ok(()) } else { Err(Failure::StructSize { argument, expected, actual }) }
    }
}

/// Each field on its own: those that the library writes need not hold anything before, and those that
/// the caller writes may change during the call.
impl Pointer<'_, FitResult> {
    /// The callback and what it is called with, after [`check_size`](Self::check_size).
    pub(crate) fn progress(&self) -> Option<(Option<Progress>, *mut c_void)> {
        // SAFETY: not NULL, and its size was checked, so by the promise made to `new` there is a
        // `FitResult`. A function pointer that may be NULL, and an address, are what C puts there.
        (!self.is_null()).then(|| unsafe {
            let result = self.address;
            ((&raw const (*result).progress).read_unaligned(), (&raw const (*result).user).read_unaligned())
        })
    }

    /// Writes what is said of a fit, likewise, unless the pointer is NULL.
    pub(crate) fn report(&self, stop: i32, entries: i64, best_step: i64) {
        if self.is_null() {
            return;
        }
        // SAFETY: as for `progress`; by the promise made to `new` it may also be written.
        unsafe {
            let result = self.address;
            (&raw mut (*result).stop).write_unaligned(stop);
            (&raw mut (*result).entries).write_unaligned(entries);
            (&raw mut (*result).best_step).write_unaligned(best_step);
        }
    }
}
