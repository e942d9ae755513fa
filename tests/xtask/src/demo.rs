//! `cargo xtask demo`.

use std::fs;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::place;

/// Estimates TRFs from the recording in `tests/data`, with the package installed.
pub(crate) fn run() -> Result<(), Failure> {
    let environment = Environment::prepare("tests/demo/requirements.txt")?;
    let folder = place::target().join("demo");
    fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
    println!();
    let script = ["tests/demo/speech.py", "tests/data/speech_small.npz"];
    environment.python().arguments(script).arguments([folder.join("trfs.png")]).run()
}
