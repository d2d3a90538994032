"""Pictures of the ordinal arm show what they say."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus import ordinal as arm
from roctopus.display import (
    OrdinalThresholdDisplay,
    PairwiseROCDisplay,
    ROCSurfaceDisplay,
    SurfaceVolumeDisplay,
)

rng = np.random.default_rng(0)
Y = np.repeat([1, 2, 3], [50, 40, 30])
MODELS = {"near": Y + 0.7 * rng.normal(size=120), "far": Y + 1.5 * rng.normal(size=120)}


def test_surface_with_thresholds():
    display = ROCSurfaceDisplay.from_predictions(Y, MODELS["near"], name="$near$")
    assert "volume" in display.ax_.get_title(loc="left")
    assert r"\$near\$" in display.ax_.get_title(loc="left")
    surface = rt.roc_surface(Y, MODELS["near"])
    marked = ROCSurfaceDisplay(surface).plot(thresholds=[1.5, 2.5])
    x, y, z = marked.ax_.lines[-1].get_data_3d()
    assert [x[0], z[0], y[0]] == pytest.approx(surface.rates([1.5, 2.5]).tolist())
    frame = display.frame("pandas")
    assert {"rate_1", "rate_3", "threshold_2"} <= set(frame.columns)
    with pytest.raises(rt.InputError, match="only be drawn for three classes, but there are 2"):
        ROCSurfaceDisplay.from_predictions(Y > 1, MODELS["near"])


def test_pairs_of_several_models():
    display = PairwiseROCDisplay(Y, MODELS).plot()
    assert len(display.figure_.axes) == 4
    corner = display.figure_.axes[1]
    drawn = {line.get_label(): line.get_xydata() for line in corner.lines}
    curve = arm.pairwise_roc_curves(Y, MODELS["far"])[1, 3]
    np.testing.assert_array_equal(drawn["far"][:, 0], curve.false_positive_rate)
    areas = {text.get_text() for text in corner.texts}
    assert f"{curve.area:.2f}" in areas
    frame = display.frame("polars")
    assert set(frame["model"]) == {"near", "far"}


def test_volumes_with_intervals_and_chance():
    volumes = {name: rt.surface_volume(Y, score) for name, score in MODELS.items()}
    display = SurfaceVolumeDisplay(volumes).plot()
    low, high = volumes["near"].confidence_interval()
    bars = [line for line in display.ax_.lines if len(line.get_xdata()) == 2]
    assert any(np.allclose(bar.get_xdata(), [low, high]) for bar in bars)
    assert display.frame("pandas")["chance"][0] == pytest.approx(1 / 6)
    perfect = SurfaceVolumeDisplay({"perfect": rt.surface_volume(Y, Y)}).plot()
    assert perfect.intervals() == {"perfect": (1.0, 1.0)}
    with pytest.raises(rt.InputError, match="the same number of classes, but "):
        SurfaceVolumeDisplay({**volumes, "two": rt.surface_volume(Y > 1, MODELS["near"])})


def test_thresholds_on_the_scores():
    model = LinearRegression().fit(MODELS["near"][:, None], Y)
    display = OrdinalThresholdDisplay.from_estimator(
        model, MODELS["near"][:, None], Y, costs=[1, 1, 4]
    )
    found = rt.ordinal_thresholds(Y, model.predict(MODELS["near"][:, None]), costs=[1, 1, 4])
    upright = sorted({line.get_xdata()[0] for line in display.ax_.lines})
    np.testing.assert_allclose(upright, found.thresholds)
    assert len(display.frame("pandas")) == 2
    constant = OrdinalThresholdDisplay.from_predictions([1, 2], [3.0, 3.0])
    assert constant.ax_.get_xlim()[0] < constant.ax_.get_xlim()[1]
