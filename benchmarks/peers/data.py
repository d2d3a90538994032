"""The cases that both sides get: the same arrays, doubles, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

KINDS = ("binary", "real", "graded")
CLASSES = 5


@dataclass(frozen=True)
class Data:
    """Truths and the predictions of two models."""

    kind: str
    y: Any
    p: Any
    """The first model's prediction: a calibrated probability where the truth has two classes."""
    q: Any
    """The second model's."""
    contexts: Any
    """Where curves are evaluated."""


def make(kind: str, n: int, *, tied: bool = False) -> Data:
    """Draw n cases; ``tied`` rounds predictions, so that they and the contexts meet."""
    rng = np.random.default_rng(KINDS.index(kind))
    signal = rng.normal(size=n)
    noise = rng.normal(size=n)
    if kind == "binary":
        p, q = (1.0 / (1.0 + np.exp(1.0 - z)) for z in (signal, signal + noise))
        y = (rng.random(n) < p).astype(np.int64)
        contexts = np.round(np.linspace(0.01, 0.99, 99), 2)
        if tied:
            p, q = (np.clip(np.round(each, 2), 0.01, 0.99) for each in (p, q))
        return Data(kind, y, p, q, contexts)
    y, p, q = signal, signal + noise, signal + 1.2 * rng.normal(size=n)
    contexts = np.round(np.linspace(-2.0, 2.0, 81), 2) + (0.0 if tied else 0.00123)
    if tied:
        y, p, q = (np.round(each, 2) for each in (y, p, q))
    if kind == "graded":
        y = np.digitize(y, [-1.0, -0.3, 0.3, 1.0]).astype(np.int64)
    return Data(kind, y, p, q, contexts)
