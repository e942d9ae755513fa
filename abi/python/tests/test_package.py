"""The package as it is installed."""

import doctest
import importlib.metadata
import json
import re
from pathlib import Path

import children
import pytest

import trfboost
from trfboost import functions, lib
from trfboost.trf import estimation

TESTS = Path(__file__).parent


def test_the_public_surface():
    assert sorted(trfboost.__all__) == [
        "AbiError", "AbiMemoryError", "AbiRuntimeError", "AbiTypeError", "AbiValueError", "BoostingResult", "Cancelled",
        "FitDetails", "HistoryEntry", "Status", "Stop", "VIEW_DTYPE", "View", "boosting", "boosting_fit",
        "boosting_runs", "cdef", "convolve", "error_for_indexes", "generate_options", "get_include", "lib",
        "library_path", "load", "update_error",
    ]  # fmt: skip
    assert all(getattr(trfboost, name).__doc__ for name in trfboost.__all__ if name != "VIEW_DTYPE")  # no class


def test_library_header_and_typing_mark_lie_in_the_package():
    package = Path(trfboost.__file__).parent
    assert Path(trfboost.library_path()).parent == package / "lib"
    assert (Path(trfboost.get_include()) / "trfboost.h").read_text(encoding="utf-8").startswith("/* trfboost.h")
    assert (package / "py.typed").exists()


def test_the_versions_agree():
    assert trfboost.__version__ == importlib.metadata.version("trfboost")
    assert lib.trfb_build_info().decode().split(",")[0] == f"trfboost {trfboost.__version__}"


def test_the_wheel_is_for_any_python_and_this_platform():
    files = importlib.metadata.files("trfboost")
    wheel = next(file for file in files if file.name == "WHEEL").read_text()
    assert re.search(r"^Tag: py3-none-(linux|manylinux|macosx|win)", wheel, re.M) and "Root-Is-Purelib: false" in wheel
    assert {file.name for file in files if "licenses" in file.parts} == {"LICENSE-MIT", "LICENSE-APACHE"}
    assert importlib.metadata.requires("trfboost")[0].startswith("numpy")


def test_the_import_needs_numpy_and_nothing_else():
    program = """
        import json, sys
        import numpy
        before = set(sys.modules)
        import trfboost
        imported = {name.partition(".")[0] for name in set(sys.modules) - before}
        print(json.dumps(sorted(imported - sys.stdlib_module_names - {"numpy"})))
    """
    assert json.loads(children.succeed(program)) == ["trfboost"]


@pytest.mark.parametrize("module", [functions, lib, estimation])
def test_the_examples_of_the_docstrings_run(module):
    options = doctest.NORMALIZE_WHITESPACE
    result = doctest.testmod(module, optionflags=options)
    assert result.attempted > 0 and result.failed == 0


def test_the_examples_of_the_page_run():
    page = (
        importlib.metadata.metadata("trfboost").get_payload() or importlib.metadata.metadata("trfboost")["Description"]
    )
    examples = re.findall(r"```python\n(.*?)```", page, re.S)
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})


def test_each_function_documents_its_parameters():
    fitting = "boosting", "boosting_fit", "boosting_runs"
    called = *fitting, "generate_options", "update_error", "error_for_indexes", "convolve"
    for name in called:
        function = getattr(trfboost, name)
        parameters = function.__code__.co_varnames[
            : function.__code__.co_argcount + function.__code__.co_kwonlyargcount
        ]
        missing = [parameter for parameter in parameters if not re.search(rf"\b{parameter}\b", function.__doc__)]
        assert missing == [] and "Raises" in function.__doc__


def test_the_mirror_has_the_parameters_of_the_header():
    """Names and C types, in order, for each function that is exported."""
    header = (Path(trfboost.get_include()) / "trfboost.h").read_text(encoding="utf-8")
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    for name, parameters in lib._PARAMETERS.items():
        declared = re.search(rf"int32_t {name}\((.*?)\);", header, re.S).group(1).split(",")
        declared = [re.match(r"\s*(.*?)(\w+)$", parameter).groups() for parameter in declared]
        assert [parameter for _, parameter in declared] == [ours for ours, _ in parameters] + ["details"]
        c_types = {type_.strip() for type_, _ in declared}
        assert c_types <= set(C_TYPES)
        for (type_, _), (_, ours) in zip(declared, parameters):
            assert ours is C_TYPES[type_.strip()] or ours == C_TYPES[type_.strip()]


C_TYPES = {
    "const trfb_view *": lib._Array,
    "int64_t": lib._INT64,
    "int32_t": lib._INT32,
    "double": lib.ctypes.c_double,
    "double *": lib.ctypes.POINTER(lib.ctypes.c_double),
    "trfb_fit_result *": lib.ctypes.POINTER(lib.FitResult),
    "trfb_progress": lib.ProgressFunction,
    "void *": lib.ctypes.c_void_p,
    "trfb_error *": lib._Details,
}
