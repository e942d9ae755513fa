/* What the functions compute, in plain loops on contiguous arrays: the
 * definition, line by line, to hold the library against. Arithmetic is in the
 * order that the results' bits depend on. */
#ifndef PLAIN_H
#define PLAIN_H

#include <stdint.h>

/* Rows of start and stop; the list ends with its length or a start of -1. */
struct segments {
    const int64_t *rows;
    int64_t count;
};

double plain_error(const double *x, struct segments segments, int32_t measure);

void plain_update_error(double *y_error, const double *x, double x_pad, struct segments segments,
                        double delta, int64_t shift);

/* The errors of adding and of subtracting delta times the shifted predictor. */
void plain_option(const double *y_error, const double *x, double x_pad, struct segments segments,
                  int32_t measure, double delta, int64_t shift, double *error, int8_t *sign);

void plain_convolve(const double *h, const double *x, const double *x_pads, int64_t predictors, int64_t columns,
                    int64_t samples, int64_t i_start, struct segments segments, double *out);

/* One fit. */
struct problem {
    int64_t samples, predictors;
    const double *y, *x, *x_pads;
    struct segments train, validate, both;
    const int64_t *i_start_by_x, *i_stop_by_x;
    double delta, mindelta;
    int32_t measure;
    int32_t selective_stopping; /* 0 or 1 here */
};

enum { MOST_ENTRIES = 4000, MOST_CELLS = 512, MOST_SAMPLES = 12000, MOST_PREDICTORS = 16 };

struct entry {
    double i_step, i_stim, i_time, delta, e_test, e_train;
};

struct solution {
    double h[MOST_CELLS]; /* [predictors, columns] */
    int64_t columns;
    struct entry history[MOST_ENTRIES];
    int64_t entries, best_step;
    int32_t stop; /* enum trfb_stop; 0: more entries than there is room for */
};

void plain_fit(const struct problem *problem, struct solution *solution);

#endif
