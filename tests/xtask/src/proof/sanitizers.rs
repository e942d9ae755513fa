//! What no test asserts: that nothing is touched outside of memory that belongs to the library, called from Rust and
//! from C, and that nothing in the C programs is undefined.
//!
//! The compiler that the checkout uses can instrument its own crates (with `RUSTC_BOOTSTRAP`, for the option is
//! not stable), but the standard library comes compiled. For addresses that is enough, since the allocator is
//! replaced.

use std::path::Path;

use super::Section;
use super::evidence::{compared, passed};
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// Memory that is larger than the machine's has to be refused by the library, not by the sanitizer. What is left
/// behind is told at the end.
const ADDRESS: &str = "allocator_may_return_null=1:detect_leaks=1";

/// The tests that make calls as C does.
const BOUNDARY: [&str; 10] =
    ["test", "--locked", "--profile", "proof", "--package", "trfboost-abi", "--target", TARGET, "--test", "boundary"];

/// The compilers of the C programs.
const COMPILERS: [&str; 2] = ["gcc", "clang"];

/// How they compile.
const UNDEFINED: &str = "-fsanitize=address,undefined -fno-sanitize-recover=all";

/// Tests of `abi/tests/boundary/untrue.rs`, and what the sanitizer calls what they do.
const UNTRUE: [(&str, &str); 3] = [
    ("an_input_ends_too_early", "ERROR: AddressSanitizer: heap-buffer-overflow"),
    ("an_output_ends_too_early", "ERROR: AddressSanitizer: heap-buffer-overflow"),
    ("memory_is_left_behind", "ERROR: LeakSanitizer: detected memory leaks"),
];

/// Runs the tests and the C programs; what a sanitizer finds ends the process, and fails this part.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let folder = place::target().join("proof").join("sanitizers");
    let report = instrumented(&folder, "").arguments(BOUNDARY).arguments(["--", "--skip", "untrue"]).recorded()?;
    section.figure("tests of the boundary under the address sanitizer: passed", passed(&report, &[])?);
    for (test, words) in UNTRUE {
        instrumented(&folder, "").arguments(BOUNDARY).arguments([test]).fails_with(words)?;
    }
    section.figure("untrue calls that the address sanitizer saw", UNTRUE.len());
    let build = ["build", "--quiet", "--locked", "--profile", "proof", "--package", "trfboost-abi", "--lib"];
    instrumented(&folder, "").arguments(build).arguments(["--target", TARGET]).run()?;
    let library = folder.join(TARGET).join("proof").join("libtrfboost.a");
    for compiler in COMPILERS {
        let build = ["run", "--quiet", "--locked", "--package", "trfboost-c-harness", "--"];
        let harness = Program::cargo().arguments(build).arguments(["--part", "behaviour", "--compiler", compiler]);
        let harness = harness.variable("CFLAGS", UNDEFINED).variable("CXXFLAGS", UNDEFINED);
        let harness = harness.variable("ASAN_OPTIONS", ADDRESS).arguments(["--library".as_ref(), library.as_os_str()]);
        let report = harness.recorded()?;
        section.figure(format!("C programs by {compiler} with the library, address and undefined"), compared(&report)?);
    }
    Ok(())
}

/// The machine, named, so that build scripts are compiled as ever.
pub(super) const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A cargo whose crates are watched by the address sanitizer, with more options for the compiler.
pub(super) fn instrumented(folder: &Path, options: &str) -> Program {
    watched(folder, &format!("-Zsanitizer=address {options}")).variable("ASAN_OPTIONS", ADDRESS)
}

/// A cargo that compiles with options that are not stable, and the tests that a sanitizer has to fail.
pub(super) fn watched(folder: &Path, options: &str) -> Program {
    let options = format!("--cfg watched {options}");
    let program = Program::cargo().variable("RUSTC_BOOTSTRAP", "1").variable("RUSTFLAGS", options);
    program.variable("CARGO_TARGET_DIR", folder)
}
