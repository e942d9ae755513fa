/* trfb_boosting_fit and trfb_boosting_runs give the filters, histories and
 * reasons to stop of plain loops, however their arguments lie in memory. */
#include "arrays.h"
#include "check.h"
#include "plain.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { T = 200, N = 3, N_Y = 3, SPLITS = 2, K = 3, MOST_ROWS = 400 };

static const int64_t i_start_by_x[N] = { -1, 0, 2 }, i_stop_by_x[N] = { 4, 5, 6 };
enum { L = 7 }; /* lags -1 to 5 */
static const double x_pads[N] = { 0, 0.1, -0.2 };

/* Two splits: the parts change places. Short lists end with a row of -1. */
static const int64_t train[SPLITS][K][2] = {
    { { 0, 60 }, { 60, 130 }, { -1, -1 } }, { { 60, 130 }, { 130, 160 }, { 165, 200 } },
};
static const int64_t validate[SPLITS][K][2] = {
    { { 130, 160 }, { 165, 200 }, { -1, -1 } }, { { 0, 60 }, { -1, -1 }, { -1, -1 } },
};
static const int64_t both[SPLITS][4][2] = {
    { { 0, 60 }, { 60, 130 }, { 130, 160 }, { 165, 200 } }, { { 0, 60 }, { 60, 130 }, { 130, 160 }, { 165, 200 } },
};

static double y[N_Y][T], x[N][T];
static struct solution solutions[SPLITS][N_Y];

/* How fits are made. */
struct settings {
    double delta, mindelta;
    int32_t measure, selective_stopping;
};

static const struct settings all_settings[] = {
    { 0.05, 0.05, TRFB_L1, 0 },    { 0.05, 0.05, TRFB_L2, 0 },   { 0.1, 0.02, TRFB_L2, 0 },
    { 0.05, 0.0125, TRFB_L1, 0 }, { 0.05, 0.05, TRFB_L1, 1 }, { 0.1, 0.02, TRFB_L2, 1 },
};

/* The first row of y follows the predictors, the second does not, the third is silent. */
static void make_data(void)
{
    int64_t t;
    fill(y[0], N_Y * T, 7);
    fill(x[0], N * T, 8);
    for (t = 0; t < T; t++) {
        y[0][t] = 0.1 * y[0][t] + 0.6 * x[0][t] - (t >= 3 ? 0.3 * x[1][t - 3] : 0);
        y[2][t] = 0;
    }
}

static void solve(const struct settings *settings)
{
    int split, row;
    for (split = 0; split < SPLITS; split++)
        for (row = 0; row < N_Y; row++) {
            struct problem problem;
            problem.samples = T;
            problem.predictors = N;
            problem.y = y[row];
            problem.x = x[0];
            problem.x_pads = x_pads;
            problem.train.rows = train[split][0];
            problem.validate.rows = validate[split][0];
            problem.both.rows = both[split][0];
            problem.train.count = problem.validate.count = K;
            problem.both.count = 4;
            problem.i_start_by_x = i_start_by_x;
            problem.i_stop_by_x = i_stop_by_x;
            problem.delta = settings->delta;
            problem.mindelta = settings->mindelta;
            problem.measure = settings->measure;
            problem.selective_stopping = settings->selective_stopping;
            plain_fit(&problem, &solutions[split][row]);
            check_part(solutions[split][row].stop != 0, "the plain loops did not end");
        }
}

/* Arguments that all functions of this file have. */
struct inputs {
    struct array x, x_pads, i_start_by_x, i_stop_by_x;
};

static const int64_t of_nt[] = { N, T }, of_n[] = { N };

static void inputs_make(struct inputs *inputs, enum way way)
{
    array_make(&inputs->x, way, TRFB_FLOAT64, 2, of_nt, x, TRFB_READONLY, 0);
    array_make(&inputs->x_pads, way, TRFB_FLOAT64, 1, of_n, x_pads, TRFB_READONLY, 0);
    array_make(&inputs->i_start_by_x, way, TRFB_INT64, 1, of_n, i_start_by_x, TRFB_READONLY, 0);
    array_make(&inputs->i_stop_by_x, way, TRFB_INT64, 1, of_n, i_stop_by_x, TRFB_READONLY, 0);
}

static void inputs_free(struct inputs *inputs)
{
    check_part(array_untouched(&inputs->x) && array_untouched(&inputs->x_pads), "an input was written");
    array_free(&inputs->x);
    array_free(&inputs->x_pads);
    array_free(&inputs->i_start_by_x);
    array_free(&inputs->i_stop_by_x);
}

/* ------------------------------------------------------------------ one fit */

/* The history is asked for with this many rows. */
static void fit(enum way way, const struct settings *settings, int split, int row, int64_t history_rows)
{
    const struct solution *solution = &solutions[split][row];
    const int64_t of_t[] = { T }, of_k2[] = { K, 2 }, of_42[] = { 4, 2 }, of_nl[] = { N, L };
    const int64_t of_r6[] = { history_rows, 6 };
    int64_t written = history_rows < solution->entries ? history_rows : solution->entries;
    struct array y_view, lists[3], h_view, history_view;
    struct inputs inputs;
    trfb_fit_result result = TRFB_FIT_RESULT_INIT;
    double h[N * L], history[MOST_ROWS][6];
    inputs_make(&inputs, way);
    array_make(&y_view, way, TRFB_FLOAT64, 1, of_t, y[row], TRFB_READONLY, 0);
    array_make(&lists[0], way, TRFB_INT64, 2, of_k2, train[split], TRFB_READONLY, 0);
    array_make(&lists[1], way, TRFB_INT64, 2, of_k2, validate[split], TRFB_READONLY, 0);
    array_make(&lists[2], way, TRFB_INT64, 2, of_42, both[split], TRFB_READONLY, 0);
    array_make(&h_view, way, TRFB_FLOAT64, 2, of_nl, NULL, 0, 0);
    memset(history, 0x11, sizeof history);
    array_make(&history_view, way, TRFB_FLOAT64, 2, of_r6, history, 0, 0);
    check_number("status", TRFB_STATUS_OK,
                 trfb_boosting_fit(&y_view.view, &inputs.x.view, &inputs.x_pads.view, &lists[0].view, &lists[1].view,
                                   &lists[2].view, &inputs.i_start_by_x.view, &inputs.i_stop_by_x.view,
                                   settings->delta, settings->mindelta, settings->measure,
                                   settings->selective_stopping, &h_view.view, &history_view.view, &result, NULL));
    array_elements(&h_view, h);
    array_elements(&history_view, history);
    check_same_bits("h", solution->h, h, N * L);
    check_same_bits("history", &solution->history[0].i_step, history[0], 6 * written);
    check_part(written == history_rows || history[written][0] == history[MOST_ROWS - 1][0],
               "a row behind the entries was written");
    check_number("stop", solution->stop, result.stop);
    check_number("entries", solution->entries, result.entries);
    check_number("best_step", solution->best_step, result.best_step);
    check_part(array_gaps_untouched(&h_view) && array_gaps_untouched(&history_view), "bytes between were written");
    inputs_free(&inputs);
    array_free(&y_view);
    array_free(&lists[0]);
    array_free(&lists[1]);
    array_free(&lists[2]);
    array_free(&h_view);
    array_free(&history_view);
}

static void fits(enum way way, const struct settings *settings)
{
    int split, row;
    for (split = 0; split < SPLITS; split++)
        for (row = 0; row < N_Y; row++) {
            fit(way, settings, split, row, MOST_ROWS - 1);
            /* Too short for some, and without a row. */
            fit(way, settings, split, row, 3);
            fit(way, settings, split, row, 0);
        }
}

/* ---------------------------------------------------------------- many fits */

struct results {
    double hs[SPLITS][N_Y][N * L];
    int8_t failed[SPLITS][N_Y], stop[SPLITS][N_Y];
    int64_t steps[SPLITS][N_Y];
};

static void check_results(const struct results *results)
{
    int split, row;
    for (split = 0; split < SPLITS; split++)
        for (row = 0; row < N_Y; row++) {
            const struct solution *solution = &solutions[split][row];
            check_same_bits("hs", solution->h, results->hs[split][row], N * L);
            check_number("failed", solution->best_step < 0, results->failed[split][row]);
            check_number("steps", solution->entries - 1, results->steps[split][row]);
            check_number("stop", solution->stop, results->stop[split][row]);
        }
}

static void runs(enum way way, const struct settings *settings, int32_t num_threads)
{
    const int64_t of_yt[] = { N_Y, T }, of_sk2[] = { SPLITS, K, 2 }, of_s42[] = { SPLITS, 4, 2 };
    const int64_t of_sy[] = { SPLITS, N_Y }, of_synl[] = { SPLITS, N_Y, N, L };
    struct array y_view, lists[3], hs, failed, steps, stop;
    struct inputs inputs;
    struct results results;
    inputs_make(&inputs, way);
    array_make(&y_view, way, TRFB_FLOAT64, 2, of_yt, y, TRFB_READONLY, 0);
    array_make(&lists[0], way, TRFB_INT64, 3, of_sk2, train, TRFB_READONLY, 0);
    array_make(&lists[1], way, TRFB_INT64, 3, of_sk2, validate, TRFB_READONLY, 0);
    array_make(&lists[2], way, TRFB_INT64, 3, of_s42, both, TRFB_READONLY, 0);
    array_make(&hs, way, TRFB_FLOAT64, 4, of_synl, NULL, 0, 0);
    array_make(&failed, way, TRFB_INT8, 2, of_sy, NULL, 0, 0);
    array_make(&steps, way, TRFB_INT64, 2, of_sy, NULL, 0, 0);
    array_make(&stop, way, TRFB_INT8, 2, of_sy, NULL, 0, 0);
    check_number("status", TRFB_STATUS_OK,
                 trfb_boosting_runs(&y_view.view, &inputs.x.view, &inputs.x_pads.view, &lists[0].view, &lists[1].view,
                                    &lists[2].view, &inputs.i_start_by_x.view, &inputs.i_stop_by_x.view,
                                    settings->delta, settings->mindelta, settings->measure,
                                    settings->selective_stopping, num_threads, &hs.view, &failed.view, &steps.view,
                                    &stop.view, NULL, NULL, NULL));
    array_elements(&hs, results.hs);
    array_elements(&failed, results.failed);
    array_elements(&steps, results.steps);
    array_elements(&stop, results.stop);
    check_results(&results);
    check_part(array_gaps_untouched(&hs) && array_gaps_untouched(&failed) && array_gaps_untouched(&steps)
                   && array_gaps_untouched(&stop), "bytes between were written");
    /* What may be left out, left out. */
    check_number("status", TRFB_STATUS_OK,
                 trfb_boosting_runs(&y_view.view, &inputs.x.view, &inputs.x_pads.view, &lists[0].view, &lists[1].view,
                                    &lists[2].view, &inputs.i_start_by_x.view, &inputs.i_stop_by_x.view,
                                    settings->delta, settings->mindelta, settings->measure,
                                    settings->selective_stopping, num_threads, &hs.view, &failed.view, NULL, NULL,
                                    NULL, NULL, NULL));
    array_elements(&hs, results.hs);
    array_elements(&failed, results.failed);
    check_results(&results);
    inputs_free(&inputs);
    array_free(&y_view);
    array_free(&lists[0]);
    array_free(&lists[1]);
    array_free(&lists[2]);
    array_free(&hs);
    array_free(&failed);
    array_free(&steps);
    array_free(&stop);
}

/* ------------------------------------------------------------ reasons to stop */

/* One predictor that is 1 at both samples, one lag; the first sample is for training, the second for
 * validation. Then the filter is one number, and each step can be followed by hand. */
static const struct {
    const char *what;
    double y[2], delta, mindelta;
    int32_t selective_stopping, stop;
    int64_t entries, best_step;
    double h;
} small_fits[] = {
    /* 0.25 - 0.5 and back are as good as each other. */
    { "back and forth", { 0.25, 0.25 }, 0.5, 0.5, 0, TRFB_STOP_CIRCLES, 3, -1, 0 },
    /* 0.5 leaves 0.2, which 0.5 would make larger; 0.25 leaves -0.05; 0.125 is below mindelta. */
    { "delta halved, then too small", { 0.7, 0.7 }, 0.5, 0.25, 0, TRFB_STOP_NO_IMPROVEMENT, 5, 2, 0.75 },
    /* Each step towards 100 leads away from -100: the first entry and the steps 0 to 10. */
    { "a validation error that rises", { 100, -100 }, 0.5, 0.5, 0, TRFB_STOP_TEST_ERROR_RISES, 12, -1, 0 },
    { "the only predictor switched off", { 100, -100 }, 0.5, 0.5, 1, TRFB_STOP_NO_PREDICTOR_LEFT, 3, -1, 0 },
    { "switched off the second time", { 100, -100 }, 0.5, 0.5, 2, TRFB_STOP_NO_PREDICTOR_LEFT, 3, -1, 0 },
};

static void small_fit(size_t number)
{
    static const double ones[2] = { 1, 1 }, pad[1] = { 0 };
    static const int64_t starts[1] = { 0 }, stops[1] = { 1 }, lists[2][2] = { { 0, 1 }, { 1, 2 } };
    static const int64_t of_2[] = { 2 }, of_12[] = { 1, 2 }, of_22[] = { 2, 2 }, of_1[] = { 1 }, of_11[] = { 1, 1 };
    trfb_view y_view, x_view, pads, first, second, all, start, stop, h_view;
    trfb_fit_result result = TRFB_FIT_RESULT_INIT;
    double h = -1;
    trfb_view_contiguous(&y_view, small_fits[number].y, TRFB_FLOAT64, 1, of_2, TRFB_READONLY);
    trfb_view_contiguous(&x_view, ones, TRFB_FLOAT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&pads, pad, TRFB_FLOAT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&first, lists[0], TRFB_INT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&second, lists[1], TRFB_INT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&all, lists, TRFB_INT64, 2, of_22, TRFB_READONLY);
    trfb_view_contiguous(&start, starts, TRFB_INT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&stop, stops, TRFB_INT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&h_view, &h, TRFB_FLOAT64, 2, of_11, 0);
    check_begin("stop, entries, best step and filter", "%s", small_fits[number].what);
    check_number("status", 0,
                 trfb_boosting_fit(&y_view, &x_view, &pads, &first, &second, &all, &start, &stop,
                                   small_fits[number].delta, small_fits[number].mindelta, TRFB_L1,
                                   small_fits[number].selective_stopping, &h_view, NULL, &result, NULL));
    check_number("stop", small_fits[number].stop, result.stop);
    check_number("entries", small_fits[number].entries, result.entries);
    check_number("best_step", small_fits[number].best_step, result.best_step);
    check_same_bits("h", &small_fits[number].h, &h, 1);
    check_end();
}

int main(void)
{
    size_t i;
    int way;
    make_data();
    for (i = 0; i < sizeof all_settings / sizeof all_settings[0]; i++) {
        const struct settings *settings = &all_settings[i];
        check_begin("the same bits of filter and history", "l%d, delta %g to %g, selective stopping %d",
                    (int)settings->measure, settings->delta, settings->mindelta, (int)settings->selective_stopping);
        solve(settings);
        for (way = 0; way < WAYS; way++) {
            fits((enum way)way, settings);
            runs((enum way)way, settings, way % 4); /* 0: one thread per processor */
        }
        check_end();
    }
    for (i = 0; i < sizeof small_fits / sizeof small_fits[0]; i++)
        small_fit(i);
    return check_finish();
}
