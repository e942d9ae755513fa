//! `cargo xtask test`, step by step.

use std::env;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Program;
use crate::steps::Step;

/// The steps, the quick ones first.
pub(crate) const STEPS: &[Step] = &[
    Step { name: "fmt", what: "the sources are formatted", run: fmt },
    Step { name: "clippy", what: "no warnings", run: clippy },
    Step { name: "rust", what: "unit tests, integration tests and examples in the docs", run: rust },
    Step {
        name: "harness",
        what: "C compilers and the library agree about the header, exported names included",
        run: harness,
    },
    Step {
        name: "docs",
        what: "the site builds without warnings, its figures are made, its links lead somewhere",
        run: docs,
    },
    Step { name: "python", what: "the package, other languages, and the same bits as Eelbrain", run: python },
];

/// Compilers that the harness is run with, where they are.
const COMPILERS: [&str; 2] = ["gcc", "clang"];

fn cargo<const N: usize>(arguments: [&str; N]) -> Result<(), Failure> {
    Program::cargo().arguments(arguments).run()
}

fn fmt() -> Result<(), Failure> {
    cargo(["fmt", "--all", "--check"])
}

fn clippy() -> Result<(), Failure> {
    for features in ["--no-default-features", "--all-features"] {
        cargo(["clippy", "--quiet", "--workspace", "--all-targets", "--locked", features, "--", "--deny", "warnings"])?;
    }
    Ok(())
}

fn rust() -> Result<(), Failure> {
    cargo(["test", "--quiet", "--workspace", "--locked"])?;
    // Has panics in the kernel, and questions at each occasion, for which it is compiled once more.
    let planted = ["--features", "planted", "--test", "defects", "--test", "cancelled"];
    Program::cargo().arguments(["test", "--quiet", "--locked", "--package", "trfboost-abi"]).arguments(planted).run()
}

fn harness() -> Result<(), Failure> {
    let there = |compiler: &&str| Program::new(compiler, "").arguments(["--version"]).output().is_ok();
    let (present, absent): (Vec<_>, Vec<_>) = COMPILERS.into_iter().partition(there);
    for compiler in &absent {
        println!("{compiler} is not on this machine; install it to run the harness with it as well");
    }
    if present.is_empty() || (!absent.is_empty() && in_ci()) {
        return Err(Failure::Failed("looking for gcc and clang".to_owned()));
    }
    let compilers = present.into_iter().flat_map(|compiler| ["--compiler", compiler]);
    let run = ["run", "--quiet", "--locked", "--package", "trfboost-c-harness", "--"];
    Program::cargo().arguments(run).arguments(compilers).run()
}

fn docs() -> Result<(), Failure> {
    crate::docs::run().map(|_| ())
}

fn python() -> Result<(), Failure> {
    let environment = Environment::prepare("tests/python/requirements.txt")?;
    for folder in ["abi/python/tests", "tests/python"] {
        let pytest = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider", folder];
        environment.python().arguments(pytest).variable("PYTHONDONTWRITEBYTECODE", "1").run()?;
    }
    Ok(())
}

/// Whether this is a run in which nothing that could run may be left out.
fn in_ci() -> bool {
    env::var_os("CI").is_some()
}
