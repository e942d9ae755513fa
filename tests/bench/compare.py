"""Work and those who do it: this library, Eelbrain 0.41.2, and plain C, on the same inputs; and the
table of them, row by row.

All run on one thread in one session, because the machine may be shared: compare ratios, not
seconds. Each time is the smallest of several. Results are compared bit by bit with Eelbrain's; a row
whose bits differ says so and fails the run. Where a row has more fits than Eelbrain can make while
one waits, it makes the first few, whose bits are compared, and its time is scaled by the number of
steps, which is what a fit's time is made of; the row says so.
"""
import ctypes
import pathlib
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace

import numpy as np
from eelbrain._trf import _boosting_opt as eelbrain

HERE = pathlib.Path(__file__).parent
RUNS, HISTORY, OPTIONS = range(3)


@dataclass
class Problem:
    y: np.ndarray
    x: np.ndarray
    lags: int
    #: Per split: segments to train on, to validate on, and both.
    splits: list
    error: int
    delta: float = 0.005
    work: int = RUNS
    #: The fits that Eelbrain makes: (signals, splits).
    sample: tuple = None

    def arrays(self):
        n = len(self.x)
        return np.zeros(n), np.zeros(n, np.int64), np.full(n, self.lags, np.int64)

    def lists(self):
        stacked = []
        for which in range(3):
            lists = [split[which] for split in self.splits]
            rows = np.full((len(lists), max(len(rows) for lists_ in self.splits for rows in lists_) + 1, 2), -1, np.int64)
            for row, segments in zip(rows, lists):
                row[:len(segments)] = segments
            stacked.append(rows)
        return stacked


# Inputs ---------------------------------------------------------------------------------------

class Speech:
    """Stories and responses, scaled as Eelbrain scales them.

    The file has ``spectrogram`` [16, T], ``response`` [10, T] and ``trials`` [10, 2]. Tiny ones have
    200 samples each, all of the first story.
    """

    def __init__(self, path, tiny=False):
        data = np.load(path)
        self.tiny = tiny
        self.trials = data['trials'][:9].astype(np.int64)
        if tiny:
            ends = np.arange(10) * 200
            self.trials = np.stack([ends[:-1], ends[1:]], 1)
        samples = self.trials[-1, 1]
        self.bands = data['spectrogram'][:, :samples].astype(float)
        self.response = data['response'][:, :samples].astype(float)

    def predictors(self, count):
        bands = self.bands.reshape(count // 2, -1, self.bands.shape[1]).mean(1)
        onsets = np.maximum(0, np.diff(bands, axis=1, prepend=bands[:, :1]))
        return np.concatenate([bands, onsets])

    @staticmethod
    def scaled(rows, error):
        rows = rows - rows.mean(1, keepdims=True)
        scale = np.abs(rows).mean(1) if error == 1 else rows.std(1)
        return np.ascontiguousarray(rows / scale[:, None])

    def split(self, index):
        """Validate on one story, train on the others."""
        validate = self.trials[index:index + 1]
        train = np.delete(self.trials, index, 0)
        return train, validate, self.trials

    def problem(self, error, count=16, lags=60, signals=1, splits=1, **options):
        y = self.scaled(self.response[:signals], error)
        splits = [self.split(index) for index in range(splits)]
        return Problem(y, self.scaled(self.predictors(count), error), lags, splits, error, **options)

    def single(self, error, **options):
        """The envelope as the one predictor."""
        x = self.scaled(self.bands.mean(0, keepdims=True), error)
        return replace(self.problem(error, **options), x=x)

    def one_story(self, error):
        problem = self.single(error)
        stop = self.trials[0, 1]
        third = stop // 3
        train, validate = np.array([[0, 2 * third]]), np.array([[2 * third, stop]])
        split = train, validate, np.concatenate([train, validate])
        return replace(problem, x=problem.x[:, :stop].copy(), y=problem.y[:, :stop].copy(), splits=[split])

    def impulses(self, error):
        """Predictors that are zero but for 2 % of the samples, and responses to them."""
        random = np.random.default_rng(1)
        problem = self.problem(error)
        shape = problem.x.shape
        x = np.where(random.random(shape) < 0.02, random.uniform(0.5, 1.5, shape), 0)
        kernel = np.hanning(30)
        response = sum(np.convolve(row, kernel * weight)[:shape[1]] for row, weight in zip(x, random.normal(size=shape[0])))
        y = self.scaled((response / response.std() + random.normal(size=shape[1]))[None], error)
        return replace(problem, x=x / (np.abs(x).mean() if error == 1 else x.std()), y=y)

    def many(self, error, signals):
        """Mixtures of the channels, with noise."""
        random = np.random.default_rng(2)
        problem = self.problem(error, signals=10, splits=3, sample=(2, 1))
        y = random.normal(size=(signals, 10)) @ problem.y
        y += random.normal(size=y.shape) * y.std(1, keepdims=True)
        return replace(problem, y=self.scaled(y, error))


def rows(speech):
    for error, name in [(1, 'l1'), (2, 'l2')]:
        for label, problem in [
            ('one fit, 16 x 60, nine stories', lambda: speech.problem(error)),
            ('the same with history', lambda: speech.problem(error, work=HISTORY)),
            ('one fit, 32 x 80', lambda: speech.problem(error, count=32, lags=80)),
            ('one fit, 1 x 60', lambda: speech.single(error)),
            ('one fit, 1 x 60, one story', lambda: speech.one_story(error)),
            ('one fit, impulses, 16 x 60', lambda: speech.impulses(error)),
            ('10 channels x 3 splits, 16 x 60', lambda: speech.problem(error, signals=10, splits=3, sample=(3, 1))),
            ('500 y x 3 splits, 16 x 60', lambda: speech.many(error, 5 if speech.tiny else 500)),
            ('one fit, 16 x 60, delta = 0.1', lambda: speech.problem(error, delta=0.1)),
            ('generate_options, 16 x 60', lambda: speech.problem(error, work=OPTIONS)),
        ]:
            yield f'{label}, {name}', problem


# Those who run --------------------------------------------------------------------------------

@dataclass
class Effort:
    """How often something is timed at least, and for how many seconds."""
    repeat: int = 5
    seconds: float = 1

    def seldom(self):
        return Effort(max(1, self.repeat // 3), self.seconds)


def best_of(effort, function):
    """The smallest time of several calls, and the result."""
    seconds = []
    while len(seconds) < effort.repeat or sum(seconds) < effort.seconds:
        begin = time.perf_counter()
        result = function()
        seconds.append(time.perf_counter() - begin)
    return min(seconds), result


def by_eelbrain(problem, effort):
    """Seconds, and results, of the fits in the sample."""
    pads, start, stop = problem.arrays()
    lists = problem.lists()
    settings = problem.delta, problem.delta, problem.error, 0
    if problem.work != RUNS:
        arguments = problem.y[0], problem.x, pads, *(rows[0] for rows in lists), start, stop, *settings
        seconds, (h, history) = best_of(effort, lambda: eelbrain.boosting_fit(*arguments))
        if problem.work == OPTIONS:
            # It cannot be called alone. A fit is its steps, and a step little else.
            return seconds / sum(step.i_step >= 0 for step in history), None
        entries = [[step.i_step, step.i_stim, step.i_time, step.delta, step.e_test, step.e_train] for step in history]
        return seconds, (h, np.array(entries, float))
    signals, splits = problem.sample or (len(problem.y), len(problem.splits))
    arguments = problem.y[:signals], problem.x, pads, *(rows[:splits] for rows in lists), start, stop, *settings, 1
    seconds, (hs, failed) = best_of(effort, lambda: eelbrain.boosting_runs(*arguments))
    hs, failed = np.array(hs), np.array(failed)
    hs[failed != 0] = 0
    return seconds, hs


@dataclass
class Outcome:
    seconds: float
    #: Of all fits together.
    steps: int
    numbers: np.ndarray
    #: Bytes of memory that the process had at most.
    peak: float


def by_worker(worker, problem, effort):
    """By this library, in a process of its own."""
    pads, start, stop = problem.arrays()
    lists = problem.lists()
    with tempfile.TemporaryDirectory(dir=worker.parent) as directory:  # beside it is room for large problems
        path = pathlib.Path(directory)
        with open(path / 'problem', 'wb') as file:
            np.array([problem.work, effort.repeat, problem.error, 0], np.int64).tofile(file)
            np.array([problem.delta, problem.delta, effort.seconds]).tofile(file)
            np.array([*problem.y.shape[:1], *problem.x.shape, *lists[0].shape[:2]], np.int64).tofile(file)
            for array in (problem.y, problem.x, pads, start, stop, *lists):
                array.tofile(file)
        subprocess.run([worker, directory], check=True)
        numbers = np.fromfile(path / 'result')
    return Outcome(numbers[0], int(numbers[1]), numbers[3:], numbers[2])


def build_peer(directory):
    library = pathlib.Path(directory) / 'peer.so'
    flags = ['-O3', '-march=native', '-ffast-math', '-shared', '-fPIC']
    subprocess.run(['gcc', *flags, '-o', library, HERE / 'peer.c', '-lm'], check=True)
    return ctypes.CDLL(str(library))


def by_peer(peer, problem, effort):
    """Seconds of the first fit, and its steps."""
    pads, start, stop = problem.arrays()
    pointer = lambda array: ctypes.c_void_p(array.ctypes.data)
    shape = [ctypes.c_int64(number) for number in (*problem.x.shape, 0, problem.lags)]
    lists = [np.ascontiguousarray(rows, np.int64) for rows in problem.splits[0]]
    counted = [item for rows in lists for item in (pointer(rows), ctypes.c_int64(len(rows)))]
    h = np.zeros((len(problem.x), problem.lags))
    common = [*map(pointer, (problem.y, problem.x, pads, start, stop)), *shape, problem.error, ctypes.c_double(problem.delta)]
    if problem.work == OPTIONS:
        return best_of(effort, lambda: peer.peer_options(*common, *counted[:2], pointer(h)))[0], 1
    arguments = [*common, ctypes.c_double(problem.delta), *counted, pointer(h)]
    peer.peer_fit.restype = ctypes.c_int64
    return best_of(effort, lambda: peer.peer_fit(*arguments))


def same_bits(problem, expected, found):
    if expected is None:
        return True
    shape = len(problem.splits), len(problem.y), len(problem.x), problem.lags
    bits = lambda array: np.ascontiguousarray(array).view(np.uint64)
    if problem.work == HISTORY:
        h, history = expected
        entries = found[h.size:].reshape(-1, 6)
        # What was never computed is NaN here, and anything there. Halvings have no place in either.
        computed = ~np.isnan(entries)
        return (history.shape == entries.shape and np.array_equal(bits(history)[computed], bits(entries)[computed])
                and np.array_equal(bits(h).ravel(), bits(found[:h.size])))
    splits, signals = expected.shape[:2]
    return np.array_equal(bits(expected), bits(found.reshape(shape)[:splits, :signals]))


def steps_in_sample(worker, problem, all_steps):
    """Steps of the fits that Eelbrain makes."""
    if problem.sample is None:
        return all_steps
    signals, splits = problem.sample
    part = replace(problem, y=problem.y[:signals], splits=problem.splits[:splits])
    return by_worker(worker, part, Effort(1, 0)).steps


def table(report, speech, worker, effort, pattern='', with_peer=True):
    """Writes the rows whose name matches; the names of those whose bits differ."""
    report.heading('Against Eelbrain and against C', 'One thread each. C is the same loops with '
                   '`-O3 -march=native -ffast-math`; it makes one fit, scaled by steps if there are more.')
    report.columns('work', 'Eelbrain (s)', 'C, fast-math (s)', 'here (s)', 'against Eelbrain', 'against C', 'bits')
    differ = []
    with tempfile.TemporaryDirectory() as directory:
        peer = build_peer(directory) if with_peer else None
        for name, make in rows(speech):
            if not re.search(pattern, name):
                continue
            problem = make()
            first = by_worker(worker, problem, effort)
            there, expected = by_eelbrain(problem, effort.seldom())
            c, c_steps = by_peer(peer, problem, effort if problem.work == OPTIONS else effort.seldom()) if peer else (np.nan, 1)
            again = by_worker(worker, problem, effort)
            here = min(first.seconds, again.seconds)
            if problem.work == RUNS and len(problem.y) > 1:
                there *= first.steps / steps_in_sample(worker, problem, first.steps)
                c *= first.steps / c_steps
            same = same_bits(problem, expected, first.numbers)
            scaled = '' if problem.sample is None else f', Eelbrain scaled from {np.prod(problem.sample)} fits by steps'
            verdict = ('same' if same else 'DIFFER') if expected is not None else '-'
            report.row(name + scaled, there, c, here, f'{there / here:.3g}', f'{c / here:.3g}', verdict)
            if not same:
                differ.append(name)
    return differ
