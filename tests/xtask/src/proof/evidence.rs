//! What the runs of a part of the proof have to tell. Of what was to be counted there has to be one at least: a filter
//! that matches no test, or a list that is empty, succeeds, and has shown nothing.

use super::Section;
use crate::failure::Failure;

/// How many tests passed, of all that a run of `cargo test` tells of. Each of `words`, which tests were asked for
/// by, has to be in the name of one.
pub(super) fn passed(report: &str, words: &[&str]) -> Result<usize, Failure> {
    let names: Vec<_> = report.lines().filter_map(|line| line.strip_prefix("test ")?.split_once(" ... ")).collect();
    for word in words {
        if !names.iter().any(|(name, _)| name.contains(word)) {
            return Err(Failure::Nothing(format!("test {word}")));
        }
    }
    let counts = report.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split(' ').next());
    some(counts.filter_map(|count| count.parse::<usize>().ok()).sum(), "test that passed")
}

/// The sum of all numbers that are told as `what: number`, be it behind a test's name.
pub(super) fn sum_of(report: &str, what: &str) -> Result<usize, Failure> {
    let told = report.lines().filter_map(|line| line.split_once(what)?.1.strip_prefix(": "));
    some(told.filter_map(|number| number.parse::<usize>().ok()).sum(), what)
}

/// Adds the lines `what: number` that begin with one of these words, of all that was printed.
pub(super) fn figures(section: &mut Section, printed: &str, known: &[&str]) -> Result<(), Failure> {
    let figures = printed.lines().filter(|line| known.iter().any(|known| line.starts_with(known)));
    let figures = figures.filter_map(|line| line.split_once(": "));
    some(figures.map(|(what, value)| section.figure(what, value)).count(), "figure that was printed").map(drop)
}

/// The line in which the C harness counts its comparisons.
pub(super) fn compared(report: &str) -> Result<&str, Failure> {
    let summary = report.lines().find(|line| line.contains(" ok, ") && line.ends_with(" skipped"));
    let summary = summary.filter(|summary| !summary.starts_with("0 "));
    summary.ok_or_else(|| Failure::Nothing("comparison of the C harness".to_owned()))
}

/// This number, which has to be one at least.
pub(super) fn some(count: usize, what: &str) -> Result<usize, Failure> {
    if count > 0 { Ok(count) } else { Err(Failure::Nothing(what.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
running 2 tests
test beyond::one ... calls at closed pages: 40
ok
calls at closed pages: 2
test beyond::two ... ok

test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 60 filtered out; finished in 0.10s

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s
";

    #[test]
    fn tests_and_numbers_of_all_programs_are_added_up() {
        assert_eq!(passed(REPORT, &["beyond", "two"]).unwrap(), 2);
        assert_eq!(sum_of(REPORT, "calls at closed pages").unwrap(), 42);
    }

    #[test]
    fn a_run_of_nothing_is_an_error() {
        let none = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 62 filtered out; finished in 0.00s\n";
        assert_eq!(passed(none, &[]).unwrap_err().to_string(), "nothing was shown: there is no test that passed");
        assert_eq!(
            passed(REPORT, &["beyond", "three"]).unwrap_err().to_string(),
            "nothing was shown: there is no test three"
        );
        assert!(passed("", &[]).is_err() && sum_of(REPORT, "calls").is_err());
    }

    #[test]
    fn a_harness_that_compares_nothing_is_an_error() {
        assert_eq!(compared("...\n\n10 ok, 0 failed, 0 skipped\n").unwrap(), "10 ok, 0 failed, 0 skipped");
        assert!(compared("\n0 ok, 0 failed, 3 skipped\n").is_err() && compared("").is_err());
    }
}
