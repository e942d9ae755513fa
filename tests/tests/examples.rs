//! The examples on pages (README.md, CONTRIBUTING.md, the site in `docs`) in C and C++ compile strictly, run,
//! and find what they say; and no example is in a language in which nobody runs it.

use std::fs;
use std::path::{Path, PathBuf};

use trfboost_c_harness::artifacts::workspace;
use trfboost_tests::program::{self, C, CPP, Language};

/// Languages of blocks, and who runs them. (`text` and `console` show what is seen and typed.)
const RUN_BY: [(&str, &str); 8] = [
    ("rust", "the doctests of this crate"),
    ("c", "this file"),
    ("cpp", "this file"),
    ("python", "tests/python/test_examples.py"),
    ("{plot}", "tests/python/test_examples.py, and whoever builds the site"),
    ("cython", "tests/python/test_examples.py"),
    ("console", "nobody"),
    ("text", "nobody"),
];

/// The pages, by their names in the checkout.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md"].map(PathBuf::from).into();
    collect(Path::new("docs"), &mut pages);
    pages
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(workspace().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = folder.join(entry.file_name());
        if entry.path().is_dir() {
            collect(&name, pages);
        } else if name.extension().is_some_and(|extension| extension == "md") {
            pages.push(name);
        }
    }
}

/// Language and text of each code block of a page.
fn blocks(page: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(workspace().join(page)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let fences: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].trim_start().starts_with("```")).collect();
    assert!(fences.len().is_multiple_of(2), "{}: a block has no end", page.display());
    let block = |pair: &[usize]| {
        let language = lines[pair[0]].trim_start_matches(['`', ' ']).to_owned();
        (language, lines[pair[0] + 1..pair[1]].join("\n") + "\n")
    };
    fences.chunks_exact(2).map(block).collect()
}

fn run_examples(language: &Language) {
    let folder = tempfile::tempdir().unwrap();
    let mut ran = 0;
    for page in pages() {
        for (_, text) in blocks(&page).into_iter().filter(|(name, _)| name == language.extension) {
            let name = page.with_extension("").to_string_lossy().replace('/', "-");
            let source = folder.path().join(format!("{name}-{ran}.{}", language.extension));
            fs::write(&source, text).unwrap();
            program::run(language, &source, folder.path());
            ran += 1;
        }
    }
    assert!(ran >= 2, "the examples are found");
}

#[test]
fn every_example_in_c_runs() {
    run_examples(&C);
}

#[test]
fn every_example_in_cpp_runs() {
    run_examples(&CPP);
}

#[test]
fn every_block_is_in_a_language_that_is_run() {
    for page in pages() {
        for (language, text) in blocks(&page) {
            let page = page.display();
            assert!(RUN_BY.iter().any(|(known, _)| language == *known), "{page}: nobody runs ```{language}\n{text}");
        }
    }
}

/// The pages with Rust in them, which `tests/src/lib.rs` names one by one: rustdoc has no list of files.
#[test]
fn every_page_with_rust_is_a_doctest() {
    let tested = fs::read_to_string(workspace().join("tests/src/lib.rs")).unwrap();
    for page in pages().iter().filter(|page| blocks(page).iter().any(|(language, _)| language == "rust")) {
        let line = format!("include_str!(\"../../{}\")", page.display());
        assert!(tested.contains(&line), "{} is not among the doctests", page.display());
    }
}
