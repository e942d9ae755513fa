//! Views of the caller's arrays.
//!
//! A descriptor counts strides in bytes and gives the address of element [0, ..., 0]. ndarray counts
//! them in elements and takes only those that are not negative, so a view is begun at the lowest
//! address and reversed axes are turned round afterwards.

use std::cell::Cell;
use std::ptr;

use ndarray::{ArrayView, ArrayViewMut, Axis, Dimension, RawArrayView, RawArrayViewMut, ShapeBuilder, StrideShape};
use trfboost_abi_check::{Access, Dtype, MAX_NDIM, Parameter, Signature};

use crate::View;

/// The element types that functions take.
pub(crate) trait Element: Copy {
    const DTYPE: Dtype;
}

impl Element for f64 {
    const DTYPE: Dtype = Dtype::FLOAT64;
}

impl Element for i64 {
    const DTYPE: Dtype = Dtype::INT64;
}

impl Element for i8 {
    const DTYPE: Dtype = Dtype::INT8;
}

/// The arrays of a call that was checked, to be asked for by name.
///
/// The requests are held against the signature at run time: asking for an array as something that it
/// is not is a defect of this crate, which ends in a panic and so in a status, never in a wrong view.
pub(crate) struct Arrays<'a> {
    signature: &'a Signature,
    views: &'a [Option<&'a View>],
    /// Which outputs were handed out. A second view of one would be a second unique reference.
    taken: [Cell<bool>; Signature::MAX_ARRAYS],
}

impl<'a> Arrays<'a> {
    /// # Safety
    ///
    /// `views` are the arrays of a call that [`trfboost_abi_check::check`] accepted for `signature`,
    /// `None` where NULL was given. As long as this value lives, each of their elements is initialised
    /// and may be read, and nobody writes to it; each element of an output may be written, and nobody
    /// else touches it.
    pub(crate) unsafe fn new(signature: &'a Signature, views: &'a [Option<&'a View>]) -> Self {
        Self { signature, views, taken: Default::default() }
    }

    /// An input.
    pub(crate) fn input<T: Element, D: Dimension>(&self, name: &str) -> ArrayView<'_, T, D> {
        let (_, view) = self.find::<T>(name, Access::Read);
        let Place { first, shape, reversed } = Place::<T, D>::of(view.expect("an input is never NULL"));
        // SAFETY: `Place` says why `first` and `shape` are what ndarray asks for, and that they are
        // exactly the elements of the descriptor. By the promise made to `new` these are initialised
        // and nobody writes to them while the borrow of `self` lasts; the outputs of the call share no
        // byte with them, as `check` has seen.
        let mut array = unsafe { RawArrayView::from_shape_ptr(shape, first.cast_const()).deref_into_view() };
        reversed.into_iter().for_each(|axis| array.invert_axis(axis));
        array
    }

    /// An output, once; `None` if NULL was given.
    pub(crate) fn output<T: Element, D: Dimension>(&self, name: &str) -> Option<ArrayViewMut<'_, T, D>> {
        let (index, view) = self.find::<T>(name, Access::Write);
        assert!(!self.taken[index].replace(true), "{name} is handed out once");
        let Place { first, shape, reversed } = Place::<T, D>::of(view?);
        // SAFETY: as for `input`; and the view is the only one of these elements: `taken` says that it
        // is the first of this argument, and `check` that it shares no byte with another argument
        // and that no two of its own elements do.
        let mut array = unsafe { RawArrayViewMut::from_shape_ptr(shape, first).deref_into_view_mut() };
        reversed.into_iter().for_each(|axis| array.invert_axis(axis));
        Some(array)
    }

    /// An output that is never NULL.
    pub(crate) fn required<T: Element, D: Dimension>(&self, name: &str) -> ArrayViewMut<'_, T, D> {
        self.output(name).expect("the validator refuses NULL here")
    }

    fn find<T: Element>(&self, name: &str, asked: Access) -> (usize, Option<&'a View>) {
        let arrays = self.signature.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Array { name, dtype, access, .. } => Some((*name, *dtype, *access)),
            _ => None,
        });
        let found = arrays.enumerate().find(|(_, (candidate, ..))| *candidate == name);
        let (index, (_, dtype, access)) = found.expect("an array of the signature");
        assert_eq!((dtype, access), (T::DTYPE, asked), "{name} is asked for as what it is");
        (index, self.views[index])
    }
}

/// The elements of a descriptor that was checked, and no others, as ndarray counts them.
///
/// What it asks of `first` and `shape`, and why they are so:
/// 1. The strides are not negative: they are absolute values.
/// 2. `first` is not null and is aligned, as data and strides of a view with elements are, and as a
///    dangling pointer is.
/// 3. The product of the lengths other than 0 fits `isize`, and so does the distance in bytes between
///    the lowest and the highest element: the validator has seen both.
/// 4. The elements lie in the memory of the descriptor, since they are the descriptor's own, counted
///    from the lowest: an axis with a negative stride begins at its last element. Axes of length 1 do
///    not move, and an empty view has the strides of a new array, so that nothing of what a caller
///    leaves in its strides is looked at. That this memory is there, and is one allocation, is the
///    caller's promise.
struct Place<T, D: Dimension> {
    first: *mut T,
    shape: StrideShape<D>,
    /// The axes that have to be turned round.
    reversed: Reversed,
}

impl<T, D: Dimension> Place<T, D> {
    fn of(view: &View) -> Self {
        let ndim = view.ndim as usize;
        let mut shape = D::zeros(ndim);
        assert_eq!(shape.ndim(), ndim, "the dimensions of the signature");
        for (length, &given) in shape.slice_mut().iter_mut().zip(&view.shape) {
            *length = given as usize; // the validator has seen that it is not negative
        }
        let mut reversed = Reversed([false; MAX_NDIM]);
        if shape.slice().contains(&0) {
            return Self { first: ptr::dangling_mut(), shape: shape.into_shape_with_order().into(), reversed };
        }
        let (mut first, mut strides) = (view.data.cast::<T>(), D::zeros(ndim));
        for axis in (0..ndim).filter(|&axis| view.shape[axis] > 1) {
            // A multiple of the alignment, which is the size of each `Element`.
            let stride = view.strides[axis] / size_of::<T>() as i64;
            strides[axis] = stride.unsigned_abs() as usize;
            if stride < 0 {
                reversed.0[axis] = true;
                first = first.wrapping_offset((stride * (view.shape[axis] - 1)) as isize);
            }
        }
        Self { first, shape: shape.strides(strides), reversed }
    }
}

/// Which axes run from high addresses to low.
struct Reversed([bool; MAX_NDIM]);

impl Reversed {
    fn into_iter(self) -> impl Iterator<Item = Axis> {
        (0..MAX_NDIM).filter(move |&axis| self.0[axis]).map(Axis)
    }
}
