//! The descriptor of an array, with addresses as numbers.

use bytemuck::{Pod, Zeroable};
use static_assertions::const_assert_eq;

use crate::Dtype;

/// First word of a descriptor; the bytes are "TRFV" on a little-endian machine.
pub const VIEW_MAGIC: u32 = 0x5646_5254;
/// Size of a descriptor in bytes.
pub const VIEW_SIZE: u16 = size_of::<Descriptor>() as u16;
/// Version of the ABI that this crate describes.
pub const ABI_VERSION: u16 = 1;
/// Most dimensions that a view can have.
pub const MAX_NDIM: usize = 8;
/// The flag of a view through which nothing may be written.
pub const READONLY: u64 = 1;

/// What has to be read first, and alone: a foreign pointer may point to less than a descriptor.
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
    /// The head of every descriptor that this version takes.
    pub const CURRENT: Self = Self { magic: VIEW_MAGIC, size: VIEW_SIZE, version: ABI_VERSION };

    /// Whether a whole descriptor follows.
    #[must_use]
    pub fn fits(&self) -> bool {
        *self == Self::CURRENT
    }
}

/// `trfb_view` of the C header, byte for byte, with addresses as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Descriptor {
    /// What tells a descriptor from other memory.
    pub head: Head,
    /// Element type.
    pub dtype: Dtype,
    /// Number of dimensions.
    pub ndim: i32,
    /// [`READONLY`] or 0.
    pub flags: u64,
    /// Address of element [0, ..., 0].
    pub data: u64,
    /// Start of the memory that the view may touch; 0 if not known.
    pub base: u64,
    /// Size of that memory in bytes; 0 if not known.
    pub extent: u64,
    /// Lengths; entries from `ndim` on are ignored.
    pub shape: [i64; MAX_NDIM],
    /// Strides in bytes; entries from `ndim` on are ignored.
    pub strides: [i64; MAX_NDIM],
}

const_assert_eq!(size_of::<Head>(), 8);
const_assert_eq!(size_of::<Descriptor>(), 176);
const_assert_eq!(align_of::<Descriptor>(), 8);

impl Descriptor {
    /// A view in C order (last axis contiguous), writable, with no bounds.
    ///
    /// # Panics
    ///
    /// If `shape` has more than [`MAX_NDIM`] entries.
    #[must_use]
    pub fn contiguous(data: u64, dtype: Dtype, shape: &[i64]) -> Self {
        let mut view = Self { head: Head::CURRENT, dtype, ndim: shape.len() as i32, data, ..Self::zeroed() };
        let mut stride = dtype.size();
        for (axis, &length) in shape.iter().enumerate().rev() {
            view.shape[axis] = length;
            view.strides[axis] = stride;
            stride = stride.wrapping_mul(length);
        }
        view
    }

    /// The lengths of the dimensions that there are.
    ///
    /// # Panics
    ///
    /// If `ndim` is not within `0..=MAX_NDIM`.
    #[must_use]
    pub fn lengths(&self) -> &[i64] {
        &self.shape[..self.ndim as usize]
    }

    /// Length and stride of each dimension that moves: one of length 1 has no stride worth a look.
    pub(crate) fn moving(&self) -> impl Iterator<Item = (usize, i64, i64)> {
        let axes = self.lengths().iter().zip(&self.strides).enumerate();
        axes.filter(|(_, (length, _))| **length > 1).map(|(axis, (&length, &stride))| (axis, length, stride))
    }

    /// Whether there is no element.
    pub(crate) fn is_empty(&self) -> bool {
        self.lengths().contains(&0)
    }
}
