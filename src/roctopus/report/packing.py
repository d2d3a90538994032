"""Numbers as the page reads them: doubles in base64, exact and short."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np


def pack(values: Any) -> dict[str, str]:
    """Return an array of doubles as text, bit for bit."""
    little = np.ascontiguousarray(values, dtype="<f8")
    return {"f64": base64.b64encode(little.tobytes()).decode("ascii")}
