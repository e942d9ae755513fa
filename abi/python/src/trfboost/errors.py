"""What went wrong with a call: exceptions that carry what the library says.

Each is an `AbiError`, and also the built-in exception that Python code expects: `TypeError` where
dtype or access are wrong, `ValueError` where values or shapes are.
"""

from __future__ import annotations

import enum


class Status(enum.IntEnum):
    """What a function of the library returns: `enum trfb_status` of the header."""

    OK = 0
    NULL = 1
    NOT_A_VIEW = 2
    STRUCT_SIZE = 3
    ABI_VERSION = 4
    NDIM = 5
    DTYPE = 6
    FLAGS = 7
    NEGATIVE_LENGTH = 8
    NULL_DATA = 9
    MISALIGNED = 10
    ADDRESS_SPACE = 11
    BOUNDS = 12
    LENGTH = 13
    READONLY_OUTPUT = 14
    OVERLAP = 15
    VALUE = 16
    SEGMENT = 17
    LAG = 18
    NOT_FINITE = 19
    NO_OPTION = 20
    NO_FINITE_ERROR = 21
    TOO_MANY_STEPS = 22
    CANCELLED = 23
    OUT_OF_MEMORY = 24
    THREADS = 25
    INTERNAL = 26


class AbiError(Exception):
    """A call that did not succeed. The message begins with the argument's name.

    Attributes
    ----------
    status : Status
        The kind of trouble.
    argument : str or None
        Name of the argument at fault.
    axis : int or None
        Its axis, where the trouble has one.
    expected, actual : int
        Numbers that belong to the status; the header says which (0: none).
    """

    status: Status
    argument: str | None
    axis: int | None
    expected: int
    actual: int

    # The defaults let an exception be pickled, as multiprocessing does: the attributes follow.
    def __init__(
        self,
        message: str = "",
        status: Status = Status.INTERNAL,
        argument: str | None = None,
        axis: int | None = None,
        expected: int = 0,
        actual: int = 0,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.argument = argument
        self.axis = axis
        self.expected = expected
        self.actual = actual


class AbiTypeError(AbiError, TypeError):
    """Wrong dtype, no write access, or no array at all."""


class AbiValueError(AbiError, ValueError):
    """Wrong shape, or values that the function cannot work with."""


class AbiMemoryError(AbiError, MemoryError):
    """Memory that could not be had."""


class AbiRuntimeError(AbiError, RuntimeError):
    """A thread that could not be started, or a defect of the library."""


class Cancelled(AbiError):
    """The progress callable asked to stop."""


_CLASSES: dict[Status, type[AbiError]] = {
    Status.NULL: AbiTypeError,
    Status.NOT_A_VIEW: AbiTypeError,
    Status.STRUCT_SIZE: AbiTypeError,
    Status.ABI_VERSION: AbiTypeError,
    Status.DTYPE: AbiTypeError,
    Status.FLAGS: AbiTypeError,
    Status.READONLY_OUTPUT: AbiTypeError,
    Status.CANCELLED: Cancelled,
    Status.OUT_OF_MEMORY: AbiMemoryError,
    Status.THREADS: AbiRuntimeError,
    Status.INTERNAL: AbiRuntimeError,
}


def exception(
    status: Status,
    message: str,
    argument: str | None = None,
    axis: int | None = None,
    expected: int = 0,
    actual: int = 0,
) -> AbiError:
    """The exception for a status."""
    return _CLASSES.get(status, AbiValueError)(message, status, argument, axis, expected, actual)


def refusal(status: Status, argument: str | None, sentence: str, expected: int = 0, actual: int = 0) -> AbiError:
    """The exception for an argument that does not get as far as the library. `sentence` follows its name."""
    message = sentence if argument is None else f"{argument}: {sentence}"
    return exception(status, message, argument, None, expected, actual)
