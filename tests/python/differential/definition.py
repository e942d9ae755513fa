"""What a fit is, written down once more: plain steps, in the order of the definition.

This is the referee where Eelbrain cannot be one, since it reads or writes outside of its arrays: then
`Fit.leaves_arrays` is true, and what the library computes has to be what is computed here. It shares
no code with the library, and is slow.
"""
from dataclasses import dataclass

import numpy as np

NO_PREDICTOR_LEFT, TEST_ERROR_RISES, NO_IMPROVEMENT, CIRCLES = 1, 2, 3, 4


@dataclass
class Fit:
    h: np.ndarray
    history: np.ndarray  # [entries, 6]
    stop: int
    failed: bool
    leaves_arrays: bool  # whether Eelbrain uses the index -1 for this input


def segments(rows):
    for start, stop in rows:
        if start == -1:
            return
        yield int(start), int(stop)


def shifted(x, pad, start, stop, lag):
    """What the samples of a segment see of a predictor, and the order in which they are summed."""
    source = np.arange(start, stop) - lag
    inside = (source >= start) & (source < stop)
    seen = np.full(stop - start, float(pad))
    seen[inside] = x[source[inside]]
    order = np.argsort(np.where(source < start, 0, np.where(source >= stop, 1, 2)), kind="stable")
    return seen, order


def running_sum(parts):
    """One accumulator: `add.accumulate` adds in order, unlike `sum`."""
    return float(np.add.accumulate(np.concatenate([[0.0], *parts]))[-1])


def measure(values, error):
    return np.abs(values) if error == 1 else values * values


def error_over(signal, rows, error):
    return running_sum([measure(signal[start:stop], error) for start, stop in segments(rows)])


def update(residual, x, pad, rows, delta, lag):
    for start, stop in segments(rows):
        residual[start:stop] -= delta * shifted(x, pad, start, stop, lag)[0]


def option(residual, x, pad, rows, error, delta, lag):
    """The smaller error of the two steps, and its sign."""
    add, subtract = [], []
    for start, stop in segments(rows):
        seen, order = shifted(x, pad, start, stop, lag)
        change = delta * seen
        add.append(measure(residual[start:stop] - change, error)[order])
        subtract.append(measure(residual[start:stop] + change, error)[order])
    add, subtract = running_sum(add), running_sum(subtract)
    return (subtract, -1) if add > subtract else (add, 1)


def first_to_undo(history, limit):
    """The entry from which on selective stopping undoes, or None."""
    last = len(history) - 1
    rises, index = 1, last
    while rises < limit:
        index -= 1
        if index < 0 or (index + 1 < last and history[index][4] > history[last][4]):
            return None
        if history[index][1] == history[last][1]:
            if index == 0 or not history[index][4] > history[index - 1][4]:
                return None
            rises += 1
    return index


def boosting_fit(problem, i_y=0, i_split=0):
    p = problem
    y, x, pads = p.y[i_y], p.x, p.x_pads
    train, validate, both = p.split_train[i_split], p.split_validate[i_split], p.split_train_and_validate[i_split]
    first_lag, delta = int(p.i_start_by_x.min()), p.delta
    residual = y.copy()
    h = np.zeros((len(x), int(p.i_stop_by_x.max()) - first_lag))
    active = [True] * len(x)
    history = [[-1, -1, -1, 0.0, np.nan, error_over(residual, train, p.error)]]
    best_error, best_step, leaves_arrays = np.inf, -1, False

    for i_step in range(999_999):
        last = len(history) - 1
        e_test = history[last][4] = error_over(residual, validate, p.error)
        if e_test < best_error:
            best_error, best_step = e_test, history[last][0]
        elif i_step >= 2 and e_test > history[last - 1][4]:
            if p.selective_stopping == 0:
                if i_step > 10 and e_test > history[last - 2][4]:
                    stop = TEST_ERROR_RISES
                    break
            elif history[last][3] == 0:
                leaves_arrays = True
            else:
                first = first_to_undo(history, p.selective_stopping)
                if first is not None:
                    active[history[last][1]] = False
                    if not any(active):
                        stop = NO_PREDICTOR_LEFT
                        break
                    for _, i_stim, i_time, step, _, _ in reversed(history[first:]):
                        if step:
                            h[i_stim, i_time] -= step
                            update(residual, x[i_stim], pads[i_stim], both, -step, i_time + first_lag)
                        else:
                            leaves_arrays = True
                    del history[first:]

        best = (np.inf, None, None, None)
        for i_stim in (i for i in range(len(x)) if active[i]):
            for lag in range(p.i_start_by_x[i_stim], p.i_stop_by_x[i_stim]):
                found, sign = option(residual, x[i_stim], pads[i_stim], train, p.error, delta, lag)
                if found < best[0]:
                    best = (found, i_stim, lag - first_lag, delta * sign)
        e_train, i_stim, i_time, step = best
        last_entry = history[-1]
        if e_train > last_entry[5]:
            delta *= 0.5
            if delta >= p.mindelta:
                history.append([i_step, -1, -1, 0.0, np.nan, e_train])
                continue
            history.append([i_step, i_stim, i_time, 0.0, np.nan, e_train])
            stop = NO_IMPROVEMENT
            break
        if [i_stim, i_time, step] == [last_entry[1], last_entry[2], -last_entry[3]]:
            history.append([i_step, i_stim, i_time, 0.0, np.nan, e_train])
            stop = CIRCLES
            break
        history.append([i_step, i_stim, i_time, step, np.nan, e_train])
        h[i_stim, i_time] += step
        update(residual, x[i_stim], pads[i_stim], both, step, i_time + first_lag)
    else:
        raise RuntimeError("too many steps")

    for entry in reversed(history):
        if entry[0] <= best_step:
            break
        if entry[3]:
            h[entry[1], entry[2]] -= entry[3]
    failed = best_step == -1
    return Fit(np.zeros_like(h) if failed else h, np.array(history), stop, failed, leaves_arrays)
