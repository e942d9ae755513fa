"""Matplotlib's `plot` directive in Markdown pages.

It writes reStructuredText and has it inserted into its page, which a page in Markdown cannot take. So here the
whole directive is handed to the parser of reStructuredText, and what that makes of it is what the page gets.
"""

from docutils.parsers.rst import Parser
from matplotlib.sphinxext.plot_directive import PlotDirective
from myst_parser.mocking import MockStateMachine
from sphinx.util.docutils import new_document

_COUNTER = "_plot_counter"  # from which figures have their names, page by page


class Plot(PlotDirective):
    """The directive itself in reStructuredText, and a way there from Markdown."""

    def run(self):
        if not isinstance(self.state_machine, MockStateMachine):
            return super().run()
        options = [f"   :{name}: {_text(value)}".rstrip() for name, value in self.options.items()]
        text = "\n".join(["", ".. plot::", *options, "", *(f"   {line}" for line in self.content), ""])
        source = self.state.document["source"]
        document = new_document(source, self.state.document.settings)
        document.reporter = self.state.document.reporter
        document[_COUNTER] = self.state.document.get(_COUNTER, 0)
        Parser().parse("\n" * (self.lineno - 1) + text, document)
        self.state.document[_COUNTER] = document[_COUNTER]
        return document.children


def _text(value):
    return "" if value is None or value is True else str(value)


def setup(app):
    app.add_directive("plot", Plot, override=True)
    return {"parallel_read_safe": True}
