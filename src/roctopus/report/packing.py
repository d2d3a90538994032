"""Numbers and pictures as the page reads them: doubles in base64, exact and short."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.concepts.pictures import Drawn, Knobs
from roctopus.core.arrays import Floats


def pack(values: Any) -> dict[str, str]:
    """Return an array of doubles as text, bit for bit."""
    little = np.ascontiguousarray(values, dtype="<f8")
    return {"f64": base64.b64encode(little.tobytes()).decode("ascii")}


def make_space(arm: str, cases: Drawn, contexts: Floats, knobs: Knobs) -> dict[str, Any]:
    """Return the picture of an arm; ``knobs`` are those shown, per model and context."""
    make = next(iter(find_arm(arm).pictures.values()))
    return {name: _packed(value) for name, value in make(cases, contexts, knobs).items()}


def _packed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return pack(value)
    if isinstance(value, dict):
        return {name: _packed(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_packed(each) for each in value]
    return value
