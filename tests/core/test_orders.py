"""The order of many numbers: exact whatever they are."""

import numpy as np
import pytest

from roctopus.core.orders import FEW, order_of

RNG = np.random.default_rng(0)
SIZE = 3 * FEW
CASES = {
    "normal": RNG.normal(100.0, 20.0, SIZE),
    "ties": RNG.integers(0, 5, SIZE) * 1.0,
    "one": np.zeros(SIZE),
    "tails": RNG.standard_cauchy(SIZE) ** 3,
    "huge": RNG.choice([-1.0, 1.0], SIZE) * 1e308 * RNG.random(SIZE),
    "tiny": RNG.normal(size=SIZE) * 5e-324,
    "infinite": np.where(RNG.random(SIZE) < 0.1, np.inf, -RNG.exponential(size=SIZE)),
    "mostly infinite": np.where(RNG.random(SIZE) < 0.9, -np.inf, RNG.normal(size=SIZE)),
    "an outlier": np.append(RNG.normal(size=SIZE - 1), 1e300),
    "few": RNG.normal(size=FEW // 2),
    "none": np.empty(0),
}


@pytest.mark.parametrize("case", CASES)
def test_every_number_is_in_its_place(case: str) -> None:
    values = CASES[case]
    order = order_of(values)
    np.testing.assert_array_equal(values[order], np.sort(values))
    np.testing.assert_array_equal(np.sort(order), np.arange(len(values)))
