/* Progress callbacks: called on the calling thread, with what the header says,
 * free to call the library, and able to cancel. */
#include "arrays.h"
#include "check.h"

#include <pthread.h>
#include <string.h>

enum { T = 1000, N = 2, L = 20, N_Y = 3, N_SPLITS = 1, UNTOUCHED = 0x33 };

/* What a callback sees, and what it answers. */
struct watch {
    pthread_t thread;
    int cancel_at; /* the call at which it cancels; -1: never */
    int32_t answer;
    int calls_in; /* whether it calls the library itself */
    int64_t calls, first_done, last_done, last_total, elsewhere, backwards, failures;
};

static double y[N_Y][T], x[N][T];
static const double pads[N] = { 0, 0 };
static const int64_t starts[N] = { 0, 0 }, stops[N] = { L, L };
static const int64_t train[1][2] = { { 0, 700 } }, validate[1][2] = { { 700, T } }, both[1][2] = { { 0, T } };
static const int64_t of_t[] = { T }, of_yt[] = { N_Y, T }, of_nt[] = { N, T }, of_n[] = { N }, of_12[] = { 1, 2 };
static const int64_t of_112[] = { 1, 1, 2 }, of_nl[] = { N, L }, of_hs[] = { N_SPLITS, N_Y, N, L };
static const int64_t of_sy[] = { N_SPLITS, N_Y };

static int64_t sum_inside(void)
{
    trfb_view view, list;
    double out;
    trfb_view_contiguous(&view, x[0], TRFB_FLOAT64, 1, of_t, TRFB_READONLY);
    trfb_view_contiguous(&list, both, TRFB_INT64, 2, of_12, TRFB_READONLY);
    return trfb_error_for_indexes(&view, &list, TRFB_L2, &out, NULL);
}

static int32_t look(void *user, int64_t done, int64_t total)
{
    struct watch *watch = user;
    if (watch->calls == 0)
        watch->first_done = done;
    watch->backwards += watch->calls > 0 && done < watch->last_done;
    watch->elsewhere += !pthread_equal(watch->thread, pthread_self());
    watch->failures += watch->calls_in && sum_inside() != TRFB_STATUS_OK;
    watch->last_done = done;
    watch->last_total = total;
    return watch->calls++ == watch->cancel_at ? watch->answer : 0;
}

static struct watch watch_of(int cancel_at, int32_t answer, int calls_in)
{
    struct watch watch;
    memset(&watch, 0, sizeof watch);
    watch.thread = pthread_self();
    watch.cancel_at = cancel_at;
    watch.answer = answer;
    watch.calls_in = calls_in;
    return watch;
}

/* A fit with steps so small that it takes long; or long enough for a few calls. */
static int32_t fit(struct watch *watch, double delta, double *h, trfb_fit_result *result, trfb_error *details)
{
    trfb_view y_view, x_view, pads_view, lists[3], start, stop, h_view;
    trfb_view_contiguous(&y_view, y[0], TRFB_FLOAT64, 1, of_t, TRFB_READONLY);
    trfb_view_contiguous(&x_view, x, TRFB_FLOAT64, 2, of_nt, TRFB_READONLY);
    trfb_view_contiguous(&pads_view, pads, TRFB_FLOAT64, 1, of_n, TRFB_READONLY);
    trfb_view_contiguous(&lists[0], train, TRFB_INT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&lists[1], validate, TRFB_INT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&lists[2], both, TRFB_INT64, 2, of_12, TRFB_READONLY);
    trfb_view_contiguous(&start, starts, TRFB_INT64, 1, of_n, TRFB_READONLY);
    trfb_view_contiguous(&stop, stops, TRFB_INT64, 1, of_n, TRFB_READONLY);
    trfb_view_contiguous(&h_view, h, TRFB_FLOAT64, 2, of_nl, 0);
    result->progress = look;
    result->user = watch;
    return trfb_boosting_fit(&y_view, &x_view, &pads_view, &lists[0], &lists[1], &lists[2], &start, &stop, delta,
                             delta, TRFB_L2, 0, &h_view, NULL, result, details);
}

/* A double that is not touched; and the filter that is all of these. */
static void fill_untouched(void *memory, size_t size)
{
    memset(memory, UNTOUCHED, size);
}

static int is_untouched(const void *memory, size_t size)
{
    size_t i;
    for (i = 0; i < size; i++)
        if (((const unsigned char *)memory)[i] != UNTOUCHED)
            return 0;
    return 1;
}

static void check_watch(const struct watch *watch, int64_t total)
{
    check_number("calls on another thread", 0, watch->elsewhere);
    check_number("calls with fewer done than before", 0, watch->backwards);
    check_number("failures of calls from inside", 0, watch->failures);
    check_number("total", total, watch->last_total);
}

static void cancel_fit(int32_t answer)
{
    struct watch watch = watch_of(1, answer, 1);
    trfb_fit_result result = TRFB_FIT_RESULT_INIT, before;
    trfb_error details = TRFB_ERROR_INIT;
    double h[N * L];
    fill_untouched(h, sizeof h);
    before = result;
    before.progress = look;
    before.user = &watch;
    check_begin("status 23, untouched", "trfb_boosting_fit: cancelled with %d", (int)answer);
    check_number("status", TRFB_STATUS_CANCELLED, fit(&watch, 1e-7, h, &result, &details));
    check_number("details.status", TRFB_STATUS_CANCELLED, details.status);
    check_number("calls", 2, watch.calls);
    check_watch(&watch, 0);
    check_part(is_untouched(h, sizeof h), "h was written");
    check_part(!memcmp(&result, &before, sizeof result), "result was written");
    check_end();
}

static void watched_fit(void)
{
    struct watch watch = watch_of(-1, 0, 1), nobody = watch_of(-1, 0, 0);
    trfb_fit_result result = TRFB_FIT_RESULT_INIT, alone = TRFB_FIT_RESULT_INIT;
    double h[N * L], h_alone[N * L];
    check_begin("the fit that is not watched", "trfb_boosting_fit: watched to the end");
    check_number("status", TRFB_STATUS_OK, fit(&watch, 0.01, h, &result, NULL));
    check_number("status", TRFB_STATUS_OK, fit(&nobody, 0.01, h_alone, &alone, NULL));
    check_same_bits("h", h_alone, h, N * L);
    check_number("entries", alone.entries, result.entries);
    check_part(result.progress == look && result.user == &watch, "progress or user was changed");
    check_watch(&watch, 0);
    check_end();
}

struct results {
    double hs[N_SPLITS * N_Y * N * L];
    int8_t failed[N_SPLITS * N_Y], stop[N_SPLITS * N_Y];
    int64_t steps[N_SPLITS * N_Y];
};

static int32_t runs(struct watch *watch, double delta, int32_t num_threads, struct results *results)
{
    trfb_view y_view, x_view, pads_view, lists[3], start, stop, hs, failed, steps, reasons;
    trfb_view_contiguous(&y_view, y, TRFB_FLOAT64, 2, of_yt, TRFB_READONLY);
    trfb_view_contiguous(&x_view, x, TRFB_FLOAT64, 2, of_nt, TRFB_READONLY);
    trfb_view_contiguous(&pads_view, pads, TRFB_FLOAT64, 1, of_n, TRFB_READONLY);
    trfb_view_contiguous(&lists[0], train, TRFB_INT64, 3, of_112, TRFB_READONLY);
    trfb_view_contiguous(&lists[1], validate, TRFB_INT64, 3, of_112, TRFB_READONLY);
    trfb_view_contiguous(&lists[2], both, TRFB_INT64, 3, of_112, TRFB_READONLY);
    trfb_view_contiguous(&start, starts, TRFB_INT64, 1, of_n, TRFB_READONLY);
    trfb_view_contiguous(&stop, stops, TRFB_INT64, 1, of_n, TRFB_READONLY);
    trfb_view_contiguous(&hs, results->hs, TRFB_FLOAT64, 4, of_hs, 0);
    trfb_view_contiguous(&failed, results->failed, TRFB_INT8, 2, of_sy, 0);
    trfb_view_contiguous(&steps, results->steps, TRFB_INT64, 2, of_sy, 0);
    trfb_view_contiguous(&reasons, results->stop, TRFB_INT8, 2, of_sy, 0);
    return trfb_boosting_runs(&y_view, &x_view, &pads_view, &lists[0], &lists[1], &lists[2], &start, &stop, delta,
                              delta, TRFB_L2, 0, num_threads, &hs, &failed, &steps, &reasons, watch ? look : NULL,
                              watch, NULL);
}

static void watched_runs(int32_t num_threads)
{
    struct watch watch = watch_of(-1, 0, 1);
    struct results results, alone;
    fill_untouched(&results, sizeof results);
    fill_untouched(&alone, sizeof alone);
    check_begin("0 of 3 to 3 of 3, the same bits", "trfb_boosting_runs: watched, %d threads", (int)num_threads);
    check_number("status", TRFB_STATUS_OK, runs(&watch, 0.02, num_threads, &results));
    check_number("status", TRFB_STATUS_OK, runs(NULL, 0.02, 1, &alone));
    check_part(!memcmp(&results, &alone, sizeof results), "results differ from those of one thread");
    check_number("first done", 0, watch.first_done);
    check_number("last done", N_Y, watch.last_done);
    check_part(watch.calls >= 1 + N_Y, "only %d calls", (int)watch.calls);
    check_watch(&watch, N_Y);
    check_end();
}

/* At the first call nothing is done yet; at the third a second's worth of fits is going on. */
static void cancel_runs(int32_t num_threads, int cancel_at)
{
    struct watch watch = watch_of(cancel_at, -7, 0);
    struct results results;
    fill_untouched(&results, sizeof results);
    check_begin("status 23, untouched", "trfb_boosting_runs: cancelled at call %d, %d threads", cancel_at,
                (int)num_threads);
    check_number("status", TRFB_STATUS_CANCELLED, runs(&watch, 1e-7, num_threads, &results));
    check_number("calls", cancel_at + 1, watch.calls);
    check_part(is_untouched(&results, sizeof results), "an output was written");
    check_watch(&watch, N_Y);
    check_end();
}

int main(void)
{
    int64_t row, t;
    int32_t num_threads;
    fill(y[0], N_Y * T, 12);
    fill(x[0], N * T, 13);
    for (row = 0; row < N_Y; row++)
        for (t = 3; t < T; t++)
            y[row][t] = 0.3 * y[row][t] + 0.5 * x[0][t - 3];
    cancel_fit(1);
    cancel_fit(-1);
    watched_fit();
    for (num_threads = 1; num_threads <= 2; num_threads++) {
        watched_runs(num_threads);
        cancel_runs(num_threads, 0);
        cancel_runs(num_threads, 2);
    }
    return check_finish();
}
