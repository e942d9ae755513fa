//! The harness can fail: headers with one thing planted in them, and libraries that crash.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use trfboost_c_harness::artifacts;

fn harness(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trfboost-c-harness"));
    command.args(arguments).output().expect("the harness runs")
}

/// The exit code, and what was printed.
fn outcome(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A path as an argument.
fn text(path: &Path) -> &str {
    path.to_str().expect("test paths are Unicode")
}

/// The real header with one place changed.
fn header_with(folder: &TempDir, from: &str, to: &str) -> PathBuf {
    let header = fs::read_to_string(artifacts::header()).expect("the header is there");
    assert_eq!(header.matches(from).count(), 1, "not once in the header: {from:?}");
    let path = folder.path().join("planted.h");
    fs::write(&path, header.replace(from, to)).expect("the folder can be written to");
    path
}

/// The parts of the run find the change, and say so in lines that have these words.
fn assert_found(parts: &[&str], from: &str, to: &str, lines: &[&[&str]]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let header = header_with(&folder, from, to);
    let built = artifacts::build();
    let files = ["--header", text(&header), "--library", text(&built.library), "--probe", text(&built.probe)];
    let parts: Vec<&str> = parts.iter().flat_map(|part| ["--part", part]).collect();
    let (code, report, complaints) = outcome(&harness(&[&files[..], &parts].concat()));
    assert_eq!(code, Some(1), "{report}{complaints}");
    for words in lines {
        let fits = |line: &str| line.starts_with("FAIL") && words.iter().all(|word| line.contains(word));
        assert!(report.lines().any(fits), "no line with {words:?} in\n{report}");
    }
}

#[test]
fn a_field_that_moved_is_found() {
    let from = "    int32_t     dtype;   /* enum trfb_dtype */\n    int32_t     ndim;    /* 0 .. TRFB_MAX_NDIM */\n";
    let to = "    int32_t     ndim;\n    int32_t     dtype;\n";
    let lines: [&[&str]; 2] = [&["trfb_view.dtype", " 12   4 int32_t ", "  8   4 int32_t"], &["trfb_view.ndim"]];
    assert_found(&["layout"], from, to, &lines);
}

#[test]
fn a_field_that_was_narrowed_is_found_although_padding_hides_it() {
    // `best_step` behind it is aligned to 8 bytes, so that no offset and no size changes but its own.
    let lines: [&[&str]; 2] = [
        &["trfb_fit_result.entries", "  8   4 int32_t ", "  8   8 int64_t"],
        &["trfb_fit_result ", "40 bytes, alignment 8, 4 in no field"],
    ];
    assert_found(&["layout"], "int64_t       entries;", "int32_t       entries;", &lines);
}

#[test]
fn a_field_that_changed_its_sign_is_found() {
    let line: &[&str] = &["trfb_error.argument", "uint32_t", " int32_t"];
    assert_found(&["layout"], "int32_t  argument;", "uint32_t argument;", &[line]);
}

#[test]
fn a_field_that_was_dropped_is_found() {
    let from = "    uint64_t    extent;";
    let lines: [&[&str]; 2] = [&["trfb_view.extent", " -  ", " 40   8 uint64_t"], &["trfb_view.shape", " 40  64 "]];
    assert_found(&["layout"], from, "    /* */", &lines);
}

#[test]
fn a_field_too_many_is_found() {
    let line: &[&str] = &["trfb_error.hint", "288   8 const char *", " -"];
    let from = "    char     message[TRFB_MESSAGE_SIZE];";
    assert_found(&["layout"], from, &format!("{from}\n    const char *hint;"), &[line]);
}

#[test]
fn constants_that_changed_are_found() {
    let lag: &[&str] = &["TRFB_STATUS_LAG", "118", "18"];
    assert_found(&["constants"], "TRFB_STATUS_LAG               = 18,", "TRFB_STATUS_LAG = 118,", &[lag]);
    let readonly: &[&str] = &["TRFB_READONLY", "2", "1"];
    assert_found(&["constants"], "#define TRFB_READONLY 1u", "#define TRFB_READONLY 2u", &[readonly]);
}

#[test]
fn constants_that_one_side_lacks_are_found() {
    let circles: &[&str] = &["TRFB_STOP_CIRCLES", " -  ", "4"];
    assert_found(&["constants"], "TRFB_STOP_CIRCLES           = 4", "/* */", &[circles]);
    let more: &[&str] = &["TRFB_MORE", "7", " -"];
    assert_found(&["constants"], "#define TRFB_MAX_NDIM 8", "#define TRFB_MAX_NDIM 8\n#define TRFB_MORE 7", &[more]);
}

#[test]
fn another_version_is_found_in_the_name_of_the_library_too() {
    let lines: [&[&str]; 2] = [&["TRFB_ABI_VERSION", "2", "1"], &["soname", "ends in .so.2", "libtrfboost.so.1"]];
    assert_found(&["names", "constants"], "#define TRFB_ABI_VERSION 1", "#define TRFB_ABI_VERSION 2", &lines);
}

#[test]
fn a_parameter_that_was_narrowed_is_found() {
    // C passes four bytes, Rust receives eight of which the last four are anything.
    let line: &[&str] = &["trfb_update_error 5 shift", "  28 29 2a 2b  ", "  28 29 2a 2b "];
    let from = "    double delta,\n    int64_t shift,";
    assert_found(&["convention"], from, "    double delta,\n    int32_t shift,", &[line]);
}

#[test]
fn parameters_that_changed_places_are_found_although_they_travel_in_the_same_registers() {
    let from = "    double x_pad,\n    const trfb_view *indexes,\n    double delta,";
    let to = "    const trfb_view *indexes,\n    double x_pad,\n    double delta,";
    let lines: [&[&str]; 2] =
        [&["trfb_update_error 2 indexes", "as x_pad"], &["trfb_update_error 3 x_pad", "as indexes"]];
    assert_found(&["convention"], from, to, &lines);
}

#[test]
fn parameters_of_another_number_are_found() {
    let lines: [&[&str]; 2] = [&["trfb_view_check 3 details", "as access"], &["trfb_view_check 4 -", "as details"]];
    assert_found(&["convention"], "    int32_t ndim,\n    int32_t access,", "    int32_t ndim,", &lines);
}

#[test]
fn a_returned_value_of_another_width_is_found() {
    let line: &[&str] = &["trfb_abi_version returns", "ef be ed fe"];
    let from = "uint32_t trfb_abi_version(void);";
    assert_found(&["convention"], from, "uint64_t trfb_abi_version(void);", &[line]);
}

#[test]
fn a_function_that_was_removed_is_found_by_all_parts_that_call_it() {
    let header = fs::read_to_string(artifacts::header()).expect("the header is there");
    let start = header.find("int32_t trfb_convolve(").expect("it is declared");
    let length = header[start..].find(';').expect("the declaration ends") + 1;
    let lines: [&[&str]; 3] = [
        &["trfb_convolve", " -  ", "exported"],
        &["trfb_convolve", "in the probe, and the header has no such function"],
        &["Behaviour", "does not compile", "trfb_convolve"],
    ];
    assert_found(&[], &header[start..start + length], "", &lines);
}

#[test]
fn a_function_that_the_library_lacks_is_found() {
    let from = "uint32_t trfb_abi_version(void);";
    let lines: [&[&str]; 2] =
        [&["trfb_more", "declared", " -"], &["trfb_more", "in the header, and the probe has no such function"]];
    assert_found(&["names", "convention"], from, &format!("{from}\nint32_t trfb_more(int32_t x);"), &lines);
}

#[test]
fn a_header_that_is_no_c99_is_found() {
    // Fine in C++; in C an enum's constants are of type int.
    let line: &[&str] = &["Header", "c99", "ISO C restricts enumerator values"];
    let from = "    TRFB_ACCESS_WRITE = 1";
    assert_found(&["header"], from, "    TRFB_ACCESS_WRITE = 0x100000000", &[line]);
}

#[test]
fn a_header_that_is_no_header_is_found() {
    let line: &[&str] = &["Header", "nowhere.h"];
    assert_found(&["layout"], "#include <stddef.h>", "#include <nowhere.h>", &[line]);
}

#[test]
fn declarations_that_cannot_be_mirrored_are_found() {
    let line: &[&str] = &["extern int trfb_state", "a declaration that other languages cannot mirror"];
    let from = "uint32_t trfb_abi_version(void);";
    assert_found(&["header"], from, &format!("{from}\nextern int trfb_state;"), &[line]);
}

#[test]
fn a_change_of_what_was_frozen_is_told_in_words() {
    const PROGRAM: &str = "the snapshot and the header in one program";
    let fields = "    int32_t     dtype;   /* enum trfb_dtype */\n    int32_t     ndim;    /* 0 .. TRFB_MAX_NDIM */\n";
    let swapped = "    int32_t     ndim;\n    int32_t     dtype;\n";
    let planted: [(&str, &str, &[&[&str]]); 4] = [
        (
            fields,
            swapped,
            &[
                &["Frozen: the header", "trfb_view.dtype moved from byte 8 to byte 12"],
                &[PROGRAM, "c99", "trfb_view_dtype_is_at_byte_8"],
                &[PROGRAM, "c++17", "trfb_view_dtype_is_at_byte_8"],
                &["what to do", "raise the version"],
            ],
        ),
        // No offset changes, and no size but its own: padding hides it.
        (
            "int64_t       entries;",
            "int32_t       entries;",
            &[
                &["trfb_fit_result.entries changed from 8 bytes to 4 bytes, changed from int64_t to int32_t"],
                &[PROGRAM, "trfb_fit_result_entries_has_8_bytes"],
            ],
        ),
        (
            "TRFB_STATUS_LAG               = 18,",
            "TRFB_STATUS_LAG = 118,",
            &[&["TRFB_STATUS_LAG was 18 and is 118"], &[PROGRAM, "TRFB_STATUS_LAG_is_18"]],
        ),
        (
            "    double delta,\n    int64_t shift,",
            "    double delta,\n    int32_t shift,",
            &[&["trfb_update_error.5 was int64_t shift and is int32_t shift"], &[PROGRAM, "trfb_update_error"]],
        ),
    ];
    for (from, to, lines) in planted {
        assert_found(&["frozen"], from, to, lines);
    }
}

#[test]
fn a_function_that_was_dropped_is_told_in_words() {
    let header = fs::read_to_string(artifacts::header()).expect("the header is there");
    let start = header.find("int32_t trfb_convolve(").expect("it is declared");
    let length = header[start..].find(';').expect("the declaration ends") + 1;
    let lines: [&[&str]; 2] =
        [&["Frozen: the header", "trfb_convolve is gone"], &["Frozen: the header", "trfb_convolve.0 is gone"]];
    assert_found(&["frozen"], &header[start..start + length], "", &lines);
}

/// The library linked once more, with one name kept to itself: the one that begins with a c.
#[cfg(target_os = "linux")]
#[test]
fn a_symbol_that_the_library_dropped_is_told_in_words() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (names, library) = (folder.path().join("names"), folder.path().join("libtrfboost.so"));
    fs::write(&names, "{ global: trfb_[abd-z]*; local: *; };").expect("the folder can be written to");
    let archive = artifacts::build().static_library;
    let mut link = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
    link.args(["-shared", "-Wl,-soname,libtrfboost.so.1", "-Wl,--whole-archive", text(&archive)]);
    link.arg("-Wl,--no-whole-archive").arg(format!("-Wl,--version-script={}", text(&names)));
    let linked = link.args(["-lgcc_s", "-lpthread", "-lm", "-ldl", "-o", text(&library)]).status();
    assert!(linked.expect("a C compiler").success());
    let (code, report, _) = outcome(&harness(&["--library", text(&library), "--part", "frozen"]));
    assert_eq!(code, Some(1), "{report}");
    let failed: Vec<&str> = report.lines().filter(|line| line.starts_with("FAIL")).collect();
    assert!(failed[0].contains("Frozen: the library") && failed[0].ends_with("trfb_convolve is gone"), "{report}");
    assert!(failed[1..failed.len() - 1].iter().all(|line| line.contains("trfb_convolve.")), "{report}");
}

#[test]
fn a_new_version_asks_to_be_frozen_and_is_frozen_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let header = header_with(&folder, "#define TRFB_ABI_VERSION 1", "#define TRFB_ABI_VERSION 2");
    let (code, report, _) = outcome(&harness(&["--header", text(&header), "--part", "frozen"]));
    assert!(code == Some(1) && report.contains("abi-2.txt: No such file") && report.contains("--freeze"), "{report}");
    // As long as header and library differ, there is nothing to freeze.
    let frozen = folder.path().join("frozen");
    let freeze = ["--freeze", "--frozen", text(&frozen), "--header", text(&header)];
    let (code, _, complaint) = outcome(&harness(&freeze));
    assert!(code == Some(2) && complaint.contains("do not agree") && !frozen.exists(), "{complaint}");
    let freeze = ["--freeze", "--frozen", text(&frozen)];
    assert_eq!(outcome(&harness(&freeze)).0, Some(0));
    let [ours, kept] = [&frozen, &artifacts::frozen()].map(|folder| fs::read(folder.join("abi-1.txt")).unwrap());
    assert_eq!(ours, kept);
    fs::write(frozen.join("abi-1.txt"), "constant TRFB_L1  3\n").unwrap();
    let (code, _, complaint) = outcome(&harness(&freeze));
    assert!(code == Some(2) && complaint.contains("raise TRFB_ABI_VERSION"), "{complaint}");
}

#[test]
fn a_header_that_differs_on_another_machine_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let refusal = "#error \"trfboost needs a target with 64-bit addresses\"";
    for (from, to, target, words) in [
        // The same on this machine, where long has 64 bits; on Windows it has 32.
        (
            "int64_t       entries;",
            "long          entries;",
            "x86_64-w64-mingw32",
            "trfb_fit_result_entries_has_8_bytes",
        ),
        (refusal, "", "i686-linux-gnu", "accepted, although addresses are no 64 bits wide"),
    ] {
        let header = header_with(&folder, from, to);
        let arguments = ["--header", text(&header), "--target", target, "--part", "names"];
        let (code, report, complaint) = outcome(&harness(&arguments));
        if code == Some(2) && std::env::var_os("CI").is_none() {
            eprintln!("SKIPPED {complaint}");
            return;
        }
        assert_eq!(code, Some(1), "{report}{complaint}");
        let failed = |line: &str| line.starts_with("FAIL") && line.contains(target) && line.contains(words);
        assert!(report.lines().any(failed), "{report}");
    }
}

/// A library with the right names, all of which do this.
fn library_that(folder: &TempDir, body: &str) -> PathBuf {
    let names = [
        "abi_layout",
        "abi_version",
        "boosting_fit",
        "boosting_runs",
        "build_info",
        "convolve",
        "error_for_indexes",
        "generate_options",
        "update_error",
        "view_check",
    ];
    let functions: Vec<String> = names.iter().map(|name| format!("void *trfb_{name}(void) {{ {body} }}\n")).collect();
    let (source, library) = (folder.path().join("stub.c"), folder.path().join("libstub.so"));
    fs::write(&source, format!("#include <stdlib.h>\n{}", functions.concat())).expect("the folder can be written to");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let arguments = ["-shared", "-fPIC", text(&source), "-o", text(&library)];
    assert!(Command::new(compiler).args(arguments).status().expect("a C compiler").success());
    library
}

#[test]
fn a_library_without_its_soname_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = library_that(&folder, "return 0;");
    let (code, report, _) = outcome(&harness(&["--library", text(&library), "--part", "names"]));
    assert_eq!(code, Some(1), "{report}");
    let failed: Vec<&str> = report.lines().filter(|line| line.starts_with("FAIL")).collect();
    assert!(matches!(failed[..], [line] if line.contains("soname  ends in .so.1  -")), "{report}");
}

#[test]
fn a_library_that_crashes_is_a_failed_check_with_signal_and_last_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = library_that(&folder, "abort();");
    let (code, report, _) = outcome(&harness(&["--library", text(&library)]));
    assert_eq!(code, Some(1), "{report}");
    for words in [["Layout", "account.c", "SIGABRT"], ["Behaviour", "threads.c", "SIGABRT"]] {
        let fits = |line: &str| line.starts_with("FAIL") && words.iter().all(|word| line.contains(word));
        assert!(report.lines().any(fits), "no line with {words:?} in\n{report}");
    }
    // What came before the crash is in the report, and is said as the last line.
    assert!(report.contains("descriptors.c  signal: 6 (SIGABRT)") && report.contains("its last line: ok  TRFB_FIT"));
}

#[test]
fn a_library_that_says_yes_to_everything_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = library_that(&folder, "return 0;");
    let arguments = ["--library", text(&library), "--part", "behaviour"];
    let (code, report, _) = outcome(&harness(&arguments));
    assert_eq!(code, Some(1), "{report}");
    // Each program that calls the library has found it out.
    let programs = report.split("\ncc: Behaviour: ").skip(1).map(|section| section.split("\n\n").next().unwrap_or(""));
    let blind: Vec<&str> = programs.filter(|section| !section.contains("\n  FAIL")).collect();
    assert!(blind.is_empty(), "{blind:?}");
}

#[test]
fn what_is_missing_is_said_and_is_no_mismatch() {
    let header = artifacts::header();
    let library = artifacts::build().library;
    let [library, header] = [text(&library), text(&header)];
    for (arguments, words) in [
        (&["--library", library, "--compiler", "no-such-cc"][..], ["no-such-cc", "apt install"]),
        (&["--library", library, "--header", "/nowhere/trfboost.h"], ["/nowhere/trfboost.h", "No such file"]),
        (&["--library", "/nowhere/libtrfboost.so"], ["/nowhere/libtrfboost.so", "No such file"]),
        (&["--library", header], [header, "not a library"]),
        (&["--headers", header], ["--headers", "see --help"]),
    ] {
        let (code, report, complaints) = outcome(&harness(arguments));
        assert_eq!((code, report.as_str()), (Some(2), ""), "{complaints}");
        assert!(words.iter().all(|word| complaints.contains(word)), "{complaints}");
    }
    let (code, help, _) = outcome(&harness(&["--help"]));
    assert!(code == Some(0) && help.contains("Exit code:"));
}
