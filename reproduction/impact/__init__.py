"""Redo the paper on impact curves (binarised regression with instance-varying costs)."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
from sklearn.metrics import roc_curve
from threadpoolctl import threadpool_limits

import roctopus as rt
from reproduction.impact.cholesterol import cholesterol, patient_figure
from reproduction.impact.common import draw_threshold, extremes
from reproduction.impact.data import film_predictions, rocks
from reproduction.impact.films import films_section
from reproduction.impact.mining import mining
from reproduction.options import Options, load
from reproduction.records import Page
from roctopus import impact as arm
from roctopus import regression

SEED = 2
GRADES = (0.1, 0.45, 0.6, 1.2)
"""Four rocks: all 24 ways to rank them are compared."""
TASKS = (
    ("classification", "probability arm: roc_curve, decision_curve"),
    ("classification with instance-varying costs", "impact arm: rociv_curve, matrix_utility"),
    ("regression", "regression arm: rec_curve, rroc_curve"),
    ("regression with instance-varying costs", "regression arm with sample_weight"),
    ("ordinal regression", "ordinal arm: volume under the ROC surface, expected cost"),
    ("binarised regression", "cutoff arm: cutoff_error_curve"),
    ("binarised regression with instance-varying costs", "impact arm: impact_curve"),
)


def ranked_curves(values=GRADES):
    """Return the impact curves of all ways to rank a few rocks."""
    utility = arm.value_times_price(values)
    return [rt.impact_curve(order, utility) for order in permutations(range(len(values)))]


def dominates(curve, other):
    """Whether a curve is nowhere lower, and higher somewhere."""
    low, high = extremes(curve, other)
    return low >= -1e-12 and high > 1e-12


def introduction(page, patients, grade, readings):
    """Check what section 1 assumes and says, and draw Figures 1 and 2."""
    page.section("1 Introduction: assumptions")
    utility, score = arm.value_times_price(grade), readings["Sensor R1"]
    curve = rt.impact_curve(score, utility)
    bent = [rt.impact_curve(f(score), utility) for f in (np.sqrt, np.log1p, lambda x: 7 * x - 90)]
    worst = max(np.abs(extremes(curve, other)).max() for other in bent)
    page.claim(
        "Predictions need not have the unit of the target",
        worst < 1e-9,
        f"three increasing transformations of the readings move the curve by {worst:.1g} at most",
    )
    cut = float(np.median(score))
    above, at_least = (float(np.sum(utility.at(2.0)[rule])) for rule in (score > cut, score >= cut))
    page.claim(
        "Accepting what is greater than the threshold (section 1) and what is at least the "
        "threshold (section 4) are one rule",
        above == at_least,
        f"at the reading {cut:g} of a rock, θ = 2: {above:.3f} and {at_least:.3f}; the best of all "
        "thresholds is the same under both",
        erratum=54,
    )
    average_claims(page)
    missed = arm.value_times_price([0.51, 1.2]).at(2.0)
    page.claim(
        "Extreme cases matter more than those about the break-even point",
        missed[1] > missed[0] > 0,
        f"at a break-even grade of 0.5 %, losing a rock of 1.2 % costs {missed[1]:.2f}, one of "
        f"0.51 % {missed[0]:.2f}",
    )
    page.text(
        "The words are mixed up in places (erratum 55): the target is the dependent variable or "
        "regressand, the columns it is predicted from are the independent ones. Section 4.1 says "
        "(3) where it means the value function above (1)."
    )
    patient_figure(page, patients)
    page.figure(
        "Figure 2",
        draw_threshold(grade, score, 0.5, rt.impact_summary(score, utility, theta=2.0).threshold),
        "Made-up rocks with the paper's structure: the reading of a sensor rises with the grade; "
        "dotted the break-even grade 0.5 % (θ = 2), dashed the threshold that earns most there.",
    )


def average_claims(page):
    """Best on average, and yet dominated: by one model never, by several it may be."""
    curves = ranked_curves()
    distribution = rt.Uniform(0.8, 4.0)
    means = [curve.expect(distribution) for curve in curves]
    pairs = [(a, b) for a, b in permutations(range(24), 2) if dominates(curves[a], curves[b])]
    beaten = [(a, b) for a, b in pairs if means[b] > means[a] + 1e-12]
    page.claim(
        "A model may be best on average and yet be dominated by one other model",
        beaten,
        f"in all {len(pairs)} pairs of rankings of four rocks in which one dominates the other, "
        f"the dominated one was {len(beaten)} times better on average (θ even over 0.8 to 4)",
        erratum=53,
    )
    found = best_but_never_needed(np.random.default_rng(0), distribution)
    page.claim(
        "A model may be best on average and yet at every θ some other (not always the same) be "
        "as good or better",
        found,
        f"average impacts of three rankings: {found[0]:.3f} against {found[1]:.3f} and "
        f"{found[2]:.3f}; the first is nowhere best alone" if found else "not found",
    )  # fmt: skip


def best_but_never_needed(rng, distribution, tries=4000):
    """Search rankings of seven rocks for one that is best on average and nowhere best alone."""
    utility = arm.value_times_price([0.1, 0.25, 0.4, 0.5, 0.7, 0.9, 1.3])
    for _ in range(tries):
        noise = rng.normal(0.0, [[0.3], [0.3], [0.2]], (3, 7))
        first, second, third = (rt.impact_curve(utility.slope + e, utility) for e in noise)
        means = [curve.expect(distribution) for curve in (third, first, second)]
        if means[0] > max(means[1:]) + 0.01:
            best = rt.envelope({"first": first, "second": second, "third": third})
            if best.never_best == ("third",):
                return means
    return []


def related_work(page, grade, readings):
    """Table 1, and what section 2 says of other methods."""
    page.section("2 Related work: kinds of tasks and their methods")
    page.table(
        ["task of Table 1", "here"],
        [list(row) for row in TASKS],
        "Table 1 has no numbers; every task in it has a method in roctopus.",
    )
    score = readings["Sensor R2"] / 28.0
    moved = np.where(grade > 1.0, grade + 1.0, grade)
    errors = [rt.cutoff_error(g, score, cutoff=0.5) for g in (grade, moved)]
    earned = [
        arm.impact(g, score, utility=arm.value_times_price, theta=2.0) for g in (grade, moved)
    ]
    page.claim(
        "In binarised regression only wrong decisions count; with instance-varying costs the "
        "target's value does, too",
        errors[0] == errors[1] and earned[1] > earned[0],
        f"adding 1 % to the richest rocks leaves the error at 0.5 % at {errors[0]:.4f} and "
        f"{errors[1]:.4f} but moves the impact from {earned[0]:.2f} to {earned[1]:.2f}",
    )
    tolerances = np.linspace(0.0, 0.5, 101) + 1e-4 * np.pi  # off the errors themselves
    ways = [regression.rec_curve(grade, p).at(tolerances) for p in (score, 2.0 * grade - score)]
    page.claim(
        "REC curves weigh errors of both directions alike",
        np.allclose(*ways),
        f"turning every error around moves the curve by {np.abs(ways[0] - ways[1]).max():.1g}",
    )
    worth = arm.value_times_price(grade).at(2.0)
    weighted = roc_curve(worth > 0, score, sample_weight=np.abs(worth), drop_intermediate=False)
    ours = arm.rociv_curve(score, arm.value_times_price(grade), theta=2.0)
    gap = np.abs(np.array([ours.x[::-1], ours.y[::-1]]) - np.array(weighted[:2])).max()
    page.claim(
        "ROC with instance-varying costs is ROC with cases weighted by their cost or benefit",
        gap < 1e-9,
        f"rociv_curve against scikit-learn's roc_curve with weights |f|: {gap:.1g} apart",
    )
    precision_recall(page)


def precision_recall(page, positives=3, negatives=5):
    """Try all rankings: does dominating in precision and recall mean dominating for all costs."""
    n = positives + negatives
    precision, curves = [], []
    for places in combinations(range(n), positives):
        label = np.isin(np.arange(n), places).astype(int)
        precision.append(np.arange(1, positives + 1) / (np.array(places) + 1.0))
        curves.append(rt.impact_curve(-np.arange(n), arm.net_benefit_utility(label)))
    pairs = [
        (a, b) for a, b in permutations(range(len(curves)), 2)
        if (precision[a] >= precision[b]).all()
    ]  # fmt: skip
    failing = [(a, b) for a, b in pairs if extremes(curves[a], curves[b])[0] < -1e-12]
    page.claim(
        "A model that dominates in precision-recall space need not dominate for all utilities",
        failing,
        f"of all {len(curves)} rankings of {positives} positives and {negatives} negatives, one "
        f"dominates another in {len(pairs)} pairs, and in {len(failing)} of them it earns less at "
        "some ratio of costs",
        erratum=66,
    )


def definitions(page, grade, readings):
    """Section 3: impact, the curve, trivial decisions, dominance."""
    page.section("3 Impact curves: definitions")
    score, utility = readings["Sensor R2"], arm.value_times_price(grade)
    curve = rt.impact_curve(score, utility)
    thresholds = np.append(np.unique(score), np.inf)
    thetas = np.linspace(0.0, 6.0, 61)
    earned = (score >= thresholds[:, None]).astype(float) @ (grade[:, None] * thetas - 1.0)
    gap = np.abs(earned.max(axis=0) - curve.at(thetas)).max()
    page.claim(
        "Impact is the total value (1), and a curve takes the best threshold for each θ",
        gap < 1e-9,
        f"sums over all {len(thresholds)} thresholds at {len(thetas)} θ, by hand: {gap:.1g} apart",
    )
    function = curve.function
    slopes = np.append((np.diff(function.knots[:-1]) ** -1) * (function.end - function.start)[:-1],
                       function.tails[1])  # fmt: skip
    page.claim(
        "Curves consist of straight pieces (and, erratum 55 adds, are convex)",
        np.all(np.diff(slopes) > 0),
        f"{len(function)} pieces, with slopes that rise from {slopes[0]:.3f} to {slopes[-1]:.3f}, "
        "the grades of all rocks together",
    )
    lines = [rt.impact_curve(score, utility, threshold=t) for t in (-np.inf, np.inf)]
    everything, nothing = (line.at(thetas) for line in lines)
    page.claim(
        "The two trivial decisions, all and none, are straight lines",
        np.allclose(everything, grade.sum() * thetas - len(grade)) and not nothing.any(),
        f"accepting all: {grade.sum():.3f} θ − {len(grade)}; rejecting all: 0",
    )
    same_decisions(page, score, grade)
    page.claim(
        "What a case is worth is a linear function of θ",
        np.allclose(utility.at(4.0), 2.0 * utility.at(2.0)),
        f"f(i, 0) is {utility.at(0.0)[0]:g}, not 0: it is affine",
        erratum=55,
    )
    curves = ranked_curves()
    strict = [pair for pair in permutations(curves, 2) if extremes(*pair)[0] > 1e-12]
    weak = [pair for pair in permutations(curves, 2) if dominates(*pair)]
    page.claim(
        "A model can have the larger impact at every θ",
        strict,
        f"of {24 * 23} pairs of rankings of four rocks {len(strict)} do: all may accept all or "
        f"none; nowhere less and somewhere more: {len(weak)} pairs",
        erratum=54,
    )


def same_decisions(page, score, grade, theta=2.0):
    """Move a cost of rejecting to a reward for accepting."""
    accepting, rejecting = grade * theta - 1.0, -0.3 * grade
    thresholds = np.append(np.unique(score), np.inf)
    taken = score >= thresholds[:, None]
    both = taken @ accepting + ~taken @ rejecting
    utility = arm.LinearUtility(grade, -1.0) - arm.LinearUtility(0.0, rejecting)
    ours = rt.impact_summary(score, utility, theta=theta)
    page.claim(
        "Rewarding acceptance instead of charging rejection leads to the same decisions",
        thresholds[both == both.max()].max() == ours.threshold,
        f"best threshold {thresholds[both.argmax()]:g} with both, {ours.threshold:g} with the "
        f"difference; totals differ by the {both.max() - ours.impact:.3f} of rejecting all",
    )


def limits(page, patients, grade, readings):
    """Section 5: a threshold that was best on some data need not be on others."""
    page.section("5 Limitations")
    score = readings["Sensor R1"]
    parts = [(score[k::2], arm.value_times_price(grade[k::2])) for k in (0, 1)]
    tuned, best = (rt.impact_curve(*part, normalize=True) for part in parts)
    lost = best.minus(tuned.follow(*parts[1])).function
    at = float(lost.knots[np.argmax(lost.start)])
    page.claim(
        "The best threshold of the data at hand need not be the best one later",
        lost.start.max() > 1e-9,
        f"thresholds chosen on every other rock lose up to {lost.start.max():.4f} a rock on the "
        f"others (at θ = {at:.2f}, where the best earn {best.at(at):.4f})",
        basis="stand-in",
    )
    if not isinstance(patients, str):
        page.text(
            "The cholesterol example shows how much that matters: on rows trained on, the Gaussian "
            "process dominates; cross-validated it does not."
        )


def make(options: Options) -> Page:
    """Return the page of the paper."""
    page = Page(
        "impact",
        "Binarised Regression with Instance-Varying Costs: Evaluation using Impact Curves",
        "Matthew Dirks, David Poole",
    )
    patients, (grade, readings) = load(options, "cholesterol"), rocks(SEED)
    introduction(page, patients, grade, readings)
    related_work(page, grade, readings)
    definitions(page, grade, readings)
    mining(page, grade, readings, redraws=400 if options.full else 100)
    with threadpool_limits(1):  # matrices are small: threads would only wait for each other
        cholesterol(page, patients, shuffles=200 if options.full else 30)
        films_section(page, *film_predictions(SEED), redraws=50 if options.full else 10)
    limits(page, patients, grade, readings)
    return page
