//! C programs of the harness: written, compiled, linked, run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::child::{self, Ended};
use crate::compiler::{Compiler, Language};
use crate::dialects::Dialect;
use crate::workplace::Workplace;

/// Programs take tenths of a second; what takes longer than this hangs.
const LIMIT: Duration = Duration::from_secs(60);
/// Valgrind makes a program up to a hundred times slower.
const LIMIT_UNDER_VALGRIND: Duration = Duration::from_secs(600);

/// The exit code by which valgrind says that it found an error, other than those of the programs.
pub(crate) const VALGRIND_FOUND: i32 = 99;

/// A source file that the harness brings along.
pub(crate) type Source = (&'static str, &'static str);

/// A compiler and the folder in which it works.
pub(crate) struct Workshop<'a> {
    pub(crate) compiler: &'a Compiler,
    pub(crate) workplace: &'a Workplace,
}

impl Workshop<'_> {
    /// The dialects of programs: the header's lowest.
    fn options(&self) -> Vec<OsString> {
        let standard = match self.compiler.language() {
            Language::C => "c99",
            Language::Cpp => "c++11",
        };
        let mut options = self.compiler.dialect(standard);
        // POSIX beside the standard: programs make threads and protect pages.
        options.extend(["-D_GNU_SOURCE", "-I"].map(OsString::from));
        options.push(self.workplace.include().into());
        options
    }

    /// Whether a compiler takes a source in a dialect, with every warning an error. The error is its first
    /// complaint. Nothing of what it makes is kept.
    pub(crate) fn check(&self, dialect: Dialect, name: &str, text: &str, options: &[&str]) -> Result<(), String> {
        let extension = match dialect.language {
            Language::C => "c",
            Language::Cpp => "cpp",
        };
        let source = self.workplace.write(&format!("{name}.{extension}"), text);
        let source = source.map_err(|trouble| trouble.to_string())?;
        let mut arguments = self.compiler.dialect(dialect.standard);
        arguments.extend(options.iter().chain(&["-Werror", "-I"]).map(OsString::from));
        arguments.push(self.workplace.include().into());
        arguments.extend(["-c".into(), source.clone().into(), "-o".into(), source.with_extension("o").into()]);
        self.compiler.run(arguments).map(drop)
    }

    /// Compiles one source file. The error is the compiler's first complaint.
    pub(crate) fn object(&self, (name, text): (&str, &str)) -> Result<PathBuf, String> {
        let source = self.workplace.write(name, text).map_err(|trouble| trouble.to_string())?;
        let object = source.with_extension("o");
        let mut arguments = self.options();
        arguments.extend(["-c".into(), source.into_os_string(), "-o".into(), object.clone().into_os_string()]);
        self.compiler.run(arguments)?;
        Ok(object)
    }

    /// Compiles a source file and links it with objects and libraries.
    pub(crate) fn link(&self, source: (&str, &str), objects: &[PathBuf], with: &[OsString]) -> Result<PathBuf, String> {
        let object = self.object(source)?;
        let program = object.with_extension("exe");
        let mut arguments = vec![object.into_os_string()];
        arguments.extend(objects.iter().map(OsString::from));
        arguments.extend(with.iter().cloned());
        arguments.extend(["-lm".into(), "-lpthread".into(), "-o".into(), program.clone().into_os_string()]);
        self.compiler.run(arguments)?;
        Ok(program)
    }

    /// Compiles, links and runs a program that has to end well; its lines, or why there are none.
    pub(crate) fn lines(&self, source: (&str, &str), with: &[OsString]) -> Result<Vec<String>, String> {
        let program = self.link(source, &[], with).map_err(|complaint| format!("does not compile: {complaint}"))?;
        let ended = run(&program, false)?;
        if ended.succeeded() { Ok(ended.lines) } else { Err(ended.describe()) }
    }
}

/// Runs a program, by itself or under valgrind.
pub(crate) fn run(program: &Path, valgrind: bool) -> Result<Ended, String> {
    let (mut command, limit) = if valgrind {
        let mut command = Command::new("valgrind");
        let errors = format!("--error-exitcode={VALGRIND_FOUND}");
        command
            .args([
                "--quiet",
                &errors,
                "--leak-check=full",
                "--errors-for-leak-kinds=definite",
                "--show-leak-kinds=definite",
            ])
            .arg(program);
        (command, LIMIT_UNDER_VALGRIND)
    } else {
        (Command::new(program), LIMIT)
    };
    child::run(&mut command, limit).map_err(|error| format!("could not be run: {error}"))
}
