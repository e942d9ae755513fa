//! The C compiler that the user will use, found as build scripts find it, and its C++ sister.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::{Trouble, child};

/// A compilation is a matter of tenths of a second; this is for machines that are busy.
const LIMIT: Duration = Duration::from_secs(120);

const REMEDY: &str = "install a C compiler, for example with: apt install gcc (or: apt install clang; \
                      dnf install gcc; xcode-select --install), or name one with --compiler";

/// The languages of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Cpp,
}

/// A compiler that was seen to run.
#[derive(Debug)]
pub(crate) struct Compiler {
    tool: cc::Tool,
    language: Language,
    version: String,
}

impl Compiler {
    /// The compiler of this name or path, or the one that the environment names.
    pub(crate) fn find(name: Option<&OsStr>) -> Result<Self, Trouble> {
        Self::detect(name, Language::C)
    }

    fn detect(name: Option<&OsStr>, language: Language) -> Result<Self, Trouble> {
        let trouble = |name: &Path, reason: String| Trouble::Compiler {
            name: name.display().to_string(),
            reason,
            remedy: REMEDY,
        };
        let mut build = cc::Build::new();
        let target = env!("TRFBOOST_HARNESS_TARGET");
        build.target(target).host(target).opt_level(1).cpp(language == Language::Cpp);
        build.no_default_flags(true).cargo_metadata(false).cargo_warnings(false);
        if let Some(name) = name {
            build.compiler(name);
        }
        let tool = build.try_get_compiler();
        let tool = tool.map_err(|error| trouble(Path::new(name.unwrap_or("cc".as_ref())), error.to_string()))?;
        let answer = child::run(tool.to_command().arg("--version"), LIMIT);
        let answer = answer.map_err(|error| trouble(tool.path(), error.to_string()))?;
        match answer.lines.first() {
            Some(version) if answer.succeeded() => Ok(Self { language, version: version.clone(), tool }),
            _ => Err(trouble(tool.path(), format!("does not tell its version ({})", answer.describe()))),
        }
    }

    /// The compiler for C++ beside this one, or why there is none.
    pub(crate) fn sister(&self) -> Result<Self, String> {
        let name = self.name();
        let sister = sister_of(&name).ok_or(format!("{name}: the name of its C++ compiler is not known"))?;
        let sister = self.tool.path().with_file_name(sister);
        let found = Self::detect(Some(sister.as_os_str()), Language::Cpp);
        found.map_err(|_| format!("{}: not found; install it, for example: apt install g++", sister.display()))
    }

    /// What it compiles.
    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// The name of the program, without its folder.
    pub(crate) fn name(&self) -> String {
        self.tool.path().file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The first line of what it says of itself.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The options for a dialect with all warnings. Sums have to have the same bits as the library's,
    /// so that multiplication and addition must not be fused. (Valgrind of 2022 gives up on the debug
    /// information that clang of that year writes unless it is told of a version.)
    pub(crate) fn dialect(&self, standard: &str) -> Vec<OsString> {
        let standard = format!("-std={standard}");
        let options =
            ["-O1", "-gdwarf-4", "-pedantic-errors", "-Wall", "-Wextra", "-ffp-contract=off", standard.as_str()];
        options.iter().map(OsString::from).collect()
    }

    /// Runs the compiler; what it prints, or its first complaint.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Vec<String>, String> {
        let mut command: Command = self.tool.to_command();
        let ended = child::run(command.args(arguments), LIMIT).map_err(|error| error.to_string())?;
        if ended.succeeded() {
            return Ok(ended.lines);
        }
        let complaint = ended.errors.iter().find(|line| line.contains("error") || line.contains("undefined"));
        Err(complaint.cloned().unwrap_or_else(|| ended.describe()))
    }
}

/// gcc-12 and g++-12, clang and clang++, cc and c++.
fn sister_of(name: &str) -> Option<String> {
    let pairs = [("clang", "clang++"), ("gcc", "g++"), ("cc", "c++")];
    pairs.iter().find(|(c, _)| name.contains(c)).map(|(c, cpp)| name.replacen(c, cpp, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sisters_keep_version_and_target() {
        let names = ["gcc", "x86_64-linux-gnu-gcc-12", "clang-14", "cc", "tcc", "icx"].map(sister_of);
        let expected = ["g++", "x86_64-linux-gnu-g++-12", "clang++-14", "c++", "tc++"];
        assert_eq!(names[..5], expected.map(|name| Some(name.to_owned())));
        assert_eq!(names[5], None);
    }

    #[test]
    fn a_compiler_that_is_not_there_is_named_with_what_to_install() {
        let sentence = Compiler::find(Some("no-such-compiler".as_ref())).unwrap_err().to_string();
        assert!(sentence.starts_with("no-such-compiler: ") && sentence.contains("apt install gcc"), "{sentence}");
    }
}
