/* A valid call of each function, to be spoiled in one place and refused. */
#ifndef CALLS_H
#define CALLS_H

#include "arrays.h"

#include <trfboost.h>

enum { MOST_PARAMETERS = 20, MOST_DIMENSIONS = 4 };

/* Sizes in the valid calls. */
enum { T = 12, N = 2, L = 3, N_Y = 2, N_SPLITS = 2, HISTORY = 4 };

/* A parameter; dtype is 0 for what is no array. */
struct parameter {
    const char *name;
    int32_t dtype, ndim;
    int64_t shape[MOST_DIMENSIONS];
    /* The lengths' names; a digit is a length that the function itself asks for. */
    const char *dimensions[MOST_DIMENSIONS];
    const void *elements; /* NULL: an output that is not read */
    int written, optional;
};

/* What is not an array, in all functions. */
struct scalars {
    int64_t i_start, shift;
    double x_pad, delta, mindelta;
    int32_t error, selective_stopping, num_threads;
    int32_t dtype, ndim, access;
    double *out;
    trfb_fit_result *result;
};

/* A function: its parameters without `details`, and a call of it. */
struct call {
    const char *function;
    const struct parameter *parameters;
    int count;
    int32_t (*make)(const trfb_view *const *views, const struct scalars *scalars, trfb_error *details);
};

enum { GENERATE_OPTIONS, UPDATE_ERROR, ERROR_FOR_INDEXES, BOOSTING_FIT, BOOSTING_RUNS, CONVOLVE, VIEW_CHECK, CALLS };
extern const struct call calls[CALLS];

/* A call with its arguments. */
struct example {
    const struct call *call;
    struct array arrays[MOST_PARAMETERS];
    trfb_view views[MOST_PARAMETERS];
    const trfb_view *pointers[MOST_PARAMETERS]; /* to `views`; NULL for what is no array */
    struct scalars scalars;
    double out;
    trfb_fit_result result;
};

void example_make(struct example *example, const struct call *call);
int32_t example_call(const struct example *example, trfb_error *details);
/* Whether no byte of any argument has changed. */
int example_untouched(const struct example *example);
void example_free(struct example *example);

/* Stands for any number in what is expected below. */
#define ANY INT64_MIN

/* What a refusal says. */
struct refusal {
    int32_t status, argument;
    int64_t axis, expected, actual;
};

/* Comparisons of an open check: the call is refused so, also without details;
 * the sentence begins with the argument's name; no argument has changed. */
void check_refused(const struct example *example, struct refusal refusal);

#endif
