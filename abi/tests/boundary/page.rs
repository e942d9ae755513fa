//! Memory that ends where the next byte is a segmentation fault.
#![cfg(target_os = "linux")]

use std::slice;

use trfboost::View;

use crate::call;
use crate::placed::CONTIGUOUS;
use crate::region::{Edge, Region};

/// The address of a copy of `values` that ends with the last byte of a page, before one that may not be
/// touched. It stays until the process ends.
fn at_the_end_of_a_page<T: Copy>(values: &[T]) -> *mut T {
    // SAFETY: the bytes of numbers and of structs of the header, which have no padding.
    let bytes = unsafe { slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) };
    Region::new().put(bytes, Edge::End).cast()
}

#[test]
fn of_a_foreign_descriptor_only_the_head_is_read() {
    for head in [0x0001_00a8_5646_5254_u64, 0x0002_00b0_5646_5254, 0x3ff0_0000_0000_0000, 0] {
        for mut call in call::all(&|_| CONTIGUOUS) {
            let (_, name, ..) = call.arrays().next().expect("an array");
            call.pass(name, at_the_end_of_a_page(&[head]).cast::<View>());
            let before = call.memory();
            assert!([2, 3, 4].contains(&call.make().status));
            assert_eq!(call.memory(), before);
        }
    }
}

#[test]
fn of_a_descriptor_and_of_structs_no_byte_beyond_is_touched() {
    let mut call = call::error(&|_| CONTIGUOUS);
    for name in ["x", "indexes"] {
        let view = at_the_end_of_a_page(&[*call.view(name)]);
        call.pass(name, view);
    }
    let mut plain = call::error(&|_| CONTIGUOUS);
    assert_eq!((call.make_with(at_the_end_of_a_page(&[call::details()])), plain.make().status), (0, 0));
    assert_eq!(call.out, plain.out);
    // An error struct that claims less than it needs is not read further, and not written.
    assert_eq!(call.make_with(at_the_end_of_a_page(&[3_u32]).cast()), 3);
    let details = at_the_end_of_a_page(&[call::details()]);
    call.set("error", 0.0);
    assert_eq!(call.make_with(details), 16);
    // SAFETY: it was put there above.
    assert_eq!(unsafe { details.read() }.argument, 2);
}
