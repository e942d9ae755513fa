//! What of others goes into the library: licences, sources, known faults.
//!
//! The known faults are a repository of their own, which not every network reaches. A copy of it serves as well, if
//! git is told so, with `git config --global url.file:///COPY.insteadOf https://github.com/RustSec/advisory-db`.
//!
//! cargo-deny is built from source where it is missing, which takes as long as all other tests together:
//! that is why this is no step of the tests.

use std::fs;
use std::path::PathBuf;

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
    let database = deny().arguments(["fetch", "db"]).run();
    if database.is_err() {
        section.figure("known faults (RustSec)", "**not looked at**: the database could not be fetched");
        return Ok(());
    }
    deny().arguments(["check", "advisories"]).run()?;
    section.figure("known faults (RustSec)", "none but those that deny.toml explains");
    section.figure("known until", date_of_database().unwrap_or_else(|| "(the database does not say)".to_owned()));
    Ok(())
}

/// The day of the newest entry. cargo-deny keeps the database where cargo keeps what it downloads.
fn date_of_database() -> Option<String> {
    let cargo =
        std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let copies = fs::read_dir(cargo?.join("advisory-dbs")).ok()?.flatten().map(|entry| entry.path());
    let newest = copies.max_by_key(|copy| copy.metadata().and_then(|copy| copy.modified()).ok())?;
    let git = Program::new("git", "").arguments(["-C".as_ref(), newest.as_os_str()]);
    git.arguments(["log", "-1", "--format=%cs"]).output().ok().map(|date| date.trim().to_owned())
}
