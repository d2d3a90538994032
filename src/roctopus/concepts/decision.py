"""A decision as a small file: reviewed, versioned, loaded, and checked against the data."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from roctopus._version import __version__
from roctopus.concepts.decision_parts import SCHEMA_VERSION, Basis, Beside, Verdict, read_parts
from roctopus.concepts.records import read_record, sealed, write_record
from roctopus.concepts.rendering import Rendered, Sheet
from roctopus.concepts.responses import Response
from roctopus.core.errors import InputError
from roctopus.core.lazy import upward


@dataclass(frozen=True, repr=False)
class Decision(Rendered):
    """Which model to use, with which setting, for which context, and how certain that is.

    Made by ``comparison.decide(...)``. Values are means per case, in the unit of the costs where
    these were given.

    Parameters
    ----------
    arm : str
        Kind of question, such as "regression".
    model : str
        Model to use, or the baseline that is advised.
    knob_name : str or None
        What is tuned, such as "shift"; None where there is nothing to set.
    knob : tuple of float
        Setting: a shift, a threshold, thresholds; empty where there is nothing to set.
    knob_low : tuple of float
        Lower end of the settings that are equally good on the data used for tuning. The low end of
        a threshold is not one of them.
    knob_high : tuple of float
        Upper end of these settings.
    context : dict
        Context that the decision is for, as it was given.
    criterion : {"expected", "worst", "regret"}
        What was minimised: the expected cost, the cost at the worst context of a range, or the
        regret.
    sense : {"loss", "gain"}
        Whether less or more is better.
    outcome : str
        What the values mean, in words.
    value : float
        Expected cost or gain on new cases. Each case is judged with a setting tuned on other cases,
        and the value is corrected for the choice of the model.
    low : float
        Lower end of its 95 % interval.
    high : float
        Upper end of its 95 % interval.
    in_sample : float
        Cost or gain on the data used for tuning, where it looks better than it is.
    candidates : tuple of str
        Models that could be the best: those whose chance is at least 5 %, and the chosen one.
    runner_up : str or None
        Second-best model.
    margin : float or None
        By how much the decision is better than the runner-up.
    margin_low : float or None
        Lower end of the 95 % interval of the margin.
    margin_high : float or None
        Upper end of the 95 % interval of the margin.
    stays_best : tuple of (float, float) or None
        Range of contexts around this one (around the middle of a range) in which the model, tuned
        for each context, stays best; None if it is not best there.
    in_words : str
        Context in words.
    models : tuple of str
        All models that were compared.
    cases : int
        Number of cases.
    data : str
        A hash of true values and predictions that does not depend on the order of rows.
    settings : dict, optional
        Settings that affect the values: costs, classes, prevalence, utility, capacity.
    regions : tuple of (float, float, str, tuple of float), default ()
        For a hybrid, which model and setting to use between which contexts; else empty.
    library_version : str, optional
        Version of roctopus that made it.
    schema_version : int, optional
        Version of the format of its file.
    warnings : tuple of str, default ()
        Warnings that were raised when it was made.
    responses : dict of str to Response, optional
        For each model that runs, the method that gives its predictions when deployed.
    verdict : {"use", "either", "use for now", "no model"}, default "use for now"
        "use": no rival is likely to be better. "either": rivals remain, but little is at stake.
        "use for now": much is at stake. "no model": none is shown to beat the baseline that is
        advised.
    tolerance : float, default 0.0
        Difference per case that does not matter.
    stake : float, default 0.0
        How much more this choice costs per case, on average, than the truly best model would.
    chances : dict of str to float, optional
        Probability that each model is the best.
    worth : tuple of (int, float), default ()
        Numbers of further cases, with what each number would save per case.
    raw : Beside or None, default None
        Model with its predictions as they are; None where the decision is a baseline or a hybrid.
    beside : dict of str to Beside, optional
        Baselines by name, the best first.
    within : tuple of (float, float) or None, default None
        Settings between these cost at most the tolerance more per case, on the data used for
        tuning; None where a setting is several numbers.
    setting_low : tuple of float, default ()
        The setting that is best in the population lies between this and ``setting_high`` with a
        confidence of 95 %; if it has several numbers, each of them does. Infinite if the data set
        no bound. Empty for a baseline, a hybrid, a range of contexts, a distribution of cutoffs, a
        capacity, and data that do not fit into memory.
    setting_high : tuple of float, default ()
        Upper end of that interval.
    share : float, default 1.0
        Share of cases that an advised baseline is applied to, drawn at random.
    words : dict of str to str, optional
        In words: what to do, what raw predictions and the best baseline do, and the question.
    basis : Basis or None, default None
        What checks need to know about the cases; None in older files and for data that do not fit
        into memory.
    origin : str, default ""
        Hash of the decision that this one was re-tuned from by a check; else empty.
    refit : callable or None, default None
        Trains a model on all cases, where estimators were compared; never stored.

    Examples
    --------
    >>> import roctopus as rt
    >>> y = [3, 5, 8, 9, 4, 6, 7, 5, 2, 8, 12, 1]
    >>> close = [2, 5, 9, 7, 4, 5, 8, 5, 3, 7, 11, 2]
    >>> models = {"a": close, "b": [6, 2, 8, 12, 7, 3, 9, 9, 4, 5, 8, 3]}
    >>> decision = rt.compare(y, models, arm="regression").decide(under_cost=4, over_cost=1)
    >>> decision.model, decision.knob_name, decision.knob
    ('a', 'shift', (1.0,))
    >>> rt.Decision.from_json(decision.to_json()) == decision
    True
    """

    arm: str
    model: str
    knob_name: str | None
    knob: tuple[float, ...]
    knob_low: tuple[float, ...]
    knob_high: tuple[float, ...]
    context: dict[str, Any]
    criterion: Literal["expected", "worst", "regret"]
    sense: Literal["loss", "gain"]
    outcome: str
    value: float
    low: float
    high: float
    in_sample: float
    candidates: tuple[str, ...]
    runner_up: str | None
    margin: float | None
    margin_low: float | None
    margin_high: float | None
    stays_best: tuple[float, float] | None
    in_words: str
    models: tuple[str, ...]
    cases: int
    data: str
    settings: dict[str, Any] = field(default_factory=dict)
    regions: tuple[tuple[float, float, str, tuple[float, ...]], ...] = ()
    library_version: str = __version__
    schema_version: int = SCHEMA_VERSION
    warnings: tuple[str, ...] = field(default=())
    responses: dict[str, Response] = field(default_factory=dict)
    verdict: Verdict = "use for now"
    tolerance: float = 0.0
    stake: float = 0.0
    chances: dict[str, float] = field(default_factory=dict)
    worth: tuple[tuple[int, float], ...] = ()
    raw: Beside | None = None
    beside: dict[str, Beside] = field(default_factory=dict)
    within: tuple[float, float] | None = None
    setting_low: tuple[float, ...] = ()
    setting_high: tuple[float, ...] = ()
    share: float = 1.0
    words: dict[str, str] = field(default_factory=dict)
    basis: Basis | None = None
    origin: str = ""
    refit: Callable[[str], Any] | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "refit": None}  # it holds the training data

    @property
    def record(self) -> dict[str, Any]:
        """What is stored of it."""
        held = asdict(replace(self, refit=None))
        del held["refit"]
        return held

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as plain values, as its file holds them.

        Returns
        -------
        dict
            All fields, with a checksum that detects changes by hand.
        """
        return sealed(self.record)

    @staticmethod
    def from_dict(record: Mapping[str, Any]) -> Decision:
        """Make a decision from what ``to_dict`` returned.

        Parameters
        ----------
        record : mapping
            Plain values.

        Returns
        -------
        Decision
            The same decision.
        """
        return _from_body(dict(record), "The record")

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the decision as JSON, and write it to a file if a path is given.

        The old file stays intact if writing fails. A checksum detects changes by hand.

        Parameters
        ----------
        path : path, optional
            File to write, such as "decision.json".

        Returns
        -------
        str
            The JSON text.
        """
        return write_record(self.record, path)

    @staticmethod
    def from_json(source: str | os.PathLike[str]) -> Decision:
        """Read a decision from a file, or from the JSON text itself. Nothing in it is executed.

        Parameters
        ----------
        source : path or str
            File, or the text that ``to_json`` returned.

        Returns
        -------
        Decision
            The decision. A file that was changed by hand raises an error.
        """
        body, where = read_record(source, "a decision")
        return _from_body(body, where)

    def deploy(
        self,
        models: Mapping[str, Any] | None = None,
        *,
        X: Any = None,
        predictions: Any = None,
        pos_label: Any = None,
    ) -> Any:
        """Return a scikit-learn estimator that applies the decision, around trained models.

        It uses the kind of predictions that the decision was made on; a model that cannot make them
        raises an error.

        Parameters
        ----------
        models : mapping of str to estimator, optional
            Trained models, under the names they had in the comparison. Without them, the model is
            trained on all cases, if estimators were compared (``compare_estimators``).
        X : array or dataframe of shape (n, features), optional
            Some cases, to test that a deployed model gives the ``predictions``.
        predictions : array, or mapping of str to array, optional
            What the models predicted for these cases in the comparison.
        pos_label : label, optional
            Label of the positive class. Needed for text; by default the larger number, or True.

        Returns
        -------
        estimator
            A fitted estimator whose ``predict`` returns what to do: shifted numbers, yes or no, or
            grades.
        """
        return upward("deploy_decision")(
            self, models, X=X, predictions=predictions, pos_label=pos_label
        )

    def check_models(self, models: Sequence[str], arm: str) -> None:
        """Raise an error if the data are of another arm or lack the model of the decision.

        Parameters
        ----------
        models : sequence of str
            Names of the models in the data.
        arm : str
            Arm of the data.
        """
        if arm != self.arm:
            raise InputError(
                f"The decision was made with arm={self.arm!r}, but these data are compared with "
                f"arm={arm!r}. Use the same arm for both."
            )
        missing = [name for name in self.used_models if name not in models]
        if missing:
            told = ", ".join(map(repr, models))
            raise InputError(
                f"The decision uses the model {missing[0]!r}, but the data contain only the models "
                f"{told}. Use the same names as in the decision."
            )

    @property
    def used_models(self) -> tuple[str, ...]:
        """The models that run: one, or those of a hybrid's regions."""
        if self.is_baseline:
            return ()
        return tuple(dict.fromkeys(region[2] for region in self.regions)) or (self.model,)

    @property
    def model_ranges(self) -> list[tuple[float, float, str]]:
        """A hybrid's models, each with the range of contexts in which it runs."""
        return model_ranges(self.regions)

    @property
    def knob_text(self) -> str:
        """The setting in words: "shift 0.42"."""
        if self.knob_name is None:
            return "no knob"
        name = self.knob_name if len(self.knob) == 1 else f"{self.knob_name}s"
        return f"{name} " + ", ".join(f"{k:.4g}" for k in self.knob)

    @property
    def is_baseline(self) -> bool:
        """Whether a baseline is advised, and no model runs."""
        return self.model not in self.models

    @property
    def from_page(self) -> bool:
        """Whether it was downloaded from a shared page, so that its numbers are rounded."""
        return not self.data

    @property
    def sentence(self) -> str:
        """The answer in a few short sentences."""
        said: str = upward("say_decision")(self)
        return said

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show.

        Returns
        -------
        Sheet
            The sentence, the table and the notes, as plain text.
        """
        found: Sheet = upward("decision_sheet")(self)
        return found

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return str(upward("show_decision")(self))


def model_ranges(
    regions: Sequence[tuple[float, float, str, tuple[float, ...]]],
) -> list[tuple[float, float, str]]:
    """Return the models of regions, each with the range of contexts in which it runs."""
    found: list[tuple[float, float, str]] = []
    for low, high, model, _ in regions:
        start = low
        if found and found[-1][2] == model:
            start = found.pop()[0]
        found.append((start, high, model))
    return found


def _from_body(body: Any, where: str) -> Decision:
    """Check a decision's content and make it."""
    names = {each.name for each in fields(Decision)} - {"refit"}
    return Decision(**read_parts(body, where, names))
