"""Eighty cases and three models that are as good as each other."""

from typing import Any

import numpy as np

import roctopus as rt

N = 80
_RNG = np.random.default_rng(0)
Y = _RNG.normal(size=N)
MODELS = {name: Y + _RNG.normal(size=N) for name in "abc"}


def fresh(arm: str = "regression", **options: Any) -> Any:
    """Compare the three models anew."""
    return rt.compare(Y, MODELS, arm=arm, **options)
