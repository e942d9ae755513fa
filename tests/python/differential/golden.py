"""Fits that are stored with their results, for languages that cannot ask Eelbrain.

`tests/data/golden.json` holds a few problems and what Eelbrain made of them. JSON's numbers are the
shortest that give the same float64 when read; null stands for NaN. The file is written, once, by

    python tests/python/differential/golden.py
"""
import json
from dataclasses import fields
from pathlib import Path

import numpy as np
from original import VERSION, Eelbrain
from problems import Problem, random_problem

FILE = Path(__file__).parents[2] / "data" / "golden.json"

# What is special about a fit, and the seed of its problem. In none of them does Eelbrain leave its arrays.
SEEDS = {
    "l1, exact ties, until the validation error rises": 54,
    "l2, pads, a halving, until it moves in circles": 116,
    "l2, three predictors, each switched off at its first bad step": 172,
    "l2, delta halved twice, until nothing improves": 233,
    "l1, a filter of zeros is best: failed": 291,
}
LISTS = ["split_train", "split_validate", "split_train_and_validate"]


def read():
    """Names, problems, filters and histories `[entries, 6]`."""
    for fit in json.loads(FILE.read_text())["fits"]:
        inputs = {field.name: fit[field.name] for field in fields(Problem)}
        arrays = {name: np.array(value) for name, value in inputs.items() if isinstance(value, list)}
        for name in ["y", *LISTS]:
            arrays[name] = arrays[name][np.newaxis]
        yield fit["name"], Problem(**{**inputs, **arrays}), np.array(fit["h"]), np.array(fit["history"], dtype=float)


def result(eelbrain, problem):
    """Eelbrain's filter and history; where it leaves numbers without a meaning, what ours promises."""
    h, history = eelbrain.boosting_fit(problem)
    if history[-1, 3] == 0:
        history[-1, 4] = np.nan  # never computed
    if not np.nanmin(history[:, 4]) < history[0, 4]:
        h[:] = 0  # abandoned steps, which Eelbrain masks later
    return h, history


def described(name, seed, eelbrain):
    problem = random_problem(seed)
    inputs = {field.name: getattr(problem, field.name) for field in fields(problem)}
    inputs.update(y=problem.y[0], **{name: inputs[name][0] for name in LISTS})
    h, history = result(eelbrain, problem)
    return {"name": name, **inputs, "h": h, "history": history}


def encoded(value):
    if not isinstance(value, np.ndarray):
        return json.dumps(value)
    if value.ndim == 2:
        return "[" + ",".join("\n" + encoded(row) for row in value) + "]"
    return json.dumps([None if number != number else number for number in value.tolist()])


def write():
    eelbrain = Eelbrain()
    fits = []
    for name, seed in SEEDS.items():
        members = described(name, seed, eelbrain).items()
        fits.append("{" + ",\n".join(f"{json.dumps(key)}: {encoded(value)}" for key, value in members) + "}")
    eelbrain.close()
    FILE.write_text(f'{{"source": "Eelbrain {VERSION}", "fits": [\n' + ",\n".join(fits) + "\n]}\n")


if __name__ == "__main__":
    write()
