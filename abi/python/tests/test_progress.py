"""Progress callables, and everything that can end a call early."""

import gc
import threading
import weakref

import calls
import children
import numpy as np
import pytest

import trfboost
from trfboost import Cancelled, Status

FITS = ["boosting_fit", "boosting_runs"]
# Hours, if it is not ended.
ENDLESS = {"delta": 1e-9, "mindelta": 1e-9}


def endless(function):
    arguments = calls.valid(function) | ENDLESS
    # With sums of absolute values, each step of which looks at all samples, and so many of these that a million steps
    # take minutes.
    arguments["error"] = 1
    arguments["x"] = np.tile(arguments["x"], 500)
    arguments["y"] = np.tile(arguments["y"], 500)
    for name in ("split_train", "split_validate", "split_train_and_validate"):
        arguments[name] = np.where(np.asarray(arguments[name]) < 0, -1, 500 * np.asarray(arguments[name]))
    return arguments


def test_runs_report_each_fit():
    seen = []
    trfboost.boosting_runs(**calls.valid("boosting_runs"), progress=lambda *numbers: seen.append(numbers))
    assert seen[0] == (0, 4) and seen[-1] == (4, 4)
    assert {total for _, total in seen} == {4} and sorted(seen) == seen and {done for done, _ in seen} >= {0, 4}


def test_a_fit_reports_its_steps():
    seen = []

    def progress(done, total):
        seen.append((done, total))
        return len(seen) == 5

    with pytest.raises(Cancelled):
        trfboost.boosting_fit(**endless("boosting_fit"), progress=progress)
    assert len(seen) == 5 and sorted(seen) == seen and seen[-1][0] > seen[0][0] and {total for _, total in seen} == {0}


@pytest.mark.parametrize("answer", [None, False, 0, np.False_, np.int64(0)])
@pytest.mark.parametrize("function", FITS)
def test_answers_that_go_on(function, answer):
    expected = calls.call(function, calls.valid(function))
    assert calls.call(function, calls.valid(function) | {"progress": lambda done, total: answer}) == expected


@pytest.mark.parametrize("answer", [True, 1, -1, 2**40, 2**70, np.True_, np.int64(2**32)])
@pytest.mark.parametrize("function", FITS)
def test_answers_that_cancel(function, answer):
    with pytest.raises(Cancelled, match="^progress: ") as caught:
        trfboost_call(function, endless(function), lambda done, total: answer)
    assert caught.value.status is Status.CANCELLED and caught.value.argument == "progress"
    assert not isinstance(caught.value, (TypeError, ValueError))


@pytest.mark.parametrize("answer", ["x", 0.5, 0.0, np.float64(0), [], (), "", 1j])
@pytest.mark.parametrize("function", FITS)
def test_answers_that_are_none(function, answer, capfd):
    with pytest.raises(TypeError, match="^progress: returned .*expected None, a bool or an integer"):
        trfboost_call(function, endless(function), lambda done, total: answer)
    assert capfd.readouterr().err == ""


def trfboost_call(function, arguments, progress):
    return calls.FUNCTIONS[function](**arguments, progress=progress)


class Oddity(BaseException):
    pass


@pytest.mark.parametrize("kind", [KeyError, SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration, Oddity])
@pytest.mark.parametrize("function", FITS)
def test_exceptions_come_out_as_they_are(function, kind):
    raised = kind("third")
    count = 0

    def progress(done, total):
        nonlocal count
        count += 1
        if count == 3:
            raise raised

    with pytest.raises(kind) as caught:
        trfboost_call(function, endless(function), progress)
    assert caught.value is raised and raised.__context__ is None and count == 3
    assert calls.call(function, calls.valid(function))  # the next call works


def test_an_exception_at_the_last_report_is_not_lost():
    def progress(done, total):
        if done == total:
            raise LookupError("at the end")

    with pytest.raises(LookupError, match="at the end"):
        trfboost.boosting_runs(**calls.valid("boosting_runs"), progress=progress)


@pytest.mark.parametrize("function", FITS)
def test_what_cannot_be_called_is_refused(function):
    with pytest.raises(trfboost.AbiTypeError, match="^progress: is int") as caught:
        trfboost_call(function, calls.valid(function), 7)
    assert caught.value.argument == "progress"


@pytest.mark.parametrize("function", FITS)
def test_a_callable_may_call_the_library(function):
    inner = []

    def progress(done, total):
        with pytest.raises(ValueError):
            trfboost.error_for_indexes([1.0], [[0, 2]], 1)
        inner.append(calls.call("boosting_runs", calls.valid("boosting_runs")))
        return len(inner) == 3

    with pytest.raises(Cancelled):
        trfboost_call(function, endless(function), progress)
    assert inner == [calls.call("boosting_runs", calls.valid("boosting_runs"))] * 3


@pytest.mark.parametrize("on_a_thread", [False, True])
def test_the_callable_is_called_on_the_calling_thread(on_a_thread):
    threads = set()

    def work():
        arguments = calls.valid("boosting_runs") | {"num_threads": 3}
        trfboost.boosting_runs(**arguments, progress=lambda done, total: threads.add(threading.get_ident()))
        threads.add(threading.get_ident())

    if on_a_thread:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        work()
    assert len(threads) == 1


def test_nothing_is_left_behind():
    """The generator of a call, and a callable's exception, are freed with it."""

    class Callable:
        def __call__(self, done, total):
            raise KeyError

    progress = Callable()
    alive = weakref.ref(progress)
    gc.collect()
    gc.disable()
    try:
        with pytest.raises(KeyError):
            trfboost.boosting_runs(**calls.valid("boosting_runs"), progress=progress)
        del progress
        assert alive() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("function", FITS)
@pytest.mark.parametrize("progress", ["None", "lambda done, total: None"])
def test_a_program_may_end_while_a_daemon_thread_computes(function, progress):
    program = f"""
        import threading, time
        import calls, trfboost
        from test_progress import endless
        work = lambda: calls.FUNCTIONS[{function!r}](**endless({function!r}), progress={progress})
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
        print("end")
    """
    assert children.succeed(program) == "end\n"


# ------------------------------------------------------------------ Ctrl-C

INTERRUPTED = """
import os, signal, threading, time
import numpy as np
import calls, trfboost
from test_progress import endless

function, with_callable = {function!r}, {with_callable}
progress = (lambda done, total: None) if with_callable else None
def interrupt():
    time.sleep(0.3)
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    calls.FUNCTIONS[function](**endless(function) | {threads}, progress=progress)
except KeyboardInterrupt as error:
    took = time.monotonic() - sent
    assert took < 0.3, took
    assert error.__context__ is None
    assert calls.call(function, calls.valid(function))
    print("interrupted")
"""


@pytest.mark.parametrize("with_callable", [False, True])
@pytest.mark.parametrize(
    ("function", "threads"),
    [("boosting_fit", {}), ("boosting_runs", {"num_threads": 1}), ("boosting_runs", {"num_threads": 2})],
)
def test_ctrl_c_ends_a_call_at_once(function, threads, with_callable):
    program = INTERRUPTED.format(function=function, with_callable=with_callable, threads=threads)
    assert children.succeed(program) == "interrupted\n"


def test_ctrl_c_while_another_thread_computes():
    program = """
        import os, signal, threading, time
        import calls, trfboost
        from test_progress import endless
        stop = False
        def work():
            try:
                trfboost.boosting_runs(**endless("boosting_runs"), progress=lambda done, total: stop)
            except trfboost.Cancelled:
                print("cancelled")
        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.2)
        sent = time.monotonic()
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            time.sleep(10)
        except KeyboardInterrupt:
            assert time.monotonic() - sent < 0.5
            print("interrupted", flush=True)
            stop = True
        thread.join()
    """
    assert children.succeed(program) == "interrupted\ncancelled\n"


@pytest.mark.parametrize("function", FITS)
def test_ctrl_c_while_another_thread_computes_that_nothing_watches(function):
    program = f"""
        import os, signal, threading, time
        import calls, trfboost
        from test_progress import endless
        work = lambda: calls.FUNCTIONS[{function!r}](**endless({function!r}))
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        except KeyboardInterrupt:
            assert calls.call({function!r}, calls.valid({function!r}))
            print("interrupted")
    """
    assert children.succeed(program) == "interrupted\n"


def test_the_exception_of_any_signals_handler_comes_out():
    program = """
        import signal
        import calls, trfboost
        from test_progress import endless
        class TooLong(Exception): pass
        def handler(*_): raise TooLong
        signal.signal(signal.SIGALRM, handler)
        for function in ("boosting_fit", "boosting_runs"):
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            try:
                calls.FUNCTIONS[function](**endless(function))
            except TooLong:
                print("too long")
    """
    assert children.succeed(program) == "too long\n" * 2


def test_a_handler_that_raises_nothing_ends_nothing():
    program = """
        import signal
        import calls, trfboost
        from test_progress import endless
        ticks = []
        signal.signal(signal.SIGALRM, lambda *_: ticks.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        try:
            trfboost.boosting_fit(**endless("boosting_fit"), progress=lambda done, total: len(ticks) > 5)
        except trfboost.Cancelled:
            print("cancelled")
        signal.setitimer(signal.ITIMER_REAL, 0)
    """
    assert children.succeed(program) == "cancelled\n"


def test_many_interrupts_leave_no_line_on_stderr():
    """Each at another moment, so that some fall into the callback itself."""
    program = """
        import signal, itertools
        import calls, trfboost
        from test_progress import endless
        class Tick(Exception): pass
        def handler(*_): raise Tick
        signal.signal(signal.SIGALRM, handler)
        arguments = endless("boosting_runs")
        caught = 0
        busy = lambda done, total: sum(range(20000)) < 0
        for round in range(60):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.018 + 0.0001 * round)
                trfboost.boosting_runs(**arguments, progress=busy if round % 2 else None)
            except Tick:
                caught += 1
        assert caught == 60
    """
    children.succeed(program)
