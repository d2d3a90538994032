"""Section 3 of the pROC paper, its first half: how the width is computed, and the two examples."""

from __future__ import annotations

import numpy as np

from reproduction.proc import figures as draw
from reproduction.proc.lists import (
    LISTS,
    WITHOUT,
    area_between,
    closed_form,
    dents,
    first_on_grid,
    height,
    sharpest_turn,
    shown,
)

EXAMPLES = {  # AUC, pAUC; printed d and its erratum and right value, uniform and normal
    "Example 1": ("0.833", "0.658", ("1.65", 27, 1.6609403190), ("1.74", 29, 1.0186394610)),
    "Example 2": ("0.8", "0.6", ("1.71", 28, 1.7260578489), ("1.8", 29, 1.0497005305)),
}
FIRST, SECOND = LISTS["Example 1"], LISTS["Example 2"]


def analytically(page):
    """Section 3.1: a formula for d."""
    page.section("3.1 Computing d analytically")
    pair = LISTS["one pair"]
    a, b = 0.6, 0.4
    page.value("AUC of one pair", pair.auc, "1")
    page.value("d for a = 0.6, b = 0.4, searched", pair.width(), "1.89")
    page.value("the same by the printed formula", (a - b) / (1 - np.sqrt(b - a + 1)), "1.89")
    d = pair.width()
    x = (b - a + d) / d
    corner = height(pair.curve(d), np.array([0.0, x]))
    page.claim(
        "pAUC is (a − b + 1)/2 and the missing triangle has sides x = (b − a + d)/d",
        np.isclose(pair.pauc, (a - b + 1) / 2)
        and np.isclose(x * x / 2, 1 - pair.pauc)
        and np.allclose(corner, [1 - x, 1.0]),
        f"x = {x:.6f}, x²/2 = {x * x / 2:.6f} = 1 − {pair.pauc:g}; the curve runs from "
        f"(0, {corner[0]:.6f}) to (x, {corner[1]:g})",
    )
    page.figure(
        "Section 3.1",
        draw.one_pair(),
        "One positive above one negative: a triangle with two sides x is missing.",
    )
    rows, hits = [], []
    for r in LISTS.values():
        rho, widths = closed_form(r.pairs)
        hits.append(any(np.isclose(w, r.roots()[-1], rtol=1e-7) for w in widths))
        rows.append(
            [r.text, rho, shown(widths, 10), shown(r.roots(), 10), shown(r.roots("normal"), 8)]
        )
    page.table(
        ["list", "ρ", "1 ± √(1 − ρ)", "searched, uniform", "searched, normal"],
        rows,
        "All widths of all lists, exact. The formula holds from the largest difference "
        "on; below it the equation is quadratic between neighbouring differences.",
    )
    page.claim(
        "There is no direct way to compute d",
        not all(hits),
        f"d² − 2d + ρ = 0 gives the (largest) d of {sum(hits)} of {len(hits)} lists; "
        f"for {WITHOUT.text} ρ = {closed_form(WITHOUT.pairs)[0]:.6f} > 1: none",
        erratum=26,
    )


def numerically(page):
    """Section 3.2: the two examples, and the grid behind the printed widths."""
    page.section("3.2 Computing d numerically")
    rows = []
    for name, (auc, pauc, uniform, normal) in EXAMPLES.items():
        r = LISTS[name]
        page.value(f"{name}: AUC", r.auc, auc)
        page.value(f"{name}: pAUC", r.pauc, pauc)
        for kernel, (printed, erratum, right) in (("uniform", uniform), ("normal", normal)):
            page.value(
                f"{name}: d, {kernel}", r.width(kernel), printed, erratum=erratum, right=right
            )
        page.value(
            f"{name}: first d of a grid of 0.01 with gap < 0.001, uniform",
            first_on_grid(r.area, r.pauc),
            uniform[0],
        )
        for said, scale in (("d/2", 1.0), ("d/3.42", 2 / 3.42), ("d/√12", 2 / np.sqrt(12))):
            on_grid = first_on_grid(lambda d, s=scale, r=r: r.area(s * d, "normal"), r.pauc)
            there = r.area(scale * float(normal[0]), "normal")
            rows.append([name, said, r.width("normal") / scale, on_grid, normal[0], there, r.pauc])
    header = "list", "deviation", "d, exact", "d, on the grid", "printed d", "Area there", "pAUC"
    page.table(
        list(header),
        rows,
        "Normal segments: the printed widths do not fit a deviation of d/2, and nearly fit that "
        "of the uniform segment, d/√12.",
    )
    gaps = [abs(LISTS[n].area(float(u[0])) - LISTS[n].pauc) for n, (_, _, u, _) in EXAMPLES.items()]
    page.claim(
        "At the d found, Area and pAUC differ by less than 0.001 (uniform)",
        max(gaps) < 0.001,
        f"at the printed d: {shown(gaps, 3)}",
    )
    gaps = [
        abs(LISTS[n].area(float(v[0]), "normal") - LISTS[n].pauc)
        for n, (_, _, _, v) in EXAMPLES.items()
    ]
    page.claim(
        "The same for normal segments of deviation d/2",
        max(gaps) < 0.001,
        f"at the printed d: {shown(gaps, 3)}",
        erratum=29,
    )
    shapes(page)
    for name in EXAMPLES:
        page.figure(
            name,
            draw.example(name),
            "The pROC curve at the exact width, and the ROC curve; both pROC curves have the "
            "area pAUC. The uniform one keeps corners, the normal one has none.",
        )


def shapes(page):
    """Section 3.2: what the smoothed curves of the examples look like."""
    plain, boxes = FIRST.curve(0.0), FIRST.curve(FIRST.width())
    bells = FIRST.curve(FIRST.width("normal"), "normal")
    where = [dents(curve) for curve in (plain, boxes, bells)]
    flat = float(boxes.x[boxes.y >= 1.0 - 1e-12].min())
    page.claim(
        "Example 1, uniform: the concavity at the lower left and the top-right part with "
        "TPR 1 remain",
        np.any(where[1].max(axis=1) < 0.5) and flat < 1.0,
        f"the curve gets steeper at {' and '.join(f'({shown(w, 3)})' for w in where[1])}, TPR is 1 "
        f"from FPR {flat:.4f} on; in the ROC curve at ({shown(where[0][0], 3)}) and from 0.3333",
    )
    page.claim(
        "They remain in the normal curve, too",
        len(where[2]) > 0 and np.any(bells.y[bells.x < 0.95] >= 1.0 - 1e-6),
        f"{len(where[2])} places where it gets steeper, TPR at FPR {flat:.4f} is "
        f"{float(height(bells, flat)):.4f}",
        erratum=63,
    )
    turn = [sharpest_turn(SECOND.curve(d)) for d in (0.0, SECOND.width())]
    page.claim(
        "Example 2: the pROC curve is a smoothed ROC curve",
        turn[1] < turn[0],
        f"sharpest turn {turn[1]:.1f}° instead of {turn[0]:.0f}°",
    )
    between = [
        area_between(r.curve(r.width()), r.curve(r.width("normal"), "normal"))
        for r in (FIRST, SECOND)
    ]
    page.claim(
        "Uniform and normal segments give similar curves",
        max(between) < 0.05,
        f"area between them {shown(between, 3)}; from the ROC curve it is "
        f"{area_between(plain, boxes):.3f} in Example 1",
    )
