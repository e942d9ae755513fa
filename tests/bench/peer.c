/* The loops of the boosting estimator in plain C, as a peer for the benchmark: what a compiler
 * makes of them when it may do as it likes (-O3 -march=native -ffast-math). The order of the sums
 * is then the compiler's, and the bits with it. One fit, selective stopping off.
 *
 * Arrays are C-contiguous; segment lists are [k, 2] and end after k rows. Samples that a lag takes
 * outside of a segment see the pad. Returns the number of steps.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const double *x, *pads;
    const int64_t *start, *stop;
    int64_t n, samples, i_start, columns;
    int l2;
} problem;

typedef struct {
    const int64_t *rows;
    int64_t count;
} segments;

static double error_of(const double *y, segments list, int l2)
{
    double sum = 0;
    for (int64_t k = 0; k < list.count; k++)
        for (int64_t t = list.rows[2 * k]; t < list.rows[2 * k + 1]; t++)
            sum += l2 ? y[t] * y[t] : fabs(y[t]);
    return sum;
}

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static void options_of(const problem *p, const double *y, segments list, int64_t i, int64_t lag, double delta,
                       double *restrict add, double *restrict subtract)
{
    const double *x = p->x + i * p->samples;
    double a = 0, s = 0, pad = delta * p->pads[i];
    for (int64_t k = 0; k < list.count; k++) {
        int64_t from = list.rows[2 * k], to = list.rows[2 * k + 1];
        int64_t first = clamped(from + lag, from, to), last = clamped(to + lag, from, to);
        if (p->l2) {
            for (int64_t t = from; t < first; t++) a += (y[t] - pad) * (y[t] - pad), s += (y[t] + pad) * (y[t] + pad);
            for (int64_t t = last; t < to; t++) a += (y[t] - pad) * (y[t] - pad), s += (y[t] + pad) * (y[t] + pad);
            for (int64_t t = first; t < last; t++) {
                double d = delta * x[t - lag];
                a += (y[t] - d) * (y[t] - d);
                s += (y[t] + d) * (y[t] + d);
            }
        } else {
            for (int64_t t = from; t < first; t++) a += fabs(y[t] - pad), s += fabs(y[t] + pad);
            for (int64_t t = last; t < to; t++) a += fabs(y[t] - pad), s += fabs(y[t] + pad);
            for (int64_t t = first; t < last; t++) {
                double d = delta * x[t - lag];
                a += fabs(y[t] - d);
                s += fabs(y[t] + d);
            }
        }
    }
    *add = a;
    *subtract = s;
}

static void step(const problem *p, double *y, segments list, int64_t i, int64_t lag, double delta)
{
    const double *x = p->x + i * p->samples;
    for (int64_t k = 0; k < list.count; k++) {
        int64_t from = list.rows[2 * k], to = list.rows[2 * k + 1];
        int64_t first = clamped(from + lag, from, to), last = clamped(to + lag, from, to);
        for (int64_t t = from; t < first; t++) y[t] -= delta * p->pads[i];
        for (int64_t t = last; t < to; t++) y[t] -= delta * p->pads[i];
        for (int64_t t = first; t < last; t++) y[t] -= delta * x[t - lag];
    }
}

/* The error of every option into new_error [n, columns]: the sweep alone. */
void peer_options(const double *y, const double *x, const double *pads, const int64_t *start, const int64_t *stop,
                  int64_t n, int64_t samples, int64_t i_start, int64_t columns, int error, double delta,
                  const int64_t *train, int64_t n_train, double *new_error)
{
    problem p = {x, pads, start, stop, n, samples, i_start, columns, error == 2};
    segments list = {train, n_train};
    for (int64_t i = 0; i < n; i++)
        for (int64_t lag = start[i]; lag < stop[i]; lag++) {
            double add, subtract;
            options_of(&p, y, list, i, lag, delta, &add, &subtract);
            new_error[i * columns + lag - i_start] = add > subtract ? subtract : add;
        }
}

int64_t peer_fit(const double *signal, const double *x, const double *pads, const int64_t *start, const int64_t *stop,
                 int64_t n, int64_t samples, int64_t i_start, int64_t columns, int error, double delta,
                 double mindelta, const int64_t *train, int64_t n_train, const int64_t *validate, int64_t n_validate,
                 const int64_t *both, int64_t n_both, double *h)
{
    problem p = {x, pads, start, stop, n, samples, i_start, columns, error == 2};
    segments on_train = {train, n_train}, on_test = {validate, n_validate}, on_both = {both, n_both};
    double *y = malloc(samples * sizeof *y), *best_h = calloc(n * columns, sizeof *best_h);
    double last = 0, before = 0, best_test = INFINITY, e_train, last_delta = 0;
    int64_t last_i = -1, last_lag = 0, steps = 0;
    memcpy(y, signal, samples * sizeof *y);
    memset(h, 0, n * columns * sizeof *h);
    e_train = error_of(y, on_train, p.l2);
    for (; steps < 999999; steps++) {
        double test = error_of(y, on_test, p.l2), best = INFINITY, best_delta = 0;
        int64_t best_i = 0, best_lag = 0;
        if (test < best_test) {
            best_test = test;
            memcpy(best_h, h, n * columns * sizeof *h);
        } else if (steps > 10 && test > last && test > before)
            break;
        before = last;
        last = test;
        for (int64_t i = 0; i < n; i++)
            for (int64_t lag = start[i]; lag < stop[i]; lag++) {
                double add, subtract;
                options_of(&p, y, on_train, i, lag, delta, &add, &subtract);
                double least = add > subtract ? subtract : add;
                if (least < best) {
                    best = least;
                    best_i = i;
                    best_lag = lag;
                    best_delta = add > subtract ? -delta : delta;
                }
            }
        if (best > e_train) {
            delta *= 0.5;
            if (delta < mindelta)
                break;
            continue;
        }
        if (best_i == last_i && best_lag == last_lag && best_delta == -last_delta)
            break;
        e_train = best;
        last_i = best_i, last_lag = best_lag, last_delta = best_delta;
        h[best_i * columns + best_lag - i_start] += best_delta;
        step(&p, y, on_both, best_i, best_lag, best_delta);
    }
    memcpy(h, best_h, n * columns * sizeof *h);
    free(best_h);
    free(y);
    return steps;
}
