//! `cargo xtask bench`.

use std::path::absolute;

use crate::arguments::Bench;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// Builds the programs that are timed, and runs `tests/bench/bench.py`, which measures and writes the
/// report, by default `target/bench/report.md`.
pub(crate) fn run(bench: &Bench) -> Result<(), Failure> {
    for (package, example) in [("trfboost-kernel", "timed_fit"), ("trfboost-abi", "call_overhead")] {
        let build = ["build", "--quiet", "--release", "--locked", "--package", package, "--example", example];
        Program::cargo().arguments(build).run()?;
    }
    let environment = Environment::prepare("tests/python/requirements.txt")?;
    let output = match &bench.output {
        Some(output) => absolute(output).map_err(Failure::file(output))?,
        None => place::target().join("bench").join("report.md"),
    };
    let folder = output.with_file_name("");
    std::fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
    println!();
    let measure = environment.python().arguments(["tests/bench/bench.py"]).arguments(&bench.sections);
    let measure = measure.arguments(["--rows", &bench.rows]).arguments(bench.large.then_some("--large"));
    let programs = place::target().join("release").join("examples");
    let measure = measure.arguments(["--programs".as_ref(), programs.as_os_str()]);
    measure.arguments(["--output".as_ref(), output.as_os_str()]).run()
}
