"""The functions for `@njit` code, called with arrays.

    from numba import njit
    from trfboost.numba import error_for_indexes

    @njit(cache=True)
    def energy(signals, segments):
        total = 0.0
        for i in range(signals.shape[0]):
            total += error_for_indexes(signals[i, ::-1], segments, 2)
        return total

Arrays may have any layout; a read-only one is fine as an input. Descriptors are made on the stack, in
the same expression as the call, so that an array cannot be freed between the two, threads and
iterations of `prange` share nothing, and a call costs some nanoseconds more than one with bare
pointers. The library is linked by the names of its functions: code from Numba's cache finds them
wherever the library is, as long as this module is imported before.

What Numba's types show (dtype, number of dimensions, an output that is read-only) is an error when
the caller is compiled, which names the argument. What only a call shows is a
`ValueError(sentence, argument, status, axis)` in the caller; of each function there is also one with
`_status` at its end of the name, for hot loops, which returns the status (`trfboost.Status`) first and
raises nothing.

Parameters are those of the package's functions, and outputs are parameters too: `boosting_fit` takes
`h` and, if wanted, `history`, and returns why it stopped, the number of entries, and the best step;
`boosting_runs` takes `hs` and `failed` and, if wanted, `steps` and `stop`. There is no progress: a
callback would have to be Python. The GIL is held by callers that are not `nogil=True`.

For a library of your own that takes descriptors, `call(function, (array, 3.0, ...))` passes them in place
of arrays, in the same way. `view` and `write_view` make one as a record (`trfboost.VIEW_DTYPE`) that
can be kept; it keeps no array alive, which is then up to you. (Import `view` by its name: Numba takes
`module.view(...)` for the method of arrays.)
"""

try:
    import numba as _numba  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("trfboost.numba needs Numba 0.60 or later: pip install 'numba>=0.60'") from error

from ._functions import (
    boosting_fit,
    boosting_fit_status,
    boosting_runs,
    boosting_runs_status,
    convolve,
    convolve_status,
    error_for_indexes,
    error_for_indexes_status,
    generate_options,
    generate_options_status,
    update_error,
    update_error_status,
)
from ._views import call, view, write_view

__all__ = [
    "boosting_fit",
    "boosting_fit_status",
    "boosting_runs",
    "boosting_runs_status",
    "call",
    "convolve",
    "convolve_status",
    "error_for_indexes",
    "error_for_indexes_status",
    "generate_options",
    "generate_options_status",
    "update_error",
    "update_error_status",
    "view",
    "write_view",
]
