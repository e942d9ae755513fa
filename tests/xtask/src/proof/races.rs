//! Data races: the thread sanitizer over the tests that start threads.
//!
//! It has to see the order that locks and atomics make, and so the standard library is compiled for it as well,
//! from its sources, which rustup has.

use std::path::Path;

use super::Section;
use super::machines::passed;
use super::sanitizers::{TARGET, watched};
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// The tests that start threads, or call from several.
const TESTS: [(&str, &[&str]); 2] = [
    ("trfboost-kernel", &["--test", "threads"]),
    ("trfboost-abi", &["--test", "boundary", "--", "threads", "callbacks", "results"]),
];

/// Runs the tests; a race ends the process, and fails this part.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let compiler = Program::new("rustc", "install Rust").arguments(["--print", "sysroot"]).output()?;
    if !Path::new(compiler.trim()).join("lib/rustlib/src/rust/library").exists() {
        Program::new("rustup", "install it").arguments(["component", "add", "rust-src"]).run()?;
    }
    let folder = place::target().join("proof").join("races");
    for (package, which) in TESTS {
        let test = ["test", "--locked", "-Zbuild-std", "--profile", "proof", "--target", TARGET, "--package", package];
        let program = watched(&folder, "-Zsanitizer=thread").variable("TSAN_OPTIONS", "halt_on_error=1");
        let report = program.arguments(test).arguments(which).recorded()?;
        section.figure(format!("tests of {package} under the thread sanitizer: passed"), passed(&report));
    }
    Ok(())
}
