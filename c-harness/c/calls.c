#include "calls.h"

#include "check.h"

#include <string.h>

/* Around each array, so that a view that is moved a little still points into memory of its own. */
enum { MARGIN = 1024 };

static const double y[N_Y][T] = {
    { 1, 2, 3, 4, 3, 2, 1, 0, -1, -2, -3, -4 }, { 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 },
};
static const double x[N][T] = {
    { 1, 1, 2, 2, 1, 1, 0, 0, -1, -1, -2, -2 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 },
};
static const double h[N][L] = { { 1, 2, 3 }, { 4, 5, 6 } };
static const double x_pads[N] = { 0, 0.5 };
static const int8_t x_active[N] = { 1, 1 };
static const int64_t segments[3][2] = { { 0, 6 }, { 6, 9 }, { 9, 12 } };
static const int64_t lists[N_SPLITS][2][2] = { { { 0, 6 }, { -1, -1 } }, { { 0, 6 }, { 6, 12 } } };
static const int64_t i_start_by_x[N] = { 0, 0 }, i_stop_by_x[N] = { 3, 2 };

#define F64 TRFB_FLOAT64
#define I64 TRFB_INT64
#define I8 TRFB_INT8
#define SCALAR(name) { name, 0, 0, { 0 }, { 0 }, 0, 0, 0 }
#define OF(...) { __VA_ARGS__ }

static const struct parameter generate_options[] = {
    { "y_error", F64, 1, OF(T), OF("T"), y, 0, 0 },
    { "x", F64, 2, OF(N, T), OF("n", "T"), x, 0, 0 },
    { "x_pads", F64, 1, OF(N), OF("n"), x_pads, 0, 0 },
    { "x_active", I8, 1, OF(N), OF("n"), x_active, 0, 0 },
    { "indexes", I64, 2, OF(3, 2), OF("k", "2"), segments, 0, 0 },
    SCALAR("i_start"),
    { "i_start_by_x", I64, 1, OF(N), OF("n"), i_start_by_x, 0, 0 },
    { "i_stop_by_x", I64, 1, OF(N), OF("n"), i_stop_by_x, 0, 0 },
    SCALAR("error"),
    SCALAR("delta"),
    { "new_error", F64, 2, OF(N, L), OF("n", "L"), 0, 1, 0 },
    { "new_sign", I8, 2, OF(N, L), OF("n", "L"), 0, 1, 0 },
};

static int32_t call_generate_options(const trfb_view *const *v, const struct scalars *s, trfb_error *details)
{
    return trfb_generate_options(v[0], v[1], v[2], v[3], v[4], s->i_start, v[6], v[7], s->error, s->delta, v[10], v[11],
                                 details);
}

static const struct parameter update_error[] = {
    { "y_error", F64, 1, OF(T), OF("T"), y, 1, 0 },
    { "x", F64, 1, OF(T), OF("T"), x, 0, 0 },
    SCALAR("x_pad"),
    { "indexes", I64, 2, OF(3, 2), OF("k", "2"), segments, 0, 0 },
    SCALAR("delta"),
    SCALAR("shift"),
};

static int32_t call_update_error(const trfb_view *const *v, const struct scalars *s, trfb_error *details)
{
    return trfb_update_error(v[0], v[1], s->x_pad, v[3], s->delta, s->shift, details);
}

static const struct parameter error_for_indexes[] = {
    { "x", F64, 1, OF(T), OF("T"), x, 0, 0 },
    { "indexes", I64, 2, OF(3, 2), OF("k", "2"), segments, 0, 0 },
    SCALAR("error"),
    SCALAR("out"),
};

static int32_t call_error_for_indexes(const trfb_view *const *v, const struct scalars *s, trfb_error *details)
{
    return trfb_error_for_indexes(v[0], v[1], s->error, s->out, details);
}

static const struct parameter boosting_fit[] = {
    { "y", F64, 1, OF(T), OF("T"), y, 0, 0 },
    { "x", F64, 2, OF(N, T), OF("n", "T"), x, 0, 0 },
    { "x_pads", F64, 1, OF(N), OF("n"), x_pads, 0, 0 },
    { "split_train", I64, 2, OF(1, 2), OF("k", "2"), segments[0], 0, 0 },
    { "split_validate", I64, 2, OF(2, 2), OF("m", "2"), segments[1], 0, 0 },
    { "split_train_and_validate", I64, 2, OF(3, 2), OF("j", "2"), segments, 0, 0 },
    { "i_start_by_x", I64, 1, OF(N), OF("n"), i_start_by_x, 0, 0 },
    { "i_stop_by_x", I64, 1, OF(N), OF("n"), i_stop_by_x, 0, 0 },
    SCALAR("delta"),
    SCALAR("mindelta"),
    SCALAR("error"),
    SCALAR("selective_stopping"),
    { "h", F64, 2, OF(N, L), OF("n", "lags"), 0, 1, 0 },
    { "history", F64, 2, OF(HISTORY, 6), OF("r", "6"), 0, 1, 1 },
    SCALAR("result"),
};

static int32_t call_boosting_fit(const trfb_view *const *v, const struct scalars *s, trfb_error *details)
{
    return trfb_boosting_fit(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], s->delta, s->mindelta, s->error,
                             s->selective_stopping, v[12], v[13], s->result, details);
}

static const struct parameter boosting_runs[] = {
    { "y", F64, 2, OF(N_Y, T), OF("n_y", "T"), y, 0, 0 },
    { "x", F64, 2, OF(N, T), OF("n", "T"), x, 0, 0 },
    { "x_pads", F64, 1, OF(N), OF("n"), x_pads, 0, 0 },
    { "split_train", I64, 3, OF(N_SPLITS, 2, 2), OF("n_splits", "k", "2"), lists, 0, 0 },
    { "split_validate", I64, 3, OF(N_SPLITS, 2, 2), OF("n_splits", "m", "2"), lists, 0, 0 },
    { "split_train_and_validate", I64, 3, OF(N_SPLITS, 2, 2), OF("n_splits", "j", "2"), lists, 0, 0 },
    { "i_start_by_x", I64, 1, OF(N), OF("n"), i_start_by_x, 0, 0 },
    { "i_stop_by_x", I64, 1, OF(N), OF("n"), i_stop_by_x, 0, 0 },
    SCALAR("delta"),
    SCALAR("mindelta"),
    SCALAR("error"),
    SCALAR("selective_stopping"),
    SCALAR("num_threads"),
    { "hs", F64, 4, OF(N_SPLITS, N_Y, N, L), OF("n_splits", "n_y", "n", "lags"), 0, 1, 0 },
    { "failed", I8, 2, OF(N_SPLITS, N_Y), OF("n_splits", "n_y"), 0, 1, 0 },
    { "steps", I64, 2, OF(N_SPLITS, N_Y), OF("n_splits", "n_y"), 0, 1, 1 },
    { "stop", I8, 2, OF(N_SPLITS, N_Y), OF("n_splits", "n_y"), 0, 1, 1 },
    SCALAR("progress"),
    SCALAR("user"),
};

static int32_t call_boosting_runs(const trfb_view *const *v, const struct scalars *s, trfb_error *details)
{
    return trfb_boosting_runs(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], s->delta, s->mindelta, s->error,
                              s->selective_stopping, s->num_threads, v[13], v[14], v[15], v[16], NULL, NULL, details);
}

static const struct parameter convolve[] = {
    { "h", F64, 2, OF(N, L), OF("n", "L"), h, 0, 0 },
    { "x", F64, 2, OF(N, T), OF("n", "T"), x, 0, 0 },
    { "x_pads", F64, 1, OF(N), OF("n"), x_pads, 0, 0 },
    SCALAR("i_start"),
    { "segments", I64, 2, OF(3, 2), OF("k", "2"), segments, 0, 0 },
    { "out", F64, 1, OF(T), OF("T"), 0, 1, 0 },
};

static int32_t call_convolve(const trfb_view *const *v, const struct scalars *s, trfb_error *details)
{
    return trfb_convolve(v[0], v[1], v[2], s->i_start, v[4], v[5], details);
}

static const struct parameter view_check[] = {
    { "view", F64, 2, OF(N, T), OF("any", "other"), x, 1, 0 },
    SCALAR("dtype"),
    SCALAR("ndim"),
    SCALAR("access"),
};

static int32_t call_view_check(const trfb_view *const *v, const struct scalars *s, trfb_error *details)
{
    return trfb_view_check(v[0], s->dtype, s->ndim, s->access, details);
}

#define CALL(name) { "trfb_" #name, name, sizeof name / sizeof name[0], call_##name }

const struct call calls[CALLS] = {
    CALL(generate_options), CALL(update_error), CALL(error_for_indexes), CALL(boosting_fit), CALL(boosting_runs),
    CALL(convolve), CALL(view_check),
};

/* ----------------------------------------------------------------- examples */

static const trfb_fit_result no_result = TRFB_FIT_RESULT_INIT;
static const double no_out = -12345;

void example_make(struct example *example, const struct call *call)
{
    static const struct scalars scalars = {
        0, 1, 0.5, 0.5, 0.25, TRFB_L1, 0, 1, TRFB_FLOAT64, 2, TRFB_ACCESS_WRITE, NULL, NULL,
    };
    int i;
    memset(example, 0, sizeof *example);
    example->call = call;
    example->scalars = scalars;
    example->scalars.out = &example->out;
    example->scalars.result = &example->result;
    example->out = no_out;
    example->result = no_result;
    for (i = 0; i < call->count; i++) {
        const struct parameter *parameter = &call->parameters[i];
        if (!parameter->dtype)
            continue;
        array_make(&example->arrays[i], WAY_CONTIGUOUS, parameter->dtype, parameter->ndim, parameter->shape,
                   parameter->elements, 0, MARGIN);
        example->views[i] = example->arrays[i].view;
        example->pointers[i] = &example->views[i];
    }
}

int32_t example_call(const struct example *example, trfb_error *details)
{
    return example->call->make(example->pointers, &example->scalars, details);
}

int example_untouched(const struct example *example)
{
    int i, untouched = 1;
    for (i = 0; i < example->call->count; i++)
        if (example->call->parameters[i].dtype)
            untouched &= array_untouched(&example->arrays[i]);
    return untouched && example->out == no_out && example->result.entries == no_result.entries
           && example->result.best_step == no_result.best_step && example->result.stop == no_result.stop;
}

void example_free(struct example *example)
{
    int i;
    for (i = 0; i < example->call->count; i++)
        if (example->call->parameters[i].dtype)
            array_free(&example->arrays[i]);
}

/* Whether a sentence begins with the argument's name, and says more than that. */
static int begins_with(const char *message, const char *name)
{
    size_t length = strlen(name);
    return !strncmp(message, name, length) && message[length] == ':' && strlen(message) > length + 8;
}

static void check_field(const char *function, const char *argument, const char *field, int64_t expected, int64_t actual)
{
    check_part(expected == ANY || expected == actual, "%s, %s: %s is %lld, not %lld", function, argument, field,
               (long long)actual, (long long)expected);
}

void check_refused(const struct example *example, struct refusal refusal)
{
    const struct call *call = example->call;
    const char *function = call->function;
    const char *argument = refusal.argument < 0 ? "no argument" : call->parameters[refusal.argument].name;
    trfb_error details = TRFB_ERROR_INIT;
    memset(details.message, 'x', sizeof details.message);
    check_field(function, argument, "status", refusal.status, example_call(example, &details));
    check_field(function, argument, "details.status", refusal.status, details.status);
    check_field(function, argument, "details.argument", refusal.argument, details.argument);
    check_field(function, argument, "details.axis", refusal.axis, details.axis);
    check_field(function, argument, "details.expected", refusal.expected, details.expected);
    check_field(function, argument, "details.actual", refusal.actual, details.actual);
    check_field(function, argument, "details.size", sizeof details, details.size);
    if (memchr(details.message, 0, sizeof details.message))
        check_part(refusal.argument < 0 || begins_with(details.message, argument), "%s, %s: the message is \"%s\"",
                   function, argument, details.message);
    else
        check_part(0, "%s, %s: the message has no end", function, argument);
    check_field(function, argument, "status without details", refusal.status, example_call(example, NULL));
    check_part(example_untouched(example), "%s, %s: something was written", function, argument);
}
