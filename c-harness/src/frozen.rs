//! The ABI of today against the one that was frozen under its version.
//!
//! Header and library can change hand in hand and agree all the time, while programs that were built
//! before are left behind. So what they agreed about is kept in the repository, one file for each
//! version (`abi/frozen/abi-1.txt`), and a change without a new version is a failure that says in words
//! what changed. Each side is held against the file by itself: the header by what a compiler makes of
//! it, the library by its own account and its symbols.

mod prototypes;
mod snapshot;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use crate::Trouble;
use crate::dialects;
use crate::header::Header;
use crate::layout::Account;
use crate::library::Symbols;
use crate::program::Workshop;
use crate::report::{Row, Section};
pub(crate) use snapshot::Snapshot;
use snapshot::{Item, Kind};

const COLUMNS: &[&str] = &["item", "frozen", "now", "in words"];

/// The struct that keeps its layout in all versions, so that any mirror can read it.
const PERMANENT: &str = "trfb_layout_row";

/// The files that were frozen, in one folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Archive<'a> {
    pub(crate) folder: &'a Path,
}

impl Archive<'_> {
    fn file(self, version: i64) -> PathBuf {
        self.folder.join(format!("abi-{version}.txt"))
    }

    /// The snapshot of a version, or a sentence about why there is none.
    pub(crate) fn read(self, version: i64) -> Result<Snapshot, String> {
        read(&self.file(version))
    }

    /// Keeps a snapshot for good.
    ///
    /// # Errors
    ///
    /// [`Trouble::Frozen`] if another one is kept for this version.
    pub(crate) fn freeze(self, version: i64, now: &Snapshot) -> Result<PathBuf, Trouble> {
        let file = self.file(version);
        if file.exists() {
            let same = read(&file).is_ok_and(|frozen| frozen == *now);
            return if same { Ok(file) } else { Err(Trouble::Frozen { file, version }) };
        }
        fs::create_dir_all(self.folder).map_err(Trouble::with(self.folder))?;
        fs::write(&file, now.text(version)).map_err(Trouble::with(&file))?;
        Ok(file)
    }

    /// Differences in what no version may change.
    fn permanent(self, now: &Snapshot) -> Vec<Row> {
        let entries = fs::read_dir(self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> = entries.filter(|file| file.extension().is_some_and(|end| end == "txt")).collect();
        files.sort();
        let mut rows = Vec::new();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match read(&file) {
                Ok(frozen) => {
                    let rest = rows_of(&frozen, now, |item| item.is_of(PERMANENT));
                    let agree = rest.iter().all(|row| row.verdict == crate::Verdict::Ok) && !rest.is_empty();
                    let cells = [format!("{PERMANENT}, in all versions"), name, String::new(), String::new()];
                    rows.push(Row::new(agree, cells));
                }
                Err(complaint) => rows.push(Row::failed(name, complaint)),
            }
        }
        rows
    }
}

fn read(file: &Path) -> Result<Snapshot, String> {
    let text = fs::read_to_string(file).map_err(|error| {
        format!("{}: {error}; cargo run -p trfboost-c-harness -- --freeze writes it", file.display())
    })?;
    Snapshot::read(&text).map_err(|line| format!("{}: not a line of a snapshot: {line}", file.display()))
}

/// What the two sides are today.
pub(crate) struct Sides<'a> {
    pub(crate) header: &'a Header,
    pub(crate) declared: &'a Account,
    /// The library's account and symbols; `None`: of a static library the symbols cannot be told.
    pub(crate) built: Option<(&'a Account, &'a Symbols)>,
}

impl Sides<'_> {
    fn declared(&self) -> Snapshot {
        Snapshot::new(self.header, self.declared, None)
    }

    /// The library as it was built: what is to be frozen.
    pub(crate) fn built(&self) -> Option<Snapshot> {
        self.built.map(|(account, symbols)| Snapshot::new(self.header, account, Some(symbols)))
    }
}

/// Both sides against the file of their version, and the file compiled with the header in each dialect.
pub(crate) fn sections(workshop: &Workshop<'_>, sides: &Sides<'_>, archive: Archive<'_>) -> Vec<Section> {
    let section = |title: &str, rows| Section { title: format!("Frozen: {title}"), columns: COLUMNS, rows };
    let version = sides.declared.constant("TRFB_ABI_VERSION");
    let Some(version) = version else {
        return vec![section("no version", vec![Row::failed("TRFB_ABI_VERSION", "the header does not define it")])];
    };
    let frozen = match archive.read(version) {
        Ok(frozen) => frozen,
        Err(complaint) => return vec![section("no snapshot", vec![Row::failed("snapshot", complaint)])],
    };
    let mut of_header = rows_of(&frozen, &sides.declared(), |item| item.kind != Kind::Soname);
    of_header.extend(archive.permanent(&sides.declared()));
    let of_library = match sides.built() {
        Some(built) => rows_of(&frozen, &built, |_| true),
        None => vec![Row::skipped("a static library", "has no soname; look at the shared one")],
    };
    let mut sections = vec![
        section(&format!("the header against version {version}"), of_header),
        section(&format!("the library against version {version}"), of_library),
        compiled(workshop, &frozen),
    ];
    if sections.iter().flat_map(|section| &section.rows).any(|row| row.verdict == crate::Verdict::Fail) {
        sections.push(section("what to do", vec![Row::failed(format!("version {version}"), remedy(version))]));
    }
    sections
}

fn remedy(version: i64) -> String {
    format!(
        "changed, and TRFB_ABI_VERSION is still {version}: programs built before would go on with the old one. Undo \
         the change, or raise the version (header, abi-check, soname) and have the new one written: cargo run -p \
         trfboost-c-harness -- --freeze"
    )
}

/// The snapshot compiled together with the header, in each dialect of the workshop's compiler.
pub(crate) fn compiled(workshop: &Workshop<'_>, frozen: &Snapshot) -> Section {
    let program = prototypes::program(frozen);
    let rows = dialects::rows(workshop, |workshop, dialect| {
        workshop
            .check(dialect, "frozen", &program, &[])
            .map(|()| "sizes, offsets, types, values, prototypes".to_owned())
    });
    let title = "Frozen: the snapshot and the header in one program".to_owned();
    Section { title, columns: dialects::COLUMNS, rows }
}

/// A row for each item that the file or this side has.
fn rows_of(frozen: &Snapshot, now: &Snapshot, wanted: fn(&Item) -> bool) -> Vec<Row> {
    let new = now.items().iter().filter(|item| frozen.value(item).is_none());
    let all = frozen.items().iter().chain(new).filter(|item| wanted(item));
    all.map(|item| {
        let sides = [frozen.value(item), now.value(item)];
        let [then, today] = sides.map(|side| side.unwrap_or("-").to_owned());
        let words = words::difference(item, sides);
        Row::new(words.is_none(), [item.name.clone(), then, today, words.unwrap_or_default()])
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    fn snapshot(lines: &str) -> Snapshot {
        Snapshot::read(lines).unwrap()
    }

    const LINES: &str = "field trfb_layout_row.kind  at 24, 8 bytes, int64_t\nconstant TRFB_L1  1\n";

    #[test]
    fn what_no_version_may_change_is_held_against_all_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive { folder: folder.path() };
        archive.freeze(1, &snapshot(LINES)).unwrap();
        archive.freeze(2, &snapshot(&LINES.replace("L1  1", "L1  3"))).unwrap();
        let verdicts = |now: &str| -> Vec<Verdict> {
            archive.permanent(&snapshot(now)).into_iter().map(|row| row.verdict).collect()
        };
        assert_eq!(verdicts(LINES), [Verdict::Ok; 2]);
        assert_eq!(verdicts(&LINES.replace("24", "32")), [Verdict::Fail; 2]);
        assert_eq!(verdicts("constant TRFB_L1  1\n"), [Verdict::Fail; 2]);
    }

    #[test]
    fn a_version_is_frozen_once() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive { folder: folder.path() };
        let file = archive.freeze(1, &snapshot(LINES)).unwrap();
        assert_eq!(archive.read(1), Ok(snapshot(LINES)));
        assert_eq!(archive.freeze(1, &snapshot(LINES)).unwrap(), file);
        let trouble = archive.freeze(1, &snapshot("constant TRFB_L1  2\n")).unwrap_err().to_string();
        assert!(trouble.contains("abi-1.txt") && trouble.contains("raise TRFB_ABI_VERSION"), "{trouble}");
        assert!(archive.read(2).unwrap_err().contains("--freeze"));
    }
}
