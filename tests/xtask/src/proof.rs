//! `cargo xtask proof`: the evidence that takes longer than a run of the tests may.
//!
//! The proof is a table of parts, each of which shows one thing about the library and can be run by itself
//! (`--only`). What a part measures, it hands to its [`Section`]: these figures, with the time of the run
//! and its commit, are what `target/proof/report.md` tells. A part that is not run keeps the section that
//! it had, so that the report always holds the last run of each.
//!
//! To add a part: write `proof/NAME.rs` with a `run(section: &mut Section) -> Result<(), Failure>`, and
//! give it a row in [`PARTS`], with its name for the command line and a sentence of what it shows. It says
//! `section.figure("what was counted", number)` for each figure, as soon as it knows it: figures of a part
//! that fails afterwards are reported as well. Whether something holds is told by the returned value, and
//! by nothing else; what was to be counted and comes to none has shown nothing ([`evidence`]). Programs are
//! started by way of [`crate::process::Program`], whose `recorded` gives back what they printed. What the machine
//! lacks is a failure that says what to install: a part that cannot be run has shown nothing.

mod calls;
mod evidence;
mod fuzz;
mod harness;
mod machines;
mod mutation;
mod numbers;
mod races;
mod sanitizers;
mod section;
mod supply;
mod wheel;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use crate::failure::Failure;
use crate::place;
use crate::process::Program;
use crate::steps::{self, Step};
pub(crate) use section::Section;

/// A part: a step with a section to write its figures to.
pub(crate) type Part = Step<fn(&mut Section) -> Result<(), Failure>>;

/// The parts, in the order of the report.
pub(crate) const PARTS: &[Part] = &[
    Part { name: "harness", what: "compilers, also for other machines, agree with what was frozen", run: harness::run },
    Part { name: "machines", what: "arithmetic is not fused where it could be", run: machines::run },
    Part {
        name: "numbers",
        what: "random fits have the bits of Eelbrain, and of the definition at the edges",
        run: numbers::run,
    },
    Part { name: "calls", what: "random calls are judged and made as they should be", run: calls::run },
    Part {
        name: "mutation",
        what: "no change of the validator or of a fit's rules goes unnoticed",
        run: mutation::run,
    },
    Part { name: "sanitizers", what: "nothing is touched outside of what was given", run: sanitizers::run },
    Part { name: "races", what: "threads touch nothing at the same time", run: races::run },
    Part { name: "fuzz", what: "calls that are led by the code they reach do no harm", run: fuzz::run },
    Part { name: "supply", what: "licences, sources and known faults of what is built in", run: supply::run },
    Part { name: "wheel", what: "the wheel is for old systems and old processors as well", run: wheel::run },
];

/// Runs the parts named in `only`, or all if it is empty, and writes the report.
pub(crate) fn run(only: &[String]) -> Result<(), Failure> {
    let commit = line_of("git", &["describe", "--always", "--dirty", "--abbrev=10"]);
    let outcome = steps::run(PARTS, only, |part| {
        let begin = Instant::now();
        let mut section = Section::default();
        let outcome = (part.run)(&mut section);
        let verdict = if outcome.is_ok() { "Passed" } else { "**Failed**" };
        let (time, date) = (begin.elapsed().as_secs_f64(), line_of("date", &["--utc", "+%Y-%m-%d %H:%M UTC"]));
        let run = format!("{verdict} in {time:.0} s, {date}, commit {commit}.");
        write(section_file(part), &section.markdown(part.name, part.what, &run))?;
        outcome
    });
    let report = report_file();
    write(report.clone(), &report_text())?;
    println!("{}", report.display());
    outcome
}

fn report_file() -> PathBuf {
    place::target().join("proof").join("report.md")
}

fn section_file(part: &Part) -> PathBuf {
    place::target().join("proof").join("sections").join(part.name).with_extension("md")
}

fn write(file: PathBuf, text: &str) -> Result<(), Failure> {
    let folder = file.parent().expect("a file in the target folder");
    fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    fs::write(&file, text).map_err(Failure::file(&file))
}

/// The sections that there are, below what they were made with.
fn report_text() -> String {
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    let machine = line_of("uname", &["--kernel-name", "--kernel-release", "--machine"]);
    let compiler = line_of("rustc", &["--version"]);
    let mut text = format!("# Proof\n\n`cargo xtask proof` on {processors} processors, {machine}, {compiler}.\n");
    for part in PARTS {
        let section = fs::read_to_string(section_file(part));
        text += &section.unwrap_or_else(|_| format!("\n## {}: {}\n\nNot run.\n", part.name, part.what));
    }
    text
}

/// The first line that a program prints, or that there is none.
fn line_of(program: &str, arguments: &[&str]) -> String {
    let output = Program::new(program, "").arguments(arguments).output();
    let line = output.ok().and_then(|output| output.lines().next().map(str::to_owned));
    line.unwrap_or_else(|| format!("({program} says nothing)"))
}
