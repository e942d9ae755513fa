"""Progress of long calls, and how they are ended: by the callable, by an exception, by Ctrl-C.

The library calls back several times a second, on the thread that made the call. ctypes prints what is
raised in a callback and goes on, so every exception has to be caught, kept, and raised after the call.

A plain Python function cannot do that. Signals are handled when a thread runs Python code again, which
after Ctrl-C is on entry to the callback, before its first line, where no `try` of its own reaches.
A generator can: it is resumed by `send`, which is no Python code, in the midst of its `try`.
So the callback that the library gets is `send`, the same for all calls, and the `user` pointer that
the library passes on is the generator of this call.

Signals are handled on the main thread only, so that other threads need no callback without a callable.
"""

from __future__ import annotations

import atexit
import ctypes
import operator
import os
import threading
import time
import types
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from ._structs import ProgressFunction
from .errors import AbiError, Cancelled, Status, refusal

Progress = Callable[[int, int], Any]
"""Called with how much is done and how much there is."""

_GO_ON, _CANCEL = 0, 1

# `generator.send(done)`. The library passes a third argument, the total, which is known before: in
# every 64-bit calling convention the caller clears arguments away, and a callee may ignore the last.
_send = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.py_object, ctypes.c_int64)(types.GeneratorType.send)
_CALLBACK = ctypes.cast(_send, ProgressFunction)
_NO_CALLBACK = ProgressFunction()


class Watch:
    """Watches one call for the caller's progress callable, if there is one, and for signals."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        if progress is not None and not callable(progress):
            sentence = f"is {type(progress).__name__}, expected None or a callable of (done, total)"
            raise refusal(Status.DTYPE, "progress", sentence)
        self._progress = progress
        self._total = total
        self._exception: BaseException | None = None

    def call(self, function: Callable[[Any, int | None], Any]) -> None:
        """Calls `function` with a callback and its `user`, and raises what the callback kept."""
        on_main_thread = threading.current_thread() is threading.main_thread()
        if self._progress is None and not on_main_thread:
            function(_NO_CALLBACK, None)
            return
        answers = self._answers()
        next(answers)
        failure: BaseException | None = None
        if not on_main_thread:
            _running.add(self)
        try:
            function(_CALLBACK, id(answers))
        except Cancelled as error:
            error.argument = "progress"  # which is no parameter of its own in trfb_boosting_fit
            failure = error
        except AbiError as error:
            failure = error
        finally:
            _running.discard(self)
        failure = self._exception or failure
        if failure is not None:
            try:
                raise failure
            finally:
                # A frame that is part of the traceback and refers to the exception is a cycle.
                self._exception = failure = None

    def _answers(self) -> Generator[int, int, None]:
        """Receives how much is done, and yields whether to cancel."""
        answer = _GO_ON
        try:
            # Both the resumption and the jump back run signal handlers: both are inside of the try.
            while True:
                done = yield answer
                answer = _CANCEL if self._cancels(done) else _GO_ON
        except GeneratorExit:
            return
        except BaseException as exception:
            self._exception = exception
        while True:
            yield _CANCEL

    def _cancels(self, done: int) -> bool:
        if _exiting and self in _running:
            raise SystemExit  # which ends a thread without a word
        if self._progress is None:
            return False
        try:
            answer = self._progress(done, self._total)
        except GeneratorExit as exception:  # not the one that ends `_answers`
            self._exception = exception
            return True
        if answer is None or isinstance(answer, (bool, np.bool_)):
            return bool(answer)
        try:
            return operator.index(answer) != 0
        except TypeError:
            sentence = f"returned {answer!r}, expected None, a bool or an integer"
            raise refusal(Status.DTYPE, "progress", sentence) from None


# ------------------------------------------------------------- end of the program
#
# Python does not wait for daemon threads. Up to 3.13 it ends one that wants to run Python code after that,
# in the midst of a callback too, by unwinding its stack; the library's frames do not let that
# through, and the process aborts. So calls of other threads that have a callback are ended before.

_running: set[Watch] = set()
_exiting = False
_PATIENCE = 1.0  # seconds, for a callable that does not return


@atexit.register
def _end_calls() -> None:
    global _exiting
    _exiting = True
    deadline = time.monotonic() + _PATIENCE
    while _running and time.monotonic() < deadline:
        time.sleep(0.001)


if hasattr(os, "register_at_fork"):
    # The threads of the parent are not in the child, which must not wait for them.
    os.register_at_fork(after_in_child=_running.clear)
