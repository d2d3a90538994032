"""The page of a check: whether a decision holds, why not, and what to do. One file, no script."""

from __future__ import annotations

import base64
import hashlib
import os
from html import escape
from importlib.resources import files

from roctopus._version import __version__
from roctopus.core.errors import InputError
from roctopus.core.files import replacing
from roctopus.monitoring import DecisionCheck
from roctopus.monitoring.wording import part_names, say_promise, undivided, value_name
from roctopus.report.check_cards import (
    fact_list,
    looks_card,
    parts_card,
    saved_card,
    say_ends,
    short_setting,
    table_card,
    then_and_now,
)

SIGNS = {
    "wait": "M3 9l4 4 7-9",
    "retune": "M14 5a6 6 0 1 0 .5 6M14 1v4h-4",
    "retrain": "M4 4l9 9M13 4l-9 9",
    "accept": "M3 6q3-3 6 0t6 0M3 11q3-3 6 0t6 0",
}
"""A sign of each advice: a tick, an arrow that turns, a cross, waves. Colours alone tell little."""


def make_check_page(check: DecisionCheck, *, title: str | None = None) -> str:
    """Return the page as text: nothing in it is loaded from elsewhere, and nothing runs.

    Parameters
    ----------
    check : DecisionCheck
        What new cases say about a decision.
    title : str, optional
        Stands over the answer.
    """
    if not isinstance(check, DecisionCheck):
        raise InputError(
            "'check' must be the result of Comparison.check, but is of type "
            f"{type(check).__name__}."
        )
    if title is not None and not isinstance(title, str):
        raise InputError(f"'title' must be text, but is {title!r}.")
    style = files("roctopus").joinpath("report", "check.css").read_text("utf-8")
    held = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{held}'; img-src data:; base-uri 'none'; "
    policy += "form-action 'none'"
    parts = [_head(check, title), _facts(check)]
    watch = check.watch
    if watch is not None:
        parts += [looks_card(check, watch), saved_card(check, watch)]
    else:
        parts.append(then_and_now(check))
    if check.diagnosis is not None:
        parts.append(parts_card(check, check.diagnosis))
    if watch is not None:
        parts.append(table_card(check, watch))
    parts += [_words(check), _foot()]
    whole = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title or 'Does the decision hold?')}</title>\n"
        f"<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(filter(None, parts))
        + "\n</main>\n"
        "</body>\n</html>\n"
    )
    # Lone surrogates, which a name may hold, are no text that a file can keep.
    return whole.encode("utf-8", "replace").decode("utf-8")


def write_check_page(
    path: str | os.PathLike[str], check: DecisionCheck, *, title: str | None = None
) -> None:
    """Write the page of a check to a file, whole or not at all."""
    text = make_check_page(check, title=title)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _head(check: DecisionCheck, title: str | None) -> str:
    decision = check.decision
    told = "The decision still holds" if check.holds else "The decision no longer holds"
    setting = "a rule" if decision.regions else decision.knob_text
    model = ", ".join(decision.used_models)
    over = f"{title} · " if title else ""
    findings = "".join(
        f"<li{'' if each.holds else ' class=against'}><span>{escape(each.sentence)}</span></li>"
        for each in check.findings
    )
    notes = "".join(f'<p class="note">{escape(each)}</p>\n' for each in check.notes)
    return (
        f'<header>\n<p class="kicker">{escape(over)}Check of a decision: <bdi>{escape(model)}</bdi>'
        f" with {escape(setting)}: {escape(decision.in_words)}</p>\n"
        f'<p class="verdict {check.advice}"><svg viewBox="0 0 17 17" aria-hidden="true">'
        f'<path d="{SIGNS[check.advice]}"/></svg>{escape(told)}</p>\n'
        f'<h1 class="{check.advice}">{escape(check.advice_sentence)}</h1>\n'
        f'<ul class="findings">{findings}</ul>\n{notes}</header>'
    )


def _facts(check: DecisionCheck) -> str:
    decision, watch = check.decision, check.watch
    ends = say_ends(check.low, check.high)
    rows = [(f"{value_name(decision)} per case now", f"{check.value:.4g}", ends)]
    told = say_ends(decision.low, decision.high)
    rows.append(("when you decided", f"{decision.value:.4g}", told))
    rows.append(("new cases", f"{check.cases:,}", ""))
    if watch is not None:
        rows.append(("looks so far", f"{watch.looks:,}", f"{watch.cases:,} cases"))
    return fact_list(rows, "card facts")


def _words(check: DecisionCheck) -> str:
    contexts, setting, model = (each.capitalize() for each in part_names(check.decision))
    name = short_setting(check)
    told = [
        say_promise(check.watch),
        f"{contexts}: how much more the new contexts cost than the old ones, each with a "
        f"{name} tuned for them. {setting}: what re-tuning recovers. "
        f"{model}: what is left in the old contexts after re-tuning.",
        "The three add up exactly to the change since you decided. Re-tuned settings are judged on "
        "other cases than those they were learned from.",
    ]
    if check.diagnosis is None or undivided(check.diagnosis):
        told = told[:1]
    inside = "".join(f"<p>{escape(each)}</p>" for each in told)
    return f'<section class="card words">\n<h2>What the words mean</h2>\n{inside}\n</section>'


def _foot() -> str:
    return (
        "<footer><p>This page shows averages over many cases, but a setting may be the score or "
        "the error of a single case, and the smallest and the largest context are those of single "
        "cases. Share it only with people who may see the data. The page "
        f"loads nothing and runs no code. Made with roctopus {escape(__version__)}.</p></footer>"
    )
