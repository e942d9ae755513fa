//! Why a command ended early.

use std::io;
use std::path::{Path, PathBuf};

/// A sentence for the person at the terminal: what is wrong, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}; see cargo xtask --help")]
    Usage(#[from] lexopt::Error),
    #[error("there is no step {0:?}; --list tells which there are")]
    NoStep(String),
    #[error("{program} could not be started ({reason}); {remedy}")]
    Missing { program: String, reason: io::Error, remedy: &'static str },
    #[error("{0} failed")]
    Failed(String),
    #[error("nothing was shown: there is no {0}")]
    Nothing(String),
    #[error("no Python of version 3.10 or later was found; install one, or name it in PYTHON")]
    NoPython,
    #[error(
        "{interpreter} could not make an environment; install its venv module, for example with: apt install python3-venv"
    )]
    NoVenv { interpreter: String },
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("--prefix DIR says where to install")]
    NoPrefix,
    #[error("these steps failed: {}", .0.join(", "))]
    Steps(Vec<&'static str>),
}

impl Failure {
    /// What becomes of an error of the system that concerns a file.
    pub(crate) fn file(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        |reason| Self::File(file, reason)
    }
}
