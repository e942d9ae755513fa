/* Nothing to compute on is not wrong: no samples, no predictors, no columns,
 * no signals, no splits; and views without elements may point anywhere. */
#include "calls.h"
#include "check.h"

#include <string.h>

/* Makes every axis of this name 0 long. */
static void remove_all(struct example *example, const char *dimension)
{
    int i, axis;
    for (i = 0; i < example->call->count; i++)
        for (axis = 0; axis < example->call->parameters[i].ndim; axis++)
            if (!strcmp(example->call->parameters[i].dimensions[axis], dimension))
                example->views[i].shape[axis] = 0;
}

static int is_empty(const trfb_view *view)
{
    return array_count(view->ndim, view->shape) == 0;
}

/* An empty view's address and strides are not looked at. */
static void point_nowhere(struct example *example)
{
    int i, axis;
    for (i = 0; i < example->call->count; i++)
        if (example->call->parameters[i].dtype && is_empty(&example->views[i])) {
            example->views[i].data = i % 2 ? NULL : (void *)(uintptr_t)3;
            example->views[i].base = NULL;
            example->views[i].extent = 0;
            for (axis = 0; axis < TRFB_MAX_NDIM; axis++)
                example->views[i].strides[axis] = INT64_MAX;
        }
}

/* What is made empty, and whether that leaves every output as it is. */
static const struct {
    int call;
    const char *dimensions[2];
    int untouched;
} cases[] = {
    { GENERATE_OPTIONS, { "n", NULL }, 1 },     { GENERATE_OPTIONS, { "k", NULL }, 0 },
    { GENERATE_OPTIONS, { "T", "k" }, 0 },      { UPDATE_ERROR, { "k", NULL }, 1 },
    { UPDATE_ERROR, { "T", "k" }, 1 },          { CONVOLVE, { "k", NULL }, 1 },
    { CONVOLVE, { "n", NULL }, 0 },             { CONVOLVE, { "L", NULL }, 0 },
    { CONVOLVE, { "T", "k" }, 1 },              { BOOSTING_RUNS, { "n_y", NULL }, 1 },
    { BOOSTING_RUNS, { "n_splits", NULL }, 1 },
};

static void accepted(void)
{
    size_t i;
    int dimension;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct example example;
        example_make(&example, &calls[cases[i].call]);
        for (dimension = 0; dimension < 2 && cases[i].dimensions[dimension]; dimension++)
            remove_all(&example, cases[i].dimensions[dimension]);
        point_nowhere(&example);
        check_begin("accepted", "%s: %s%s%s = 0", example.call->function, cases[i].dimensions[0],
                    cases[i].dimensions[1] ? " and " : "", cases[i].dimensions[1] ? cases[i].dimensions[1] : "");
        check_number("status", TRFB_STATUS_OK, example_call(&example, NULL));
        check_part(!cases[i].untouched || example_untouched(&example), "something was written");
        check_end();
        example_free(&example);
    }
}

/* The sum of nothing is 0. */
static void sum_of_nothing(void)
{
    struct example example;
    double out = -1;
    example_make(&example, &calls[ERROR_FOR_INDEXES]);
    example.scalars.out = &out;
    remove_all(&example, "k");
    point_nowhere(&example);
    check_begin("0", "trfb_error_for_indexes: k = 0");
    check_number("status", TRFB_STATUS_OK, example_call(&example, NULL));
    check_part(out == 0, "out is %g", out);
    check_end();
    example_free(&example);
}

/* A fit has to have something to choose from. */
static void fit_without_predictors(void)
{
    struct refusal refusal = { TRFB_STATUS_NO_OPTION, 7, -1, 0, 0 };
    static const int fits[] = { BOOSTING_FIT, BOOSTING_RUNS };
    int i;
    for (i = 0; i < 2; i++) {
        struct example example;
        example_make(&example, &calls[fits[i]]);
        remove_all(&example, "n");
        remove_all(&example, "lags");
        point_nowhere(&example);
        check_begin("status 20", "%s: n = 0", example.call->function);
        check_refused(&example, refusal);
        check_end();
        example_free(&example);
    }
}

/* Strides of axes that are one long, or none, are ignored, whatever they are; so are entries behind
 * the last dimension. */
static void strides_that_lead_nowhere(void)
{
    struct example example;
    int axis;
    example_make(&example, &calls[BOOSTING_FIT]);
    example.views[3].strides[0] = INT64_MAX; /* split_train is [1, 2] */
    for (axis = 2; axis < TRFB_MAX_NDIM; axis++)
        example.views[1].shape[axis] = example.views[1].strides[axis] = -7;
    check_begin("accepted", "a stride of an axis of length 1, and entries from ndim on");
    check_number("status", TRFB_STATUS_OK, example_call(&example, NULL));
    check_end();
    example_free(&example);
}

/* What inputs share, and outputs that lie between each other's elements, is fine. */
static void sharing_that_is_fine(void)
{
    static double both[2 * T];
    struct example example;
    int i;
    for (i = 0; i < 2 * T; i++)
        both[i] = i;
    example_make(&example, &calls[UPDATE_ERROR]);
    for (i = 0; i < 2; i++) {
        example.views[i].data = both + i;
        example.views[i].strides[0] = 2 * (int64_t)sizeof(double);
        example.views[i].base = both;
        example.views[i].extent = sizeof both;
    }
    check_begin("accepted", "y_error and x in the even and the odd columns of one array");
    check_number("status", TRFB_STATUS_OK, example_call(&example, NULL));
    check_part(both[1] == 1 && both[2 * T - 1] == 2 * T - 1, "the other columns were written");
    check_end();
    example_free(&example);

    example_make(&example, &calls[BOOSTING_FIT]);
    example.views[1].data = example.views[0].data;
    example.views[1].strides[0] = 0;
    example.views[1].base = example.views[0].base;
    example.views[1].extent = example.views[0].extent;
    example.views[5] = example.views[3];
    check_begin("accepted", "inputs that are the same memory, x with stride 0");
    check_number("status", TRFB_STATUS_OK, example_call(&example, NULL));
    check_end();
    example_free(&example);
}

int main(void)
{
    accepted();
    sum_of_nothing();
    fit_without_predictors();
    strides_that_lead_nowhere();
    sharing_that_is_fine();
    return check_finish();
}
