//! All checks, with each compiler.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::arguments::Arguments;
use crate::compiler::Compiler;
use crate::frozen::{Archive, Sides};
use crate::header::Header;
use crate::layout::{self, Account};
use crate::library::Library;
use crate::program::Workshop;
use crate::report::{Report, Row, Section};
use crate::workplace::Workplace;
use crate::{Part, Trouble, artifacts, behaviour, constants, convention, dialects, frozen, names, standalone, targets};

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
    /// Other machines, for which the header is compiled as well.
    pub targets: Vec<String>,
    /// The folder of the frozen ABI.
    pub frozen: PathBuf,
    /// The parts of the run; none: all.
    pub parts: Vec<Part>,
    /// Whether programs that call the library run under valgrind.
    pub valgrind: bool,
}

impl Options {
    /// This header and library, with the compiler that the environment names, without a probe.
    #[must_use]
    pub fn new(header: PathBuf, library: PathBuf) -> Self {
        let (compilers, targets, parts) = (Vec::new(), Vec::new(), Vec::new());
        Self { header, library, probe: None, compilers, targets, frozen: artifacts::frozen(), parts, valgrind: false }
    }

    /// The compilers, of which there is one at least.
    fn compilers(&self) -> Result<Vec<Compiler>, Trouble> {
        match &self.compilers[..] {
            [] => Ok(vec![Compiler::find(None)?]),
            names => names.iter().map(|name| Compiler::find(Some(name))).collect(),
        }
    }

    /// Fills in what the command line left out, by building the checkout.
    ///
    /// # Errors
    ///
    /// Those of [`artifacts::try_build`].
    pub fn resolve(arguments: Arguments) -> Result<Self, Trouble> {
        let Arguments { header, library, probe, compilers, targets, frozen, parts, valgrind } = arguments;
        let header = header.unwrap_or_else(artifacts::header);
        let (library, probe) = match library {
            Some(library) => (library, probe),
            None => {
                let built = artifacts::try_build()?;
                (built.library, probe.or(Some(built.probe)))
            }
        };
        let frozen = frozen.unwrap_or_else(artifacts::frozen);
        Ok(Self { header, library, probe, compilers, targets, frozen, parts, valgrind })
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
    let compilers = options.compilers()?;
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
    if let ([_, ..], [compiler, ..]) = (&options.targets[..], &compilers[..]) {
        report.sections.extend(for_targets(options, compiler)?);
    }
    Ok(report)
}

/// Writes the ABI of today to the folder of the frozen ones, and returns the file.
///
/// # Errors
///
/// Those of [`run`], and [`Trouble::Frozen`] if it is another one than was frozen under its version.
pub fn freeze(options: &Options) -> Result<PathBuf, Trouble> {
    let parts = vec![Part::Header, Part::Names, Part::Layout, Part::Constants];
    let agreement = run(&Options { parts, targets: Vec::new(), ..options.clone() })?;
    if !agreement.passed() {
        return Err(Trouble::NothingToFreeze(format!("header and library do not agree\n{agreement}")));
    }
    let library = Library::open(&options.library)?;
    let [compiler, ..] = &options.compilers()?[..] else { unreachable!("there is one at least") };
    let workplace = Workplace::new(&options.header)?;
    let workshop = Workshop { compiler, workplace: &workplace };
    let header = Header::read(compiler, &workplace.header()).map_err(Trouble::NothingToFreeze)?;
    let accounts = Accounts::of(&workshop, &header, &library.install(&workplace)?);
    let built = accounts.sides(&header, &library).and_then(|sides| sides.built());
    let (Some(built), Some(version)) = (built, accounts.constant("TRFB_ABI_VERSION")) else {
        return Err(Trouble::NothingToFreeze("a shared library is needed, whose symbols can be told".to_owned()));
    };
    Archive { folder: &options.frozen }.freeze(version, &built)
}

/// The header on other machines.
fn for_targets(options: &Options, compiler: &Compiler) -> Result<Vec<Section>, Trouble> {
    let workplace = Workplace::new(&options.header)?;
    let workshop = Workshop { compiler, workplace: &workplace };
    let frozen = Header::read(compiler, &workplace.header())
        .and_then(|header| Accounts::declared(&workshop, &header))
        .and_then(|account| account.constant("TRFB_ABI_VERSION").ok_or("no TRFB_ABI_VERSION".to_owned()))
        .and_then(|version| Archive { folder: &options.frozen }.read(version));
    let frozen = match frozen {
        Ok(frozen) => frozen,
        Err(complaint) => {
            let rows = vec![Row::failed("the frozen ABI", complaint)];
            return Ok(vec![Section { title: "Other machines".to_owned(), columns: dialects::COLUMNS, rows }]);
        }
    };
    let sections = options.targets.iter().map(|target| targets::sections(target, &workplace, &frozen));
    Ok(sections.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
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
    if asked_for(Part::Frozen) {
        sections.extend(match accounts.sides(&header, library) {
            Some(sides) => frozen::sections(&workshop, &sides, Archive { folder: &options.frozen }),
            None => vec![accounts.missing("Frozen")],
        });
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
        let library = workshop.lines(("account.c", ACCOUNT), link).and_then(|lines| Account::read(&lines));
        Self { header: Self::declared(workshop, header), library }
    }

    /// What the header says, as the compiler understands it.
    fn declared(workshop: &Workshop<'_>, header: &Header) -> Result<Account, String> {
        let lines = workshop.lines(("layout.c", &layout::program(header)), &[])?;
        Account::read(&lines)
    }

    /// What can be held against the frozen ABI; nothing, if one of the sides says nothing.
    fn sides<'a>(&'a self, header: &'a Header, library: &'a Library) -> Option<Sides<'a>> {
        let (Ok(declared), Ok(built)) = (&self.header, &self.library) else { return None };
        Some(Sides { header, declared, built: library.symbols().map(|symbols| (built, symbols)) })
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
        vec![(Part::Layout, self.missing("Layout and constants"))]
    }

    /// A section that says why it compares nothing.
    fn missing(&self, title: &str) -> Section {
        let sides = [("the header (layout.c)", &self.header), ("the library (account.c)", &self.library)];
        let complaints = sides.into_iter().filter_map(|(side, account)| Some((side, account.as_ref().err()?)));
        let rows = complaints.map(|(side, complaint)| Row::failed(side, complaint)).collect();
        Section { title: title.to_owned(), columns: layout::COLUMNS, rows }
    }
}
