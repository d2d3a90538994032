"""Pages to attack, with what their rows are and how closely their cells tell them."""

import warnings
from functools import lru_cache
from typing import Any, NamedTuple

import attacks
import numpy as np

import roctopus as rt
from roctopus.report import make_page
from roctopus.report.summary import cells_of_models, without_copies

ARMS = ("regression", "cutoff", "probability", "ordinal", "impact")
HIT = 0.1
"""A claim says more than a cell if it is narrower than this share of it."""


class Kind(NamedTuple):
    """Values of one kind, with the cell of each."""

    values: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Attacked(NamedTuple):
    """What a page was made of."""

    arm: str
    truth: np.ndarray
    models: dict[str, np.ndarray]
    least: int
    decimals: int | None

    def without(self, row: int) -> "Attacked":
        """Return the same without a row."""
        models = {name: np.delete(each, row) for name, each in self.models.items()}
        return self._replace(truth=np.delete(self.truth, row), models=models)

    def comparison(self) -> Any:
        """Return the comparison."""
        more: dict[str, Any] = {"utility": rt.value_times_price} if self.arm == "impact" else {}
        if self.arm == "ordinal":
            more = {"labels": [0, 1, 2]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return rt.compare(self.truth, self.models, arm=self.arm, **more)

    def shared(self) -> Any:
        """Return the comparison as a shared page shows it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return without_copies(self.comparison())

    def page(self, exact: bool = False) -> str:
        """Return the page."""
        first: dict[str, Any] = {
            "regression": {"under_cost": 3, "over_cost": 1},
            "cutoff": {},
            "probability": {"false_positive_cost": 1, "false_negative_cost": 4},
            "ordinal": {"costs": [1, 1, 3]},
            "impact": {"between": (0.5, 2.0)},
        }[self.arm]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return make_page(
                self.comparison(), min_cases=self.least, exact=exact, progress=False, **first
            )

    def kinds(self) -> list[Kind]:
        """Return all values that a page must not tell, with their cells."""
        comparison = self.shared()
        cells, constant = cells_of_models(comparison.problem, comparison.predictions, self.least)
        found = []

        def whole(values: np.ndarray) -> None:
            ends = np.full(len(values), values.min()), np.full(len(values), values.max())
            found.append(Kind(values, *ends))

        def inside(values: np.ndarray, its: Any, base: np.ndarray) -> None:
            cuts, by = its.cells.cuts.copy(), values - base
            # Predictions beyond all cutoffs are in an outer cell, which does not say how far.
            cuts[0], cuts[-1] = min(cuts[0], base.min()), max(cuts[-1], base.max())
            at = np.clip(np.searchsorted(cuts, base, side="right") - 1, 0, len(cuts) - 2)
            found.append(Kind(values, cuts[at] + by, cuts[at + 1] + by))

        for name, its in cells.items():
            prediction = self.models[name]
            like = next(n for n in cells if cells[n].cells is its.cells)
            base = prediction if self.arm == "cutoff" else self.models[like]
            if self.arm == "regression":
                if constant is not None and its.cells is constant.cells:
                    base = np.zeros(len(prediction))
                inside(prediction - self.truth, its, base - self.truth)
                whole(prediction)
            else:
                inside(prediction, its, base)
        if self.arm == "regression":
            assert constant is not None
            cuts, at = constant.cells.cuts, constant.cells.numbers(-self.truth)
            found.append(Kind(self.truth, -cuts[at + 1], -cuts[at]))
        elif self.arm == "cutoff":
            inside(self.truth, next(iter(cells.values())), self.truth)
        elif self.arm == "impact":
            whole(self.truth)
        return [kind for kind in found if np.ptp(kind.values) > 0.0]


@lru_cache
def attacked(arm: str, size: int, seed: int, *, rounded: bool, heavy: bool, least: int) -> Attacked:
    """Return data of one kind: continuous or rounded, with heavy tails or without."""
    rng = np.random.default_rng([ARMS.index(arm), size, seed, rounded, heavy, least])
    noise = (lambda: rng.standard_t(1.1, size)) if heavy else (lambda: rng.normal(size=size))
    decimals = 1 if rounded else None

    def told(values: np.ndarray) -> np.ndarray:
        return values if decimals is None else np.round(values, decimals)

    if arm in ("regression", "cutoff", "impact"):
        truth = told(20.0 + 8.0 * rng.gamma(2.0, 1.0, size) + (5.0 * noise() if heavy else 0.0))
        models = {"a": told(truth + 3.0 * noise()), "b": told(truth + 1.0 + 5.0 * noise())}
        if arm == "impact":
            truth, models["c"] = truth - 25.0, models["a"] - 3.37
        else:
            models["c"] = models["a"] + 1.37
            models |= {"flat": np.full(size, 31.7), "low": np.full(size, 24.3)}
    else:
        count = 2 if arm == "probability" else 3
        truth = rng.integers(0, count, size).astype(float)
        truth[:count] = np.arange(count)
        raw = truth + noise()
        if arm == "probability":  # not too near to 0 or 1, where all of them are the same
            scores = {"a": raw - 0.5, "b": truth - 0.5 + noise()}
            models = {name: 0.5 + np.arctan(each) / np.pi for name, each in scores.items()}
            models = {name: np.round(p, 2) if rounded else p for name, p in models.items()}
            decimals = 2 if rounded else None
        else:
            models = {"a": told(raw), "b": told(truth + 2.0 * noise())}
        models["flat"] = np.full(size, 0.4)
    return Attacked(arm, truth, models, least, decimals)


def hits(low: np.ndarray, high: np.ndarray, kinds: list[Kind]) -> np.ndarray:
    """Tell which intervals are right of some row, and much narrower than the cell of that row.

    Values of each kind are in order.
    """
    found = np.zeros(len(low), dtype=bool)
    for kind in kinds:
        first, end = np.searchsorted(kind.values, low), np.searchsorted(kind.values, high, "right")
        for at in (first, (first + end) // 2, end - 1):  # the ends and one between will do
            row = np.clip(at, 0, len(kind.values) - 1)
            fine = high - low < HIT * (kind.high[row] - kind.low[row])
            found |= (first < end) & fine
    return found


def score(
    claims: list[attacks.Claim], found: Attacked, seed: int = 0, most: int = 4000
) -> np.ndarray:
    """Return how many claims were made, how many hit, and how many a guesser would hit.

    The guesser draws as many intervals of the same widths. He knows the cells, and for each claim
    the narrowest one that holds it, but not where in it the claim is.
    """
    rng, kinds = np.random.default_rng(seed), []
    for kind in found.kinds():
        order = np.argsort(kind.values)
        kinds.append(Kind(kind.values[order], kind.low[order], kind.high[order]))
    widest = max(float((kind.high - kind.low).max()) for kind in kinds)
    ends = np.array(claims, dtype=float).reshape(-1, 2)
    ends = ends[ends[:, 1] - ends[:, 0] < HIT * widest]
    if len(ends) > most:
        ends = ends[rng.choice(len(ends), most, replace=False)]
    half = 0.5 * (ends[:, 1] - ends[:, 0])
    guessed, repeats = 0.0, 10
    for _ in range(repeats):
        at = rng.uniform(*guessed_cells(ends.mean(axis=1), kinds, rng))
        if found.decimals is not None:  # who knows that values are rounded guesses round ones
            at = np.round(at, found.decimals)
            half = np.maximum(half, 1e-9)
        guessed += float(hits(at - half, at + half, kinds).sum()) / repeats
    return np.array([len(ends), hits(ends[:, 0], ends[:, 1], kinds).sum(), guessed])


def guessed_cells(
    claimed: np.ndarray, kinds: list[Kind], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each claim the narrowest cell with it, or that of any row if there is none.

    Values of each kind are in order.
    """
    which = rng.integers(len(kinds), size=len(claimed))
    low, high, width = (np.full(len(claimed), x) for x in (0.0, 0.0, np.inf))
    for k, kind in enumerate(kinds):
        at = np.searchsorted(kind.values, claimed)
        anyone = rng.integers(len(kind.values), size=len(claimed))
        for near in (at - 1, at):
            row = np.clip(near, 0, len(kind.values) - 1)
            first, last = kind.low[row], kind.high[row]
            better = (first <= claimed) & (claimed < last) & (last - first < width)
            width = np.where(better, last - first, width)
            low, high = np.where(better, first, low), np.where(better, last, high)
        free = np.isinf(width) & (which == k)
        low, high = np.where(free, kind.low[anyone], low), np.where(free, kind.high[anyone], high)
    return low, high
