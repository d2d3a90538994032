"""Data to try things on: real data, models' predictions of them, and the problems of the papers.

Three real data sets come with the package, for estimators: ``load_concrete``, ``load_power_plant``
and ``load_wine``. Five more loaders return models' out-of-sample predictions of real cases. Authors
and licences of both are in ``ATTRIBUTION.md`` beside the files. The other examples are made up. The
papers' problems are read from a folder, or fetched.
"""

from __future__ import annotations

from roctopus.datasets.example import Example
from roctopus.datasets.made_up import (
    load_apartments,
    load_apples,
    load_bakery,
    load_phones,
    load_screening,
)
from roctopus.datasets.predictions import (
    load_bank_predictions,
    load_concrete_predictions,
    load_power_plant_predictions,
    load_thyroid_predictions,
    load_wine_predictions,
)
from roctopus.datasets.problems import PaperProblem, ProblemData, list_problems, load_problem
from roctopus.datasets.real import load_concrete, load_power_plant, load_wine

__all__ = [
    "Example",
    "PaperProblem",
    "ProblemData",
    "list_problems",
    "load_apartments",
    "load_apples",
    "load_bakery",
    "load_bank_predictions",
    "load_concrete",
    "load_concrete_predictions",
    "load_phones",
    "load_power_plant",
    "load_power_plant_predictions",
    "load_problem",
    "load_screening",
    "load_thyroid_predictions",
    "load_wine",
    "load_wine_predictions",
]
