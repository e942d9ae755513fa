//! What pages say that holds a promise is there: files, tests by their names, and parts of the proof.
//!
//! On these pages a code span with a slash, or with the ending of a source file, is a path from the root of the
//! repository; `path::name` is a test in it (`path::Class::name` for one in a class); and a bare `name.rs` is in
//! the folder of the path before it in its line, as in a list. What a run makes (`target/...`) is not looked for.

use std::fs;
use std::path::Path;

use trfboost_c_harness::artifacts::workspace;

/// The pages, and how many paths each names at least: a reader of pages that finds nothing would be content.
const PAGES: [(&str, usize); 2] = [("docs/guarantees.md", 30), ("docs/reports.md", 120)];

/// The table of the parts of the proof.
const PARTS: &str = "tests/xtask/src/proof.rs";

#[test]
fn pages_name_what_is_there() {
    let found = PAGES.map(|(page, least)| (page, least, look_at(page, &read(page))));
    let complaints: Vec<_> = found.iter().flat_map(|(_, _, (_, complaints))| complaints.as_slice()).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    for (page, least, (paths, _)) in found {
        assert!(paths >= least, "{page}: {paths} paths were found");
    }
}

#[test]
fn each_kind_of_trouble_has_a_test() {
    let page = read("docs/reports.md");
    let rows: Vec<_> = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| trouble ")).collect();
    assert!(rows.len() >= 30, "{} rows", rows.len());
    for row in rows {
        let held_by = row.trim_end_matches([' ', '|']).rsplit(" | ").next().unwrap_or_default();
        let (paths, _) = look_at("", held_by);
        assert!(paths > 0, "docs/reports.md: no test is named in the row: {row}");
    }
}

#[test]
fn what_is_not_there_is_told_with_its_page() {
    let text = "See `tests/tests/documented.rs::pages_name_what_is_there`, `layers.rs`, and `target/made.md`: \
        `layer.rs`, `docs/missing.md`, `tests/tests/documented.rs::is_not_there`,\n\
        `layers.rs`; `abi/python/tests/test_refusals.py::TestOutputs::test_read_only`, \
        `abi/python/tests/test_refusals.py::TestInputs::test_read_only`; \
        `cargo xtask proof --only harness`, `proof --only nothing`, `--only PART`.";
    let (paths, complaints) = look_at("a page", text);
    assert_eq!(paths, 8);
    assert_eq!(
        complaints,
        [
            "a page names `layer.rs`, and there is no tests/tests/layer.rs",
            "a page names `docs/missing.md`, and there is no docs/missing.md",
            "a page names `tests/tests/documented.rs::is_not_there`, \
             and tests/tests/documented.rs defines no is_not_there",
            "a page names `layers.rs`, and there is no layers.rs",
            "a page names `abi/python/tests/test_refusals.py::TestInputs::test_read_only`, \
             and abi/python/tests/test_refusals.py defines no TestInputs",
            "a page names `proof --only nothing`, and tests/xtask/src/proof.rs has no part nothing",
        ]
    );
}

fn read(name: &str) -> String {
    fs::read_to_string(workspace().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The number of paths in the text of a page, and a sentence for each that leads nowhere.
fn look_at(page: &str, text: &str) -> (usize, Vec<String>) {
    let (mut paths, mut complaints) = (0, Vec::new());
    let mut folder = Path::new("").to_owned();
    for (begins_line, span) in spans(text) {
        if begins_line {
            folder.clear();
        }
        let mut parts = span.split("::");
        let path = parts.next().unwrap_or_default();
        let missing = if let Some((_, part)) = span.split_once("proof --only ") {
            let known = read(PARTS).contains(&format!("name: \"{part}\""));
            (!known).then(|| format!("{PARTS} has no part {part}"))
        } else if is_path(path) {
            paths += 1;
            let file = if path.contains('/') { Path::new(path).to_owned() } else { folder.join(path) };
            folder = file.parent().unwrap_or(Path::new("")).to_owned();
            missing_from(&file.to_string_lossy(), parts)
        } else {
            None
        };
        complaints.extend(missing.map(|missing| format!("{page} names `{span}`, and {missing}")));
    }
    (paths, complaints)
}

/// The code spans of a text, each with whether a line began between it and the one before.
fn spans(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let pieces: Vec<_> = text.split('`').collect();
    let pairs = pieces.chunks_exact(2).map(|pair| (pair[0].contains('\n'), pair[1]));
    pairs.collect::<Vec<_>>().into_iter()
}

/// Whether this is written like a path of the repository.
fn is_path(path: &str) -> bool {
    const ENDINGS: [&str; 9] = ["rs", "py", "pyx", "c", "h", "cpp", "md", "toml", "json"];
    let is_file = path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending));
    let letters = path.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./".contains(letter));
    letters && (path.contains('/') || is_file) && !path.starts_with("target/")
}

/// What is not there of a file and the names that it should define, as half a sentence.
fn missing_from<'a>(file: &str, mut names: impl Iterator<Item = &'a str>) -> Option<String> {
    let path = workspace().join(file);
    if !path.exists() {
        return Some(format!("there is no {file}"));
    }
    let text = fs::read_to_string(&path).unwrap_or_default();
    let defines = |name: &str| {
        text.lines().any(|line| {
            let rest = ["fn ", "def ", "class "].iter().find_map(|keyword| line.trim_start().strip_prefix(keyword));
            let rest = rest.and_then(|rest| rest.strip_prefix(name));
            rest.is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
        })
    };
    names.find(|name| !defines(name)).map(|name| format!("{file} defines no {name}"))
}
