"""The page carries the licence notices of all that is built into it."""

import json
from pathlib import Path

import roctopus

ROOT = Path(__file__).parents[2]
TEMPLATE = Path(roctopus.__file__).parent / "report" / "template.html"


def bundled():
    """Return the packages that are built into the page: dependencies, and theirs."""
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text("utf-8"))["packages"]
    found, waiting = set(), list(lock[""]["dependencies"])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += lock[f"node_modules/{name}"].get("dependencies", {})
    return {name: lock[f"node_modules/{name}"]["version"] for name in sorted(found)}


def test_every_bundled_package_is_named_with_its_licence():
    page = TEMPLATE.read_text("utf-8")
    notices = page[page.index("<!--") : page.index("-->")]
    for name, version in bundled().items():
        assert f"{name} {version}" in notices
    assert "d3-selection" in notices
    assert "Mike Bostock" in notices
    assert "Permission to use, copy, modify, and/or distribute this software" in notices
    assert 'THE SOFTWARE IS PROVIDED "AS IS"' in notices
    assert page.index("<!--") > page.index("charset")  # which browsers look for at the beginning
    assert page.count("<!--") == page.count("-->") == 1
