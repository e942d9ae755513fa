"""Programs that tests run in a Python of their own."""

import subprocess
import sys
import textwrap
from pathlib import Path


def run(program, *arguments, timeout=60, **options):
    """Runs a program, with this folder on its path; the finished process, output as text.

    Ctrl-C means there what it means in a terminal: what a shell starts in the background ignores it, and so would
    the programs that are started in turn.
    """
    preamble = (
        f"import signal, sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); "
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    )
    command = [sys.executable, "-c", preamble + textwrap.dedent(program), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=timeout, **options)


def succeed(program, *arguments, **options):
    """Runs a program that has to succeed and to say nothing on stderr; what it printed."""
    done = run(program, *arguments, **options)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout
