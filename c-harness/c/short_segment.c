/* The call that corrupts the heap elsewhere: a recording of eleven trials of
 * 1000 samples and a last one of 50, at lags from 20 to 64 samples, of which
 * fifteen are longer than the last trial. Such a lag sees the pad only. The
 * harness can run this under valgrind. */
#include "arrays.h"
#include "check.h"
#include "plain.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 12, LONG = 1000, SHORT = 50, T = 11 * LONG + SHORT, START = 20, STOP = 65, L = STOP - START };

static double y[T], x[T];
static const double pad[1] = { 0.125 };
static const int64_t starts[1] = { START }, stops[1] = { STOP };
static int64_t trials[TRIALS][2];

static const int64_t of_t[] = { T }, of_1t[] = { 1, T }, of_1[] = { 1 }, of_1l[] = { 1, L }, of_k2[] = { TRIALS, 2 };
static const int64_t of_92[] = { 9, 2 }, of_32[] = { 3, 2 };

static void make_data(void)
{
    int64_t trial, t;
    for (trial = 0; trial < TRIALS; trial++) {
        trials[trial][0] = trial * LONG;
        trials[trial][1] = trial < TRIALS - 1 ? (trial + 1) * LONG : T;
    }
    fill(y, T, 10);
    fill(x, T, 11);
    for (t = 30; t < T; t++)
        y[t] = 0.2 * y[t] + 0.5 * x[t - 30];
}

static void options(int32_t measure)
{
    static const int8_t active[1] = { 1 };
    trfb_view y_view, x_view, pads, active_view, list, start, stop, error_view, sign_view;
    double error[L] = { 0 }, expected[L];
    int8_t sign[L] = { 0 }, expected_sign[L];
    struct segments plain = { trials[0], TRIALS };
    int64_t lag;
    trfb_view_contiguous(&y_view, y, TRFB_FLOAT64, 1, of_t, TRFB_READONLY);
    trfb_view_contiguous(&x_view, x, TRFB_FLOAT64, 2, of_1t, TRFB_READONLY);
    trfb_view_contiguous(&pads, pad, TRFB_FLOAT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&active_view, active, TRFB_INT8, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&list, trials, TRFB_INT64, 2, of_k2, TRFB_READONLY);
    trfb_view_contiguous(&start, starts, TRFB_INT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&stop, stops, TRFB_INT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&error_view, error, TRFB_FLOAT64, 2, of_1l, 0);
    trfb_view_contiguous(&sign_view, sign, TRFB_INT8, 2, of_1l, 0);
    for (lag = START; lag < STOP; lag++)
        plain_option(y, x, pad[0], plain, measure, 0.1, lag, &expected[lag - START], &expected_sign[lag - START]);
    check_begin("the bits of plain loops", "trfb_generate_options, l%d", (int)measure);
    check_number("status", 0, trfb_generate_options(&y_view, &x_view, &pads, &active_view, &list, START, &start, &stop,
                                                    measure, 0.1, &error_view, &sign_view, NULL));
    check_same_bits("new_error", expected, error, L);
    check_part(!memcmp(expected_sign, sign, sizeof sign), "new_sign differs");
    check_end();
}

/* The last trial is in the part that steps are chosen on, or in the one that says when to stop. */
static void fit(int last_in_training)
{
    static struct solution solution;
    /* Nine trials, and three that include the last. */
    const int64_t(*train)[2] = last_in_training ? (const int64_t(*)[2])(trials + 9) : (const int64_t(*)[2])trials;
    const int64_t(*validate)[2] = last_in_training ? (const int64_t(*)[2])trials : (const int64_t(*)[2])(trials + 9);
    struct problem problem = {
        T, 1, y, x, pad, { 0, 0 }, { 0, 0 }, { 0, TRIALS }, starts, stops, 0.05, 0.05, TRFB_L1, 0,
    };
    trfb_view y_view, x_view, pads, lists[3], start, stop, h_view;
    trfb_fit_result result = TRFB_FIT_RESULT_INIT;
    double h[L] = { 0 };
    problem.train.rows = train[0];
    problem.train.count = last_in_training ? 3 : 9;
    problem.validate.rows = validate[0];
    problem.validate.count = last_in_training ? 9 : 3;
    problem.both.rows = trials[0];
    plain_fit(&problem, &solution);
    trfb_view_contiguous(&y_view, y, TRFB_FLOAT64, 1, of_t, TRFB_READONLY);
    trfb_view_contiguous(&x_view, x, TRFB_FLOAT64, 2, of_1t, TRFB_READONLY);
    trfb_view_contiguous(&pads, pad, TRFB_FLOAT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&lists[0], train, TRFB_INT64, 2, last_in_training ? of_32 : of_92, TRFB_READONLY);
    trfb_view_contiguous(&lists[1], validate, TRFB_INT64, 2, last_in_training ? of_92 : of_32, TRFB_READONLY);
    trfb_view_contiguous(&lists[2], trials, TRFB_INT64, 2, of_k2, TRFB_READONLY);
    trfb_view_contiguous(&start, starts, TRFB_INT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&stop, stops, TRFB_INT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&h_view, h, TRFB_FLOAT64, 2, of_1l, 0);
    check_begin("the bits of plain loops", "trfb_boosting_fit, the last trial for %s",
                last_in_training ? "training" : "validation");
    check_number("status", 0, trfb_boosting_fit(&y_view, &x_view, &pads, &lists[0], &lists[1], &lists[2], &start,
                                                &stop, 0.05, 0.05, TRFB_L1, 0, &h_view, NULL, &result, NULL));
    check_same_bits("h", solution.h, h, L);
    check_number("stop", solution.stop, result.stop);
    check_number("entries", solution.entries, result.entries);
    check_part(h[30 - START] > 0.4, "the predictor's weight at lag 30 was not found: %g", h[30 - START]);
    check_end();
}

int main(void)
{
    make_data();
    options(TRFB_L1);
    options(TRFB_L2);
    fit(0);
    fit(1);
    return check_finish();
}
