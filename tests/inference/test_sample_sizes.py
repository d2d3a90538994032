"""How many cases: textbook numbers, every metric, pilots with tails and clusters, bad input."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import roctopus as rt
from contract.test_metrics import CONTEXTS
from roctopus.core.errors import collected_warnings
from roctopus.inference import Assumed, sample_size


def normal_pilot(**dependence):
    """Estimate a mean absolute error: nothing special."""
    errors = np.random.default_rng(0).normal(size=200)
    call = ("asymmetric_absolute_error", np.zeros(200), errors)
    return rt.estimate(*call, asymmetry=0.5, **dependence)


def fewest(enough):
    """Return the first number of cases, from 2 on, that is enough."""
    return next(n for n in itertools.count(2) if enough(n))


@pytest.mark.parametrize("half_width", [0.05, 0.2, 0.7])
@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("assurance", [0.5, 0.8, 0.99])
def test_short_intervals_of_normal_means(half_width, level, assurance):
    found = sample_size(
        Assumed.mean(1.0), half_width=half_width, confidence_level=level, assurance=assurance
    )

    def reach(n):
        return stats.t.ppf(0.5 + level / 2, n - 1) / math.sqrt(n)

    def chance(n):  # Kupper and Hafner (1989)
        return stats.chi2.cdf((n - 1) * (half_width / reach(n)) ** 2, n - 1)

    assert found.cases_as_assumed == fewest(lambda n: reach(n) <= half_width)
    expected = fewest(lambda n: reach(n) <= half_width and chance(n) >= assurance)
    assert found.cases == expected


@pytest.mark.parametrize(("power", "cases"), [(0.8, 34), (0.9, 44)])
def test_textbook_power_of_a_paired_difference(power, cases):
    found = sample_size(Assumed.mean(2.0), gain=1.0, power=power)
    assert (found.cases, found.cases_as_assumed, found.assurance) == (cases, cases, None)


@pytest.mark.filterwarnings("ignore:divide by zero encountered in _nct_sf")  # of an older scipy
@pytest.mark.parametrize("gain", [0.1, 0.6, 2.0])
def test_power_of_normal_means(gain):
    def power(n):
        return stats.nct.sf(stats.t.ppf(0.975, n - 1), n - 1, gain * math.sqrt(n))

    assert sample_size(Assumed.mean(1.0), gain=gain).cases == fewest(lambda n: power(n) >= 0.8)


def test_a_pilot_pays_for_its_own_uncertainty():
    rng = np.random.default_rng(5)
    errors = rng.normal(size=40)
    pilot = rt.Estimate(0.0, errors - errors.mean())
    light = np.mean(pilot.influence**4) / np.mean(pilot.influence**2) ** 2 * 41 / 39
    assert light < 3.0  # no excess, so the tail is not made heavier
    s, freedom = np.std(errors, ddof=1), 2 * 39 / (light - 1)

    def reach(n):
        spread = stats.f.ppf(0.8, 2 * (n - 1) / (light - 1), freedom)
        return stats.t.ppf(0.975, n - 1) * s * math.sqrt(spread / n)

    with pytest.warns(rt.RoctopusWarning, match="has 40 cases, too few"):
        found = sample_size(pilot, half_width=0.15)
    assert found.cases == fewest(lambda n: reach(n) <= 0.15)
    assert found.cases_as_assumed < found.cases


@pytest.mark.parametrize("area", [0.6, 0.75, 0.95])
@pytest.mark.parametrize("prevalence", [0.1, 0.5])
def test_hanley_and_mcneil(area, prevalence):
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    variance = (first - area**2) / (1 - prevalence) + (second - area**2) / prevalence
    assumed = Assumed.auc(area, prevalence=prevalence)
    assert assumed.deviation**2 == pytest.approx(variance, rel=1e-3)

    def draw(n, rng):  # exponential scores, whose ratio of rates is the odds of the area
        y = (np.arange(n) < prevalence * n).astype(float)
        return y, rng.exponential(np.where(y == 1.0, area / (1 - area), 1.0))

    simulated = Assumed.simulated("roc_auc", draw, cases=400_000)
    assert simulated.value == pytest.approx(area, abs=0.01)
    assert simulated.deviation == pytest.approx(assumed.deviation, rel=0.02)
    assert simulated.kurtosis == pytest.approx(assumed.kurtosis, rel=0.1)


def test_a_rate_and_its_simulation():
    def draw(n, rng):
        return (np.arange(n) < 0.3 * n).astype(float), rng.random(n)

    simulated = Assumed.simulated("true_positive_rate", draw, threshold=0.2)
    assumed = Assumed.rate(0.8, share=0.3)
    assert simulated.deviation == pytest.approx(assumed.deviation, rel=0.01)
    assert simulated.kurtosis == pytest.approx(assumed.kurtosis, rel=0.03)
    assert (simulated.scale, simulated.freedom_per_unit) == (assumed.scale, None)


def draw_for(arm):
    """Return a function that draws truths and predictions for the metrics of an arm."""

    def draw(n, rng):
        noise = rng.normal(size=n)
        if arm == "ordinal":
            y = rng.integers(0, 3, n).astype(float)
        elif arm == "probability":
            y = rng.integers(0, 2, n).astype(float)
            return y, 1.0 / (1.0 + np.exp(0.5 - y - noise))
        else:
            y = rng.normal(size=n)
        return y, y + 0.3 + noise

    return draw


@pytest.mark.parametrize("metric", rt.registered_metrics(), ids=lambda each: each.name)
def test_every_metric_before_any_data(metric):
    draw, context = draw_for(metric.arm), dict(CONTEXTS[metric.name][0])
    if metric.name == "calibration_error":  # its interval does not shrink like those of means
        with pytest.raises(rt.InputError, match=r"no formula for the sample size"):
            Assumed.simulated(metric.name, draw, **context)
        return
    if metric.name in (
        "rroc_area_over_curve",
        "impact",
        "expected_impact",
    ):  # totals unless told otherwise
        context["normalize"] = True
    assumed = Assumed.simulated(metric.name, draw, cases=20_000, **context)
    half_width = 2.0 * assumed.deviation / math.sqrt(1500)
    found = sample_size(assumed, half_width=half_width)
    assert 1400 < found.cases < 4000

    def reach(seed):
        sample = draw(found.cases, np.random.default_rng(seed))
        new = rt.estimate(metric.name, *sample, **context)
        low, high = new.confidence_interval(method=new.scale)
        return max(new.value - low, high - new.value)

    assert np.median([reach(seed) for seed in range(9)]) <= 1.02 * half_width
    again = sample_size(assumed, gain=half_width)
    assert again.cases > 1000


def test_parts_of_an_area_are_planned_in_their_own_unit():
    """A standardised area is the same number in another unit: 0.2 and 0.18 are 1 and 8/9."""
    y, score = draw_for("probability")(300, np.random.default_rng(5))
    given = {"false_positive_rate": (0.0, 0.2)}
    area, standardized = (
        rt.estimate("partial_auc", y, score, standardize=each, **given) for each in (False, True)
    )
    unit = 2 * 0.18
    assert area.standard_error == pytest.approx(unit * standardized.standard_error)
    with collected_warnings():
        for goal, much in (("half_width", 0.02), ("gain", 0.03)):
            found = sample_size(area, **{goal: much})
            assert found.cases == sample_size(standardized, **{goal: much / unit}).cases
        with pytest.raises(rt.InputError, match="'gain' must be less than"):
            sample_size(area, gain=0.2)
        found = sample_size(area, half_width=0.02)
    reach = []
    for seed in range(15):
        y, score = draw_for("probability")(found.cases_as_assumed, np.random.default_rng(seed))
        new = rt.estimate("partial_auc", y, score, **given)
        low, high = new.confidence_interval(method="logit")
        reach.append(max(new.value - low, high - new.value))
    assert 0.015 < np.median(reach) < 0.025


def squared_error(y_true, y_pred, sample_weight=None):
    return np.average((y_true - y_pred) ** 2, weights=sample_weight)


@pytest.mark.parametrize("clustered", [False, True])
def test_functions_of_your_own_are_planned_as_metrics_are(clustered):
    """Their groups of cases, drawn to save time, are no clusters that anybody could collect."""
    y, p = draw_for("probability")(2400, np.random.default_rng(6))
    given = {"clusters": np.arange(2400) // 2} if clustered else {}
    with collected_warnings():
        own, metric = (
            sample_size(rt.estimate(each, y, p, **given), half_width=0.01, assurance=0.5)
            for each in (squared_error, "brier_score")
        )
    assert own.basis == metric.basis
    assert own.clusters is None or clustered
    assert own.cases == pytest.approx(metric.cases, rel=0.1)
    assert (own.clusters is None) == (metric.clusters is None)


def test_functions_of_your_own_before_any_data():
    def mean_error(y_true, y_pred):  # takes no weights
        return np.mean((y_true - y_pred) ** 2)

    draw = draw_for("probability")
    metric = Assumed.simulated("brier_score", draw, cases=10_000)
    for function in (squared_error, mean_error):
        own = Assumed.simulated(function, draw, cases=10_000)
        assert own.basis == f"{function.__name__} of 10,000 simulated cases"
        assert own.deviation == pytest.approx(metric.deviation, rel=0.15)
        assert own.cases_per_unit is None

    def total(y_true, y_pred, sample_weight):
        return np.sum(sample_weight * (y_true - y_pred) ** 2)

    with pytest.raises(rt.InputError, match="returns a total"):
        Assumed.simulated(total, draw, cases=10_000)


def test_two_models_before_any_data():
    def draw(n, rng):
        y, a, b = rng.normal(size=(3, n))
        return y, y + a, y + a + 0.1 * b

    whole = Assumed.simulated("asymmetric_absolute_error", lambda n, r: draw(n, r)[:2], asymmetry=1)
    paired = Assumed.simulated("asymmetric_absolute_error", draw, asymmetry=1)
    assert paired.deviation < 0.3 * whole.deviation  # what they share cancels
    assert paired.basis == "the difference in asymmetric_absolute_error of 100,000 simulated cases"


def test_clusters_are_counted():
    rng = np.random.default_rng(1)
    group = np.repeat(np.arange(60), 5)
    costs = rng.normal(size=60)[group] + rng.normal(size=300)
    clustered = rt.estimate(
        "asymmetric_absolute_error", np.zeros(300), costs, asymmetry=0.5, clusters=group
    )
    found = sample_size(clustered, half_width=0.1)
    assert found.cases == 5 * found.clusters
    assert "clusters (about" in found.sentence
    assert found.basis == "a pilot of 60 clusters (300 cases)"
    assert found.clusters > 20
    alone, members = normal_pilot(), normal_pilot(clusters=np.arange(200))
    sizes = [sample_size(each, half_width=0.1) for each in (alone, members)]
    assert sizes[0] == sizes[1]  # clusters of one case
    assert sizes[0].clusters is None


def test_assumed_clusters_have_the_design_effect():
    apart = sample_size(Assumed.mean(1.0), half_width=0.01)
    alike = sample_size(Assumed.mean(1.0).in_clusters(10, correlation=0.2), half_width=0.01)
    assert alike.cases == pytest.approx(2.8 * apart.cases, rel=0.02)
    assert alike.cases == 10 * alike.clusters


def test_neighbours_in_time_count_less():
    rng = np.random.default_rng(2)
    errors = np.convolve(rng.normal(size=420), np.ones(20) / 4, "valid")[:400]
    call = ("asymmetric_squared_error", np.zeros(400), errors)
    apart, slow = (rt.estimate(*call, asymmetry=0.5, time=time) for time in (None, True))
    with collected_warnings():
        sizes = [sample_size(each, half_width=0.3).cases for each in (apart, slow)]
    assert sizes[1] > 2 * sizes[0]


def test_values_that_repeat_have_no_tail_beyond_them():
    y = np.repeat([0.0, 1.0], [180, 20])
    rare = rt.estimate("cutoff_error", y, np.zeros(200), cutoff=0.5)
    longer = rt.Estimate(rare.value, rare.influence + np.linspace(0.0, 1e-3, 200))
    assert sample_size(rare, half_width=0.02).cases < sample_size(longer, half_width=0.02).cases


def test_heavy_tails_warn_and_the_record_holds_it():
    costs = np.random.default_rng(3).lognormal(0.0, 2.0, 100)
    pilot = rt.Estimate(costs.mean(), costs - costs.mean())
    with pytest.warns(rt.RoctopusWarning, match="A few cases carry most of the pilot's variance"):
        found = sample_size(pilot, half_width=1.0)
    assert found.warnings == found.sheet().notes
    assert "a larger pilot is safer" in found.to_markdown()


@pytest.mark.parametrize("unit", [1e-200, 1e-3, 1e200])
def test_the_unit_does_not_matter(unit):
    for basis in (Assumed.mean(3.0 * unit), normal_pilot().scaled(unit)):
        same = Assumed.mean(3.0) if isinstance(basis, Assumed) else normal_pilot()
        for goal in ("half_width", "gain"):
            found = sample_size(basis, **{goal: 0.1 * unit}).cases
            assert found == sample_size(same, **{goal: 0.1}).cases


def test_condensed_estimates_plan_too():
    pilot = rt.Estimate(1.0, np.array([1.0, -1.0]), condensed=(1000, 1000.0))
    assert sample_size(pilot, half_width=0.1).basis == "a pilot of 1,000 cases"


def test_the_record():
    found = sample_size(Assumed.mean(40.0), half_width=5.0)
    assert found.sentence == str(found)
    assert found.sentence == (
        "Collect 267 cases for a 95 % interval of at most 5 to each side. With a probability "
        "of 80 % (the assurance), these are enough. This is based on an assumed standard "
        "deviation of 40. Without assurance, 249 cases would be enough."
    )
    assert repr(found).splitlines() == [
        "SampleSize, 267 cases",
        "  for a 95 % interval of at most 5 to each side",
        "  from an assumed standard deviation of 40",
    ]
    assert "<td>267</td>" in found._repr_html_()
    shown = sample_size(Assumed.mean(40.0), gain=10.0, power=0.9)
    assert "that shows a gain of 10 with 90 % power. This is based on" in shown.sentence


BASES = st.sampled_from(
    [
        Assumed.mean(1.0),
        Assumed.mean(3.0, kurtosis=9.0),
        Assumed.rate(0.9, share=0.2),
        Assumed.auc(0.7, prevalence=0.4),
        Assumed.mean(1.0).in_clusters(4, correlation=0.5),
        normal_pilot(),
        normal_pilot() - rt.Estimate(0.3, normal_pilot().influence[::-1].copy()),
    ]
)
SHARES = st.floats(0.5, 0.99)
WIDTHS = st.floats(0.01, 0.09)


@given(BASES, WIDTHS, WIDTHS, SHARES, SHARES, SHARES, SHARES)
def test_harder_goals_need_no_fewer_cases(basis, width, other, level, higher, sure, surer):
    wide, narrow = max(width, other), min(width, other)
    low, high = {"confidence_level": min(level, higher)}, {"confidence_level": max(level, higher)}
    some, more = {"assurance": min(sure, surer)}, {"assurance": max(sure, surer)}
    for goal in ("half_width", "gain"):
        easy = sample_size(basis, **{goal: wide}, **low, **some).cases
        assert easy <= sample_size(basis, **{goal: narrow}, **low, **some).cases
        assert easy <= sample_size(basis, **{goal: wide}, **high, **some).cases
        assert easy <= sample_size(basis, **{goal: wide}, **low, **more).cases
    weak, strong = (sample_size(basis, gain=wide, power=p).cases for p in sorted((level, higher)))
    assert weak <= strong


@given(st.floats(0.1, 10.0), st.floats(0.1, 10.0), st.floats(1.0, 20.0), st.floats(1.0, 20.0))
def test_more_spread_needs_no_fewer_cases(one, other, tail, longer):
    small, large = sorted((one, other))
    light, heavy = sorted((tail, longer))
    sizes = [
        sample_size(Assumed.mean(deviation, kurtosis=kurtosis), half_width=0.05).cases
        for deviation, kurtosis in ((small, light), (large, light), (large, heavy))
    ]
    assert sizes == sorted(sizes)


def draw_two(n, rng):
    return rng.normal(size=n), rng.normal(size=n)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: sample_size(0.3, gain=1.0), "'basis' must be an Estimate, as returned"),
        (
            lambda: sample_size(normal_pilot()),
            "The goal is missing. Use 'half_width'",
        ),
        (
            lambda: sample_size(normal_pilot(), gain=1, half_width=1),
            "'half_width' and 'gain' cannot be combined",
        ),
        (lambda: sample_size(normal_pilot(), half_width=0.0), "'half_width' must be positive"),
        (lambda: sample_size(normal_pilot(), half_width=-1.0), "'half_width' must be positive"),
        (lambda: sample_size(normal_pilot(), half_width="1"), "must be a number, but is the text"),
        (lambda: sample_size(normal_pilot(), gain=0.0), "'gain' must be positive"),
        (
            lambda: sample_size(normal_pilot(), gain=1.0, power=1.0),
            "'power' must be greater than 0",
        ),
        (
            lambda: sample_size(normal_pilot(), gain=1.0, assurance=1.0),
            "'assurance' must be greater than 0",
        ),
        (lambda: sample_size(normal_pilot(), gain=1.0, assurance=0.4), "must be at least 0.5"),
        (lambda: sample_size(normal_pilot(), gain=1e-12), "more than 10.15 cases"),
        (
            lambda: sample_size(rt.Estimate(1.0, np.zeros(9)), gain=1.0),
            "All cases of the pilot give the same value",
        ),
        (
            lambda: sample_size(rt.Estimate(math.inf, np.ones(9)), gain=1.0),
            "value or standard error is infinite",
        ),
        (
            lambda: sample_size(Assumed.rate(0.5), gain=0.6),
            "'gain' must be less than",
        ),
        (lambda: Assumed.mean(-1.0), "'deviation' must be positive"),
        (lambda: Assumed.mean(1.0, kurtosis=0.5), "'kurtosis' must be at least 1"),
        (lambda: Assumed.mean(1.0, kurtosis="9"), "'kurtosis' must be a number, but is the text"),
        (lambda: Assumed.rate(1.0), "'value' must be greater than 0 and less than 1"),
        (lambda: Assumed.rate(0.5, share=1.5), "'share' must be at most 1"),
        (
            lambda: Assumed.auc(0.8, prevalence=0.0),
            "'prevalence' must be greater than 0 and less than 1",
        ),
        (lambda: Assumed.simulated("roc_auc", 3), "'draw' must be a function of n "),
        (lambda: Assumed.simulated("roc_auc", lambda n, r: r), "must return a tuple of two or"),
        (lambda: Assumed.simulated("none", draw_two), "There is no metric 'none'"),
        (lambda: Assumed.simulated("over_estimation", draw_two), "returns a total.*normalize=True"),
        (lambda: Assumed.simulated("brier_score", draw_two, cases=3), "'cases' must be a whole"),
        (lambda: Assumed.mean(1.0).in_clusters(0.5, correlation=0.1), "'size' must be at least 1"),
        (lambda: Assumed.mean(1.0).in_clusters(5, correlation=1.1), "'correlation' must be"),
        (
            lambda: Assumed.mean(1.0).in_clusters(5, correlation=0.1).in_clusters(2, correlation=0),
            "already include clusters",
        ),
    ],
)
def test_bad_input_gets_a_sentence(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()
