"""``roctopus check --without-truth``: whether predictions look as they did."""

from __future__ import annotations

from rich.text import Text

from roctopus.cli.answers import as_json, parts_of
from roctopus.cli.data import open_request
from roctopus.cli.printing import emit, printing
from roctopus.cli.request import Request
from roctopus.concepts.decision import Decision
from roctopus.concepts.rendering import clean
from roctopus.core.errors import InputError
from roctopus.core.names import refuse_missing
from roctopus.engines import numbers
from roctopus.monitoring.arrivals import check_predictions

SCHEMA_VERSION = 1
PARTS = ("moved", "sentence", "cases", "median", "median_then", "yes", "yes_then", "pvalue")


def say_arrived(decision: Decision, request: Request) -> None:
    """Say whether predictions look as they did; that alone asks for nothing."""
    for name in ("truth", "state", "output", "retuned", "deployed"):
        if request[name]:
            raise InputError(
                f"--{name} has no effect with --without-truth, which does not compute costs. Leave "
                f"out --{name}."
            )
    source = open_request(request)
    refuse_missing([decision.model], source.names(), source.name)
    found = check_predictions(decision, numbers(source.read([decision.model]), decision.model))
    if request["json"]:
        emit(as_json({"schema_version": SCHEMA_VERSION, **parts_of(found, *PARTS)}) + "\n")
        return
    with printing() as console:
        console.print(Text(clean(found.sentence, 2000)))
