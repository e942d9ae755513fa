"""What each function takes, as a table that types are held against and calls are made from."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types
from numba.core.errors import TypingError

from .._structs import FitResult


class Array(NamedTuple):
    """An array, passed as a descriptor."""

    name: str
    dtype: types.Type
    ndim: int
    written: bool = False
    optional: bool = False

    def check(self, function: str, given: types.Type) -> None:
        """Raises what a caller should read when `given` does not fit."""
        if self.optional and given == types.none:
            return
        expected = f"an array of {self.dtype} with {self.ndim} dimension{'s' if self.ndim > 1 else ''}"
        if not isinstance(given, types.Array) or (given.dtype, given.ndim) != (self.dtype, self.ndim):
            raise TypingError(f"{function}: {self.name} is {given}, expected {expected}")
        if self.written and not given.mutable:
            raise TypingError(f"{function}: {self.name} is read-only ({given}), but it is written; pass a copy")


class Scalar(NamedTuple):
    """A number, passed by value."""

    name: str
    type: types.Type

    def check(self, function: str, given: types.Type) -> None:
        """As `Array.check`. Integers of any width and sign do, for real numbers too; nothing else is converted."""
        given = types.unliteral(given)
        will_do = (types.Integer,) if isinstance(self.type, types.Integer) else (types.Integer, types.Float)
        if not isinstance(given, will_do) or isinstance(given, types.Boolean):
            raise TypingError(f"{function}: {self.name} is {given}, expected {self.type}")


class Null(NamedTuple):
    """A pointer that is passed as NULL, and is no parameter of the function here."""

    name: str


class Out(NamedTuple):
    """A pointer to something that the call fills: its values are returned."""

    name: str
    words: tuple[tuple[types.Type, int], ...]
    """Type and offset of each value that is returned."""
    size: int
    """Size in bytes."""
    begins_with_size: bool = False


_PREDICTORS = (
    Array("x", types.float64, 2),
    Array("x_pads", types.float64, 1),
)
_LAGS = (
    Array("i_start_by_x", types.int64, 1),
    Array("i_stop_by_x", types.int64, 1),
)
_SETTINGS = (
    Scalar("delta", types.float64),
    Scalar("mindelta", types.float64),
    Scalar("error", types.int32),
    Scalar("selective_stopping", types.int32),
)
_RESULT = Out(
    "result",
    (
        (types.int32, FitResult.stop.offset),
        (types.int64, FitResult.entries.offset),
        (types.int64, FitResult.best_step.offset),
    ),
    FitResult().size,
    begins_with_size=True,
)


def _splits(ndim: int) -> tuple[Array, ...]:
    names = ("split_train", "split_validate", "split_train_and_validate")
    return tuple(Array(name, types.int64, ndim) for name in names)


PARAMETERS: dict[str, tuple[Array | Scalar | Null | Out, ...]] = {
    "generate_options": (
        Array("y_error", types.float64, 1),
        Array("x", types.float64, 2),
        Array("x_pads", types.float64, 1),
        Array("x_active", types.int8, 1),
        Array("indexes", types.int64, 2),
        Scalar("i_start", types.int64),
        *_LAGS,
        Scalar("error", types.int32),
        Scalar("delta", types.float64),
        Array("new_error", types.float64, 2, written=True),
        Array("new_sign", types.int8, 2, written=True),
    ),
    "update_error": (
        Array("y_error", types.float64, 1, written=True),
        Array("x", types.float64, 1),
        Scalar("x_pad", types.float64),
        Array("indexes", types.int64, 2),
        Scalar("delta", types.float64),
        Scalar("shift", types.int64),
    ),
    "error_for_indexes": (
        Array("x", types.float64, 1),
        Array("indexes", types.int64, 2),
        Scalar("error", types.int32),
        Out("out", ((types.float64, 0),), 8),
    ),
    "boosting_fit": (
        Array("y", types.float64, 1),
        *_PREDICTORS,
        *_splits(2),
        *_LAGS,
        *_SETTINGS,
        Array("h", types.float64, 2, written=True),
        Array("history", types.float64, 2, written=True, optional=True),
        _RESULT,
    ),
    "boosting_runs": (
        Array("y", types.float64, 2),
        *_PREDICTORS,
        *_splits(3),
        *_LAGS,
        *_SETTINGS,
        Scalar("num_threads", types.int32),
        Array("hs", types.float64, 4, written=True),
        Array("failed", types.int8, 2, written=True),
        Array("steps", types.int64, 2, written=True, optional=True),
        Array("stop", types.int8, 2, written=True, optional=True),
        Null("progress"),
        Null("user"),
    ),
    "convolve": (
        Array("h", types.float64, 2),
        *_PREDICTORS,
        Scalar("i_start", types.int64),
        Array("segments", types.int64, 2),
        Array("out", types.float64, 1, written=True),
    ),
}


def with_parameters(function: Any, names: list[str], declared: list[str] | None = None) -> Any:
    """A function that takes named parameters where `function` takes any, as Numba wants it.

    `declared`: the names as they are declared, with defaults.
    """
    namespace = {"function": function}
    exec(f"def named({', '.join(declared or names)}):\n    return function({', '.join(names)})\n", namespace)
    return namespace["named"]
