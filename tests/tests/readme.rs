//! The README's examples in C and C++ compile strictly, run, and find what they say; and no example is
//! in a language in which nobody runs it.

use std::fs;

use trfboost_c_harness::artifacts;
use trfboost_tests::program::{self, C, CPP, Language};

/// Languages of blocks, and who runs them. (`text` and `console` show what is seen and typed.)
const RUN_BY: [(&str, &str); 7] = [
    ("rust", "the doctests of this crate"),
    ("c", "this file"),
    ("cpp", "this file"),
    ("python", "tests/python/test_readme.py"),
    ("cython", "tests/python/test_readme.py"),
    ("console", "nobody"),
    ("text", "nobody"),
];

/// Language and text of each code block.
fn blocks() -> Vec<(String, String)> {
    let readme = fs::read_to_string(artifacts::workspace().join("README.md")).unwrap();
    let lines: Vec<&str> = readme.lines().collect();
    let fences: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].trim_start().starts_with("```")).collect();
    assert!(fences.len().is_multiple_of(2), "a block has no end");
    let block = |pair: &[usize]| {
        let language = lines[pair[0]].trim_start_matches(['`', ' ']).to_owned();
        (language, lines[pair[0] + 1..pair[1]].join("\n") + "\n")
    };
    fences.chunks_exact(2).map(block).collect()
}

fn run_examples(language: &Language) {
    let blocks: Vec<_> = blocks().into_iter().filter(|(name, _)| name == language.extension).collect();
    assert!(!blocks.is_empty());
    let folder = tempfile::tempdir().unwrap();
    for (index, (_, text)) in blocks.iter().enumerate() {
        let source = folder.path().join(format!("readme{index}.{}", language.extension));
        fs::write(&source, text).unwrap();
        program::run(language, &source, folder.path());
    }
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
    for (language, text) in blocks() {
        assert!(RUN_BY.iter().any(|(known, _)| language == *known), "nobody runs ```{language}\n{text}");
    }
}
