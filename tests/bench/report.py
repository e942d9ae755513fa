"""The report: one Markdown file, written as it grows, which says on what machine and under what load."""
import datetime
import os
import pathlib
import platform
import subprocess
from importlib import metadata

ROOT = pathlib.Path(__file__).parents[2]


def says(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split('\n')[0]
    except (OSError, subprocess.CalledProcessError):
        return 'not known'


def version(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return 'none'


def processor():
    try:
        lines = pathlib.Path('/proc/cpuinfo').read_text().split('\n')
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(':')[1].strip() for line in lines if line.startswith('model name')), platform.machine())


def load():
    """Busy processors, over the last minute. The bench itself is one of them."""
    return os.getloadavg()[0] if hasattr(os, 'getloadavg') else float('nan')


class Report:
    """Lines of Markdown, printed and written to a file (if there is one) at once."""

    def __init__(self, output):
        self.output = output
        self.text = ''

    def put(self, line=''):
        self.text += line + '\n'
        print(line, flush=True)
        if self.output:
            self.output.write_text(self.text)

    def heading(self, title, *paragraphs):
        self.put(f'\n## {title}\n')
        for paragraph in paragraphs:
            self.put(f'{paragraph}\n')

    def columns(self, *names):
        self.row(*names)
        self.row(*('---' for _ in names))

    def row(self, *cells):
        self.put('| ' + ' | '.join(f'{cell:.4g}' if isinstance(cell, float) else str(cell) for cell in cells) + ' |')

    def machine(self, tiny):
        self.put('# Bench\n')
        if tiny:
            self.put('**Tiny inputs, to see that the bench runs: no figure here means anything.**\n')
        packages = ', '.join(f'{name} {version(name)}' for name in ('numpy', 'eelbrain', 'numba'))
        self.columns('', '')
        self.row('date', datetime.datetime.now().astimezone().isoformat(' ', 'minutes'))
        self.row('commit', says('git', 'describe', '--always', '--dirty'))
        self.row('machine', f'{processor()}, {os.cpu_count()} processors, {platform.system()} {platform.release()}')
        self.row('versions', f'{says("rustc", "--version")}; {says("gcc", "--version")}; Python {platform.python_version()}, {packages}')
        self.row('load at the beginning', f'{load():.2f}')

    def end(self):
        self.put(f'\nLoad at the end: {load():.2f}. Much above 1, and other work disturbed the times: ratios of one row are then '
                 'all that can be used, and not to be quoted.')
