"""Every display follows scikit-learn's, and looks as matplotlib's user wants it."""

import inspect
import re

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex, to_rgb
from sklearn.base import is_classifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_validate

import roctopus as rt
from displays import BY_CLASS, CLASSIFIED, GIVEN, KINDS, MODELS, NUMBER, X, drawn, truths
from roctopus import display
from roctopus.display.base import Display, ModelDisplay

matplotlib.use("Agg")


def legends(figure):
    found = [ax.get_legend() for ax in figure.axes if ax.get_legend() is not None]
    return [*found, *figure.legends, *(leg for each in figure.subfigs for leg in each.legends)]


def colours_drawn(ax):
    lines = [line for line in ax.lines if len(np.unique(line.get_xdata())) > 1]
    return {to_hex(line.get_color()) for line in lines}


def listed(figure, name):
    """Return the colours that the legend gives a name."""
    (legend,) = legends(figure)
    pairs = zip(legend.get_texts(), legend.get_lines(), strict=True)
    return {to_hex(line.get_color()) for text, line in pairs if name in text.get_text()}


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("kind", MODELS)
def test_a_display_has_what_displays_of_scikit_learn_have(kind):
    shown = drawn(kind)
    assert isinstance(shown, Display)
    assert shown.figure_ is shown.ax_.figure.figure
    made = getattr(display, kind)
    for name in ("from_estimator", "from_predictions", "from_cv_results", "plot", "frame"):
        assert callable(getattr(made, name))
    _, *others = inspect.signature(made.plot).parameters.values()
    assert others[0].name == "ax"
    assert others[0].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert {"name", "curve_kwargs", "title", "legend"} <= {each.name for each in others}
    assert all(each.kind is inspect.Parameter.KEYWORD_ONLY for each in others[1:])
    assert list(inspect.signature(made.from_estimator).parameters)[:3] == ["estimator", "X", "y"]
    assert list(inspect.signature(made.from_cv_results).parameters)[:3] == ["cv_results", "X", "y"]
    assert list(inspect.signature(made.from_predictions).parameters)[:2] == ["y_true", "y_pred"]
    assert shown.plot() is shown
    frame = shown.frame("pandas")
    assert len(frame)
    assert len(frame.columns) >= 2
    shown.help()


@pytest.mark.parametrize("kind", MODELS)
def test_two_models_on_one_ax_have_two_colours_and_one_legend(kind):
    options = {"subplot_kw": {"projection": "3d"}} if kind == "ROCSurfaceDisplay" else {}
    figure, ax = plt.subplots(layout="constrained", **options)
    first = drawn(kind, 0, ax=ax)
    second = drawn(kind, 1, ax=ax)
    assert first.figure_ is second.figure_ is figure
    assert first.ax_ is second.ax_
    figure.canvas.draw()
    if kind == "SurfaceVolumeDisplay":  # names stand beside the lines
        assert [each.get_text() for each in ax.get_yticklabels()] == ["model 0", "model 1"]
        assert len(colours_drawn(ax)) == 2
        return
    if kind == "OrdinalThresholdDisplay":  # classes stand beside their histograms
        assert not legends(figure)
        return
    (legend,) = legends(figure)
    entries = [text.get_text() for text in legend.get_texts()]
    pairs = set(zip(entries, [str(line.get_color()) for line in legend.get_lines()], strict=True))
    assert len(pairs) == len(entries)
    if kind in BY_CLASS:
        assert any(each.startswith("model 1, ") for each in entries)
        return
    ours = listed(figure, "model 0"), listed(figure, "model 1")
    assert ours[0]
    assert ours[1]
    assert not ours[0] & ours[1]
    cycle = [to_hex(each) for each in plt.rcParams["axes.prop_cycle"].by_key()["color"]]
    assert (ours[0] | ours[1]) <= set(cycle)


@pytest.mark.parametrize("kind", MODELS)
def test_the_axes_of_one_display_are_those_of_the_next(kind):
    first = drawn(kind, 0)
    count = len(first.figure_.axes)
    second = drawn(kind, 1, ax=first.ax_)
    assert second.ax_ is first.ax_
    assert second.figure_ is first.figure_
    assert len(second.figure_.axes) == count
    second.figure_.canvas.draw()


@pytest.mark.parametrize("kind", ["CostCurveDisplay", "SmoothedROCDisplay"])
def test_two_curves_of_one_model_share_a_colour(kind):
    shown = drawn(kind)
    first, second = [line for line in shown.ax_.lines if not line.get_label().startswith("_")]
    assert first.get_color() == second.get_color()
    assert first.get_linewidth() > second.get_linewidth()


@pytest.mark.parametrize("kind", MODELS)
def test_colours_and_names_are_the_users(kind):
    count = {"OrdinalThresholdDisplay": 3, "SegmentDisplay": 2, "ThresholdLinesDisplay": 4}
    own = {"color": "#123456"}
    shown = drawn(kind, curve_kwargs=[own] * count[kind] if kind in count else {**own, "lw": 3.5})
    artists = [*shown.ax_.lines, *shown.ax_.patches]
    used = {to_hex(each.get_color()) for each in artists if hasattr(each, "get_color")}
    faces = [each.get_facecolor() for each in shown.ax_.collections]
    used |= {to_hex(face[0]) for face in faces if len(face) == 1}
    assert "#123456" in used
    assert not legends(shown.plot(legend=False).figure_)
    with pytest.raises(rt.InputError, match=r"'name' must contain one name per model"):
        shown.plot(name=["a", "b", "c", "d", "e"])
    with pytest.raises(rt.InputError, match=r"'curve_kwargs' is a list of length \d+, but"):
        shown.plot(curve_kwargs=[{}] * 6)


@pytest.mark.parametrize("kind", sorted(set(MODELS) - BY_CLASS))
def test_names_are_the_users(kind):
    count = 2 if kind in ("CostCurveDisplay", "SmoothedROCDisplay") else 1
    again = drawn(kind).plot(name=["mine", "too"][:count] if count > 1 else "mine")
    told = [text.get_text() for each in legends(again.figure_) for text in each.get_texts()]
    told += [text.get_text() for text in again.ax_.get_yticklabels()]
    told.append(again.ax_.get_title(loc="left"))
    assert kind == "PairwiseROCDisplay" or any("mine" in each for each in told)


@pytest.mark.parametrize("kind", KINDS)
def test_what_plot_does_not_take_is_said(kind):
    made = getattr(display, kind)
    nothing = made.__new__(made)
    known = list(inspect.signature(made.plot).parameters)
    with pytest.raises(rt.InputError, match=r"no argument 'flavour'. Its arguments: ax, "):
        nothing.plot(flavour=1)
    if "curve_kwargs" in known:
        for wrong in ("color", "c", "linewidth", "ls"):
            with pytest.raises(rt.InputError, match=re.escape(f"curve_kwargs={{'{wrong}': ...}}")):
                nothing.plot(**{wrong: 1})
    with pytest.raises(rt.InputError, match="set_style has no argument 'flavour'"):
        nothing.set_style(flavour={})


def test_a_style_is_kept_updated_and_overridden():
    shown = drawn("RECDisplay")
    shown.set_style(curve_kwargs={"color": "red"})
    shown.set_style(curve_kwargs={"linewidth": 5}, legend_kwargs={"loc": "center"})
    line = shown.plot().ax_.lines[0]
    assert (line.get_color(), line.get_linewidth()) == ("red", 5)
    shown.set_style(policy="override", curve_kwargs={"color": "blue"})
    line = shown.plot().ax_.lines[0]
    assert (line.get_color(), line.get_linewidth()) == ("blue", pytest.approx(1.8))
    assert shown.plot(curve_kwargs={"color": "green"}).ax_.lines[0].get_color() == "green"
    with pytest.raises(rt.InputError, match="'policy' must be"):
        shown.set_style(policy="forget", curve_kwargs={})


@pytest.mark.parametrize("kind", MODELS)
def test_folds_of_cross_validation(kind):
    y = truths(kind)
    model = LogisticRegression() if kind in CLASSIFIED else LinearRegression()
    these = slice(0, 60)
    found = cross_validate(
        model, X[these], y[these], cv=3, return_estimator=True, return_indices=True
    )
    made = getattr(display, kind)
    shown = made.from_cv_results(found, X[these], y[these], **GIVEN.get(kind, {}))
    assert len(legends(shown.figure_)) <= 1
    if made.ENTRIES is None:
        alone = [np.asarray(found["indices"]["test"][k]) for k in range(3)]
        method = "predict_proba" if is_classifier(model) else "predict"
        said = [getattr(e, method)(X[t]) for e, t in zip(found["estimator"], alone, strict=True)]
        said = [each[:, 1] if each.ndim > 1 else each for each in said]
        same = made.from_predictions(
            y[np.concatenate(alone)], np.concatenate(said), name=type(model).__name__,
            **GIVEN.get(kind, {}),
        )  # fmt: skip
        mine, theirs = shown.frame("pandas"), same.frame("pandas")
        assert mine.equals(theirs)
        return
    entries = getattr(shown, made.ENTRIES)
    assert len(entries) == 3 * len(set(shown._groups.values()))
    told = [text.get_text() for each in legends(shown.figure_) for text in each.get_texts()]
    if kind != "SurfaceVolumeDisplay":
        assert any("(3 folds)" in each for each in told)
        assert not any("fold 2" in each for each in told)
    shown.figure_.canvas.draw()


def test_what_cross_validation_must_return():
    found = cross_validate(LinearRegression(), X, NUMBER, cv=3)
    with pytest.raises(rt.InputError, match="return_estimator=True, return_indices=True"):
        display.RECDisplay.from_cv_results(found, X, NUMBER)


@pytest.mark.parametrize("kind", MODELS)
def test_dark_themes(kind):
    with plt.style.context("dark_background"):
        shown = drawn(kind)
        shown.figure_.canvas.draw()
        for ax in shown.figure_.axes:
            if not ax.axison:
                continue
            for text in (ax.title, ax.xaxis.label, ax.yaxis.label, *ax.texts):
                assert sum(to_rgb(text.get_color())) > 0.9, text
            for line in ax.lines:
                assert sum(to_rgb(line.get_color())) > 0.2, line.get_label()


@pytest.mark.parametrize("kind", ["RECDisplay", "SmoothedROCDisplay", "ErrorDensityDisplay"])
def test_the_users_cycle_is_followed(kind):
    with plt.rc_context({"axes.prop_cycle": plt.cycler(color=["#ff0000", "#00ff00"])}):
        _, ax = plt.subplots()
        ax.plot([0, 1], [0, 1])  # takes the first colour
        shown = drawn(kind, 0, ax=ax)
        assert "#00ff00" in colours_drawn(shown.ax_)


@pytest.mark.parametrize("name", KINDS)
def test_every_argument_is_documented(name):
    made = getattr(display, name)
    methods = [made.plot, made.frame]
    if issubclass(made, ModelDisplay):
        methods += [made.from_predictions, made.from_estimator, made.from_cv_results]
    for method in methods:
        text = inspect.getdoc(method)
        assert "Returns\n-------" in text
        for argument in inspect.signature(method).parameters:
            if argument != "self":
                assert re.search(rf"^(.*, )?\**{argument}\b", text, re.MULTILINE), (name, argument)
