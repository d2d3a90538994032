"""Parts of the ROC curve and the precision-recall curve: theorems, and scikit-learn's numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.metrics import precision_recall_curve as their_curve

import roctopus as rt
from strategies import probability_cases

rates = st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.77, 1.0])
ranges = st.tuples(rates, rates).filter(lambda pair: pair[0] < pair[1])
sides = st.sampled_from(["false_positive_rate", "true_positive_rate"])


def given_weight(case):
    return {"sample_weight": case.sample_weight}


def drawn(seed, size=300, digits=1):
    rng = np.random.default_rng(seed)
    y = (rng.random(size) < 0.3).astype(int)
    return y, np.round(y + rng.normal(size=size), digits), rng.uniform(0.1, 2.0, size)


@given(case=probability_cases(), side=sides)
def test_the_whole_range_is_the_area(case, side):
    part = rt.partial_auc(*case[:2], **{side: (0, 1)}, **given_weight(case))
    assert part == pytest.approx(rt.roc_auc(*case[:2], **given_weight(case)), abs=1e-12)


@given(case=probability_cases(), side=sides, between=ranges, cut=st.floats(0.01, 0.99))
def test_neighbouring_ranges_add_up(case, side, between, cut):
    low, high = between
    middle = low + cut * (high - low)
    parts = [
        rt.partial_auc(*case[:2], **{side: each}, **given_weight(case))
        for each in ((low, middle), (middle, high), between)
    ]
    assert parts[0] + parts[1] == pytest.approx(parts[2], abs=1e-12)


@given(case=probability_cases(), between=ranges)
def test_sides_are_mirrored_by_swapping_the_classes(case, between):
    low, high = between
    right = rt.partial_auc(*case[:2], true_positive_rate=between, **given_weight(case))
    other = rt.partial_auc(
        1 - case.y_true, -case.y_pred, false_positive_rate=(1 - high, 1 - low), **given_weight(case)
    )
    whole = rt.partial_auc(1 - case.y_true, -case.y_pred, true_positive_rate=(low, high),
                           **given_weight(case))  # fmt: skip
    mirrored = rt.partial_auc(
        *case[:2], false_positive_rate=(1 - high, 1 - low), **given_weight(case)
    )
    # 1 − FPR of the one is the TPR of the other, and the other way round.
    assert whole == pytest.approx(mirrored, abs=1e-12)
    assert right == pytest.approx(other, abs=1e-12)


@given(case=probability_cases(), side=sides, between=ranges)
def test_standardized_is_one_at_best_and_half_by_chance(case, side, between):
    given = {side: between, "standardize": True, **given_weight(case)}
    best = rt.partial_auc(case.y_true, case.y_true, **given)
    assert best == pytest.approx(1.0)
    assert rt.partial_auc(case.y_true, np.zeros(len(case.y_true)), **given) == pytest.approx(0.5)
    assert rt.partial_auc(*case[:2], **given) <= 1.0 + 1e-12


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("most", [0.05, 0.2, 0.5])
def test_scikit_learn_agrees(seed, most):
    y, score, weight = drawn(seed)
    for weighing in ({}, {"sample_weight": weight}):
        ours = rt.partial_auc(y, score, false_positive_rate=(0, most), standardize=True, **weighing)
        assert ours == pytest.approx(roc_auc_score(y, score, max_fpr=most, **weighing), rel=1e-12)
        given = {"true_positive_rate": (1 - most, 1), "standardize": True, **weighing}
        theirs = roc_auc_score(1 - y, -score, max_fpr=most, **weighing)  # classes exchanged
        assert rt.partial_auc(y, score, **given) == pytest.approx(theirs, rel=1e-12)
        ours, theirs = (
            f(y, score, **weighing) for f in (rt.average_precision, average_precision_score)
        )
        assert ours == pytest.approx(theirs, rel=1e-12)
        curve = rt.precision_recall_curve(y, score, **weighing)
        precision, recall, threshold = their_curve(y, score, **weighing)
        np.testing.assert_allclose(curve.precision, precision, rtol=1e-12)
        np.testing.assert_allclose(curve.recall, recall, rtol=1e-12, atol=1e-15)
        np.testing.assert_array_equal(curve.threshold[:-1], threshold)


@given(case=probability_cases())
def test_average_precision_is_the_area_and_at_least_what_any_ranking_has(case):
    given = given_weight(case)
    value = rt.average_precision(*case[:2], **given)
    curve = rt.precision_recall_curve(*case[:2], **given)
    assert curve.area == pytest.approx(value, abs=1e-12)
    share = np.average(case.y_true, weights=case.sample_weight)
    assert curve.prevalence == pytest.approx(share)
    assert rt.average_precision(case.y_true, case.y_true, **given) == pytest.approx(1.0)
    assert rt.average_precision(case.y_true, 0 * case.y_pred, **given) == pytest.approx(share)
    worst = rt.average_precision(case.y_true, -case.y_true, **given)
    assert worst == pytest.approx(share)
    assert value <= 1.0 + 1e-12


def test_a_perfect_average_precision_is_as_sure_as_its_positives_are_many():
    y = np.arange(400) < 5
    for metric in (rt.average_precision, rt.roc_auc):
        with pytest.warns(rt.RoctopusWarning, match="as for a share of 100 % among 5 cases"):
            low, high = rt.estimate(metric, y, y.astype(float)).confidence_interval()
        assert (low, high) == pytest.approx((0.05 ** (1 / 5), 1.0))


def test_the_curve_is_a_table_of_the_users_kind():
    pd = pytest.importorskip("pandas")
    y, score, _ = drawn(0)
    frame = rt.precision_recall_curve(pd.Series(y), pd.Series(score)).frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["recall", "precision", "threshold"]


WFNS = np.array([[37, 20, 3, 8, 4], [2, 12, 1, 8, 18]])
"""How many patients had a good and a poor outcome at each grade: wfns in the data aSAH of pROC."""

PROC_AREAS = [
    ("false_positive_rate", (0.0, 0.1), 0.0334417344173442, 0.649693339038653),
    ("false_positive_rate", (0.1, 0.2), 0.0598373983739837, 0.763749402199904),
    ("false_positive_rate", (0.5, 1.0), 0.488134475939354, 0.952537903757416),
    ("true_positive_rate", (0.9, 1.0), 0.0400999322493225, 0.68473648552275),
    ("true_positive_rate", (0.8, 0.9), 0.0609953703703703, 0.770561002178649),
    ("true_positive_rate", (0.0, 0.5), 0.483358739837398, 0.933434959349593),
]
"""What pROC's own tests expect: auc(r.wfns, partial.auc=, partial.auc.focus=), and corrected."""


@pytest.mark.parametrize(("side", "between", "area", "corrected"), PROC_AREAS)
def test_proc_agrees(side, between, area, corrected):
    y, grade = (np.repeat(np.indices(WFNS.shape)[axis], WFNS.ravel()) for axis in (0, 1))
    assert rt.partial_auc(y, grade, **{side: between}) == pytest.approx(area, rel=1e-12)
    ours = rt.partial_auc(y, grade, **{side: between}, standardize=True)
    assert ours == pytest.approx(corrected, rel=1e-12)


@given(
    case=probability_cases(),
    side=sides,
    between=ranges,
    standardize=st.booleans(),
    best=st.booleans(),
)
def test_perfect_and_worst_rankings_have_one_sided_intervals(
    case, side, between, standardize, best
):
    """Rounding must not make them certain: cases that agree do not show the true value."""
    y = np.concatenate([case.y_true, [0, 0, 1, 1]])
    weight = None if case.sample_weight is None else np.append(case.sample_weight, np.ones(4))
    score = y if best else -y
    found = rt.estimate(
        rt.partial_auc, y, score, sample_weight=weight, standardize=standardize, **{side: between}
    )
    with pytest.warns(rt.RoctopusWarning, match="The interval is one-sided"):
        low, high = found.confidence_interval()
    width = between[1] - between[0]
    span = width / (2 * (width - chance(side, *between))) if standardize else width
    top = 1.0 if standardize else width
    assert found.value == pytest.approx(top if best else top - span, abs=1e-12)
    assert (high if best else low) == pytest.approx(found.value, abs=1e-12)
    # As for a share of so many cases: those of the smaller class, or fewer inside the range.
    weight = np.ones(len(y)) if weight is None else weight
    of_class = [weight[(y == kind) & (weight > 0)] for kind in (0, 1)]
    inside = of_class[side == "true_positive_rate"]
    units = min(*map(len, of_class), max(width * inside.sum() ** 2 / np.sum(inside**2), 1))
    assert high - low == pytest.approx(span * (1 - 0.05 ** (1 / units)))


def chance(side, low, high):
    """The area of a random ranking."""
    middle = (low + high) / 2
    return (high - low) * (middle if side == "false_positive_rate" else 1 - middle)


@pytest.mark.parametrize("method", [None, "logit", "studentized"])
@pytest.mark.parametrize(
    "given", [{"false_positive_rate": (0.3, 0.9)}, {"true_positive_rate": (0.1, 0.4)}]
)
def test_intervals_of_standardized_areas_are_those_of_areas(given, method):
    """They are the same number in another unit, even where it is below 0 for a bad model."""
    y, score, weight = drawn(5)
    ((side, (low, high)),) = given.items()
    for ranking in (score, -score):
        area, other = (
            rt.estimate(
                rt.partial_auc, y, ranking, sample_weight=weight, standardize=standardize, **given
            )
            for standardize in (False, True)
        )
        by_chance = chance(side, low, high)
        for end, found in zip(
            area.confidence_interval(method=method),
            other.confidence_interval(method=method),
            strict=True,
        ):
            expected = 0.5 * (1 + (end - by_chance) / (high - low - by_chance))
            assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "The range of the partial area is missing"),
        (
            {"false_positive_rate": (0, 0.2), "true_positive_rate": (0, 1)},
            "'true_positive_rate' cannot be combined",
        ),
        ({"false_positive_rate": 0.2}, "'false_positive_rate' must be two numbers"),
        (
            {"true_positive_rate": (0.9, 0.2)},
            "'true_positive_rate' must go from a lower to a higher rate",
        ),
        (
            {"false_positive_rate": (0, 1.2)},
            "Both rates in 'false_positive_rate' must be between 0 and 1",
        ),
    ],
)
def test_ranges_that_are_none(given, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        rt.partial_auc([0, 1], [0.2, 0.7], **given)
