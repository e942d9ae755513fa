//! `cargo xtask bench`.

use std::fs;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// Times fits against Eelbrain and plain C, whose results are compared as well. Prints a table in
/// Markdown, and writes it to `target/bench/table.md`. `rows` is a regular expression.
pub(crate) fn run(rows: &str) -> Result<(), Failure> {
    let example =
        ["build", "--quiet", "--release", "--locked", "--package", "trfboost-kernel", "--example", "timed_fit"];
    Program::cargo().arguments(example).run()?;
    let environment = Environment::prepare("tests/python/requirements.txt")?;
    let folder = place::target().join("bench");
    fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
    println!();
    let compare = environment.python().arguments(["tests/bench/compare.py", "tests/data/speech.npz", "--rows", rows]);
    let compare =
        compare.arguments(["--worker".as_ref(), place::target().join("release/examples/timed_fit").as_os_str()]);
    compare.arguments(["--output".as_ref(), folder.join("table.md").as_os_str()]).run()
}
