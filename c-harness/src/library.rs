//! A library file: what it exports, and how a program is linked with it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use goblin::Object;
use goblin::elf::sym::STB_LOCAL;
use goblin::mach::Mach;

use crate::Trouble;
use crate::workplace::Workplace;

/// What Rust's standard library needs of the system, where a program is linked with a static library:
/// the list of `rustc --print native-static-libs`, without what every C program has.
const SYSTEM_LIBRARIES: &[&str] =
    if cfg!(target_os = "linux") { &["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"] } else { &["-lm"] };

/// What an archive of object files, which a static library is, begins with.
const ARCHIVE: &[u8] = b"!<arch>\n";

/// A library.
#[derive(Debug)]
pub(crate) struct Library {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Static,
    Shared(Symbols),
}

/// What a shared library tells the linker.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// Whether it is of the format whose libraries have a soname.
    pub(crate) is_elf: bool,
    /// The name by which programs look for it when they start.
    pub(crate) soname: Option<String>,
    /// The names that it exports, sorted.
    pub(crate) exports: Vec<String>,
}

impl Library {
    /// Reads the file, as far as that goes without loading it.
    pub(crate) fn open(path: &Path) -> Result<Self, Trouble> {
        let bytes = fs::read(path).map_err(Trouble::with(path))?;
        let path = path.canonicalize().map_err(Trouble::with(path))?;
        let kind = if bytes.starts_with(ARCHIVE) {
            Kind::Static
        } else {
            let symbols = Symbols::read(&bytes);
            Kind::Shared(symbols.map_err(|reason| Trouble::Library { path: path.clone(), reason })?)
        };
        Ok(Self { path, kind })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What it exports; `None` for a static library, in which every object file's names can be seen.
    pub(crate) fn symbols(&self) -> Option<&Symbols> {
        match &self.kind {
            Kind::Shared(symbols) => Some(symbols),
            Kind::Static => None,
        }
    }

    /// Puts the library into a folder of its own in the workplace, under its file name and its soname
    /// (the file in a build folder has only the first, and the loader wants the second), and says how
    /// to link with it.
    pub(crate) fn install(&self, workplace: &Workplace) -> Result<Vec<OsString>, Trouble> {
        let file_name = self.path.file_name().unwrap_or_default();
        let folder = workplace.libraries().join(self.path.file_stem().unwrap_or_default());
        fs::create_dir_all(&folder).map_err(Trouble::with(&folder))?;
        let installed = folder.join(file_name);
        copy_once(&self.path, &installed)?;
        let mut arguments = vec![installed.clone().into_os_string()];
        match &self.kind {
            Kind::Static => arguments.extend(SYSTEM_LIBRARIES.iter().map(OsString::from)),
            Kind::Shared(symbols) => {
                if let Some(soname) = &symbols.soname {
                    copy_once(&installed, &folder.join(soname))?;
                }
                let mut search_path = OsString::from("-Wl,-rpath,");
                search_path.push(&folder);
                arguments.push(search_path);
            }
        }
        Ok(arguments)
    }
}

fn copy_once(from: &Path, to: &Path) -> Result<(), Trouble> {
    if to.exists() {
        return Ok(());
    }
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop)).map_err(Trouble::with(to))
}

impl Symbols {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut symbols = match Object::parse(bytes).map_err(|error| error.to_string())? {
            Object::Elf(elf) => {
                let defined = elf.dynsyms.iter().filter(|symbol| symbol.st_shndx != 0 && symbol.st_bind() != STB_LOCAL);
                let names = defined.filter_map(|symbol| elf.dynstrtab.get_at(symbol.st_name));
                let (soname, exports) = (elf.soname.map(str::to_owned), names.map(str::to_owned).collect());
                Self { is_elf: true, soname, exports }
            }
            Object::Mach(Mach::Binary(binary)) => {
                let exports = binary.exports().map_err(|error| error.to_string())?;
                let name = |name: String| name.strip_prefix('_').map(str::to_owned).unwrap_or(name);
                Self { exports: exports.into_iter().map(|export| name(export.name)).collect(), ..Self::default() }
            }
            _ => return Err("expected an ELF or Mach-O library for one machine".to_owned()),
        };
        symbols.exports.sort_unstable();
        symbols.exports.dedup();
        Ok(symbols)
    }
}
