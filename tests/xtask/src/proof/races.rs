//! Data races: the thread sanitizer over the tests that start threads.
//!
//! It has to see the order that locks and atomics make, and so the standard library is compiled for it as well,
//! from its sources, which rustup has.

use std::path::Path;

use super::Section;
use super::evidence::passed;
use super::sanitizers::{TARGET, watched};
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// Package, test program, and the words of which the name of each test that starts threads, or calls from several,
/// has one; without words, all of them.
const TESTS: [(&str, &str, &[&str]); 2] =
    [("trfboost-kernel", "threads", &[]), ("trfboost-abi", "boundary", &["threads", "callbacks", "results"])];

/// The test of `abi/tests/boundary/untrue.rs` that a sanitizer of threads has to see.
const UNTRUE: &str = "two_threads_write_one_output";

/// Runs the tests; a race ends the process, and fails this part.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let compiler = Program::new("rustc", "install Rust").arguments(["--print", "sysroot"]).output()?;
    if !Path::new(compiler.trim()).join("lib/rustlib/src/rust/library").exists() {
        Program::new("rustup", "install it").arguments(["component", "add", "rust-src"]).run()?;
    }
    let folder = place::target().join("proof").join("races");
    let tests_of = |package, program| {
        let test = ["test", "--locked", "-Zbuild-std", "--profile", "proof", "--target", TARGET];
        let cargo = watched(&folder, "-Zsanitizer=thread").variable("TSAN_OPTIONS", "halt_on_error=1");
        cargo.arguments(test).arguments(["--package", package, "--test", program])
    };
    for (package, program, words) in TESTS {
        let report = tests_of(package, program).arguments(["--", "--skip", "untrue"]).arguments(words).recorded()?;
        section.figure(format!("tests of {package} under the thread sanitizer: passed"), passed(&report, words)?);
    }
    tests_of("trfboost-abi", "boundary").arguments([UNTRUE]).fails_with("WARNING: ThreadSanitizer: data race")?;
    section.figure("untrue calls that the thread sanitizer saw", 1);
    Ok(())
}
