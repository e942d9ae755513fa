//! The shape of the workspace: who may know of whom, and where `unsafe` may be.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Crates, and the crates of the workspace that they may depend on (not counting those for tests).
const MAY_DEPEND_ON: [(&str, &[&str]); 5] = [
    ("trfboost-kernel", &[]),
    ("trfboost-abi-check", &[]),
    ("trfboost-abi", &["trfboost-kernel", "trfboost-abi-check"]),
    ("trfboost-abi-probe", &["trfboost-abi-check"]),
    ("trfboost-c-harness", &[]),
];

#[test]
fn crates_depend_downward_only() {
    let metadata =
        Command::new(env!("CARGO")).args(["metadata", "--format-version=1", "--no-deps", "--offline"]).output();
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.unwrap().stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    for (name, allowed) in MAY_DEPEND_ON {
        let package = packages.iter().find(|package| package["name"] == name).unwrap();
        let normal =
            package["dependencies"].as_array().unwrap().iter().filter(|dependency| dependency["kind"].is_null());
        let ours =
            normal.filter_map(|dependency| dependency["name"].as_str()).filter(|name| name.starts_with("trfboost"));
        for dependency in ours {
            assert!(allowed.contains(&dependency), "{name} depends on {dependency}");
        }
    }
}

#[test]
fn unsafe_code_is_in_abi_only() {
    let mut sources = Vec::new();
    for folder in ["kernel", "abi-check", "c-harness", "tests"] {
        collect(&root().join(folder), &mut sources);
    }
    assert!(sources.len() > 30, "the sources are found");
    for source in sources.iter().filter(|source| !source.ends_with("layers.rs")) {
        let text = fs::read_to_string(source).unwrap();
        let found = text.lines().find(|line| line.contains("unsafe ") || line.contains("unsafe("));
        let found = found.filter(|line| !line.trim_start().starts_with("//"));
        assert_eq!(found, None, "{}", source.display());
    }
    for root_module in ["kernel/src/lib.rs", "abi-check/src/lib.rs", "c-harness/src/lib.rs"] {
        let text = fs::read_to_string(root().join(root_module)).unwrap();
        assert!(text.contains("#![forbid(unsafe_code)]"), "{root_module}");
    }
}

/// All Rust sources in a folder.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}
