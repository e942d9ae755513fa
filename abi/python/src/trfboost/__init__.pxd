# cython: language_level=3
"""For Cython: the functions of the header, and views of typed memoryviews.

    import trfboost
    from libc.stdint cimport int32_t, int64_t
    from trfboost cimport (
        TRFB_L1, error_details, raise_failure, readonly_view_of, trfb_error, trfb_error_for_indexes, trfb_view,
    )

    def l1(const double[:] signal, const int64_t[:, :] segments):
        cdef trfb_view signal_view = readonly_view_of(signal), segments_view = readonly_view_of(segments)
        cdef trfb_error details = error_details()
        cdef double total
        cdef int32_t status
        with nogil:
            status = trfb_error_for_indexes(&signal_view, &segments_view, TRFB_L1, &total, &details)
        raise_failure(status, &details)
        return total

A view borrows: the memoryview has to live, and be assigned no other array, as long as the view is used.

The extension module is linked with the library of the package, by its path:

    folder = os.path.dirname(trfboost.library_path())
    Extension(
        "name", ["name.pyx"],
        include_dirs=[trfboost.get_include()],
        extra_objects=[trfboost.library_path()],
        runtime_library_dirs=[folder],
    )

The folder is right on the machine where it is built. For a wheel that goes elsewhere, `import trfboost` before
the extension module is what counts: it loads the library under the name that the extension asks for
(libtrfboost.so.1), and the folder may be left out.

SciPy's low-level callables have signatures of SciPy's, none of which is one of ours. So the way is a function of your
own that makes views of what SciPy passes, and calls the library; `cdef api` gives it to
`scipy.LowLevelCallable.from_cython`. It has no exceptions to raise: let it return what SciPy takes for failure.

    cdef api int error_of_window(double *values, intptr_t length, double *error, void *user_data) noexcept nogil:
        cdef trfb_view signal_view, rows_view
        cdef int64_t shape[2]
        cdef int64_t rows[2]
        shape[0], rows[0], rows[1] = length, 0, length
        trfb_view_contiguous(&signal_view, values, TRFB_FLOAT64, 1, shape, TRFB_READONLY)
        shape[0], shape[1] = 1, 2
        trfb_view_contiguous(&rows_view, rows, TRFB_INT64, 2, shape, TRFB_READONLY)
        return trfb_error_for_indexes(&signal_view, &rows_view, TRFB_L1, error, NULL) == TRFB_STATUS_OK

    scipy.ndimage.generic_filter(signal, scipy.LowLevelCallable.from_cython(module, "error_of_window"), size=9)

Those who want addresses instead of a linked library, such as users of `numba.extending.get_cython_function_address`,
find them in `trfboost.capi`.
"""

cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from trfboost.header cimport *

# What `cimport numpy` calls int64_t is `signed long long` to Cython, and libc.stdint's is `long`: two types
# for it, although of one size.
ctypedef signed long long numpy_int64_t

ctypedef fused item:
    double
    int64_t
    numpy_int64_t
    int8_t

# Cython looks for the very type, layout included, when it chooses among fused ones.
ctypedef fused array_of_one:
    double[:]
    double[::1]
    int64_t[:]
    int64_t[::1]
    numpy_int64_t[:]
    numpy_int64_t[::1]
    int8_t[:]
    int8_t[::1]

ctypedef fused array_of_two:
    double[:, :]
    double[:, ::1]
    double[::1, :]
    int64_t[:, :]
    int64_t[:, ::1]
    int64_t[::1, :]
    numpy_int64_t[:, :]
    numpy_int64_t[:, ::1]
    numpy_int64_t[::1, :]
    int8_t[:, :]
    int8_t[:, ::1]
    int8_t[::1, :]

ctypedef fused array_of_three:
    double[:, :, :]
    double[:, :, ::1]
    double[::1, :, :]
    int64_t[:, :, :]
    int64_t[:, :, ::1]
    int64_t[::1, :, :]
    numpy_int64_t[:, :, :]
    numpy_int64_t[:, :, ::1]
    numpy_int64_t[::1, :, :]
    int8_t[:, :, :]
    int8_t[:, :, ::1]
    int8_t[::1, :, :]

ctypedef fused array_of_four:
    double[:, :, :, :]
    double[:, :, :, ::1]
    double[::1, :, :, :]

ctypedef fused array:
    array_of_one
    array_of_two
    array_of_three
    array_of_four

# The same, const.
ctypedef fused const_array_of_one:
    const double[:]
    const double[::1]
    const int64_t[:]
    const int64_t[::1]
    const numpy_int64_t[:]
    const numpy_int64_t[::1]
    const int8_t[:]
    const int8_t[::1]

ctypedef fused const_array_of_two:
    const double[:, :]
    const double[:, ::1]
    const double[::1, :]
    const int64_t[:, :]
    const int64_t[:, ::1]
    const int64_t[::1, :]
    const numpy_int64_t[:, :]
    const numpy_int64_t[:, ::1]
    const numpy_int64_t[::1, :]
    const int8_t[:, :]
    const int8_t[:, ::1]
    const int8_t[::1, :]

ctypedef fused const_array_of_three:
    const double[:, :, :]
    const double[:, :, ::1]
    const double[::1, :, :]
    const int64_t[:, :, :]
    const int64_t[:, :, ::1]
    const int64_t[::1, :, :]
    const numpy_int64_t[:, :, :]
    const numpy_int64_t[:, :, ::1]
    const numpy_int64_t[::1, :, :]
    const int8_t[:, :, :]
    const int8_t[:, :, ::1]
    const int8_t[::1, :, :]

ctypedef fused const_array_of_four:
    const double[:, :, :, :]
    const double[:, :, :, ::1]
    const double[::1, :, :, :]

ctypedef fused const_array:
    const_array_of_one
    const_array_of_two
    const_array_of_three
    const_array_of_four


cdef inline trfb_view _described(
    const item *data, int32_t ndim, const Py_ssize_t *shape, const Py_ssize_t *strides, uint64_t flags
) noexcept nogil:
    cdef trfb_view view
    cdef int64_t view_shape[4]
    cdef int64_t view_strides[4]
    cdef int32_t dtype = TRFB_FLOAT64 if item is double else TRFB_INT8 if item is int8_t else TRFB_INT64
    # A memoryview that is None would pass for an empty array. Elements without an address are refused by name.
    cdef bint absent = data is NULL and strides[0] == 0
    cdef int32_t axis
    for axis in range(ndim):
        view_shape[axis] = 1 if absent else shape[axis]
        view_strides[axis] = strides[axis]
    trfb_view_strided(&view, data, dtype, ndim, view_shape, view_strides, flags)
    return view


cdef inline trfb_view view_of(array array) noexcept nogil:
    """The view of an array that may be written. A const memoryview is none: it does not compile."""
    with cython.boundscheck(False), cython.wraparound(False), cython.initializedcheck(False):
        if array in array_of_one:
            return _described(&array[0], 1, array.shape, array.strides, 0)
        elif array in array_of_two:
            return _described(&array[0, 0], 2, array.shape, array.strides, 0)
        elif array in array_of_three:
            return _described(&array[0, 0, 0], 3, array.shape, array.strides, 0)
        else:
            return _described(&array[0, 0, 0, 0], 4, array.shape, array.strides, 0)


cdef inline trfb_view readonly_view_of(const_array array) noexcept nogil:
    """The view of an array that is read, from a memoryview that is const or not."""
    with cython.boundscheck(False), cython.wraparound(False), cython.initializedcheck(False):
        if const_array in const_array_of_one:
            return _described(&array[0], 1, array.shape, array.strides, TRFB_READONLY)
        elif const_array in const_array_of_two:
            return _described(&array[0, 0], 2, array.shape, array.strides, TRFB_READONLY)
        elif const_array in const_array_of_three:
            return _described(&array[0, 0, 0], 3, array.shape, array.strides, TRFB_READONLY)
        else:
            return _described(&array[0, 0, 0, 0], 4, array.shape, array.strides, TRFB_READONLY)


cdef inline trfb_error error_details() noexcept nogil:
    """TRFB_ERROR_INIT: what to pass the address of as `details`."""
    cdef trfb_error details
    details.size = sizeof(trfb_error)
    details.status = 0
    details.argument = -1
    details.axis = -1
    details.expected = 0
    details.actual = 0
    details.message[0] = 0
    return details


cdef inline trfb_fit_result fit_result() noexcept nogil:
    """TRFB_FIT_RESULT_INIT: what to pass the address of as `result`."""
    cdef trfb_fit_result result
    result.size = sizeof(trfb_fit_result)
    result.stop = 0
    result.entries = 0
    result.best_step = -1
    result.progress = NULL
    result.user = NULL
    return result


cdef inline int raise_failure(int32_t status, const trfb_error *details) except -1 nogil:
    """Raises the exception of the package, with the argument's name, if status is not 0."""
    if status != TRFB_STATUS_OK:
        with gil:
            _raise(status, details)
    return 0


cdef inline int _raise(int32_t status, const trfb_error *details) except -1:
    from trfboost.errors import Status, exception

    message = (<bytes>details.message).decode("utf-8")
    argument = message.partition(":")[0] if details.argument >= 0 else None
    axis = details.axis if details.axis >= 0 else None
    raise exception(Status(status), message, argument, axis, details.expected, details.actual)
