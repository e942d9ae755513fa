//! Calls through the C entry points that are led to where none has been: libFuzzer changes the bytes of which
//! `abi/tests/boundary/random.rs` makes calls, and the address sanitizer watches.

use std::fs;

use super::Section;
use super::sanitizers::{TARGET, instrumented};
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// How long it goes on, in seconds; `TRFBOOST_SECONDS` says otherwise.
const SECONDS: &str = "60";

/// Counts branches and comparisons, as libFuzzer wants it.
const COUNTED: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                       -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                       -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares";

const TEST: [&str; 6] = ["test", "--locked", "--profile", "proof", "--package", "trfboost-abi"];

/// libFuzzer without a `main`, which clang brings along.
const LIBRARY: &str = "libclang_rt.fuzzer_no_main-x86_64.a";

/// Lets libFuzzer make calls for a while, beginning with good ones, with those that are stored and those of
/// earlier runs. A call that goes wrong is kept as a file, `target/proof/fuzz/crash-...`.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let library = Program::new("clang", "install clang and its libclang-rt").arguments(["--print-file-name", LIBRARY]);
    let options = format!("{COUNTED} -Clink-arg={} -Clink-arg=-lstdc++", library.output()?.trim());
    let folder = place::target().join("proof").join("fuzz");
    let found = folder.join("corpus");
    let good = folder.join("good");
    for folder in [&found, &good] {
        fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    }
    let seconds = std::env::var("TRFBOOST_SECONDS").unwrap_or_else(|_| SECONDS.to_owned());
    let stored = place::root().join("tests/proof/corpus");
    let asked = format!(
        "-max_total_time={seconds} -max_len=160 -entropic=0 -print_final_stats=1 -artifact_prefix={}/ {} {} {}",
        folder.display(),
        found.display(),
        good.display(),
        stored.display()
    );
    let program = instrumented(&folder.join("target"), &options)
        .variable("TRFBOOST_FUZZ", asked)
        .variable("TRFBOOST_FUZZ_GOOD", &good);
    let told = program
        .arguments(TEST)
        .arguments(["--target", TARGET, "--test", "boundary", "guided", "--", "--nocapture"])
        .messages()?;
    let calls = told.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:")).map(str::trim);
    let calls = calls.filter(|calls| *calls != "0");
    section.figure("calls", calls.unwrap_or("none"));
    section.figure("seconds", &seconds);
    let reached = told.lines().rev().find_map(|line| line.split("cov: ").nth(1)?.split(' ').next());
    section.figure("branches reached", reached.unwrap_or("none"));
    let inputs = fs::read_dir(&found).map_err(Failure::file(&found))?.count();
    section.figure("strings of bytes that reach something of their own", inputs);
    if calls.is_some() { Ok(()) } else { Err(Failure::Nothing("call by libFuzzer".to_owned())) }
}
