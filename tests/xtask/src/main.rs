//! `cargo xtask`: demo, docs, test, proof, bench, install.
//!
//! Everything that they install goes to the target folder; what the machine has to have is asked for
//! before it is needed, in a sentence.

mod arguments;
mod bench;
mod demo;
mod docs;
mod environment;
mod failure;
mod install;
mod place;
mod process;
mod proof;
mod steps;
mod tests;

use std::env;
use std::process::ExitCode;

use arguments::{HELP, Request};

fn main() -> ExitCode {
    let outcome = arguments::parse(env::args_os()).and_then(|request| match request {
        Request::Help => {
            print!("{HELP}");
            Ok(())
        }
        Request::Demo => demo::run(),
        Request::Docs => docs::run().map(|page| println!("\n{}", page.display())),
        Request::Bench(bench) => bench::run(&bench),
        Request::Install { prefix } => install::run(&prefix),
        Request::TestList => {
            steps::list(tests::STEPS);
            Ok(())
        }
        Request::Test { only } => steps::run(tests::STEPS, &only, |step| (step.run)()),
        Request::ProofList => {
            steps::list(proof::PARTS);
            Ok(())
        }
        Request::Proof { only } => proof::run(&only),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nxtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
