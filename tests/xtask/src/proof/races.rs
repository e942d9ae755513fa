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

/// The tests that start threads, or call from several. What cancels at every call of a callback, which comes every
/// 20 ms, takes hours when all is slow, and starts the threads that others start.
const TESTS: [(&str, &[&str]); 2] = [
    ("trfboost-kernel", &["--test", "threads"]),
    (
        "trfboost-abi",
        &[
            "--test",
            "boundary",
            "--",
            "threads",
            "callbacks",
            "results",
            "--skip",
            "untrue",
            "--skip",
            "cancelled_at_any_call",
        ],
    ),
];

/// The words of which a test's name has to have one.
fn filters(which: &'static [&'static str]) -> &'static [&'static str] {
    let words = which.split(|word| *word == "--").nth(1).unwrap_or_default();
    words.split(|word| *word == "--skip").next().unwrap_or_default()
}

/// The test of `abi/tests/boundary/untrue.rs` that a sanitizer of threads has to see.
const UNTRUE: &[&str] = &["--test", "boundary", "two_threads_write_one_output"];

/// Runs the tests; a race ends the process, and fails this part.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let compiler = Program::new("rustc", "install Rust").arguments(["--print", "sysroot"]).output()?;
    if !Path::new(compiler.trim()).join("lib/rustlib/src/rust/library").exists() {
        Program::new("rustup", "install it").arguments(["component", "add", "rust-src"]).run()?;
    }
    let folder = place::target().join("proof").join("races");
    let tests_of = |package, which: &[&str]| {
        let test = ["test", "--locked", "-Zbuild-std", "--profile", "proof", "--target", TARGET, "--package", package];
        let program = watched(&folder, "-Zsanitizer=thread").variable("TSAN_OPTIONS", "halt_on_error=1");
        program.arguments(test).arguments(which)
    };
    for (package, which) in TESTS {
        let report = tests_of(package, which).recorded()?;
        section
            .figure(format!("tests of {package} under the thread sanitizer: passed"), passed(&report, filters(which))?);
    }
    tests_of("trfboost-abi", UNTRUE).fails_with("WARNING: ThreadSanitizer: data race")?;
    section.figure("untrue calls that the thread sanitizer saw", 1);
    Ok(())
}
