"""The forms that predictors come in, and the one matrix that is made of them.

A user has one predictor, a matrix of them, or several with names. The fit takes rows. `PredictorForm`
remembers which rows came from where, so that whatever has a row per predictor (filters, means, scales) goes
back to the user in the form that x had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..arguments import FLOAT64, converted
from ..errors import Status, refusal

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PredictorForm:
    """What x was: one array, or a list or dict of them."""

    kind: Literal["array", "list", "dict"]
    names: tuple[str, ...]
    """A name for each predictor: keys of the dict; x, or x0, x1... where there were none."""
    rows: tuple[int | None, ...]
    """Number of rows of each predictor; None for one of a single dimension."""

    @property
    def n_rows(self) -> int:
        return sum(1 if rows is None else rows for rows in self.rows)

    @property
    def row_names(self) -> list[str]:
        """A name for each row: of its predictor, and its number there."""
        named: list[str] = []
        for name, rows in zip(self.names, self.rows):
            named += [name] if rows is None else [f"{name}[{row}]" for row in range(rows)]
        return named

    def by_row(self, values: Sequence[float]) -> list[float]:
        """A value for each predictor, repeated for each of its rows."""
        return [value for value, rows in zip(values, self.rows) for _ in range(1 if rows is None else rows)]

    def parts(self, array: npt.NDArray[Any], axis: int) -> list[npt.NDArray[Any]]:
        """Views of the rows of each predictor, without the axis where the predictor had none."""
        parts, start = [], 0
        for rows in self.rows:
            index: list[Any] = [slice(None)] * array.ndim
            index[axis] = start if rows is None else slice(start, start + rows)
            parts.append(array[tuple(index)])
            start += 1 if rows is None else rows
        return parts

    def given_back(self, array: npt.NDArray[Any], axis: int, make: Callable[[Any], Any] = lambda part: part) -> Any:
        """`array`, whose `axis` runs over the rows, in the form that x had."""
        parts = [make(part) for part in self.parts(array, axis)]
        if self.kind == "array":
            return parts[0]
        return dict(zip(self.names, parts)) if self.kind == "dict" else parts


def is_array(value: Any) -> bool:
    """Whether an item of a list is no number. Lists of arrays may be ragged, which NumPy refuses to measure."""
    return isinstance(value, (list, tuple)) or np.ndim(value) > 0


def matrix(x: Any, argument: str = "x") -> tuple[list[Floats], PredictorForm]:
    """The predictors of one trial, each [rows, T], and their form.

    x may be an array [T] or [n, T], a dict of such arrays by name, or a list of them.
    """
    if isinstance(x, Mapping):
        arrays = [_predictor(f"{argument}[{name!r}]", value) for name, value in x.items()]
        _refuse_same_names(argument, x)
        form = PredictorForm("dict", tuple(str(name) for name in x), _rows(arrays))
    elif isinstance(x, (list, tuple)) and len(x) == 0:
        arrays, form = [], PredictorForm("list", (), ())
    elif isinstance(x, (list, tuple)) and is_array(x[0]):
        arrays = [_predictor(f"{argument}[{i}]", value) for i, value in enumerate(x)]
        form = PredictorForm("list", tuple(f"x{i}" for i in range(len(x))), _rows(arrays))
    else:
        arrays = [_predictor(argument, x)]
        form = PredictorForm("array", ("x",), _rows(arrays))
    if form.n_rows == 0:
        raise refusal(Status.LENGTH, argument, "holds no predictor; at least one is needed", 1, 0)
    _same_length(arrays, form, argument)
    return [np.atleast_2d(array) for array in arrays], form


def _predictor(argument: str, value: Any) -> Floats:
    array = converted(argument, value, FLOAT64)
    if array.ndim not in (1, 2):
        sentence = f"has {array.ndim} dimensions, expected [time] or [predictor, time]"
        raise refusal(Status.NDIM, argument, sentence, 1, array.ndim)
    return array


def _refuse_same_names(argument: str, names: Iterable[Any]) -> None:
    """Names are strings from here on, so that 1 and "1" would be one predictor in the filters given back."""
    seen: dict[str, Any] = {}
    for name in names:
        other = seen.setdefault(str(name), name)
        if other is not name:
            raise refusal(Status.VALUE, argument, f"has keys {other!r} and {name!r}, which are one name; rename one")


def _rows(arrays: list[Floats]) -> tuple[int | None, ...]:
    return tuple(None if array.ndim == 1 else len(array) for array in arrays)


def _same_length(arrays: list[Floats], form: PredictorForm, argument: str) -> None:
    first = arrays[0].shape[-1]
    for name, array in zip(form.names, arrays):
        if array.shape[-1] != first:
            raise refusal(
                Status.LENGTH,
                argument,
                f"{name} has {array.shape[-1]} samples, but {form.names[0]} has {first}; time is the last axis, and "
                "all predictors need the rate and the length of y",
                first,
                array.shape[-1],
            )
