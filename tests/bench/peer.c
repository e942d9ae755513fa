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

enum { LANES = 32 };

/* With one running sum a compiler has one vector to add to, and each addition waits for the last. So
 * sums are kept in lanes by hand: four vectors of 512 bits, or eight of 256, in flight. */
static double sum_of(const double *lanes)
{
    double sum = 0;
    for (int j = 0; j < LANES; j++) sum += lanes[j];
    return sum;
}

static double error_of(const double *restrict y, segments list, int l2)
{
    double lanes[LANES] = {0}, sum = 0;
    for (int64_t k = 0; k < list.count; k++) {
        int64_t t = list.rows[2 * k], to = list.rows[2 * k + 1];
        for (; t + LANES <= to; t += LANES)
            for (int j = 0; j < LANES; j++) lanes[j] += l2 ? y[t + j] * y[t + j] : fabs(y[t + j]);
        for (; t < to; t++) sum += l2 ? y[t] * y[t] : fabs(y[t]);
    }
    return sum + sum_of(lanes);
}

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Both signs over samples that meet the predictor, and over samples that meet the pad. */
#define SUMS(NAME, TERM)                                                                             \
    static void NAME(const double *restrict y, const double *restrict x, int64_t count, double delta, \
                     double *restrict add, double *restrict subtract)                                \
    {                                                                                                \
        double a[LANES / 2] = {0}, s[LANES / 2] = {0};                                               \
        int64_t t = 0;                                                                               \
        for (; t + LANES / 2 <= count; t += LANES / 2)                                               \
            for (int j = 0; j < LANES / 2; j++) {                                                    \
                double d = delta * x[t + j];                                                         \
                a[j] += TERM(y[t + j] - d);                                                          \
                s[j] += TERM(y[t + j] + d);                                                          \
            }                                                                                        \
        for (; t < count; t++) {                                                                     \
            double d = delta * x[t];                                                                 \
            a[0] += TERM(y[t] - d);                                                                  \
            s[0] += TERM(y[t] + d);                                                                  \
        }                                                                                            \
        for (int j = 0; j < LANES / 2; j++) *add += a[j], *subtract += s[j];                         \
    }                                                                                                \
    static void NAME##_pad(const double *restrict y, int64_t count, double pad,                      \
                           double *restrict add, double *restrict subtract)                          \
    {                                                                                                \
        double a = 0, s = 0;                                                                         \
        for (int64_t t = 0; t < count; t++) a += TERM(y[t] - pad), s += TERM(y[t] + pad);            \
        *add += a, *subtract += s;                                                                   \
    }
#define SQUARE(value) ((value) * (value))
SUMS(absolute, fabs)
SUMS(square, SQUARE)

static void options_of(const problem *p, const double *y, segments list, int64_t i, int64_t lag, double delta,
                       double *restrict add, double *restrict subtract)
{
    const double *x = p->x + i * p->samples;
    double pad = delta * p->pads[i];
    *add = *subtract = 0;
    for (int64_t k = 0; k < list.count; k++) {
        int64_t from = list.rows[2 * k], to = list.rows[2 * k + 1];
        int64_t first = clamped(from + lag, from, to), last = clamped(to + lag, from, to);
        if (p->l2) {
            square_pad(y + from, first - from, pad, add, subtract);
            square_pad(y + last, to - last, pad, add, subtract);
            square(y + first, x + first - lag, last - first, delta, add, subtract);
        } else {
            absolute_pad(y + from, first - from, pad, add, subtract);
            absolute_pad(y + last, to - last, pad, add, subtract);
            absolute(y + first, x + first - lag, last - first, delta, add, subtract);
        }
    }
}

static void step(const problem *p, double *restrict y, segments list, int64_t i, int64_t lag, double delta)
{
    const double *restrict x = p->x + i * p->samples;
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
    /* aligned to a cache line, in whole lines */
    double *y = aligned_alloc(64, (samples * sizeof *y + 63) / 64 * 64), *best_h = calloc(n * columns, sizeof *best_h);
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

/* The floor: what it takes to read numbers once ... */
double peer_sum(const double *numbers, int64_t count)
{
    segments all = {(int64_t[]){0, count}, 1};
    return error_of(numbers, all, 0);
}

/* ... and to look for the best of them, again and again. */
double peer_passes(const double *options, int64_t count, int64_t passes)
{
    double sum = 0;
    for (int64_t pass = 0; pass < passes; pass++) {
        double lanes[LANES] = {0};
        int64_t i = 0;
        for (; i + LANES <= count; i += LANES)
            for (int j = 0; j < LANES; j++) lanes[j] = fmax(lanes[j], fabs(options[i + j]));
        for (; i < count; i++) lanes[0] = fmax(lanes[0], fabs(options[i]));
        for (int j = 0; j < LANES; j++) sum += lanes[j];
        __asm__ volatile("" ::: "memory"); /* each pass reads anew */
    }
    return sum;
}
