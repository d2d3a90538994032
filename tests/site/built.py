"""The built documentation: its pages, what they link to, and their text."""

from collections import defaultdict
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urldefrag

ROOT = Path(__file__).parents[2]
SITE = ROOT / "site"
if not SITE.exists():
    raise RuntimeError("The documentation is not built: scripts/docs builds it.")
PAGES = sorted(
    str(path.relative_to(SITE)) for path in SITE.rglob("*.html") if "_static" not in path.parts
)
WRITTEN = [page for page in PAGES if not page.startswith(("api/", "gallery/"))]
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Reader(HTMLParser):
    """What a page links to and loads, its anchors, and the text below each of them."""

    def __init__(self):
        super().__init__()
        self.links, self.loads, self.dead, self.text = [], [], [], defaultdict(list)
        self.open = []
        self.unresolved = False

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in {"img", "script", "iframe"} and "src" in found:
            self.loads.append(found["src"])
        if tag == "link" and found.get("rel") in {"stylesheet", "icon", "preload"}:
            self.loads.append(found["href"])
        kinds = (found.get("class") or "").split()
        self.unresolved = "xref" in kinds and "a" not in [name for name, _ in self.open]
        if found.get("id"):
            self.text[found["id"]].append("")
        if tag not in VOID:
            self.open.append((tag, found.get("id")))

    def handle_endtag(self, tag):
        self.unresolved = False
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if self.unresolved:
            self.dead.append(data)
        for anchor in {"", *(anchor for _, anchor in self.open if anchor)}:
            self.text[anchor].append(data)


@cache
def read(page):
    reader = Reader()
    reader.feed((SITE / page).read_text(encoding="utf-8"))
    return reader


def target(page, link):
    """Return where a link leads within the site: page and anchor; None if it leaves it."""
    if ":" in link.partition("#")[0] or link.startswith("//"):
        return None
    path, anchor = urldefrag(link)
    path = unquote(path.partition("?")[0])
    return normpath(join(dirname(page), path)) if path else page, unquote(anchor)
