//! Header and library agree: with each compiler, with the shared and the static library, and under
//! valgrind.
//!
//! What a machine lacks is told on standard error, with what to install; where CI is set it is a
//! failure.

use std::io::Write as _;
use std::path::PathBuf;

use trfboost_c_harness::{Options, Part, Report, Trouble, Verdict, artifacts, run};

/// How many comparisons there are at least, of each kind of run: fewer would mean that a part was lost.
const WITH_PROBE: usize = 750;
const WITHOUT_PROBE: usize = 500;

/// The report, or nothing if this machine lacks what it needs.
fn report(options: &Options) -> Option<Report> {
    match run(options) {
        Ok(report) => Some(report),
        Err(trouble @ (Trouble::Compiler { .. } | Trouble::Missing { .. })) => {
            lacking(&trouble.to_string());
            None
        }
        Err(trouble) => panic!("{trouble}"),
    }
}

/// Past the test runner, which would keep it to itself.
fn lacking(what: &str) {
    assert!(std::env::var_os("CI").is_none(), "needed in CI: {what}");
    let _ = writeln!(std::io::stderr(), "SKIPPED {what}");
}

fn options(library: PathBuf, compiler: &str) -> Options {
    Options { compilers: vec![compiler.into()], ..Options::new(artifacts::header(), library) }
}

/// Nothing failed, nothing was lost, and nothing was skipped but what is named here.
fn assert_agreement(report: &Report, comparisons: usize, skipped: &[&str]) {
    assert!(report.passed(), "{report}");
    for (_, row) in report.rows(Verdict::Skipped) {
        let row = row.cells.join(": ");
        if row.contains("not found; install") {
            lacking(&row);
        } else {
            assert!(skipped.iter().any(|expected| row.contains(expected)), "skipped: {row}");
        }
    }
    assert!(report.count(Verdict::Ok) >= comparisons, "{} comparisons", report.count(Verdict::Ok));
}

fn assert_agreement_with(compiler: &str) {
    let built = artifacts::build();
    let options = Options { probe: Some(built.probe), ..options(built.library, compiler) };
    if let Some(report) = report(&options) {
        assert_agreement(&report, WITH_PROBE, &[]);
    }
}

#[test]
fn gcc_and_the_library_agree() {
    assert_agreement_with("gcc");
}

#[test]
fn clang_and_the_library_agree() {
    assert_agreement_with("clang");
}

/// Machines of other word sizes, byte orders and calling conventions.
const TARGETS: [&str; 6] = [
    "i686-linux-gnu",
    "x86_64-linux-gnux32",
    "aarch64-linux-gnu",
    "riscv64-linux-gnu",
    "s390x-linux-gnu",
    "x86_64-w64-mingw32",
];

#[test]
fn compilers_for_other_machines_accept_what_was_frozen_or_refuse_it_in_words() {
    let targets = TARGETS.map(str::to_owned).into();
    let options = Options { targets, parts: vec![Part::Frozen], ..options(artifacts::build().library, "gcc") };
    let Some(report) = report(&options) else { return };
    assert!(report.passed(), "{report}");
    let rows = report.rows(Verdict::Ok).filter(|(section, _)| section.title.starts_with("clang, for "));
    let (refused, accepted): (Vec<_>, Vec<_>) = rows.partition(|(_, row)| row.cells[1].starts_with("refused: "));
    // In C99 to C23 and C++11 to C++23: both variants of the header, and the snapshot.
    assert!(refused.len() >= 2 * 6 && accepted.len() >= 4 * 3 * 6, "{report}");
}

#[test]
fn tcc_and_the_library_agree() {
    let options = options(artifacts::build().library, "tcc");
    if let Some(report) = report(&options) {
        assert_agreement(&report, WITHOUT_PROBE, &["no probe", "tcc has no C++ compiler"]);
    }
}

#[test]
fn the_static_library_agrees_as_well() {
    if let Some(report) = report(&options(artifacts::build().static_library, "gcc")) {
        assert_agreement(&report, WITHOUT_PROBE, &["no probe", "a static library"]);
    }
}

#[test]
fn valgrind_finds_nothing_in_the_programs() {
    let options = Options { valgrind: true, ..options(artifacts::build().library, "gcc") };
    if let Some(report) = report(&options) {
        assert_agreement(&report, WITHOUT_PROBE, &["no probe", "under valgrind"]);
    }
}
