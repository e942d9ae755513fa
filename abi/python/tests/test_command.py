"""The command line: what it prints, and how it ends."""

import subprocess
import sys
from pathlib import Path

import pytest

import trfboost
from trfboost import command, lib


def run(*words):
    line = [sys.executable, "-m", "trfboost", *map(str, words)]
    return subprocess.run(line, capture_output=True, encoding="utf-8", timeout=60)


def printed(*words):
    done = run(*words)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_folders_are_printed_alone_for_scripts():
    assert printed("--include") == f"{trfboost.get_include()}\n" == printed("info", "--include")
    assert printed("--library") == f"{trfboost.library_path()}\n"


def test_info_says_what_is_installed_and_what_it_uses_of_the_machine():
    facts = dict(line.split(maxsplit=1) for line in printed("info").splitlines())
    assert facts["version"] == trfboost.__version__ and facts["build"] == lib.trfb_build_info().decode()
    assert facts["ABI"] == str(lib.trfb_abi_version()) and int(facts["threads"].split(",")[0]) >= 1
    assert facts["vectors"] in ("AVX-512", "AVX2", "NEON", "portable")
    assert facts["library"] == trfboost.library_path() and facts["include"] == trfboost.get_include()


def test_without_a_command_it_is_info():
    assert printed() == printed("info")


def test_the_script_runs_the_same_command():
    script = Path(sys.executable).with_name("trfboost")
    done = subprocess.run([script, "info", "--library"], capture_output=True, encoding="utf-8", timeout=60)
    assert done.stdout == f"{trfboost.library_path()}\n"


@pytest.mark.parametrize("words", [["inform"], ["info", "--no-such-option"], ["--include", "--library"]])
def test_a_wrong_command_line_is_2(words):
    done = run(*words)
    assert done.returncode == 2 and "usage: trfboost" in done.stderr and done.stdout == ""


@pytest.mark.parametrize("words", [[], *([name] for name in command.COMMANDS)])
def test_the_help_says_what_exit_codes_mean(words):
    text = printed(*words, "--help")
    assert "exit codes:" in text and all(f"\n  {code} " in text for code in (0, 1, 2, 130))
    assert max(map(len, text.splitlines())) <= 90
