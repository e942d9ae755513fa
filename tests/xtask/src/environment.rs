//! The Python environment, which the commands make for themselves.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// Interpreters to try, the likeliest first.
const INTERPRETERS: [&str; 6] = ["python3", "python3.13", "python3.12", "python3.11", "python3.10", "python"];

/// Exits with 0 if the version will do.
const VERSION_WILL_DO: &str = "import sys; sys.exit(sys.version_info < (3, 10))";

/// A virtual environment with the package in it.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Makes the environment, or brings it up to date: what `requirements` (a file of the checkout)
    /// names, and the package as it is now. A second run is quick.
    pub(crate) fn prepare(requirements: &str) -> Result<Self, Failure> {
        let environment = Self { folder: place::target().join("python") };
        if !environment.is_complete() {
            environment.make(&interpreter()?)?;
        }
        environment.install_requirements(requirements)?;
        environment.install_package()?;
        Ok(environment)
    }

    /// Python comes first into an environment, and pip last: without it the making was broken off.
    fn is_complete(&self) -> bool {
        self.folder.join("bin").join("pip").exists()
    }

    fn make(&self, interpreter: &str) -> Result<(), Failure> {
        println!("making a Python environment in {}", self.folder.display());
        let make = Program::new(interpreter, "install it").arguments(["-m", "venv"]).arguments([&self.folder]);
        make.run().map_err(|_| Failure::NoVenv { interpreter: interpreter.to_owned() })
    }

    /// Python in the environment.
    pub(crate) fn python(&self) -> Program {
        Program::new(self.python_path(), "remove target/python and try again")
    }

    fn python_path(&self) -> PathBuf {
        self.folder.join("bin").join("python")
    }

    /// Installs what a file names, unless that was done with the same contents.
    fn install_requirements(&self, file: &str) -> Result<(), Failure> {
        let stamp = self.folder.join(format!("installed-{}", file.replace('/', "-")));
        let wanted = read_with_included(&place::root().join(file))?;
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        println!("installing what {file} names (Eelbrain, if it is among it, is built, which takes a minute or two)");
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", file];
        self.python().arguments(pip).run()?;
        fs::write(&stamp, wanted).map_err(Failure::file(&stamp))
    }

    /// Builds and installs the package; cargo knows what of it is up to date.
    fn install_package(&self) -> Result<(), Failure> {
        println!("installing the package from abi/python");
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        let how = ["--no-deps", "--no-build-isolation", "--force-reinstall", "./abi/python"];
        self.python().arguments(pip).arguments(how).variable("CARGO_TARGET_DIR", place::target()).run()
    }
}

/// The text of a requirements file and of those that it includes.
fn read_with_included(file: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(file).map_err(Failure::file(file))?;
    let mut whole = text.clone();
    for included in text.lines().filter_map(|line| line.strip_prefix("-r ")) {
        whole += &read_with_included(&file.with_file_name("").join(included))?;
    }
    Ok(whole)
}

/// The Python that PYTHON names, or the first that will do.
fn interpreter() -> Result<String, Failure> {
    let will_do = |name: &String| Program::new(name, "").arguments(["-c", VERSION_WILL_DO]).output().is_ok();
    let named = env::var("PYTHON").ok();
    let known = INTERPRETERS.map(str::to_owned).into_iter().filter(|_| named.is_none());
    named.clone().into_iter().chain(known).find(will_do).ok_or(Failure::NoPython)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// What Debian's Python does without its package for environments.
    const WITHOUT_VENV: &str = "#!/bin/sh\nmkdir -p $3/bin && touch $3/bin/python && exit 1\n";

    #[test]
    fn an_environment_that_could_not_be_made_is_not_taken_for_one() {
        let folder = tempfile::tempdir().unwrap();
        let interpreter = folder.path().join("python3");
        fs::write(&interpreter, WITHOUT_VENV).unwrap();
        fs::set_permissions(&interpreter, fs::Permissions::from_mode(0o755)).unwrap();
        let environment = Environment { folder: folder.path().join("environment") };
        let failure = environment.make(interpreter.to_str().unwrap()).unwrap_err();
        assert!(failure.to_string().contains("apt install python3-venv"), "{failure}");
        assert!(environment.python_path().exists() && !environment.is_complete());
    }
}
