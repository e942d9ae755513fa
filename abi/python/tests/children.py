"""Programs that tests run in a Python of their own."""

import subprocess
import sys
import textwrap
from pathlib import Path


def run(program, *arguments, timeout=60, **options):
    """Runs a program, with this folder on its path; the finished process, output as text."""
    preamble = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    command = [sys.executable, "-c", preamble + textwrap.dedent(program), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=timeout, **options)


def succeed(program, *arguments, **options):
    """Runs a program that has to succeed and to say nothing on stderr; what it printed."""
    done = run(program, *arguments, **options)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout
