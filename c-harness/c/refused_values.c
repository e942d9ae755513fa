/* Values that are refused, each with the argument's name, and neighbours of
 * theirs that are not. */
#include "calls.h"
#include "check.h"

#include <math.h>
#include <string.h>

/* What is changed in a valid call. (Negated: tcc does not take -INFINITY for a constant.) */
enum change { ELEMENT_INT, ELEMENT_DOUBLE, ELEMENT_NEGATED, SCALAR_DOUBLE, SCALAR_INT32, NULL_OUT };

struct value {
    const char *what;
    int call;
    enum change change;
    int argument;   /* position in C */
    size_t where;   /* number of the element in C order; offset in struct scalars */
    double value;
    struct refusal refusal;
};

#define AT(field) offsetof(struct scalars, field)
#define ACCEPTED { TRFB_STATUS_OK, -1, -1, 0, 0 }
#define BAD_VALUE(argument) { TRFB_STATUS_VALUE, argument, -1, 0, 0 }
#define BAD_ROW(argument, axis, row) { TRFB_STATUS_SEGMENT, argument, axis, T, row }
#define BAD_LAG(argument, predictor) { TRFB_STATUS_LAG, argument, 0, 0, predictor }
#define NOT_FINITE(argument, axis, index) { TRFB_STATUS_NOT_FINITE, argument, axis, 0, index }

/* Rows of segment lists: in the lists of three rows, element 2 * row + column. */
#define SEGMENT_CASES(call, argument) \
    { "a stop after T", call, ELEMENT_INT, argument, 5, T + 1, BAD_ROW(argument, 0, 2) }, \
    { "a start above the stop", call, ELEMENT_INT, argument, 2, 10, BAD_ROW(argument, 0, 1) }, \
    { "a start of -2", call, ELEMENT_INT, argument, 0, -2, BAD_ROW(argument, 0, 0) }, \
    { "a stop of -1", call, ELEMENT_INT, argument, 1, -1, BAD_ROW(argument, 0, 0) }, \
    { "a stop of 2^62", call, ELEMENT_INT, argument, 3, 4611686018427387904.0, BAD_ROW(argument, 0, 1) }, \
    { "a start of -1 ends the list", call, ELEMENT_INT, argument, 2, -1, ACCEPTED }, \
    { "an empty segment", call, ELEMENT_INT, argument, 3, 6, ACCEPTED }

#define ERROR_CASES(call, argument) \
    { "error 0", call, SCALAR_INT32, argument, AT(error), 0, BAD_VALUE(argument) }, \
    { "error 3", call, SCALAR_INT32, argument, AT(error), 3, BAD_VALUE(argument) }, \
    { "error -1", call, SCALAR_INT32, argument, AT(error), -1, BAD_VALUE(argument) }

#define POSITIVE_CASES(call, argument, field) \
    { #field " 0", call, SCALAR_DOUBLE, argument, AT(field), 0, BAD_VALUE(argument) }, \
    { #field " negative", call, SCALAR_DOUBLE, argument, AT(field), -0.5, BAD_VALUE(argument) }, \
    { #field " infinite", call, SCALAR_DOUBLE, argument, AT(field), INFINITY, BAD_VALUE(argument) }, \
    { #field " NaN", call, SCALAR_DOUBLE, argument, AT(field), NAN, BAD_VALUE(argument) }

#define COUNT_CASES(call, argument, field) \
    { #field " -1", call, SCALAR_INT32, argument, AT(field), -1, BAD_VALUE(argument) }

/* Numbers that fits read. Samples are looked at if they are in a segment; in the valid calls all are. */
#define FINITE_CASES(call, y_axis) \
    { "y NaN at sample 5", call, ELEMENT_DOUBLE, 0, 5, NAN, NOT_FINITE(0, y_axis, 5) }, \
    { "y infinite at sample 10", call, ELEMENT_NEGATED, 0, 10, INFINITY, NOT_FINITE(0, y_axis, 10) }, \
    { "x NaN in row 1, sample 3", call, ELEMENT_DOUBLE, 1, T + 3, NAN, NOT_FINITE(1, 1, 3) }, \
    { "x infinite in row 0, sample 11", call, ELEMENT_DOUBLE, 1, 11, INFINITY, NOT_FINITE(1, 1, 11) }, \
    { "x_pads NaN", call, ELEMENT_DOUBLE, 2, 1, NAN, NOT_FINITE(2, 0, 1) }, \
    { "x_pads infinite", call, ELEMENT_DOUBLE, 2, 0, INFINITY, NOT_FINITE(2, 0, 0) }

#define FIT_CASES(call) \
    POSITIVE_CASES(call, 8, delta), POSITIVE_CASES(call, 9, mindelta), ERROR_CASES(call, 10), \
    COUNT_CASES(call, 11, selective_stopping), \
    { "start above stop", call, ELEMENT_INT, 6, 1, 4, BAD_LAG(ANY_ARGUMENT, 1) }, \
    { "lags that no filter can hold", call, ELEMENT_INT, 6, 0, -9223372036854775807.0 - 1, \
      { TRFB_STATUS_LAG, ANY_ARGUMENT, ANY, ANY, ANY } }

/* Of start and stop either can be named. */
#define ANY_ARGUMENT (-2)

static const struct value values[] = {
    SEGMENT_CASES(GENERATE_OPTIONS, 4),
    ERROR_CASES(GENERATE_OPTIONS, 8),
    POSITIVE_CASES(GENERATE_OPTIONS, 9, delta),
    { "start above stop", GENERATE_OPTIONS, ELEMENT_INT, 6, 1, 3, BAD_LAG(ANY_ARGUMENT, 1) },
    { "a lag before column 0", GENERATE_OPTIONS, ELEMENT_INT, 6, 0, -1, BAD_LAG(6, 0) },
    { "a lag behind the last column", GENERATE_OPTIONS, ELEMENT_INT, 7, 1, L + 1, BAD_LAG(7, 1) },
    { "a lag of 2^62", GENERATE_OPTIONS, ELEMENT_INT, 7, 0, 4611686018427387904.0, BAD_LAG(7, 0) },
    { "no lag at all", GENERATE_OPTIONS, ELEMENT_INT, 7, 1, 0, ACCEPTED },

    SEGMENT_CASES(UPDATE_ERROR, 3),
    { "delta infinite", UPDATE_ERROR, SCALAR_DOUBLE, 4, AT(delta), INFINITY, BAD_VALUE(4) },
    { "delta NaN", UPDATE_ERROR, SCALAR_DOUBLE, 4, AT(delta), NAN, BAD_VALUE(4) },
    { "delta negative", UPDATE_ERROR, SCALAR_DOUBLE, 4, AT(delta), -0.5, ACCEPTED },
    { "delta 0", UPDATE_ERROR, SCALAR_DOUBLE, 4, AT(delta), 0, ACCEPTED },

    SEGMENT_CASES(ERROR_FOR_INDEXES, 1),
    ERROR_CASES(ERROR_FOR_INDEXES, 2),
    { "out NULL", ERROR_FOR_INDEXES, NULL_OUT, 3, 0, 0, { TRFB_STATUS_NULL, 3, -1, 0, 0 } },

    SEGMENT_CASES(BOOSTING_FIT, 5),
    { "a training segment after T", BOOSTING_FIT, ELEMENT_INT, 3, 1, T + 1, BAD_ROW(3, 0, 0) },
    { "a validation segment of (-5, 9)", BOOSTING_FIT, ELEMENT_INT, 4, 0, -5, BAD_ROW(4, 0, 0) },
    FINITE_CASES(BOOSTING_FIT, 0),
    FIT_CASES(BOOSTING_FIT),

    { "split 1, row 1 after T", BOOSTING_RUNS, ELEMENT_INT, 3, 7, T + 1, BAD_ROW(3, 1, 1) },
    { "split 1, row 0 before 0", BOOSTING_RUNS, ELEMENT_INT, 4, 4, -3, BAD_ROW(4, 1, 0) },
    { "split 0, start above stop", BOOSTING_RUNS, ELEMENT_INT, 5, 0, 7, BAD_ROW(5, 1, 0) },
    { "a row behind the end of the list", BOOSTING_RUNS, ELEMENT_INT, 5, 3, 99, ACCEPTED },
    FINITE_CASES(BOOSTING_RUNS, 1),
    FIT_CASES(BOOSTING_RUNS),
    COUNT_CASES(BOOSTING_RUNS, 12, num_threads),

    SEGMENT_CASES(CONVOLVE, 4),

    { "ndim -2", VIEW_CHECK, SCALAR_INT32, 2, AT(ndim), -2, BAD_VALUE(2) },
    { "ndim 9", VIEW_CHECK, SCALAR_INT32, 2, AT(ndim), TRFB_MAX_NDIM + 1, BAD_VALUE(2) },
    { "ndim -1: any", VIEW_CHECK, SCALAR_INT32, 2, AT(ndim), -1, ACCEPTED },
    { "access 2", VIEW_CHECK, SCALAR_INT32, 3, AT(access), 2, BAD_VALUE(3) },
};

/* Puts a value at its place, in the present and in the copy that tells whether something was written. */
static void element(struct example *example, const struct value *value, const void *bytes)
{
    struct array *array = &example->arrays[value->argument];
    size_t offset = (size_t)((unsigned char *)array->view.data - array->memory) + 8 * value->where;
    memcpy(array->memory + offset, bytes, 8);
    memcpy(array->before + offset, bytes, 8);
}

static void put(struct example *example, const struct value *value)
{
    unsigned char *scalar = (unsigned char *)&example->scalars + value->where;
    int64_t integer = value->change == ELEMENT_INT ? (int64_t)value->value : 0;
    int32_t narrow = value->change == SCALAR_INT32 ? (int32_t)value->value : 0;
    double negated = -value->value;
    switch (value->change) {
    case ELEMENT_INT: element(example, value, &integer); break;
    case ELEMENT_DOUBLE: element(example, value, &value->value); break;
    case ELEMENT_NEGATED: element(example, value, &negated); break;
    case SCALAR_DOUBLE: memcpy(scalar, &value->value, sizeof(double)); break;
    case SCALAR_INT32: memcpy(scalar, &narrow, sizeof narrow); break;
    case NULL_OUT: example->scalars.out = NULL; break;
    }
}

static void check_value(const struct value *value)
{
    struct refusal refusal = value->refusal;
    struct example example;
    example_make(&example, &calls[value->call]);
    put(&example, value);
    check_begin(refusal.status ? "refused by name, untouched" : "accepted", "%s: %s", example.call->function,
                value->what);
    if (refusal.argument == ANY_ARGUMENT) {
        trfb_error details = TRFB_ERROR_INIT;
        example_call(&example, &details);
        refusal.argument = details.argument == 7 ? 7 : 6;
    }
    if (refusal.status)
        check_refused(&example, refusal);
    else
        check_number("status", TRFB_STATUS_OK, example_call(&example, NULL));
    check_end();
    example_free(&example);
}

/* ------------------------------------------- what takes more than one change */

/* The segments are made to leave sample 11 out, which may then be NaN. */
static void nan_outside_of_segments(int call)
{
    static const double nan_value = NAN;
    static const int64_t end = 11;
    struct value lists[] = {
        { "", BOOSTING_FIT, ELEMENT_INT, 4, 3, 0, ACCEPTED },
        { "", BOOSTING_FIT, ELEMENT_INT, 5, 5, 0, ACCEPTED },
        { "", BOOSTING_RUNS, ELEMENT_INT, 3, 7, 0, ACCEPTED },
        { "", BOOSTING_RUNS, ELEMENT_INT, 4, 7, 0, ACCEPTED },
        { "", BOOSTING_RUNS, ELEMENT_INT, 5, 7, 0, ACCEPTED },
    };
    struct value samples[] = {
        { "", call, ELEMENT_DOUBLE, 0, T - 1, NAN, ACCEPTED },
        { "", call, ELEMENT_DOUBLE, 1, T - 1, NAN, ACCEPTED },
    };
    struct example example;
    size_t i;
    example_make(&example, &calls[call]);
    for (i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i].call == call)
            element(&example, &lists[i], &end);
    for (i = 0; i < sizeof samples / sizeof samples[0]; i++)
        element(&example, &samples[i], &nan_value);
    check_begin("accepted", "%s: NaN in y and x outside of segments", calls[call].function);
    check_number("status", TRFB_STATUS_OK, example_call(&example, NULL));
    check_end();
    example_free(&example);
}

/* All lags are taken away. */
static void no_option(int call)
{
    static const int64_t zero = 0;
    struct value stops[] = {
        { "", call, ELEMENT_INT, 7, 0, 0, ACCEPTED }, { "", call, ELEMENT_INT, 7, 1, 0, ACCEPTED },
    };
    struct refusal refusal = { TRFB_STATUS_NO_OPTION, 7, -1, 0, 0 };
    struct example example;
    int h = call == BOOSTING_FIT ? 12 : 13;
    example_make(&example, &calls[call]);
    element(&example, &stops[0], &zero);
    element(&example, &stops[1], &zero);
    example.views[h].shape[example.views[h].ndim - 1] = 0;
    check_begin("status 20", "%s: no lag at all", calls[call].function);
    check_refused(&example, refusal);
    check_end();
    example_free(&example);
}

/* Squares of 1e200 are infinite. */
static void overflow(int call)
{
    static const double large = 1e200;
    struct value sample = { "", call, ELEMENT_DOUBLE, 0, 1, 0, ACCEPTED };
    struct refusal refusal = { TRFB_STATUS_NO_FINITE_ERROR, 0, -1, 0, 0 };
    struct example example;
    example_make(&example, &calls[call]);
    element(&example, &sample, &large);
    example.scalars.error = TRFB_L2;
    check_begin("status 21", "%s: y of 1e200, l2", calls[call].function);
    check_refused(&example, refusal);
    check_end();
    example_free(&example);
}

int main(void)
{
    static const int fits[] = { BOOSTING_FIT, BOOSTING_RUNS };
    size_t i;
    for (i = 0; i < sizeof values / sizeof values[0]; i++)
        check_value(&values[i]);
    for (i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        nan_outside_of_segments(fits[i]);
        no_option(fits[i]);
        overflow(fits[i]);
    }
    return check_finish();
}
