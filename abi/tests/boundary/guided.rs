//! Random calls that are led by the code they reach: libFuzzer changes bytes, and keeps those that came to a
//! branch or a comparison that none came to before.
//!
//! Only where the compiler counts branches and libFuzzer is linked in (`--cfg fuzzing`, which `cargo xtask
//! proof --only fuzz` sets). What libFuzzer is told comes in `TRFBOOST_FUZZ`, one argument after the other;
//! calls to begin with are made, and stored in `TRFBOOST_FUZZ_GOOD`.

use std::ffi::{CString, c_char, c_int};
use std::path::Path;
use std::{fs, slice};

use trfboost_abi_check::signatures;

use crate::random::{self, Outcome};

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

/// How many good calls of each function there are to begin with.
const SEEDS: usize = 25;

/// Stores calls that succeed, of each function as many as of the others: chance makes few of those that have
/// many arguments, and changing bytes of a call that is refused early leads nowhere for long.
fn store_good_calls(folder: &Path) {
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 56) as u8
    };
    for function in 0..signatures::ALL.len() {
        let mut stored = 0;
        while stored < SEEDS {
            let mut bytes = vec![function as u8];
            bytes.extend((0..100).map(|_| byte()));
            if random::make(&bytes) == Outcome::Made(0) {
                fs::write(folder.join(format!("good-{function}-{stored}")), bytes).expect("a file");
                stored += 1;
            }
        }
    }
}

/// Ends the process when libFuzzer has had its time.
#[test]
fn guided_calls_are_refused_untouched_or_give_the_numbers_of_copies() {
    let asked = std::env::var("TRFBOOST_FUZZ").expect("TRFBOOST_FUZZ holds libFuzzer's arguments");
    let folder = std::env::var("TRFBOOST_FUZZ_GOOD").expect("TRFBOOST_FUZZ_GOOD is a folder");
    store_good_calls(Path::new(&folder));
    let words = ["fuzz"].into_iter().chain(asked.split_whitespace());
    let words: Vec<CString> = words.map(|word| CString::new(word).expect("text")).collect();
    let mut pointers: Vec<*mut c_char> = words.iter().map(|word| word.as_ptr().cast_mut()).collect();
    let mut count = c_int::try_from(pointers.len()).expect("few");
    pointers.push(std::ptr::null_mut());
    // SAFETY: a list of strings as `main` has it, which outlives the call.
    let code = unsafe { LLVMFuzzerRunDriver(&mut count, &mut pointers.as_mut_ptr(), make) };
    assert_eq!(code, 0, "libFuzzer");
}
