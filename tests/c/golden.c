/* The stored fits, through the C functions: filter and history have the bits of
 * the file. "golden.h" is written by tests/tests/golden.rs from
 * tests/data/golden.json. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trfboost.h"

struct fit {
    const char *name;
    int64_t samples, predictors, columns, entries, rows[3];
    const double *y, *x, *x_pads;
    const int64_t *lists[3], *i_start_by_x, *i_stop_by_x;
    double delta, mindelta;
    int32_t error, selective_stopping;
    const double *h, *history;
};

#include "golden.h"

enum { MOST_CELLS = 1024, MOST_ENTRIES = 1024 };

static void view(trfb_view *view, const void *data, int32_t dtype, int64_t rows, int64_t columns, uint64_t flags)
{
    int64_t shape[2];
    int32_t ndim = rows < 0 ? 1 : 2; /* rows < 0: one-dimensional */
    shape[0] = ndim == 1 ? columns : rows;
    shape[1] = columns;
    trfb_view_contiguous(view, (void *)data, dtype, ndim, shape, flags);
}

/* All NaN are one: their sign and payload have no meaning. */
static int same_bits(const double *found, const double *expected, int64_t count)
{
    int64_t i;
    for (i = 0; i < count; i++)
        if (memcmp(&found[i], &expected[i], sizeof *found) && !(isnan(found[i]) && isnan(expected[i]))) {
            printf("number %ld is %.17g, expected %.17g\n", (long)i, found[i], expected[i]);
            return 0;
        }
    return 1;
}

static int same(const struct fit *fit)
{
    static double h[MOST_CELLS], history[MOST_ENTRIES * 6];
    trfb_view y, x, x_pads, lists[3], start, stop, h_view, history_view;
    trfb_fit_result result = TRFB_FIT_RESULT_INIT;
    trfb_error details = TRFB_ERROR_INIT;
    int list;
    if (fit->predictors * fit->columns > MOST_CELLS || fit->entries > MOST_ENTRIES)
        return 0;
    view(&y, fit->y, TRFB_FLOAT64, -1, fit->samples, TRFB_READONLY);
    view(&x, fit->x, TRFB_FLOAT64, fit->predictors, fit->samples, TRFB_READONLY);
    view(&x_pads, fit->x_pads, TRFB_FLOAT64, -1, fit->predictors, TRFB_READONLY);
    for (list = 0; list < 3; list++)
        view(&lists[list], fit->lists[list], TRFB_INT64, fit->rows[list], 2, TRFB_READONLY);
    view(&start, fit->i_start_by_x, TRFB_INT64, -1, fit->predictors, TRFB_READONLY);
    view(&stop, fit->i_stop_by_x, TRFB_INT64, -1, fit->predictors, TRFB_READONLY);
    view(&h_view, h, TRFB_FLOAT64, fit->predictors, fit->columns, 0);
    view(&history_view, history, TRFB_FLOAT64, MOST_ENTRIES, 6, 0);
    if (trfb_boosting_fit(&y, &x, &x_pads, &lists[0], &lists[1], &lists[2], &start, &stop, fit->delta, fit->mindelta,
                          fit->error, fit->selective_stopping, &h_view, &history_view, &result, &details)) {
        printf("%s\n", details.message);
        return 0;
    }
    return result.entries == fit->entries && same_bits(history, fit->history, 6 * fit->entries)
        && same_bits(h, fit->h, fit->predictors * fit->columns);
}

int main(void)
{
    int differences = 0;
    size_t i;
    for (i = 0; i < sizeof fits / sizeof *fits; i++)
        if (!same(&fits[i])) {
            printf("different: %s\n", fits[i].name);
            differences++;
        }
    return differences != 0;
}
