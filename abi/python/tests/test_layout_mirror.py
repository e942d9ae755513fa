"""The import refuses a library, or a mirror, that is laid out otherwise, and names what differs."""

import ctypes
import os
import shutil
import sys
from pathlib import Path

import children
import numpy as np
import pytest

import trfboost
from trfboost import _layout, lib

PACKAGE = Path(trfboost.__file__).parent
ROWS = list(_layout.rows(lib.trfb_abi_layout()))

# What is planted: file, text, its replacement, words of the ImportError.
PLANTED = [
    ("view.py", '("ndim", ctypes.c_int32),', "", "field trfb_view.ndim: missing in this package"),
    ("view.py", '("flags", ctypes.c_uint64)', '("flags", ctypes.c_uint32)', "size of field trfb_view.flags"),
    ("view.py", '("flags", ctypes.c_uint64)', '("flags", ctypes.c_int64)', "type of field trfb_view.flags"),
    (
        "view.py",
        '("data", ctypes.c_void_p),\n        ("base", ctypes.c_void_p),',
        '("base", ctypes.c_void_p),\n        ("data", ctypes.c_void_p),',
        "offset and size of field trfb_view.data",
    ),
    ("view.py", '("base", ctypes.c_void_p)', '("bass", ctypes.c_void_p)', "field trfb_view.base: missing"),
    ("view.py", "MAX_NDIM = 8", "MAX_NDIM = 7", "size of field trfb_view.shape"),
    ("view.py", "VIEW_MAGIC = 0x56465254", "VIEW_MAGIC = 0x56465255", "constant TRFB_VIEW_MAGIC"),
    ("view.py", "ABI_VERSION = 1", "ABI_VERSION = 2", "constant TRFB_ABI_VERSION"),
    ("view_dtype.py", '("rank", np.int32)', '("rank", np.int16)', "trfb_view.ndim (rank of the structured dtype)"),
    ("view_dtype.py", '        ("extent", np.uint64),\n', "", "number of fields of trfb_view"),
    ("_structs.py", "MESSAGE_SIZE = 256", "MESSAGE_SIZE = 255", "field trfb_error.message"),
    ("_structs.py", '("axis", ctypes.c_int32),', "", "field trfb_error.axis: missing"),
    ("_structs.py", '("stop", ctypes.c_int32)', '("stop", ctypes.c_int16)', "field trfb_fit_result.stop"),
    ("errors.py", "OVERLAP = 15", "OVERLAP = 16", "constant TRFB_STATUS_OVERLAP"),
    ("history.py", "CIRCLES = 4", "CIRCLES = 5", "constant TRFB_STOP_CIRCLES"),
]


@pytest.mark.parametrize(("file", "text", "replacement", "words"), PLANTED)
def test_a_planted_mismatch_is_refused_by_name(tmp_path, file, text, replacement, words):
    shutil.copytree(PACKAGE, tmp_path / "trfboost", ignore=shutil.ignore_patterns("__pycache__"))
    planted = tmp_path / "trfboost" / file
    source = planted.read_text()
    assert text in source
    planted.write_text(source.replace(text, replacement))
    environment = {"PYTHONPATH": str(tmp_path), "TRFBOOST_LIBRARY": trfboost.library_path()}
    done = children.run("import trfboost", env=os.environ | environment)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and last.startswith("ImportError: trfboost: ") and words in last, done.stderr


def test_a_field_that_the_library_does_not_have_is_refused():
    rows = [row for row in ROWS if (row.owner, row.name) != ("trfb_view", "flags")]
    with pytest.raises(ImportError, match="field trfb_view.flags: present in this package, missing in the library"):
        _layout.check(rows, {"trfb_view": trfboost.View}, {}, {})


def test_padding_hides_no_narrowed_field():
    """`stop` narrowed: the size of the struct stays, and all other fields where they are."""

    class Narrowed(ctypes.Structure):
        _fields_ = [(n, ctypes.c_int16 if n == "stop" else t) for n, t in lib.FitResult._fields_]

    assert ctypes.sizeof(Narrowed) == ctypes.sizeof(lib.FitResult)
    with pytest.raises(ImportError, match="field trfb_fit_result.stop"):
        _layout.check(ROWS, {"trfb_fit_result": Narrowed}, {}, {})


def test_every_struct_and_status_of_the_library_is_mirrored():
    structs = {row.name for row in ROWS if row.kind == 1}
    assert structs == {"trfb_view", "trfb_error", "trfb_fit_result", "trfb_layout_row"}
    statuses = {row.name: row.offset for row in ROWS if row.name.startswith("TRFB_STATUS_")}
    assert statuses == {f"TRFB_STATUS_{status.name}": status for status in trfboost.Status}
    dtypes = {"TRFB_BOOL": "?", "TRFB_INT8": "i1", "TRFB_INT64": "i8", "TRFB_FLOAT64": "f8"}
    constants = {row.name: row.offset for row in ROWS}
    assert all(trfboost.View.of(np.zeros(1, dtype)).dtype == constants[name] for name, dtype in dtypes.items())


def test_another_library_can_be_named(tmp_path):
    moved = tmp_path / "folder with spaces, é"
    moved.mkdir()
    library = shutil.copy(trfboost.library_path(), moved)
    program = "import trfboost; print(trfboost.library_path(), trfboost.error_for_indexes([1, 2], [[0, 2]], 1))"
    printed = children.succeed(
        program, env=os.environ | {"TRFBOOST_LIBRARY": str(library), "PYTHONIOENCODING": "utf-8"}
    )
    assert printed == f"{library} 3.0\n"


def test_a_library_that_is_none_is_refused(tmp_path):
    (tmp_path / "text.so").write_text("no library")
    for path in (tmp_path / "text.so", tmp_path / "missing.so"):
        done = children.run("import trfboost", env=os.environ | {"TRFBOOST_LIBRARY": str(path)})
        assert "ImportError: trfboost: the library could not be loaded" in done.stderr and "reinstall" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="names the C library of Linux")
def test_another_projects_library_is_refused():
    done = children.run("import trfboost", env=os.environ | {"TRFBOOST_LIBRARY": "libc.so.6"})
    assert "ImportError: trfboost: libc.so.6 has no function trfb_" in done.stderr
