"""The command line, for work in batches: `trfboost fit recording.npz`, `trfboost info`.

A command writes its result to a file and what it has to say to stderr. What is wrong with its input is one
sentence there, without a traceback, and a number for the shell (`EXIT_CODES`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from types import ModuleType

from trfboost import errors

from . import fit, info
from .refusal import Refusal

COMMANDS: dict[str, ModuleType] = {"fit": fit, "info": info}

DONE, REFUSED, INTERRUPTED = 0, 1, 130

EXIT_CODES = """\
exit codes:
  0    done
  1    the input was refused, or the work failed; one sentence on stderr says why,
       and no file was written
  2    the command line is wrong
  130  interrupted by Ctrl-C; no file was written
"""

# What input, or the machine, can bring about. Anything else is a defect, and its traceback is wanted.
_REFUSALS = (Refusal, errors.AbiError, OSError, MemoryError, ImportError)


def main(words: Sequence[str] | None = None) -> int:
    """Run a command line (by default that of the process), and return the exit code."""
    options = _parser().parse_args(words)
    try:
        options.run(options)
    except KeyboardInterrupt:
        print("trfboost: interrupted", file=sys.stderr)
        return INTERRUPTED
    except _REFUSALS as error:
        print(f"trfboost: {_sentence(error)}", file=sys.stderr)
        return REFUSED
    return DONE


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trfboost",
        description="Temporal response functions (TRFs) by boosting.",
        epilog=f"'trfboost COMMAND --help' says more. Without a command: info.\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    info.add_arguments(parser)
    parser.set_defaults(run=info.run)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=module.DESCRIPTION,
            epilog=EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser
