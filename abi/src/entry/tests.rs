//! What no call from outside can bring about: defects of this library, contained.

use std::panic::panic_any;
use std::ptr;

use ndarray::{Ix1, Ix2};
use trfboost_abi_check::{Access, Dimension, Dtype, Head, Parameter, Signature};

use super::{guarded, with_arrays};
use crate::arrays::Arrays;
use crate::failure::Failure;
use crate::{ErrorDetails, MESSAGE_SIZE, Status, View};

/// A function that writes one array.
const ONE: Signature = Signature {
    name: "one",
    parameters: &[Parameter::Array {
        name: "out",
        dtype: Dtype::FLOAT64,
        dimensions: &[Dimension::Named("T")],
        access: Access::Write,
        optional: false,
    }],
};

/// A panic's payload that panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[test]
fn a_panic_becomes_a_status() {
    let bodies: [fn() -> Result<(), Failure>; 3] =
        [|| panic!("a constant"), || panic!("a sentence of {}", String::from("its own")), || panic_any(Bomb)];
    for body in bodies {
        let (size, message) = (size_of::<ErrorDetails>() as u32, [1; MESSAGE_SIZE]);
        let mut details = ErrorDetails { size, status: 0, argument: 0, axis: 0, expected: 1, actual: 1, message };
        // SAFETY: an error struct on the stack, or NULL.
        let statuses = unsafe { [guarded(&ONE, &raw mut details, body), guarded(&ONE, ptr::null_mut(), body)] };
        assert_eq!(statuses, [Status::Internal as i32; 2]);
        let ErrorDetails { status, argument, axis, expected, actual, message, .. } = details;
        assert_eq!((status, argument, axis, expected, actual), (Status::Internal as i32, -1, -1, 0, 0));
        assert!(message.starts_with(&b"a defect of trfboost".map(u8::cast_signed)));
    }
}

#[test]
fn an_array_asked_for_as_what_it_is_not_is_a_defect_and_no_view() {
    type Body = fn(&Arrays<'_>) -> usize;
    let bodies: [(Body, Status); 6] = [
        (|arrays| arrays.required::<f64, Ix1>("out").len(), Status::Ok),
        (|arrays| arrays.required::<i64, Ix1>("out").len(), Status::Internal),
        (|arrays| arrays.required::<f64, Ix2>("out").len(), Status::Internal),
        (|arrays| arrays.required::<f64, Ix1>("in").len(), Status::Internal),
        (|arrays| arrays.input::<f64, Ix1>("out").len(), Status::Internal),
        (
            |arrays| {
                let (once, again) = (arrays.required::<f64, Ix1>("out"), arrays.required::<f64, Ix1>("out"));
                once.len() + again.len()
            },
            Status::Internal,
        ),
    ];
    let mut values = [1.0_f64, 2.0];
    let (Head { magic, size, version }, data) = (Head::CURRENT, values.as_mut_ptr().cast());
    let (base, shape, strides) = (ptr::null(), [2; 8], [8; 8]);
    let view = View { magic, size, version, dtype: 0x6608, ndim: 1, flags: 0, data, base, extent: 0, shape, strides };
    for (body, expected) in bodies {
        let body = |arrays: &Arrays<'_>| {
            assert_eq!(body(arrays), 2);
            Ok(())
        };
        // SAFETY: the descriptor and what it describes are on the stack; no details.
        let status = unsafe { with_arrays(&ONE, [&raw const view], &[], ptr::null_mut(), body) };
        assert_eq!(status, expected as i32);
    }
}
