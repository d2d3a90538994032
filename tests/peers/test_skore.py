"""Displays keep to the protocol of skore's, with the real one."""

import inspect

import matplotlib
import pandas as pd
import pytest
import skore
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression

from displays import GIVEN, MODELS, drawn
from roctopus import display
from roctopus.display.base import Display

matplotlib.use("Agg")
METHODS = ("plot", "set_style", "frame", "help")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("kind", MODELS)
def test_displays_are_displays_of_skore(kind, capsys):
    shown = drawn(kind)
    assert isinstance(shown, skore.Display)
    assert isinstance(shown.plot().figure_, Figure)  # plot returns the display, as scikit-learn's
    assert isinstance(shown.frame("pandas"), pd.DataFrame | pd.Series)
    shown.help()
    assert kind in capsys.readouterr().out


@pytest.mark.parametrize("method", METHODS)
def test_what_the_protocol_calls_can_be_called(method):
    theirs = inspect.signature(getattr(skore.Display, method)).parameters
    ours = inspect.signature(getattr(Display, method)).parameters
    for name, each in theirs.items():
        if each.kind is not inspect.Parameter.VAR_KEYWORD:
            assert ours[name].kind is each.kind
            assert ours[name].default == each.default
    assert all(
        each.default is not inspect.Parameter.empty or each.kind is each.VAR_KEYWORD
        for name, each in ours.items()
        if name not in theirs
    )


def test_a_style_is_set_as_in_skore():
    theirs = skore.evaluate(LogisticRegression(), *_cases(), splitter=0.3).metrics.roc()
    ours = drawn("RECDisplay")
    for each, name in ((theirs, "relplot_kwargs"), (ours, "curve_kwargs")):
        assert each.set_style(policy="override", **{name: {"color": "red"}}) is None
        assert each.set_style(policy="update", **{name: {"linewidth": 3.0}}) is None
    with pytest.raises(ValueError, match="flavour"):
        ours.set_style(flavour={})
    with pytest.raises(ValueError, match="policy"):
        ours.set_style(policy="forget", curve_kwargs={})
    line = ours.plot().ax_.lines[0]
    assert (line.get_color(), line.get_linewidth()) == ("red", 3.0)
    assert theirs._default_relplot_kwargs == {"color": "red", "linewidth": 3.0}


def _cases():
    from sklearn.datasets import make_classification

    return make_classification(random_state=0)


def test_every_display_of_models_is_tested():
    assert set(GIVEN) <= set(MODELS)
    assert {
        name for name in dir(display) if hasattr(getattr(display, name), "from_predictions")
    } == (set(MODELS))
