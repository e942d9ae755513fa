//! The library as it is installed: programs find it with pkg-config and CMake and run.
//!
//! The folder has a space and an umlaut in its name, and is moved after the installation.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A program, run in a folder; its output.
fn run(folder: &Path, program: &str, arguments: &[&str], variables: &[(&str, &Path)]) -> String {
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments).envs(variables.iter().copied());
    let output = command.output().unwrap_or_else(|reason| panic!("{program}: {reason}; install it"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} {arguments:?}: {out}{err}");
    out.into_owned()
}

/// Whether a tool is there. Where nothing may be left out, a tool that is not is a failure.
fn has(tool: &str) -> bool {
    let there = Command::new(tool).arg("--version").output().is_ok();
    assert!(there || env::var_os("CI").is_none(), "{tool} is missing");
    if !there {
        // Past the test runner, which would keep it to itself.
        let _ = writeln!(std::io::stderr(), "SKIPPED what needs {tool}, which is missing; install it");
    }
    there
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Installs, and moves what was installed.
fn installed(folder: &Path) -> PathBuf {
    let (first, prefix) = (folder.join("first"), folder.join("Zweiter Ort für alles"));
    let install = ["xtask", "install", "--prefix", first.to_str().unwrap()];
    let report = run(&root(), env!("CARGO"), &install, &[]);
    for file in ["include/trfboost.h", "lib/libtrfboost.so.1", "lib/libtrfboost.so -> libtrfboost.so.1"] {
        assert!(report.contains(file), "{report}");
    }
    fs::rename(&first, &prefix).unwrap();
    prefix
}

#[test]
fn programs_are_built_against_an_installation() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = installed(folder.path());
    if has("pkg-config") {
        with_pkg_config(folder.path(), &prefix);
    }
    if has("cmake") {
        with_cmake(folder.path(), &prefix);
    }
}

/// As in a makefile: what pkg-config prints goes through the shell.
fn with_pkg_config(folder: &Path, prefix: &Path) {
    let source = root().join("tests/c/installed.c");
    let path = [("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))];
    let path: Vec<(&str, &Path)> = path.iter().map(|(name, value)| (*name, value.as_path())).collect();
    let shared = "eval cc -std=c99 -pedantic -Wall -Wextra -Werror '\"$SOURCE\"' \
                  $(pkg-config --cflags --libs trfboost) -o shared";
    let linked_in = "eval cc '\"$SOURCE\"' $(pkg-config --cflags trfboost) '\"$ARCHIVE\"' \
                     $(pkg-config --static --libs trfboost | sed 's/-ltrfboost//') -o static";
    let archive = prefix.join("lib/libtrfboost.a");
    let mut variables = path;
    variables.extend([("SOURCE", source.as_path()), ("ARCHIVE", archive.as_path())]);
    run(folder, "sh", &["-c", shared], &variables);
    run(folder, "sh", &["-c", linked_in], &variables);
    let found = run(folder, "./shared", &[], &[("LD_LIBRARY_PATH", &prefix.join("lib"))]);
    assert!(found.contains("ABI 1"), "{found}");
    run(folder, "./static", &[], &[]);
}

fn with_cmake(folder: &Path, prefix: &Path) {
    let source = root().join("tests/c");
    let find = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
    run(folder, "cmake", &["-S", source.to_str().unwrap(), "-B", "build", &find], &[]);
    run(folder, "cmake", &["--build", "build"], &[]);
    for program in ["./build/shared", "./build/static", "./build/cpp"] {
        run(folder, program, &[], &[]);
    }
}

/// Compiles a program of `tests/cpp` strictly against the static library and runs it: at least so many lines `ok`.
fn cpp_program(compiler: &str, options: &[&str], source: &str, checks: usize) {
    let folder = tempfile::tempdir().unwrap();
    let (include, source) = (root().join("abi/include"), root().join("tests/cpp").join(source));
    let library = trfboost_c_harness::artifacts::build().static_library;
    let strict = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-I", include.to_str().unwrap()];
    let link = [source.to_str().unwrap(), library.to_str().unwrap(), "-lpthread", "-ldl", "-lm", "-o", "program"];
    run(folder.path(), compiler, &[options, &strict, &link].concat(), &[]);
    let report = run(folder.path(), "./program", &[], &[]);
    assert!(report.lines().filter(|line| line.starts_with("ok")).count() >= checks, "{report}");
}

#[test]
fn the_cpp_header_is_clean_and_its_programs_run() {
    for compiler in ["g++", "clang++"].into_iter().filter(|compiler| has(compiler)) {
        cpp_program(compiler, &["-std=c++17"], "all_functions.cpp", 14);
    }
}

/// C++23's `std::mdspan` is in libc++ since 18 and in no libstdc++ of today's distributions.
#[test]
fn a_standard_mdspan_is_a_view() {
    if has("clang++-19") {
        cpp_program("clang++-19", &["-std=c++23", "-stdlib=libc++"], "mdspan.cpp", 7);
    }
}
