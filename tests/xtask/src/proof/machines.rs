//! The kernel compiled for all that this processor can do, and for another kind of processor; and the library on
//! processors that can do less.
//!
//! Both have instructions that multiply and add without rounding in between, which the first compilers to
//! meet them used unasked. The tests that are run hold bits.

use super::Section;
use super::evidence::{passed, sum_of};
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

const TESTS: [&str; 6] = ["test", "--locked", "--package", "trfboost-kernel", "--tests", "--target"];
const ARM: &str = "aarch64-unknown-linux-gnu";

/// Processors that qemu plays, and what `trfb_build_info` says of their instructions: 128 bits and 256. More than
/// that it cannot, and this one may.
pub(super) const LESSER: [(&str, &str); 2] = [("Nehalem", "portable"), ("Haswell", "AVX2")];

/// Each array against a closed page: with the instructions that a lesser processor has, nothing else is read. Were
/// others used than it has, or fewer, a test fails.
fn beyond(section: &mut Section, host: &str) -> Result<(), Failure> {
    let runner = format!("CARGO_TARGET_{}_RUNNER", host.to_uppercase().replace('-', "_"));
    for (processor, instructions) in LESSER {
        let test = ["test", "--locked", "--profile", "proof", "--package", "trfboost-abi", "--target", host];
        let program = Program::cargo().arguments(test).arguments(["--test", "boundary", "beyond", "--", "--nocapture"]);
        let program = program.variable("TRFBOOST_INSTRUCTIONS", instructions);
        let report = program.variable(&runner, format!("qemu-x86_64 -cpu {processor}")).recorded()?;
        let (tests, calls) = (passed(&report, &["beyond", "instructions"])?, sum_of(&report, "calls at closed pages")?);
        let what = format!("arrays against closed pages on {processor} (qemu) with {instructions} instructions");
        section.figure(what, format!("{tests} tests passed, {calls} calls"));
    }
    Ok(())
}

/// Runs the kernel's tests with `target-cpu=native`, and on aarch64 under qemu.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let host = Program::new("rustc", "install Rust").arguments(["-vV"]).output()?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    beyond(section, host)?;
    let native = Program::cargo().arguments(TESTS).arguments([host]).variable("RUSTFLAGS", "-C target-cpu=native");
    let native = native.variable("CARGO_TARGET_DIR", place::target().join("proof/native"));
    section.figure("passed with target-cpu=native", passed(&native.recorded()?, &[])?);
    let installed = Program::new("rustup", "install it").arguments(["target", "list", "--installed"]).output()?;
    if !installed.lines().any(|target| target == ARM) {
        Program::new("rustup", "install it").arguments(["target", "add", ARM]).run()?;
    }
    let remedy = "install gcc-aarch64-linux-gnu and qemu-user";
    Program::new("aarch64-linux-gnu-gcc", remedy).arguments(["--version"]).output()?;
    Program::new("qemu-aarch64", remedy).arguments(["--version"]).output()?;
    let arm = Program::cargo().arguments(TESTS).arguments([ARM]);
    let arm = arm.variable("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
    let runner = "qemu-aarch64 -L /usr/aarch64-linux-gnu";
    let arm = arm.variable("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", runner);
    section.figure("passed on aarch64 (qemu)", passed(&arm.recorded()?, &[])?);
    Ok(())
}
