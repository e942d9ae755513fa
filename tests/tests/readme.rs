//! The README's examples in C compile as strict C99, run, and find what they say.

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

#[test]
fn every_example_in_c_runs() {
    let blocks = blocks("c");
    assert!(!blocks.is_empty());
    let library = trfboost_c_harness::artifacts::build().static_library;
    let folder = tempfile::tempdir().unwrap();
    for (index, block) in blocks.iter().enumerate() {
        let source = folder.path().join(format!("readme{index}.c"));
        let program = source.with_extension("out");
        fs::write(&source, block).unwrap();
        let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
        let strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"];
        let mut compile = Command::new(compiler);
        compile.args(strict).arg("-I").arg(root().join("abi/include")).arg(&source).arg(&library);
        compile.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&program);
        assert!(compile.status().unwrap().success(), "{block}");
        assert!(Command::new(&program).status().unwrap().success(), "{block}");
    }
}
