//! Random calls by the million: what the validator says of them against its oracle, and what comes of them at the C
//! functions.
//!
//! The tests of `abi-check` and `abi` make the same calls, by the thousand; each has a number, and a failure names it.

use super::Section;
use super::evidence::figures;
use crate::failure::Failure;
use crate::process::Program;

/// How many calls go through the C functions; `TRFBOOST_CASES` says otherwise.
const CALLS: u64 = 20_000_000;

/// Package, tests, the test, and how many times as many calls it makes: to judge one takes less time than to make it.
const TESTS: [(&str, &str, &str, u64); 3] = [
    ("trfboost-abi-check", "validator", "agreement::numbered_calls_are_judged_alike_and_are_of_every_kind", 2),
    ("trfboost-abi-check", "validator", "agreement::numbered_views_of_every_rank_are_judged_alike", 2),
    ("trfboost-abi", "boundary", "random::numbered_calls_do_what_they_should_and_come_to_every_end", 1),
];

/// Makes the calls, of each kind by itself: a test uses all processors.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let asked = std::env::var("TRFBOOST_CASES").map(|asked| asked.parse());
    let calls: u64 = asked.unwrap_or(Ok(CALLS)).map_err(|_| Failure::Failed("reading TRFBOOST_CASES".to_owned()))?;
    for (package, tests, test, times) in TESTS {
        let run = ["test", "--quiet", "--locked", "--profile", "proof", "--package", package, "--test", tests];
        let program = Program::cargo().arguments(run).arguments(["--", "--nocapture", "--exact", test]);
        let printed = program.variable("TRFBOOST_CASES", (calls * times).to_string()).recorded()?;
        figures(section, &printed, &["calls "])?;
    }
    Ok(())
}
