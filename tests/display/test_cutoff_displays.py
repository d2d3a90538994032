"""Pictures of the cutoff arm show what they say."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus import cutoff as arm
from roctopus.display import ContextMapDisplay, CutoffDecompositionDisplay, CutoffErrorDisplay

rng = np.random.default_rng(0)
Y = rng.gamma(2.0, 3.0, 150)
MODELS = {"narrow": Y + rng.normal(0, 1.5, 150), "low": 0.8 * Y}
CURVES = {name: rt.cutoff_error_curve(Y, p) for name, p in MODELS.items()}
CUTOFFS = np.quantile(Y, [0.2, 0.4, 0.6, 0.8])
RETRAINED = rt.retraining_curve(Y, {c: MODELS["narrow"] >= c for c in CUTOFFS})


def line_labelled(ax, label):
    (line,) = [line for line in ax.lines if line.get_label() == label]
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


def test_curves_over_the_cutoff_with_a_retraining_procedure():
    display = CutoffErrorDisplay({**CURVES, "retrained": RETRAINED}).plot(cutoff=CUTOFFS[1])
    x, y = line_labelled(display.ax_, "narrow")
    np.testing.assert_allclose(y[1::2], CURVES["narrow"].at(x[1::2]))  # right ends of the treads
    x, y = line_labelled(display.ax_, "retrained")
    np.testing.assert_allclose(x, CUTOFFS)
    np.testing.assert_allclose(y, RETRAINED.at(CUTOFFS))
    assert display.envelope.curve.known is not None
    assert display.ax_.get_xlabel() == "cutoff"
    assert display.ax_.get_ylabel() == "share of wrong decisions"
    assert {"model", "cutoff", "value"} == set(display.frame("pandas").columns)


def test_curves_over_true_rank_and_quantiles_have_the_expected_error_as_area():
    for over, distribution in ((rt.Output(), rt.Output()), (rt.Normal(5, 2), rt.Normal(5, 2))):
        display = CutoffErrorDisplay(CURVES, over=over).plot()
        x, y = line_labelled(display.ax_, "low")
        area = np.sum(y[::2] * (x[1::2] - x[::2]))
        expected = rt.expected_cutoff_error(Y, MODELS["low"], distribution=distribution)
        assert area == pytest.approx(expected)
        assert display.ax_.get_xlim() == (0.0, 1.0)


def test_bands_follow_the_axis():
    display = CutoffErrorDisplay(CURVES, over=rt.Output()).plot()
    regions = display.envelope.regions
    border = regions[0].high
    ends = display._position(np.array([border]))
    assert ends[0] == pytest.approx(np.mean(border >= Y))


def test_median_baselines_and_marks():
    trivial = arm.trivial_predictions(Y, y_train=Y)
    baselines = {n: rt.cutoff_error_curve(Y, trivial[n]) for n in ("median", "maximum")}
    display = CutoffErrorDisplay(CURVES, over=rt.Output(), baselines=baselines).plot(marks=True)
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert "median (baseline)" in labels
    x, y = line_labelled(display.ax_, "maximum (baseline)")
    np.testing.assert_allclose(y[::2], np.floor(x[::2] * 150 + 1e-9) / 150, atol=1e-9)
    assert any(text.get_text() == "median" for text in display.ax_.texts)
    many = rt.cutoff_error_curve(np.arange(1000.0), np.zeros(1000))
    with pytest.raises(rt.InputError, match="'marks' can mark at most"):
        CutoffErrorDisplay({"many": many}).plot(marks=True)
    with pytest.raises(rt.InputError, match="'rec' must come from cutoff_error_curve"):
        CutoffErrorDisplay({"rec": rt.ContextCurve(CURVES["low"].function, "a", "b")})


def test_from_estimator_and_limits():
    rng = np.random.default_rng(1)
    X = Y[:, None] + rng.normal(size=(150, 1))
    model = LinearRegression().fit(X, Y)
    display = CutoffErrorDisplay.from_estimator(model, X, Y, low=2.0, high=6.0)
    assert display.ax_.get_xlim() == (2.0, 6.0)
    assert display.ax_.get_legend().get_texts()[0].get_text() == "LinearRegression"
    with pytest.raises(rt.InputError, match="The range to show must go from a lower"):
        display.plot(low=3.0, high=2.0)


@pytest.mark.parametrize("by_rank", [False, True])
@pytest.mark.parametrize("size", [6, 400])
def test_decompositions_have_the_same_area(by_rank, size):
    rng = np.random.default_rng(1)
    y = rng.normal(size=size)
    p = y + rng.normal(size=size)
    display = CutoffDecompositionDisplay.from_predictions(y, p, by_rank=by_rank)
    area = rt.output_cutoff_area(y, p) if by_rank else np.mean(np.abs(p - y))
    left, right = display.figure_.axes
    assert f"area {area:.4g}" in left.get_title(loc="left")
    if size == 6:
        heights = [bar.get_height() for bar in right.patches]
        assert np.mean(heights) == pytest.approx(area)
    assert np.mean(display.parts(by_rank)) == pytest.approx(area)
    assert len(display.frame("polars")) == size


def test_map_of_winners_and_of_losses():
    maps = {name: arm.cutoff_cost_map(Y, p) for name, p in MODELS.items()}
    display = ContextMapDisplay(maps).plot()
    low, high = display.context_range()
    edges = np.linspace(low, high, 401)
    best, owner = display.grid(edges)
    middle = 0.5 * (edges[1:] + edges[:-1])
    for row, proportion in enumerate(display.values):
        values = np.array([maps[name].curve(proportion).at(middle) for name in MODELS])
        np.testing.assert_allclose(best[row], values.min(axis=0), atol=1e-12)
        np.testing.assert_allclose(
            values[owner[row], np.arange(400)], values.min(axis=0), atol=1e-12
        )
    shades = ContextMapDisplay({"low": maps["low"]}).plot(winner=False, low=1.0, high=9.0)
    assert shades.ax_.get_xlim() == (1.0, 9.0)
    frame = display.frame("pandas")
    assert list(frame.columns) == ["cost_proportion", "cutoff_from", "cutoff_to", "model"]
    single = ContextMapDisplay({"a": arm.do_nothing_map(Y, Y, widths=[1.0], do_nothing_cost=0.1)})
    assert single.plot().ax_.get_ylabel() == "band width"
