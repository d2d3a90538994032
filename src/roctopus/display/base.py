"""What all displays share: style, tables, and fitted estimators drawn by their predictions."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.concepts.responses import TWO, own_classes, respond
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_choice
from roctopus.core.errors import InputError
from roctopus.core.labels import read_labels
from roctopus.display.documenting import complete
from roctopus.display.drawing import STYLES, Pen, arguments_of, inherit_arguments, say_unknown
from roctopus.display.folds import read_folds

RETURNS = {
    "plot": "display\n    The picture itself, with ``ax_`` and ``figure_``.",
    "from_predictions": "display\n    The picture, drawn.",
    "frame": "dataframe\n    A row per point, with the model it belongs to.",
}
"""What methods return, as numpydoc wants it."""
Ask: TypeAlias = Callable[[Any, Any], Any]
"""What an estimator says of rows of X."""


class Display(ABC):
    """What pictures of roctopus have in common.

    After ``plot``, ``ax_`` and ``figure_`` are matplotlib's axes and figure.
    """

    ax_: Any
    figure_: Any
    ENTRIES: ClassVar[str | None] = None
    """The attribute that holds what is drawn, by model; none where one model is drawn."""
    PREDICTS: ClassVar[str] = "predictions"
    """What ``from_predictions`` takes."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "plot" in vars(cls):
            inherit_arguments(cls)
        for name in ("plot", "frame", "from_predictions"):
            if name in vars(cls):
                function = getattr(vars(cls)[name], "__func__", vars(cls)[name])
                complete(function, RETURNS[name], cls.PREDICTS)

    @property
    def _groups(self) -> dict[str, str]:
        """Which model each line is of: several are where each is a fold."""
        assert self.ENTRIES is not None
        names = getattr(self, self.ENTRIES)
        return {name: self.__dict__.get("_folds", {}).get(name, name) for name in names}

    @abstractmethod
    def plot(self, ax: Any | None = None) -> Self:
        """Draw the picture."""

    @abstractmethod
    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn as a dataframe."""

    @property
    def _settings(self) -> dict[str, Any]:
        """What ``set_style`` was given."""
        return dict(self.__dict__.get("_style", {}))

    def set_style(
        self, *, policy: Literal["override", "update"] = "update", **kwargs: Mapping[str, Any]
    ) -> None:
        """Set what lines and legends look like in later calls of ``plot``.

        Parameters
        ----------
        policy : {"update", "override"}, default "update"
            Whether settings are added to earlier ones, or take their place.
        **kwargs : dict
            ``curve_kwargs`` or ``legend_kwargs``, as in ``plot``.

        Examples
        --------
        >>> from roctopus.display import RECDisplay
        >>> display = RECDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0])
        >>> display.set_style(curve_kwargs={"linewidth": 4})
        >>> display.plot().ax_.lines[0].get_linewidth()
        4.0
        """
        check_choice(policy, "policy", "override", "update")
        known = [each for each in arguments_of(type(self)) if each in STYLES]
        for key, value in kwargs.items():
            if key not in known:
                raise InputError(say_unknown(f"{type(self).__name__}.set_style", key, known))
            before = dict(self._settings.get(key) or {}) if policy == "update" else {}
            self.__dict__["_style"] = {**self._settings, key: {**before, **value}}

    def help(self) -> None:
        """Print what the display can do.

        Examples
        --------
        >>> from roctopus.display import UROCDisplay
        >>> UROCDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0]).help()
        UROCDisplay: Draw universal ROC curves of predictions of a number.
          plot(ax, name, curve_kwargs, title, legend, legend_kwargs)
          frame(backend)
          set_style(curve_kwargs=..., legend_kwargs=...)
        """
        kind = type(self)
        known = arguments_of(kind)
        styles = ", ".join(f"{each}=..." for each in known if each in STYLES)
        first = (inspect.getdoc(kind) or "").splitlines()[0]
        print(f"{kind.__name__}: {first}")
        print(f"  plot({', '.join(known)})", "  frame(backend)", sep="\n")
        print(f"  set_style({styles})")

    def _drawn(self, pen: Pen) -> Self:
        """Keep the axes that were drawn on."""
        self.ax_, self.figure_ = pen.ax, pen.ax.figure
        return self


def frame_of(parts: Mapping[str, Mapping[str, Any]], backend: str | None, wanted: Any) -> Any:
    """Return the columns of several models in one dataframe, with their names."""
    first = next(iter(parts.values()))
    sizes = {name: len(next(iter(part.values()))) for name, part in parts.items()}
    columns: dict[str, Any] = {"model": [name for name in parts for _ in range(sizes[name])]}
    columns |= {key: np.concatenate([part[key] for part in parts.values()]) for key in first}
    return make_frame(columns, backend, wanted)


class ModelDisplay(Display):
    """A picture of models, from predictions, an estimator or the results of cross-validation."""

    @classmethod
    @abstractmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, name: str = "model", **options: Any
    ) -> Self:
        """Draw one model's predictions."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        pos_label: Any = None,
        **options: Any,
    ) -> Self:
        """Draw a fitted estimator.

        Parameters
        ----------
        estimator : fitted estimator or pipeline
            A regressor, or in pictures of probabilities a classifier of two classes.
        X, y : array or dataframe
            Cases that it was not trained on, and their true values.
        name : str, optional
            What the legend calls it; by default the name of its class.
        pos_label : label, optional
            Label of the positive class. Needed for text; by default the larger number, or True.
        **options : keyword arguments
            As in ``from_predictions`` and ``plot``.

        Returns
        -------
        display
            The picture, drawn.
        """
        truth, ask = cls._asking(estimator, y, pos_label)
        name = name or type(estimator).__name__
        return cls.from_predictions(truth, ask(estimator, X), name=name, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        sample_weight: Any = None,
        pos_label: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the estimators that ``cross_validate`` has trained, each on its own test fold.

        There is a line per fold. Displays that show one model only put the test folds together.

        Parameters
        ----------
        cv_results : dict
            What ``cross_validate(..., return_estimator=True, return_indices=True)`` returned.
        X, y : array or dataframe
            The data it was given.
        name : str, optional
            What the legend calls the model; by default the name of its class.
        sample_weight : array, optional
            Weight of each case; cases of weight 0 are ignored.
        pos_label : label, optional
            Label of the positive class. Needed for text; by default the larger number, or True.
        **options : keyword arguments
            As in ``from_predictions`` and ``plot``.

        Returns
        -------
        display
            The picture, drawn.
        """
        folds = read_folds(cv_results, X, y, sample_weight)
        name = name or type(folds[0].estimator).__name__
        truth, ask = cls._asking(folds[0].estimator, y, pos_label)
        truth, test = np.asarray(truth), np.concatenate([fold.test for fold in folds])
        found = [np.asarray(ask(fold.estimator, fold.X)) for fold in folds]
        if cls.ENTRIES is None:
            weights = [fold.weight["sample_weight"] for fold in folds if fold.weight]
            weight = {"sample_weight": np.concatenate(weights)} if weights else {}
            said = np.concatenate(found)
            return cls.from_predictions(truth[test], said, name=name, **weight, **options)
        kind = _undrawn(cls)
        parts: list[Any] = [
            kind.from_predictions(truth[fold.test], each, name=name, **fold.weight, **options)
            for fold, each in zip(folds, found, strict=True)
        ]
        return cls._joined(parts)

    @classmethod
    def _joined(cls, parts: list[Any]) -> Self:
        """Draw folds together."""
        entries, folds = {}, {}
        for number, part in enumerate(parts, 1):
            for model, each in zip(parts[0].given, part.given.values(), strict=True):
                fold = f"{model}, fold {number}"
                entries[fold], folds[fold] = each, model
        make: Any = cls
        display: Self = make(entries, **parts[0].settings)
        display.__dict__["_folds"] = folds
        return display.plot(**parts[0].options)

    @classmethod
    def _asking(cls, estimator: Any, y: Any, pos_label: Any) -> tuple[Any, Ask]:
        """Return truths, and what predicts them: the predictions of a regressor."""
        if pos_label is not None:
            raise InputError(
                f"'pos_label' cannot be used here, because {cls.__name__} draws predicted numbers. "
                "Leave it out."
            )
        return y, lambda fitted, rows: fitted.predict(rows)


def _undrawn(display: Any) -> Any:
    """Return the class of a display without a picture: it keeps what it was made of."""

    class Undrawn(display):  # type: ignore[misc]
        def __init__(self, given: Mapping[str, Any], **settings: Any) -> None:
            self.given, self.settings = given, settings

        def plot(self, **options: Any) -> Any:
            self.options = options
            return self

    return Undrawn


class ProbabilityDisplay(ModelDisplay):
    """A picture of models that give probabilities of two classes."""

    METHODS: ClassVar[tuple[str, ...]] = ("predict_proba",)

    @classmethod
    def _asking(cls, estimator: Any, y: Any, pos_label: Any) -> tuple[Any, Ask]:
        return ask_classifier(estimator, y, pos_label, *cls.METHODS)


class WorthDisplay(ModelDisplay):
    """A picture of models that say what cases are worth, or which class they have."""

    @classmethod
    def _asking(cls, estimator: Any, y: Any, pos_label: Any) -> tuple[Any, Ask]:
        if own_classes(estimator) is None:
            return super()._asking(estimator, y, pos_label)
        return ask_classifier(estimator, y, pos_label, "predict_proba", "decision_function")


def ask_classifier(estimator: Any, y: Any, pos_label: Any, *methods: str) -> tuple[Floats, Ask]:
    """Return labels as 0 and 1, and what asks a fitted classifier of two classes."""
    method = next((each for each in methods if hasattr(estimator, each)), None)
    kind, classes = type(estimator).__name__, own_classes(estimator)
    if classes is None or len(classes) != 2:
        told = (
            "is not one" if classes is None else f"has the classes {', '.join(map(repr, classes))}"
        )
        raise InputError(
            f"'estimator' must be a fitted classifier for two classes, but {kind} {told}. Use "
            "from_predictions to draw predictions of your own."
        )
    if method is None:
        raise InputError(
            f"This picture needs the method {' or '.join(methods)}, but {kind} does not have it. "
            "Use another classifier, or from_predictions to draw predictions of your own."
        )
    labels = read_labels(y, "y", pos_label)
    return labels.values, lambda fitted, rows: respond(fitted, rows, method, labels.classes, TWO)
