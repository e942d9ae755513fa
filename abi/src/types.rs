//! The structs of the header.

use std::ffi::{c_char, c_void};
use std::mem::offset_of;

use static_assertions::{assert_eq_align, assert_eq_size, const_assert, const_assert_eq};
use trfboost_abi_check::{Descriptor, MAX_NDIM};

use crate::signature::Progress;

/// Size of the sentence in [`ErrorDetails`], its NUL included.
pub const MESSAGE_SIZE: usize = 256;

/// `trfb_view`: an array, described.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct View {
    /// `TRFB_VIEW_MAGIC`.
    pub magic: u32,
    /// `sizeof(trfb_view)`.
    pub size: u16,
    /// `TRFB_ABI_VERSION`.
    pub version: u16,
    /// `enum trfb_dtype`.
    pub dtype: i32,
    /// `0..=TRFB_MAX_NDIM`.
    pub ndim: i32,
    /// `TRFB_READONLY` or 0.
    pub flags: u64,
    /// Address of element `[0, ..., 0]`.
    pub data: *mut c_void,
    /// The memory that the view may touch; NULL: not known.
    pub base: *const c_void,
    /// Its size in bytes; 0: not known.
    pub extent: u64,
    /// Lengths.
    pub shape: [i64; MAX_NDIM],
    /// Strides in bytes.
    pub strides: [i64; MAX_NDIM],
}

assert_eq_size!(View, Descriptor);
assert_eq_align!(View, Descriptor);
const_assert!(offset_of!(View, magic) == offset_of!(Descriptor, magic));
const_assert!(offset_of!(View, size) == offset_of!(Descriptor, size));
const_assert!(offset_of!(View, version) == offset_of!(Descriptor, version));
const_assert!(offset_of!(View, dtype) == offset_of!(Descriptor, dtype));
const_assert!(offset_of!(View, ndim) == offset_of!(Descriptor, ndim));
const_assert!(offset_of!(View, flags) == offset_of!(Descriptor, flags));
const_assert!(offset_of!(View, data) == offset_of!(Descriptor, data));
const_assert!(offset_of!(View, base) == offset_of!(Descriptor, base));
const_assert!(offset_of!(View, extent) == offset_of!(Descriptor, extent));
const_assert!(offset_of!(View, shape) == offset_of!(Descriptor, shape));
const_assert!(offset_of!(View, strides) == offset_of!(Descriptor, strides));

impl View {
    /// The same with addresses as numbers, which is what the validator looks at.
    #[must_use]
    pub fn descriptor(&self) -> &Descriptor {
        // SAFETY: the assertions above say that each field is there, at its place and with its size; any
        // bytes are a `Descriptor`, an address among them read as its number, and the borrow is handed on.
        unsafe { &*(&raw const *self).cast::<Descriptor>() }
    }
}

/// `trfb_error`: what went wrong.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ErrorDetails {
    /// `sizeof(trfb_error)`, set by the caller.
    pub size: u32,
    /// `enum trfb_status`.
    pub status: i32,
    /// Position in the parameter list; -1: none.
    pub argument: i32,
    /// -1: none.
    pub axis: i32,
    /// See the statuses in the header.
    pub expected: i64,
    /// See the statuses in the header.
    pub actual: i64,
    /// A sentence, NUL-terminated.
    pub message: [c_char; MESSAGE_SIZE],
}

const_assert_eq!(size_of::<ErrorDetails>(), 288);

/// `trfb_fit_result`: what `trfb_boosting_fit` says of the fit.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FitResult {
    /// `sizeof(trfb_fit_result)`, set by the caller.
    pub size: u32,
    /// `enum trfb_stop`.
    pub stop: i32,
    /// Number of entries of the history.
    pub entries: i64,
    /// `i_step` of the best entry; -1: the fit failed.
    pub best_step: i64,
    /// Read, not written.
    pub progress: Option<Progress>,
    /// Read, not written.
    pub user: *mut c_void,
}

const_assert_eq!(size_of::<FitResult>(), 40);

/// `trfb_layout_row`: a row of the library's account of the header.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LayoutRow {
    /// The struct of a field; else empty.
    pub owner: *const c_char,
    /// Name of the struct, field or constant.
    pub name: *const c_char,
    /// Type of a field as the header writes it; else empty.
    pub type_name: *const c_char,
    /// `enum trfb_layout_kind`.
    pub kind: i64,
    /// In bytes; a struct's alignment; a constant's value.
    pub offset: i64,
    /// In bytes.
    pub size: i64,
}

const_assert_eq!(size_of::<LayoutRow>(), 48);
