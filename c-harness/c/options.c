/* trfb_generate_options gives the numbers of plain loops, however its
 * arguments lie in memory. */
#include "arrays.h"
#include "check.h"
#include "plain.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { T = 120, N = 3, L = 9, K = 5 };

static const int64_t i_start = -2;
static const int64_t i_start_by_x[N] = { -2, 0, 3 }, i_stop_by_x[N] = { 7, 4, 6 };
/* Touching, overlapping and empty ones, one shorter than some lags; the last row is not looked at. */
static const int64_t segments[K][2] = { { 0, 50 }, { 50, 53 }, { 40, 90 }, { 100, 100 }, { -1, 7 } };
static const double x_pads[N] = { 0, 0.25, -0.5 };
static const double delta = 0.05;

static const int64_t of_t[] = { T }, of_nt[] = { N, T }, of_n[] = { N }, of_k2[] = { K, 2 }, of_nl[] = { N, L };

struct results {
    double error[N][L];
    int8_t sign[N][L];
};

/* What the plain loops give; the cells that are not to be touched are those of `results` before. */
static void plain(const double *y, double x[N][T], const int8_t *active, int32_t measure, struct results *results)
{
    struct segments list = { segments[0], K };
    int64_t i, lag;
    for (i = 0; i < N; i++)
        for (lag = i_start_by_x[i]; active[i] && lag < i_stop_by_x[i]; lag++)
            plain_option(y, x[i], x_pads[i], list, measure, delta, lag, &results->error[i][lag - i_start],
                         &results->sign[i][lag - i_start]);
}

/* All arguments lie in the same way, or the outputs in another. */
static void compare(enum way way, enum way out_way, int32_t measure, const double *y, double x[N][T],
                    const int8_t *active)
{
    struct array y_view, x_view, pads_view, active_view, segments_view, start_view, stop_view, error_view, sign_view;
    struct results expected, actual;
    trfb_error details = TRFB_ERROR_INIT;
    memset(&expected, 0x11, sizeof expected);
    memset(&actual, 0x11, sizeof actual);
    plain(y, x, active, measure, &expected);
    array_make(&y_view, way, TRFB_FLOAT64, 1, of_t, y, TRFB_READONLY, 0);
    array_make(&x_view, way, TRFB_FLOAT64, 2, of_nt, x, TRFB_READONLY, 0);
    array_make(&pads_view, way, TRFB_FLOAT64, 1, of_n, x_pads, TRFB_READONLY, 0);
    array_make(&active_view, way, TRFB_INT8, 1, of_n, active, TRFB_READONLY, 0);
    array_make(&segments_view, way, TRFB_INT64, 2, of_k2, segments, TRFB_READONLY, 0);
    array_make(&start_view, way, TRFB_INT64, 1, of_n, i_start_by_x, TRFB_READONLY, 0);
    array_make(&stop_view, way, TRFB_INT64, 1, of_n, i_stop_by_x, TRFB_READONLY, 0);
    array_make(&error_view, out_way, TRFB_FLOAT64, 2, of_nl, actual.error, 0, 0);
    array_make(&sign_view, out_way, TRFB_INT8, 2, of_nl, actual.sign, 0, 0);
    check_number("status",
                 TRFB_STATUS_OK,
                 trfb_generate_options(&y_view.view, &x_view.view, &pads_view.view, &active_view.view,
                                       &segments_view.view, i_start, &start_view.view, &stop_view.view, measure,
                                       delta, &error_view.view, &sign_view.view, &details));
    array_elements(&error_view, actual.error);
    array_elements(&sign_view, actual.sign);
    check_same_bits("new_error", expected.error[0], actual.error[0], N * L);
    check_part(!memcmp(expected.sign, actual.sign, sizeof actual.sign), "new_sign differs");
    check_part(array_gaps_untouched(&error_view) && array_gaps_untouched(&sign_view), "bytes between were written");
    check_part(array_untouched(&y_view) && array_untouched(&x_view) && array_untouched(&segments_view),
               "an input was written");
    array_free(&y_view);
    array_free(&x_view);
    array_free(&pads_view);
    array_free(&active_view);
    array_free(&segments_view);
    array_free(&start_view);
    array_free(&stop_view);
    array_free(&error_view);
    array_free(&sign_view);
}

/* Every way for inputs with every way for outputs. */
static void all_ways(const double *y, double x[N][T])
{
    static const int8_t all[N] = { 1, 1, 1 }, some[N] = { 1, 0, -1 };
    int way, out_way;
    int32_t measure;
    for (way = 0; way < WAYS; way++)
        for (measure = TRFB_L1; measure <= TRFB_L2; measure++) {
            check_begin("the same bits, other cells untouched", "inputs %s, l%d", way_names[way], (int)measure);
            for (out_way = 0; out_way < WAYS; out_way++) {
                compare((enum way)way, (enum way)out_way, measure, y, x, all);
                compare((enum way)way, (enum way)out_way, measure, y, x, some);
            }
            check_end();
        }
}

/* x is 1 at sample 2 and y at sample 3; delta .5, l2, lags 0 and 1. With a border at sample 3 the
 * lag does not reach over it: lag 0: .25 + 1 = 1.25; lag 1: 1 either way, a tie, which is +1. Without
 * a border, lag 1 leaves .25. */
static void edge_between_segments(void)
{
    static const double pulse[6] = { 0, 0, 1, 0, 0, 0 }, answer[6] = { 0, 0, 0, 1, 0, 0 }, pad[1] = { 0 };
    static const int64_t two[2][2] = { { 0, 3 }, { 3, 6 } }, one[1][2] = { { 0, 6 } };
    static const int64_t of_6[] = { 6 }, of_16[] = { 1, 6 }, of_1[] = { 1 }, of_12[] = { 1, 2 }, of_22[] = { 2, 2 };
    static const int64_t start[1] = { 0 }, stop[1] = { 2 };
    static const int8_t active[1] = { 1 };
    static const double expected[2][2] = { { 1.25, 1.0 }, { 1.25, 0.25 } };
    trfb_view y, x, pads, active_view, lists[2], start_view, stop_view, new_error, new_sign;
    int turn;
    trfb_view_contiguous(&y, answer, TRFB_FLOAT64, 1, of_6, TRFB_READONLY);
    trfb_view_contiguous(&x, pulse, TRFB_FLOAT64, 2, of_16, TRFB_READONLY);
    trfb_view_contiguous(&pads, pad, TRFB_FLOAT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&active_view, active, TRFB_INT8, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&lists[0], two, TRFB_INT64, 2, of_22, TRFB_READONLY);
    trfb_view_contiguous(&lists[1], one, TRFB_INT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&start_view, start, TRFB_INT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&stop_view, stop, TRFB_INT64, 1, of_1, TRFB_READONLY);
    check_begin("lags do not reach over it; +1 on a tie", "a border between segments");
    for (turn = 0; turn < 2; turn++) {
        double error[2] = { -1, -1 };
        int8_t sign[2] = { 0, 0 };
        trfb_view_contiguous(&new_error, error, TRFB_FLOAT64, 2, of_12, 0);
        trfb_view_contiguous(&new_sign, sign, TRFB_INT8, 2, of_12, 0);
        check_number("status", 0, trfb_generate_options(&y, &x, &pads, &active_view, &lists[turn], 0, &start_view,
                                                        &stop_view, TRFB_L2, 0.5, &new_error, &new_sign, NULL));
        check_same_bits("new_error", expected[turn], error, 2);
        check_number("new_sign[0]", 1, sign[0]);
        check_number("new_sign[1]", 1, sign[1]);
    }
    check_end();
}

/* The row of a record array, and one value that stands for many: strides that are no multiple of what
 * is contiguous, and 0. */
static void records_and_constants(void)
{
    struct record {
        int32_t k;
        double value;
    } records[4] = { { 1, 1 }, { 2, -2 }, { 3, 4 }, { 4, -8 } };
    static const double constant = 2;
    static const int64_t of_4[] = { 4 }, of_12[] = { 1, 2 }, record_stride[] = { sizeof(struct record) };
    static const int64_t no_stride[] = { 0 }, all[1][2] = { { 0, 4 } };
    trfb_view view, list;
    double sum = -1;
    trfb_view_contiguous(&list, all, TRFB_INT64, 2, of_12, TRFB_READONLY);
    trfb_view_strided(&view, &records[0].value, TRFB_FLOAT64, 1, of_4, record_stride, TRFB_READONLY);
    check_begin("15 and 8", "a field of records; one value for all");
    check_number("status", 0, trfb_error_for_indexes(&view, &list, TRFB_L1, &sum, NULL));
    check_number("sum of the field", 15, (int64_t)sum);
    trfb_view_strided(&view, &constant, TRFB_FLOAT64, 1, of_4, no_stride, TRFB_READONLY);
    check_number("status", 0, trfb_error_for_indexes(&view, &list, TRFB_L1, &sum, NULL));
    check_number("sum of the constant", 8, (int64_t)sum);
    check_end();
}

int main(void)
{
    static double y[T], x[N][T];
    int64_t t;
    fill(y, T, 1);
    fill(x[0], N * T, 2);
    all_ways(y, x);
    /* What Eelbrain compares: NaN is written as it comes, with sign +1. */
    y[45] = NAN;
    check_begin("NaN as it comes, sign +1", "NaN in y_error");
    compare(WAY_STRIDED, WAY_REVERSED, TRFB_L1, y, x, (const int8_t[]){ 1, 1, 1 });
    check_end();
    /* Rounded predictors and residuals make options that tie exactly. */
    for (t = 0; t < T; t++) {
        y[t] = floor(4 * x[0][t]) / 4;
        x[0][t] = floor(2 * x[1][t]) / 2;
    }
    check_begin("the same bits and signs", "exact ties");
    compare(WAY_TRANSPOSED, WAY_MIXED, TRFB_L1, y, x, (const int8_t[]){ 1, 1, 1 });
    compare(WAY_MIXED, WAY_CONTIGUOUS, TRFB_L2, y, x, (const int8_t[]){ 1, 1, 1 });
    check_end();
    edge_between_segments();
    records_and_constants();
    return check_finish();
}
