"""What estimators are trained on and asked for, and the comparison of what they said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison.comparison import Comparison
from roctopus.comparison.entry import compare
from roctopus.comparison.folding import OutOfFold, Trainee, count_rows, routed_params
from roctopus.comparison.row_contexts import name_contexts
from roctopus.concepts.arm import Arm
from roctopus.concepts.problem import Problem
from roctopus.concepts.responses import METHODS, Response, choose_method, plain_label
from roctopus.core.arrays import as_series, read_array, take_rows, to_numpy
from roctopus.core.checks import check_choice
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.resampling import Random
from roctopus.inference.folds import Rows


@dataclass(frozen=True)
class Refit:
    """Estimators and the data to train them on, once one is chosen."""

    trainees: Mapping[str, Trainee]
    X: Any
    fit_params: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, name: str) -> Any:
        """Return a model trained on all cases."""
        from sklearn.base import clone

        estimator, truth, _ = self.trainees[name]
        return clone(estimator).fit(self.X, truth, **routed_params(estimator, self.fit_params))


@dataclass(frozen=True)
class AskedEstimators:
    """What is asked of estimators: the arm's question about some truths."""

    arm: Arm
    y: Any
    options: Mapping[str, Any]
    problem: Problem
    response: str | None

    @staticmethod
    def of(
        arm: str, y: Any, pos_label: Any, response: str | None, options: Mapping[str, Any]
    ) -> AskedEstimators:
        """Read the truths."""
        known = find_arm(arm)
        if response is not None:
            check_choice(response, "response", *METHODS)
        given = dict(options) if pos_label is None else {**options, "pos_label": pos_label}
        return AskedEstimators(known, y, given, known.read(y, None, given), response)

    def trainee(self, name: str, estimator: Any, *, as_given: bool = False) -> Trainee:
        """Return a copy of an estimator with its truths, and what it is asked for.

        Regressors are trained on the numbers of classes, or on classes ``as_given`` where these
        are numbers themselves.
        """
        from sklearn.base import clone, is_classifier

        if isinstance(estimator, type) or not hasattr(estimator, "fit"):
            found = repr(estimator)
            if isinstance(estimator, type):
                called = estimator.__name__
                found = f"the class {called}. Create an instance of it, as in {called}()"
            raise InputError(
                f"Model {name!r} must be an estimator with a method 'fit', but is {found}."
            )
        known = is_classifier(estimator)
        try:
            method = self.response or choose_method(estimator, self.arm.responses, classifier=known)
        except InputError as refusal:
            raise InputError(f"Model {name!r}: {refusal.marked}") from None
        numbers = self.problem.class_numbers
        if not self.problem.classes:
            series = as_series(self.y)
            truth = self.y if series is None else to_numpy(read_array(self.y, "y"))
        elif known or (as_given and self.labels.dtype.kind in "biuf"):
            truth = self.labels
        else:
            value = dict(zip(self.problem.classes, numbers, strict=True))
            truth = np.array([value[plain_label(each)] for each in self.labels.tolist()])
        return Trainee(clone(estimator), truth, Response(method, self.problem.classes, numbers))

    @property
    def labels(self) -> Any:
        """The classes of the cases as an array, whatever kind of column they came in."""
        if isinstance(self.y, np.ndarray) and self.y.dtype != object:
            return self.y
        series = as_series(self.y)
        if series is not None:
            listed = series.to_list()
        else:
            listed = self.y.to_pylist() if hasattr(self.y, "to_pylist") else list(self.y)
        return np.array([plain_label(each) for each in listed])

    def _options_of(self, rows: Rows) -> dict[str, Any]:
        """Return the options for some rows: those that have a value per row are taken by rows."""
        return {
            name: take_rows(each, rows)
            if hasattr(each, "take_rows") or name in self.arm.columns
            else each
            for name, each in self.options.items()
        }

    def compare(
        self,
        found: OutOfFold,
        refit: Refit,
        groups: Any,
        times: Rows | None,
        sample_weight: Any,
        context: Any,
        rng: Random,
    ) -> Comparison:
        """Compare what was predicted; a case predicted several times counts as one."""
        rows, size = found.rows, count_rows(self.y)
        distinct = np.unique(rows)
        if len(distinct) < size:
            warn(
                f"{size - len(distinct):,} of {size:,} cases are in no test fold of {arg('cv')}, "
                "so they are left out."
            )
        repeated = len(distinct) < len(rows)
        clusters = rows if repeated else None
        if groups is not None:
            clusters = take_rows(groups, rows)
        whole = not repeated and len(rows) == size
        made: Comparison = compare(
            self.y if whole else take_rows(self.y, rows),
            found.predictions,
            arm=self.arm.name,
            sample_weight=found.weights(sample_weight),
            clusters=clusters,
            context={name: take_rows(each, rows) for name, each in name_contexts(context).items()}
            or None,
            time=None if times is None else times[rows],
            rng=rng,
            **(self.options if whole else self._options_of(rows)),
        )
        responses = {name: each.response for name, each in refit.trainees.items()}
        count = len(distinct) if repeated else None
        return replace(made, responses=responses, refit=refit, distinct=count)
