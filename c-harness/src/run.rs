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
use crate::{Part, Trouble, artifacts, behaviour, constants, convention, names, standalone};

/// What is held against what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The header.
    pub header: PathBuf,
    /// The library, shared or static.
    pub library: PathBuf,
    /// The probe of the calling convention.
    pub probe: Option<PathBuf>,
    /// The compilers; none: the one that the environment names.
    pub compilers: Vec<OsString>,
    /// The parts of the run; none: all.
    pub parts: Vec<Part>,
    /// Whether programs that call the library run under valgrind.
    pub valgrind: bool,
}

impl Options {
    /// This header and library, with the compiler that the environment names, without a probe.
    #[must_use]
    pub fn new(header: PathBuf, library: PathBuf) -> Self {
        Self { header, library, probe: None, compilers: Vec::new(), parts: Vec::new(), valgrind: false }
    }

    /// Fills in what the command line left out, by building the checkout.
    ///
    /// # Errors
    ///
    /// Those of [`artifacts::try_build`].
    pub fn resolve(arguments: Arguments) -> Result<Self, Trouble> {
        let Arguments { header, library, probe, compilers, parts, valgrind } = arguments;
        let header = header.unwrap_or_else(artifacts::header);
        let (library, probe) = match library {
            Some(library) => (library, probe),
            None => {
                let built = artifacts::try_build()?;
                (built.library, probe.or(Some(built.probe)))
            }
        };
        Ok(Self { header, library, probe, compilers, parts, valgrind })
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
    let asked_for = |part: Part| options.parts.is_empty() || options.parts.contains(&part);
    let mut sections = Vec::new();
    if asked_for(Part::Header) || header.is_err() {
        sections.push(standalone::section(&workshop, &header));
    }
    let Ok(header) = header else {
        return Ok(sections);
    };
    let accounts = Accounts::of(&workshop, &header, &link);
    if asked_for(Part::Names) {
        sections.push(names::section(&header, library, accounts.constant("TRFB_ABI_VERSION")));
    }
    sections.extend(accounts.sections().into_iter().filter(|(part, _)| asked_for(*part)).map(|(_, section)| section));
    if asked_for(Part::Convention) {
        sections.push(match probe {
            Some(probe) => convention::section(&workshop, &header, probe, &probe.install(&workplace)?),
            None => convention::skipped(),
        });
    }
    if asked_for(Part::Behaviour) {
        sections.extend(behaviour::sections(&workshop, &link, options.valgrind));
    }
    Ok(sections)
}

/// What each side says of structs and constants, or why it says nothing.
struct Accounts {
    header: Result<Account, String>,
    library: Result<Account, String>,
}

impl Accounts {
    fn of(workshop: &Workshop<'_>, header: &Header, link: &[OsString]) -> Self {
        let account = |source: (&str, &str), link: &[OsString]| {
            workshop.lines(source, link).and_then(|lines| Account::read(&lines))
        };
        let header = account(("layout.c", &layout::program(header)), &[]);
        Self { header, library: account(("account.c", ACCOUNT), link) }
    }

    fn constant(&self, name: &str) -> Option<i64> {
        self.header.as_ref().ok()?.constant(name)
    }

    /// Layout and constants, or why there is nothing to compare.
    fn sections(&self) -> Vec<(Part, Section)> {
        if let (Ok(header), Ok(library)) = (&self.header, &self.library) {
            let (layout, constants) = (layout::section(header, library), constants::section(header, library));
            return vec![(Part::Layout, layout), (Part::Constants, constants)];
        }
        let sides = [("the header (layout.c)", &self.header), ("the library (account.c)", &self.library)];
        let complaints = sides.into_iter().filter_map(|(side, account)| Some((side, account.as_ref().err()?)));
        let rows = complaints.map(|(side, complaint)| Row::failed(side, complaint)).collect();
        let title = "Layout and constants".to_owned();
        vec![(Part::Layout, Section { title, columns: layout::COLUMNS, rows })]
    }
}
