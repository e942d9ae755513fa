/* The header's inline functions and initialisers make what they say. */
#include "check.h"

#include <string.h>
#include <trfboost.h>

enum { PATTERN = 0xA5 };

static void check_head(const trfb_view *view, const void *data, int32_t dtype, int32_t ndim, uint64_t flags)
{
    check_number("magic", 0x56465254, view->magic);
    check_number("size", 176, view->size);
    check_number("version", TRFB_ABI_VERSION, view->version);
    check_number("dtype", dtype, view->dtype);
    check_number("ndim", ndim, view->ndim);
    check_number("flags", (int64_t)flags, (int64_t)view->flags);
    check_part(view->data == data, "data is %p, not %p", view->data, data);
    check_part(view->base == NULL, "base is %p, not NULL", view->base);
    check_number("extent", 0, (int64_t)view->extent);
}

static void check_axes(const trfb_view *view, const int64_t *shape, const int64_t *strides)
{
    int axis;
    for (axis = 0; axis < TRFB_MAX_NDIM; axis++) {
        check_number("shape", axis < view->ndim ? shape[axis] : 0, view->shape[axis]);
        check_number("strides", axis < view->ndim ? strides[axis] : 0, view->strides[axis]);
    }
}

static void strided(void)
{
    static double data[8];
    static const int64_t shape[] = { 3, INT64_C(1) << 40, 0, 5, 6, 7, 8, 9 };
    static const int64_t strides[] = { -8, INT64_MIN, INT64_MAX, 0, 1, -1, 16, 24 };
    int32_t ndim;
    for (ndim = 0; ndim <= TRFB_MAX_NDIM; ndim++) {
        trfb_view view;
        memset(&view, PATTERN, sizeof view);
        check_begin("each field as given, the rest 0", "trfb_view_strided, %d dimensions", (int)ndim);
        trfb_view_strided(&view, data + 3, TRFB_FLOAT64, ndim, shape, strides, TRFB_READONLY);
        check_head(&view, data + 3, TRFB_FLOAT64, ndim, TRFB_READONLY);
        check_axes(&view, shape, strides);
        check_end();
    }
}

static void contiguous(void)
{
    static double data[24];
    static const int64_t shape[] = { 2, 3, 4 };
    static const struct {
        int32_t dtype;
        int64_t strides[3];
    } cases[] = {
        { TRFB_FLOAT64, { 96, 32, 8 } }, { TRFB_INT64, { 96, 32, 8 } },
        { TRFB_INT8, { 12, 4, 1 } }, { TRFB_BOOL, { 12, 4, 1 } },
    };
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        trfb_view view;
        memset(&view, PATTERN, sizeof view);
        check_begin("strides of C order", "trfb_view_contiguous, dtype 0x%x", (unsigned)cases[i].dtype);
        trfb_view_contiguous(&view, data, cases[i].dtype, 3, shape, 0);
        check_head(&view, data, cases[i].dtype, 3, 0);
        check_axes(&view, shape, cases[i].strides);
        check_end();
    }
}

static void initialisers(void)
{
    trfb_error details = TRFB_ERROR_INIT;
    trfb_fit_result result = TRFB_FIT_RESULT_INIT;
    int i;
    check_begin("no failure so far", "TRFB_ERROR_INIT");
    check_number("size", 288, details.size);
    check_number("status", 0, details.status);
    check_number("argument", -1, details.argument);
    check_number("axis", -1, details.axis);
    check_number("expected", 0, details.expected);
    check_number("actual", 0, details.actual);
    for (i = 0; i < TRFB_MESSAGE_SIZE; i++)
        check_number("message", 0, details.message[i]);
    check_end();

    check_begin("no fit so far", "TRFB_FIT_RESULT_INIT");
    check_number("size", 40, result.size);
    check_number("stop", 0, result.stop);
    check_number("entries", 0, result.entries);
    check_number("best_step", -1, result.best_step);
    check_part(result.progress == NULL, "progress is not NULL");
    check_part(result.user == NULL, "user is not NULL");
    check_end();
}

int main(void)
{
    strided();
    contiguous();
    initialisers();
    check_equal("trfb_abi_version()", TRFB_ABI_VERSION, trfb_abi_version());
    check_begin("trfboost and its version", "trfb_build_info()");
    check_part(!strncmp(trfb_build_info(), "trfboost ", 9), "it says: %s", trfb_build_info());
    check_end();
    return check_finish();
}
