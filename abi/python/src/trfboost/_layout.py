"""The package's mirror of the header, held against the library that was really loaded.

A struct that is laid out otherwise would let the library read, and write, somewhere else. So the
library gives out its own table of structs, fields and constants, and the import fails, naming the first
row that differs, where a call would have crashed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ._structs import LayoutRow, ProgressFunction

_END, _STRUCT, _FIELD, _CONSTANT = range(4)

# The ctypes type of each type in the header.
_TYPES: dict[str, type] = {
    "uint16_t": ctypes.c_uint16,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "int64_t[8]": ctypes.c_int64 * 8,
    "char[256]": ctypes.c_char * 256,
    "void *": ctypes.c_void_p,
    "const void *": ctypes.c_void_p,
    "const char *": ctypes.c_char_p,
    "trfb_progress": ProgressFunction,
}


class Row(NamedTuple):
    """One row of the library's table."""

    owner: str
    name: str
    type: str
    kind: int
    offset: int
    size: int


def rows(table: Any) -> Iterator[Row]:
    """The rows before the last, from `trfb_abi_layout()`."""
    index = 0
    while table[index].kind != _END:
        row: LayoutRow = table[index]
        yield Row(row.owner.decode(), row.name.decode(), row.type.decode(), row.kind, row.offset, row.size)
        index += 1


def check(
    table: Iterable[Row],
    structs: Mapping[str, type[ctypes.Structure]],
    records: Mapping[str, np.dtype[Any]],
    constants: Mapping[str, int],
) -> None:
    """Holds ctypes structs, structured dtypes (by the order of fields) and constants against the table.

    Raises ImportError with what differs.
    """
    table = list(table)
    for owner, struct in structs.items():
        theirs = {row.name: row for row in table if row.kind == _FIELD and row.owner == owner}
        _check_fields(owner, struct, theirs)
        whole = _find(table, _STRUCT, owner)
        _same(f"alignment and size of {owner}", (ctypes.alignment(struct), ctypes.sizeof(struct)), whole[-2:])
    for owner, record in records.items():
        fields = [row for row in table if row.kind == _FIELD and row.owner == owner]
        _check_record(owner, record, fields)
    for name, value in constants.items():
        _same(f"constant {name}", value, _find(table, _CONSTANT, name).offset)


def _check_fields(owner: str, struct: type[ctypes.Structure], theirs: Mapping[str, Row]) -> None:
    ours = {name: type_ for name, type_, *_ in struct._fields_}
    for name, row in theirs.items():
        if name not in ours:
            raise _mismatch(f"field {owner}.{name}", "missing", (row.type, row.offset))
        field = getattr(struct, name)
        _same(f"offset and size of field {owner}.{name}", (field.offset, field.size), (row.offset, row.size))
        _same(f"type of field {owner}.{name}", ours[name], _TYPES.get(row.type, row.type))
    for name in ours:
        if name not in theirs:
            raise _mismatch(f"field {owner}.{name}", "present", "missing")


def _check_record(owner: str, record: np.dtype[Any], theirs: list[Row]) -> None:
    names = record.names or ()
    _same(f"number of fields of {owner}", len(names), len(theirs))
    for name, row in zip(names, theirs):
        dtype, offset = record.fields[name][:2]  # type: ignore[index]
        what = f"offset and size of field {owner}.{row.name} ({name} of the structured dtype)"
        _same(what, (offset, dtype.itemsize), (row.offset, row.size))


def _find(table: Iterable[Row], kind: int, name: str) -> Row:
    for row in table:
        if row.kind == kind and row.name == name:
            return row
    raise _mismatch(name, "present", "missing")


def _same(what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise _mismatch(what, ours, theirs)


def _mismatch(what: str, ours: object, theirs: object) -> ImportError:
    return ImportError(
        f"trfboost: {what}: {ours} in this package, {theirs} in the library; install both from one build"
    )
