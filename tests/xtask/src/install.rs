//! `cargo xtask install`: the library for users of C, C++ and whatever reads pkg-config or CMake.
//!
//! (cargo-c does the like, but has to be built first, which takes longer than all of this workspace;
//! and it generates no CMake package.) Whatever is laid down finds the rest from where it is itself,
//! so that the folder can be moved, packed, or installed under DESTDIR.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::failure::Failure;
use crate::place;
use crate::process::Program;

/// The number in the soname, which `abi/build.rs` sets: `TRFB_ABI_VERSION`.
const ABI_VERSION: &str = "1";

/// Files of `abi/include`.
const HEADERS: [&str; 2] = ["trfboost.h", "trfboost.hpp"];

/// Files in `abi/install` with `@NAMES@` to fill in, and the folder that they go to.
const TEMPLATES: [(&str, &str); 3] = [
    ("trfboost.pc", "lib/pkgconfig"),
    ("trfboostConfig.cmake", "lib/cmake/trfboost"),
    ("trfboostConfigVersion.cmake", "lib/cmake/trfboost"),
];

/// Builds the library and lays everything down below `prefix`.
pub(crate) fn run(prefix: &Path) -> Result<(), Failure> {
    let native_libraries = build()?;
    let prefix = below_destdir(&std::path::absolute(prefix).map_err(Failure::file(prefix))?);
    let built = place::target().join("release");
    let shared = format!("libtrfboost.so.{ABI_VERSION}");
    for header in HEADERS {
        copy(&place::root().join("abi/include").join(header), &prefix.join("include"), header)?;
    }
    copy(&built.join("libtrfboost.so"), &prefix.join("lib"), &shared)?;
    copy(&built.join("libtrfboost.a"), &prefix.join("lib"), "libtrfboost.a")?;
    link(&shared, &prefix.join("lib/libtrfboost.so"))?;
    let names = [
        ("@VERSION@", env!("CARGO_PKG_VERSION")),
        ("@ABI_VERSION@", ABI_VERSION),
        ("@NATIVE_LIBRARIES@", &native_libraries),
    ];
    TEMPLATES.iter().try_for_each(|(template, folder)| fill_in(template, &prefix.join(folder), &names))
}

/// Builds shared and static library, and returns what a program that links the latter links as well.
fn build() -> Result<String, Failure> {
    const LABEL: &str = "native-static-libs:";
    let rustc = ["rustc", "--release", "--locked", "--package", "trfboost-abi", "--", "--print", "native-static-libs"];
    let messages = Program::cargo().arguments(rustc).messages()?;
    let libraries = messages.lines().find_map(|line| line.split_once(LABEL)).map(|(_, libraries)| libraries.trim());
    libraries.map(str::to_owned).ok_or_else(|| Failure::Failed("asking rustc for native libraries".to_owned()))
}

/// Packagers install to a folder that is not the final one.
fn below_destdir(prefix: &Path) -> PathBuf {
    match env::var_os("DESTDIR") {
        Some(folder) if !folder.is_empty() => Path::new(&folder).join(prefix.strip_prefix("/").unwrap_or(prefix)),
        _ => prefix.to_owned(),
    }
}

fn copy(file: &Path, folder: &Path, name: &str) -> Result<(), Failure> {
    let goal = folder.join(name);
    fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    // Not over the old file: a process that has it mapped would see it change.
    remove(&goal)?;
    fs::copy(file, &goal).map_err(Failure::file(file))?;
    println!("{}", goal.display());
    Ok(())
}

fn link(to: &str, goal: &Path) -> Result<(), Failure> {
    remove(goal)?;
    std::os::unix::fs::symlink(to, goal).map_err(Failure::file(goal))?;
    println!("{} -> {to}", goal.display());
    Ok(())
}

fn remove(file: &Path) -> Result<(), Failure> {
    match fs::remove_file(file) {
        Err(reason) if reason.kind() != io::ErrorKind::NotFound => Err(Failure::File(file.to_owned(), reason)),
        _ => Ok(()),
    }
}

fn fill_in(template: &str, folder: &Path, names: &[(&str, &str)]) -> Result<(), Failure> {
    let source = place::root().join("abi/install").join(template);
    let text = fs::read_to_string(&source).map_err(Failure::file(&source))?;
    let text = names.iter().fold(text, |text, (name, value)| text.replace(name, value));
    let goal = folder.join(template);
    fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    fs::write(&goal, text).map_err(Failure::file(&goal))?;
    println!("{}", goal.display());
    Ok(())
}
