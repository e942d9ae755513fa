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

/// How axes are nested in memory. An array of fewer than three has the first two of these orders only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    /// The last axis is the innermost.
    C,
    /// The first axis is the innermost, as in the transpose of a C array.
    Fortran,
    /// The first axis is the innermost, all others lie as in C.
    FirstInnermost,
    /// The last axis is the outermost, all others lie as in C.
    LastOutermost,
}

impl Order {
    fn innermost_first(self, ndim: usize) -> Vec<usize> {
        let mut axes: Vec<usize> = (0..ndim).rev().collect();
        match self {
            Self::C => {}
            Self::Fortran => axes.reverse(),
            Self::FirstInnermost => axes.rotate_right(ndim.min(1)),
            Self::LastOutermost => axes.rotate_left(ndim.min(1)),
        }
        axes
    }
}

/// Which axes run from high addresses to low.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reversed {
    None,
    All,
    First,
    Last,
}

impl Reversed {
    fn contains(self, axis: usize, ndim: usize) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::First => axis == 0,
            Self::Last => axis + 1 == ndim,
        }
    }
}

/// How an array lies in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) order: Order,
    pub(crate) reversed: Reversed,
    /// Each axis takes one of so many places.
    pub(crate) step: usize,
    /// The descriptor tells the bounds of the memory.
    pub(crate) bounded: bool,
}

pub(crate) const CONTIGUOUS: Layout = Layout { order: Order::C, reversed: Reversed::None, step: 1, bounded: false };

pub(crate) const LAYOUTS: [Layout; 11] = [
    CONTIGUOUS,
    Layout { order: Order::Fortran, ..CONTIGUOUS },
    Layout { reversed: Reversed::All, bounded: true, ..CONTIGUOUS },
    Layout { step: 3, ..CONTIGUOUS },
    Layout { order: Order::Fortran, reversed: Reversed::All, ..CONTIGUOUS },
    Layout { order: Order::Fortran, reversed: Reversed::All, step: 2, bounded: true },
    // Strides of both signs, and orders that are neither C's nor Fortran's.
    Layout { reversed: Reversed::Last, ..CONTIGUOUS },
    Layout { reversed: Reversed::First, bounded: true, ..CONTIGUOUS },
    Layout { order: Order::LastOutermost, ..CONTIGUOUS },
    Layout { order: Order::FirstInnermost, reversed: Reversed::First, step: 2, bounded: true },
    Layout { order: Order::LastOutermost, reversed: Reversed::Last, step: 3, bounded: false },
];

/// What memory between elements holds; as a double it is -1.2e-103, which would not go unnoticed.
const GAP: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// An array in memory of its own.
#[derive(Clone)]
pub(crate) struct Placed {
    words: Vec<u64>,
    shape: Vec<usize>,
    /// Byte of the element [0, ..., 0] in `words`, and steps from there.
    first: usize,
    strides: Vec<isize>,
    /// The byte at which each element begins, in C order.
    places: Vec<usize>,
    size: usize,
    dtype: i32,
    bounded: bool,
}

impl Placed {
    /// `values` are in C order.
    pub(crate) fn new<T: Element>(shape: &[usize], values: &[T], layout: Layout) -> Self {
        // Of an empty array other axes may be of any length, and take no room.
        let empty = shape.contains(&0);
        let room: Vec<usize> = shape.iter().map(|&length| if empty { 1 } else { length }).collect();
        assert_eq!(values.len(), if empty { 0 } else { room.iter().product() });
        let mut strides = vec![0; shape.len()];
        let mut stride = size_of::<T>();
        for axis in layout.order.innermost_first(shape.len()) {
            stride *= layout.step;
            strides[axis] = stride as isize;
            stride *= room[axis];
        }
        let mut first = 0;
        for axis in (0..shape.len()).filter(|&axis| layout.reversed.contains(axis, shape.len())) {
            first += (room[axis] - 1) * strides[axis] as usize;
            strides[axis] = -strides[axis];
        }
        let words = vec![GAP; stride.div_ceil(8).max(1)]; // no more: a sanitizer sees what is read behind them
        let (size, dtype, bounded) = (size_of::<T>(), T::DTYPE, layout.bounded);
        let places = if empty { Vec::new() } else { places(first, &room, &strides) };
        let mut placed = Self { words, shape: shape.to_vec(), first, strides, places, size, dtype, bounded };
        placed.set_elements(bytemuck::cast_slice(values));
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
        self.places.iter().copied().map(element).collect()
    }

    /// Replaces the elements.
    pub(crate) fn write<T: Element>(&mut self, value: impl Fn(usize, T) -> T) {
        let new: Vec<T> = self.read().into_iter().enumerate().map(|(index, old)| value(index, old)).collect();
        self.set_elements(bytemuck::cast_slice(&new));
    }

    /// The bytes of the elements, in C order.
    pub(crate) fn elements(&self) -> Vec<u8> {
        let bytes = bytemuck::cast_slice::<u64, u8>(&self.words);
        self.places.iter().flat_map(|&place| &bytes[place..place + self.size]).copied().collect()
    }

    /// Sets the bytes of the elements, given in C order.
    pub(crate) fn set_elements(&mut self, bytes: &[u8]) {
        let memory = bytemuck::cast_slice_mut::<u64, u8>(&mut self.words);
        for (&place, bytes) in self.places.iter().zip(bytes.chunks_exact(self.size)) {
            memory[place..place + self.size].copy_from_slice(bytes);
        }
    }

    /// Has the elements along an axis be its first one, by a stride of 0.
    pub(crate) fn repeat(&mut self, axis: usize) {
        self.strides[axis] = 0;
        self.places = places(self.first, &self.shape, &self.strides);
    }

    /// The bytes from the first of the lowest element to the last of the highest, and the place of the
    /// element [0, ..., 0] among them.
    pub(crate) fn span(&mut self) -> (&mut [u8], usize) {
        let (low, high) = (self.places.iter().min(), self.places.iter().max());
        let range = low.zip(high).map_or(0..0, |(&low, &high)| low..high + self.size);
        let first = if range.is_empty() { 0 } else { self.first - range.start };
        (&mut bytemuck::cast_slice_mut::<u64, u8>(&mut self.words)[range], first)
    }

    /// All of the memory.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// All of the memory but for the elements.
    pub(crate) fn gaps(&self) -> Vec<u8> {
        let mut bytes = bytemuck::cast_slice::<u64, u8>(&self.words).to_vec();
        self.places.iter().for_each(|&place| bytes[place..place + self.size].fill(0));
        bytes
    }
}

/// The byte at which each element begins, in C order.
fn places(first: usize, shape: &[usize], strides: &[isize]) -> Vec<usize> {
    let mut places = vec![first];
    for (&length, &stride) in shape.iter().zip(strides) {
        let along = |place: usize| (0..length as isize).map(move |index| place.wrapping_add_signed(index * stride));
        places = places.into_iter().flat_map(along).collect();
    }
    places
}
