"""The functions: typed when the caller is compiled, checked by the library when they are called."""

from __future__ import annotations

import inspect
from typing import Any

from numba import types
from numba.extending import overload

from ._code import caller
from ._parameters import PARAMETERS, Array, Out, Scalar, with_parameters

_RETURNED = {"error_for_indexes": "outcome[3]", "boosting_fit": "(outcome[3], outcome[4], outcome[5])"}
"""What functions return beside what they write."""

# Numba wants an implementation with the very parameters of the function. These are its text.
_RAISES = """\
def implementation({parameters}):
    outcome = call({names})
    if outcome[0] != 0:
        raise ValueError({sentence!r}, names[outcome[1]], outcome[0], outcome[2])
    return {returned}
"""
_RETURNS_STATUS = """\
def implementation({parameters}):
    outcome = call({names})
    return {returned}
"""


def _define(name: str, text: str, suffix: str, returned: str) -> Any:
    """A function for `@njit` code, called `name` and `suffix`."""
    full_name = name + suffix
    given = [parameter for parameter in PARAMETERS[name] if isinstance(parameter, (Array, Scalar))]
    names = [parameter.name for parameter in given]
    defaults = [f"{p.name}=None" if isinstance(p, Array) and p.optional else p.name for p in given]

    def stub(*arguments: Any, **keywords: Any) -> Any:
        raise TypeError(f"trfboost.numba.{full_name} is for @njit code; in Python call trfboost.{name}")

    stub.__name__ = stub.__qualname__ = full_name
    stub.__doc__ = f"`trfboost.{name}` for `@njit` code; see the module's description."
    # `names[-1]` is what a failure without an argument at fault finds.
    fault_names = (*(parameter.name for parameter in PARAMETERS[name]), "no argument")
    namespace: dict[str, Any] = {"call": caller(name), "names": fault_names}
    sentence = f"{name}: the call was refused; the argument, trfboost.Status and axis follow"
    code = text.format(parameters=", ".join(defaults), names=", ".join(names), returned=returned, sentence=sentence)
    exec(compile(code, f"<trfboost.numba.{full_name}>", "exec"), namespace)
    implementation = namespace["implementation"]
    signature = inspect.signature(implementation)
    stub.__signature__ = signature  # type: ignore[attr-defined]

    def typed(*arguments: types.Type) -> Any:
        for parameter, argument in zip(given, arguments):
            parameter.check(full_name, types.none if _is_left_out(argument) else argument)
        return implementation

    overload(stub, strict=False)(with_parameters(typed, names, defaults))
    return stub


def _is_left_out(argument: Any) -> bool:
    return argument is None or isinstance(argument, (types.NoneType, types.Omitted))


def _raising(name: str) -> Any:
    return _define(name, _RAISES, "", _RETURNED.get(name, "None"))


def _returning_status(name: str) -> Any:
    values = [value for out in PARAMETERS[name] if isinstance(out, Out) for value in out.words]
    filled = ", ".join(f"outcome[{3 + index}]" for index in range(len(values)))
    return _define(name, _RETURNS_STATUS, "_status", f"(outcome[0], {filled})" if values else "outcome[0]")


generate_options = _raising("generate_options")
update_error = _raising("update_error")
error_for_indexes = _raising("error_for_indexes")
boosting_fit = _raising("boosting_fit")
boosting_runs = _raising("boosting_runs")
convolve = _raising("convolve")

generate_options_status = _returning_status("generate_options")
update_error_status = _returning_status("update_error")
error_for_indexes_status = _returning_status("error_for_indexes")
boosting_fit_status = _returning_status("boosting_fit")
boosting_runs_status = _returning_status("boosting_runs")
convolve_status = _returning_status("convolve")
