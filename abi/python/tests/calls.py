"""One valid call of each function, which tests change in one place, and what they hold it against.

An argument is an output if its name is in OUTPUTS of the function.
"""

import copy

import numpy as np
import oracle

import trfboost

FUNCTIONS = {
    "generate_options": trfboost.generate_options,
    "update_error": trfboost.update_error,
    "error_for_indexes": trfboost.error_for_indexes,
    "boosting_fit": trfboost.boosting_fit,
    "boosting_runs": trfboost.boosting_runs,
    "convolve": trfboost.convolve,
}
ORACLES = {
    name: getattr(oracle, name) for name in ("generate_options", "update_error", "error_for_indexes", "convolve")
}
OUTPUTS = {"generate_options": ["new_error", "new_sign"], "update_error": ["y_error"], "convolve": ["out"]}


def valid(function):
    """Fresh arguments by name: T = 120, n = 3, L = 7, lags -2 to 4, two segments and an end row."""
    rng = np.random.default_rng(12)
    samples = 120
    x = rng.normal(size=(3, samples))
    y = 0.7 * np.roll(x[0], 1) - 0.4 * np.roll(x[2], 3) + 0.3 * rng.normal(size=samples)
    indexes = np.array([[3, 70], [80, 118], [-1, 0], [500, 2]])
    pads = np.array([0.5, 0.0, -0.25])
    lags = {"i_start_by_x": np.array([-2, 0, 1]), "i_stop_by_x": np.array([5, 3, 5])}
    split = {
        "split_train": np.array([[0, 50], [60, 90]]),
        "split_validate": np.array([[90, 120], [-1, -1]]),
        "split_train_and_validate": np.array([[0, 50], [60, 120]]),
    }
    settings = {"delta": 0.05, "mindelta": 0.0125, "error": 1, "selective_stopping": 0}
    several = {name: np.stack([rows, rows[::-1].copy() if rows.min() >= 0 else rows]) for name, rows in split.items()}
    calls = {
        "generate_options": {
            "y_error": y,
            "x": x,
            "x_pads": pads,
            "x_active": np.array([1, 0, 1], np.int8),
            "indexes": indexes,
            "i_start": -2,
            **lags,
            "error": 1,
            "delta": 0.25,
            "new_error": np.full((3, 7), 9.5),
            "new_sign": np.full((3, 7), 7, np.int8),
        },
        "update_error": {"y_error": y, "x": x[1], "x_pad": 0.5, "indexes": indexes, "delta": 0.1, "shift": 4},
        "error_for_indexes": {"x": y, "indexes": indexes, "error": 2},
        "boosting_fit": {"y": y, "x": x, "x_pads": pads, **split, **lags, **settings},
        "boosting_runs": {
            "y": np.stack([y, y[::-1]]),
            "x": x,
            "x_pads": pads,
            **several,
            **lags,
            **settings,
            "num_threads": 2,
        },
        "convolve": {
            "h": rng.normal(size=(3, 4)),
            "x": x,
            "x_pads": pads,
            "i_start": -2,
            "segments": indexes,
            "out": np.full(samples, 4.5),
        },
    }
    return copy.deepcopy(calls[function])


def call(function, arguments):
    """The result and the outputs, as bytes or objects that == compares in every bit."""
    result = FUNCTIONS[function](**arguments)
    return observed(result), outputs(function, arguments)


def observed(value):
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return [observed(part) for part in value]
    if isinstance(value, list):
        return [np.array(entry).tobytes() for entry in value]
    return value


def outputs(function, arguments):
    return {name: np.asarray(arguments[name]).tobytes() for name in OUTPUTS.get(function, [])}
