"""What is indented in a docstring, after an empty line, is code.

That is how people read it in a terminal, where docstrings are read most; Sphinx wants a `::` before it.
"""


def mark(app, what, name, obj, options, lines):
    """Puts `::` before each block that is indented more than what comes before it."""
    marked, last = [], ""
    for line in lines:
        begins = line.strip() and marked and not marked[-1].strip() and last
        if begins and _indent(line) > _indent(last) and not last.rstrip().endswith("::"):
            marked += [" " * _indent(last) + "::", ""]
        marked.append(line)
        last = line if line.strip() else last
    lines[:] = marked


def _indent(line):
    return len(line) - len(line.lstrip())


def setup(app):
    app.connect("autodoc-process-docstring", mark, priority=400)  # before napoleon, which is at 500
    return {"parallel_read_safe": True}
