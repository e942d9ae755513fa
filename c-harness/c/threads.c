/* Calls from several threads at once, on different outputs, and in a process
 * that was forked after earlier calls. */
#include "calls.h"
#include "check.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 5, HS = 13, FIT_CELLS = N_SPLITS * N_Y * N * L };

/* One call of trfb_boosting_runs and its filters. */
struct task {
    struct example example;
    double hs[FIT_CELLS];
    int64_t failures;
};

static void *work(void *argument)
{
    struct task *task = argument;
    int round;
    for (round = 0; round < ROUNDS; round++)
        task->failures += example_call(&task->example, NULL) != TRFB_STATUS_OK;
    array_elements(&task->example.arrays[HS], task->hs);
    return NULL;
}

static void task_make(struct task *task, int32_t num_threads)
{
    memset(task, 0, sizeof *task);
    example_make(&task->example, &calls[BOOSTING_RUNS]);
    task->example.scalars.num_threads = num_threads;
}

static void several_threads(const double *expected)
{
    static struct task tasks[THREADS];
    pthread_t threads[THREADS];
    int i;
    check_begin("the bits of one call", "%d threads call trfb_boosting_runs with 3 threads each", THREADS);
    for (i = 0; i < THREADS; i++) {
        task_make(&tasks[i], 3);
        check_number("pthread_create", 0, pthread_create(&threads[i], NULL, work, &tasks[i]));
    }
    for (i = 0; i < THREADS; i++) {
        check_number("pthread_join", 0, pthread_join(threads[i], NULL));
        check_number("failures", 0, tasks[i].failures);
        check_same_bits("hs", expected, tasks[i].hs, FIT_CELLS);
        example_free(&tasks[i].example);
    }
    check_end();
}

/* The child tells by its exit code: a check of its own would be printed twice. */
static void after_fork(const double *expected)
{
    static struct task task;
    int status = -1;
    pid_t child;
    task_make(&task, 2);
    child = fork();
    if (child == 0) {
        alarm(30);
        work(&task);
        _exit(task.failures || memcmp(expected, task.hs, sizeof task.hs));
    }
    waitpid(child, &status, 0);
    check_equal("trfb_boosting_runs with 2 threads in a forked child", 0, status);
    example_free(&task.example);
}

int main(void)
{
    static struct task first;
    task_make(&first, 1);
    work(&first);
    check_begin("status 0, filters written", "trfb_boosting_runs with 1 thread");
    check_number("failures", 0, first.failures);
    check_part(!array_untouched(&first.example.arrays[HS]), "hs was not written");
    check_end();
    several_threads(first.hs);
    after_fork(first.hs);
    example_free(&first.example);
    return check_finish();
}
