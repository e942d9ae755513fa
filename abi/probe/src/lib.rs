//! Probes of the calling convention.
//!
//! For each exported function there is a probe with the identical signature (the compiler holds it
//! against the same type) that computes nothing but prints what arrived, byte by byte:
//!
//! ```text
//! received trfb_update_error 2 x_pad efcdab8967452301
//! returned trfb_update_error 20436587
//! ```
//!
//! The bytes are in the order of memory. Pointers are reported as addresses and never followed. A C
//! program that passes recognisable patterns, and knows what it passed, sees in these lines whether
//! its compiler and this one agree on where a parameter travels.
//!
//! The signatures are the library's own source files, compiled here once more. As a dependency, the
//! library would come along: its functions would be exported from here too, under its soname.

use std::ffi::{c_char, c_void};
use std::io::{self, Write as _};

#[path = "../../src/signature.rs"]
pub mod signature;
#[path = "../../src/types.rs"]
pub mod types;

use signature::Progress;
use types::{ErrorDetails, FitResult, LayoutRow, View};

/// What a probe returns where the function returns a status.
const STATUS: i32 = 0x1357_2468;

/// What a probe returns where the function returns a version.
const VERSION: u32 = 0xfeed_beef;

/// What a probe returns where the function returns an address.
const ADDRESS: usize = 0x0123_4567_89ab_cdef;

/// A value, as the bytes that it has in memory.
trait Bytes {
    fn hex(&self) -> String;
}

macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl Bytes for $number {
            fn hex(&self) -> String {
                self.to_ne_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
            }
        }
    )* };
}

numbers!(i32, u32, i64, f64, usize);

impl<T> Bytes for *const T {
    fn hex(&self) -> String {
        self.addr().hex()
    }
}

impl<T> Bytes for *mut T {
    fn hex(&self) -> String {
        self.addr().hex()
    }
}

impl Bytes for Option<Progress> {
    fn hex(&self) -> String {
        self.map_or(0, |function| function as usize).hex()
    }
}

/// Prints the lines of one call. A reader that is gone is no concern of the caller.
fn report(function: &str, parameters: &[(&str, String)], returned: &str) {
    let mut lines = String::new();
    for (index, (name, bytes)) in parameters.iter().enumerate() {
        lines += &format!("received {function} {index} {name} {bytes}\n");
    }
    lines += &format!("returned {function} {returned}\n");
    let mut output = io::stdout().lock();
    let _ = output.write_all(lines.as_bytes()).and_then(|()| output.flush());
}

macro_rules! probes {
    ($($probe:ident for $function:literal: $signature:ident
        ($($name:ident: $parameter:ty),*) -> $result:ty = $value:expr;)*) => { $(
        /// Reports what arrived.
        #[unsafe(no_mangle)]
        pub extern "C" fn $probe($($name: $parameter),*) -> $result {
            let value: $result = $value;
            report($function, &[$((stringify!($name), $name.hex())),*], &value.hex());
            value
        }

        const _: signature::$signature = $probe;
    )* };
}

probes! {
    trfb_probe_generate_options for "trfb_generate_options": GenerateOptions(
        y_error: *const View, x: *const View, x_pads: *const View, x_active: *const View, indexes: *const View,
        i_start: i64, i_start_by_x: *const View, i_stop_by_x: *const View, error: i32, delta: f64,
        new_error: *const View, new_sign: *const View, details: *mut ErrorDetails
    ) -> i32 = STATUS;

    trfb_probe_update_error for "trfb_update_error": UpdateError(
        y_error: *const View, x: *const View, x_pad: f64, indexes: *const View, delta: f64, shift: i64,
        details: *mut ErrorDetails
    ) -> i32 = STATUS;

    trfb_probe_error_for_indexes for "trfb_error_for_indexes": ErrorForIndexes(
        x: *const View, indexes: *const View, error: i32, out: *mut f64, details: *mut ErrorDetails
    ) -> i32 = STATUS;

    trfb_probe_boosting_fit for "trfb_boosting_fit": BoostingFit(
        y: *const View, x: *const View, x_pads: *const View, split_train: *const View,
        split_validate: *const View, split_train_and_validate: *const View, i_start_by_x: *const View,
        i_stop_by_x: *const View, delta: f64, mindelta: f64, error: i32, selective_stopping: i32,
        h: *const View, history: *const View, result: *mut FitResult, details: *mut ErrorDetails
    ) -> i32 = STATUS;

    trfb_probe_boosting_runs for "trfb_boosting_runs": BoostingRuns(
        y: *const View, x: *const View, x_pads: *const View, split_train: *const View,
        split_validate: *const View, split_train_and_validate: *const View, i_start_by_x: *const View,
        i_stop_by_x: *const View, delta: f64, mindelta: f64, error: i32, selective_stopping: i32,
        num_threads: i32, hs: *const View, failed: *const View, steps: *const View, stop: *const View,
        progress: Option<Progress>, user: *mut c_void, details: *mut ErrorDetails
    ) -> i32 = STATUS;

    trfb_probe_convolve for "trfb_convolve": Convolve(
        h: *const View, x: *const View, x_pads: *const View, i_start: i64, segments: *const View,
        out: *const View, details: *mut ErrorDetails
    ) -> i32 = STATUS;

    trfb_probe_view_check for "trfb_view_check": ViewCheck(
        view: *const View, dtype: i32, ndim: i32, access: i32, details: *mut ErrorDetails
    ) -> i32 = STATUS;

    trfb_probe_abi_version for "trfb_abi_version": AbiVersion() -> u32 = VERSION;

    trfb_probe_abi_layout for "trfb_abi_layout": AbiLayout()
        -> *const LayoutRow = std::ptr::without_provenance(ADDRESS);

    trfb_probe_build_info for "trfb_build_info": BuildInfo()
        -> *const c_char = std::ptr::without_provenance(ADDRESS);
}
