"""Results in files that other programs and later versions can read.

A file is NumPy's .npz (a zip archive of .npy arrays) without pickled objects:

- `header`: a JSON text (a 0-dimensional array of str) with `format` ("trfboost.BoostingResult"), `format_version`
  (1), the version of trfboost that wrote it, and all that is no array, in the structure of `BoostingResult`.
- all else: its arrays, named by their place in that structure with dots, e.g. `filters`, `metrics.r`,
  `splits.splits.0.train`, `partition_results.2.filters`.

Readers leave alone what they do not know. The format version is raised when a reader would get something wrong
that way, and files of a higher one are refused.
"""

from __future__ import annotations

import json
import os
import types
import typing
import zipfile
import zlib
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from .result import BoostingResult

_FORMAT, _VERSION = "trfboost.BoostingResult", 1

_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error)
"""What reading raises of files that are cut off, damaged, or something else."""


def save(result: BoostingResult, path: str | os.PathLike[str]) -> None:
    """Writes the file, to exactly this path, in one piece: what was there stays if it cannot be written."""
    from .. import __version__

    arrays: dict[str, Any] = {}
    content = _plain(result, "", arrays)
    header = {"format": _FORMAT, "format_version": _VERSION, "trfboost": __version__, "content": content}
    path = os.fsdecode(path)
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def load(path: str | os.PathLike[str]) -> BoostingResult:
    """Read a result that `BoostingResult.save` wrote.

    Raises
    ------
    ValueError
        The file is no such file, or of a format that this version does not know.
    """
    path = os.fsdecode(path)
    try:
        # Opened here, since NumPy leaves a file open that is no archive.
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(str(arrays.pop("header")))
        found = header["format"], int(header["format_version"])
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise ValueError(f"{path}: is no result of trfboost ({error})") from error
    except _UNREADABLE as error:
        raise ValueError(f"{path}: is no result of trfboost ({error})") from error
    if found[0] != _FORMAT:
        raise ValueError(f"{path}: holds {found[0]}, expected {_FORMAT}")
    if found[1] > _VERSION:
        raise ValueError(
            f"{path}: is of format {found[1]}, written by trfboost {header.get('trfboost')}; this version reads "
            f"formats up to {_VERSION}: pip install --upgrade trfboost"
        )
    try:
        if not isinstance(header["content"], dict):
            raise TypeError("its content has no fields")
        result: BoostingResult = _built(BoostingResult, header["content"], "", arrays)
    except _UNREADABLE as error:
        raise ValueError(f"{path}: is a damaged result of trfboost ({error})") from error
    return result


def _plain(value: Any, place: str, arrays: dict[str, Any]) -> Any:
    """What JSON can hold; arrays are put aside under their place."""
    if isinstance(value, np.ndarray):
        arrays[place] = value
        return None
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name), _at(place, f.name), arrays) for f in fields(value)}
    if isinstance(value, (tuple, list)):
        return [_plain(item, _at(place, str(i)), arrays) for i, item in enumerate(value)]
    return value


def _built(kind: Any, content: Any, place: str, arrays: dict[str, Any]) -> Any:
    """The value of a type from what `_plain` made of it."""
    if place in arrays:
        return arrays[place]
    if content is None:
        return None
    options = typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else (kind,)
    kind = next(option for option in options if option is not type(None))
    build: Any = kind
    if is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        known = [f.name for f in fields(kind) if f.name in content]
        return build(**{name: _built(hints[name], content[name], _at(place, name), arrays) for name in known})
    if hasattr(kind, "_fields"):
        return build(*content)
    if isinstance(content, list):
        arguments = typing.get_args(kind)
        item = arguments[0] if arguments else Any
        return tuple(_built(item, part, _at(place, str(i)), arrays) for i, part in enumerate(content))
    return content


def _at(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name
