/* trfb_convolve gives the numbers of plain loops, however its arguments lie in
 * memory. */
#include "arrays.h"
#include "check.h"
#include "plain.h"

#include <string.h>

enum { T = 80, N = 2, L = 6, K = 3 };

/* With gaps, and with one that is shorter than the filter. */
static const int64_t rows[K][2] = { { 2, 40 }, { 45, 48 }, { 48, 75 } };
static const int64_t of_nl[] = { N, L }, of_nt[] = { N, T }, of_n[] = { N }, of_k2[] = { K, 2 }, of_t[] = { T };

static void compare(enum way way, double h[N][L], double x[N][T], const double *x_pads, int64_t i_start)
{
    struct segments list = { rows[0], K };
    struct array h_view, x_view, pads_view, list_view, out_view;
    double expected[T], actual[T], before[T];
    fill(before, T, 9);
    memcpy(expected, before, sizeof expected);
    plain_convolve(h[0], x[0], x_pads, N, L, T, i_start, list, expected);
    array_make(&h_view, way, TRFB_FLOAT64, 2, of_nl, h, TRFB_READONLY, 0);
    array_make(&x_view, way, TRFB_FLOAT64, 2, of_nt, x, TRFB_READONLY, 0);
    array_make(&pads_view, way, TRFB_FLOAT64, 1, of_n, x_pads, TRFB_READONLY, 0);
    array_make(&list_view, way, TRFB_INT64, 2, of_k2, rows, TRFB_READONLY, 0);
    array_make(&out_view, way, TRFB_FLOAT64, 1, of_t, before, 0, 0);
    check_number("status", TRFB_STATUS_OK,
                 trfb_convolve(&h_view.view, &x_view.view, &pads_view.view, i_start, &list_view.view, &out_view.view,
                               NULL));
    array_elements(&out_view, actual);
    check_close("out", expected, actual, T);
    check_same_bits("out before the segments", before, actual, 2);
    check_same_bits("out between the segments", before + 40, actual + 40, 5);
    check_same_bits("out behind the segments", before + 75, actual + 75, 5);
    check_part(array_gaps_untouched(&out_view), "bytes between were written");
    array_free(&h_view);
    array_free(&x_view);
    array_free(&pads_view);
    array_free(&list_view);
    array_free(&out_view);
}

int main(void)
{
    static const double x_pads[N] = { 0.5, -0.25 };
    static const int64_t starts[] = { 0, -3, 4, 50, -70 };
    static double h[N][L], x[N][T];
    int way;
    size_t i;
    fill(h[0], N * L, 5);
    fill(x[0], N * T, 6);
    for (way = 0; way < WAYS; way++) {
        check_begin("the same to 1e-12, other samples untouched", "trfb_convolve, %s", way_names[way]);
        for (i = 0; i < sizeof starts / sizeof starts[0]; i++)
            compare((enum way)way, h, x, x_pads, starts[i]);
        check_end();
    }
    return check_finish();
}
