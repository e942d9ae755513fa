//! All checks, with each compiler.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::arguments::Arguments;
use crate::compiler::Compiler;
use crate::header::Header;
use crate::layout::{self, Account};
use crate::library::Library;
use crate::program::Workshop;
use crate::report::{Report, Row, Section};
use crate::workplace::Workplace;
use crate::{Trouble, artifacts, behaviour, constants, convention, names, standalone};

/// What is held against what.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The header.
    pub header: PathBuf,
    /// The library, shared or static.
    pub library: PathBuf,
    /// The probe of the calling convention.
    pub probe: Option<PathBuf>,
    /// The compilers; none: the one that the environment names.
    pub compilers: Vec<OsString>,
    /// Whether programs that call the library run under valgrind.
    pub valgrind: bool,
}

impl Options {
    /// This header and library, with the compiler that the environment names, without a probe.
    #[must_use]
    pub fn new(header: PathBuf, library: PathBuf) -> Self {
        Self { header, library, probe: None, compilers: Vec::new(), valgrind: false }
    }

    /// Fills in what the command line left out, by building the checkout.
    ///
    /// # Errors
    ///
    /// Those of [`artifacts::try_build`].
    pub fn resolve(arguments: Arguments) -> Result<Self, Trouble> {
        let Arguments { header, library, probe, compilers, valgrind } = arguments;
        let header = header.unwrap_or_else(artifacts::header);
        let (library, probe) = match library {
            Some(library) => (library, probe),
            None => {
                let built = artifacts::try_build()?;
                (built.library, probe.or(Some(built.probe)))
            }
        };
        Ok(Self { header, library, probe, compilers, valgrind })
    }
}

const ACCOUNT: &str = include_str!("../c/account.c");

/// Runs all checks.
///
/// # Errors
///
/// If something is missing that the checks need: a file, a compiler, valgrind. A check that fails is
/// no error, but a row of the report.
pub fn run(options: &Options) -> Result<Report, Trouble> {
    if options.valgrind {
        let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.map_err(|_| Trouble::Missing { program: "valgrind", install: "apt install valgrind" })?;
    }
    let library = Library::open(&options.library)?;
    let probe = options.probe.as_deref().map(Library::open).transpose()?;
    let compilers = match &options.compilers[..] {
        [] => vec![Compiler::find(None)?],
        names => names.iter().map(|name| Compiler::find(Some(name))).collect::<Result<_, _>>()?,
    };
    let mut report = Report::default();
    report.subject.push(format!("header   {}", options.header.display()));
    report.subject.push(format!("library  {}", library.path().display()));
    report.subject.extend(probe.iter().map(|probe| format!("probe    {}", probe.path().display())));
    for compiler in &compilers {
        report.subject.push(format!("compiler {}: {}", compiler.name(), compiler.version()));
        let sections = with_compiler(options, &library, probe.as_ref(), compiler)?;
        report.sections.extend(sections.into_iter().map(|section| {
            let title = format!("{}: {}", compiler.name(), section.title);
            Section { title, ..section }
        }));
    }
    Ok(report)
}

fn with_compiler(
    options: &Options,
    library: &Library,
    probe: Option<&Library>,
    compiler: &Compiler,
) -> Result<Vec<Section>, Trouble> {
    let workplace = Workplace::new(&options.header)?;
    let workshop = Workshop { compiler, workplace: &workplace };
    let link = library.install(&workplace)?;
    let header = Header::read(compiler, &workplace.header());
    let mut sections = vec![standalone::section(&workshop, &header)];
    let Ok(header) = header else {
        return Ok(sections);
    };
    let account =
        |source: (&str, &str), link: &[OsString]| workshop.lines(source, link).and_then(|lines| Account::read(&lines));
    let declared = account(("layout.c", &layout::program(&header)), &[]);
    let built = account(("account.c", ACCOUNT), &link);
    let abi_version = declared.as_ref().ok().and_then(|account| account.constant("TRFB_ABI_VERSION"));
    sections.push(names::section(&header, library, abi_version));
    sections.extend(compared(&declared, &built));
    sections.push(match probe {
        Some(probe) => convention::section(&workshop, &header, probe, &probe.install(&workplace)?),
        None => convention::skipped(),
    });
    sections.extend(behaviour::sections(&workshop, &link, options.valgrind));
    Ok(sections)
}

/// Layout and constants, or why there is nothing to compare.
fn compared(declared: &Result<Account, String>, built: &Result<Account, String>) -> Vec<Section> {
    if let (Ok(declared), Ok(built)) = (declared, built) {
        return vec![layout::section(declared, built), constants::section(declared, built)];
    }
    let sides = [("the header's account (layout.c)", declared), ("the library's account (account.c)", built)];
    let complaints = sides.into_iter().filter_map(|(side, account)| Some((side, account.as_ref().err()?)));
    let rows = complaints.map(|(side, complaint)| Row::failed(side, complaint)).collect();
    vec![Section { title: "Layout and constants".to_owned(), columns: layout::COLUMNS, rows }]
}
