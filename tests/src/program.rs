//! Small programs in C and C++, compiled strictly against the static library, and run.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use trfboost_c_harness::artifacts;

/// A language, as the compiler is asked for it.
pub struct Language {
    /// How the names of its sources end.
    pub extension: &'static str,
    /// Names another compiler than `compiler`.
    variable: &'static str,
    compiler: &'static str,
    standard: &'static str,
}

/// C99.
pub const C: Language = Language { extension: "c", variable: "CC", compiler: "cc", standard: "-std=c99" };
/// C++17.
pub const CPP: Language = Language { extension: "cpp", variable: "CXX", compiler: "c++", standard: "-std=c++17" };

/// Compiles one source and runs it. Its headers are looked for where it lies, in `abi/include`, and in
/// `folder`, to which the program goes.
///
/// # Panics
///
/// Unless both succeed, with what they printed.
pub fn run(language: &Language, source: &Path, folder: &Path) {
    let program = folder.join(source.file_name().unwrap()).with_extension("out");
    let compiler = env::var_os(language.variable).unwrap_or_else(|| language.compiler.into());
    let mut compile = Command::new(compiler);
    compile.args([language.standard, "-pedantic", "-Wall", "-Wextra", "-Werror"]);
    compile.arg("-I").arg(artifacts::workspace().join("abi/include")).arg("-I").arg(folder);
    compile.arg(source).arg(library()).args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&program);
    succeed(compile, source);
    succeed(Command::new(&program), source);
}

fn library() -> PathBuf {
    artifacts::build().static_library
}

fn succeed(mut command: Command, source: &Path) {
    let output = command.output().unwrap_or_else(|reason| panic!("{:?}: {reason}", command.get_program()));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}: {out}{err}", source.display());
}
