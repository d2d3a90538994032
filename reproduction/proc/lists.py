"""The lists of the pROC paper, what roctopus says of them, and the paper's formulas plainly."""

from __future__ import annotations

import re
import warnings
from functools import cache, cached_property

import numpy as np

from roctopus import probability as arm

GRID_STEP, GRID_GAP = 0.01, 0.001
"""The paper's search goes up in steps until the gap is below its bound."""


class Ranking:
    """Some cases with their probabilities: 0.9+ is a positive at 0.9."""

    def __init__(self, y, p):
        self.y, self.p = np.asarray(y), np.asarray(p, dtype=float)

    @staticmethod
    def read(text):
        """Read a list as the paper writes it."""
        found = re.findall(r"([\d.]+)([+-])", text)
        made = Ranking([int(sign == "+") for _, sign in found], [float(p) for p, _ in found])
        made.text = "{" + text.replace(" ", ", ").replace("-", "−") + "}"
        return made

    @staticmethod
    def drawn(rng, n, digits=None):
        """Draw probabilities and classes at random, both classes present."""
        y = np.zeros(n, dtype=int)
        while y.min() == y.max():
            y = rng.integers(0, 2, n)
        p = rng.random(n)
        return Ranking(y, p if digits is None else p.round(digits))

    @staticmethod
    def informed(rng, n):
        """Draw as many positives as negatives: Beta(2, 1) and Beta(1, 2), AUC 5/6, pAUC 2/3."""
        y = np.arange(n) % 2
        return Ranking(y, np.where(y == 1, rng.beta(2, 1, n), rng.beta(1, 2, n)))

    @property
    def auc(self):
        """The AUC."""
        return arm.roc_auc(self.y, self.p)

    @property
    def pauc(self):
        """The probabilistic AUC."""
        return arm.probabilistic_auc(self.y, self.p)

    @cached_property
    def pairs(self):
        """The differences of every positive from every negative."""
        return (self.p[self.y == 1][:, None] - self.p[self.y == 0]).ravel()

    @cache  # noqa: B019 (few lists, all kept)
    def found(self, kernel="uniform"):
        """Search the width whose area is pAUC."""
        return arm.canonical_width(self.y, self.p, kernel=kernel)

    def width(self, kernel="uniform"):
        """Return the smallest such width, or None."""
        return self.found(kernel).width

    def roots(self, kernel="uniform"):
        """Return all such widths."""
        return [root.low for root in self.found(kernel).roots()]

    def area(self, width, kernel="uniform"):
        """Return Area(d)."""
        return self._area(kernel).at(width)

    @cache  # noqa: B019
    def _area(self, kernel):
        return arm.smoothed_area(self.y, self.p, kernel=kernel)

    def curve(self, width, kernel="uniform", points=2001):
        """Return the pROC curve; with width 0 the ROC curve."""
        return arm.smoothed_roc_curve(self.y, self.p, width=width, kernel=kernel, points=points)


LISTS = {
    name: Ranking.read(text)
    for name, text in {
        "five cases": "0.9+ 0.6- 0.55+ 0.2- 0.1-",
        "near, right": "0.501+ 0.5-",
        "near, wrong": "0.5- 0.499+",
        "AUC above": "0.65+ 0.55- 0.45- 0.35-",
        "pAUC above": "1+ 0.1- 0+",
        "Example 1": "0.9+ 0.8- 0.6+ 0.3- 0.2-",
        "up and down": "1+ 0.51- 0.49+ 0-",
        "oscillating": "1+ 1+ 0.6- 0.6- 0.50001+ 0.49999- 0.45+ 0.45+ 0- 0-",
        "one pair": "0.6+ 0.4-",
        "Example 2": "0.85+ 0.78+ 0.7- 0.55+ 0.52+ 0.5- 0.4- 0.3+ 0.25- 0.15-",
    }.items()
}
MISPRINTED = Ranking.read("0.9+ 0.8- 0.6+ 0.3+ 0.2-")
"""Example 1 as the section on skews prints it."""
WITHOUT = Ranking.read("1+ 0.1- 0+ 0+")
"""A list for which no width makes the area pAUC."""


def pair_area(pairs, width, c=lambda size, d: size / d):
    """Return Area(d) by the paper's g_d, pair by pair; ``c`` is how it scales a difference."""
    size = np.abs(pairs)
    apart = np.where(pairs > 0, 1.0, np.where(pairs < 0, 0.0, 0.5))
    part = (1.0 - c(size, width)) ** 2 / 2.0
    return float(np.mean(np.where(size >= width, apart, np.where(pairs > 0, 1.0 - part, part))))


def closed_form(pairs):
    """Return ρ and the widths 1 ± √(1 − ρ) at which all pairs overlap (erratum 26)."""
    rho = float(np.sum(np.sign(pairs) * pairs**2) / np.sum(pairs))
    root = np.sqrt(max(1.0 - rho, 0.0)) if rho < 1.0 + 1e-12 else np.nan
    widths = {1.0 - root, 1.0 + root}
    return rho, sorted(w for w in widths if w >= np.abs(pairs).max() - 1e-12)


def first_on_grid(area, target, most=400):
    """Return the first point of the paper's grid at which the area is near enough."""
    for width in np.arange(most) * GRID_STEP:
        if abs(area(width) - target) < GRID_GAP:
            return float(width)
    return None


def turns(values):
    """Count how often a row of numbers turns from rising to falling or back."""
    steps = np.diff(values)
    signs = np.sign(steps[np.abs(steps) > 1e-12])
    return int(np.sum(signs[1:] != signs[:-1]))


def _steps(curve):
    """Return the vertices from (0, 0) on, without repeated ones, and the steps between them."""
    points = np.column_stack([curve.x, curve.y])[::-1]
    far = np.hypot(*np.diff(points, axis=0).T) > 1e-9
    points = points[np.append(True, far)]
    return points, np.diff(points, axis=0)


def dents(curve):
    """Return the vertices at which the curve gets steeper: its concavities."""
    points, steps = _steps(curve)
    steps /= np.hypot(*steps.T)[:, None]
    turn = steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0]
    return points[1:-1][turn > 1e-6]


def sharpest_turn(curve):
    """Return the largest angle, in degrees, by which the curve turns at a vertex."""
    _, steps = _steps(curve)
    angles = np.degrees(np.arctan2(steps[:, 1], steps[:, 0]))
    return float(np.abs(np.diff(angles)).max())


def height(curve, rate):
    """Return the TPR at false positive rates (of a vertical step its upper end)."""
    return np.interp(rate, *_steps(curve)[0].T)


def area_between(one, other):
    """Return the area between two curves, signs not counted."""
    rates = np.linspace(0.0, 1.0, 20001)
    return float(np.mean(np.abs(height(one, rates) - height(other, rates))))


def best(curve, angle):
    """Return the best point of a curve for the slope of an angle, without the warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # thresholds outside [0, 1] are the subject
        return curve.optimum(np.tan(np.radians(angle)))


def shown(numbers, digits=7):
    """Write numbers in a row."""
    return ", ".join(f"{x:.{digits}g}" for x in numbers) or "none"


def random_lists(count, seed=0):
    """Return small random lists, half of them with tied probabilities."""
    rng = np.random.default_rng(seed)
    return [Ranking.drawn(rng, int(rng.integers(3, 11)), (None, 1)[k % 2]) for k in range(count)]
