"""Make the bundled bakery example: invented demand, real models' forecasts of it.

Run it to write ``src/roctopus/datasets/bakery.csv`` again. Five years of daily demand for bread
with a weekly rhythm, seasons, weather, holidays and rare rushes; five forecasters learn from the
first four years and forecast the fifth. The forecasts are what the models say, rounded to whole
loaves.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

DAYS, TRAINING = 1825, 1460
TARGET = Path(__file__).parents[1] / "src" / "roctopus" / "datasets" / "bakery.csv"


def invent_demand(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return features known the evening before, and the loaves asked for."""
    day = np.arange(DAYS)
    weekday = day % 7
    season = np.cos(2 * np.pi * day / 365)
    warmth = 12 - 9 * season + rng.normal(0, 3.5, DAYS)
    forecast_warmth = warmth + rng.normal(0, 1.5, DAYS)
    rain = rng.gamma(0.6, 4.0, DAYS)
    holiday_eve = rng.random(DAYS) < 0.04
    rhythm = np.array([150, 142, 146, 155, 178, 240, 96])[weekday]
    weekend = weekday >= 5
    level = rhythm * (1 + 0.08 * season) * np.where(holiday_eve, 1.5, 1.0)
    level = level * np.exp(-np.where(weekend, 0.030, 0.006) * np.minimum(rain, 15))
    level = level * np.where(warmth > 22, 0.85, 1.0)
    spread = np.select([holiday_eve, weekday == 5, rain > 5], [0.30, 0.24, 0.14], 0.06)
    demand = level * np.exp(spread * rng.normal(size=DAYS))
    demand += (rng.random(DAYS) < 0.02) * rng.gamma(2.0, 30.0, DAYS)  # a rush nobody foresees
    features = np.column_stack(
        [weekday == k for k in range(7)]
        + [season, np.sin(2 * np.pi * day / 365), forecast_warmth, rain, holiday_eve]
    ).astype(float)
    return features, np.round(demand)


def main() -> None:
    """Write the file."""
    X, y = invent_demand(np.random.default_rng(2024))
    train, test = slice(0, TRAINING), slice(TRAINING, DAYS)
    boosting = {"max_iter": 150, "learning_rate": 0.06, "min_samples_leaf": 15, "random_state": 0}
    models = {
        "ridge": Ridge(1.0),
        "random forest": RandomForestRegressor(300, min_samples_leaf=4, random_state=0, n_jobs=2),
        "boosting": HistGradientBoostingRegressor(**boosting),
        "boosted 80% quantile": HistGradientBoostingRegressor(
            loss="quantile", quantile=0.8, **boosting
        ),
        "nearest days": make_pipeline(StandardScaler(), KNeighborsRegressor(12)),
    }
    columns = {"day": np.arange(TRAINING, DAYS) + 1, "demand": y[test]}
    for name, model in models.items():
        columns[name] = np.round(model.fit(X[train], y[train]).predict(X[test]))
    with TARGET.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(
            zip(*(values.astype(int).tolist() for values in columns.values()), strict=True)
        )


if __name__ == "__main__":
    main()
