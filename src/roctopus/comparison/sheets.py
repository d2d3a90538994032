"""Comparisons and answers, as they are shown in notebooks and written as Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from roctopus.concepts.decision import Decision
from roctopus.concepts.envelopes import Envelope, Region
from roctopus.concepts.rendering import Sheet, apart, clean, short
from roctopus.concepts.sentences import error_of
from roctopus.concepts.sheets import decision_lines
from roctopus.concepts.wording import sized

if TYPE_CHECKING:
    from roctopus.comparison.answers import Row

MOST_REGIONS = 50
NONE = "–"


def chance_text(chance: float | None) -> str:
    """Return a probability as people read it."""
    if chance is None:
        return NONE
    if chance > 0.995:
        return "> 99 %"
    return "< 1 %" if chance < 0.01 else f"{100 * chance:.0f} %"


def setting_text(knob: Sequence[float]) -> str:
    """Return a setting with four digits."""
    texts = (f"{x:,.0f}" if 1e4 <= abs(x) < 1e9 else f"{x:.4g}" for x in knob)
    return ", ".join(texts) or NONE


def show_answer(decision: Decision) -> str:
    """Return an answer as a short ``repr``."""
    first, *rest = decision_lines(decision)
    return short(f"Answer, {first}", *rest)


def answer_sheet(decision: Decision, rows: Sequence[Row], value_name: str) -> Sheet:
    """Return models and baselines, with the digits their errors allow."""
    knob = decision.knob_name if any(row.knob for row in rows) else None
    several = "s" if len(decision.knob) > 1 else ""
    header = ["", value_name, "95 % interval", "raw", "P(best)"]
    found = []
    for row in rows:
        error = error_of(row.low, row.high)
        value, low, high = (sized(x, error) for x in (row.value, row.low, row.high))
        raw = NONE if row.raw is None else sized(row.raw, error)
        cells = [row.name, value, f"{low} – {high}", raw, chance_text(row.chance)]
        if knob is not None:
            cells.insert(1, setting_text(row.knob))
        found.append(tuple(cells))
    if knob is not None:
        header.insert(1, f"{knob}{several}")
    return Sheet(decision.sentence, tuple(header), tuple(found), decision.warnings)


def regions_sheet(best: Envelope, head: str, context: str) -> Sheet:
    """Return which model is best where, on the data used for tuning."""
    shown = best.regions[:MOST_REGIONS]
    borders = apart([shown[0].low, *(region.high for region in shown)])
    rows = tuple((*borders[k : k + 2], region.model) for k, region in enumerate(shown))
    more = len(best.regions) - len(shown)
    notes = ["Which model is best where is measured on the data used for tuning."]
    if more:
        notes.insert(0, f"There are {more} more ranges.")
    return Sheet(head, (f"{context} from", "to", "best model"), rows, tuple(notes))


def region_lines(best: Envelope, context: str) -> tuple[str, str]:
    """Return which model is best in the widest ranges, and which never is, in two short lines."""

    def width(region: Region) -> float:
        span = region.high - region.low
        return span if math.isfinite(span) else 0.0

    shown = sorted(sorted(best.regions, key=width)[-2:], key=lambda region: region.low)
    ends = apart([end for region in shown for end in (region.low, region.high)])
    told = "; ".join(
        f"{clean(region.model, 20)} from {ends[2 * k]} to {ends[2 * k + 1]}"
        for k, region in enumerate(shown)
    )
    more = len(best.regions) - len(shown)
    told += f"; {more} more" if more else ""
    never = ", ".join(clean(name, 30) for name in best.never_best[:8])
    return f"  best for each {context}: {told}", f"  never best: {never}" if never else ""
