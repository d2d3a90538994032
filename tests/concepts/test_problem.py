"""What a problem must say of itself where the defaults would be wrong."""

import numpy as np
import pytest

import roctopus as rt
from roctopus.concepts.problem import Problem
from roctopus.cutoff.problem import CutoffDecisions


class Silent(CutoffDecisions):
    """Outcomes that are no lines over the context, with nothing said about distributions."""

    expected = Problem.expected
    tune_expected = Problem.tune_expected
    untuned_expected = Problem.untuned_expected


@pytest.mark.parametrize("method", ["expected", "tune_expected", "untuned_expected"])
def test_the_mean_context_stands_for_a_distribution_only_where_outcomes_are_lines(method):
    problem, prediction = Silent(np.arange(5.0)), np.arange(5.0) + 0.5
    given = (np.empty(0),) if method == "expected" else ()
    with pytest.raises(NotImplementedError, match=f"must define '{method}'"):
        getattr(problem, method)(prediction, *given, rt.Uniform(0.0, 4.0))
