"""Means and products of deviations, batch by batch, without losing digits to an offset."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from roctopus.core.arrays import Floats


def dot(values: Floats, weight: Floats | None) -> float:
    """Return the weighted sum, without the threads that a matrix library would start for it."""
    return float(values.sum() if weight is None else np.einsum("i,i->", values, weight))


def weighted_mean(values: Floats, weight: Floats | None) -> float:
    """Return the mean of a column."""
    if weight is None:
        return float(np.add.reduce(values) / len(values))
    return float(np.average(values, weights=weight))


@dataclass
class Moments:
    """Weight, mean, and the sum of squared deviations from the mean, of one column."""

    weight: float = 0.0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, values: Floats, weight: Floats | None) -> None:
        """Take a batch in."""
        total = float(len(values)) if weight is None else float(weight.sum())
        centre = dot(values, weight) / total
        squares = dot(values, values) if weight is None else dot(values * values, weight)
        apart = squares - total * centre * centre
        if not apart > 1e-3 * squares:  # the mean is far from zero: what is left has lost digits
            away = values - centre
            apart = dot(away, away) if weight is None else dot(away * away, weight)
        self.merge(Moments(total, centre, apart))

    def merge(self, other: Moments) -> None:
        """Take in what others have seen."""
        if other.weight == 0.0:
            return
        if self.weight == 0.0:
            self.weight, self.mean, self.squares = other.weight, other.mean, other.squares
            return
        total = self.weight + other.weight
        gap = other.mean - self.mean
        share = other.weight / total
        self.squares += other.squares + gap * gap * (self.weight * share)
        self.mean += gap * share
        self.weight = total


@dataclass
class JointMoments:
    """Means of several columns, and what their standard errors and covariances need."""

    columns: int
    cases: int = 0
    weight: float = 0.0
    squared_weight: float = 0.0
    mean: Floats = field(init=False)
    products: Floats = field(init=False)
    """Σw²·(a − mean of a)·(b − mean of b)"""
    pulls: Floats = field(init=False)
    """Σw²·(a − mean of a): what products need when the mean moves."""

    def __post_init__(self) -> None:
        self.mean, self.pulls = np.zeros((2, self.columns))
        self.products = np.zeros((self.columns, self.columns))

    def add(self, values: Floats, weight: Floats | None) -> None:
        """Take a batch in: a row per column, a column per case."""
        part = JointMoments(self.columns, values.shape[1])
        masses = np.ones(values.shape[1]) if weight is None else weight
        part.weight, part.squared_weight = float(masses.sum()), float(masses @ masses)
        if part.cases == 0:
            return
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused later
            part.mean = values @ masses / part.weight
            away = (values - part.mean[:, None]) * masses
            part.products, part.pulls = away @ away.T, away @ masses
            self.merge(part)

    def merge(self, other: JointMoments) -> None:
        """Take in what others have seen."""
        if other.cases == 0:
            return
        total = self.weight + other.weight
        mean = self.mean + (other.mean - self.mean) * (other.weight / total)
        if self.cases == 0:
            mean = other.mean.copy()
        products, pulls = np.zeros_like(self.products), np.zeros_like(self.pulls)
        for part in (self, other):
            moved = part.mean - mean
            cross = np.outer(part.pulls, moved)
            products += part.products + cross + cross.T
            products += part.squared_weight * np.outer(moved, moved)
            pulls += part.pulls + part.squared_weight * moved
        self.mean, self.products, self.pulls = mean, products, pulls
        self.cases += other.cases
        self.weight = total
        self.squared_weight += other.squared_weight
