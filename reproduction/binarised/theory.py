"""Sections 1 to 5 of "Binarised regression tasks": Example 2, its areas, the trivial models."""

from __future__ import annotations

import numpy as np

import roctopus as rt
from roctopus import cutoff as arm
from roctopus.display import CutoffDecompositionDisplay, CutoffErrorDisplay

__all__ = ["example", "trivial_models"]

CONSTANTS = ("maximum", "minimum", "mean", "median", "worst")
Y = np.array([3.0, 5, 6, 8, 11, 12])
P = np.array([9.0, 4, 7, 10, 16, 13])


def example(page):
    """Redo Example 2: one small model, its two curves and their areas."""
    page.section("Example 2: six cases, two curves")
    for case, (error, printed) in enumerate(zip(np.abs(P - Y), "611251", strict=True), 1):
        page.value(f"absolute error of case {case}", error, printed)
    mae = rt.uniform_cutoff_area(Y, P)
    low, high = arm.cutoff_range(Y, {"m": P})
    page.value("sum of absolute errors", len(Y) * mae, "16")
    page.value("mean absolute error", np.mean(np.abs(P - Y)), "2.66")
    page.value("area under the UCE curve (Theorem 1)", mae, "2.66")
    page.value("lowest cutoff that matters", low, "3")
    page.value("highest cutoff that matters", high, "16")
    flat = rt.Uniform(low, high)
    page.value(
        "expected error, cutoffs uniform (L_u)",
        rt.expected_cutoff_error(Y, P, distribution=flat),
        "0.208333",
        erratum=37,
        right=8 / 39,
    )
    errors = rt.cutoff_error_curve(Y, P).at(Y)
    for k, count in enumerate((0, 2, 1, 1, 0, 1)):
        wrong = {} if count == 0 else {"erratum": 38, "right": count / 6}
        page.value(f"error at the cutoff y_{k + 1}", errors[k], f"{count / 12:.6f}", **wrong)
    page.value(
        "expected error, cutoffs as the output (L_o)",
        rt.output_cutoff_area(Y, P),
        "0.4166666",
        erratum=38,
        right=5 / 36,
    )
    ratios = arm.interposition_ratio(Y, P)
    page.claim(
        "Theorem 4: the mean share of truths between prediction and truth is A_OCE",
        np.isclose(ratios.mean(), rt.output_cutoff_area(Y, P)),
        f"shares {np.round(ratios, 4).tolist()}, mean {ratios.mean():.6f}",
    )
    by_rank = rt.cutoff_error_curve(Y, P).over_true_rank().area()
    page.claim(
        "Theorem 3: the area under the OCE curve is L_o",
        np.isclose(by_rank, errors.mean()),
        f"area {by_rank:.6f}, mean of the errors at the truths {errors.mean():.6f}",
    )
    clipped = rt.clipped_mean_absolute_error(Y, P, low=4, high=10)
    inside = rt.expected_cutoff_error(Y, P, distribution=rt.Uniform(4, 10))
    page.claim(
        "Theorem 2: the clipped mean absolute error is the expected error in a region",
        np.isclose(clipped, inside),
        f"from 4 to 10: area {clipped:g}, expected error {inside:g} = area / (b − a)",
        erratum=45,
    )
    page.figure(
        "Figure 4",
        CutoffDecompositionDisplay(Y, P).plot(),
        "16 rectangles of 1 × 1/6 under the curve (left) are the six absolute errors (right).",
    )
    page.figure(
        "Figure 5",
        CutoffDecompositionDisplay(Y, P).plot(by_rank=True),
        "The same over the true rank: six equal steps, and each case's share of truths between.",
    )
    asymmetric(page)


def asymmetric(page):
    """Erratum 50: with unequal costs the area is the lin-lin loss of the RROC paper."""
    alpha = 0.8
    area = rt.cutoff_error_curve(
        Y, P, false_positive_cost=2 * (1 - alpha), false_negative_cost=2 * alpha
    ).area()
    loss = np.mean(np.where(P < Y, 2 * alpha * (Y - P), 2 * (1 - alpha) * (P - Y)))
    page.claim(
        "Not in the papers: with costs 2(1 − α) and 2α the area is the RROC paper's loss",
        np.isclose(area, loss),
        f"α = {alpha}: area {area:.6f}, mean lin-lin loss {loss:.6f} (erratum 50)",
        basis="own",
    )


def worst_area(y):
    """Return the largest A_OCE that predictions can have, by trying both far ends per case."""
    return float(np.mean(np.maximum(*(arm.interposition_ratio(y, np.full(len(y), far))
                                      for far in (-np.inf, np.inf)))))  # fmt: skip


def trivial_models(page):
    """Section 5: constants, their curves, and the bounds of A_OCE."""
    page.section("Section 5: trivial models")
    even, odd = np.arange(1.0, 401.0), np.arange(1.0, 6.0)
    area = {n: rt.output_cutoff_area(even, p) for n, p in constants(even).items()}
    page.value("A_OCE of the median, 400 cases (Corollary 2: the limit)", area["median"], "0.25")
    page.value("largest A_OCE, 400 cases (Theorem 7)", worst_area(even), "0.75")
    page.value(
        "largest A_OCE, 3 cases (Theorem 7)", worst_area(odd[:3]), "0.75", erratum=43, right=7 / 9
    )
    page.value(
        "A_OCE of the median, 5 cases (Corollary 2)",
        rt.output_cutoff_area(odd, np.full(5, 3.0)),
        "0.25",
        erratum=44,
        right=24 / 100,
    )
    peak = rt.cutoff_error_curve(odd, np.full(5, 3.0)).at(odd).max()
    page.value(
        "peak of the median's curve, 5 cases (Theorem 6)", peak, "0.5", erratum=42, right=0.4
    )
    peak = rt.cutoff_error_curve(even, np.full(400, 200.5)).at(even).max()
    page.value("peak of the median's curve, 400 cases (Theorem 6)", peak, "0.5")
    page.value(
        "mean of the neighbours 1, 2, 6 (footnote 6)",
        np.mean([1, 2, 6]),
        "4.5",
        erratum=47,
        right=3.0,
    )
    equivalences(page)
    page.claim(
        "Interpretation 1: A_OCE is the chance to misplace another case",
        np.isclose(area["maximum"], 0.5),
        f"predicting +∞ misplaces half of the others, yet A_OCE is {area['maximum']:.5f}: the case "
        "itself is counted",
        erratum=40,
    )


def constants(y):
    """Return the constant predictions of Table 2, the training data being the test data."""
    return arm.trivial_predictions(y, y_train=y)


def equivalences(page):
    """Theorem 5: three regressors are three classifiers."""
    rng = np.random.default_rng(5)
    train, y = rng.lognormal(12.1, 0.6, 400), np.sort(rng.lognormal(12.1, 0.6, 399))
    found = {n: rt.cutoff_error_curve(y, p).at(y) for n, p in
             arm.trivial_predictions(y, y_train=train).items()}  # fmt: skip
    majority = np.array([np.mean(train >= c) >= 0.5 for c in y])[:, None]
    as_classes = {
        "maximum": ("always positive", np.ones((399, 399), bool)),
        "minimum": ("always negative", np.zeros((399, 399), bool)),
        "median": ("the majority class", np.broadcast_to(majority, (399, 399))),
    }
    for name, (told, labels) in as_classes.items():
        errors = np.mean(labels != (y >= y[:, None]), axis=1)
        page.claim(
            f"Theorem 5: predicting the {name} and {told} are the same",
            np.allclose(found[name], errors),
            f"largest difference at 399 cutoffs {np.abs(found[name] - errors).max():.1g}",
        )
    low = int(np.sum(y <= np.median(train)))
    ours = found["median"][:low]
    page.claim(
        "Theorem 5's proof: above the median the error at y_i is (n − i)/n",
        np.allclose(found["median"][low:], (399 - np.arange(low + 1, 400)) / 399),
        f"it is (n − i + 1)/n; below, (i − 1)/n holds: {np.allclose(ours, np.arange(low) / 399)}",
        erratum=41,
    )
    predicted = arm.trivial_predictions(y, y_train=train)
    curves = {n: rt.cutoff_error_curve(y, predicted[n]) for n in CONSTANTS}
    page.claim(
        "Table 2 and Figure 7 have seven models",
        len(CONSTANTS) + len(as_classes) == 7,
        f"{len(CONSTANTS)} regressors and {len(as_classes)} classifiers",
        erratum=49,
    )
    for name, distribution in (("Figure 7 left", None), ("Figure 7 right", rt.Output())):
        page.figure(
            name,
            CutoffErrorDisplay(curves, over=distribution).plot(bands=False),
            "Made-up prices, as skewed as the paper's. Over the true rank +∞ rises and −∞ falls "
            "along the diagonals; the median turns where they cross, the mean too late; the worst "
            "model is the upper envelope.",
        )
