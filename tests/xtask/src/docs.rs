//! `cargo xtask docs`: the site, from the pages in `docs`, the docstrings of the package, and rustdoc.
//!
//! Everything is strict: a warning of rustdoc's or Sphinx's fails, an example that fails while its figure is
//! made does, and so does a link that leads nowhere (`docs/extensions/whole_site.py`).

use std::fs;
use std::path::{Path, PathBuf};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// Builds `target/docs`, and returns its first page.
pub(crate) fn run() -> Result<PathBuf, Failure> {
    rustdoc()?;
    let environment = Environment::prepare("docs/requirements.txt")?;
    let site = place::target().join("docs");
    if site.exists() {
        fs::remove_dir_all(&site).map_err(Failure::file(&site))?;
    }
    copy_folder(&place::target().join("doc"), &site.join("rust"))?;
    // Sphinx's memory of the last build would hide the warnings of pages that did not change.
    let sphinx = ["-m", "sphinx", "--fail-on-warning", "--keep-going", "--fresh-env", "--quiet", "-d"];
    let folders = [place::target().join("docs-work"), PathBuf::from("docs"), site.clone()];
    environment.python().arguments(sphinx).arguments(&folders).variable("PYTHONDONTWRITEBYTECODE", "1").run()?;
    Ok(site.join("index.html"))
}

/// The pages of the crates, in `target/doc`.
fn rustdoc() -> Result<(), Failure> {
    let doc = ["doc", "--quiet", "--workspace", "--no-deps", "--locked"];
    Program::cargo().arguments(doc).variable("RUSTDOCFLAGS", "--deny warnings").run()
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to).map_err(Failure::file(to))?;
    for entry in fs::read_dir(from).map_err(Failure::file(from))? {
        let entry = entry.map_err(Failure::file(from))?;
        let (source, goal) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy_folder(&source, &goal)?;
        } else {
            fs::copy(&source, &goal).map_err(Failure::file(&source))?;
        }
    }
    Ok(())
}
