//! The shared library as a program that loads it at run time has it: opened, called and closed, again and
//! again.
//!
//! Closing does not take it out of the process (`-z nodelete`): its threads and what it makes once may be in use, and
//! a caller that still has an address of a function calls that function.
#![cfg(target_os = "linux")]

use std::fs;

use libloading::{Library, Symbol};
use trfboost::{ErrorDetails, View};

use crate::call;
use crate::exports::library;
use crate::placed::CONTIGUOUS;

type ErrorForIndexes = unsafe extern "C" fn(*const View, *const View, i32, *mut f64, *mut ErrorDetails) -> i32;

#[test]
fn a_library_that_is_opened_called_and_closed_many_times_gives_the_same_number() {
    let mut linked = call::error(&|_| CONTIGUOUS);
    assert_eq!(linked.make().status, 0);
    for _ in 0..20 {
        let (mut call, mut out, mut details) = (call::error(&|_| CONTIGUOUS), -7.0, call::details());
        let (x, indexes) = (*call.view("x"), *call.view("indexes"));
        // SAFETY: the library of this build, and the type that its header declares.
        let status = unsafe {
            let library = Library::new(library()).expect("the library can be loaded");
            let function: Symbol<ErrorForIndexes> = library.get(b"trfb_error_for_indexes").expect("is exported");
            let status = function(&raw const x, &raw const indexes, 1, &raw mut out, &raw mut details);
            library.close().expect("the library can be closed");
            status
        };
        assert_eq!((status, Some(out)), (0, linked.out));
        assert!(is_in_this_process());
    }
}

/// Whether the file is mapped, closed or not.
fn is_in_this_process() -> bool {
    let maps = fs::read_to_string("/proc/self/maps").expect("Linux tells what is mapped");
    let library = fs::canonicalize(library()).expect("the library");
    maps.lines().any(|line| line.ends_with(library.to_str().expect("text")))
}
