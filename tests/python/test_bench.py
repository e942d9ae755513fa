"""The bench runs, on tiny inputs, and writes every table. What it measures there is not looked at."""
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
#: Section, its heading, and the number of rows of its table.
TABLES = [
    ('table', 'Against Eelbrain and against C', 5),
    ('growth', 'Growth', 40),
    ('overhead', 'Overhead', 6),
    ('floor', 'Floor', 2),
    ('memory', 'Memory', 4),
]


@pytest.fixture(scope='module')
def programs():
    """Built without the optimizations of a release, which take longer than the rest."""
    for package, example in [('trfboost-kernel', 'timed_fit'), ('trfboost-abi', 'call_overhead')]:
        build = ['cargo', 'build', '--quiet', '--locked', '--package', package, '--example', example, '--message-format=json']
        messages = subprocess.run(build, check=True, cwd=ROOT, capture_output=True, text=True).stdout
        found = pathlib.Path(re.findall(r'"executable":"([^"]+)"', messages)[-1])
    return found.parent


def test_the_bench_writes_every_table(programs, tmp_path):
    output = tmp_path / 'report.md'
    sections = [section for section, *_ in TABLES]
    command = [sys.executable, ROOT / 'tests/bench/bench.py', *sections, '--tiny', '--repeat', '1', '--programs', programs,
               '--rows', '^one fit, 1 x 60, one story|history, l1|500 y.*l1|generate.*l1', '--output', output]
    run = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    text = output.read_text()
    assert text == run.stdout
    assert 'no figure here means anything' in text and '| load at the beginning | ' in text
    for section, heading, count in TABLES:
        table = text.split(f'\n## {heading}\n')[1].split('\n## ')[0]
        rows = [line for line in table.split('\n') if line.startswith('| ')][2:]
        assert len(rows) == count, section
        widths = {line.count('|') for line in table.split('\n') if line.startswith('| ')}
        assert len(widths) == 1, section
    assert text.count('| same |') == 4 and 'DIFFER' not in text


def test_a_section_that_is_none_is_named(tmp_path):
    run = subprocess.run([sys.executable, ROOT / 'tests/bench/bench.py', 'tables'], capture_output=True, text=True)
    assert run.returncode == 2 and 'no section tables' in run.stderr
