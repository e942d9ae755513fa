//! Calls that describe what is not so, in ways that no check can see: memory that ends too early, and memory that
//! another thread writes.
//!
//! A sanitizer has to see them, and in the library's own code: so its silence in the other tests means something.
//! Each of these ends its process. They are there only where one watches (`--cfg watched`, which `cargo xtask proof`
//! sets), since anywhere else they would do what they describe.

use std::hint::black_box;
use std::sync::Barrier;
use std::{ptr, thread};

use crate::call::{self, T};
use crate::placed::CONTIGUOUS;

#[test]
fn an_input_ends_too_early() {
    let mut call = call::error(&|_| CONTIGUOUS);
    let short = vec![1.0; T - 1];
    call.view("x").data = short.as_ptr().cast_mut().cast();
    call.make();
}

#[test]
fn an_output_ends_too_early() {
    let mut call = call::convolution(&|_| CONTIGUOUS);
    let mut short = vec![1.0; 22]; // the last segment ends at 23
    call.view("out").data = short.as_mut_ptr().cast();
    call.make();
}

#[test]
fn memory_is_left_behind() {
    black_box(vec![1.0; T].leak());
}

#[test]
fn two_threads_write_one_output() {
    let mut shared = vec![0.0; T];
    let address = shared.as_mut_ptr().expose_provenance();
    let both = Barrier::new(2);
    let call_often = || {
        let mut call = call::convolution(&|_| CONTIGUOUS);
        call.view("out").data = ptr::with_exposed_provenance_mut(address);
        for _ in 0..100 {
            both.wait(); // or one is done before the other begins
            assert_eq!(call.make().status, 0);
        }
    };
    thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(call_often))));
}
