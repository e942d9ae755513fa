/* trfboost.h: the contract between languages.
 *
 * trfboost estimates temporal response functions (TRFs) by boosting. Its
 * functions take arrays. Across a language boundary an array is more than an
 * address: whoever passes a bare pointer loses shape and strides, and gets a
 * segmentation fault at the first slice or, worse, a wrong number. So every
 * array crosses this boundary as a descriptor, `trfb_view`. The library checks
 * it against what the function takes before it touches one element, and a call
 * that does not fit comes back as a status with a sentence that says why.
 *
 * This header is written by hand and is the only statement of the layout.
 * The Rust, ctypes, NumPy and Cython versions are mirrors that tests hold
 * against it. It is C99 and C++, and needs nothing but the two headers below.
 *
 * In short:
 *
 *     double  residual[500], x[2][500];                  // fill them
 *     int64_t training[1][2] = {{0, 500}};
 *     double  sum;
 *     trfb_error details = TRFB_ERROR_INIT;
 *     trfb_view residual_view, training_view;
 *     int64_t length[] = {500}, rows[] = {1, 2};
 *     trfb_view_contiguous(&residual_view, residual, TRFB_FLOAT64, 1, length, TRFB_READONLY);
 *     trfb_view_contiguous(&training_view, training, TRFB_INT64, 2, rows, TRFB_READONLY);
 *     if (trfb_error_for_indexes(&residual_view, &training_view, TRFB_L1, &sum, &details))
 *         fprintf(stderr, "%s\n", details.message);
 *
 * Rules that hold for every function:
 *   - Safe to call from several threads at once, on different outputs, and in a
 *     process that was forked after earlier calls.
 *   - On a status other than 0 no output array was written, and nothing that
 *     the caller passed was changed but `*details`.
 *   - Nothing unwinds out of a call, nothing aborts, no memory is kept.
 *   - Floating point: the default mode of the machine is assumed and left
 *     alone. Subnormal numbers count.
 */
#ifndef TRFBOOST_H
#define TRFBOOST_H

#include <stddef.h>
#include <stdint.h>

/* Descriptors hold addresses and lengths side by side in 8 bytes each. */
#if UINTPTR_MAX != 0xffffffffffffffff
#error "trfboost needs a target with 64-bit addresses"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- versions */

/* Raised when a struct, a constant or a signature changes its meaning, and
 * when one is added: a program that needs it has to find out that this library
 * is older. The shared library's soname ends in the same number. */
#define TRFB_ABI_VERSION 1

/* ------------------------------------------------------------- descriptors */

/* First word of a descriptor: a data pointer passed by mistake is told apart
 * from a descriptor by it. The bytes are "TRFV" on a little-endian machine. */
#define TRFB_VIEW_MAGIC 0x56465254u

/* Most dimensions that a view can have. Cython's memoryviews have as many. */
#define TRFB_MAX_NDIM 8

/* Element types: (kind << 8) | size in bytes, the kind being NumPy's letter
 * ('b' bool, 'i' signed, 'u' unsigned, 'f' float, 'c' complex), so that a
 * mirror needs no table. Byte order is the machine's. These are the types that
 * functions take; any other pair of kind and size can be named and is refused
 * with both types in the message. */
enum trfb_dtype {
    TRFB_BOOL    = 0x6201,
    TRFB_INT8    = 0x6901,
    TRFB_INT64   = 0x6908,
    TRFB_FLOAT64 = 0x6608
};

/* Bits of `flags`. Others have to be 0. */
#define TRFB_READONLY 1u /* the elements may not be written through this view */

/* An array, described. 176 bytes, alignment 8, no padding, on every 64-bit
 * target. Shape and strides lie inside, so that a descriptor can be copied,
 * kept on a stack or in an array of records, and only the data can dangle. */
typedef struct trfb_view {
    uint32_t    magic;   /* TRFB_VIEW_MAGIC */
    uint16_t    size;    /* sizeof(trfb_view): a mirror of another layout is refused */
    uint16_t    version; /* TRFB_ABI_VERSION, likewise */
    int32_t     dtype;   /* enum trfb_dtype */
    int32_t     ndim;    /* 0 .. TRFB_MAX_NDIM */
    uint64_t    flags;   /* TRFB_READONLY or 0 */
    void       *data;    /* address of element [0, ..., 0]; may be NULL if there is no element */
    const void *base;    /* the memory that the view may touch: [base, base + extent). */
    uint64_t    extent;  /* in bytes. Both 0: not known. One of them 0, or a sum that wraps: refused */
    int64_t     shape[TRFB_MAX_NDIM];   /* >= 0; entries from ndim on are ignored */
    int64_t     strides[TRFB_MAX_NDIM]; /* in bytes, a multiple of the element's size, any sign;
                                           0 repeats an element and is for inputs only */
} trfb_view;

/* --------------------------------------------------------------- statuses */

/* What a function returns. In the comments: what `axis`, `expected` and
 * `actual` of a trfb_error hold; where nothing is said, -1, 0 and 0. */
enum trfb_status {
    TRFB_STATUS_OK = 0,

    /* Found in the descriptors, in this order. */
    TRFB_STATUS_NULL              = 1,  /* a pointer that has to be given is NULL */
    TRFB_STATUS_NOT_A_VIEW        = 2,  /* misaligned (0, 0), or without the magic number (expected, actual: magic) */
    TRFB_STATUS_STRUCT_SIZE       = 3,  /* `size` of a struct is another than this library's (expected, actual) */
    TRFB_STATUS_ABI_VERSION       = 4,  /* built against another version of this header (expected, actual) */
    TRFB_STATUS_NDIM              = 5,  /* number of dimensions (expected, actual) */
    TRFB_STATUS_DTYPE             = 6,  /* element type (expected, actual: enum trfb_dtype) */
    TRFB_STATUS_FLAGS             = 7,  /* a flag that this library does not know (actual: the flags) */
    TRFB_STATUS_NEGATIVE_LENGTH   = 8,  /* axis; actual: the length */
    TRFB_STATUS_NULL_DATA         = 9,  /* a view with elements has data NULL */
    TRFB_STATUS_MISALIGNED        = 10, /* axis: of the stride, -1: the data; expected: alignment; actual: stride or address */
    TRFB_STATUS_ADDRESS_SPACE     = 11, /* the elements do not fit the address space (axis, where one alone does not) */
    TRFB_STATUS_BOUNDS            = 12, /* elements outside [base, base + extent), or half a bound (expected: extent) */
    TRFB_STATUS_LENGTH            = 13, /* length of axis (expected, actual) */
    TRFB_STATUS_READONLY_OUTPUT   = 14, /* an output was given as a read-only view */
    TRFB_STATUS_OVERLAP           = 15, /* an output has two elements at one place (actual: its own index) or
                                           shares memory with an array (actual: index of that) */

    /* Found in the values, before anything is written. */
    TRFB_STATUS_VALUE             = 16, /* a scalar outside of its range */
    TRFB_STATUS_SEGMENT           = 17, /* a row that is not 0 <= start <= stop <= T (axis: of the rows; expected: T; actual: row) */
    TRFB_STATUS_LAG               = 18, /* start above stop, a lag without a column in the output (axis 0; actual: predictor) */
    TRFB_STATUS_NOT_FINITE        = 19, /* NaN or infinity (axis: the last; actual: index along it) */
    TRFB_STATUS_NO_OPTION         = 20, /* no predictor with a lag: there is nothing to choose from */

    /* Found on the way. */
    TRFB_STATUS_NO_FINITE_ERROR   = 21, /* all options overflow: scale the data */
    TRFB_STATUS_TOO_MANY_STEPS    = 22, /* a fit takes 999 999 steps and more: delta is too small for the data,
                                           or steps change nothing, which is seen early (no sample in a
                                           segment, a predictor that is all 0) */
    TRFB_STATUS_CANCELLED         = 23, /* the progress callback asked for it */
    TRFB_STATUS_OUT_OF_MEMORY     = 24, /* memory that was needed could not be had (expected: bytes) */
    TRFB_STATUS_THREADS           = 25, /* a thread could not be started (not returned by this
                                           version, which makes do with fewer) */
    TRFB_STATUS_INTERNAL          = 26  /* a defect of this library, contained; please report it */
};

#define TRFB_MESSAGE_SIZE 256

/* What went wrong. Set up with TRFB_ERROR_INIT; 288 bytes. A pointer to one is
 * the last parameter of each function that can fail, and may be NULL. It is
 * written on failure only. */
typedef struct trfb_error {
    uint32_t size;     /* sizeof(trfb_error), set by the caller; if it is another, nothing is written here */
    int32_t  status;   /* enum trfb_status */
    int32_t  argument; /* position in the parameter list, from 0; -1: none */
    int32_t  axis;     /* -1: none */
    int64_t  expected; /* see enum trfb_status */
    int64_t  actual;
    char     message[TRFB_MESSAGE_SIZE]; /* a sentence in UTF-8, NUL-terminated; begins with the argument's name, if there is one */
} trfb_error;

#define TRFB_ERROR_INIT { (uint32_t)sizeof(trfb_error), 0, -1, -1, 0, 0, { 0 } }

/* ------------------------------------------------------------ vocabulary */

/* What is minimised. */
enum trfb_measure {
    TRFB_L1 = 1, /* sum of absolute values */
    TRFB_L2 = 2  /* sum of squares */
};

/* Why a fit stopped. */
enum trfb_stop {
    TRFB_STOP_NO_PREDICTOR_LEFT = 1, /* selective stopping switched the last one off */
    TRFB_STOP_TEST_ERROR_RISES  = 2, /* validation error rose twice, after step 10 */
    TRFB_STOP_NO_IMPROVEMENT    = 3, /* no option lowers the training error, and delta is at mindelta */
    TRFB_STOP_CIRCLES           = 4  /* the best step is the opposite of the last */
};

/* For trfb_view_check. */
enum trfb_access {
    TRFB_ACCESS_READ  = 0,
    TRFB_ACCESS_WRITE = 1
};

/* Called while long work goes on, on the thread that made the call and on no
 * other. `user` is what the caller gave. A non-zero answer cancels: the call
 * comes back soon, with TRFB_STATUS_CANCELLED and no output written. The
 * callback may call this library. It must not unwind or longjmp, nor return in
 * a child that it forked, where the threads that do the work are missing. */
typedef int32_t (*trfb_progress)(void *user, int64_t done, int64_t total);

/* What trfb_boosting_fit says of the fit. Set up with TRFB_FIT_RESULT_INIT.
 * `progress` and `user` are read; the rest is written on success. */
typedef struct trfb_fit_result {
    uint32_t      size;      /* sizeof(trfb_fit_result), set by the caller */
    int32_t       stop;      /* enum trfb_stop */
    int64_t       entries;   /* number of entries of the history, also if the view given was shorter */
    int64_t       best_step; /* i_step of the entry with the smallest validation error; -1: the fit failed, h is 0 */
    trfb_progress progress;  /* NULL, or called several times a second with done = steps so far, total = 0 */
    void         *user;
} trfb_fit_result;

#define TRFB_FIT_RESULT_INIT { (uint32_t)sizeof(trfb_fit_result), 0, 0, -1, NULL, NULL }

/* ------------------------------------------------------------- functions
 *
 * Names of lengths: T samples, n predictors, L columns of a filter (one per
 * lag), k rows of a segment list. All arrays may have any strides. f64, i64
 * and i8 stand for TRFB_FLOAT64, TRFB_INT64 and TRFB_INT8.
 *
 * Segment lists (i64 [k, 2]): rows of start and stop, 0 <= start <= stop <= T.
 * A row whose start is -1 ends the list; what follows is not looked at.
 * Segments may touch, overlap or be empty.
 *
 * The shifted predictor: within a segment [a, b) and for lag s, sample t sees
 * x[t - s] if a <= t - s < b, else x_pad. A lag longer than the segment sees
 * the pad only.
 *
 * Outputs (marked out, or in/out) must not be read-only, must not overlap
 * themselves (stride 0), and must share no element with another argument.
 * Inputs may share memory as they like. A number or struct that is written
 * through a pointer of its own (`out`, `result`) must lie in no array's element
 * either. `details` is not compared with anything: keep it apart.
 */

/* The error of adding or subtracting delta at each lag of each predictor.
 *
 * For each predictor i with x_active[i] != 0 and each lag s with
 * i_start_by_x[i] <= s < i_stop_by_x[i], column s - i_start of row i gets
 *   new_error: the smaller of the errors of  y_error - delta x  and
 *              y_error + delta x  over the segments, x being shifted by s;
 *   new_sign:  -1 if only the second is smaller, else 1 (also on a tie).
 * Other cells are not touched.
 *
 *   y_error      f64 [T]      residual
 *   x            f64 [n, T]   predictors
 *   x_pads       f64 [n]      value of each predictor outside of a segment
 *   x_active     i8  [n]      0: predictor is not used
 *   indexes      i64 [k, 2]   segments over which errors are summed
 *   i_start                   lag of column 0
 *   i_start_by_x i64 [n]      first lag of each predictor, in samples
 *   i_stop_by_x  i64 [n]      one past the last lag
 *   error                     enum trfb_measure
 *   delta                     > 0 and finite, in the unit of y_error per unit of x
 *   new_error    f64 [n, L]   out
 *   new_sign     i8  [n, L]   out
 *
 * Fails on what descriptors show, and with VALUE (error, delta), SEGMENT,
 * LAG (i_start_by_x, i_stop_by_x), OUT_OF_MEMORY. */
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
    trfb_error *details);

/* Takes delta times the shifted predictor off the residual.
 *
 *   y_error  f64 [T]     in/out: residual; samples in no segment stay
 *   x        f64 [T]     one predictor
 *   x_pad                its value outside of a segment
 *   indexes  i64 [k, 2]  segments; a sample in two of them is updated twice
 *   delta                finite, any sign
 *   shift                lag in samples
 *
 * Fails on what descriptors show, and with VALUE (delta), SEGMENT. */
int32_t trfb_update_error(
    const trfb_view *y_error,
    const trfb_view *x,
    double x_pad,
    const trfb_view *indexes,
    double delta,
    int64_t shift,
    trfb_error *details);

/* The error of a signal over segments: one running sum in order of the list.
 *
 *   x        f64 [T]     usually the residual
 *   indexes  i64 [k, 2]  segments
 *   error                enum trfb_measure
 *   out                  the sum; 0 if there is no sample
 *
 * Fails on what descriptors show, and with NULL (out), VALUE (error), SEGMENT. */
int32_t trfb_error_for_indexes(
    const trfb_view *x,
    const trfb_view *indexes,
    int32_t error,
    double *out,
    trfb_error *details);

/* One filter by coordinate descent with early stopping.
 *
 * L = max(i_stop_by_x) - min(i_start_by_x), and column 0 of h is the lag
 * min(i_start_by_x).
 *
 *   y                        f64 [T]      signal to predict
 *   x                        f64 [n, T]   predictors
 *   x_pads                   f64 [n]      value of each outside of a segment
 *   split_train              i64 [k, 2]   segments on which steps are chosen
 *   split_validate           i64 [m, 2]   segments that say when to stop
 *   split_train_and_validate i64 [j, 2]   segments in which the residual is kept up to date
 *   i_start_by_x             i64 [n]      first lag of each predictor, in samples
 *   i_stop_by_x              i64 [n]      one past the last lag
 *   delta                    > 0: size of a step
 *   mindelta                 > 0: delta is halved down to this before the fit gives up
 *   error                    enum trfb_measure
 *   selective_stopping       0: stop when the validation error rises; m > 0: switch a
 *                            predictor off when it made it rise m times
 *   h                        f64 [n, L]   out: the filter, all 0 if the fit failed
 *   history                  f64 [r, 6]   out, or NULL: per entry i_step, i_stim, i_time, delta,
 *                                         e_test, e_train; rows beyond the entries are not
 *                                         written, entries beyond r are left out
 *   result                                out, or NULL
 *
 * Fails on what descriptors show, and with VALUE, SEGMENT, LAG, LENGTH (h),
 * NOT_FINITE (x_pads; y and x inside segments), NO_OPTION, NO_FINITE_ERROR,
 * TOO_MANY_STEPS, CANCELLED, OUT_OF_MEMORY. */
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
    trfb_error *details);

/* Many filters: one fit for each split and each row of y, on several threads.
 * The result does not depend on the number of threads in a single bit.
 *
 * As trfb_boosting_fit, but for
 *   y                        f64 [n_y, T]
 *   split_train              i64 [n_splits, k, 2]  short lists end with a row of -1
 *   split_validate           i64 [n_splits, m, 2]
 *   split_train_and_validate i64 [n_splits, j, 2]
 *   num_threads              0: one per processor; more than 8 per processor are not started,
 *                                                       and where none can be, the calling thread works
 *   hs                       f64 [n_splits, n_y, n, L]  out
 *   failed                   i8  [n_splits, n_y]        out: 1 if no step made the validation
 *                                                       error smaller; that filter is 0
 *   steps                    i64 [n_splits, n_y]        out, or NULL: entries of the history
 *                                                       after the first
 *   stop                     i8  [n_splits, n_y]        out, or NULL: enum trfb_stop
 *   progress                                            NULL, or called with done = fits done of
 *                                                       total before the first, after each, and
 *                                                       several times a second in between
 *   user                                                passed to progress
 *
 * Fails as trfb_boosting_fit. If several fits fail, the
 * report is that of the first in order of y, then split. */
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
    trfb_error *details);

/* The prediction: sum over predictors and columns of h times the predictor
 * shifted by the column's lag.
 *
 *   h         f64 [n, L]   filter
 *   x         f64 [n, T]   predictors
 *   x_pads    f64 [n]      value of each outside of a segment
 *   i_start                lag of column 0, in samples
 *   segments  i64 [k, 2]   each is predicted on its own; where two overlap, the later one stands
 *   out       f64 [T]      out: samples in no segment are not touched
 *
 * Fails on what descriptors show, and with SEGMENT. */
int32_t trfb_convolve(
    const trfb_view *h,
    const trfb_view *x,
    const trfb_view *x_pads,
    int64_t i_start,
    const trfb_view *segments,
    const trfb_view *out,
    trfb_error *details);

/* Holds one view against an element type, a number of dimensions (-1: any)
 * and an access (enum trfb_access), for callers who want to know early. The
 * checks are those that every function makes.
 *
 * Fails on what the descriptor shows, with DTYPE also if `dtype` is no element
 * type at all, and with VALUE (ndim, access). */
int32_t trfb_view_check(
    const trfb_view *view,
    int32_t dtype,
    int32_t ndim,
    int32_t access,
    trfb_error *details);

/* ------------------------------------------------- the library on itself */

enum trfb_layout_kind {
    TRFB_LAYOUT_END      = 0, /* the row after the last */
    TRFB_LAYOUT_STRUCT   = 1, /* name; offset: its alignment; size */
    TRFB_LAYOUT_FIELD    = 2, /* owner: the struct; name; type; offset; size */
    TRFB_LAYOUT_CONSTANT = 3  /* name; offset: its value; size 0 */
};

/* One row of the library's own account of this header. This struct keeps its
 * layout in all versions, so that any mirror can read it. */
typedef struct trfb_layout_row {
    const char *owner;  /* "" for structs and constants */
    const char *name;
    const char *type;   /* of a field, as written here: "int64_t[8]"; else "" */
    int64_t     kind;   /* enum trfb_layout_kind */
    int64_t     offset; /* in bytes; a constant's value */
    int64_t     size;   /* in bytes */
} trfb_layout_row;

/* These cannot fail. What they point to is constant and stays. */
uint32_t trfb_abi_version(void);
const trfb_layout_row *trfb_abi_layout(void);
const char *trfb_build_info(void); /* "trfboost 0.1.0, ABI 1, x86_64-unknown-linux-gnu, release, AVX2": the
                                      last is the vector instructions that are used, or "portable" */

/* ----------------------------------------------------------- conveniences
 *
 * Defined here and not in the library, so that they add nothing to what has
 * to stay compatible. Left out if TRFB_NO_INLINE is defined, as it has to be
 * for parsers that read declarations only (cffi). */
#ifndef TRFB_NO_INLINE

/* Describes an array with the given strides in bytes. */
static inline void trfb_view_strided(
    trfb_view *view, const void *data, int32_t dtype, int32_t ndim,
    const int64_t *shape, const int64_t *strides, uint64_t flags)
{
    int32_t axis;
    view->magic = TRFB_VIEW_MAGIC;
    view->size = (uint16_t)sizeof(trfb_view);
    view->version = TRFB_ABI_VERSION;
    view->dtype = dtype;
    view->ndim = ndim;
    view->flags = flags;
    view->data = (void *)(uintptr_t)data; /* written only by functions that say so, and not if TRFB_READONLY */
    view->base = NULL;
    view->extent = 0;
    for (axis = 0; axis < TRFB_MAX_NDIM; axis++) {
        view->shape[axis] = axis < ndim ? shape[axis] : 0;
        view->strides[axis] = axis < ndim ? strides[axis] : 0;
    }
}

/* Describes an array in C order (last axis contiguous). */
static inline void trfb_view_contiguous(
    trfb_view *view, const void *data, int32_t dtype, int32_t ndim,
    const int64_t *shape, uint64_t flags)
{
    int64_t strides[TRFB_MAX_NDIM] = { 0 };
    uint64_t stride = (uint64_t)(dtype & 0xff);
    int32_t axis;
    for (axis = (ndim < TRFB_MAX_NDIM ? ndim : TRFB_MAX_NDIM) - 1; axis >= 0; axis--) {
        strides[axis] = (int64_t)stride;
        stride *= (uint64_t)shape[axis];
    }
    trfb_view_strided(view, data, dtype, ndim, shape, strides, flags);
}

#endif /* TRFB_NO_INLINE */

#ifdef __cplusplus
}
#endif

#endif /* TRFBOOST_H */
