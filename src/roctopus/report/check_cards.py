"""The cards of a check's page: the looks, what advice would have brought, and the parts."""

from __future__ import annotations

import math
from html import escape

from roctopus.monitoring import DecisionCheck
from roctopus.monitoring.diagnosis import Diagnosis, Part
from roctopus.monitoring.recorded import setting_limit
from roctopus.monitoring.watching import Look, Watch
from roctopus.monitoring.wording import (
    lost_name,
    part_names,
    say_saved,
    setting_name,
    three_digits,
    undivided,
    value_name,
)
from roctopus.report.check_charts import REACH, Bar, draw_parts, draw_values, signed
from roctopus.report.check_timeline import FEW, Limits, draw_looks

SHOWN = 26
"""So many of the newest looks are in the table."""
DOT, LINE = '<path class="looks" d="M14 7h0"/>', '<path class="mean" d="M2 7H26"/>'
DIAMOND = '<path class="alarm" d="M8 7l6-6l6 6l-6 6z"/>'
TRIANGLE = '<path class="stale" d="M8 12h12l-6-10z"/>'
DASHES = '<path class="matters" d="M2 7H26"/>'


def with_minus(text: str) -> str:
    """Return a number with a true minus sign."""
    return text.replace("-", "−")


def say_ends(low: float, high: float) -> str:
    """Return the ends of an interval; infinite ones say that there are too few cases."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return FEW
    return f"{low:.4g} to {high:.4g}"


def fact_list(rows: list[tuple[str, str, str]], style: str) -> str:
    """Return facts side by side: what each is, its number, and more about it in small letters."""
    inside = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{with_minus(value)}<small>{with_minus(more)}</small>"
        "</dd></div>"
        for name, value, more in rows
    )
    return f'<dl class="{style}">{inside}</dl>'


def short_setting(check: DecisionCheck) -> str:
    """Return what is tuned, without its article."""
    return setting_name(check.decision).removeprefix("the ")


def limits_of(check: DecisionCheck) -> Limits:
    """Return what a change and a setting may lose before it matters."""
    return Limits(check.decision.tolerance, setting_limit(check.decision))


def looks_card(check: DecisionCheck, watch: Watch) -> str:
    """Return the change over time, with its bounds."""
    limits, name = limits_of(check), escape(value_name(check.decision))
    legend = [
        (LINE, "mean change, with bounds that hold for all looks together"),
        (DOT, "each look alone"),
    ]
    if limits.value > 0.0:
        legend.append((DASHES, f"tolerance: a change of up to {limits.value:.3g} does not matter"))
    if any(look.low > limits.value for look in watch.history):
        legend.append((DIAMOND, "clearly worse than when you decided"))
    if any(look.knob_low > limits.setting for look in watch.history):
        legend.append((TRIANGLE, f"{short_setting(check)} clearly out of date"))
    listed = "".join(
        f'<li><svg viewBox="0 0 28 14" aria-hidden="true">{sign}</svg>{escape(told)}</li>'
        for sign, told in legend
    )
    return (
        f'<section class="card">\n<h2>Change of the {name}, look by look</h2>\n<p class="hint">Per '
        "case, compared with when you decided (0). Above 0 is worse. The mean starts at the look "
        "since which the change is clearest.</p>\n"
        f"{draw_looks(watch, name, short_setting(check), limits)}\n"
        f'<ul class="legend">{listed}</ul>\n</section>'
    )


def saved_card(check: DecisionCheck, watch: Watch) -> str:
    """Return what following the advice would have brought so far; nothing without advice."""
    if watch.saved is None:
        return ""
    hint, facts = say_saved(check.decision, watch), ""
    if watch.saved:
        hint = f"Compared with keeping {setting_name(check.decision)} as decided."
        more = "saved" if check.decision.sense == "loss" else "gained more"
        total = three_digits(watch.saved * watch.cases)
        rows = [
            (f"{more} per case", three_digits(watch.saved), "mean over all looks"),
            (f"{more} in total", total, f"over {watch.cases:,} cases"),
        ]
        facts = fact_list(rows, "facts")
    return (
        '<section class="card">\n<h2>What the advice would have brought so far</h2>\n'
        f'<p class="hint">{escape(hint)}</p>{facts}\n</section>'
    )


def then_and_now(check: DecisionCheck) -> str:
    """Return the value when it was decided beside that of now, where there is no state."""
    decision = check.decision
    known = all(map(math.isfinite, (check.low, check.high)))
    rows = [
        Bar("when you decided", "", decision.value, decision.low, decision.high),
        Bar("now", "", check.value, *((check.low, check.high) if known else ())),
    ]
    what = f"{value_name(decision)} per case".capitalize()
    few = "" if known else " There are too few new cases for an interval."
    return (
        f'<section class="card">\n<h2>{escape(what)}, then and now</h2>\n<p class="hint">'
        f"{escape(decision.outcome.capitalize())}, with 95 % intervals.{few}</p>\n"
        f"{draw_values(rows, what)}\n</section>"
    )


def parts_card(check: DecisionCheck, parts: Diagnosis) -> str:
    """Return the parts of the change, or why they cannot be told apart."""
    head = '<section class="card">\n<h2>What the change is made of</h2>\n'
    why = f"{parts.apart}." if parts.apart else ""
    if undivided(parts):
        return (
            f'{head}<p class="hint">{escape(why)} The change of {signed(parts.change)} per case is '
            "therefore not split into parts.</p>\n</section>"
        )
    each = zip(part_names(check.decision), parts.parts, strict=True)
    names = dict(zip(("context", "knob", "model"), each, strict=True))
    bars = [_bar(name, style, part) for style, (name, part) in names.items()]
    total, lost = _total(check, parts), lost_name(check.decision)
    ends = "95 % intervals"
    if check.watch is not None and total.low is not None:
        ends += "; for the change, bounds that hold for all looks together"
    return (
        f'{head}<p class="hint">{lost.capitalize()}; left of zero is better. The parts add up to '
        f"the change. Lines: {ends}. {escape(why)}</p>\n"
        f"{draw_parts(bars, total)}\n{_parts_table(check, parts, names)}\n</section>"
    )


def _parts_table(check: DecisionCheck, parts: Diagnosis, names: dict[str, tuple[str, Part]]) -> str:
    shares = parts.change > 0.0 and not check.holds

    def cells(loss: float, error: float | None) -> str:
        found = [signed(loss), "" if error is None else _error(error)]
        if shares:
            found.append(f"{with_minus(str(round(100 * loss / parts.change)))}&nbsp;%")
        return "".join(f"<td>{each}</td>" for each in found)

    rows = "".join(
        f'<tr><th scope="row"><span class="chip {style}"></span>{escape(name)}</th>'
        f"{cells(*part)}</tr>"
        for style, (name, part) in names.items()
    )
    rows += (
        '<tr class="total"><th scope="row"><span class="chip change"></span>change</th>'
        f"{cells(parts.change, None)}</tr>"
    )
    heads = ("part", lost_name(check.decision), "standard error", "share")[: 4 if shares else 3]
    return _table("Parts of the change", heads, rows)


def _error(error: float) -> str:
    return f"{error:.2g}" if math.isfinite(error) else "–"


def _bar(name: str, style: str, part: Part) -> Bar:
    loss, error = part
    if not (math.isfinite(error) and error > 0.0):
        return Bar(name, style, loss)
    return Bar(name, style, loss, loss - REACH * error, loss + REACH * error)


def _total(check: DecisionCheck, parts: Diagnosis) -> Bar:
    """Return the change, with bounds where these are of the same looks."""
    watch = check.watch
    if watch is not None:
        found = watch.value
        same = math.isclose(found.change, parts.change, rel_tol=1e-4) and math.isfinite(found.low)
        return Bar("change", "change", parts.change, *(found[2:] if same else ()))
    error = next((each.standard_error for each in check.findings if each.what == "value"), None)
    return _bar("change", "change", Part(parts.change, error or 0.0))


def _table(name: str, heads: tuple[str, ...], rows: str, caption: str = "") -> str:
    """Return a table in a box that is also moved by keys where it is wider than the screen."""
    told = f"<caption>{caption}</caption>\n" if caption else ""
    inside = "".join(f'<th scope="col"{_extra(each)}>{each}</th>' for each in heads)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{name}"><table>\n{told}'
        f"<thead><tr>{inside}</tr></thead>\n<tbody>{rows}</tbody>\n</table></div>"
    )


def table_card(check: DecisionCheck, watch: Watch) -> str:
    """Return the newest looks in numbers."""
    first, limits = watch.looks - len(watch.history) + 1, limits_of(check)
    newest = list(enumerate(watch.history, first))[-SHOWN:]
    rows = "".join(_row(number, look, limits) for number, look in reversed(newest))
    heads = ("look", "cases", "value", "change", "mean change", "at least", "at most", "alarm")
    earlier = watch.looks - len(newest)
    caption = f"Newest first.{f' {earlier:,} earlier ones are not listed.' if earlier else ''}"
    if not all(math.isfinite(look.low) for _, look in newest):
        caption += " ∞: too few cases for a bound."
    return (
        '<section class="card">\n<h2>The looks in numbers</h2>\n'
        f"{_table('The looks', heads, rows, caption)}\n</section>"
    )


def _extra(name: str) -> str:
    """Return the class of columns that narrow screens do without."""
    return ' class="extra"' if name in ("cases", "value") else ""


def _row(number: int, look: Look, limits: Limits) -> str:
    found = (("value", look.low, limits.value), ("setting", look.knob_low, limits.setting))
    told = [name for name, low, limit in found if low > limit]
    first = f"<td{_extra('cases')}>{look.cases:,}</td>"
    first += f"<td{_extra('value')}>{with_minus(f'{look.value:.4g}')}</td>"
    cells = [
        *(signed(each) for each in (look.change, look.mean_change, look.low, look.high)),
        f'<span class="flag">{", ".join(told)}</span>' if told else "–",
    ]
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{number}</th>{first}{inside}</tr>'
