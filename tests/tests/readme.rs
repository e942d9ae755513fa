//! The README's examples in C and C++ compile strictly, run, and find what they say.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The code blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let fence = format!("```{language}\n");
    readme.split(&fence).skip(1).map(|rest| rest.split("\n```").next().unwrap().to_owned() + "\n").collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// `variable` names another compiler than `compiler`. The name of the language ends that of its files.
fn run_examples(language: &str, variable: &str, compiler: &str, standard: &str) {
    let blocks = blocks(language);
    assert!(!blocks.is_empty());
    let library = trfboost_c_harness::artifacts::build().static_library;
    let folder = tempfile::tempdir().unwrap();
    for (index, block) in blocks.iter().enumerate() {
        let source = folder.path().join(format!("readme{index}.{language}"));
        let program = source.with_extension("out");
        fs::write(&source, block).unwrap();
        let compiler = env::var_os(variable).unwrap_or_else(|| compiler.into());
        let mut compile = Command::new(compiler);
        compile.args([standard, "-pedantic", "-Wall", "-Wextra", "-Werror"]);
        compile.arg("-I").arg(root().join("abi/include")).arg(&source).arg(&library);
        compile.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&program);
        assert!(compile.status().unwrap().success(), "{block}");
        assert!(Command::new(&program).status().unwrap().success(), "{block}");
    }
}

#[test]
fn every_example_in_c_runs() {
    run_examples("c", "CC", "cc", "-std=c99");
}

#[test]
fn every_example_in_cpp_runs() {
    run_examples("cpp", "CXX", "c++", "-std=c++17");
}
