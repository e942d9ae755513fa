"""Threads, forks, memory: what a long-lived program does with the library."""

import multiprocessing
import threading
import time

import calls
import children
import numpy as np
import pytest
from test_progress import endless

import trfboost


def test_the_first_call_of_a_process_may_come_from_eight_threads_at_once():
    program = """
        import threading
        import calls, trfboost
        barrier, results = threading.Barrier(8), []
        def work():
            arguments = calls.valid("boosting_runs") | {"num_threads": 3}
            barrier.wait()
            results.append(calls.call("boosting_runs", arguments))
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert results == [calls.call("boosting_runs", calls.valid("boosting_runs") | {"num_threads": 1})] * 8
    """
    children.succeed(program)


def test_errors_of_threads_are_not_mixed_up():
    failures = []

    def work(row):
        for _ in range(300):
            with pytest.raises(trfboost.AbiValueError) as caught:
                trfboost.error_for_indexes(np.ones(5), [[0, row]], 1)
            if f"(0, {row})" not in str(caught.value):
                failures.append(str(caught.value))

    threads = [threading.Thread(target=work, args=(row,)) for row in range(6, 12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def fit_in_child(connection):
    connection.send(calls.call("boosting_runs", calls.valid("boosting_runs")))
    connection.close()


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_child_process_computes_after_its_parent_did(method):
    expected = calls.call("boosting_runs", calls.valid("boosting_runs"))
    assert in_child(method) == expected


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_fork_while_another_thread_computes():
    stop = []
    arguments = endless("boosting_runs") | {"num_threads": 2, "progress": lambda done, total: bool(stop)}
    thread = threading.Thread(target=pytest.raises, args=(trfboost.Cancelled, trfboost.boosting_runs), kwargs=arguments)
    thread.start()
    try:
        time.sleep(0.1)
        assert in_child("fork") == calls.call("boosting_runs", calls.valid("boosting_runs"))
    finally:
        stop.append(True)
        thread.join()


def in_child(method):
    context = multiprocessing.get_context(method)
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=fit_in_child, args=(sender,))
    child.start()
    sender.close()
    assert receiver.poll(30), "the child does not come back"
    result = receiver.recv()
    child.join(30)
    assert child.exitcode == 0
    return result


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_fork_from_within_the_callable():
    children.succeed("""
        import os, warnings
        warnings.simplefilter("ignore")
        import calls, trfboost
        expected = calls.call("boosting_runs", calls.valid("boosting_runs"))
        statuses = []
        def progress(done, total):
            child = os.fork()
            if child == 0:
                os._exit(calls.call("boosting_runs", calls.valid("boosting_runs")) != expected)
            statuses.append(os.waitpid(child, 0)[1])
            return True
        try:
            trfboost.boosting_runs(**calls.valid("boosting_runs"), progress=progress)
        except trfboost.Cancelled:
            assert statuses == [0]
    """)


def long_call(name, scale):
    """Arguments of a call that takes some tenths of a second, `scale` times as long as that of 1."""
    arguments = calls.valid(name)
    samples = 400_000
    segments = np.array([[0, samples]] * 20 * scale)
    changes = {
        "generate_options": {"x": np.ones((3, samples)), "y_error": np.ones(samples), "indexes": segments},
        "update_error": {"x": np.ones(samples), "y_error": np.ones(samples), "indexes": np.tile(segments, (20, 1))},
        "error_for_indexes": {"x": np.ones(samples), "indexes": np.tile(segments, (20, 1))},
        "convolve": {"x": np.ones((3, samples)), "out": np.zeros(samples), "segments": segments},
        "boosting_fit": {"delta": 2e-5 / scale, "mindelta": 2e-5 / scale},
        "boosting_runs": {"delta": 2e-5 / scale, "mindelta": 2e-5 / scale, "num_threads": 1},
    }
    return arguments | changes[name]


@pytest.mark.parametrize("name", calls.FUNCTIONS)
def test_other_threads_run_python_during_a_call(name):
    for scale in (1, 8, 64):  # until it takes so long that the switching of threads is nothing beside it
        took, longest = watched_call(name, long_call(name, scale))
        if took > 0.2:
            break
    assert longest < took / 2, (took, longest)


def watched_call(name, arguments):
    """How long the call took on a thread of its own, and the longest time that this one did not run."""
    began, ended = [], []

    def work():
        began.append(time.monotonic())
        calls.FUNCTIONS[name](**arguments)
        ended.append(time.monotonic())

    thread = threading.Thread(target=work)
    longest, last = 0.0, time.monotonic()
    thread.start()
    while thread.is_alive():
        now = time.monotonic()
        longest, last = max(longest, now - last), now
    return ended[0] - began[0], longest


def test_refused_calls_and_views_leave_no_memory_behind():
    children.succeed("""
        import resource
        import numpy as np
        import trfboost
        x, indexes, reversed_ = np.ones(50), np.array([[0, 51]]), np.ones(50)[::-1]
        def refuse(times):
            for _ in range(times):
                try:
                    trfboost.error_for_indexes(reversed_, indexes, 1)
                except trfboost.AbiValueError as error:
                    assert error.argument == "indexes"
                try:
                    trfboost.error_for_indexes([1, 2], indexes, True)
                except trfboost.AbiTypeError:
                    pass
        refuse(5_000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        refuse(50_000)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < 1024, f"{grown} KiB"
    """)


def test_fits_leave_no_memory_behind():
    children.succeed("""
        import resource
        import calls
        def fit(times):
            for _ in range(times):
                calls.call("boosting_fit", calls.valid("boosting_fit") | {"progress": lambda done, total: None})
        fit(50)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        fit(300)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < 2048, f"{grown} KiB"
    """)


def test_where_memory_for_threads_is_short_a_call_is_made_with_fewer_or_refused():
    """Address space is limited to what there is and a little more: enough for none, some or all of the threads."""
    ends = children.succeed("""
        import os, resource, sys
        import calls, trfboost
        arguments = calls.valid("boosting_runs") | {"num_threads": 16}
        expected = calls.call("boosting_runs", arguments)
        def size():
            with open("/proc/self/statm") as numbers:
                return int(numbers.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        ends = []
        for room in range(0, 40 << 20, 1 << 19):
            child = os.fork()
            if child == 0:
                resource.setrlimit(resource.RLIMIT_AS, (size() + room, resource.RLIM_INFINITY))
                try:
                    os._exit(0 if calls.call("boosting_runs", arguments) == expected else 1)
                except MemoryError:
                    os._exit(2)
            ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        print(*ends)
    """)
    assert set(ends.split()) <= {"0", "2"}, ends
    assert "0" in ends.split()
