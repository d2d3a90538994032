"""The four examples of the RROC paper, their error rows as printed, and samples for theorems."""

from __future__ import annotations

import numpy as np

import roctopus as rt
from reproduction.records import Value

Y = np.array([0.211, 2.725, 1.933, 3.242, 7.858, 6.061, 7.173, 3.082, 0.894, 1.203])
PREDICTIONS = {
    "m1": np.array([-0.082, 3.323, 2.320, 1.080, 7.893, 4.983, 5.121, 3.442, 2.083, 1.112]),
    "m2": np.array([0.786, 2.078, 0.587, 1.676, 9.052, 5.875, 6.885, 3.038, 4.097, 0.308]),
    "m3": np.array([1.253, 4.232, 1.734, 5.325, 6.842, 9.325, 8.232, 3.525, 1.352, 1.778]),
    "m4": np.array([0.123, 1.221, 1.845, 4.573, 8.558, 7.392, 5.669, 1.578, 0.806, 1.245]),
}
THREE = ("m1", "m2", "m3")
PRINTED_ERRORS = {
    "m1": "-0.293 0.598 0.387 -2.162 0.035 -1.078 -2.052 0.360 1.189 -0.091",
    "m2": "0.575 -0.647 -1.346 -1.566 1.194 -0.186 -0.288 -0.044 3.203 -0.895",
    "m3": "1.042 1.507 -0.199 2.083 -1.016 3.264 1.059 0.443 0.458 0.575",
    "m4": "-0.088 -1.504 -0.088 1.331 0.700 1.331 -1.504 -1.504 -0.088 0.042",
}
N = len(Y)
# Ties of decimals are not ties of doubles: the errors are rounded to the paper's three decimals.
ERRORS = {name: np.round(p - Y, 3) for name, p in PREDICTIONS.items()}
POINTS = {name: rt.rroc_point(Y, p) for name, p in PREDICTIONS.items()}
CURVES = {name: rt.rroc_curve(np.zeros(N), e) for name, e in ERRORS.items()}
THREE_POINTS = {name: POINTS[name] for name in THREE}
THREE_CURVES = {name: CURVES[name] for name in THREE}
ALPHAS = np.arange(1, 100) / 100


def mean_squared_error(y_true, y_pred):
    """Return the mean squared error: the asymmetric one where both sides cost the same."""
    return rt.asymmetric_squared_error(y_true, y_pred, asymmetry=0.5)


def compare_errors(page, name):
    """Compare a row of errors with the printed one."""
    printed = PRINTED_ERRORS[name].split()
    values = [
        Value(f"{name}, e{k}", ours, text)
        for k, ours, text in zip(range(1, N + 1), PREDICTIONS[name] - Y, printed, strict=True)
    ]
    page.grid(["error of example", *map(str, range(1, N + 1))], [(name, values)])


def samples(count=300):
    """Yield errors of all sizes up to 120 and of three shapes; every other sample has ties."""
    rng = np.random.default_rng(7)
    shapes = (rng.normal, rng.exponential, rng.standard_cauchy)
    for k in range(count):
        drawn = shapes[k % 3](size=int(rng.integers(1, 121)))
        yield np.round(drawn, 1) if k % 2 else drawn


def curve_of(errors):
    """Return the RROC curve of an error vector."""
    return rt.rroc_curve(np.zeros(len(errors)), errors)


def close(a, b, tolerance=1e-9):
    """Say whether numbers agree, relatively (absolutely below one)."""
    return bool(np.allclose(a, b, rtol=tolerance, atol=tolerance))


def told(values, digits=4):
    """Write numbers in a row; a mapping with its names."""
    if isinstance(values, dict):
        return ", ".join(f"{name} {told([value], digits)}" for name, value in values.items())
    return ", ".join(f"{value + 0.0:.{digits}g}".replace("-", "−") for value in values)
