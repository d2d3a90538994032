"""Draw every display and every picture of comparisons, to be looked at one by one.

    python scripts/pictures.py FOLDER [LOOK ...] [--only WORD]    # looks: light, dark, print

The cases are real, from data sets of roctopus and scikit-learn; predictions are cross-validated.
Files are called LOOK_PICTURE.png. A scenario is a set of models that is hard to draw: one alone,
eight, two nearly equal ones, few cases, long names, heavy tails.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import cache, partial
from inspect import signature
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import roctopus as rt
from roctopus import display
from roctopus.cutoff import cutoff_cost_map
from roctopus.datasets import load_concrete, load_power_plant, load_wine
from roctopus.display.base import ModelDisplay
from roctopus.inference import curve_band, difference_band

LOOKS = {
    "light": lambda: plt.style.context("default"),
    "dark": lambda: plt.style.context("dark_background"),
    "print": lambda: display.print_style("column"),
}
Models = dict[str, Any]
REGRESSORS: Models = {
    "linear": make_pipeline(StandardScaler(), LinearRegression()),
    "forest": ExtraTreesRegressor(60, random_state=0),
    "boosting": HistGradientBoostingRegressor(random_state=0),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor()),
    "tree": DecisionTreeRegressor(min_samples_leaf=10, random_state=0),
    "small tree": DecisionTreeRegressor(max_depth=3, random_state=0),
    "ridge": make_pipeline(StandardScaler(), Ridge(30.0)),
    "small forest": ExtraTreesRegressor(5, random_state=1),
}
CLASSIFIERS: Models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": ExtraTreesClassifier(60, random_state=0),
    "naive Bayes": GaussianNB(),
    "boosting": HistGradientBoostingClassifier(random_state=0),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    "tree": DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
    "small tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "small forest": ExtraTreesClassifier(5, random_state=1),
}
LONG = "gradient boosting, 500 trees, tuned on weekdays"
SCENARIOS = ("three", "one", "eight", "equal", "few", "long", "tails")


@cache
def cases(arm: str) -> tuple[Any, Any]:
    """Return the truths of an arm's cases, and each model's cross-validated predictions."""
    if arm == "probability":
        X, y = load_breast_cancer(return_X_y=True)
        X, y, folds = X[:, :3], 1 - y, StratifiedKFold(5, shuffle=True, random_state=0)
        made = {
            name: cross_val_predict(model, X, y, cv=folds, method="predict_proba")[:, 1]
            for name, model in CLASSIFIERS.items()
        }
        return y, made
    load = {"ordinal": load_wine, "regression": load_power_plant}.get(arm, load_concrete)
    X, y = load(return_X_y=True)
    step = max(1, len(y) // 1500)
    X, y = np.asarray(X)[::step], np.asarray(y)[::step]
    folds = KFold(5, shuffle=True, random_state=0)
    return y, {name: cross_val_predict(m, X, y, cv=folds) for name, m in REGRESSORS.items()}


def scenario(arm: str, which: str) -> tuple[Any, Models]:
    """Return truths and predictions that are hard to draw in one way."""
    y, made = cases(arm)
    first = dict(list(made.items())[:3])
    if which == "one":
        return y, {"forest": made["forest"]}
    if which == "eight":
        return y, made
    if which == "equal":
        other = 0.97 * made["forest"] + 0.03 * made["boosting"]
        return y, {"forest": made["forest"], "forest again": other}
    if which == "few":
        some = np.linspace(0, len(y) - 1, 60).astype(int)
        return y[some], {name: each[some] for name, each in first.items()}
    if which == "long":
        return y, {LONG: made["boosting"], "linear regression with interactions": made["linear"]}
    if which == "tails" and arm != "probability" and arm != "ordinal":
        far = np.random.default_rng(0).standard_t(1.1, len(y))
        return y + far, first
    return y, first


ARMS = dict.fromkeys(
    (
        "RROCDisplay",
        "AsymmetryCostDisplay",
        "RECDisplay",
        "MurphyDisplay",
        "UROCDisplay",
        "ErrorDensityDisplay",
        "LossComponentDisplay",
    ),
    "regression",
)
ARMS |= dict.fromkeys(("CutoffErrorDisplay", "CutoffDecompositionDisplay"), "cutoff")
ARMS |= dict.fromkeys(
    ("ImpactDisplay", "ImpactGainDisplay", "ImpactProfileDisplay", "ThresholdLinesDisplay"),
    "impact",
)
ARMS |= dict.fromkeys(
    (
        "OrdinalCostDisplay",
        "OrdinalThresholdDisplay",
        "PairwiseROCDisplay",
        "ROCSurfaceDisplay",
        "SurfaceVolumeDisplay",
    ),
    "ordinal",
)
"""The arm of each display; of all others it is that of probabilities."""
GIVEN: dict[str, dict[str, Any]] = {
    "RROCDisplay": {"hull": True, "asymmetry": 0.8, "normalize": True},
    "AsymmetryCostDisplay": {"under_cost": 4, "over_cost": 1},
    "LossComponentDisplay": {"loss": rt.QuadQuad(0.8)},
    "CutoffErrorDisplay": {"cutoff": 40.0},
    "ImpactProfileDisplay": {"theta": 0.03},
    "OrdinalThresholdDisplay": {"costs": [3, 3, 2, 1, 1, 1, 1]},
    "OrdinalCostDisplay": {"moving": 4},
    "NetBenefitDisplay": {"threshold_probability": 0.2},
}
ASKED: dict[str, dict[str, Any]] = {
    "regression": {"under_cost": 4, "over_cost": 1},
    "cutoff": {"cutoff": 40.0},
    "ordinal": {"cost": 3.0},
    "probability": {"cost_proportion": 0.2},
    "impact": {"theta": 0.03},
}
"""What is asked of comparisons, in the words of ``decide``."""


def impact_of(y: Any, score: Any, name: str) -> Models:
    """Return what pictures of the impact are made of."""
    return {name: rt.impact_curve(score, rt.impact.value_times_price(y))}


MADE_OF = dict.fromkeys(("ImpactDisplay", "ImpactGainDisplay"), impact_of)


def grades(y: Any, kind: str) -> Any:
    """Return wines in three classes, where a picture shows no more."""
    return np.digitize(y, [5.5, 6.5]) if kind == "ROCSurfaceDisplay" else y


def draw_models(kind: str, y: Any, models: Models) -> None:
    """Draw several models by one display."""
    made: Any = getattr(display, kind)
    given = dict(GIVEN.get(kind, {}))
    if kind == "SegmentDisplay":  # draws single cases
        y, models = y[:40], {name: each[:40] for name, each in models.items()}
    truths = grades(y, kind) if ARMS.get(kind) == "ordinal" else y
    if len(models) == 1 or made.ENTRIES is None:
        ax = None
        for name, each in models.items():
            ax = made.from_predictions(truths, each, name=name, ax=ax, **given).ax_
            if made.ENTRIES is None and kind != "PairwiseROCDisplay":
                return
        return
    parameters = signature(made.plot).parameters
    drawn = {key: given.pop(key) for key in list(given) if key in parameters}
    entries: dict[str, Any] = {}
    for name, each in models.items():
        part = made.from_predictions(truths, each, name=name, **given)
        entries |= (
            MADE_OF[kind](truths, each, name) if kind in MADE_OF else vars(part)[made.ENTRIES]
        )
    plt.close("all")
    made(entries).plot(**drawn)


def others(which: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Return the pictures that are not made from one model's predictions."""
    y, models = scenario("cutoff", which)
    maps = {name: cutoff_cost_map(y, each) for name, each in models.items()}
    yield "ContextMapDisplay", lambda: display.ContextMapDisplay(maps).plot()
    yield "ContextMapDisplay-value", lambda: display.ContextMapDisplay(maps).plot(winner=False)
    yield "regression_overview", lambda: display.regression_overview(y, models, asymmetry=0.8)
    label, chances = scenario("probability", which)
    first, *rest = list(chances.values())
    along = {"threshold_probability": np.linspace(0.02, 0.9, 89)}
    yield (
        "Band",
        lambda: curve_band(rt.net_benefit, label, first, along=along).plot(
            name=next(iter(chances))
        ),
    )
    if rest:
        band = difference_band(rt.net_benefit, label, first, rest[0], along=along)
        yield "Band-difference", lambda: band.plot(name=" minus ".join(list(chances)[:2]))
        entries: Models = {}
        for name, each in chances.items():
            entries |= display.NetBenefitDisplay.from_predictions(label, each, name=name).models
        plt.close("all")
        yield (
            "NetBenefitDisplay-versus",
            lambda: display.NetBenefitDisplay(entries).plot(versus=list(chances)[1]),
        )
    comparison = rt.compare(y, models, arm="regression")
    day = np.datetime64("2024-01-01") + np.arange(len(y)) * np.timedelta64(12, "h")
    if len(y) > 100:
        backtest = comparison.backtest(time=day, period="month", under_cost=4, over_cost=1)
        yield "BacktestDisplay", backtest.plot


def comparisons(which: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Return the pictures of the five arms."""
    for arm, words in ASKED.items():
        worth = {"utility": rt.impact.value_times_price} if arm == "impact" else {}
        plot = rt.compare(*scenario(arm, which), arm=arm, **worth).plot
        for kind in ("excess", "choices", "cost"):
            yield f"{arm}-{kind}", partial(plot, kind=kind, **words)
        yield f"{arm}-excess-plain", plot


def pictures(which: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Return all pictures of a scenario by name."""
    for kind in dir(display):
        made = getattr(display, kind)
        if isinstance(made, type) and issubclass(made, ModelDisplay):
            data = scenario(ARMS.get(kind, "probability"), which)
            yield kind, partial(draw_models, kind, *data)
    yield from comparisons(which)
    yield from others(which)


def main() -> None:
    """Draw them."""
    parser = argparse.ArgumentParser(description="Draw every picture.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("looks", nargs="*", default=list(LOOKS), metavar="LOOK")
    parser.add_argument("--scenario", default="three", choices=SCENARIOS)
    parser.add_argument("--only", default="", help="draw pictures whose name contains this word")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    mpl.use("Agg")
    for name, draw in pictures(asked.scenario):
        if asked.only not in name:
            continue
        for look in asked.looks:
            with LOOKS[look]():
                draw()
                plt.gcf().savefig(
                    asked.folder / f"{look}_{asked.scenario}_{name}.png",
                    dpi=220 if look == "print" else 90,
                )
            plt.close("all")


if __name__ == "__main__":
    main()
