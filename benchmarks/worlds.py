"""Worlds to decide in, one per arm: samples of any size, and the true value of every setting.

A model's score is what the truth says plus normal noise. A part of the noise is shared by all
models; how much noise there is makes a model good or bad. The value of a setting is then known
exactly, up to sums over quantiles of the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, logit, ndtr, ndtri

from roctopus.impact import value_minus_cutoff

Floats = NDArray[np.float64]
SHARED = 0.6
"""The share of the noise's variance that all models have in common."""
QUANTILES = (np.arange(4000) + 0.5) / 4000
CUTOFF = float(ndtri(0.7))
PRICE = 0.3


class Sample(NamedTuple):
    """Truths, and what each model predicts."""

    truth: Floats
    predictions: dict[str, Floats]


@dataclass(frozen=True)
class World:
    """Cases of one arm, and what a setting gives on all of them."""

    arm: str
    context: Mapping[str, Any]
    draw: Callable[[np.random.Generator, int], Floats]
    """Draws truths."""
    value: Callable[[Floats, float], float]
    """Returns the mean outcome of cuts on the score, with so much noise in it."""
    noise: float
    """The noise of the best model."""
    start: tuple[float, ...]
    """Cuts from which the best ones are searched."""
    sign: float = 1.0
    """1 if less is better, −1 if more is."""
    options: Mapping[str, Any] = field(default_factory=dict)
    show: Callable[[Floats], Floats] = lambda score: score
    """Makes predictions of scores."""
    cuts: Callable[[Floats], Floats] = lambda knob: knob
    """Makes cuts on the score of the setting in a decision."""

    def best_cuts(self, noise: float) -> Floats:
        """Return the best cuts."""
        found = minimize(
            lambda cuts: self.sign * self.value(cuts, noise),
            self.start,
            method="Nelder-Mead",
            options={"xatol": 1e-6, "fatol": 1e-10},
        )
        return np.asarray(found.x)

    def best(self, noise: float) -> float:
        """Return the value of the best cuts."""
        return self.value(self.best_cuts(noise), noise)

    @cached_property
    def least(self) -> float:
        """The value of the best model when it is tuned as well as can be, as a loss."""
        return self.sign * self.best(self.noise)

    @cached_property
    def _ladder(self) -> tuple[Floats, Floats]:
        """Amounts of noise, and the best value with each as a loss, which grows."""
        noises = self.noise * np.geomspace(0.15, 3.0, 60)
        return noises, np.array([self.sign * self.best(each) for each in noises])

    def noise_for(self, losses: Floats) -> Floats:
        """Return how much noise gives models these values when they are tuned."""
        noises, known = self._ladder
        return np.interp(losses, known, noises)

    def losses_of(self, noise: Floats) -> Floats:
        """Return the values of models with so much noise when they are tuned."""
        return np.interp(noise, *self._ladder)

    def sample(self, rng: np.random.Generator, size: int, noises: Floats) -> Sample:
        """Draw cases, and predictions of models with so much noise."""
        truth = self.draw(rng, size)
        common = np.sqrt(SHARED) * rng.normal(size=size)
        own = np.sqrt(1.0 - SHARED) * rng.normal(size=(len(noises), size))
        scores = truth + noises[:, None] * (common + own)
        return Sample(truth, {f"model {k}": self.show(each) for k, each in enumerate(scores)})


def _classes(shares: tuple[float, ...]) -> Callable[[np.random.Generator, int], Floats]:
    """Return what draws classes 0, 1, … by their shares."""
    return lambda rng, size: rng.choice(len(shares), size, p=shares).astype(float)


def _accepted(truths: Floats, weights: Floats, yes: Floats, no: Floats) -> Callable[..., float]:
    """Return the value of saying yes to scores above a cut, given what both answers give."""

    def value(cuts: Floats, noise: float) -> float:
        share = ndtr((truths - cuts[0]) / noise)
        return float(np.sum(weights * (share * yes + (1.0 - share) * no)))

    return value


def _regression(under: float, over: float) -> Callable[..., float]:
    """Return the cost of shifted predictions: errors are normal around the shift."""

    def value(cuts: Floats, noise: float) -> float:
        at = -float(cuts[0]) / noise
        density = np.exp(-0.5 * at**2) / np.sqrt(2.0 * np.pi)
        too_low = noise * (density + at * ndtr(at))
        too_high = noise * (density - at * ndtr(-at))
        return float(under * too_low + over * too_high)

    return value


def _ordinal(shares: tuple[float, ...], costs: tuple[float, ...]) -> Callable[..., float]:
    """Return the cost of thresholds: a case costs what its class does for each that it misses."""
    classes = np.arange(len(shares))[:, None]
    weights = (np.array(shares) * np.array(costs))[:, None]
    wrong_above = classes > np.arange(len(shares) - 1)

    def value(cuts: Floats, noise: float) -> float:
        below = ndtr((np.asarray(cuts) - classes) / noise)
        return float(np.sum(weights * np.where(wrong_above, below, 1.0 - below)))

    return value


NUMBERS = ndtri(QUANTILES)
EVEN = np.full(len(NUMBERS), 1.0 / len(NUMBERS))
GRADES, COSTS = (0.45, 0.3, 0.25), (1.0, 1.0, 2.0)
POSITIVE = 0.4
WORLDS = {
    world.arm: world
    for world in (
        World(
            arm="regression",
            context={"under_cost": 3.0, "over_cost": 1.0},
            draw=lambda rng, size: rng.normal(size=size),
            value=_regression(3.0, 1.0),
            noise=0.5,
            start=(0.3,),
        ),
        World(
            arm="cutoff",
            context={"cutoff": CUTOFF},
            options={"false_positive_cost": 1.0, "false_negative_cost": 2.0},
            draw=lambda rng, size: rng.normal(size=size),
            value=_accepted(NUMBERS, EVEN, 1.0 * (NUMBERS < CUTOFF), 2.0 * (NUMBERS >= CUTOFF)),
            noise=0.6,
            start=(CUTOFF - 0.1,),
            cuts=lambda knob: CUTOFF - knob,
        ),
        World(
            arm="ordinal",
            context={"costs": list(COSTS)},
            draw=_classes(GRADES),
            value=_ordinal(GRADES, COSTS),
            noise=0.6,
            start=(0.5, 1.4),
        ),
        World(
            arm="probability",
            context={"false_positive_cost": 1.0, "false_negative_cost": 3.0},
            draw=_classes((1.0 - POSITIVE, POSITIVE)),
            value=_accepted(
                np.array([0.0, 1.0]),
                np.array([1.0 - POSITIVE, POSITIVE]),
                np.array([1.0, 0.0]),
                np.array([0.0, 3.0]),
            ),
            noise=0.5,
            start=(0.4,),
            show=lambda score: expit(4.0 * (score - 0.5)),
            cuts=lambda knob: 0.5 + logit(np.clip(knob, 0.0, 1.0)) / 4.0,
        ),
        World(
            arm="impact",
            context={"theta": PRICE},
            options={"utility": value_minus_cutoff},
            draw=lambda rng, size: rng.normal(size=size),
            value=_accepted(NUMBERS, EVEN, NUMBERS - PRICE, np.zeros(len(NUMBERS))),
            noise=0.7,
            start=(PRICE,),
            sign=-1.0,
        ),
    )
}
