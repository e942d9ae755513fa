//! A temporary folder in which headers, sources, libraries and programs lie as an installation would
//! have them: `include/trfboost.h`, `lib/`, and the rest beside.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Trouble;

/// The folder; it is removed with this value.
pub(crate) struct Workplace {
    folder: TempDir,
}

impl Workplace {
    /// A new folder with a copy of the header, under the name by which programs include it.
    pub(crate) fn new(header: &Path) -> Result<Self, Trouble> {
        let folder = tempfile::Builder::new().prefix("trfboost-harness-").tempdir();
        let workplace = Self { folder: folder.map_err(Trouble::with(&std::env::temp_dir()))? };
        for part in [workplace.include(), workplace.libraries()] {
            fs::create_dir(&part).map_err(Trouble::with(&part))?;
        }
        fs::copy(header, workplace.header()).map_err(Trouble::with(header))?;
        Ok(workplace)
    }

    /// The path of a file here.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Where compilers look for headers.
    pub(crate) fn include(&self) -> PathBuf {
        self.path("include")
    }

    /// Where libraries lie, each in a folder of its own: two may have one soname.
    pub(crate) fn libraries(&self) -> PathBuf {
        self.path("lib")
    }

    /// The copy of the header.
    pub(crate) fn header(&self) -> PathBuf {
        self.include().join("trfboost.h")
    }

    /// Writes a file here.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<PathBuf, Trouble> {
        let path = self.path(name);
        fs::write(&path, text).map_err(Trouble::with(&path))?;
        Ok(path)
    }
}
