# cython: language_level=3
"""The header trfboost.h, for Cython. A test holds it against the header: names, types, order.

Values and layouts are the header's own, since the C compiler sees it. What each function does and when
it fails is said there.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef extern from "trfboost.h":
    enum:
        TRFB_ABI_VERSION
        TRFB_VIEW_MAGIC
        TRFB_MAX_NDIM
        TRFB_READONLY
        TRFB_MESSAGE_SIZE

    enum trfb_dtype:
        TRFB_BOOL
        TRFB_INT8
        TRFB_INT64
        TRFB_FLOAT64

    ctypedef struct trfb_view:
        uint32_t magic
        uint16_t size
        uint16_t version
        int32_t dtype
        int32_t ndim
        uint64_t flags
        void *data
        const void *base
        uint64_t extent
        int64_t shape[TRFB_MAX_NDIM]
        int64_t strides[TRFB_MAX_NDIM]

    enum trfb_status:
        TRFB_STATUS_OK
        TRFB_STATUS_NULL
        TRFB_STATUS_NOT_A_VIEW
        TRFB_STATUS_STRUCT_SIZE
        TRFB_STATUS_ABI_VERSION
        TRFB_STATUS_NDIM
        TRFB_STATUS_DTYPE
        TRFB_STATUS_FLAGS
        TRFB_STATUS_NEGATIVE_LENGTH
        TRFB_STATUS_NULL_DATA
        TRFB_STATUS_MISALIGNED
        TRFB_STATUS_ADDRESS_SPACE
        TRFB_STATUS_BOUNDS
        TRFB_STATUS_LENGTH
        TRFB_STATUS_READONLY_OUTPUT
        TRFB_STATUS_OVERLAP
        TRFB_STATUS_VALUE
        TRFB_STATUS_SEGMENT
        TRFB_STATUS_LAG
        TRFB_STATUS_NOT_FINITE
        TRFB_STATUS_NO_OPTION
        TRFB_STATUS_NO_FINITE_ERROR
        TRFB_STATUS_TOO_MANY_STEPS
        TRFB_STATUS_CANCELLED
        TRFB_STATUS_OUT_OF_MEMORY
        TRFB_STATUS_THREADS
        TRFB_STATUS_INTERNAL

    ctypedef struct trfb_error:
        uint32_t size
        int32_t status
        int32_t argument
        int32_t axis
        int64_t expected
        int64_t actual
        char message[TRFB_MESSAGE_SIZE]

    enum trfb_measure:
        TRFB_L1
        TRFB_L2

    enum trfb_stop:
        TRFB_STOP_NO_PREDICTOR_LEFT
        TRFB_STOP_TEST_ERROR_RISES
        TRFB_STOP_NO_IMPROVEMENT
        TRFB_STOP_CIRCLES

    enum trfb_access:
        TRFB_ACCESS_READ
        TRFB_ACCESS_WRITE

    ctypedef int32_t (*trfb_progress)(void *user, int64_t done, int64_t total) noexcept nogil

    ctypedef struct trfb_fit_result:
        uint32_t size
        int32_t stop
        int64_t entries
        int64_t best_step
        trfb_progress progress
        void *user

    int32_t trfb_generate_options(
        const trfb_view *y_error,
        const trfb_view *x,
        const trfb_view *x_pads,
        const trfb_view *x_active,
        const trfb_view *indexes,
        int64_t i_start,
        const trfb_view *i_start_by_x,
        const trfb_view *i_stop_by_x,
        int32_t error,
        double delta,
        const trfb_view *new_error,
        const trfb_view *new_sign,
        trfb_error *details) noexcept nogil

    int32_t trfb_update_error(
        const trfb_view *y_error,
        const trfb_view *x,
        double x_pad,
        const trfb_view *indexes,
        double delta,
        int64_t shift,
        trfb_error *details) noexcept nogil

    int32_t trfb_error_for_indexes(
        const trfb_view *x,
        const trfb_view *indexes,
        int32_t error,
        double *out,
        trfb_error *details) noexcept nogil

    int32_t trfb_boosting_fit(
        const trfb_view *y,
        const trfb_view *x,
        const trfb_view *x_pads,
        const trfb_view *split_train,
        const trfb_view *split_validate,
        const trfb_view *split_train_and_validate,
        const trfb_view *i_start_by_x,
        const trfb_view *i_stop_by_x,
        double delta,
        double mindelta,
        int32_t error,
        int32_t selective_stopping,
        const trfb_view *h,
        const trfb_view *history,
        trfb_fit_result *result,
        trfb_error *details) noexcept nogil

    int32_t trfb_boosting_runs(
        const trfb_view *y,
        const trfb_view *x,
        const trfb_view *x_pads,
        const trfb_view *split_train,
        const trfb_view *split_validate,
        const trfb_view *split_train_and_validate,
        const trfb_view *i_start_by_x,
        const trfb_view *i_stop_by_x,
        double delta,
        double mindelta,
        int32_t error,
        int32_t selective_stopping,
        int32_t num_threads,
        const trfb_view *hs,
        const trfb_view *failed,
        const trfb_view *steps,
        const trfb_view *stop,
        trfb_progress progress,
        void *user,
        trfb_error *details) noexcept nogil

    int32_t trfb_convolve(
        const trfb_view *h,
        const trfb_view *x,
        const trfb_view *x_pads,
        int64_t i_start,
        const trfb_view *segments,
        const trfb_view *out,
        trfb_error *details) noexcept nogil

    int32_t trfb_view_check(
        const trfb_view *view,
        int32_t dtype,
        int32_t ndim,
        int32_t access,
        trfb_error *details) noexcept nogil

    enum trfb_layout_kind:
        TRFB_LAYOUT_END
        TRFB_LAYOUT_STRUCT
        TRFB_LAYOUT_FIELD
        TRFB_LAYOUT_CONSTANT

    ctypedef struct trfb_layout_row:
        const char *owner
        const char *name
        const char *type
        int64_t kind
        int64_t offset
        int64_t size

    uint32_t trfb_abi_version() noexcept nogil

    const trfb_layout_row *trfb_abi_layout() noexcept nogil

    const char *trfb_build_info() noexcept nogil

    void trfb_view_strided(
        trfb_view *view,
        const void *data,
        int32_t dtype,
        int32_t ndim,
        const int64_t *shape,
        const int64_t *strides,
        uint64_t flags) noexcept nogil

    void trfb_view_contiguous(
        trfb_view *view,
        const void *data,
        int32_t dtype,
        int32_t ndim,
        const int64_t *shape,
        uint64_t flags) noexcept nogil
