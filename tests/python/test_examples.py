"""The examples on pages in Python and Cython run, on the installed package.

Those of README.md stand each for themselves. A page of the site is read from its beginning: its blocks are one
program, beside the recording that the tutorial lets readers download, and with the page's Cython built as `example`.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
RECORDING = ROOT / "tests" / "data" / "speech_small.npz"


def blocks(page, *languages):
    """The text of blocks, without the options of those that Sphinx reads."""
    names = "|".join(map(re.escape, languages))
    return re.findall(rf"^```(?:{names})\n(?::[^\n]*\n|\n)*(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


EXAMPLES = blocks(README, "python")
PAGES = {
    str(page.relative_to(DOCS)): "".join(blocks(page, "python", "{plot}"))
    for page in sorted(DOCS.rglob("*.md"))
    if blocks(page, "python", "{plot}")
}
BUILD = """
import os, trfboost
from Cython.Build import cythonize
from setuptools import Extension, setup

library = trfboost.library_path()
extension = Extension("example", ["example.pyx"], include_dirs=[trfboost.get_include()], extra_objects=[library],
                      runtime_library_dirs=[os.path.dirname(library)], extra_compile_args=["-O0"])
setup(ext_modules=cythonize([extension], quiet=True), script_args=["--quiet", "build_ext", "--inplace"])
"""
USE = """
import numpy as np, example
assert example.l1(np.arange(20.0)[::-2], np.array([[0, 10]])) == 100.0
"""


def run(code, folder):
    environment = {**os.environ, "MPLBACKEND": "agg"}
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, env=environment
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


def build(example, folder):
    (folder / "example.pyx").write_text("# cython: language_level=3\n" + example)
    run(BUILD, folder)


def test_there_are_examples():
    assert len(EXAMPLES) >= 2 and "tutorial.md" in PAGES and len(PAGES) >= 5


@pytest.mark.parametrize("code", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_runs(code, tmp_path):
    run(code, tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page, tmp_path):
    for example in blocks(DOCS / page, "cython"):
        build(example, tmp_path)
    shutil.copy(RECORDING, tmp_path)
    run(PAGES[page], tmp_path)


def test_the_example_in_cython_is_built_and_runs(tmp_path):
    (example,) = blocks(README, "cython")
    build(example, tmp_path)
    run(USE, tmp_path)
