//! Random fits by the ten thousand: against Eelbrain, and where that is undefined against the definition and
//! the reference, with every instruction set.

use super::Section;
use super::evidence::{figures, passed};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Program;

/// Problems at the edges, and fits against Eelbrain. A quarter of an hour on one processor.
const PROBLEMS: &str = "20000";
const FITS: &str = "20000";

/// What the lines begin with that tell of them.
const PRINTED: [&str; 5] = ["fits ", "ends", "of these", "seeds", "differences"];

/// Holds each kind of fits against what judges it.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    edges(section, &["--test", "fits", "problems_at_the_edges"])?;
    edges(section, &["--lib", "fast::edges"])?;
    eelbrain(section)
}

fn edges(section: &mut Section, which: &[&str]) -> Result<(), Failure> {
    let test = ["test", "--quiet", "--locked", "--package", "trfboost-kernel"];
    let test = Program::cargo().arguments(test).arguments(which).arguments(["--", "--nocapture"]);
    let report = test.variable("TRFBOOST_CASES", PROBLEMS).recorded()?;
    passed(&report, &[])?;
    figures(section, &report, &PRINTED)
}

fn eelbrain(section: &mut Section) -> Result<(), Failure> {
    let environment = Environment::prepare("tests/python/requirements.txt")?;
    let many = ["-W", "ignore", "tests/python/differential/many.py", "--fits", FITS];
    let python = environment.python().arguments(many).variable("PYTHONDONTWRITEBYTECODE", "1");
    figures(section, &python.recorded()?, &PRINTED)
}
