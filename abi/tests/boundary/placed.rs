//! Arrays laid out in memory by hand, with their descriptors.

use std::ptr;

use bytemuck::Pod;
use trfboost::View;

/// An element type and its number in the header.
pub(crate) trait Element: Pod {
    const DTYPE: i32;
}

impl Element for f64 {
    const DTYPE: i32 = 0x6608;
}

impl Element for i64 {
    const DTYPE: i32 = 0x6908;
}

impl Element for i8 {
    const DTYPE: i32 = 0x6901;
}

/// How an array lies in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The first axis is the innermost, as in Fortran and in the transpose of a C array.
    pub(crate) transposed: bool,
    /// Each axis runs from high addresses to low.
    pub(crate) reversed: bool,
    /// Each axis takes one of so many places.
    pub(crate) step: usize,
    /// The descriptor tells the bounds of the memory.
    pub(crate) bounded: bool,
}

pub(crate) const CONTIGUOUS: Layout = Layout { transposed: false, reversed: false, step: 1, bounded: false };

pub(crate) const LAYOUTS: [Layout; 6] = [
    CONTIGUOUS,
    Layout { transposed: true, ..CONTIGUOUS },
    Layout { reversed: true, bounded: true, ..CONTIGUOUS },
    Layout { step: 3, ..CONTIGUOUS },
    Layout { transposed: true, reversed: true, ..CONTIGUOUS },
    Layout { transposed: true, reversed: true, step: 2, bounded: true },
];

/// What memory between elements holds; as a double it is -1.2e-103, which would not go unnoticed.
const GAP: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// An array in memory of its own.
pub(crate) struct Placed {
    words: Vec<u64>,
    shape: Vec<usize>,
    /// Byte of the element [0, ..., 0] in `words`, and steps from there.
    first: usize,
    strides: Vec<isize>,
    size: usize,
    dtype: i32,
    bounded: bool,
}

impl Placed {
    /// `values` are in C order.
    pub(crate) fn new<T: Element>(shape: &[usize], values: &[T], layout: Layout) -> Self {
        assert_eq!(values.len(), shape.iter().product::<usize>());
        let mut strides = vec![0; shape.len()];
        let mut stride = size_of::<T>();
        let innermost_first = |place: usize| if layout.transposed { place } else { shape.len() - 1 - place };
        for axis in (0..shape.len()).map(innermost_first) {
            stride *= layout.step;
            strides[axis] = stride as isize;
            stride *= shape[axis];
        }
        let mut first = 0;
        if layout.reversed {
            first =
                shape.iter().zip(&strides).map(|(&length, &stride)| length.saturating_sub(1) * stride as usize).sum();
            strides.iter_mut().for_each(|stride| *stride = -*stride);
        }
        let words = vec![GAP; stride.div_ceil(8) + 1];
        let (size, dtype, bounded) = (size_of::<T>(), T::DTYPE, layout.bounded);
        let mut placed = Self { words, shape: shape.to_vec(), first, strides, size, dtype, bounded };
        for (place, value) in placed.places().into_iter().zip(values) {
            placed.bytes_mut()[place..place + size].copy_from_slice(bytemuck::bytes_of(value));
        }
        placed
    }

    /// The descriptor, as C would fill it in.
    pub(crate) fn view(&mut self) -> View {
        let (base, extent) = (self.words.as_mut_ptr(), 8 * self.words.len() as u64);
        let fill = |values: &[i64]| std::array::from_fn(|axis| values.get(axis).copied().unwrap_or(-77));
        View {
            magic: 0x5646_5254,
            size: 176,
            version: 1,
            dtype: self.dtype,
            ndim: self.shape.len() as i32,
            flags: 0,
            data: base.cast::<u8>().wrapping_add(self.first).cast(),
            base: if self.bounded { base.cast_const().cast() } else { ptr::null() },
            extent: if self.bounded { extent } else { 0 },
            shape: fill(&self.shape.iter().map(|&length| length as i64).collect::<Vec<_>>()),
            strides: fill(&self.strides.iter().map(|&stride| stride as i64).collect::<Vec<_>>()),
        }
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The elements in C order.
    pub(crate) fn read<T: Element>(&self) -> Vec<T> {
        assert_eq!(self.dtype, T::DTYPE);
        let bytes = bytemuck::cast_slice::<u64, u8>(&self.words);
        let element = |place: usize| bytemuck::pod_read_unaligned(&bytes[place..place + self.size]);
        self.places().into_iter().map(element).collect()
    }

    /// Replaces the elements.
    pub(crate) fn write<T: Element>(&mut self, value: impl Fn(usize, T) -> T) {
        for (index, (place, old)) in self.places().into_iter().zip(self.read::<T>()).enumerate() {
            let new = value(index, old);
            let size = self.size;
            self.bytes_mut()[place..place + size].copy_from_slice(bytemuck::bytes_of(&new));
        }
    }

    /// The bytes of the elements, in C order.
    pub(crate) fn elements(&self) -> Vec<u8> {
        let bytes = bytemuck::cast_slice::<u64, u8>(&self.words);
        self.places().into_iter().flat_map(|place| &bytes[place..place + self.size]).copied().collect()
    }

    /// The bytes from the first of the lowest element to the last of the highest, and the place of the
    /// element [0, ..., 0] among them.
    pub(crate) fn span(&mut self) -> (&mut [u8], usize) {
        let places = self.places();
        let (low, high) = (places.iter().min(), places.iter().max());
        let range = low.zip(high).map_or(0..0, |(&low, &high)| low..high + self.size);
        let first = if range.is_empty() { 0 } else { self.first - range.start };
        (&mut self.bytes_mut()[range], first)
    }

    /// All of the memory.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// All of the memory but for the elements.
    pub(crate) fn gaps(&self) -> Vec<u8> {
        let mut bytes = bytemuck::cast_slice::<u64, u8>(&self.words).to_vec();
        self.places().into_iter().for_each(|place| bytes[place..place + self.size].fill(0));
        bytes
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.words)
    }

    /// The byte at which each element begins, in C order.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![self.first];
        for (&length, &stride) in self.shape.iter().zip(&self.strides) {
            let along = |place: usize| (0..length as isize).map(move |index| place.wrapping_add_signed(index * stride));
            places = places.into_iter().flat_map(along).collect();
        }
        places
    }
}
