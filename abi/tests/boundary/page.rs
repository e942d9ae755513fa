//! Memory that ends where the next byte is a segmentation fault.
#![cfg(target_os = "linux")]

use std::ffi::{c_int, c_void};
use std::ptr;

use trfboost::View;

use crate::call::{self, Call};
use crate::placed::CONTIGUOUS;

const SIZE: usize = 1 << 16; // a multiple of the page size of every machine

unsafe extern "C" {
    fn mmap(
        address: *mut c_void,
        length: usize,
        protection: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    fn mprotect(address: *mut c_void, length: usize, protection: c_int) -> c_int;
}

/// The address of a copy of `values` that ends with the last byte of a page, before one that may not be
/// touched. It stays until the process ends.
fn at_the_end_of_a_page<T: Copy>(values: &[T]) -> *mut T {
    const READ_AND_WRITE: c_int = 3;
    const PRIVATE_AND_ANONYMOUS: c_int = 0x22;
    // SAFETY: new memory of two sizes, of which the second is then closed.
    let start = unsafe { mmap(ptr::null_mut(), 2 * SIZE, READ_AND_WRITE, PRIVATE_AND_ANONYMOUS, -1, 0) };
    assert!(start.addr() % SIZE.min(4096) == 0, "mmap");
    // SAFETY: as above.
    assert_eq!(unsafe { mprotect(start.wrapping_byte_add(SIZE), SIZE, 0) }, 0);
    let place = start.wrapping_byte_add(SIZE).cast::<T>().wrapping_sub(values.len());
    for (index, value) in values.iter().enumerate() {
        // SAFETY: within the open part, which is larger than any values here.
        unsafe { place.wrapping_add(index).write(*value) };
    }
    place
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

#[test]
fn repeated_elements_are_read_where_they_are() {
    // Three values, each repeated along the samples, at the end of a page.
    let values = at_the_end_of_a_page(&[1.0, 2.0]);
    let place = |call: &mut Call| {
        let view = call.view("x");
        (view.data, view.strides[0], view.strides[1]) = (values.cast(), 8, 0);
    };
    let mut call = call::options(&|_| CONTIGUOUS);
    place(&mut call);
    let mut copied = call::options(&|_| CONTIGUOUS);
    copied.array_mut("x").write(|index, _: f64| if index < call::T { 1.0 } else { 2.0 });
    assert_eq!((call.make().status, copied.make().status), (0, 0));
    assert_eq!(call.array("new_error").words(), copied.array("new_error").words());
}
