"""Redo "ROC analysis in ordinal regression learning" (Waegeman, De Baets, Boullart).

Its statements about pairs are in ``pairs``, the simulations in ``simulations``, the multi-objective
search in ``housing`` (with ``swarm``).
"""

from __future__ import annotations

import itertools

import numpy as np
from scipy.spatial import ConvexHull
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

import roctopus as rt
from reproduction.look import Looks, draw_legend, finish_axes, new_axes
from reproduction.options import Options
from reproduction.ordinal import housing, pairs, simulations
from reproduction.records import Page
from roctopus import ordinal as arm
from roctopus.display import ROCSurfaceDisplay

CENTRES, SPREADS, PER_CLUSTER = ((10, 10), (20, 10), (20, 20)), (5, 5, 7), 100
TIED = ([1, 1, 2, 2, 2, 3, 3, 4, 4], [0.1, 0.5, 0.4, 0.5, 0.9, 0.5, 1.2, 0.9, 1.5])
"""Classes and scores with ties."""


def make(options: Options) -> Page:
    """Return the page."""
    page = Page(
        "ordinal",
        "ROC analysis in ordinal regression learning",
        "W. Waegeman, B. De Baets, L. Boullart, Pattern Recognition Letters 29 (2008)",
    )
    two_classes(page)
    surface_and_volume(page)
    gaussian_clusters(page)
    pairs.add(page)
    simulations.add(page)
    housing.add(page, options)
    return page


def two_classes(page):
    """Section 2: AUC counts pairs, and is not tied to the error rate."""
    page.section("2 Two classes")
    rng = np.random.default_rng(1)
    y, score = rng.integers(0, 2, 200), rng.normal(size=200)
    score += y
    ours, theirs = rt.volume_under_surface(y, score, ties="strict"), roc_auc_score(y, score)
    page.claim(
        "Equation 4, the share of pairs in order, is the area under the ROC curve; it is equation "
        "8 for two classes.",
        abs(ours - theirs) < 1e-12,
        f"200 cases without ties: volume {ours:.6f}, area by scikit-learn {theirs:.6f}",
    )
    y, score = [0, 0, 1, 1], [1, 2, 2, 3]
    strict = rt.volume_under_surface(y, score, ties="strict")
    area = roc_auc_score(y, score)
    page.claim(
        "Equation 4 is the area under the ROC curve, whatever the scores.",
        strict == area,
        f"classes 0 0 1 1, scores 1 2 2 3: equation 4 gives {strict:g}, the area is {area:g} "
        f"(a tie counts one half; so does ties='average': {rt.volume_under_surface(y, score):g})",
        erratum=20,
    )
    areas = areas_with_two_errors()
    page.claim(
        "Models of the same error rate may have noticeably different AUCs.",
        max(areas) - min(areas) > 0.1,
        f"5 + 5 cases, cut in the middle with one error on each side: AUC from {min(areas):g} to "
        f"{max(areas):g}",
    )


def areas_with_two_errors():
    """Return the AUC of every ranking of 5 + 5 cases with one of each class in the wrong half."""
    found = []
    for up, down in itertools.product(range(5), repeat=2):
        y = np.repeat([0, 1], 5)
        y[up], y[5 + down] = 1, 0
        found.append(rt.volume_under_surface(y, np.arange(10)))
    return found


def surface_and_volume(page):
    """Definition 2, equation 6 and Theorem 3.1 on small samples."""
    page.section("3 The ROC surface and its volume")
    counts = {r: curves(r) for r in range(2, 7)}
    page.claim(
        "One-versus-one takes r(r − 1)/2 two-class problems, consecutive classes take r − 1.",
        all(found == (r * (r - 1) // 2, r - 1) for r, found in counts.items()),
        "curves of roctopus.ordinal: " + ", ".join(f"r = {r}: {a} and {b}"
                                                   for r, (a, b) in counts.items()),
    )  # fmt: skip
    y = np.repeat([1, 2, 3], 4)
    confusion = arm.ordinal_confusion(y, y, thresholds=[1.5, 2.5]).counts
    rate = confusion[1, 1] / confusion[1].sum()
    as_told = confusion[1, 1] / confusion[:, 1].sum() / confusion[1].sum()
    page.claim(
        "The true positive rate of a class, as worded: the share of the cases so graded that are "
        "of the class, divided by the size of the class.",
        as_told == rate,
        f"a perfect grader of 3 × 4 cases: as worded {as_told:g}, the rate (equation 9) {rate:g}",
        erratum=21,
    )
    graded = [rule_of_equation_6(f, (1.0, 2.0)) for f in (0.5, 1.0, 1.5, 2.0, 2.5)]
    page.claim(
        "Equation 6 gives every score a class.",
        None not in graded,
        f"scores 0.5, 1, 1.5, 2, 2.5 with b = (1, 2) get {graded}",
        erratum=20,
    )
    tie_rules(page)
    gaps, hulls = theorem_on_small_samples()
    page.claim(
        "Theorem 3.1: equation 8 is the volume under the surface of true positive rates.",
        max(gaps) < 1e-12,
        f"{len(gaps)} samples of 3 and 4 classes, boxes under all points counted: largest "
        f"difference {max(gaps):.1g}",
    )
    volume, hull = hulls[0]
    page.claim(
        "The surface of that volume is the convex hull of the ROC points.",
        all(abs(h - v) < 1e-9 for v, h in hulls),
        f"first sample: equation 8 {volume:.4f}, volume under the hull {hull:.4f}; the hull's is "
        f"larger in {sum(h > v + 1e-9 for v, h in hulls)} of {len(hulls)}",
        erratum=21,
    )


def curves(r):
    """Return how many curves of pairs and of consecutive classes there are."""
    y = np.tile(np.arange(r), 2)
    return tuple(
        len(arm.pairwise_roc_curves(y, np.arange(2 * r), consecutive=c)) for c in (False, True)
    )


def rule_of_equation_6(f, b):
    """Return the class of a score by equation 6 as printed; None if no line of it applies."""
    if f < b[0]:
        return 1
    for k in range(1, len(b)):
        if b[k - 1] < f <= b[k]:
            return k + 1
    return len(b) + 1 if f > b[-1] else None


def tie_rules(page):
    """Show what ties do to the measures, beside counting by hand."""
    y, score = map(np.array, TIED)
    rows = []
    for ties, credit in (("strict", 0.0), ("average", 1.0)):
        classes = [score[y == k] for k in np.unique(y)]
        chains = [chain_credit(chain, credit) for chain in itertools.product(*classes)]
        ours = rt.volume_under_surface(y, score, ties=ties)
        pairs = rt.pairwise_ranking_accuracy(y, score, ties=ties)
        rows.append([ties, float(ours), float(np.mean(chains)), float(pairs)])
    page.table(
        ["ties", "Û", "Û counted by hand", "Û_pairs"], rows,
        "Nine cases of four classes with ties. Strict is equation 8; averaged, t tied scores of "
        "different classes get 1/t!, what a random order would (erratum 20).",
    )  # fmt: skip


def chain_credit(chain, credit):
    """Return 1 for a rising chain of scores, 0 for a falling one, and ties' credit between."""
    if any(b < a for a, b in itertools.pairwise(chain)):
        return 0.0
    value = 1.0
    for _, same in itertools.groupby(chain):
        t = len(list(same))
        value *= 1.0 if t == 1 else credit / np.prod(np.arange(1, t + 1))
    return value


def theorem_on_small_samples():
    """Return differences of equation 8 and the volume of boxes, and (volume, hull's volume)."""
    rng = np.random.default_rng(3)
    gaps, hulls = [], []
    for sizes in [(3, 2, 3), (2, 4, 3), (4, 3, 4), (2, 2, 2, 2), (2, 3, 1, 2)] * 4:
        y = np.repeat(np.arange(len(sizes)), sizes)
        score = y + rng.normal(scale=1.2, size=len(y))
        surface = rt.roc_surface(y, score)
        corner = np.round(surface.points().rates * sizes).astype(int)
        under = np.zeros(sizes, dtype=bool)
        for point in corner:
            under[tuple(slice(p) for p in point)] = True
        volume = rt.volume_under_surface(y, score, ties="strict")
        gaps.append(abs(volume - under.mean()))
        masks = np.array(list(itertools.product((0, 1), repeat=len(sizes))))
        below = (corner[:, None, :] * masks).reshape(-1, len(sizes)) / sizes
        hulls.append((volume, ConvexHull(np.unique(below, axis=0), qhull_options="QJ").volume))
    return gaps, hulls


def support_vector_scores(features, classes, new, *, cost=1.0):
    """Return scores by support vector ordinal regression with implicit constraints.

    Every case is asked, for every threshold, on which side it is: one support vector machine whose
    kernel is a Gaussian one plus a large constant for the same threshold, which leaves the
    thresholds all but free. It is the programme of Chu and Keerthi.
    """
    middle, scale = features.mean(axis=0), features.std(axis=0)
    x, z = (features - middle) / scale, (new - middle) / scale
    cuts = np.unique(classes)[:-1]
    side = np.concatenate([np.where(classes > cut, 1, -1) for cut in cuts])
    kernel = np.kron(np.ones((len(cuts), len(cuts))), rbf_kernel(x, gamma=0.5))
    kernel += 100.0 * np.kron(np.eye(len(cuts)), np.ones((len(x), len(x))))
    machine = SVC(kernel="precomputed", C=cost).fit(kernel, side)
    weight = np.zeros(len(side))
    weight[machine.support_] = machine.dual_coef_[0]
    return rbf_kernel(z, x, gamma=0.5) @ weight.reshape(len(cuts), -1).sum(axis=0)


def clusters(seed):
    """Return the three Gaussian clusters of Figure 1."""
    rng = np.random.default_rng(seed)
    features = [rng.normal(m, s, (PER_CLUSTER, 2)) for m, s in zip(CENTRES, SPREADS, strict=True)]
    return np.concatenate(features), np.repeat([1, 2, 3], PER_CLUSTER)


def gaussian_clusters(page):
    """Figures 1 and 2, the surface's optimal points, and the count in the proof of Theorem 3.1."""
    page.section(
        "3 Three Gaussian clusters (Figures 1 and 2)",
        "Drawn anew with the printed means and spreads. The ranking is that of a support vector "
        "ordinal regression with implicit constraints and a Gaussian kernel exp(−‖x − x′‖²/2) of "
        "standardised features, C = 1; the paper names the algorithm, not its parameters.",
    )
    features, y = clusters(0)
    page.figure("Figure 1", draw_clusters(features, y),
                "Three clusters: the second to the right of the first, the third above the second "
                "and wider, as the paper's caption says.")  # fmt: skip
    score = support_vector_scores(features, y, features)
    fresh, y_fresh = clusters(1)
    other = rt.surface_volume(y_fresh, support_vector_scores(features, y, fresh), ties="strict")
    surface = rt.roc_surface(y, score)
    page.figure("Figure 2", ROCSurfaceDisplay(surface, name="support vectors").plot(),
                f"The ROC surface on the data that taught it: volume {surface.volume:.3f}; on "
                f"fresh data {other.value:.3f} ± {other.standard_error:.3f}; a random ranking has "
                "1/6, the dashed triangle. Seen from the corner (1, 1, 1).")  # fmt: skip
    optimal_points(page, y, score, surface)
    lower, middle, upper = (score[y == k] for k in (1, 2, 3))
    rates = np.mean(middle[:, None] < upper, axis=1)
    ordered = lower[:, None] <= middle
    mean = np.sum(ordered * rates) / ordered.sum()
    first = rt.volume_under_surface(y[y < 3], score[y < 3], ties="strict")
    page.claim(
        "Proof of Theorem 3.1: the threshold vectors that obey (12) number n₁·n₂, and the mean of "
        "TPR₃ over them (11) is the volume.",
        ordered.sum() == ordered.size and abs(mean - surface.volume) < 1e-9,
        f"here {ordered.sum()} of {ordered.size} obey it; the mean over them is {mean:.4f}, the "
        f"volume {surface.volume:.4f}. The mean is volume/Û(classes 1, 2) = "
        f"{surface.volume / first:.4f}",
        erratum=69,
    )


def optimal_points(page, y, score, surface):
    """Check that the thresholds of least cost are the surface's best point, for any costs."""
    rng = np.random.default_rng(2)
    rates = surface.points().rates
    gaps = []
    for costs in rng.dirichlet(np.ones(3), 100):
        least = np.min((1.0 - rates) @ (costs * PER_CLUSTER))
        found = rt.ordinal_thresholds(y, score, costs=costs, loss="zero-one").cost
        gaps.append(abs(found - least))
    page.claim(
        "For any costs of the classes the best grader (15) is a point of the ROC surface.",
        max(gaps) < 1e-9,
        f"100 random costs: least cost over all {len(rates)} points and by "
        f"roctopus.ordinal_thresholds differ by {max(gaps):.1g} at most",
    )


def draw_clusters(features, y):
    """Return Figure 1."""
    ax = new_axes()
    looks = Looks(["class 1", "class 2", "class 3"])
    for k, marker in ((1, "o"), (2, "^"), (3, "s")):
        x1, x2 = features[y == k].T
        ax.plot(x1, x2, marker, label=f"class {k}", color=looks.colour(f"class {k}"), markersize=5,
                alpha=0.75)  # fmt: skip
    finish_axes(ax, title=None, x="x₁", y="x₂")
    ax.set_aspect("equal")
    draw_legend(ax)
    return ax.figure
