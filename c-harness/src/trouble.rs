//! Why the harness could not do its work. A mismatch is none of these: it is a line of the report.

use std::io;
use std::path::{Path, PathBuf};

/// Why there is no report. Each sentence says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// The command line.
    #[error("{0}; see --help")]
    Arguments(#[from] lexopt::Error),
    /// A part of the checks that there is not.
    #[error("--part {0}: no such part; see --help")]
    Part(String),
    /// A file or folder that could not be read, written or run.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// No compiler under this name.
    #[error("{name}: {reason}; {remedy}")]
    Compiler {
        /// The compiler.
        name: String,
        /// What went wrong.
        reason: String,
        /// What to install.
        remedy: &'static str,
    },
    /// The library could not be built.
    #[error("cargo build of the library failed: {0}")]
    Build(String),
    /// A program that a check needs.
    #[error("{program} is needed and could not be run; install it, for example with: {install}")]
    Missing {
        /// The program.
        program: &'static str,
        /// A command that installs it.
        install: &'static str,
    },
    /// Another ABI was frozen under this version.
    #[error(
        "{}: ABI version {version} is frozen, and header and library are no longer what it says; raise \
         TRFB_ABI_VERSION (a version that nobody was given may be frozen anew: remove the file first)", file.display()
    )]
    Frozen {
        /// The file.
        file: PathBuf,
        /// The version.
        version: i64,
    },
    /// What is to be frozen could not be told.
    #[error("nothing to freeze: {0}")]
    NothingToFreeze(String),
    /// A library that is none.
    #[error("{}: not a library that could be read: {reason}", path.display())]
    Library {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

impl Trouble {
    /// Adds to an error of the system the path that it is about.
    pub(crate) fn with(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::File { path: path.to_owned(), source }
    }
}
