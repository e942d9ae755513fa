"""The library in the package as a file: what it needs, what it gives away, and how it is linked."""

import importlib.metadata
import platform
import re
import shutil
import subprocess
import sys

import pytest

import trfboost

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the files of Linux are looked at")

# Libraries that every Linux with glibc has, which is what manylinux allows.
SYSTEM = re.compile(r"(libc|libm|libgcc_s|libpthread|libdl|librt|libutil|ld-linux[-\w]*)\.so\.\d+")

# Where instructions of newer processors may be: functions that are called after the processor was asked.
# pulp compiles these for an instruction set each, and has some more in assembly, behind its vector types.
DISPATCHED = re.compile(r"pulp3x86\d+v[34]|libpulp_v\d")

# Beyond x86-64-v2: what begins with a v (VEX and EVEX encodings), and names their registers.
NEWER = re.compile(r"%[yz]mm\d|%k[0-7]\b|^v")


def printed(*command):
    if shutil.which(command[0]) is None:
        pytest.fail(f"{command[0]} is missing; install binutils")
    command = [*command, trfboost.library_path()]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def test_it_needs_the_system_and_searches_no_folder():
    dynamic = printed("readelf", "--dynamic", "--wide")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    assert needed and [name for name in needed if not SYSTEM.fullmatch(name)] == []
    assert "PATH)" not in dynamic


def test_nothing_of_it_can_be_written_once_it_is_loaded():
    """No relocation in the code, none that is left for later, and no stack that runs."""
    dynamic, segments = printed("readelf", "--dynamic", "--wide"), printed("readelf", "--segments", "--wide")
    assert "TEXTREL" not in dynamic
    assert re.search(r"\(FLAGS\).*BIND_NOW", dynamic) and re.search(r"\(FLAGS_1\).*NOW", dynamic)
    assert "GNU_RELRO" in segments
    assert re.search(r"GNU_STACK( +0x\w+){5} +RW +", segments)
    assert not re.search(r"LOAD( +0x\w+){5} +RWE", segments)


def test_it_exports_what_the_header_declares():
    names = printed("nm", "--dynamic", "--defined-only", "--format=just-symbols").split()
    assert sorted(names) == sorted(re.findall(r"\b(trfb_\w+)\(", re.sub(r"typedef[^;]*;", "", trfboost.cdef())))


def test_no_defect_is_planted_in_it():
    # Tests of the library have places where it panics; trfboost_kernel's planted.rs says what.
    with open(trfboost.library_path(), "rb") as library:
        contents = library.read()
    assert b"a defect of trfboost" in contents and b"planted by a test" not in contents


def test_no_symbol_is_younger_than_the_glibc_that_the_tag_promises():
    symbols = re.findall(r"GLIBC_(\d+)\.(\d+)", printed("objdump", "--dynamic-syms"))
    youngest = max((int(major), int(minor)) for major, minor in symbols)
    wheel = next(file for file in importlib.metadata.files("trfboost") if file.name == "WHEEL").read_text()
    promised = re.search(r"manylinux_(\d+)_(\d+)", wheel)
    # A wheel without such a tag is for the machine that it was built on.
    floor = promised.groups() if promised else platform.libc_ver()[1].split(".")[:2]
    assert youngest <= tuple(map(int, floor))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other machines have one path")
def test_newer_instructions_are_in_functions_that_are_dispatched_to():
    if "no symbols" in subprocess.run(
        ["nm", trfboost.library_path()], capture_output=True, encoding="utf-8"
    ).stderr:
        pytest.skip("the linker of this library left out the names of its functions (zig does); look at another build")
    inside, found, elsewhere = "", set(), set()
    for line in printed("objdump", "--disassemble", "--no-show-raw-insn").splitlines():
        if head := re.fullmatch(r"[0-9a-f]+ <(.*)>:", line):
            inside = head.group(1)
        elif (code := line.partition("\t")[2]) and NEWER.search(code):
            (found if DISPATCHED.search(inside) else elsewhere).add(inside)
    assert elsewhere == set()
    assert any("v3" in name for name in found) and any("v4" in name for name in found)
