"""What comes out of the installed package has to be the same on every processor, to the bit.

Run under an emulator of a processor without the newer vector instructions, and with the real one:
holds the stored fits (tests/data/golden.json) against what the package makes of them, tells whether a
product and a sum were fused, and prints a digest of larger results, which are to be compared.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

import trfboost

GOLDEN = Path(__file__).parents[1] / "data" / "golden.json"
LISTS = ("split_train", "split_validate", "split_train_and_validate")
INPUTS = ("y", "x", "x_pads", *LISTS, "i_start_by_x", "i_stop_by_x", "delta", "mindelta", "error", "selective_stopping")


def same_bits(found, expected):
    """Whether all numbers are the same; all NaN are one."""
    found, expected = (np.where(np.isnan(numbers), np.nan, numbers) for numbers in (found, expected))
    return found.shape == expected.shape and found.tobytes() == expected.tobytes()


def stored_fits():
    """How many stored fits come out as they are stored."""
    fits = json.loads(GOLDEN.read_text(encoding="utf-8"))["fits"]
    for fit in fits:
        arrays = [np.array(fit[name]) if isinstance(fit[name], list) else fit[name] for name in INPUTS]
        h, history = trfboost.boosting_fit(*arrays)
        assert same_bits(h, np.array(fit["h"], float)), fit["name"]
        assert same_bits(np.array(history, float).reshape(-1, 6), np.array(fit["history"], float)), fit["name"]
    return len(fits)


def fused():
    """What is left of 0.3 - 0.1 * 3: nothing, unless the product was not rounded."""
    y = np.array([0.30000000000000004])
    trfboost.update_error(y, np.array([3.0]), 0.0, np.array([[0, 1]]), 0.1, 0)
    return y[0]


def digest():
    """Of options and fits on 2000 samples, 5 predictors and 40 lags."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(5, 2000)), rng.normal(size=(2, 2000))
    y[0] += np.roll(x[0], 3) - 0.5 * np.roll(x[2], -4)
    training = [[0, 900], [901, 1500]]
    split = np.array([training]), np.array([[[1500, 2000]]]), np.array([[*training, [1500, 2000]]])
    lags = np.full(5, -10), np.full(5, 30)
    digest = hashlib.sha256()
    for error in (1, 2):
        hs, failed = trfboost.boosting_runs(y, x, np.zeros(5), *split, *lags, 0.05, 0.01, error, 0, 2)
        digest.update(hs.tobytes() + failed.tobytes())
        new_error, new_sign = np.zeros((5, 40)), np.zeros((5, 40), np.int8)
        active, cells = np.ones(5, np.int8), (new_error, new_sign)
        trfboost.generate_options(y[1], x, np.zeros(5), active, split[0][0], -10, *lags, error, 0.05, *cells)
        digest.update(new_error.tobytes() + new_sign.tobytes())
        digest.update(np.float64(trfboost.error_for_indexes(y[0], split[0][0], error)).tobytes())
    digest.update(trfboost.convolve(hs[0, 0], x, np.zeros(5), -10, split[2][0], np.zeros(2000)).tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    print("stored fits", stored_fits())
    print("left by a product and a sum", fused())
    print("digest", digest())
    sys.exit(1 if fused() else 0)
