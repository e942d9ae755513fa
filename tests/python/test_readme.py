"""The README's examples in Python and Cython run, each in an interpreter of its own, on the installed package."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)


EXAMPLES = blocks("python")
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
    finished = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_there_are_examples():
    assert len(EXAMPLES) >= 2


@pytest.mark.parametrize("code", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_runs(code, tmp_path):
    run(code, tmp_path)


def test_the_example_in_cython_is_built_and_runs(tmp_path):
    (example,) = blocks("cython")
    (tmp_path / "example.pyx").write_text("# cython: language_level=3\n" + example)
    run(BUILD, tmp_path)
    run(USE, tmp_path)
