//! Random calls that are led by the code they reach: libFuzzer changes bytes, and keeps those that came to a
//! branch or a comparison that none came to before.
//!
//! Only where the compiler counts branches and libFuzzer is linked in (`--cfg fuzzing`, which `cargo xtask
//! proof --only fuzz` sets). What libFuzzer is told comes in `TRFBOOST_FUZZ`, one argument after the other.

use std::ffi::{CString, c_char, c_int};
use std::slice;

use crate::random;

unsafe extern "C" {
    fn LLVMFuzzerRunDriver(
        count: *mut c_int,
        arguments: *mut *mut *mut c_char,
        make: unsafe extern "C" fn(*const u8, usize) -> c_int,
    ) -> c_int;
}

/// What panics in there ends the process, by which libFuzzer learns of it.
unsafe extern "C" fn make(bytes: *const u8, count: usize) -> c_int {
    // SAFETY: libFuzzer's bytes, which stay until this returns; with none of them it may pass null.
    let bytes = if count == 0 { &[] } else { unsafe { slice::from_raw_parts(bytes, count) } };
    random::make(bytes);
    0
}

/// Ends the process when libFuzzer has had its time.
#[test]
fn guided_calls_are_refused_untouched_or_give_the_numbers_of_copies() {
    let asked = std::env::var("TRFBOOST_FUZZ").expect("TRFBOOST_FUZZ holds libFuzzer's arguments");
    let words = ["fuzz"].into_iter().chain(asked.split_whitespace());
    let words: Vec<CString> = words.map(|word| CString::new(word).expect("text")).collect();
    let mut pointers: Vec<*mut c_char> = words.iter().map(|word| word.as_ptr().cast_mut()).collect();
    let mut count = c_int::try_from(pointers.len()).expect("few");
    pointers.push(std::ptr::null_mut());
    // SAFETY: a list of strings as `main` has it, which outlives the call.
    let code = unsafe { LLVMFuzzerRunDriver(&mut count, &mut pointers.as_mut_ptr(), make) };
    assert_eq!(code, 0, "libFuzzer");
}
