//! What this library is.

use std::ffi::{CStr, c_char};

use static_assertions::const_assert_eq;
use trfboost_abi_check::ABI_VERSION;

use crate::signature::{AbiVersion, BuildInfo};

// The number in the text below, in the soname (build.rs), and in the names of what is installed.
const_assert_eq!(ABI_VERSION, 1);

const BUILD_INFO: &str = concat!(
    "trfboost ",
    env!("CARGO_PKG_VERSION"),
    ", ABI 1, ",
    env!("TRFBOOST_TARGET"),
    ", ",
    env!("TRFBOOST_PROFILE"),
    "\0"
);

/// Version of the ABI, `TRFB_ABI_VERSION` of the header that goes with this library.
#[unsafe(no_mangle)]
pub extern "C" fn trfb_abi_version() -> u32 {
    ABI_VERSION.into()
}

/// Version, ABI version, target and profile, as a constant string.
#[unsafe(no_mangle)]
pub extern "C" fn trfb_build_info() -> *const c_char {
    const TEXT: &CStr = match CStr::from_bytes_with_nul(BUILD_INFO.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("one NUL, at the end"),
    };
    TEXT.as_ptr()
}

const _: AbiVersion = trfb_abi_version;
const _: BuildInfo = trfb_build_info;
