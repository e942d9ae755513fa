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

/// The compiler that knows few of the options of gcc, and leaves with 1 after it told its version.
const TCC: &str = "tcc version ";

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
    /// The target, if it is another one than that of the harness, for a compiler that has to be told.
    target: Option<String>,
    version: String,
}

impl Compiler {
    /// The compiler of this name or path, or the one that the environment names.
    pub(crate) fn find(name: Option<&OsStr>) -> Result<Self, Trouble> {
        Self::detect(name, Language::C)
    }

    /// The compilers on this machine that compile for another one.
    pub(crate) fn for_target(target: &str) -> Result<Vec<Self>, Trouble> {
        let gcc = Self::find(Some(format!("{target}-gcc").as_ref()));
        let clang = Self::find(Some("clang".as_ref()));
        let clang = clang.map(|clang| Self { target: Some(target.to_owned()), ..clang });
        match (gcc, clang) {
            (Err(trouble), Err(_)) => Err(trouble),
            (gcc, clang) => Ok(gcc.into_iter().chain(clang).collect()),
        }
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
            Some(version) if answer.succeeded() || version.starts_with(TCC) => {
                Ok(Self { language, version: version.clone(), tool, target: None })
            }
            _ => Err(trouble(tool.path(), format!("does not tell its version ({})", answer.describe()))),
        }
    }

    /// The compiler for C++ beside this one, or why there is none.
    pub(crate) fn sister(&self) -> Result<Self, String> {
        let name = self.name();
        let sister = sister_of(&name).ok_or(format!("{name} has no C++ compiler, or one whose name is not known"))?;
        let sister = self.tool.path().with_file_name(sister);
        let found = Self::detect(Some(sister.as_os_str()), Language::Cpp);
        let found = found.map(|found| Self { target: self.target.clone(), ..found });
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
        let options: &[&str] = if self.version.starts_with(TCC) {
            &["-Wall"]
        } else {
            &["-O1", "-gdwarf-4", "-pedantic-errors", "-Wall", "-Wextra", "-ffp-contract=off"]
        };
        options.iter().map(OsString::from).chain([standard.into()]).collect()
    }

    /// Runs the compiler; what it prints, or its first complaint.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Vec<String>, String> {
        let mut command: Command = self.tool.to_command();
        if let Some(target) = &self.target {
            // The C library of another machine is not there; of the standard's headers, those that need none.
            command.arg(format!("--target={target}")).arg("-ffreestanding");
        }
        let ended = child::run(command.args(arguments), LIMIT).map_err(|error| error.to_string())?;
        if ended.succeeded() {
            return Ok(ended.lines);
        }
        let complaint = ended.errors.iter().find(|line| line.contains("error") || line.contains("undefined"));
        Err(complaint.cloned().unwrap_or_else(|| ended.describe()))
    }
}

/// gcc-12 and g++-12, clang and clang++, cc and c++; tcc is for C alone.
fn sister_of(name: &str) -> Option<String> {
    if name == "tcc" {
        return None;
    }
    let pairs = [("clang", "clang++"), ("gcc", "g++"), ("cc", "c++")];
    pairs.iter().find(|(c, _)| name.contains(c)).map(|(c, cpp)| name.replacen(c, cpp, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sisters_keep_version_and_target() {
        let names = ["gcc", "x86_64-linux-gnu-gcc-12", "clang-14", "cc", "tcc", "icx"].map(sister_of);
        let expected = ["g++", "x86_64-linux-gnu-g++-12", "clang++-14", "c++"];
        assert_eq!(names[..4], expected.map(|name| Some(name.to_owned())));
        assert_eq!(names[4..], [None, None]);
    }

    #[test]
    fn a_compiler_that_is_not_there_is_named_with_what_to_install() {
        let sentence = Compiler::find(Some("no-such-compiler".as_ref())).unwrap_err().to_string();
        assert!(sentence.starts_with("no-such-compiler: ") && sentence.contains("apt install gcc"), "{sentence}");
    }
}
