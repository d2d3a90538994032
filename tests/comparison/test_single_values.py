"""A single value where a column is needed: a sentence that names the argument."""

import numpy as np
import pytest

import roctopus as rt

Y = np.array([0.0, 1.0] * 10)
A = np.linspace(0.1, 0.9, 20)


@pytest.mark.parametrize("arm", ["regression", "cutoff", "ordinal", "probability", "impact"])
@pytest.mark.parametrize("name", ["y_true", "sample_weight", "clusters", "time", "context", "a"])
def test_a_single_value_is_no_column(arm, name):
    single = {name: np.array(1.0)}
    y, a = single.pop("y_true", Y), single.pop("a", A)
    told = {"y_true": "'y_true' must contain one value per case", "a": "0-dimensional array"}
    with pytest.raises(rt.InputError, match=told.get(name, "single")):
        rt.compare(y, {"a": a}, arm=arm, **single)
