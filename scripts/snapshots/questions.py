"""Sixty questions: five arms × four kinds of contexts × plain, weighted and dependent cases."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from snapshots.cases import ASKED, Cases, make_cases
from snapshots.recording import page_payload, record

KINDS = ("number", "range", "distribution", "rows")
MANNERS = ("plain", "weights", "dependent")


def all_questions() -> dict[str, Any]:
    """Ask all questions."""
    return {
        arm: {kind: {manner: question(arm, kind, manner) for manner in MANNERS} for kind in KINDS}
        for arm in ASKED
    }


def comparison_of(arm: str, kind: str, manner: str, cases: Cases) -> Any:
    """Compare models on cases in the manner asked for."""
    more: dict[str, Any] = {}
    if manner == "weights":
        more["sample_weight"] = cases.columns["w"]
    if manner == "dependent":
        clustered = (list(ASKED).index(arm) + KINDS.index(kind)) % 2 == 0
        more |= {"clusters": cases.columns["who"]} if clustered else {"time_ordered": True}
    if kind == "rows":
        more["context"] = ASKED[arm].context(cases)
    return cases.compare(arm, **more)


def wordings(arm: str, kind: str) -> dict[str, dict[str, Any]]:
    """Return what decisions are asked for, by a name for it."""
    asked = ASKED[arm]
    return {
        "number": {"number": asked.number, "other_words": asked.other_words},
        "range": {
            "worst": {"between": asked.between},
            "regret": {"between": asked.between, "criterion": "regret"},
        },
        "distribution": {
            "distribution": {"distribution": asked.distribution},
            "other": {"distribution": asked.other_distribution},
        },
        "rows": {"own": {}},
    }[kind]


def question(arm: str, kind: str, manner: str) -> dict[str, Any]:
    """Ask everything of one comparison."""
    first = make_cases(arm, seed=1)
    comparison = comparison_of(arm, kind, manner, first)
    others = [
        comparison_of(arm, kind, manner, make_cases(arm, seed, drift))
        for seed, drift in ((2, 0.25), (3, 0.0))
    ]
    found = {"overview": overview(arm, comparison)}
    for name, words in wordings(arm, kind).items():
        found[name] = answers(comparison, others, words)
    if kind == "range":
        between = ASKED[arm].between
        found["regions"] = record(lambda: comparison.regions(between=between))
    if kind == "distribution":
        found["hybrid"] = hybrid(comparison, others, wordings(arm, kind)["distribution"])
        found["knowing"] = knowing(comparison, ASKED[arm].distribution)
    if kind == "rows":
        found["hybrid"] = hybrid(comparison, others, {})
    if kind in ("number", "rows"):
        words = ASKED[arm].number if kind == "number" else {}
        found["backtest"] = backtest(comparison, first, words)
    return found


def overview(arm: str, comparison: Any) -> dict[str, Any]:
    """Return what is known before anything is decided."""
    at = ASKED[arm].at
    return {
        "repr": record(lambda: repr(comparison)),
        "facts": record(lambda: [comparison.models, comparison.cases, comparison.fingerprint]),
        "measures": record(lambda: comparison.table(measures="all", backend="pyarrow")),
        "regions": record(comparison.regions),
        "envelope": record(lambda: [comparison.envelope.regions, comparison.envelope.never_best]),
        "curves": record(
            lambda: {
                name: [repr(curve), *(curve.at(x) for x in at)]
                for name, curve in comparison.curves().items()
            }
        ),
        "settings": record(
            lambda: {
                name: [curve.knob_at(x) for x in at] for name, curve in comparison.curves().items()
            }
        ),
    }


def decided(decision: Any) -> dict[str, Any]:
    """Return a decision: its sentence, and its record."""
    return {"text": str(decision), "json": json.loads(decision.to_json())}


def answers(comparison: Any, others: list[Any], words: dict[str, Any]) -> dict[str, Any]:
    """Return the decision, the table, the page, and what other cases say of the decision."""
    known = {"distribution": words["distribution"]} if "distribution" in words else {}
    return {
        "decision": record(lambda: decided(comparison.decide(**words))),
        "table": record(lambda: comparison.table(**words, measures="all", backend="pyarrow")),
        "page": record(
            lambda: page_payload(partial(comparison.to_html, progress=False, unit="t", **words))
        ),
        "judge": record(lambda: others[0].judge(comparison.decide(**words), **known)),
        "check": record(lambda: checked(comparison.decide(**words), others, known)),
    }


def checked(decision: Any, others: list[Any], known: dict[str, Any]) -> dict[str, Any]:
    """Return what other cases say of a decision, at once and with a state of two looks."""
    found = said(others[0].check(decision, **known))
    state = Path("state.json")
    state.unlink(missing_ok=True)
    found["looks"] = [
        record(lambda each=each: said(each.check(decision, state=state, **known)))
        for each in others
    ]
    return found


def said(check: Any) -> dict[str, Any]:
    """Return a check in words, and its parts but for the decision."""
    return {
        "text": str(check),
        "advice": [check.advice, check.advice_sentence],
        "findings": check.findings,
        "diagnosis": check.diagnosis,
        "watch": check.watch,
    }


def hybrid(comparison: Any, others: list[Any], words: dict[str, Any]) -> dict[str, Any]:
    """Return a decision that follows the context, and what other cases say of it."""
    return {
        "decision": record(lambda: decided(comparison.decide(hybrid=True, **words))),
        "check": record(
            lambda: said(others[0].check(comparison.decide(hybrid=True, **words), **words))
        ),
    }


def knowing(comparison: Any, distribution: Any) -> dict[str, Any]:
    """Return what knowing the context is worth."""

    def ask() -> Any:
        found = comparison.value_of_knowing(distribution)
        return {"text": str(found), "parts": found}

    return record(ask)


def backtest(comparison: Any, cases: Cases, words: dict[str, Any]) -> dict[str, Any]:
    """Return what policies would have given over time."""
    days = cases.columns["day"]

    def replay() -> Any:
        found = comparison.backtest(time=days[: comparison.cases], period=3, refit=2, **words)
        return {
            "text": str(found),
            "table": found.table(backend="pyarrow"),
            "frame": found.frame(backend="pyarrow"),
            "choices": found.choices(backend="pyarrow"),
        }

    return record(replay)
