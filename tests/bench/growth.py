"""How the time of this library grows: with samples, predictors, lags and signals, each doubled three times."""
import math
from dataclasses import replace

import numpy as np

from compare import by_worker

#: What is doubled, and how often: from the first number to eight times that.
DOUBLINGS = 3


def shortened(problem, samples):
    """The first samples; the last sixth is validated on."""
    most = samples - samples // 6
    train, validate = np.array([[0, most]]), np.array([[most, samples]])
    split = train, validate, np.array([[0, samples]])
    return replace(problem, x=problem.x[:, :samples].copy(), y=problem.y[:, :samples].copy(), splits=[split])


def series(speech, error):
    """What is doubled, where it begins, and the problem for each of its values."""
    samples = speech.bands.shape[1]
    yield 'T', samples >> DOUBLINGS, lambda value: shortened(speech.problem(error), value)
    yield 'n', 4, lambda value: speech.problem(error, count=value)
    yield 'L', 15, lambda value: speech.problem(error, lags=value)
    yield 'n_y', 1, lambda value: speech.problem(error, signals=value)


def growth(report, speech, worker, effort):
    samples = speech.bands.shape[1]
    report.heading('Growth', f'Fits of this library; where nothing else is said, T = {samples}, n = 16, L = 60, n_y = 1. '
                   'Longer data and more signals need other numbers of steps, so that these stand beside the times. The '
                   'ratio is to the row above, the exponent its logarithm to base 2, and the last one that of the whole series.')
    report.columns('norm', 'doubled', 'value', 'seconds', 'ratio', 'exponent', 'steps')
    for error in (1, 2):
        for name, first, make in series(speech, error):
            seconds = []
            for value in (first << doubling for doubling in range(DOUBLINGS + 1)):
                outcome = by_worker(worker, make(value), effort)
                seconds.append(outcome.seconds)
                ratio = seconds[-1] / seconds[-2] if len(seconds) > 1 else math.nan
                cells = (f'{ratio:.2f}', f'{math.log2(ratio):.2f}') if len(seconds) > 1 else ('', '')
                report.row(f'l{error}', name, value, outcome.seconds, *cells, outcome.steps)
            whole = seconds[-1] / seconds[0]
            report.row(f'l{error}', name, f'x {1 << DOUBLINGS}', '', f'{whole:.2f}', f'{math.log2(whole) / DOUBLINGS:.2f}', '')
