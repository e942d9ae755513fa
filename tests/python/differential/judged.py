"""Ours against Eelbrain, one problem at a time, for tests and for the long run of `many.py`.

Whoever judges says so: Eelbrain, or the definition where Eelbrain leaves its arrays.
"""
from dataclasses import dataclass

import definition
import numpy as np
import trfboost
from comparison import failed, first_difference, rows, same_bits, same_filter, same_history
from original import Crashed
from problems import scattered


@dataclass
class Verdict:
    by: str  # "eelbrain" or "definition"
    difference: str  # empty if there is none


def unless_crashed(call, *arguments):
    """What Eelbrain returns, or None. Whether it may crash is for the definition to say."""
    try:
        return call(*arguments)
    except Crashed:
        return None


def fit(eelbrain, problem, seed):
    """A fit in scattered memory: its filter and its whole history."""
    h, history = trfboost.boosting_fit(*scattered(problem, seed).one())
    history = rows(history)
    theirs = unless_crashed(eelbrain.boosting_fit, problem)
    if theirs and same_history(history, theirs[1]):
        same = same_filter(h, theirs[0], failed(history))
        return Verdict("eelbrain", "" if same else f"seed {seed}: the filter")
    expected = definition.boosting_fit(problem)
    if not expected.leaves_arrays:
        difference = first_difference(history, theirs[1]) if theirs else "Eelbrain crashed where it should not"
        return Verdict("eelbrain", f"seed {seed}: {difference}")
    same = same_history(history, expected.history) and same_bits(h, expected.h)
    return Verdict("definition", "" if same else f"seed {seed}: {first_difference(history, expected.history)}")


def runs(eelbrain, problem, seed, threads):
    """Several fits of one call: a verdict for each."""
    hs, hs_failed = trfboost.boosting_runs(*scattered(problem, seed).arguments(), threads)
    theirs = unless_crashed(eelbrain.boosting_runs, problem, threads)
    verdicts, may_crash = [], False
    for place in np.ndindex(*hs.shape[:2]):
        h, fails, told = hs[place], bool(hs_failed[place]), f"seed {seed}, split and signal {place}"
        if theirs and fails == theirs[1][place] and same_filter(h, theirs[0][place], fails):
            verdicts.append(Verdict("eelbrain", ""))
            continue
        expected = definition.boosting_fit(problem, i_y=place[1], i_split=place[0])
        may_crash |= expected.leaves_arrays
        if theirs and not expected.leaves_arrays:
            verdicts.append(Verdict("eelbrain", told))
            continue
        same = fails == expected.failed and same_bits(h, expected.h)
        verdicts.append(Verdict("definition", "" if same else told))
    if not theirs and not may_crash:
        verdicts.append(Verdict("eelbrain", f"seed {seed}: Eelbrain crashed where it should not"))
    return verdicts
