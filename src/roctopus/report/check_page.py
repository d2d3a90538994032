"""The page of a check: whether a decision holds, why not, and what to do. One file, no script."""

from __future__ import annotations

import base64
import hashlib
import math
import os
from html import escape
from importlib.resources import files

from roctopus._version import __version__
from roctopus.core.errors import InputError
from roctopus.core.files import replacing
from roctopus.monitoring import DecisionCheck
from roctopus.monitoring.diagnosis import Diagnosis, Part
from roctopus.monitoring.watching import Look, Watch
from roctopus.monitoring.wording import lost_name, part_names, setting_name, value_name
from roctopus.report.check_charts import REACH, Bar, draw_looks, draw_parts, draw_values, signed

SHOWN = 26
"""So many of the newest looks are in the table."""
SIGNS = {
    "wait": "M3 9l4 4 7-9",
    "retune": "M14 5a6 6 0 1 0 .5 6M14 1v4h-4",
    "retrain": "M4 4l9 9M13 4l-9 9",
    "accept": "M3 6q3-3 6 0t6 0M3 11q3-3 6 0t6 0",
}
"""A sign of each advice: a tick, an arrow that turns, a cross, waves. Colours alone tell little."""
DOT, LINE = '<path class="looks" d="M14 7h0"/>', '<path class="mean" d="M2 7H26"/>'
DIAMOND = '<path class="alarm" d="M8 7l6-6l6 6l-6 6z"/>'
TRIANGLE = '<path class="stale" d="M8 12h12l-6-10z"/>'


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
        raise InputError(f"'check' must be the check of a decision, got {type(check).__name__}.")
    if title is not None and not isinstance(title, str):
        raise InputError(f"'title' must be text, got {title!r}.")
    style = files("roctopus").joinpath("report", "check.css").read_text("utf-8")
    held = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{held}'; img-src data:; base-uri 'none'; "
    policy += "form-action 'none'"
    parts = [_head(check, title), _facts(check)]
    if check.watch is not None:
        parts.append(_looks(check, check.watch))
    elif check.decision.criterion != "regret":  # a regret is not what was measured now
        parts.append(_then_and_now(check))
    if check.diagnosis is not None:
        parts.append(_parts(check, check.diagnosis))
    if check.watch is not None:
        parts.append(_table(check.watch))
    parts += [_words(check), _foot()]
    whole = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title or 'Does the decision hold?')}</title>\n"
        f"<style>{style}</style>\n</head>\n<body>\n<main>\n" + "\n".join(parts) + "\n</main>\n"
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
    return (
        f'<header>\n<p class="kicker">{escape(over)}Check of a decision: <bdi>{escape(model)}</bdi>'
        f" with {escape(setting)}, for {escape(decision.in_words)}</p>\n"
        f'<p class="verdict {check.advice}"><svg viewBox="0 0 17 17" aria-hidden="true">'
        f'<path d="{SIGNS[check.advice]}"/></svg>{escape(told)}</p>\n'
        f'<h1 class="{check.advice}">{escape(check.advice_sentence)}</h1>\n'
        f'<ul class="findings">{findings}</ul>\n</header>'
    )


def _facts(check: DecisionCheck) -> str:
    decision, watch = check.decision, check.watch
    rows = [
        (
            f"{value_name(decision)} per case now",
            f"{check.value:.4g}",
            _interval(check.low, check.high),
        )
    ]
    if decision.criterion != "regret":
        told = _interval(decision.low, decision.high)
        rows.append(("when you decided", f"{decision.value:.4g}", told))
    rows.append(("new cases", f"{check.cases:,}", ""))
    if watch is not None:
        rows.append(("looks so far", f"{watch.looks:,}", f"{watch.cases:,} cases"))
    inside = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{_minus(value)}<small>{_minus(more)}</small></dd></div>"
        for name, value, more in rows
    )
    return f'<dl class="card facts">{inside}</dl>'


def _interval(low: float, high: float) -> str:
    return f"{low:.4g} to {high:.4g}"


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _setting(check: DecisionCheck) -> str:
    return setting_name(check.decision).removeprefix("the ")


def _looks(check: DecisionCheck, watch: Watch) -> str:
    legend = [
        (LINE, "mean change, with bounds that hold for all looks together"),
        (DOT, "each look alone"),
    ]
    if any(look.low > 0.0 for look in watch.history):
        legend.append((DIAMOND, "clearly worse than when you decided"))
    if any(look.knob_low > 0.0 for look in watch.history):
        legend.append((TRIANGLE, f"{_setting(check)} clearly out of date"))
    name = escape(value_name(check.decision))
    listed = "".join(
        f'<li><svg viewBox="0 0 28 14" aria-hidden="true">{sign}</svg>{escape(told)}</li>'
        for sign, told in legend
    )
    return (
        f'<section class="card">\n<h2>Change of the {name}, look by look</h2>\n<p class="hint">Per '
        "case, compared with when you decided (0). Above 0 is worse. The mean starts at the look "
        f"since which the change is clearest.</p>\n{draw_looks(watch, name, _setting(check))}\n"
        f'<ul class="legend">{listed}</ul>\n</section>'
    )


def _then_and_now(check: DecisionCheck) -> str:
    decision = check.decision
    rows = [
        Bar("when you decided", "", decision.value, decision.low, decision.high),
        Bar("now", "", check.value, check.low, check.high),
    ]
    what = f"{value_name(decision)} per case".capitalize()
    return (
        f'<section class="card">\n<h2>{escape(what)}, then and now</h2>\n<p class="hint">'
        f"{escape(decision.outcome.capitalize())}, with 95 % intervals.</p>\n"
        f"{draw_values(rows, what)}\n</section>"
    )


def _bar(name: str, style: str, part: Part) -> Bar:
    loss, error = part
    if not (math.isfinite(error) and error > 0.0):
        return Bar(name, style, loss)
    return Bar(name, style, loss, loss - REACH * error, loss + REACH * error)


def _total(check: DecisionCheck, parts: Diagnosis) -> Bar:
    """Return the change, with bounds where these are of the same looks."""
    watch = check.watch
    if watch is not None:
        same = math.isclose(watch.value.change, parts.change)
        ends = watch.value[2:] if same else (None, None)
        return Bar("change", "change", parts.change, *ends)
    error = next((each.standard_error for each in check.findings if each.what == "value"), None)
    return _bar("change", "change", Part(parts.change, error or 0.0))


def _parts(check: DecisionCheck, parts: Diagnosis) -> str:
    each = zip(part_names(check.decision), parts.parts, strict=True)
    names = dict(zip(("context", "knob", "model"), each, strict=True))
    bars = [_bar(name, style, part) for style, (name, part) in names.items()]
    total = _total(check, parts)
    shares = parts.change > 0.0 and not check.holds
    rows = "".join(
        f'<tr><th scope="row"><span class="chip {style}"></span>{escape(name)}</th>'
        f"<td>{signed(part.loss)}</td><td>{part.standard_error:.2g}</td>"
        + (
            f"<td>{_minus(str(round(100 * part.loss / parts.change)))}&nbsp;%</td>"
            if shares
            else ""
        )
        + "</tr>"
        for style, (name, part) in names.items()
    )
    rows += (
        '<tr class="total"><th scope="row"><span class="chip change"></span>change</th>'
        f"<td>{signed(parts.change)}</td><td></td>{'<td>100&nbsp;%</td>' if shares else ''}</tr>"
    )
    share = '<th scope="col">share</th>' if shares else ""
    ends, lost = "95 % intervals", lost_name(check.decision)
    if check.watch is not None and total.low is not None:
        ends += "; for the change, bounds that hold for all looks together"
    return (
        '<section class="card">\n<h2>What the change is made of</h2>\n<p class="hint">'
        f"{lost.capitalize()}; left of zero is better. The parts add up to the change. "
        f"Lines: {ends}.</p>\n"
        f"{draw_parts(bars, total)}\n{_scroll('Parts of the change')}<table>\n<thead><tr>"
        f'<th scope="col">part</th><th scope="col">{lost}</th>'
        f'<th scope="col">standard error</th>{share}</tr>'
        f"</thead>\n<tbody>{rows}</tbody>\n</table></div>\n</section>"
    )


def _scroll(name: str) -> str:
    """Open a box that is moved by keys, too, where a table is wider than the screen."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{name}">'


def _table(watch: Watch) -> str:
    first = watch.looks - len(watch.history) + 1
    newest = list(enumerate(watch.history, first))[-SHOWN:]
    rows = "".join(_row(number, look) for number, look in reversed(newest))
    names = ("look", "cases", "value", "change", "mean change", "at least", "at most", "alarm")
    heads = "".join(f'<th scope="col"{_extra(name)}>{name}</th>' for name in names)
    earlier = watch.looks - len(newest)
    more = f" {earlier:,} earlier ones are not listed." if earlier else ""
    return (
        '<section class="card">\n<h2>The looks in numbers</h2>\n'
        f"{_scroll('The looks')}<table>\n"
        f"<caption>Newest first.{more}</caption>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>{rows}</tbody>\n</table></div>\n</section>"
    )


def _extra(name: str) -> str:
    """Return the class of columns that narrow screens do without."""
    return ' class="extra"' if name in ("cases", "value") else ""


def _row(number: int, look: Look) -> str:
    told = [name for name, low in (("value", look.low), ("setting", look.knob_low)) if low > 0.0]
    first = f"<td{_extra('cases')}>{look.cases:,}</td>"
    first += f"<td{_extra('value')}>{_minus(f'{look.value:.4g}')}</td>"
    cells = [
        *(signed(each) for each in (look.change, look.mean_change, look.low, look.high)),
        f'<span class="flag">{", ".join(told)}</span>' if told else "–",
    ]
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{number}</th>{first}{inside}</tr>'


def _words(check: DecisionCheck) -> str:
    promise = (
        "This is a single check: if nothing has changed, at most about 5 % of such checks raise an "
        "alarm. To check repeatedly, keep a state: the 5 % then hold for all looks together."
    )
    if check.watch is not None:
        promise = (
            "The bounds hold for all looks together: if nothing has changed, at most 5 % of all "
            "histories ever raise an alarm, however often you look."
        )
    contexts, setting, model = (each.capitalize() for each in part_names(check.decision))
    told = [
        promise,
        f"{contexts}: how much more the new contexts cost than the old ones, each with a "
        f"{_setting(check)} tuned for them. {setting}: what re-tuning on the new cases recovers. "
        f"{model}: what is left in the old contexts after re-tuning.",
        "The three add up exactly to the change since you decided. Re-tuned settings are evaluated "
        "on other cases than those they were tuned on.",
    ]
    if check.diagnosis is None:
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
