//! Random fits by the ten thousand: against Eelbrain, and where that is undefined against the definition and
//! the reference, with every instruction set.

use super::Section;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Program;

/// Problems at the edges, and fits against Eelbrain. A quarter of an hour on one processor.
const PROBLEMS: &str = "20000";
const FITS: &str = "20000";

/// Holds each kind of fits against what judges it. The figures are the lines `what: number` that are printed.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    edges(section, &["--test", "fits", "problems_at_the_edges"])?;
    edges(section, &["--lib", "fast::edges"])?;
    eelbrain(section)
}

fn edges(section: &mut Section, which: &[&str]) -> Result<(), Failure> {
    let test = ["test", "--quiet", "--locked", "--package", "trfboost-kernel"];
    let test = Program::cargo().arguments(test).arguments(which).arguments(["--", "--nocapture"]);
    figures(section, &test.variable("TRFBOOST_CASES", PROBLEMS).recorded()?);
    Ok(())
}

fn eelbrain(section: &mut Section) -> Result<(), Failure> {
    let environment = Environment::prepare("tests/python/requirements.txt")?;
    let many = ["-W", "ignore", "tests/python/differential/many.py", "--fits", FITS];
    let python = environment.python().arguments(many).variable("PYTHONDONTWRITEBYTECODE", "1");
    figures(section, &python.recorded()?);
    Ok(())
}

fn figures(section: &mut Section, printed: &str) {
    let known = ["fits ", "ends", "of these", "seeds", "differences"];
    let figures = printed.lines().filter(|line| known.iter().any(|known| line.starts_with(known)));
    figures.filter_map(|line| line.split_once(": ")).for_each(|(what, value)| section.figure(what, value));
}
