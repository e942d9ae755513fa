"""How the site is built: `cargo xtask docs`.

Pages are Markdown (MyST). Examples are shown as they are run: `{plot}` blocks when the site is built, which
makes the figures, and every block in a language by the tests. Nothing is loaded from another host when a
page is read, and the search works on pages opened from a disk.
"""

import shutil
import sys
from pathlib import Path

import trfboost

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "extensions"))

project = "trfboost"
author = "the trfboost developers"
copyright = author  # noqa: A001
version = release = trfboost.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "matplotlib.sphinxext.plot_directive",
    "indented_code",
    "plot_in_markdown",
    "whole_site",
]
exclude_patterns = ["requirements.txt", "extensions"]

# ---------------------------------------------------------------- pages
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nitpicky = True
# What docstrings say in place of a type: shapes and dtypes, in words.
nitpick_ignore_regex = [("py:.*", r"(?!trfboost).*")]
default_role = "py:obj"

# ---------------------------------------------------------------- Python
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say shapes and dtypes, which annotations cannot
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_rtype = False

# ---------------------------------------------------------------- figures
plot_html_show_source_link = False
plot_html_show_formats = False
plot_include_source = True
plot_formats = [("png", 130)]
plot_rcparams = {"figure.constrained_layout.use": True}
plot_apply_rcparams = True
plot_pre_code = "import numpy as np"

# ---------------------------------------------------------------- looks
html_theme = "pydata_sphinx_theme"
html_title = "trfboost"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_static_path = ["static"]
html_css_files = ["site.css"]
WITHOUT_SIDEBAR = ["index", "tutorial", "exactness", "guarantees", "reports", "changelog", "contributing"]
html_sidebars = {page: [] for page in WITHOUT_SIDEBAR}


def setup(app):
    """Examples read the recording from where they are run, as readers who downloaded it do."""
    work = Path(app.doctreedir) / "work"
    work.mkdir(parents=True, exist_ok=True)
    shutil.copy(DOCS.parent / "tests" / "data" / "speech_small.npz", work)
    app.config.plot_working_directory = str(work)
