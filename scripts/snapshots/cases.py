"""Small cases of every arm, the same in every run, with ties; and what is asked of them."""

from typing import Any, NamedTuple

import numpy as np

import roctopus as rt

SIZE = 180


class Cases(NamedTuple):
    """Truths, predictions, what else is known of the cases, and the arm's own options."""

    truth: Any
    models: dict[str, Any]
    columns: dict[str, Any]
    options: dict[str, Any]

    def compare(self, arm: str, **more: Any) -> Any:
        """Compare the models."""
        return rt.compare(self.truth, self.models, arm=arm, **self.options, **more)


def make_cases(arm: str, seed: int, drift: float = 0.0, size: int = SIZE) -> Cases:
    """Return cases of an arm; with a drift the models are worse than they were."""
    rng = np.random.default_rng(seed)
    y = np.round(rng.gamma(3.0, 10.0, size))
    columns = {
        "w": rng.integers(0, 4, size).astype(float),
        "who": np.array([f"c{k:02d}" for k in rng.integers(0, size // 6, size)]),
        "day": np.repeat(np.arange(size // 6), 6),
        "shop": rng.choice(["north", "south"], size),
        "u": np.round(rng.random(size), 2),
        "under": np.round(rng.gamma(3.0, 1.0, size) + 0.1, 1),
        "over": np.round(rng.gamma(2.0, 0.5, size) + 0.1, 1),
        "repair": np.round(rng.gamma(4.0, 5.0, size)),
    }
    noise = rng.normal(size=(3, size))
    if arm == "probability":
        risk = rng.beta(1.2, 2.5, size)
        y = (rng.random(size) < risk).astype(float)
        models = {
            "a": np.round(np.clip(risk + 0.08 * noise[0] + 0.1 * drift, 0, 1), 2),
            "b": np.round(risk ** (1.4 - drift), 1),
            "c": np.round(np.clip(0.5 * risk + 0.2 + 0.1 * noise[2], 0, 1), 2),
        }
        return Cases(y, models, columns, {})
    scale = 12.0
    if arm == "ordinal":
        y, scale = np.digitize(y, [20.0, 33.0]).astype(float), 1.0
    models = {
        "a": np.round(y + scale * (0.5 * noise[0] - 0.2 + drift), 1),
        "b": np.round(0.8 * y + scale * (0.35 * noise[1] + 0.3 - drift), 1),
        "c": np.round(y + scale * 0.8 * noise[2], 1),
    }
    options = {"utility": rt.LinearUtility(y, -columns["repair"])} if arm == "impact" else {}
    return Cases(y, models, columns, options)


class Asked(NamedTuple):
    """What is asked of an arm, in its own words."""

    number: dict[str, Any]
    other_words: dict[str, Any]
    between: tuple[float, float]
    distribution: Any
    other_distribution: Any
    at: tuple[float, ...]
    """Contexts at which curves are looked at."""

    def context(self, cases: Cases) -> Any:
        """Return a context for each case, spread over the range, with ties."""
        low, high = self.between
        return np.round(low + (high - low) * cases.columns["u"], 3)


ASKED = {
    "regression": Asked(
        {"under_cost": 4.0, "over_cost": 1.0},
        {"asymmetry": 0.3},
        (0.55, 0.9),
        rt.Beta(3, 2),
        rt.Empirical([0.2, 0.5, 0.5, 0.9]),
        (0.05, 0.3, 0.5, 0.8, 0.99),
    ),
    "cutoff": Asked(
        {"cutoff": 27.0},
        {"cutoff": 40.5},
        (18.0, 41.0),
        rt.Normal(30, 6),
        rt.Output(),
        (5.0, 20.0, 27.0, 33.3, 50.0),
    ),
    "ordinal": Asked(
        {"costs": [1.0, 3.0, 5.0]},
        {"cost": 2.5},
        (1.0, 6.0),
        rt.Uniform(1, 7),
        rt.Truncated(rt.Gamma(2, 1.5), 0.5, 8),
        (0.2, 1.0, 3.0, 6.5, 9.0),
    ),
    "probability": Asked(
        {"false_positive_cost": 1.0, "false_negative_cost": 4.0},
        {"cost_proportion": 0.6},
        (0.1, 0.45),
        rt.Beta(2, 5),
        rt.Uniform(0.05, 0.6),
        (0.05, 0.2, 0.5, 0.7, 0.95),
    ),
    "impact": Asked(
        {"theta": 0.8},
        {"theta": 0.3},
        (0.4, 1.3),
        rt.LogNormal(-0.2, 0.4),
        rt.PointMass(0.7),
        (0.1, 0.5, 0.8, 1.2, 3.0),
    ),
}
