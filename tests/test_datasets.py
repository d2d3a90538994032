"""The bundled examples tell their story."""

import numpy as np

import roctopus as rt
from roctopus.datasets import load_bakery


def test_bakery_needs_a_choice():
    bakery = load_bakery()
    assert len(bakery.y_true) == 365
    for p in bakery.predictions.values():
        assert p.shape == bakery.y_true.shape
        assert np.isfinite(p).all()
    curves = {
        name: rt.asymmetry_cost_curve(bakery.y_true, p) for name, p in bakery.predictions.items()
    }
    best = rt.envelope(curves)
    assert best.best_at(0.5) == "random forest"
    assert best.best_at(0.8) == "boosted 80% quantile"
