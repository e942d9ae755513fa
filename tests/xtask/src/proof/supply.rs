//! What of others goes into the library: licences, sources, known faults.
//!
//! cargo-deny is built from source where it is missing, which takes as long as all other tests together:
//! that is why this is no step of the tests.

use super::Section;
use crate::failure::Failure;
use crate::process::Program;

const REMEDY: &str = "install it with: cargo install --locked cargo-deny";

/// Holds the dependencies against `deny.toml`.
pub(crate) fn run(section: &mut Section) -> Result<(), Failure> {
    let deny = || Program::new("cargo-deny", REMEDY);
    section.figure("checked by", deny().arguments(["--version"]).output()?.trim());
    deny().arguments(["--offline", "check", "licenses", "bans", "sources"]).run()?;
    section.figure("licences, sources, duplicates", "as deny.toml allows");
    // The database of known faults is a repository of its own, which not every network reaches.
    let database = deny().arguments(["fetch", "db"]).run();
    if database.is_err() {
        section.figure("known faults (RustSec)", "**not looked at**: the database could not be fetched");
        return Ok(());
    }
    deny().arguments(["check", "advisories"]).run()?;
    section.figure("known faults (RustSec)", "none but those that deny.toml explains");
    Ok(())
}
