"""Measures, and writes one report in Markdown.

    python bench.py [SECTION...] --speech tests/data/speech.npz --output report.md

Sections are `table` (against Eelbrain and C), `growth`, `overhead`, `floor`, `memory` and `parts` (of the
kernel, by `cargo bench`); without one, all of them. The programs that it runs are built before:
`cargo xtask bench` does so.
"""
import argparse
import pathlib
import subprocess
import sys

from compare import Effort, Speech, table
from floor import floor
from growth import growth
from memory import memory
from report import ROOT, Report

SECTIONS = 'table', 'growth', 'overhead', 'floor', 'memory', 'parts'


def parts(report):
    report.heading('Parts', 'What `cargo bench -p trfboost-kernel` prints; `kernel/benches/parts.rs` says what each part is.')
    command = ['cargo', 'bench', '--quiet', '--locked', '--package', 'trfboost-kernel', '--bench', 'parts']
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    report.put(f'```text\n{printed.rstrip()}\n```')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('sections', nargs='*', metavar='SECTION', help=f'{", ".join(SECTIONS)}; without one, all')
    parser.add_argument('--speech', type=pathlib.Path, default=ROOT / 'tests/data/speech.npz')
    parser.add_argument('--programs', type=pathlib.Path, default=ROOT / 'target/release/examples', help='folder of the examples, built')
    parser.add_argument('--rows', default='', help='of the table: only rows whose name matches')
    parser.add_argument('--repeat', type=int, default=5, help='of this library and of a C sweep; the others run a third as often')
    parser.add_argument('--no-peer', action='store_true', help='of the table: without C')
    parser.add_argument('--large', action='store_true', help='memory of 5,000 signals as well; takes minutes and 10 GB')
    parser.add_argument('--tiny', action='store_true', help='tiny inputs, to see that it runs')
    parser.add_argument('--output', type=pathlib.Path, help='a file for the report, as well')
    given = parser.parse_args()
    unknown = set(given.sections) - set(SECTIONS)
    if unknown:
        parser.error(f'no section {", ".join(sorted(unknown))}; there are {", ".join(SECTIONS)}')
    effort = Effort(1, 0.001) if given.tiny else Effort(given.repeat)
    speech, worker = Speech(given.speech, given.tiny), given.programs.absolute() / 'timed_fit'
    report, failures = Report(given.output), []
    report.machine(given.tiny)
    for section in given.sections or SECTIONS:
        match section:
            case 'table':
                differ = table(report, speech, worker, effort, given.rows, not given.no_peer)
                failures += [f'bits differ: {name}' for name in differ]
            case 'growth':
                growth(report, speech, worker, effort)
            case 'overhead':
                import trfboost
                from overhead import overhead
                overhead(report, given.programs / 'call_overhead', trfboost.library_path(), effort)
            case 'floor':
                floor(report, speech, worker, effort)
            case 'memory':
                failures += [f'memory: {what}' for what in memory(report, speech, worker, given.large)]
            case 'parts':
                parts(report)
    report.end()
    return '\n'.join(failures) or None


if __name__ == '__main__':
    sys.exit(main())
