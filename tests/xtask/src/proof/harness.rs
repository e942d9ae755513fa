//! The C harness with every compiler, and the header on other machines.

use super::Section;
use super::evidence::compared;
use crate::failure::Failure;
use crate::process::Program;

/// The compilers whose programs are run.
const COMPILERS: [&str; 3] = ["gcc", "clang", "tcc"];

/// Machines of other word sizes, byte orders and calling conventions, for which the header and the frozen
/// ABI are compiled. Debian's compilers for them: gcc-i686-linux-gnu and so on, gcc-mingw-w64-x86-64.
const TARGETS: [&str; 5] =
    ["i686-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu", "s390x-linux-gnu", "x86_64-w64-mingw32"];

/// Holds the header against the library with each compiler, and against what was frozen for each machine.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    for target in TARGETS {
        let gcc = Program::new(format!("{target}-gcc"), "install Debian's gcc for this machine, gcc-TARGET");
        gcc.arguments(["--version"]).output()?;
    }
    let compilers = COMPILERS.into_iter().flat_map(|compiler| ["--compiler", compiler]);
    let targets = TARGETS.into_iter().flat_map(|target| ["--target", target]);
    let run = ["run", "--quiet", "--locked", "--package", "trfboost-c-harness", "--"];
    let report = Program::cargo().arguments(run).arguments(compilers).arguments(targets).recorded()?;
    section.figure(format!("comparisons with {}", COMPILERS.join(", ")), compared(&report)?);
    section.figure("of these, for other machines", TARGETS.join(", "));
    Ok(())
}
