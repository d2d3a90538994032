"""Many linear graders at once: six measures of each, and a swarm that seeks what none of them beats.

The swarm is that of equations 22 and 23 of "ROC analysis in ordinal regression learning"; what the
paper leaves open is said where it is settled.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

__all__ = ["MEASURES", "Front", "Graders", "non_dominated", "search", "searches"]

MEASURES = ("accuracy", "1 − MAE", "Û", "Û_cons", "Û_ovo", "Û_pairs")
CELLS = 10
"""Into so many cells each objective's range is cut to see which regions are little explored."""


@dataclass(frozen=True)
class Front:
    """Solutions none of which is beaten by another: a row each of parameters and of measures."""

    particles: np.ndarray
    values: np.ndarray

    def __len__(self):
        return len(self.values)

    def best(self, measure):
        """Return the number of the solution that is best by one measure."""
        return int(np.argmax(self.values[:, MEASURES.index(measure)]))


class Graders:
    """Cases that linear graders are judged on: weights w and thresholds b, a particle (w, b)."""

    def __init__(self, features, classes):
        order = np.argsort(-np.asarray(classes), kind="stable")
        # The highest class first: after a stable sort by score, ties then count as wrong (eq. 8).
        self.features = np.asarray(features, dtype=float)[order]
        self.classes = np.asarray(classes)[order]
        self.count = int(self.classes.max()) + 1
        self.member = np.eye(self.count)[self.classes]
        self.sizes = self.member.sum(axis=0)

    @property
    def parameters(self):
        """How many numbers a grader has."""
        return self.features.shape[1] + self.count - 1

    def scores(self, particles):
        """Return every grader's scores, a row each."""
        return particles[:, : self.features.shape[1]] @ self.features.T

    def thresholds(self, particles):
        """Return every grader's thresholds: its last parameters, put in order."""
        return np.sort(particles[:, self.features.shape[1] :], axis=1)

    def measures(self, particles):
        """Return the six measures of every grader, all larger for better ones."""
        scores = self.scores(particles)
        return np.column_stack([self._labels(scores, self.thresholds(particles)),
                                self._ranking(scores)])  # fmt: skip

    def _labels(self, scores, thresholds):
        """Return accuracy and 1 − mean absolute error; a score at a threshold is graded down."""
        grades = np.zeros(scores.shape, dtype=np.int8)
        for threshold in thresholds.T:
            grades += scores > threshold[:, None]
        off = np.abs(grades - self.classes.astype(np.int8))
        return np.column_stack([np.mean(off == 0, axis=1), 1.0 - np.mean(off, axis=1)])

    def _ranking(self, scores):
        """Return Û, Û_cons, Û_ovo and Û_pairs; counts are whole numbers, hence exact."""
        order = np.argsort(scores, axis=1, kind="stable")
        member = self.member[order]
        before = np.cumsum(member, axis=1)
        right = np.matmul(before.transpose(0, 2, 1), member)  # pairs in order, class by class
        chains = before[:, :, 0]
        for k in range(1, self.count):
            chains = np.cumsum(chains * member[:, :, k], axis=1)
        low, high = np.triu_indices(self.count, 1)
        pairs = np.outer(self.sizes, self.sizes)
        splits = [
            right[:, :k, k:].sum(axis=(1, 2)) / pairs[:k, k:].sum() for k in range(1, self.count)
        ]
        return np.column_stack([
            chains[:, -1] / np.prod(self.sizes),
            np.mean(splits, axis=0),
            np.mean(right[:, low, high] / pairs[low, high], axis=1),
            right[:, low, high].sum(axis=1) / pairs[low, high].sum(),
        ])  # fmt: skip


def _beaten(values, rivals):
    """Tell which rows are no better than a rival in any measure, and worse in one."""
    beaten = np.zeros(len(values), dtype=bool)
    for first in range(0, len(values), 256):
        mine = values[first : first + 256]
        as_good = np.ones((len(mine), len(rivals)), dtype=bool)
        better = np.zeros_like(as_good)
        for own, other in zip(mine.T, rivals.T, strict=True):
            as_good &= other >= own[:, None]
            better |= other > own[:, None]
        beaten[first : first + 256] = np.any(as_good & better, axis=1)
    return beaten


def non_dominated(*fronts):
    """Join fronts, each without beaten solutions, and leave out what another one beats."""
    joined = fronts[0]
    for front in fronts[1:]:
        values = np.concatenate([joined.values, front.values])
        new = np.unique(values, axis=0, return_index=True)[1]
        new = new[new >= len(joined)] - len(joined)
        new = new[~_beaten(front.values[new], joined.values)]
        old = ~_beaten(joined.values, front.values[new])
        joined = Front(
            np.concatenate([joined.particles[old], front.particles[new]]),
            np.concatenate([joined.values[old], front.values[new]]),
        )
    return joined


def _front(particles, values):
    """Leave out the beaten and the repeated among solutions of any kind."""
    first = np.unique(values, axis=0, return_index=True)[1]
    first = first[~_beaten(values[first], values[first])]
    return Front(particles[first], values[first])


def _leaders(front, count, rng):
    """Draw solutions, those in little explored regions more often.

    Every cell of a grid over the measures is as likely as any other one that holds a solution.
    """
    low, high = front.values.min(axis=0), front.values.max(axis=0)
    place = (front.values - low) / np.where(high > low, high - low, 1.0)
    cells = np.minimum((CELLS * place).astype(np.int64), CELLS - 1)
    code = cells @ CELLS ** np.arange(cells.shape[1])
    _, cell, crowd = np.unique(code, return_inverse=True, return_counts=True)
    chance = 1.0 / crowd[cell]
    return front.particles[rng.choice(len(front), count, p=chance / chance.sum())]


def search(graders, *, particles, iterations, seed, bounds=(-1.0, 1.0)):
    """Let a swarm fly; return all it met that nothing it met beats.

    ``bounds`` is the interval to which the steps are cut.
    """
    rng = np.random.default_rng(seed)
    here = rng.uniform(-1.0, 1.0, (particles, graders.parameters))
    speed = np.zeros_like(here)
    values = graders.measures(here)
    own, own_values = here.copy(), values.copy()
    front = _front(here, values)
    for _ in range(iterations):
        drag, to_own, to_leader = rng.random((3, particles, 1))
        leader = _leaders(front, particles, rng)
        speed = (0.4 - drag / 10) * speed + to_own * (own - here) + to_leader * (leader - here)
        here = here + np.clip(speed, *bounds)
        values = graders.measures(here)
        worse = np.all(own_values >= values, axis=1)
        better = np.all(values >= own_values, axis=1) & ~worse
        move = better | (~worse & (rng.random(particles) < 0.5))
        own[move], own_values[move] = here[move], values[move]
        front = non_dominated(front, _front(here, values))
    return front


def _one(given):
    graders, options, seed = given
    return search(graders, seed=seed, **options)


def searches(graders, *, runs, jobs, **options):
    """Let several swarms fly, in several processes; return their fronts."""
    given = [(graders, options, seed) for seed in range(runs)]
    if jobs == 1 or runs == 1:
        return [_one(each) for each in given]
    with ProcessPoolExecutor(min(jobs, runs)) as pool:
        return list(pool.map(_one, given))
