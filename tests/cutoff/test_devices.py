"""Areas of arrays of other libraries are found where these are, and are the same."""

import array_api_strict
import numpy as np
import pytest
import torch

import roctopus as rt
from roctopus.core.errors import InputError

LIBRARIES = {"torch": torch.asarray, "strict": array_api_strict.asarray}


def sample(tied, weighted):
    rng = np.random.default_rng(3)
    y, p = rng.normal(size=400), rng.normal(size=400)
    p = 0.5 * (y + p)
    if tied:
        y, p = np.round(y, 1), np.round(p, 1)
    p[:2] = np.inf, -np.inf
    return y, p, rng.integers(0, 4, 400).astype(float) if weighted else None


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "context",
    [
        {},
        {"low": -0.5, "high": 1.0},
        {"low": 0.3},
        {"exclude_self": True, "false_negative_cost": 3.0},
        {"high": 0.2, "exclude_self": True, "false_positive_cost": 0.0},
    ],
    ids=["plain", "region", "from", "pairs", "all"],
)
def test_output_area_equals_that_of_numpy(library, tied, weighted, context):
    y, p, weight = sample(tied, weighted)
    expected = rt.output_cutoff_area(y, p, sample_weight=weight, **context)
    make = LIBRARIES[library]
    given_weight = None if weight is None else make(weight)
    found = rt.output_cutoff_area(make(y), make(p), sample_weight=given_weight, **context)
    assert found == pytest.approx(expected, rel=1e-13)


def test_refusals_are_the_same_sentences():
    y, p, _ = sample(tied=False, weighted=False)
    for context in ({"low": 50.0}, {"exclude_self": True, "sample_weight": np.full(400, 0.5)}):
        with pytest.raises(InputError) as plain:
            rt.output_cutoff_area(y, p, **context)
        arrays = {k: torch.asarray(v) if k == "sample_weight" else v for k, v in context.items()}
        with pytest.raises(InputError) as foreign:
            rt.output_cutoff_area(torch.asarray(y), torch.asarray(p), **arrays)
        assert str(foreign.value) == str(plain.value)
