//! How every exported function is entered and left.
//!
//! One mechanism for all: the caller's error struct is looked at first, since without it nothing can
//! be told; then the descriptors are read and held against the function's signature; then the body
//! runs, with views. Whatever ends it (a refusal, a failure, a panic) becomes a status, and a
//! sentence in the error struct. Nothing on the way out needs memory.
//!
//! The panic hook is left as it is. It belongs to the process and not to a library, and what it prints
//! is what a report of the defect needs.

use std::mem::{self, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind};

use trfboost_abi_check::{Argument, Head, Signature, Written, check_with};

use crate::arrays::Arrays;
use crate::failure::Failure;
use crate::pointer::Pointer;
use crate::{ErrorDetails, Status, View};

/// The body of a function that takes arrays, between validation and report. `written` is what it writes
/// through pointers of its own.
///
/// # Safety
///
/// The promises that the header asks of the caller hold until this returns: each of `arguments` is
/// NULL or points to memory of which the first 8 bytes may be read, and the whole descriptor if
/// these are a descriptor's; each element that a valid descriptor describes may be read (for
/// outputs: written) and is not written (for outputs: touched) by anyone else; `details` is as
/// [`Pointer::new`] asks.
pub(crate) unsafe fn with_arrays<const N: usize>(
    signature: &Signature,
    arguments: [*const View; N],
    written: &[Written],
    details: *mut ErrorDetails,
    body: impl FnOnce(&Arrays<'_>) -> Result<(), Failure>,
) -> i32 {
    let checked = || {
        let (mut copies, mut read) = ([const { MaybeUninit::uninit() }; N], [Read::Null; N]);
        for ((read, copy), argument) in read.iter_mut().zip(&mut copies).zip(arguments) {
            // SAFETY: this function's own promise on `arguments`, one by one.
            *read = unsafe { Read::new(argument, copy) };
        }
        check_with(signature, &read.map(Read::argument), written)?;
        let views = read.map(Read::view);
        // SAFETY: `check_with` has just accepted these descriptors for this signature, and this function's
        // promise says that their elements are there.
        body(&unsafe { Arrays::new(signature, &views) })
    };
    // SAFETY: this function's promise on `details`.
    unsafe { guarded(signature, details, checked) }
}

/// Runs a body; its failures and panics become a status and details.
///
/// # Safety
///
/// `details` is as [`Pointer::new`] asks.
pub(crate) unsafe fn guarded(
    signature: &Signature,
    details: *mut ErrorDetails,
    body: impl FnOnce() -> Result<(), Failure>,
) -> i32 {
    // SAFETY: this function's own promise.
    let details = unsafe { Pointer::new(details) };
    if details.check_size("details").is_err() {
        return Status::StructSize as i32;
    }
    // The report is made in here too, lest a panic in the making of its sentence unwinds into C.
    // Unwind safety: after a panic nothing of what `body` had in hand is looked at again.
    let reported = AssertUnwindSafe(|| body().err().map(|failure| failure.details(signature)));
    let report = catch_unwind(reported).unwrap_or_else(|payload| {
        mem::forget(payload); // dropping it might panic in turn
        Some(Failure::Panic.details(signature))
    });
    report.map_or(Status::Ok as i32, |report| {
        details.write(report);
        report.status
    })
}

/// A descriptor, read once into a copy: what a caller does to it during the call changes nothing. All
/// that follows looks at the copy where it lies; with nine arrays, handing it on by value took a third
/// of a call.
#[derive(Clone, Copy)]
pub(crate) enum Read<'a> {
    Null,
    Misaligned(u64),
    Foreign(Head),
    View(&'a View),
}

impl<'a> Read<'a> {
    /// # Safety
    ///
    /// `pointer` is NULL, or the first 8 bytes there may be read, and the whole descriptor if these
    /// are a descriptor's.
    pub(crate) unsafe fn new(pointer: *const View, copy: &'a mut MaybeUninit<View>) -> Self {
        if pointer.is_null() {
            return Self::Null;
        }
        if !pointer.is_aligned() {
            return Self::Misaligned(pointer.addr() as u64);
        }
        // SAFETY: not NULL, aligned for a `View` and so for its head, which may be read; any 8 bytes
        // are a `Head`.
        let head = unsafe { pointer.cast::<Head>().read() };
        if !head.fits() {
            return Self::Foreign(head);
        }
        // SAFETY: the head is a descriptor's, so the whole may be read; any bytes are a `View`, whose
        // fields are numbers and addresses.
        Self::View(copy.write(unsafe { pointer.read() }))
    }

    fn view(self) -> Option<&'a View> {
        match self {
            Self::View(view) => Some(view),
            _ => None,
        }
    }

    /// What the validator is shown.
    pub(crate) fn argument(self) -> Argument<'a> {
        match self {
            Self::Null => Argument::Null,
            Self::Misaligned(address) => Argument::Misaligned { address },
            Self::Foreign(head) => Argument::Foreign(head),
            Self::View(view) => Argument::View(view.descriptor()),
        }
    }
}

#[cfg(test)]
mod tests;
