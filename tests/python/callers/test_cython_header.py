"""Cython's mirror of the header holds the same names and types in the same order, all of them."""
import re
from pathlib import Path

import trfboost

HEADER = Path(trfboost.get_include(), "trfboost.h")
MIRROR = Path(trfboost.__file__).with_name("header.pxd")


def squeezed(text):
    return " ".join(text.split())


def parts(text, separator):
    return [squeezed(part) for part in text.split(separator) if part.strip()]


def of_header():
    """Constants, enums, structs, function types and functions, each with what it consists of."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = {"constants": re.findall(r"^#define (TRFB_\w+) +\w+ *$", text, re.M)}
    for name, members in re.findall(r"^enum (\w+) \{(.*?)\};", text, re.M | re.S):
        found[f"enum {name}"] = [member.partition("=")[0].strip() for member in parts(members, ",")]
    for name, fields in re.findall(r"^typedef struct (\w+) \{(.*?)\} \1;", text, re.M | re.S):
        found[f"struct {name}"] = parts(fields, ";")
    for result, name, parameters in re.findall(r"^typedef (\w+) (\(\*\w+\))\((.*?)\);", text, re.M | re.S):
        found[name] = [result, *parts(parameters, ",")]
    function = r"^(?:static inline )?((?:const )?\w+ \*?)(trfb_\w+)\(([^()]*)\)(?:;|\s*\{)"
    for result, name, parameters in re.findall(function, text, re.M):
        found[name] = [squeezed(result), *(part for part in parts(parameters, ",") if part != "void")]
    return found


def of_mirror():
    """The same of the mirror."""
    text = MIRROR.read_text(encoding="utf-8").partition("cdef extern from")[2]
    text = re.sub(r"#.*", "", text)
    block = r"((?:\n        .*)+)"
    found = {"constants": parts(re.search(r"^    enum:" + block, text, re.M).group(1), "\n")}
    for kind, name, lines in re.findall(r"^    (enum|ctypedef struct) (\w+):" + block, text, re.M):
        found[f"{kind.removeprefix('ctypedef ')} {name}"] = parts(lines, "\n")
    for result, name, parameters in re.findall(r"^    ctypedef (\w+) (\(\*\w+\))\((.*?)\) noexcept nogil$", text, re.M):
        found[name] = [result, *parts(parameters, ",")]
    for result, name, parameters in re.findall(
        r"^    ((?:const )?\w+ \*?)(trfb_\w+)\(([^()]*)\) noexcept nogil$", text, re.M
    ):
        found[name] = [squeezed(result), *parts(parameters, ",")]
    return found


def test_the_mirror_is_the_header():
    header = of_header()
    assert of_mirror() == header
    assert len(header["constants"]) == 5 and len(header["enum trfb_status"]) == 27
    assert header["struct trfb_view"][-1] == "int64_t strides[TRFB_MAX_NDIM]"
    assert len([name for name in header if name.startswith("trfb_")]) == 12


def test_no_name_of_the_header_is_left_out():
    """Whatever its form, so that a declaration of a new form is not overlooked by both readers above."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)
    names = set(re.findall(r"\b(?:trfb|TRFB)_\w+", text))
    names -= {"TRFB_NO_INLINE", "TRFB_ERROR_INIT", "TRFB_FIT_RESULT_INIT"}  # the preprocessor's
    assert names == set(re.findall(r"\b(?:trfb|TRFB)_\w+", MIRROR.read_text(encoding="utf-8")))
