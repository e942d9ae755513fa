//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::prelude::*;

use crate::failure::Failure;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Usage: cargo xtask COMMAND

Commands:
  demo                 TRFs from a recording of speech, through Python; writes
                       target/demo/trfs.png
  docs                 the site, with its figures; writes target/docs/index.html
  test                 every test: Rust, C, Python, and against Eelbrain
  test --only STEP     one step of it; can be repeated
  test --list          the steps
  proof                what takes longer to show; writes target/proof/report.md
  proof --only PART    one part of it; can be repeated
  proof --list         the parts
  bench                everything that is measured, on one thread; some minutes,
                       of which nothing else should run; writes
                       target/bench/report.md
  bench SECTION...     some of it:
                         table     against Eelbrain and plain C, bits compared
                         growth    time against T, n, L and n_y
                         overhead  of a call, from each language
                         floor     beside the least that a fit can take
                         memory    of 500 signals x 3 splits
                         parts     of the kernel
  bench --rows REGEX   of the table, rows whose name matches
  bench --large        memory of 5,000 signals as well
  bench --output FILE  the report goes there
  install --prefix DIR header, shared and static library, pkg-config file and
                       CMake package, for C and C++; heeds DESTDIR

Demo, docs, test, proof and bench make a Python environment in target/. They need Rust, a C compiler and
Python 3.10 or later; PYTHON names an interpreter to make it with.
";

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    Demo,
    Docs,
    TestList,
    Test { only: Vec<String> },
    ProofList,
    Proof { only: Vec<String> },
    Bench(Bench),
    Install { prefix: PathBuf },
}

/// What of the bench; without sections, all of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Bench {
    pub(crate) sections: Vec<String>,
    pub(crate) rows: String,
    pub(crate) large: bool,
    pub(crate) output: Option<PathBuf>,
}

/// The sections of the bench.
const SECTIONS: [&str; 6] = ["table", "growth", "overhead", "floor", "memory", "parts"];

/// Reads a command line, whose first word is the program.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Request, Failure> {
    let mut parser = lexopt::Parser::from_iter(words);
    let mut request = None;
    while let Some(argument) = parser.next()? {
        match (argument, &mut request) {
            (Short('h') | Long("help"), _) => return Ok(Request::Help),
            (Value(word), None) if word == "demo" => request = Some(Request::Demo),
            (Value(word), None) if word == "docs" => request = Some(Request::Docs),
            (Value(word), None) if word == "test" => request = Some(Request::Test { only: Vec::new() }),
            (Value(word), None) if word == "proof" => request = Some(Request::Proof { only: Vec::new() }),
            (Value(word), None) if word == "bench" => request = Some(Request::Bench(Bench::default())),
            (Value(word), Some(Request::Bench(bench))) if SECTIONS.iter().any(|section| word == *section) => {
                bench.sections.push(word.string()?);
            }
            (Long("rows"), Some(Request::Bench(bench))) => bench.rows = parser.value()?.string()?,
            (Long("large"), Some(Request::Bench(bench))) => bench.large = true,
            (Long("output"), Some(Request::Bench(bench))) => bench.output = Some(parser.value()?.into()),
            (Value(word), None) if word == "install" => request = Some(Request::Install { prefix: PathBuf::new() }),
            (Long("prefix"), Some(Request::Install { prefix })) => *prefix = parser.value()?.into(),
            (Long("list"), Some(Request::Test { .. })) => return Ok(Request::TestList),
            (Long("list"), Some(Request::Proof { .. })) => return Ok(Request::ProofList),
            (Long("only"), Some(Request::Test { only } | Request::Proof { only })) => {
                only.push(parser.value()?.string()?);
            }
            (argument, _) => return Err(argument.unexpected().into()),
        }
    }
    match request {
        Some(Request::Install { prefix }) if prefix.as_os_str().is_empty() => Err(Failure::NoPrefix),
        _ => Ok(request.unwrap_or(Request::Help)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        let words = std::iter::once("xtask").chain(line.split_whitespace()).map(OsString::from);
        parse(words).map_err(|failure| failure.to_string())
    }

    #[test]
    fn commands_are_read_and_what_is_none_is_named() {
        assert_eq!(parsed(""), Ok(Request::Help));
        assert_eq!(parsed("test --help"), Ok(Request::Help));
        assert_eq!(parsed("demo"), Ok(Request::Demo));
        assert_eq!(parsed("docs"), Ok(Request::Docs));
        assert_eq!(parsed("test --list"), Ok(Request::TestList));
        assert_eq!(parsed("proof --list"), Ok(Request::ProofList));
        let only = vec!["fmt".to_owned(), "python".to_owned()];
        assert_eq!(parsed("test --only fmt --only=python"), Ok(Request::Test { only: only.clone() }));
        assert_eq!(parsed("proof --only fmt --only=python"), Ok(Request::Proof { only }));
        assert_eq!(parsed("bench"), Ok(Request::Bench(Bench::default())));
        let bench = Bench {
            sections: vec!["table".to_owned(), "memory".to_owned()],
            rows: "l2".to_owned(),
            large: true,
            output: Some("a.md".into()),
        };
        assert_eq!(parsed("bench table --rows l2 memory --large --output a.md"), Ok(Request::Bench(bench)));
        assert!(parsed("bench tables").unwrap_err().contains("tables"));
        assert_eq!(parsed("install --prefix /opt/x"), Ok(Request::Install { prefix: "/opt/x".into() }));
        assert!(parsed("install").unwrap_err().contains("--prefix"));
        assert!(parsed("tests").unwrap_err().contains("tests"));
        assert!(parsed("demo --only fmt").unwrap_err().contains("--only"));
    }
}
