"""Many linear graders at once: six measures of each, and a swarm that seeks the unbeaten ones.

The swarm is that of equations 22 and 23 of "ROC analysis in ordinal regression learning"; what the
paper leaves open is said where it is settled.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

__all__ = ["MEASURES", "Front", "Graders", "non_dominated", "search", "searches", "unbeaten"]

MEASURES = ("accuracy", "1 − MAE", "Û", "Û_cons", "Û_ovo", "Û_pairs")
CELLS = 10
"""Into so many cells each objective's range is cut to see which regions are little explored."""

BATCH = 50
"""So many graders are judged at once: their counts then fit into a processor's cache."""


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
    """Cases that linear graders are judged on; a grader is a particle (weights, thresholds).

    With ``exact_cuts`` a particle is weights only: its accuracy and its absolute error are those of
    the thresholds that are best for each.
    """

    def __init__(self, features, classes, *, exact_cuts=False):
        order = np.argsort(-np.asarray(classes), kind="stable")
        # The highest class first: after a stable sort by score, ties then count as wrong (eq. 8).
        self.features = np.asarray(features, dtype=float)[order]
        self.classes = np.asarray(classes)[order].astype(np.int8)
        self.sizes = np.bincount(self.classes).astype(float)
        self.exact_cuts = exact_cuts

    @property
    def parameters(self):
        """How many numbers a grader has."""
        thresholds = 0 if self.exact_cuts else len(self.sizes) - 1
        return self.features.shape[1] + thresholds

    def scores(self, particles):
        """Return every grader's scores, a row each, in the order of ``classes``."""
        return particles[:, : self.features.shape[1]] @ self.features.T

    def measures(self, particles):
        """Return the six measures of every grader, all larger for better ones."""
        parts = np.array_split(particles, -(-len(particles) // BATCH))
        return np.concatenate([self._measures(part) for part in parts])

    def _measures(self, particles):
        scores = self.scores(particles)
        ranked = self.classes[np.argsort(scores, axis=1, kind="stable")]
        member = (ranked == np.arange(len(self.sizes))[:, None, None]).astype(float)
        below = np.cumsum(member, axis=2)
        if self.exact_cuts:
            labels = [self._best_label(below, loss) for loss in self._losses()]
        else:
            labels = self._labels(scores, particles[:, self.features.shape[1] :])
        return np.column_stack([*labels, *self._ranking(member, below)])

    def _losses(self):
        """Return the matrices of the zero-one and of the absolute loss."""
        classes = np.arange(len(self.sizes))
        distance = np.abs(classes[:, None] - classes)
        return np.minimum(distance, 1.0), distance.astype(float)

    def _labels(self, scores, thresholds):
        """Return accuracy and 1 − mean absolute error; a score at a threshold is graded down."""
        grades = np.zeros(scores.shape, dtype=np.int8)
        for threshold in np.sort(thresholds, axis=1).T:
            grades += scores > threshold[:, None]
        off = np.abs(grades - self.classes)
        return np.mean(off == 0, axis=1), 1.0 - np.mean(off, axis=1)

    def _best_label(self, below, loss):
        """Return 1 − the mean loss at the best thresholds: the least cost of a rising path."""
        below = np.concatenate([np.zeros_like(below[:, :, :1]), below], axis=2)
        costs = np.tensordot(loss, below, axes=(0, 0))  # of giving one grade up to each position
        least = costs[0]
        for cost in costs[1:]:
            least = cost + np.minimum.accumulate(least - cost, axis=1)
        return 1.0 - least[:, -1] / len(self.classes)

    def _ranking(self, member, below):
        """Return Û, Û_cons, Û_ovo and Û_pairs; counts are whole numbers, hence exact."""
        count = len(self.sizes)
        chains = below[0]
        for each in member[1:]:
            chains = np.cumsum(chains * each, axis=1)
        low, high = np.triu_indices(count, 1)
        right = np.array([np.einsum("pn,pn->p", below[k], member[m])
                          for k, m in zip(low, high, strict=True)])  # fmt: skip
        pairs = (self.sizes[low] * self.sizes[high])[:, None]
        splits = [(low < k) & (high >= k) for k in range(1, count)]
        return (
            chains[:, -1] / np.prod(self.sizes),
            np.mean([right[s].sum(axis=0) / pairs[s].sum() for s in splits], axis=0),
            np.mean(right / pairs, axis=0),
            right.sum(axis=0) / pairs.sum(),
        )


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


def unbeaten(values, slack=0.0):
    """Tell which rows no other one beats, even if they were better by the slack in all."""
    return ~_beaten(values + slack, values)


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
