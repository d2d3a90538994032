"""Write a page as one HTML file, its pictures beside it, and the summary of several."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from reproduction.records import (
    NOT_COMPARED,
    Absent,
    Claim,
    Figure,
    Grid,
    Page,
    Table,
    Value,
    Verdict,
)
from roctopus.core.files import replacing

__all__ = ["errata", "write_index", "write_page"]

ERRATA = Path(__file__).parents[1] / "docs" / "errata.md"
COLOURS = {
    Verdict.MATCH: "#1b7f4d",
    Verdict.CUT: "#1b7f4d",
    Verdict.ERRATUM: "#0072b2",
    Verdict.EXPLAINED: "#a15c00",
    Verdict.OTHER: "#666666",
    Verdict.ABSENT: "#666666",
    Verdict.UNEXPLAINED: "#c0392b",
    Verdict.STAND_IN: "#5c6b00",
    Verdict.OWN: "#1b7f4d",
}
SUMMED = {
    Verdict.MATCH: "match",
    Verdict.CUT: "match but for digits cut off in print",
    Verdict.ERRATUM: "are explained by an erratum",
    Verdict.EXPLAINED: "differ for a reason that is told",
    Verdict.OTHER: "differ since our algorithm is another",
    Verdict.UNEXPLAINED: "are unexplained",
    Verdict.ABSENT: "cannot be redone",
    Verdict.STAND_IN: "statements were seen on stand-ins for data that are not public",
    Verdict.OWN: "checks are our own",
}
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;
color:#1a1a1a}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.2rem;margin-top:2.2rem}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.8rem 0}
th,td{text-align:left;padding:.25rem .6rem .25rem 0;border-bottom:1px solid #e4e4e4;
vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}
figure{margin:1.2rem 0}img{max-width:100%;height:auto}figcaption,.quiet{color:#555;font-size:.9rem}
.v{font-weight:600;white-space:nowrap}.answer{font-size:1.1rem;background:#f4f6f8;
padding:.8rem 1rem;border-radius:.4rem}a{color:#0072b2}.scroll{overflow-x:auto}
summary{font-weight:600;margin:1rem 0;cursor:pointer}
"""


def errata() -> dict[int, str]:
    """Return every erratum's text by its number, from ``docs/errata.md``."""
    text = ERRATA.read_text("utf-8")
    found = re.findall(r"^\*\*(\d+)\*\* (.*?)(?=^\*\*\d|^#|\Z)", text, re.MULTILINE | re.DOTALL)
    return {int(number): " ".join(text.split()) for number, text in found}


def sentence(counts: dict[str, int], figures: int) -> str:
    """Return the answer first: how much of the paper stands."""
    compared = sum(counts[v.value] for v in Verdict if v not in NOT_COMPARED)
    told, beside = (
        ", ".join(f"{counts[v.value]:,} {SUMMED[v]}" for v in chosen if counts[v.value])
        for chosen in ([v for v in SUMMED if v not in NOT_COMPARED], NOT_COMPARED)
    )
    return (
        f"{compared:,} values and statements compared: {told or 'none'}. "
        + (f"Besides, {beside}. " if beside else "")
        + f"{figures} figures redrawn."
    )


def _verdict(record: Value | Claim | Absent) -> str:
    verdict = record.verdict
    text = verdict.value
    if verdict is Verdict.ERRATUM:
        assert not isinstance(record, Absent)
        text = f'<a href="#erratum-{record.erratum}">erratum {record.erratum}</a>'
    if isinstance(record, Claim):
        text = "holds" if verdict is Verdict.MATCH else text
        text = "does not hold" if verdict is Verdict.UNEXPLAINED else text
    return f'<span class="v" style="color:{COLOURS[verdict]}">{text}</span>'


def _number(x: float) -> str:
    return f"{x:.6g}".replace("-", "−")


def _table(header: Iterable[str], rows: Iterable[Iterable[str]], numbers: set[int]) -> str:
    def cell(tag: str, k: int, text: str) -> str:
        return f"<{tag}{' class=n' if k in numbers else ''}>{text}</{tag}>"

    head = "".join(cell("th", k, text) for k, text in enumerate(header))
    body = "".join(
        "<tr>" + "".join(cell("td", k, text) for k, text in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f"<div class=scroll><table><tr>{head}</tr>{body}</table></div>"


def _values(values: list[Value]) -> str:
    rows = [
        [
            escape(v.what), _number(v.ours), escape(v.printed.replace("-", "−")),
            _number(v.difference), f"{_verdict(v)} <span class=quiet>{escape(v.remark)}</span>",
        ]
        for v in values
    ]  # fmt: skip
    return _table(["", "ours", "printed", "difference", "verdict"], rows, {1, 2, 3})


def _claims(claims: list[Claim | Absent]) -> str:
    rows = [
        [escape(c.what), _verdict(c), f"<span class=quiet>{escape(c.remark)}</span>"]
        for c in claims
    ]
    return _table(["the paper says", "verdict", "seen"], rows, set())


def _figure(figure: Figure) -> str:
    data = base64.b64encode(figure.picture).decode()
    name, caption = escape(figure.name), escape(figure.caption)
    return (
        f'<figure><img alt="{name}" src="data:image/png;base64,{data}">'
        f"<figcaption><b>{name}.</b> {caption}</figcaption></figure>"
    )


def _grid(grid: Grid) -> str:
    """Ours above, the print below, in the colour of the verdict; why is told when pointed at."""

    def cell(value: Value | None) -> str:
        if value is None:
            return ""
        told = escape(f"{value.verdict.value} {value.remark}".strip())
        return (
            f'<span title="{told}" style="color:{COLOURS[value.verdict]}">{value.ours:.4g}<br>'
            f"<span class=quiet>{escape(value.printed)}</span></span>"
        )

    rows = [[escape(name), *map(cell, values)] for name, values in grid.rows]
    header = [escape(each) for each in grid.header]
    made = _table(header, rows, set(range(1, len(header))))
    return made + f"<p class=quiet>Ours, below it the print. {escape(grid.caption)}</p>"


def _own(table: Table) -> str:
    def text(x: Any) -> str:
        return _number(x) if isinstance(x, float) else escape(str(x))

    first = table.rows[0] if table.rows else []
    numbers = {k for k, x in enumerate(first) if isinstance(x, float | int)}
    made = _table(
        map(escape, table.header), [[text(x) for x in row] for row in table.rows], numbers
    )
    return made + (f"<p class=quiet>{escape(table.caption)}</p>" if table.caption else "")


def _parts(parts: list[Any]) -> Iterable[str]:
    """Draw parts in order; neighbours of a kind share a table."""
    k = 0
    while k < len(parts):
        kind = Value if isinstance(parts[k], Value) else Claim | Absent
        end = k
        while end < len(parts) and isinstance(parts[end], kind):
            end += 1
        if end > k:
            yield (_values if kind is Value else _claims)(parts[k:end])
            k = end
            continue
        part = parts[k]
        if isinstance(part, Figure):
            yield _figure(part)
        elif isinstance(part, Grid):
            yield _grid(part)
        else:
            yield _own(part) if isinstance(part, Table) else f"<p>{escape(part)}</p>"
        k += 1


def _document(title: str, body: Iterable[str]) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{STYLE}</style>" + "\n".join(body) + "</html>\n"
    )


def write_page(page: Page, folder: Path) -> Path:
    """Write ``NAME.html``, ``NAME.json`` and the pictures in ``NAME/``; return the page's path."""
    (folder / page.name).mkdir(parents=True, exist_ok=True)
    known = errata()
    met = sorted({r.erratum for _, r in page.records if r.verdict is Verdict.ERRATUM})
    body = [
        f"<h1>{escape(page.title)}</h1>",
        f"<p class=quiet>{escape(page.authors)}. Redone with roctopus; {page.seconds:.0f} s. "
        f"<a href=index.html>All papers</a></p>",
        f"<p class=answer>{escape(sentence(page.counts(), len(page.figures)))}</p>",
    ]
    for section in page.sections:
        body += [f"<h2>{escape(section.title)}</h2>", *_parts(section.parts)]
    if met:
        body.append("<h2>Errata met here</h2><p class=quiet>All of them: docs/errata.md</p>")
        body += [f"<p id=erratum-{n}><b>{n}.</b> {escape(known[n])}</p>" for n in met]
    for figure in page.figures:
        with replacing(folder / page.name / f"{figure.name}.png") as temporary:
            temporary.write_bytes(figure.picture)
    with replacing(folder / f"{page.name}.html") as temporary:
        temporary.write_text(_document(page.title, body), "utf-8")
    with replacing(folder / f"{page.name}.json") as temporary:
        temporary.write_text(json.dumps(_summary(page), indent=1, ensure_ascii=False), "utf-8")
    return folder / f"{page.name}.html"


def _summary(page: Page) -> dict[str, Any]:
    """Return what the summary of all papers needs."""
    listed = (Verdict.EXPLAINED, Verdict.OTHER, Verdict.ABSENT, Verdict.UNEXPLAINED)
    return {
        "name": page.name,
        "title": page.title,
        "seconds": round(page.seconds, 1),
        "figures": len(page.figures),
        "counts": page.counts(),
        "listed": [
            {
                "section": section,
                "what": record.what,
                "verdict": record.verdict.value,
                "ours": _number(record.ours) if isinstance(record, Value) else "",
                "printed": getattr(record, "printed", ""),
                "remark": record.remark,
            }
            for section, record in page.records
            if record.verdict in listed
        ],
    }


def write_index(folder: Path, papers: Iterable[str]) -> tuple[Path, str]:
    """Write the summary of the pages that are in a folder; return its path and its text."""
    kept = [path for name in papers if (path := folder / f"{name}.json").exists()]
    found = [json.loads(path.read_text("utf-8")) for path in kept]
    total = {v.value: sum(each["counts"][v.value] for each in found) for v in Verdict}
    answer = sentence(total, sum(each["figures"] for each in found))
    verdicts = [v.value for v in Verdict]
    rows = [
        [f'<a href="{escape(e["name"])}.html">{escape(e["title"])}</a>', str(e["figures"])]
        + [str(e["counts"][v]) for v in verdicts]
        + [f"{e['seconds']:.0f} s"]
        for e in found
    ]
    header = ["paper", "figures", *verdicts, "took"]
    body = [
        "<h1>Five papers, redone</h1>",
        f"<p class=answer>{escape(answer)}</p>",
        _table(header, rows, set(range(1, len(header)))),
    ]
    for verdict in (Verdict.UNEXPLAINED, Verdict.EXPLAINED, Verdict.ABSENT, Verdict.OTHER):
        listed = [
            [escape(str(x)) for x in (e["name"], r["section"], r["what"], r["ours"], r["printed"],
                                      r["remark"])]
            for e in found for r in e["listed"] if r["verdict"] == verdict.value
        ]  # fmt: skip
        told = f"{verdict.value.capitalize()}: {len(listed)}"
        made = _table(["paper", "where", "what", "ours", "printed", "why"], listed, {3, 4})
        opened = " open" if verdict is Verdict.UNEXPLAINED else ""
        body.append(f"<details{opened}><summary>{told}</summary>{made}</details>")
    with replacing(folder / "index.html") as temporary:
        temporary.write_text(_document("Five papers, redone with roctopus", body), "utf-8")
    told = [f"{e['name']:<10} {sentence(e['counts'], e['figures'])}" for e in found]
    return folder / "index.html", "\n".join([*told, f"{'all':<10} {answer}"])
