//! What the header's comments say against what calls do.
//!
//! The programs lie in `c/` and can be read on their own: each is a table of checks, and prints a line
//! for each. They share no process, so that one that crashes takes only its own checks along.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::program::{Source, VALGRIND_FOUND, Workshop, run};
use crate::report::{Row, Section};

pub(crate) const COLUMNS: &[&str] = &["check", "expected", "actual"];

macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("../c/", $name)))
    };
}

const HEADERS: &[Source] = &[source!("check.h"), source!("arrays.h"), source!("plain.h"), source!("calls.h")];
const SHARED: &[Source] = &[source!("check.c"), source!("arrays.c"), source!("plain.c"), source!("calls.c")];

/// The programs, and what each is about.
const PROGRAMS: &[(Source, &str)] = &[
    (source!("descriptors.c"), "inline functions and initialisers"),
    (source!("options.c"), "trfb_generate_options against plain loops"),
    (source!("residual.c"), "trfb_update_error and trfb_error_for_indexes against plain loops"),
    (source!("fits.c"), "trfb_boosting_fit and trfb_boosting_runs against plain loops"),
    (source!("prediction.c"), "trfb_convolve against plain loops"),
    (source!("short_segment.c"), "a last segment that is shorter than the lags"),
    (source!("empty.c"), "nothing to compute on"),
    (source!("refused_views.c"), "what the validator refuses"),
    (source!("refused_lengths.c"), "lengths that do not agree"),
    (source!("refused_values.c"), "values that are refused"),
    (source!("details.c"), "how a failure is told"),
    (source!("progress.c"), "progress callbacks"),
    (source!("threads.c"), "calls from several threads, and after fork"),
];

/// Not under valgrind, where a million steps take many seconds; it reads nothing that others do not.
const LONG_PROGRAM: (Source, &str) = (source!("million_steps.c"), "a fit that does not end");

const CPP_PROGRAM: (Source, &str) = (source!("from_cpp.cpp"), "a call from C++");

/// One section for each program.
pub(crate) fn sections(workshop: &Workshop<'_>, link: &[OsString], valgrind: bool) -> Vec<Section> {
    let shared = match shared(workshop) {
        Ok(shared) => shared,
        Err(complaint) => return vec![section("the programs", vec![Row::failed("does not compile", complaint)])],
    };
    let rows_of = |source: Source| rows(source.0, workshop.link(source, &shared, link), valgrind);
    let mut sections: Vec<Section> = PROGRAMS.iter().map(|(source, about)| section(about, rows_of(*source))).collect();
    let (source, about) = LONG_PROGRAM;
    let skipped = || vec![Row::skipped(source.0, "a million steps take too long under valgrind")];
    sections.push(section(about, if valgrind { skipped() } else { rows_of(source) }));
    let (source, about) = CPP_PROGRAM;
    let rows = match workshop.compiler.sister() {
        Ok(sister) => {
            let workshop = Workshop { compiler: &sister, ..*workshop };
            rows(source.0, workshop.link(source, &[], link), valgrind)
        }
        Err(reason) => vec![Row::skipped(source.0, reason)],
    };
    sections.push(section(about, rows));
    sections
}

fn section(about: &str, rows: Vec<Row>) -> Section {
    Section { title: format!("Behaviour: {about}"), columns: COLUMNS, rows }
}

/// Compiles what the programs share, once.
fn shared(workshop: &Workshop<'_>) -> Result<Vec<PathBuf>, String> {
    for (name, text) in HEADERS {
        workshop.workplace.write(name, text).map_err(|trouble| trouble.to_string())?;
    }
    SHARED.iter().map(|source| workshop.object(*source)).collect()
}

/// The rows of a program: its checks, and how it ended if it did not end well.
fn rows(name: &str, program: Result<PathBuf, String>, valgrind: bool) -> Vec<Row> {
    let program = match program {
        Ok(program) => program,
        Err(complaint) => return vec![Row::failed(name, format!("does not compile: {complaint}"))],
    };
    let ended = match run(&program, valgrind) {
        Ok(ended) => ended,
        Err(complaint) => return vec![Row::failed(name, complaint)],
    };
    let mut rows: Vec<Row> = ended.lines.iter().filter_map(|line| check_row(line)).collect();
    if ended.code() == Some(VALGRIND_FOUND) {
        let complaint = ended.errors.iter().find(|line| line.starts_with("==")).cloned();
        rows.push(Row::failed(name, format!("valgrind: {}", complaint.unwrap_or_default())));
    } else if !ended.lines.iter().any(|line| *line == format!("end\t{}", rows.len())) {
        rows.push(Row::failed(name, ended.describe()));
    }
    rows
}

/// `ok<tab>what<tab>expected<tab>actual`, or the same with FAIL.
fn check_row(line: &str) -> Option<Row> {
    let [verdict @ ("ok" | "FAIL"), cells @ ..] = &line.split('\t').collect::<Vec<_>>()[..] else { return None };
    let cells: [&str; 3] = cells.try_into().ok()?;
    Some(Row::new(*verdict == "ok", cells.map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    #[test]
    fn lines_of_checks_become_rows_and_others_do_not() {
        let row = check_row("FAIL\tshift\t1\t2").unwrap();
        assert_eq!((row.verdict, row.cells), (Verdict::Fail, vec!["shift".into(), "1".into(), "2".into()]));
        assert_eq!(check_row("ok\tshift\t1\t1").unwrap().verdict, Verdict::Ok);
        assert_eq!(check_row("end\t2"), None);
        assert_eq!(check_row("ok\tcut"), None);
    }
}
