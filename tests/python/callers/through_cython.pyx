# cython: language_level=3
"""The functions on typed memoryviews, without the GIL. test_cython.py builds and calls this."""
import trfboost
cimport numpy
from libc.stdint cimport int8_t, int32_t, int64_t, intptr_t
from trfboost cimport (
    TRFB_FLOAT64, TRFB_INT64, TRFB_L1, TRFB_READONLY, TRFB_STATUS_OK, error_details, fit_result, raise_failure,
    readonly_view_of, trfb_boosting_fit, trfb_boosting_runs, trfb_convolve, trfb_error, trfb_error_for_indexes,
    trfb_fit_result, trfb_generate_options, trfb_update_error, trfb_view, trfb_view_contiguous, view_of,
)


def error_for_indexes(const double[:] x, const int64_t[:, :] indexes, int32_t error):
    cdef trfb_view x_view = readonly_view_of(x), indexes_view = readonly_view_of(indexes)
    cdef trfb_error details = error_details()
    cdef double total
    cdef int32_t status
    with nogil:
        status = trfb_error_for_indexes(&x_view, &indexes_view, error, &total, &details)
    raise_failure(status, &details)
    return total


def update_error(double[:] y_error, const double[:] x, double x_pad, const int64_t[:, :] indexes, double delta,
                 int64_t shift):
    cdef trfb_view y_view = view_of(y_error), x_view = readonly_view_of(x), rows = readonly_view_of(indexes)
    cdef trfb_error details = error_details()
    cdef int32_t status
    with nogil:
        status = trfb_update_error(&y_view, &x_view, x_pad, &rows, delta, shift, &details)
    raise_failure(status, &details)


def generate_options(const double[:] y_error, const double[:, :] x, const double[:] x_pads, const int8_t[:] active,
                     const int64_t[:, :] indexes, int64_t i_start, const int64_t[:] start, const int64_t[:] stop,
                     int32_t error, double delta, double[:, :] new_error, int8_t[:, :] new_sign):
    cdef trfb_view[9] views
    views[0] = readonly_view_of(y_error)
    views[1] = readonly_view_of(x)
    views[2] = readonly_view_of(x_pads)
    views[3] = readonly_view_of(active)
    views[4] = readonly_view_of(indexes)
    views[5] = readonly_view_of(start)
    views[6] = readonly_view_of(stop)
    views[7] = view_of(new_error)
    views[8] = view_of(new_sign)
    cdef trfb_error details = error_details()
    cdef int32_t status
    with nogil:
        status = trfb_generate_options(&views[0], &views[1], &views[2], &views[3], &views[4], i_start, &views[5],
                                       &views[6], error, delta, &views[7], &views[8], &details)
    raise_failure(status, &details)


def convolve(const double[:, :] h, const double[:, :] x, const double[:] x_pads, int64_t i_start,
             const int64_t[:, :] segments, double[:] out):
    cdef trfb_view h_view = readonly_view_of(h), x_view = readonly_view_of(x), pads = readonly_view_of(x_pads)
    cdef trfb_view rows = readonly_view_of(segments), out_view = view_of(out)
    cdef trfb_error details = error_details()
    cdef int32_t status
    with nogil:
        status = trfb_convolve(&h_view, &x_view, &pads, i_start, &rows, &out_view, &details)
    raise_failure(status, &details)


def boosting_fit(const double[:] y, const double[:, :] x, const double[:] x_pads, const int64_t[:, :] train,
                 const int64_t[:, :] validate, const int64_t[:, :] both, const int64_t[:] start,
                 const int64_t[:] stop, double delta, double mindelta, int32_t error, int32_t selective_stopping,
                 double[:, :] h):
    cdef trfb_view[9] views
    views[0] = readonly_view_of(y)
    views[1] = readonly_view_of(x)
    views[2] = readonly_view_of(x_pads)
    views[3] = readonly_view_of(train)
    views[4] = readonly_view_of(validate)
    views[5] = readonly_view_of(both)
    views[6] = readonly_view_of(start)
    views[7] = readonly_view_of(stop)
    views[8] = view_of(h)
    cdef trfb_error details = error_details()
    cdef trfb_fit_result result = fit_result()
    cdef int32_t status
    with nogil:
        status = trfb_boosting_fit(&views[0], &views[1], &views[2], &views[3], &views[4], &views[5], &views[6],
                                   &views[7], delta, mindelta, error, selective_stopping, &views[8], NULL, &result,
                                   &details)
    raise_failure(status, &details)
    return result.stop, result.entries, result.best_step


def boosting_runs(const double[:, :] y, const double[:, :] x, const double[:] x_pads, const int64_t[:, :, :] train,
                  const int64_t[:, :, :] validate, const int64_t[:, :, :] both, const int64_t[:] start,
                  const int64_t[:] stop, double delta, double mindelta, int32_t error, int32_t selective_stopping,
                  int32_t num_threads, double[:, :, :, :] hs, int8_t[:, :] failed):
    cdef trfb_view[10] views
    views[0] = readonly_view_of(y)
    views[1] = readonly_view_of(x)
    views[2] = readonly_view_of(x_pads)
    views[3] = readonly_view_of(train)
    views[4] = readonly_view_of(validate)
    views[5] = readonly_view_of(both)
    views[6] = readonly_view_of(start)
    views[7] = readonly_view_of(stop)
    views[8] = view_of(hs)
    views[9] = view_of(failed)
    cdef trfb_error details = error_details()
    cdef int32_t status
    with nogil:
        status = trfb_boosting_runs(&views[0], &views[1], &views[2], &views[3], &views[4], &views[5], &views[6],
                                    &views[7], delta, mindelta, error, selective_stopping, num_threads, &views[8],
                                    &views[9], NULL, NULL, NULL, NULL, &details)
    raise_failure(status, &details)


def of_a_bare_pointer(double[::1] x, const int64_t[:, :] indexes):
    cdef trfb_view rows = readonly_view_of(indexes)
    cdef trfb_error details = error_details()
    cdef double total
    raise_failure(trfb_error_for_indexes(<trfb_view *>&x[0], &rows, 1, &total, &details), &details)


def written_although_readonly(const double[:] y_error, const double[:] x, const int64_t[:, :] indexes):
    cdef trfb_view y_view = readonly_view_of(y_error), x_view = readonly_view_of(x), rows = readonly_view_of(indexes)
    cdef trfb_error details = error_details()
    raise_failure(trfb_update_error(&y_view, &x_view, 0, &rows, 1, 0, &details), &details)


cdef description(trfb_view view):
    axes = range(view.ndim)
    shape, strides = tuple(view.shape[axis] for axis in axes), tuple(view.strides[axis] for axis in axes)
    return view.dtype, <size_t>view.data, shape, strides, view.flags


def descriptions(double[::1] a, double[:, ::1] b, double[::1, :] c, numpy.int64_t[:] d, const numpy.int64_t[:, ::1] e,
                 int8_t[:, :, :] f, const double[:, :, :, ::1] g):
    """What views say of memoryviews: type, address, shape, strides, flags."""
    return [
        description(view_of(a)), description(view_of(b)), description(view_of(c)), description(view_of(d)),
        description(readonly_view_of(e)), description(view_of(f)), description(readonly_view_of(g)),
    ]


cdef api int error_of_window(double *values, intptr_t length, double *error, void *user_data) noexcept nogil:
    """For scipy.ndimage.generic_filter."""
    cdef trfb_view signal_view, rows_view
    cdef int64_t shape[2]
    cdef int64_t rows[2]
    shape[0], rows[0], rows[1] = length, 0, length
    trfb_view_contiguous(&signal_view, values, TRFB_FLOAT64, 1, shape, TRFB_READONLY)
    shape[0], shape[1] = 1, 2
    trfb_view_contiguous(&rows_view, rows, TRFB_INT64, 2, shape, TRFB_READONLY)
    return trfb_error_for_indexes(&signal_view, &rows_view, TRFB_L1, error, NULL) == TRFB_STATUS_OK
