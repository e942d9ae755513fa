//! The shape of the workspace: who may know of whom, where `unsafe` may be, and what no file may say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use trfboost_c_harness::artifacts::workspace;

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

/// Where pointers are followed: behind the C functions, in the tests and the probe that stand in
/// for C programs, and the example that calls the library as they do.
const UNSAFE_IS_IN: [&str; 4] = ["abi/src", "abi/probe/src", "abi/tests", "abi/examples"];

#[test]
fn unsafe_code_is_in_abi_only() {
    let sources = files(|file| file.ends_with(".rs") && !file.ends_with("tests/layers.rs"));
    assert!(sources.len() > 80, "the sources are found");
    for (source, text) in sources {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let found = code.clone().find(|line| line.contains("unsafe ") || line.contains("unsafe("));
        let allowed = UNSAFE_IS_IN.iter().any(|folder| source.starts_with(folder));
        assert!(allowed || found.is_none(), "{source}: {}", found.unwrap_or_default());
    }
    for root_module in ["kernel/src/lib.rs", "abi-check/src/lib.rs", "c-harness/src/lib.rs"] {
        let text = fs::read_to_string(workspace().join(root_module)).unwrap();
        assert!(text.contains("#![forbid(unsafe_code)]"), "{root_module}");
    }
}

/// Packages come from where whoever builds this has them from, and files lie where they were put.
const NAMES_OF_ONE_PLACE: [&str; 7] =
    ["crates.io", "pypi.org", "pythonhosted.org", "conda.anaconda.org", "/work/", "/home/", "/root/"];

#[test]
fn no_file_names_a_registry_or_a_folder_of_one_machine() {
    let texts = files(|file| !file.ends_with("tests/layers.rs") && file != "Cargo.lock");
    assert!(texts.len() > 150, "the files are found");
    for (file, text) in texts {
        for name in NAMES_OF_ONE_PLACE {
            assert!(!text.contains(name), "{file} says {name}");
        }
    }
}

/// The text files of the checkout that are `wanted`, with their names and their texts.
fn files(wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    collect(workspace(), &mut paths);
    let named = paths.into_iter().map(|path| (path.strip_prefix(workspace()).unwrap().display().to_string(), path));
    let wanted = named.filter(|(name, _)| wanted(name));
    wanted.filter_map(|(name, path)| Some((name, fs::read_to_string(path).ok()?))).collect()
}

/// All files in a folder, but for what is made from others.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    const MADE: [&str; 6] = [".git", "target", "__pycache__", "dist", "build", ".pytest_cache"];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if MADE.iter().any(|name| path.ends_with(name)) {
            continue;
        } else if path.is_dir() {
            collect(&path, paths);
        } else {
            paths.push(path);
        }
    }
}
