//! Builds the libraries with cargo; the one place that knows where they land.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Trouble;

/// The packages, and the names under which cargo reports their libraries.
const PACKAGES: [&str; 2] = ["trfboost-abi", "trfboost-abi-probe"];
const LIBRARY: &str = "trfboost";
const PROBE: &str = "trfboost_probe";

/// The libraries that cargo built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifacts {
    /// The shared library, `libtrfboost.so`.
    pub library: PathBuf,
    /// The static library, `libtrfboost.a`.
    pub static_library: PathBuf,
    /// The probe: functions with the library's signatures that tell what they receive.
    pub probe: PathBuf,
}

/// The checkout that this crate was compiled in.
#[must_use]
pub fn workspace() -> &'static Path {
    const MEMBER: &str = env!("CARGO_MANIFEST_DIR");
    Path::new(MEMBER).parent().unwrap_or(Path::new(MEMBER))
}

/// The header of the checkout.
#[must_use]
pub fn header() -> PathBuf {
    workspace().join("abi/include/trfboost.h")
}

/// The folder of the checkout in which the ABI of each version is kept.
#[must_use]
pub fn frozen() -> PathBuf {
    workspace().join("abi/frozen")
}

/// Builds the release libraries of the checkout, into `CARGO_TARGET_DIR` if that is set.
///
/// # Panics
///
/// Where [`try_build`] returns an error, with its sentence: this is the form for tests.
#[must_use]
pub fn build() -> Artifacts {
    try_build().unwrap_or_else(|trouble| panic!("{trouble}"))
}

/// Builds the release libraries of the checkout, into `CARGO_TARGET_DIR` if that is set.
///
/// # Errors
///
/// [`Trouble::Missing`] without cargo, [`Trouble::File`] without the checkout, [`Trouble::Build`] if
/// the compiler refuses.
pub fn try_build() -> Result<Artifacts, Trouble> {
    let manifest = workspace().join("Cargo.toml");
    manifest.metadata().map_err(Trouble::with(&manifest))?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--quiet", "--message-format=json-render-diagnostics", "--manifest-path"]);
    command.arg(&manifest).args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    // What cargo says to people goes to people, who may have to wait.
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let missing = Trouble::Missing { program: "cargo", install: "curl https://sh.rustup.rs | sh" };
    let output = output.map_err(|_| missing)?;
    if !output.status.success() {
        return Err(Trouble::Build(output.status.to_string()));
    }
    Artifacts::from_messages(&String::from_utf8_lossy(&output.stdout))
}

impl Artifacts {
    /// Finds the files in the messages of `cargo build --message-format=json`.
    fn from_messages(messages: &str) -> Result<Self, Trouble> {
        let messages: Vec<Value> = messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let file = |target: &str, is_it: fn(&str) -> bool| {
            let of_target = messages.iter().filter(|message| message["target"]["name"] == target);
            let mut files = of_target.filter_map(|message| message["filenames"].as_array()).flatten();
            let found = files.find_map(|file| file.as_str().filter(|file| is_it(file)).map(PathBuf::from));
            found.ok_or_else(|| Trouble::Build(format!("no such file among those of the target {target}")))
        };
        let shared: fn(&str) -> bool = |file| file.ends_with(env::consts::DLL_SUFFIX);
        let archive: fn(&str) -> bool = |file| file.ends_with(".a") || file.ends_with(".lib");
        Ok(Self {
            library: file(LIBRARY, shared)?,
            static_library: file(LIBRARY, archive)?,
            probe: file(PROBE, shared)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_target_and_kind() {
        let suffix = env::consts::DLL_SUFFIX;
        let messages = format!(
            r#"{{"reason":"compiler-artifact","target":{{"name":"ndarray"}},"filenames":["/t/libndarray{suffix}"]}}
{{"reason":"compiler-artifact","target":{{"name":"trfboost"}},"filenames":["/t/libtrfboost{suffix}","/t/libtrfboost.a"]}}
a line that is none
{{"reason":"compiler-artifact","target":{{"name":"trfboost_probe"}},"filenames":["/t/libtrfboost_probe{suffix}"]}}"#
        );
        let artifacts = Artifacts::from_messages(&messages).unwrap();
        assert_eq!(artifacts.library, PathBuf::from(format!("/t/libtrfboost{suffix}")));
        assert_eq!(artifacts.static_library, PathBuf::from("/t/libtrfboost.a"));
        assert_eq!(artifacts.probe, PathBuf::from(format!("/t/libtrfboost_probe{suffix}")));
        assert!(Artifacts::from_messages("").is_err());
    }
}
