"""What the functions compute, in plain loops: the definition that the library is held against.

One pass over the samples of each segment, in the order in which the library promises to add. Inputs are
plain contiguous arrays of the right dtype; nothing is checked.
"""

import numpy as np


def segments_of(indexes):
    """The rows before one whose start is -1."""
    for start, stop in indexes:
        if start == -1:
            return
        yield int(start), int(stop)


def shifted(x, pad, start, stop, shift):
    """(sample, value) in the order of summation: pads before, pads after, then the valid part."""
    valid = [t for t in range(start, stop) if start <= t - shift < stop]
    padded = [t for t in range(start, stop) if not start <= t - shift < stop]
    yield from ((t, pad) for t in padded)
    yield from ((t, x[t - shift]) for t in valid)


def magnitude(value, error):
    return abs(value) if error == 1 else value * value


def error_for_indexes(x, indexes, error):
    total = 0.0
    for start, stop in segments_of(indexes):
        for t in range(start, stop):
            total += magnitude(float(x[t]), error)
    return total


def generate_options(
    y_error, x, x_pads, x_active, indexes, i_start, i_start_by_x, i_stop_by_x, error, delta, new_error, new_sign
):
    for i in range(len(x)):
        if not x_active[i]:
            continue
        for shift in range(i_start_by_x[i], i_stop_by_x[i]):
            add = sub = 0.0
            for start, stop in segments_of(indexes):
                for t, value in shifted(x[i], x_pads[i], start, stop, shift):
                    step = delta * float(value)
                    add += magnitude(float(y_error[t]) - step, error)
                    sub += magnitude(float(y_error[t]) + step, error)
            column = shift - i_start
            new_error[i, column] = sub if add > sub else add
            new_sign[i, column] = -1 if add > sub else 1


def update_error(y_error, x, x_pad, indexes, delta, shift):
    for start, stop in segments_of(indexes):
        for t, value in shifted(x, x_pad, start, stop, shift):
            y_error[t] -= delta * float(value)


def convolve(h, x, x_pads, i_start, segments, out):
    for start, stop in segments_of(segments):
        out[start:stop] = 0
        for i, column in np.ndindex(*h.shape):
            for t, value in shifted(x[i], x_pads[i], start, stop, i_start + column):
                out[t] += h[i, column] * value
