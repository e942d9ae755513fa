/* A fit that does not end: with a delta that is too small for the data it is
 * given up after 999 999 steps. */
#include "check.h"

#include <trfboost.h>

/* One sample for training and one for validation, one predictor at one lag, so that steps are short.
 * From 100 down to 0 there are 1e14 steps of 1e-12. */
static const double y[2] = { 100, 100 }, x[2] = { 1, 1 }, pads[1] = { 0 };
static const int64_t lists[2][2] = { { 0, 1 }, { 1, 2 } }, starts[1] = { 0 }, stops[1] = { 1 };
static const int64_t of_2[] = { 2 }, of_12[] = { 1, 2 }, of_22[] = { 2, 2 }, of_1[] = { 1 }, of_11[] = { 1, 1 };

int main(void)
{
    trfb_view y_view, x_view, pads_view, train, validate, both, start, stop, h_view;
    trfb_error details = TRFB_ERROR_INIT;
    trfb_fit_result result = TRFB_FIT_RESULT_INIT;
    double h = -12345;
    trfb_view_contiguous(&y_view, y, TRFB_FLOAT64, 1, of_2, TRFB_READONLY);
    trfb_view_contiguous(&x_view, x, TRFB_FLOAT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&pads_view, pads, TRFB_FLOAT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&train, lists[0], TRFB_INT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&validate, lists[1], TRFB_INT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&both, lists, TRFB_INT64, 2, of_22, TRFB_READONLY);
    trfb_view_contiguous(&start, starts, TRFB_INT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&stop, stops, TRFB_INT64, 1, of_1, TRFB_READONLY);
    trfb_view_contiguous(&h_view, &h, TRFB_FLOAT64, 2, of_11, 0);
    check_begin("status 22, untouched", "trfb_boosting_fit: delta 1e-12");
    check_number("status", TRFB_STATUS_TOO_MANY_STEPS,
                 trfb_boosting_fit(&y_view, &x_view, &pads_view, &train, &validate, &both, &start, &stop, 1e-12, 1e-12,
                                   TRFB_L1, 0, &h_view, NULL, &result, &details));
    check_number("argument", 8, details.argument);
    check_number("entries", 0, result.entries);
    check_part(h == -12345, "h was written");
    check_end();
    return check_finish();
}
