"""The functions against the plain loops, and against numbers worked out by hand."""

import calls
import numpy as np
import oracle
import pytest

import trfboost


@pytest.mark.parametrize("error", [1, 2])
@pytest.mark.parametrize("function", ["generate_options", "update_error", "error_for_indexes"])
def test_functions_give_the_bits_of_the_plain_loops(function, error):
    arguments, expected = calls.valid(function), calls.valid(function)
    if "error" in arguments:
        arguments["error"] = expected["error"] = error
    result = calls.ORACLES[function](**expected)
    assert calls.call(function, arguments) == (result, calls.outputs(function, expected))


def test_random_options_give_the_bits_of_the_plain_loops():
    rng = np.random.default_rng(5)
    for _ in range(40):
        n, samples = rng.integers(1, 4), rng.integers(5, 40)
        starts = rng.integers(-4, 4, n)
        stops = starts + rng.integers(0, 5, n)
        i_start, columns = starts.min(), max(stops.max() - starts.min(), 0)
        bounds = np.sort(rng.integers(0, samples + 1, (rng.integers(0, 4), 2)), axis=1)
        rounded = np.round(rng.normal(size=(n, samples)))  # ties
        results = []
        for implementation in (trfboost.generate_options, oracle.generate_options):
            new_error, new_sign = np.full((n, columns), -3.0), np.full((n, columns), 5, np.int8)
            y, pads, active = rounded[0] * 0.3, rounded[:, 0].copy(), (rounded[:, 1] > -1).astype(np.int8)
            implementation(y, rounded, pads, active, bounds, i_start, starts, stops, 1, 0.1, new_error, new_sign)
            results.append((new_error.tobytes(), new_sign.tobytes()))
        assert results[0] == results[1]


def test_convolve_predicts_as_the_plain_loops():
    arguments, expected = calls.valid("convolve"), calls.valid("convolve")
    oracle.convolve(**expected)
    out = trfboost.convolve(**arguments)
    assert out is arguments["out"]
    np.testing.assert_allclose(out, expected["out"], rtol=1e-12, atol=1e-13)
    assert out[75] == 4.5  # in no segment


def test_convolve_makes_its_own_output_of_zeros():
    arguments = calls.valid("convolve")
    expected = trfboost.convolve(**arguments)
    del arguments["out"]
    out = trfboost.convolve(**arguments)
    assert out[75] == 0 and np.array_equal(out[3:70], expected[3:70])


def test_segments_keep_what_is_before_them_out():
    # x is 1 at sample 2, y at sample 3: one sample later, but in the next segment.
    y, x = np.eye(6)[3], np.eye(6)[2:3]
    for indexes, error, sign in [([[0, 3], [3, 6]], [1.25, 1.0], [1, 1]), ([[0, 6]], [1.25, 0.25], [1, 1])]:
        new_error, new_sign = np.zeros((1, 2)), np.zeros((1, 2), np.int8)
        trfboost.generate_options(y, x, [0], [1], indexes, 0, [0], [2], 2, 0.5, new_error, new_sign)
        assert new_error.tolist() == [error] and new_sign.tolist() == [sign]


def test_a_product_is_rounded_before_it_is_subtracted():
    y = np.array([0.30000000000000004])
    trfboost.update_error(y, [3.0], 0.0, [[0, 1]], 0.1, 0)
    assert y[0] == 0.0  # fused arithmetic gives 2.8e-17


def test_ties_go_to_the_lowest_row_with_sign_1():
    rng = np.random.default_rng(0)
    row = rng.normal(size=60)
    x = np.stack([np.zeros(60), row, row])
    new_error, new_sign = np.zeros((3, 1)), np.zeros((3, 1), np.int8)
    y = 0.5 * row
    trfboost.generate_options(y, x, np.zeros(3), [1, 1, 1], [[0, 60]], 0, [0] * 3, [1] * 3, 1, 0.1, new_error, new_sign)
    assert new_sign[:, 0].tolist() == [1, 1, 1] and new_error[1] == new_error[2]
    # Without the zeros: an option that changes nothing ties for ever.
    split = [[0, 40]], [[40, 60]], [[0, 60]]
    _, history = trfboost.boosting_fit(y, x[1:], [0, 0], *split, [0, 0], [1, 1], 0.1, 0.1, 1)
    assert {entry.i_stim for entry in history} == {-1, 0}


def test_more_than_2_to_31_samples():
    x = np.broadcast_to(np.float64(2), (2**31 + 10,))
    assert trfboost.error_for_indexes(x, [[2**31, 2**31 + 5]], 1) == 10.0


def test_no_samples_no_error():
    assert trfboost.error_for_indexes(np.ones(5), np.zeros((0, 2), int), 1) == 0.0
    assert trfboost.error_for_indexes([], np.lib.stride_tricks.as_strided(np.array([7]), (0, 2), (0, 0)), 2) == 0.0
    no_predictor = np.zeros((0, 4))
    trfboost.generate_options(
        np.ones(9), np.zeros((0, 9)), [], [], [[0, 9]], 0, [], [], 1, 0.1, no_predictor, np.zeros((0, 4), np.int8)
    )


def test_no_samples_are_no_trouble():
    none, signals, active = np.zeros((0, 2), int), np.zeros((3, 0)), np.ones(3, np.int8)
    new_error, new_sign = np.full((3, 2), -1.0), np.zeros((3, 2), np.int8)
    lags = [0] * 3, [2] * 3
    trfboost.generate_options([], signals, [0] * 3, active, none, 0, *lags, 1, 0.1, new_error, new_sign)
    assert not new_error.any() and (new_sign == 1).all()
    residual = np.zeros(0)
    trfboost.update_error(residual, [], 0.0, [[0, 0]], 0.1, 1)
    assert trfboost.convolve(np.ones((3, 2)), signals, [0] * 3, 0, [[0, 0]]).shape == (0,)
    # Every option ties with doing nothing.
    with pytest.raises(trfboost.AbiValueError, match="^delta: .*do not end"):
        trfboost.boosting_fit([], signals, [0] * 3, none, none, none, *lags, 0.1, 0.1, 1)
