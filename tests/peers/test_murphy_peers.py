"""Murphy diagrams against model-diagnostics and scores, off the knots."""

import warnings

import numpy as np
import pytest

from roctopus import regression as arm

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # other packages' own deprecations
    import xarray as xr
    from model_diagnostics.scoring import ElementaryScore
    from scores.continuous import murphy_score

rng = np.random.default_rng(0)
Y = rng.normal(size=400)
P = Y + rng.normal(size=400)
THETA = np.linspace(-4, 4, 97) + 0.00123


@pytest.mark.parametrize("level", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("functional", ["quantile", "expectile"])
def test_equals_scores(functional, level):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = murphy_score(
            xr.DataArray(P, dims="case"),
            xr.DataArray(Y, dims="case"),
            THETA,
            functional=functional,
            alpha=level,
        )["total"].values
    ours = arm.murphy_curve(Y, P, functional=functional, level=level).at(THETA)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("level", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("functional", ["quantile", "expectile"])
def test_equals_model_diagnostics(functional, level):
    theirs = np.array([ElementaryScore(t, functional=functional, level=level)(Y, P) for t in THETA])
    ours = arm.murphy_curve(Y, P, functional=functional, level=level).at(THETA)
    # Their expectile score is twice that of Ehm et al., so that its mean at ½ is |θ − y|.
    scale = 2.0 if functional == "expectile" else 1.0
    np.testing.assert_allclose(scale * ours, theirs, rtol=1e-10, atol=1e-13)
