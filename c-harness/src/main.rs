//! The program around the library: arguments in, a report and an exit code out.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use trfboost_c_harness::{Arguments, HELP, Options, Request, Trouble, freeze, run};

/// What the exit codes mean is told by `--help`.
const MISMATCH: u8 = 1;
const COULD_NOT_RUN: u8 = 2;

fn main() -> ExitCode {
    match harness() {
        Ok(code) => code,
        Err(trouble) => {
            eprintln!("trfboost-c-harness: {trouble}");
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

fn harness() -> Result<ExitCode, Trouble> {
    let arguments = match Arguments::parse(std::env::args_os().skip(1))? {
        Request::Help => {
            print!("{HELP}");
            return Ok(ExitCode::SUCCESS);
        }
        Request::Freeze(arguments) => {
            println!("{}", freeze(&Options::resolve(arguments)?)?.display());
            return Ok(ExitCode::SUCCESS);
        }
        Request::Run(arguments) => arguments,
    };
    let report = run(&Options::resolve(arguments)?)?;
    print!("{report}");
    Ok(if report.passed() { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
}
