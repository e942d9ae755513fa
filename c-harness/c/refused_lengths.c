/* Lengths that do not agree: each axis of each array made one shorter and one
 * longer, in every function. The first argument with another length than an
 * earlier one fixed is named, and its axis. */
#include "calls.h"
#include "check.h"

#include <string.h>

/* The next axis that has this name, after argument `i` and its axis; 0 if there is none. */
static int find_next(const struct call *call, const char *name, int i, int axis, int *found_i, int *found_axis)
{
    for (axis++; i < call->count; i++, axis = 0)
        for (; axis < call->parameters[i].ndim; axis++)
            if (!strcmp(call->parameters[i].dimensions[axis], name)) {
                *found_i = i;
                *found_axis = axis;
                return 1;
            }
    return 0;
}

/* Who will be named for another length of this axis; status 0 if nobody: a length of its own. */
static struct refusal expected_refusal(const struct call *call, int i, int axis, int64_t length)
{
    struct refusal refusal = { TRFB_STATUS_LENGTH, i, axis, call->parameters[i].shape[axis], length };
    const char *name = call->parameters[i].dimensions[axis];
    int first_i = -1, first_axis = -1;
    int function_asks = name[1] == 0 && name[0] >= '0' && name[0] <= '9';
    if (function_asks || !strcmp(name, "lags"))
        return refusal;
    find_next(call, name, 0, -1, &first_i, &first_axis);
    if (first_i != i || first_axis != axis)
        return refusal;
    if (find_next(call, name, i, axis, &first_i, &first_axis)) {
        refusal.argument = first_i;
        refusal.axis = first_axis;
        refusal.expected = length;
        refusal.actual = call->parameters[i].shape[axis];
    } else {
        refusal.status = TRFB_STATUS_OK;
    }
    return refusal;
}

/* Whether an array can be shorter along this axis: lists of segments, columns, rows of a history. But
 * segments would end after the last sample, and a fit in which the residual is not kept up to date
 * would not end. */
static int can_be_shorter(const struct call *call, int i, int axis)
{
    const char *name = call->parameters[i].dimensions[axis];
    return strcmp(name, "T") && strcmp(name, "j");
}

static void change(const struct call *call, int i, int axis, int64_t by)
{
    const struct parameter *parameter = &call->parameters[i];
    struct refusal refusal = expected_refusal(call, i, axis, parameter->shape[axis] + by);
    struct example example;
    int64_t shape[MOST_DIMENSIONS];
    example_make(&example, call);
    memcpy(shape, parameter->shape, sizeof shape);
    shape[axis] += by;
    trfb_view_contiguous(&example.views[i], example.views[i].data, parameter->dtype, parameter->ndim, shape, 0);
    if (refusal.status != TRFB_STATUS_OK)
        check_refused(&example, refusal);
    else if (by < 0 && can_be_shorter(call, i, axis))
        check_number(parameter->name, TRFB_STATUS_OK, example_call(&example, NULL));
    example_free(&example);
}

/* Exchanges the axes: the fault is told, and the remedy is. */
static void transposed(const struct call *call, int i)
{
    trfb_error details = TRFB_ERROR_INIT;
    struct example example;
    example_make(&example, call);
    example.views[i].shape[0] = call->parameters[i].shape[1];
    example.views[i].shape[1] = call->parameters[i].shape[0];
    example.views[i].strides[0] = example.arrays[i].view.strides[1];
    example.views[i].strides[1] = example.arrays[i].view.strides[0];
    check_number(call->parameters[i].name, TRFB_STATUS_LENGTH, example_call(&example, &details));
    check_part(strstr(details.message, "transpose") != NULL, "the message is \"%s\"", details.message);
    check_part(example_untouched(&example), "something was written");
    example_free(&example);
}

int main(void)
{
    int call, i, axis;
    for (call = 0; call < VIEW_CHECK; call++) {
        check_begin("status 13 with argument and axis", "%s: lengths", calls[call].function);
        for (i = 0; i < calls[call].count; i++)
            for (axis = 0; axis < calls[call].parameters[i].ndim; axis++) {
                change(&calls[call], i, axis, -1);
                change(&calls[call], i, axis, 1);
                if (!strcmp(calls[call].parameters[i].dimensions[axis], "2"))
                    change(&calls[call], i, axis, -2);
            }
        check_end();
    }
    check_begin("status 13, and the remedy", "x given as [T, n]");
    transposed(&calls[GENERATE_OPTIONS], 1);
    transposed(&calls[BOOSTING_FIT], 1);
    transposed(&calls[BOOSTING_RUNS], 1);
    check_end();
    return check_finish();
}
