"""Building: from a source distribution, away from the repository, and without what is needed."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
# The same code, built faster.
QUICK = {
    "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
    "CARGO_PROFILE_RELEASE_LTO": "off",
    "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16",
}


def build(project, target, folder, **environment):
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    return subprocess.run(command, cwd=project, env=os.environ | environment, capture_output=True, encoding="utf-8")


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The source distribution, unpacked in an empty folder."""
    folder = tmp_path_factory.mktemp("sdist")
    done = build(PROJECT, "sdist", folder)
    assert done.returncode == 0, done.stderr
    [archive] = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder / "away", filter="data")
    [unpacked] = (folder / "away").iterdir()
    return unpacked


def test_a_source_distribution_holds_what_the_library_is_made_of(sources):
    rust = sources / "rust"
    assert sorted(path.parent.relative_to(rust).as_posix() for path in rust.rglob("Cargo.toml")) == [
        ".",
        "abi",
        "abi-check",
        "kernel",
    ]
    assert (rust / "abi" / "include" / "trfboost.h").exists() and (sources / "LICENSE-MIT").exists()
    assert (sources / "tests" / "oracle.py").exists()
    lock = (rust / "Cargo.lock").read_text()
    assert "ndarray" in lock and "proptest" not in lock


def test_a_source_distribution_builds_away_from_the_repository(sources, tmp_path):
    done = build(sources, "wheel", tmp_path / "dist", CARGO_TARGET_DIR=str(tmp_path / "target"), **QUICK)
    assert done.returncode == 0, done.stderr
    [wheel] = (tmp_path / "dist").glob("trfboost-*-py3-none-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    program = "import trfboost; print(trfboost.__file__, trfboost.error_for_indexes([3, -4], [[0, 2]], 2))"
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "site")}
    printed = subprocess.run(
        [sys.executable, "-c", program], env=environment, check=True, capture_output=True, encoding="utf-8"
    ).stdout
    assert printed == f"{tmp_path / 'site' / 'trfboost' / '__init__.py'} 25.0\n"


def test_without_cargo_it_is_said_what_to_install(sources, tmp_path):
    done = build(sources, "wheel", tmp_path, PATH=str(tmp_path))
    assert done.returncode != 0
    assert "cargo was not found. Building trfboost needs Rust 1.88 or later" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_build_that_fails_shows_why_and_what_is_needed(sources, tmp_path):
    """A cargo that fails stands for a compiler that is too old, or no linker."""
    fake = tmp_path / "cargo"
    fake.write_text("#!/bin/sh\necho 'error: linker `cc` not found' >&2\nexit 101\n")
    fake.chmod(0o755)
    done = build(sources, "wheel", tmp_path / "dist", PATH=f"{tmp_path}:{os.environ['PATH']}")
    said = done.stdout + done.stderr
    assert (
        done.returncode != 0 and "linker `cc` not found" in said and "a C compiler" in said and "Traceback" not in said
    )
