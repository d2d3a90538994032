"""Out-of-sample values of what is chosen on the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from roctopus.concepts.dependence import read_dependence
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping, check_whole
from roctopus.core.errors import InputError
from roctopus.core.resampling import Random
from roctopus.core.sample import check_row_order, read_sample
from roctopus.inference.engine import Tuning, check_tuning, cross_fit, each_part
from roctopus.inference.folds import MANY, Rows, fold_rounds, is_fixed


class Choice(NamedTuple):
    """A model and its setting.

    Parameters
    ----------
    model : str
        Name of the model.
    knob : array
        Numbers of its setting.

    Examples
    --------
    >>> import numpy as np
    >>> from roctopus.inference import Choice
    >>> Choice("forest", np.array([0.4])).model
    'forest'
    """

    model: str
    knob: Floats


@dataclass(frozen=True, eq=False)
class HonestValue:
    """The value of a choice on cases that were not used to make it.

    Parameters
    ----------
    estimate : Estimate
        Mean outcome per case, each judged by a choice made on others.
    in_sample : float
        Mean outcome per case where the choice is made on the cases themselves.
    choices : tuple of Choice
        Choices to use, made on all cases, one per context.
    fold_choices : tuple of tuple of Choice
        Choices made on each training part, to see whether they agree.
    sense : {"loss", "gain"}
        Whether less or more is better.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import honest_value
    >>> from roctopus.regression import ShiftTuning
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=200)
    >>> found = honest_value(ShiftTuning(rt.LinLin(0.9)), y, y + rng.normal(size=200))
    >>> round(found.value, 3), round(found.in_sample, 3), round(found.optimism, 3)
    (0.335, 0.332, 0.003)
    """

    estimate: Estimate
    in_sample: float
    choices: tuple[Choice, ...]
    fold_choices: tuple[tuple[Choice, ...], ...]
    sense: Literal["loss", "gain"]

    @property
    def value(self) -> float:
        """The out-of-sample mean outcome."""
        return self.estimate.value

    @property
    def knob(self) -> Floats:
        """The setting to use; a row per context where there are several."""
        knobs = [choice.knob for choice in self.choices]
        return knobs[0] if len(knobs) == 1 else np.array(knobs)

    @property
    def optimism(self) -> float:
        """How much better the choice looks on the data it was made on."""
        gap = self.value - self.in_sample
        return gap if self.sense == "loss" else -gap

    def __repr__(self) -> str:
        return (
            f"HonestValue({self.value:.5g}, standard_error={self.estimate.standard_error:.3g}; on "
            f"the data used for tuning {self.in_sample:.5g}, optimism {self.optimism:.2g})"
        )


def honest_value(
    tuning: Tuning | Sequence[Tuning],
    y_true: Any,
    y_pred: Any,
    *,
    cv: Any = 5,
    repeats: int | None = None,
    clusters: Any = None,
    time: Any = None,
    rng: Random = 0,
) -> HonestValue:
    """Return the out-of-sample value of a choice: make it on some folds, judge it on the others.

    The choice is the setting of a model. With several models it is also the model, and with several
    contexts it is both for each context, as in the regions of a hull or hybrid.

    Parameters
    ----------
    tuning : Tuning or list of Tuning
        What is tuned, and for what: ``regression.ShiftTuning``, ``cutoff.CutoffTuning``,
        ``ordinal.OrdinalTuning``, ``probability.ThresholdTuning`` or ``impact.ImpactTuning``; or a
        list of these, one per context, all equally likely.
    y_true : array of shape (n,)
        True values, one per case.
    y_pred : array of shape (n,), or mapping of str to such arrays
        Predictions (numbers, scores or probabilities), for cases the models were not trained on.
    cv : int or splitter, default 5
        Number of folds, or any scikit-learn splitter.
    repeats : int, optional
        How many times random folds are drawn, 5 by default. The folds decide which of two equal
        models or thresholds is chosen, so values are averaged over repeats, and their spread is
        added to the variance.
    clusters : array of shape (n,), optional
        Which rows belong together, such as those of one customer. They are never split between
        folds, and count as one unit in the standard error.
    time : array of shape (n,), or True, optional
        When each case happened, or True if rows are in order of time: choices are made on the past
        only (the first fold is not judged), and the standard error allows for autocorrelation.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.

    Returns
    -------
    HonestValue
        The mean outcome per case with its interval, and the choice to use.

    Notes
    -----
    In simulated samples, 95 % intervals contained the truth in 95 % of samples for a tuned
    threshold and in 93 % for the best of eight equal models; without repeats in 92 % and 85 %.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import honest_value
    >>> from roctopus.regression import ShiftTuning
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=60)
    >>> a, b = y + rng.normal(size=60), y + rng.normal(size=60)
    >>> found = honest_value(ShiftTuning(rt.LinLin(0.9)), y, a)
    >>> found.in_sample < found.value
    True

    The better model and its shift, at each of three asymmetries:

    >>> tunings = [ShiftTuning(rt.LinLin(alpha)) for alpha in (0.1, 0.5, 0.9)]
    >>> [choice.model for choice in honest_value(tunings, y, {"a": a, "b": b}).choices]
    ['b', 'b', 'a']
    """
    tunings = tuple(tuning) if isinstance(tuning, Sequence) else (tuning,)
    if not tunings:
        raise InputError("'tuning' is empty. Add a tuning such as ShiftTuning(LinLin(0.8)).")
    for each in tunings:
        check_tuning(each)
    if len({each.sense for each in tunings}) > 1:
        raise InputError(
            "'tuning' contains both losses (lower is better) and gains (higher is better). Use "
            "separate calls for losses and gains."
        )
    several = isinstance(y_pred, Mapping)
    named = check_mapping(y_pred, "y_pred", "predictions") if several else {"": y_pred}
    models = {f"model {name}": each for name, each in named.items()}
    check_row_order(y_true=y_true, clusters=clusters, **models)
    samples = {name: read_sample(y_true, each).to_numpy() for name, each in named.items()}
    truth = next(iter(samples.values())).y_true
    predictions = {name: sample.y_pred for name, sample in samples.items()}

    def learn(rows: Rows) -> tuple[Choice, ...]:
        return tuple(_choose(each, truth, predictions, rows) for each in tunings)

    def outcomes(choices: tuple[Choice, ...], rows: Rows) -> Floats:
        total = np.zeros(len(rows))
        for each, (model, knob) in zip(tunings, choices, strict=True):
            total += each.outcomes(truth[rows], predictions[model][rows], knob)
        return total / len(tunings)

    times = check_whole(5 if repeats is None else repeats, "repeats", 1)
    size = len(truth)
    dependence = read_dependence(clusters, time, size)
    fixed = is_fixed(cv, dependence)
    if fixed and repeats is not None:
        raise InputError(
            "'repeats' can only be used with random folds, but the folds are fixed by "
            f"{'cv' if hasattr(cv, 'split') else 'time'!r}. Leave out 'repeats'."
        )
    every = np.arange(size)
    best = learn(every)

    def settled(learned: list[tuple[Choice, ...]]) -> bool:
        """Tell whether the folds of many cases agree: the choice does not depend on chance."""
        agreed = {tuple(choice.model for choice in made) for made in learned}
        return not fixed and repeats is None and len(agreed) == 1 and size >= MANY

    fitted = cross_fit(
        fold_rounds(
            truth,
            cv,
            times,
            dependence=dependence,
            alike=not several,
            rng=rng,
        ),
        size,
        each_part(learn),
        lambda choices, rows: [outcomes(choices, rows)],
        dependence=dependence,
        enough=settled,
        floor=0.0 if tunings[0].sense == "loss" else -np.inf,
    )
    if len(fitted.rows) < 2:
        raise InputError("The splits evaluate fewer than two cases. At least two are needed.")
    if dependence.times is None:
        fitted.warn_if_partial(size)
    in_sample = float(np.mean(outcomes(best, every)[fitted.rows]))
    return HonestValue(fitted.mean(), in_sample, best, tuple(fitted.learned), tunings[0].sense)


def _choose(tuning: Tuning, truth: Floats, predictions: Mapping[str, Floats], rows: Rows) -> Choice:
    """Return the best model on some cases, and its knob; of equal ones the first."""
    sign = 1.0 if tuning.sense == "loss" else -1.0
    best, least = None, np.inf
    for name, prediction in predictions.items():
        knob = tuning.learn(truth[rows], prediction[rows])
        if len(predictions) == 1:
            return Choice(name, knob)
        loss = sign * float(np.mean(tuning.outcomes(truth[rows], prediction[rows], knob)))
        if best is None or loss < least - 1e-12 * abs(least):
            best, least = Choice(name, knob), loss
    assert best is not None
    return best
