"""The time of one fit, beside the least that any fit of this kind could take."""
import ctypes
import tempfile

import numpy as np

from compare import best_of, build_peer, by_worker


def floor(report, speech, worker, effort):
    """The floor is measured with plain loops (`peer.c`), in the same run: x and y read once from memory,
    and one pass over a number per option for each step."""
    report.heading('Floor', 'One fit, 16 x 60. The floor is x and y read once, and a pass over one number per option for each '
                   'step, both measured with plain loops in C.')
    report.columns('norm', 'steps', 'fit (s)', 'x and y read once (s)', 'a pass over the options (s)', 'floor (s)', 'fit / floor')
    with tempfile.TemporaryDirectory() as directory:
        peer = build_peer(directory)
        peer.peer_sum.restype = peer.peer_passes.restype = ctypes.c_double
        address = lambda array: (ctypes.c_void_p(array.ctypes.data), ctypes.c_int64(array.size))
        for error in (1, 2):
            problem = speech.problem(error)
            fit = by_worker(worker, problem, effort)
            options = np.random.default_rng(0).normal(size=len(problem.x) * problem.lags)
            read, _ = best_of(effort, lambda: peer.peer_sum(*address(problem.x)) + peer.peer_sum(*address(problem.y)))
            a_thousand, _ = best_of(effort, lambda: peer.peer_passes(*address(options), ctypes.c_int64(1000)))
            least = read + fit.steps * a_thousand / 1000
            report.row(f'l{error}', fit.steps, fit.seconds, read, a_thousand / 1000, least, f'{fit.seconds / least:.3g}')
