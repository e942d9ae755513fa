//! The C harness with every compiler.

use super::Section;
use crate::failure::Failure;
use crate::process::Program;

/// The compilers.
const COMPILERS: [&str; 2] = ["gcc", "clang"];

/// Holds the header against the library with each compiler.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let compilers = COMPILERS.into_iter().flat_map(|compiler| ["--compiler", compiler]);
    let run = ["run", "--quiet", "--locked", "--package", "trfboost-c-harness", "--"];
    let report = Program::cargo().arguments(run).arguments(compilers).recorded()?;
    let summary = report.lines().find(|line| line.contains(" ok, ") && line.ends_with(" skipped"));
    section.figure(format!("comparisons with {}", COMPILERS.join(", ")), summary.unwrap_or("none"));
    Ok(())
}
