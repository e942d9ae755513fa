//! The descriptor of an array as plain data: the mirror of the header's `trfb_view`.
//!
//! Addresses are `u64` here, so that the type has no pointer and any 176 bytes are a value of it. That
//! they fit is what the assertions below hold at compile time; that they are the header's offsets is held
//! by the C harness.

use std::mem::{align_of, offset_of, size_of};

use bytemuck::{Pod, Zeroable};
use static_assertions::{const_assert, const_assert_eq};

use crate::Dtype;

/// First word of a descriptor, which tells it from a data pointer passed by mistake.
pub const VIEW_MAGIC: u32 = 0x5646_5254;

/// Size of a descriptor in bytes.
pub const VIEW_SIZE: u16 = 176;

/// The version of the header that this library was built with.
pub const ABI_VERSION: u16 = 1;

/// Most dimensions that a view can have.
pub const MAX_NDIM: usize = 8;

/// Bit of [`Descriptor::flags`]: the elements may not be written through this view.
pub const READONLY: u64 = 1;

/// What a descriptor begins with: enough to tell whether the rest may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Head {
    /// [`VIEW_MAGIC`].
    pub magic: u32,
    /// [`VIEW_SIZE`].
    pub size: u16,
    /// [`ABI_VERSION`].
    pub version: u16,
}

impl Head {
    /// The head of a descriptor of this version.
    pub const CURRENT: Self = Self { magic: VIEW_MAGIC, size: VIEW_SIZE, version: ABI_VERSION };

    /// Whether a whole [`Descriptor`] of this version follows.
    pub fn fits(&self) -> bool {
        *self == Self::CURRENT
    }
}

/// An array, described. The fields are those of `trfb_view`, in the same places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Descriptor {
    /// [`VIEW_MAGIC`].
    pub magic: u32,
    /// [`VIEW_SIZE`].
    pub size: u16,
    /// [`ABI_VERSION`].
    pub version: u16,
    /// Element type.
    pub dtype: Dtype,
    /// Number of dimensions, 0 to [`MAX_NDIM`].
    pub ndim: i32,
    /// [`READONLY`] or 0.
    pub flags: u64,
    /// Address of element `[0, ..., 0]`; may be 0 if there is no element.
    pub data: u64,
    /// The memory that the view may touch starts here.
    pub base: u64,
    /// Length of that memory in bytes. Base and extent both 0: not known.
    pub extent: u64,
    /// Lengths; entries from `ndim` on are ignored.
    pub shape: [i64; MAX_NDIM],
    /// Steps in bytes, of any sign; entries from `ndim` on are ignored.
    pub strides: [i64; MAX_NDIM],
}

const_assert_eq!(size_of::<Head>(), 8);
const_assert_eq!(size_of::<Descriptor>(), VIEW_SIZE as usize);
const_assert_eq!(align_of::<Descriptor>(), 8);
const_assert!(offset_of!(Descriptor, magic) == 0 && offset_of!(Head, magic) == 0);
const_assert!(offset_of!(Descriptor, size) == 4 && offset_of!(Head, size) == 4);
const_assert!(offset_of!(Descriptor, version) == 6 && offset_of!(Head, version) == 6);
const_assert_eq!(offset_of!(Descriptor, dtype), 8);
const_assert_eq!(offset_of!(Descriptor, ndim), 12);
const_assert_eq!(offset_of!(Descriptor, flags), 16);
const_assert_eq!(offset_of!(Descriptor, data), 24);
const_assert_eq!(offset_of!(Descriptor, base), 32);
const_assert_eq!(offset_of!(Descriptor, extent), 40);
const_assert_eq!(offset_of!(Descriptor, shape), 48);
const_assert_eq!(offset_of!(Descriptor, strides), 112);

impl Descriptor {
    /// A descriptor of this version with nothing else said: no dimension, no data, no bounds. The start
    /// of one that is filled in by field.
    pub const EMPTY: Self = Self {
        magic: VIEW_MAGIC,
        size: VIEW_SIZE,
        version: ABI_VERSION,
        dtype: Dtype::FLOAT64,
        ndim: 0,
        flags: 0,
        data: 0,
        base: 0,
        extent: 0,
        shape: [0; MAX_NDIM],
        strides: [0; MAX_NDIM],
    };

    /// The first 8 bytes.
    pub fn head(&self) -> Head {
        Head { magic: self.magic, size: self.size, version: self.version }
    }

    /// The lengths that count. A nonsensical number of dimensions gives none or all.
    pub(crate) fn lengths(&self) -> &[i64] {
        &self.shape[..self.ndim.clamp(0, MAX_NDIM as i32) as usize]
    }

    /// Axis, length and stride of the dimensions along which there is a step at all.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (usize, i64, i64)> {
        let lengths = self.lengths().iter().zip(&self.strides).enumerate();
        lengths.filter(|(_, (length, _))| **length > 1).map(|(axis, (&length, &stride))| (axis, length, stride))
    }
}
