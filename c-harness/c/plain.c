#include "plain.h"

#include <math.h>
#include <string.h>
#include <trfboost.h>

/* Where the sample t - lag lies, for any lag: differences of samples do not overflow. */
enum place { BEFORE, BEHIND, INSIDE, PLACES };

static enum place place(int64_t start, int64_t stop, int64_t t, int64_t lag)
{
    return lag > t - start ? BEFORE : lag <= t - stop ? BEHIND : INSIDE;
}

/* Sample t of the predictor shifted by a lag, within the segment [start, stop). */
static double shifted(const double *x, double x_pad, int64_t start, int64_t stop, int64_t t, int64_t lag)
{
    return place(start, stop, t, lag) == INSIDE ? x[t - lag] : x_pad;
}

static double cost(double difference, int32_t measure)
{
    return measure == TRFB_L1 ? fabs(difference) : difference * difference;
}

/* Whether the list has a row of this number. */
static int has(struct segments segments, int64_t row)
{
    return row < segments.count && segments.rows[2 * row] != -1;
}

double plain_error(const double *x, struct segments segments, int32_t measure)
{
    double sum = 0;
    int64_t row, t;
    for (row = 0; has(segments, row); row++)
        for (t = segments.rows[2 * row]; t < segments.rows[2 * row + 1]; t++)
            sum += cost(x[t], measure);
    return sum;
}

void plain_update_error(double *y_error, const double *x, double x_pad, struct segments segments,
                        double delta, int64_t shift)
{
    int64_t row, t;
    for (row = 0; has(segments, row); row++) {
        int64_t start = segments.rows[2 * row], stop = segments.rows[2 * row + 1];
        for (t = start; t < stop; t++)
            y_error[t] -= delta * shifted(x, x_pad, start, stop, t, shift);
    }
}

void plain_option(const double *y_error, const double *x, double x_pad, struct segments segments,
                  int32_t measure, double delta, int64_t shift, double *error, int8_t *sign)
{
    double add = 0, subtract = 0;
    int64_t row, t;
    int turn;
    for (row = 0; has(segments, row); row++) {
        int64_t start = segments.rows[2 * row], stop = segments.rows[2 * row + 1];
        /* Samples that see the pad come first, which decides how the sums are rounded. */
        for (turn = BEFORE; turn < PLACES; turn++)
            for (t = start; t < stop; t++) {
                double change = delta * shifted(x, x_pad, start, stop, t, shift);
                if (place(start, stop, t, shift) != (enum place)turn)
                    continue;
                add += cost(y_error[t] - change, measure);
                subtract += cost(y_error[t] + change, measure);
            }
    }
    *error = add > subtract ? subtract : add;
    *sign = add > subtract ? -1 : 1;
}

void plain_convolve(const double *h, const double *x, const double *x_pads, int64_t predictors, int64_t columns,
                    int64_t samples, int64_t i_start, struct segments segments, double *out)
{
    int64_t row, t, i, column;
    for (row = 0; has(segments, row); row++) {
        int64_t start = segments.rows[2 * row], stop = segments.rows[2 * row + 1];
        for (t = start; t < stop; t++) {
            out[t] = 0;
            for (i = 0; i < predictors; i++)
                for (column = 0; column < columns; column++)
                    out[t] += h[i * columns + column]
                              * shifted(x + i * samples, x_pads[i], start, stop, t, i_start + column);
        }
    }
}

/* -------------------------------------------------------------------- a fit */

/* What changes during a fit. */
struct state {
    double residual[MOST_SAMPLES];
    int active[MOST_PREDICTORS];
    int64_t i_start;
    double delta;
};

/* The first smallest error, in row order. */
static struct entry best_option(const struct problem *problem, const struct state *state, int64_t i_step)
{
    struct entry best = { 0, -1, -1, 0, NAN, INFINITY };
    int64_t i, lag;
    best.i_step = (double)i_step;
    for (i = 0; i < problem->predictors; i++)
        for (lag = problem->i_start_by_x[i]; state->active[i] && lag < problem->i_stop_by_x[i]; lag++) {
            double error;
            int8_t sign;
            plain_option(state->residual, problem->x + i * problem->samples, problem->x_pads[i], problem->train,
                         problem->measure, state->delta, lag, &error, &sign);
            if (error < best.e_train) {
                best.i_stim = (double)i;
                best.i_time = (double)(lag - state->i_start);
                best.delta = sign * state->delta;
                best.e_train = error;
            }
        }
    return best;
}

/* Adds an entry to the filter and takes it off the residual; or, with sign -1, the reverse. */
static void apply(const struct problem *problem, struct state *state, struct solution *solution,
                  const struct entry *entry, double sign)
{
    int64_t i = (int64_t)entry->i_stim, column = (int64_t)entry->i_time;
    solution->h[i * solution->columns + column] += sign * entry->delta;
    plain_update_error(state->residual, problem->x + i * problem->samples, problem->x_pads[i], problem->both,
                       sign * entry->delta, column + state->i_start);
}

static void prepare(const struct problem *problem, struct state *state, struct solution *solution)
{
    struct entry first = { -1, -1, -1, 0, NAN, 0 };
    int64_t i, stop = problem->i_stop_by_x[0];
    memcpy(state->residual, problem->y, (size_t)problem->samples * sizeof(double));
    memset(solution->h, 0, sizeof solution->h);
    state->delta = problem->delta;
    state->i_start = problem->i_start_by_x[0];
    for (i = 0; i < problem->predictors; i++) {
        state->active[i] = 1;
        if (problem->i_start_by_x[i] < state->i_start)
            state->i_start = problem->i_start_by_x[i];
        if (problem->i_stop_by_x[i] > stop)
            stop = problem->i_stop_by_x[i];
    }
    solution->columns = stop - state->i_start;
    first.e_train = plain_error(problem->y, problem->train, problem->measure);
    solution->history[0] = first;
    solution->entries = 1;
    solution->best_step = -1;
    solution->stop = 0;
}

/* The validation error has risen: whether that ends the fit. */
static int risen(const struct problem *problem, struct state *state, struct solution *solution, int64_t i_step)
{
    struct entry *last = &solution->history[solution->entries - 1];
    int64_t i, left = 0;
    if (!problem->selective_stopping) {
        int twice = i_step > 10 && last->e_test > last[-2].e_test;
        solution->stop = twice ? TRFB_STOP_TEST_ERROR_RISES : 0;
        return twice;
    }
    if (last->delta == 0)
        return 0;
    state->active[(int64_t)last->i_stim] = 0;
    for (i = 0; i < problem->predictors; i++)
        left += state->active[i];
    if (!left) {
        solution->stop = TRFB_STOP_NO_PREDICTOR_LEFT;
        return 1;
    }
    apply(problem, state, solution, last, -1);
    solution->entries--;
    return 0;
}

/* Makes the next step: whether that ends the fit. */
static int step(const struct problem *problem, struct state *state, struct solution *solution, int64_t i_step)
{
    struct entry *last = &solution->history[solution->entries - 1], *next = last + 1;
    *next = best_option(problem, state, i_step);
    solution->entries++;
    if (next->e_train > last->e_train) {
        state->delta /= 2;
        next->delta = 0;
        if (state->delta < problem->mindelta) {
            solution->stop = TRFB_STOP_NO_IMPROVEMENT;
            return 1;
        }
        next->i_stim = next->i_time = -1; /* the error is still that of the option refused */
        return 0;
    }
    if (next->i_stim == last->i_stim && next->i_time == last->i_time && next->delta == -last->delta) {
        next->delta = 0;
        solution->stop = TRFB_STOP_CIRCLES;
        return 1;
    }
    apply(problem, state, solution, next, 1);
    return 0;
}

void plain_fit(const struct problem *problem, struct solution *solution)
{
    static struct state state;
    double best = INFINITY;
    int64_t i_step, row;
    prepare(problem, &state, solution);
    for (i_step = 0; solution->entries < MOST_ENTRIES; i_step++) {
        struct entry *last = &solution->history[solution->entries - 1];
        last->e_test = plain_error(state.residual, problem->validate, problem->measure);
        if (last->e_test < best) {
            best = last->e_test;
            solution->best_step = (int64_t)last->i_step;
        } else if (i_step >= 2 && solution->entries >= 2 && last->e_test > last[-1].e_test
                   && risen(problem, &state, solution, i_step)) {
            break;
        }
        if (step(problem, &state, solution, i_step))
            break;
    }
    for (row = solution->entries - 1; row >= 0 && solution->history[row].i_step > solution->best_step; row--) {
        const struct entry *entry = &solution->history[row];
        if (entry->delta != 0)
            solution->h[(int64_t)entry->i_stim * solution->columns + (int64_t)entry->i_time] -= entry->delta;
    }
    if (solution->best_step < 0)
        memset(solution->h, 0, sizeof solution->h);
}
