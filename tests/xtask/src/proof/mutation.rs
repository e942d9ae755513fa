//! Mutants: the code changed in one place, once for each place and change. One that no test notices is a rule
//! that nothing holds.

use std::fs;

use super::Section;
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// A package, and the tests that are about what is in scope there (`.cargo/mutants.toml`): the filter of
/// `cargo test`, so that a mutant takes seconds.
const SCOPES: [(&str, &[&str]); 2] = [
    ("trfboost-abi-check", &["--lib", "--tests"]),
    (
        "trfboost-kernel",
        &[
            "--lib",
            "--test",
            "fits",
            "--test",
            "stops",
            "--test",
            "refused",
            "--",
            "--skip",
            "fast::signs",
            "--skip",
            "fast::correlations",
        ],
    ),
];

/// Lists that cargo-mutants writes, and what they are lists of. A mutant that makes an endless loop is noticed.
const LISTS: [(&str, &str); 4] = [
    ("caught", "are caught"),
    ("timeout", "are caught by the clock"),
    ("unviable", "do not compile"),
    ("missed", "survive"),
];

/// Runs cargo-mutants in each package. Mutants that change nothing are left out in `.cargo/mutants.toml`, each
/// with the reason; whatever else survives fails this part, and is listed.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let mut survivors = 0;
    for (package, tests) in SCOPES {
        let folder = place::target().join("proof").join("mutants").join(package);
        fs::create_dir_all(&folder).map_err(Failure::file(&folder))?; // cargo-mutants makes the last part only
        let mutants =
            ["mutants", "--package", package, "--colors", "never", "--minimum-test-timeout", "60", "--output"];
        let program = Program::cargo().arguments(mutants).arguments([&folder]).arguments(["--"]).arguments(tests);
        // Survivors make it end with 2; the lists tell more.
        let outcome = program.variable("PROPTEST_MAX_SHRINK_ITERS", "0").variable("TRFBOOST_CASES", "100").run();
        for (list, what) in LISTS {
            let file = folder.join("mutants.out").join(list).with_extension("txt");
            let text = fs::read_to_string(&file).map_err(|_| missing(&outcome))?;
            section.figure(format!("mutants of {package} that {what}"), text.lines().count());
            if list == "caught" && text.is_empty() {
                return Err(Failure::Nothing(format!("mutant of {package} that was caught")));
            }
            if list == "missed" {
                text.lines().for_each(|line| section.figure("survivor", line));
                survivors += text.lines().count();
            }
        }
    }
    if survivors == 0 {
        Ok(())
    } else {
        Err(Failure::Failed(format!("to have a test for each of {survivors} mutants")))
    }
}

/// Without lists nothing was tried: most likely the program is not there.
fn missing(outcome: &Result<(), Failure>) -> Failure {
    let reason = if outcome.is_err() { "cargo mutants" } else { "cargo mutants, which wrote no lists," };
    Failure::Failed(format!("{reason} (cargo install --locked cargo-mutants)"))
}
