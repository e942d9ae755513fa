"""Builds the library with cargo and puts it, and the header, into the wheel.

In the repository cargo runs in the workspace that this folder lies in. A source distribution carries
a workspace of its own in `rust/`: the three crates that the library is made of, without their tests.
Nothing here knows where cargo puts its files (CARGO_TARGET_DIR is respected): cargo says so itself.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "trfboost-abi"
LIBRARY = "trfboost"
SUFFIXES = {".so", ".dylib", ".dll"}

# Folders of the crates that the library is made of, in the workspace and in a source distribution.
CRATES = ("kernel", "abi-check", "abi")
SOURCES = ("build.rs", "src/**/*", "include/**/*")
LICENCES = ("LICENSE-MIT", "LICENSE-APACHE")

REMEDY = (
    "Building trfboost needs Rust 1.88 or later (rustup, https://rustup.rs, installs it) "
    "and a C compiler, which Rust uses as its linker."
)


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        if self.target_name == "sdist":
            self.add_sources(build_data)
        else:
            self.add_library(build_data, editable=version == "editable")

    def add_library(self, build_data, editable):
        workspace = self.workspace()
        header = workspace / "abi" / "include" / "trfboost.h"
        library = self.build(workspace)
        contents = {
            f"lib/{loaders_name(library, header)}": library,
            f"include/{header.name}": header,
        }
        for name, file in contents.items():
            if editable:
                target = Path(self.root, "src", "trfboost", name)
                target.parent.mkdir(exist_ok=True)
                shutil.copy2(file, target)
            else:
                build_data["force_include"][str(file)] = f"trfboost/{name}"
        if not self.in_sdist():  # where hatchling finds them itself
            for licence in LICENCES:
                target = f"{self.metadata.name}-{self.metadata.version}.dist-info/licenses/{licence}"
                build_data["force_include"][str(workspace / licence)] = target
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag(glibc_floor())}"

    def in_sdist(self):
        return Path(self.root, "rust").is_dir()

    def workspace(self):
        return Path(self.root, "rust") if self.in_sdist() else Path(self.root).parents[1]

    def build(self, workspace):
        """The library, built; cargo's messages go to stderr as they come."""
        command = ["cargo", *build_command(glibc_floor()), "--release", "--locked", "-p", PACKAGE]
        command.append("--message-format=json-render-diagnostics")
        self.need_cargo()
        done = subprocess.run(command, cwd=workspace, stdout=subprocess.PIPE, encoding="utf-8")
        if done.returncode:
            self.app.abort(f"cargo failed; its messages are above. {REMEDY}")
        messages = (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
        for message in messages:
            if message["reason"] == "compiler-artifact" and message["target"]["name"] == LIBRARY:
                return next(path for path in map(Path, message["filenames"]) if path.suffix in SUFFIXES)
        self.app.abort(f"cargo built no library of the name {LIBRARY}")

    def need_cargo(self):
        if shutil.which("cargo") is None:
            self.app.abort(f"cargo was not found. {REMEDY}")

    def add_sources(self, build_data):
        """A workspace of three crates under `rust/`."""
        workspace = self.workspace()
        include = build_data["force_include"]
        self.reduced = tempfile.TemporaryDirectory(prefix="trfboost-sdist-")
        reduced = Path(self.reduced.name)
        for crate in CRATES:
            for file in (file for pattern in SOURCES for file in (workspace / crate).glob(pattern)):
                if file.is_file():
                    include[str(file)] = str(Path("rust", file.relative_to(workspace)))
        self.need_cargo()
        write_reduced_manifests(workspace, reduced)
        for manifest in (file for name in ("Cargo.toml", "Cargo.lock") for file in reduced.rglob(name)):
            include[str(manifest)] = str(Path("rust", manifest.relative_to(reduced)))
        if not self.in_sdist():
            for licence in LICENCES:
                include[str(workspace / licence)] = licence

    def finalize(self, version, build_data, artifact_path):
        if self.target_name == "sdist":
            self.reduced.cleanup()


def loaders_name(library, header):
    """The name by which the loader looks for the library: one file, whoever loads it, is loaded once."""
    version = re.search(r"#define TRFB_ABI_VERSION (\d+)", header.read_text(encoding="utf-8")).group(1)
    names = {".so": f"{library.name}.{version}", ".dylib": f"{library.stem}.{version}.dylib"}
    return names.get(library.suffix, library.name)


def glibc_floor():
    """The oldest glibc that the wheel is for: a version such as 2.17, or nothing for that of this machine."""
    return os.environ.get("TRFBOOST_GLIBC", "")


def build_command(floor):
    """What cargo is to do. cargo-zigbuild links with the symbols that an older glibc had."""
    if not floor:
        return ["build"]
    version = subprocess.run(["rustc", "-vV"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    host = re.search(r"(?m)^host: (\S+)$", version).group(1)
    return ["zigbuild", "--target", f"{host}.{floor}"]


def platform_tag(floor):
    """The platform of a wheel built here: that of Python, with the machine that Rust builds for."""
    if floor:
        return f"manylinux_{floor.replace('.', '_')}_{platform.machine()}"
    return re.sub(r"[-.]", "_", sysconfig.get_platform()).replace("universal2", platform.machine())


def write_reduced_manifests(workspace, reduced):
    """The manifests without what only tests need, and the lock file with what is left."""
    for crate in ("", *CRATES):
        manifest = (workspace / crate / "Cargo.toml").read_text(encoding="utf-8")
        manifest = re.sub(r"(?m)^members = \[[^\]]*\]", f"members = {json.dumps(CRATES)}", manifest)
        manifest = re.sub(r"(?m)^default-members = \[[^\]]*\]\n", "", manifest)
        manifest = re.sub(r"(?ms)^\[(dev-dependencies|\[(bench|test|example)\])\].*?(?=^\[|\Z)", "", manifest)
        manifest = re.sub(r"(?m)^trfboost-(?!kernel|abi-check).*path = .*\n", "", manifest)
        (reduced / crate).mkdir(exist_ok=True)
        (reduced / crate / "Cargo.toml").write_text(manifest, encoding="utf-8")
        # cargo looks whether a crate has a target before it resolves.
        if crate:
            (reduced / crate / "src").mkdir()
            (reduced / crate / "src" / "lib.rs").touch()
    shutil.copy2(workspace / "Cargo.lock", reduced)
    # Keeps the locked versions, and drops packages that nothing needs any more.
    subprocess.run(["cargo", "update", "--quiet", "--workspace"], cwd=reduced, check=True)
