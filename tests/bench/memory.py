"""The memory of many fits: the most that a process has that makes them, whatever is in it."""
from compare import Effort, by_worker

GIGABYTE = 1e9


def memory(report, speech, worker, large):
    report.heading('Memory', 'The most resident memory of a process that reads y and x and makes the fits of all signals and three '
                   'splits, 16 x 60, on one thread. Input is y and x, output the filters.')
    report.columns('signals', 'norm', 'peak (GB)', 'input (GB)', 'output (GB)', 'beyond these (GB)', 'limit of the peak (GB)', 'within', 'seconds')
    beyond = []
    for signals in (5, 10) if speech.tiny else (500, 5000) if large else (500,):
        for error in (1, 2):
            problem = speech.many(error, signals)
            outcome = by_worker(worker, problem, Effort(1, 0))
            given = problem.y.nbytes + problem.x.nbytes
            made = outcome.numbers.nbytes
            limit = GIGABYTE if signals <= 500 else 3 * GIGABYTE + given + made
            within = outcome.peak <= limit
            sizes = [outcome.peak, given, made, outcome.peak - given - made, limit]
            report.row(signals, f'l{error}', *(size / GIGABYTE for size in sizes), 'yes' if within else 'NO', outcome.seconds)
            if not within:
                beyond.append(f'{signals} signals, l{error}')
    return beyond
