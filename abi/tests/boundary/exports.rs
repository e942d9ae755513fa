//! What the shared library exports, and how it is linked.
#![cfg(target_os = "linux")]

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The shared library that Cargo built along with this test.
pub(crate) fn library() -> PathBuf {
    let test = env::current_exe().expect("the path of this test");
    let library = test.with_file_name("libtrfboost.so");
    assert!(library.exists(), "{} is not there", library.display());
    library
}

fn lines_of(program: &str, arguments: &[&str]) -> Vec<String> {
    let output = Command::new(program).args(arguments).arg(library()).output();
    let output = output.unwrap_or_else(|error| panic!("{program} (of binutils) cannot be run: {error}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn the_headers_functions_and_nothing_else_are_exported() {
    let lines = lines_of("nm", &["--dynamic", "--defined-only"]);
    let mut exported: Vec<_> = lines.iter().filter_map(|line| line.split_whitespace().next_back()).collect();
    exported.sort_unstable();
    let header = crate::header::Header::read();
    let mut declared: Vec<_> = header.functions.iter().map(|function| function.name.as_str()).collect();
    declared.sort_unstable();
    assert_eq!(exported, declared);
}

#[test]
fn the_library_has_its_name_and_stays_loaded() {
    let lines = lines_of("readelf", &["--dynamic", "--wide"]);
    let says = |what: &str, value: &str| lines.iter().any(|line| line.contains(what) && line.contains(value));
    assert!(says("(SONAME)", "[libtrfboost.so.1]"), "{lines:#?}");
    assert!(says("(FLAGS_1)", "NODELETE"), "{lines:#?}");
    assert!(!says("PATH)", ""), "{lines:#?}");
}
