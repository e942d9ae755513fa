"""`trfboost fit`: TRFs of a recording in a file, to a file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import trfboost

from . import recordings
from .refusal import Refusal

SUMMARY = "estimate TRFs of a recording, and write them to a file"

DESCRIPTION = """\
Estimate temporal response functions (TRFs) of a recording by boosting.

RECORDING is an .npz file of NumPy arrays:

  y       signals [T] or [n_y, T]; --y names another array
  x       predictors [T] or [n, T]; --x, once for each, names other arrays
  sfreq   samples per second, unless --sfreq says it
  trials  optional: boundaries [0, ..., T] or rows of start and stop, in samples

The result is an .npz file that trfboost.load reads, and other programs can:
filters, correlations, and how they came about. It is the same to the bit for
any number of threads.

examples:
  trfboost fit s01.npz --tstart -0.1 --tstop 0.5 --test
  trfboost fit speech.npz --y response --x spectrogram --tstart 0 --tstop 0.5 \\
      --error l1 --output speech-trf.npz
  for f in *.npz; do trfboost fit "$f" --tstart 0 --tstop 0.4 \\
      --output "trfs/$f" || echo "$f" >> failed; done
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recording", metavar="RECORDING", type=Path, help=".npz file")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: RECORDING with -trf before .npz")
    _add_data(parser.add_argument_group("data"))
    _add_method(parser.add_argument_group("method"))
    _add_cross_validation(parser.add_argument_group("cross-validation"))
    work = parser.add_argument_group("work")
    work.add_argument("--threads", type=int, default=0, metavar="N", help="default: one per processor")
    bar = "show a bar on stderr (default: in a terminal, if it takes longer than a second)"
    work.add_argument("--progress", action=argparse.BooleanOptionalAction, help=bar)
    work.add_argument("-q", "--quiet", action="store_true", help="no summary, and no bar")


def _add_data(group: Any) -> None:
    group.add_argument("--y", default="y", metavar="NAME", help="array of signals (default: y)")
    group.add_argument("--x", action="append", metavar="NAME", help="array of predictors; can be repeated (default: x)")
    group.add_argument("--sfreq", type=float, metavar="HZ", help="samples per second (default: the array sfreq)")
    group.add_argument("--trials", metavar="NAME", help="array of trials (default: trials, if there is one)")


def _add_method(group: Any) -> None:
    each = "; one number, or one for each --x"
    seconds: Any = {"type": float, "nargs": "+", "required": True, "metavar": "S"}
    group.add_argument("--tstart", help=f"first lag in seconds{each}", **seconds)
    group.add_argument("--tstop", help=f"end of the lags{each}", **seconds)
    group.add_argument("--error", choices=["l1", "l2"], default="l2", help="what is minimised (default: l2)")
    group.add_argument("--delta", type=float, default=0.005, metavar="STEP", help="step of filters (default: 0.005)")
    halved = "delta is halved down to this (default: delta, no halving)"
    group.add_argument("--mindelta", type=float, metavar="STEP", help=halved)
    windows = "length of the windows that filters are made of; 0 (the default): impulses"
    group.add_argument("--basis", type=float, default=0.0, metavar="S", help=windows)
    group.add_argument("--basis-window", default="hamming", metavar="NAME", help="default: hamming")
    group.add_argument("--no-scale-data", action="store_true", help="take data as they are: no centring, no scaling")
    rounding = "how seconds become samples (default: exact; eelbrain: as it rounds, at times one lag more)"
    group.add_argument("--lags", choices=["exact", "eelbrain"], default="exact", help=rounding)


def _add_cross_validation(group: Any) -> None:
    parts = "parts that take turns (default: by trials, else 10, with --test 4)"
    group.add_argument("--partitions", type=int, metavar="N", help=parts)
    group.add_argument("--validate", type=int, default=1, metavar="N", help="parts for validation (default: 1)")
    group.add_argument("--test", action="store_true", help="each part is left out in turn, and predicted")
    group.add_argument("--partition-results", action="store_true", help="keep a result for each part; needs --test")
    categories = "array with a category for each trial, dealt out evenly to the parts"
    group.add_argument("--model", metavar="NAME", help=categories)
    rises = "0 (the default): stop when the validation error rises; N: a predictor is out after N rises"
    group.add_argument("--selective-stopping", type=int, default=0, metavar="N", help=rises)


def run(options: argparse.Namespace) -> None:
    output = options.output or options.recording.with_name(f"{options.recording.stem}-trf.npz")
    if not output.parent.is_dir():
        raise Refusal(f"{output.parent} is no folder; make it, or name another with --output")
    recording = recordings.read(
        options.recording, options.y, options.x, options.sfreq, options.trials, options.model
    )
    result = trfboost.boosting(
        recording.y,
        recording.x,
        recording.sfreq,
        _seconds("--tstart", options.tstart, options.x),
        _seconds("--tstop", options.tstop, options.x),
        scale_data=not options.no_scale_data,
        delta=options.delta,
        mindelta=options.mindelta,
        error=options.error,
        basis=options.basis,
        basis_window=options.basis_window,
        partitions=options.partitions,
        model=recording.model,
        validate=options.validate,
        test=int(options.test),
        selective_stopping=options.selective_stopping,
        partition_results=options.partition_results,
        trials=recording.trials,
        lags=options.lags,
        num_threads=options.threads,
        progress=False if options.quiet else options.progress,
    )
    result.save(output)
    if not options.quiet:
        for name, text in [*result.summary(), ("written", str(output))]:
            print(f"{name:<9}{text}", file=sys.stderr)


def _seconds(option: str, numbers: list[float], names: list[str] | None) -> Any:
    """One number for all predictors, or one for each, by its name."""
    if len(numbers) == 1:
        return numbers[0]
    if names is None or len(numbers) != len(names):
        expected = len(names or ["x"])
        raise Refusal(f"{option} has {len(numbers)} numbers for {expected} predictors; give one, or one each")
    return dict(zip(names, numbers))
