//! What this library is.

use std::ffi::{CStr, c_char};

use static_assertions::const_assert_eq;
use trfboost_abi_check::ABI_VERSION;
use trfboost_kernel::Instructions;

use crate::signature::{AbiVersion, BuildInfo};

// The number in the text below, in the soname (build.rs), and in the names of what is installed.
const_assert_eq!(ABI_VERSION, 1);

/// The text for one set of instructions. There is one for each, so that nothing is allocated.
macro_rules! build_info {
    ($instructions:literal) => {{
        const TEXT: &str = concat!(
            "trfboost ",
            env!("CARGO_PKG_VERSION"),
            ", ABI 1, ",
            env!("TRFBOOST_TARGET"),
            ", ",
            env!("TRFBOOST_PROFILE"),
            ", ",
            $instructions,
            "\0"
        );
        const TERMINATED: &CStr = match CStr::from_bytes_with_nul(TEXT.as_bytes()) {
            Ok(text) => text,
            Err(_) => panic!("one NUL, at the end"),
        };
        TERMINATED
    }};
}

/// Version of the ABI, `TRFB_ABI_VERSION` of the header that goes with this library.
#[unsafe(no_mangle)]
pub extern "C" fn trfb_abi_version() -> u32 {
    ABI_VERSION.into()
}

/// Version, ABI version, target, profile, and the vector instructions that this machine has, as a
/// constant string.
#[unsafe(no_mangle)]
pub extern "C" fn trfb_build_info() -> *const c_char {
    let text = match Instructions::in_use() {
        Instructions::Avx512 => build_info!("AVX-512"),
        Instructions::Avx2 => build_info!("AVX2"),
        Instructions::Neon => build_info!("NEON"),
        _ => build_info!("portable"),
    };
    text.as_ptr()
}

const _: AbiVersion = trfb_abi_version;
const _: BuildInfo = trfb_build_info;
