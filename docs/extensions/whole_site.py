"""Refuses a site that is not whole: a link that leads nowhere, or a page that loads from another host.

Sphinx sees to the links that it makes; here it is the pages as they are built, with all that is written in HTML,
included from elsewhere, or made by rustdoc. A page has to be readable without a network, and who reads it is nobody
else's business: no fonts, scripts or pictures from elsewhere.
"""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.errors import ExtensionError

# What a browser fetches by itself. (Links are followed by readers.)
_FETCHED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "video": "src", "link": "href"}
# What rustdoc has seen to, and the theme's templates.
_NOT_OURS = {"rust", "_static"}
_SHEET = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")


class _Page(HTMLParser):
    """The addresses that a page names, and the places in it that can be named."""

    def __init__(self, file):
        super().__init__()
        self.fetched, self.linked, self.places = [], [], set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.places.update(attributes[name] for name in ("id", "name") if attributes.get(name))
        if tag == "a" and attributes.get("href"):
            self.linked.append(attributes["href"])
        elif attributes.get(_FETCHED.get(tag)):
            self.fetched.append(attributes[_FETCHED[tag]])


def refuse(app, exception):
    if exception or app.builder.format != "html":
        return
    site = Path(app.outdir).resolve()
    pages = {file: _Page(file) for file in site.rglob("*.html")}
    ours = [file for file in pages if file.relative_to(site).parts[0] not in _NOT_OURS]
    wrong = [f"{file.relative_to(site)}: {fault}" for file in ours for fault in _faults(file, pages)]
    wrong += [
        f"{sheet.relative_to(site)} loads from another host"
        for sheet in site.rglob("*.css")
        if _SHEET.search(sheet.read_text(encoding="utf-8"))
    ]
    if wrong:
        raise ExtensionError("\n".join(["the site is not whole:", *wrong]))


def _faults(file, pages):
    page = pages[file]
    for address in page.fetched + page.linked:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            if address in page.fetched and parts.scheme != "data":
                yield f"loads {address} from another host"
            continue
        goal = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if not goal.is_file():
            yield f"{address} leads nowhere"
        elif parts.fragment and goal in pages and unquote(parts.fragment) not in pages[goal].places:
            yield f"{address} leads to a page without that place"


def setup(app):
    app.connect("build-finished", refuse)
    return {"parallel_read_safe": True}
