/* trfb_update_error and trfb_error_for_indexes give the numbers of plain
 * loops, however their arguments lie in memory. */
#include "arrays.h"
#include "check.h"
#include "plain.h"

#include <inttypes.h>
#include <string.h>

enum { T = 90, K = 4 };

static const int64_t rows[K][2] = { { 3, 40 }, { 35, 60 }, { 60, 60 }, { 70, 72 } };
static const int64_t of_t[] = { T }, of_k2[] = { K, 2 };

static void update(enum way way, const double *y, const double *x, double delta, int64_t shift)
{
    struct segments list = { rows[0], K };
    struct array y_view, x_view, list_view;
    double expected[T], actual[T];
    memcpy(expected, y, sizeof expected);
    plain_update_error(expected, x, 0.3, list, delta, shift);
    array_make(&y_view, way, TRFB_FLOAT64, 1, of_t, y, 0, 0);
    array_make(&x_view, way, TRFB_FLOAT64, 1, of_t, x, TRFB_READONLY, 0);
    array_make(&list_view, way, TRFB_INT64, 2, of_k2, rows, TRFB_READONLY, 0);
    check_number("status", TRFB_STATUS_OK,
                 trfb_update_error(&y_view.view, &x_view.view, 0.3, &list_view.view, delta, shift, NULL));
    array_elements(&y_view, actual);
    check_same_bits("y_error", expected, actual, T);
    check_part(array_gaps_untouched(&y_view), "bytes between were written");
    check_part(array_untouched(&x_view) && array_untouched(&list_view), "an input was written");
    array_free(&y_view);
    array_free(&x_view);
    array_free(&list_view);
}

static void sum(enum way way, const double *x, int32_t measure)
{
    struct segments list = { rows[0], K };
    struct array x_view, list_view;
    double expected = plain_error(x, list, measure), actual = -1;
    array_make(&x_view, way, TRFB_FLOAT64, 1, of_t, x, TRFB_READONLY, 0);
    array_make(&list_view, way, TRFB_INT64, 2, of_k2, rows, TRFB_READONLY, 0);
    check_number("status", TRFB_STATUS_OK,
                 trfb_error_for_indexes(&x_view.view, &list_view.view, measure, &actual, NULL));
    check_same_bits("out", &expected, &actual, 1);
    array_free(&x_view);
    array_free(&list_view);
}

static void all_ways(const double *y, const double *x)
{
    /* Lags beyond each segment, and beyond what an index can take. */
    static const int64_t shifts[] = { 0, 1, -1, 5, -36, 37, 89, -1000, INT64_MAX, INT64_MIN };
    static const double deltas[] = { 0.1, -0.1, 0 };
    int way;
    size_t i, j;
    for (way = 0; way < WAYS; way++) {
        check_begin("the same bits, other samples untouched", "trfb_update_error, %s", way_names[way]);
        for (i = 0; i < sizeof shifts / sizeof shifts[0]; i++)
            for (j = 0; j < sizeof deltas / sizeof deltas[0]; j++)
                update((enum way)way, y, x, deltas[j], shifts[i]);
        check_end();
        check_begin("the same bits", "trfb_error_for_indexes, %s", way_names[way]);
        sum((enum way)way, x, TRFB_L1);
        sum((enum way)way, x, TRFB_L2);
        check_end();
    }
}

/* 3 * .1 is rounded to 0.30000000000000004, which leaves nothing; a fused multiply-add would leave
 * 2.8e-17. */
static void no_fused_arithmetic(void)
{
    static const int64_t of_1[] = { 1 }, of_12[] = { 1, 2 }, all[1][2] = { { 0, 1 } };
    static const double three = 3, zero = 0;
    double y = 0.30000000000000004;
    trfb_view y_view, x_view, list;
    trfb_view_contiguous(&y_view, &y, TRFB_FLOAT64, 1, of_1, 0);
    trfb_view_contiguous(&x_view, &three, TRFB_FLOAT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&list, all, TRFB_INT64, 2, of_12, TRFB_READONLY);
    check_begin("exactly 0", "a product that is rounded before it is taken off");
    check_number("status", 0, trfb_update_error(&y_view, &x_view, 0, &list, 0.1, 0, NULL));
    check_same_bits("y_error", &zero, &y, 1);
    check_end();
}

/* More samples than 2^31, of which there is one in memory. */
static void long_signal(void)
{
    static const int64_t length[] = { (INT64_C(1) << 31) + 10 }, stride[] = { 0 }, of_12[] = { 1, 2 };
    static const int64_t row[1][2] = { { INT64_C(1) << 31, (INT64_C(1) << 31) + 5 } };
    static const double two = 2;
    trfb_view x, list;
    double out = -1;
    trfb_view_strided(&x, &two, TRFB_FLOAT64, 1, length, stride, TRFB_READONLY);
    trfb_view_contiguous(&list, row, TRFB_INT64, 2, of_12, TRFB_READONLY);
    check_begin("10", "a segment behind sample 2^31");
    check_number("status", 0, trfb_error_for_indexes(&x, &list, TRFB_L1, &out, NULL));
    check_number("out", 10, (int64_t)out);
    check_end();
}

int main(void)
{
    static double y[T], x[T];
    fill(y, T, 3);
    fill(x, T, 4);
    all_ways(y, x);
    no_fused_arithmetic();
    long_signal();
    return check_finish();
}
