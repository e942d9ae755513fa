//! Descriptors of arrays that are nowhere: addresses are numbers, so that any can be made up.

use trfboost_abi_check::{Argument, Descriptor, Dtype, Fault, Signature, check};

/// A view with strides in bytes.
pub(crate) fn strided(data: u64, dtype: Dtype, axes: &[(i64, i64)]) -> Descriptor {
    let mut view = Descriptor { dtype, ndim: axes.len() as i32, data, ..Descriptor::EMPTY };
    for (axis, &(length, stride)) in axes.iter().enumerate() {
        (view.shape[axis], view.strides[axis]) = (length, stride);
    }
    view
}

/// A view in C order.
pub(crate) fn contiguous(data: u64, dtype: Dtype, shape: &[i64]) -> Descriptor {
    let mut stride = i64::from(dtype.0 & 0xff);
    let mut axes: Vec<_> = shape.iter().map(|&length| (length, 0)).collect();
    for axis in axes.iter_mut().rev() {
        axis.1 = stride;
        stride *= axis.0;
    }
    strided(data, dtype, &axes)
}

/// A call with all its arrays.
pub(crate) fn call(signature: &Signature, views: &[Descriptor]) -> Result<(), Fault> {
    let arguments: Vec<_> = views.iter().map(Argument::View).collect();
    check(signature, &arguments)
}

/// The arrays of a call of `trfb_update_error` that fits: y_error, x, indexes.
pub(crate) fn update_error() -> [Descriptor; 3] {
    [
        contiguous(0x1_0000, Dtype::FLOAT64, &[100]),
        contiguous(0x2_0000, Dtype::FLOAT64, &[100]),
        contiguous(0x3_0000, Dtype::INT64, &[3, 2]),
    ]
}
