"""Sections 5 and 6 of the RROC paper: other shifts, rules that choose them, other losses."""

from __future__ import annotations

import numpy as np
from matplotlib import pyplot as plt
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

import roctopus as rt
from reproduction.look import INK, Looks, finish_axes
from reproduction.rroc.examples import CURVES, PREDICTIONS, THREE, N, Y, close, told
from roctopus import regression as arm
from roctopus.display import AsymmetryCostDisplay, RROCDisplay

GRID = np.arange(2, 99) / 100
SPREADS = {
    "strong": lambda a, b: 0.1 + 2.5 * a * b,
    "mild": lambda a, b: 0.2 + 1.2 * a**2 + b,
    "equal": lambda a, b: np.full(len(a), 0.8),
}
"""How far truths scatter, by two features: three kinds of stand-in for the data of Figure 13."""
DRAWS = 5
FIGURE_12 = {
    "ŷ + s": lambda p, s: p + s,
    "0.9ŷ + 0.002ŷ³ + s": lambda p, s: 0.9 * p + 0.002 * p**3 + s,
    "ŷ − 0.004ŷ³ + 1.5sŷ² + s": lambda p, s: p - 0.004 * p**3 + 1.5 * s * p**2 + s,
}


def other_shifts(page):
    """Redraw Figure 12 and check what other shifts reach."""
    page.section("5. Non-constant shifts")
    p = PREDICTIONS["m1"]
    curves = {}
    for name, moved in FIGURE_12.items():
        start = moved(p, 0.0)
        curves[name] = rt.rroc_curve(Y, start, multiplier=moved(p, 1.0) - start)
    apart = 0.0
    for name, moved in FIGURE_12.items():
        shifts = np.linspace(-0.5, 0.5, 101)
        path = arm.rroc_path(Y, lambda s, moved=moved: moved(p, s), shifts=shifts)
        over, under = curves[name].sums_at(shifts)
        apart = max(apart, np.abs(path.over - over).max(), np.abs(path.under - under).max())
    page.claim(
        "Each formula of Figure 12 gives a curve as its s moves.",
        apart < 1e-9,
        f"exact curves against points of the formulas at 101 shifts: within {told([apart], 1)}",
    )
    shares = dict.fromkeys(curves, 0.0)
    for low, high, name in rt.rroc_hull(curves).regions:
        shares[name] += high - low
    page.claim(
        "Other formulas reach places that a constant shift does not; each is best somewhere.",
        min(shares.values()) > 0.0,
        "best for so much of α: " + "; ".join(f"{k} {v:.0%}" for k, v in shares.items()),
    )
    wanted = np.random.default_rng(5).uniform(0.0, 20.0, (50, 2))
    spots = [rt.rroc_point(Y, Y + np.append([o, -u], np.zeros(N - 2))) for o, u in wanted]
    page.claim(
        "Some function of the predictions attains any point of RROC space, if it corrects errors.",
        close([(each.over, -each.under) for each in spots], wanted),
        "50 random points, reached by correcting all errors but two",
    )
    page.figure(
        "Figure 12",
        RROCDisplay(curves).plot(limits=(20.0, 20.0)),
        "The three curves cross: each is nearest to heaven somewhere.",
    )


def fitted_rules(spread, seed):
    """Return test truths and predictions, and every rule fitted on other cases, by name."""
    rng = np.random.default_rng(seed)
    X, X_test = rng.uniform(size=(2, 800, 2))
    y, y_test = (
        4 * x[:, 0] + 2 * np.sin(3 * x[:, 1]) + spread(*x.T) * rng.normal(size=800)
        for x in (X, X_test)
    )
    model = KNeighborsRegressor(40)
    folds = KFold(10, shuffle=True, random_state=0)
    out_of_fold = cross_val_predict(model, X, y, cv=folds)
    neighbours = model.fit(X, y).kneighbors(X_test, return_distance=False)
    rules = {
        "None": (rt.NoShift(), {}),
        "CoSh": (rt.ConstantShift(), {}),
        "PoSh": (rt.PolynomialShift(3), {}),
        "Own spread": (arm.NormalShift(), {"std": y[neighbours].std(axis=1)}),
        "60 neighbours' spread": (arm.NormalShift("neighbours", 60), {}),
        "Bins of 60": (arm.NormalShift("bins", 60), {}),
        "30 neighbours' spread": (arm.NormalShift("neighbours", 30), {}),
        "Bins of 30": (arm.NormalShift("bins", 30), {}),
    }
    for rule, _ in rules.values():
        rule.fit(y, out_of_fold)
    return y_test, model.predict(X_test), rules


def compare_rules(page):
    """Show the mean losses of all rules on several kinds of data."""
    coarse = np.arange(1, 20) / 20
    losses = {}
    for kind, spread in SPREADS.items():
        drawn = []
        for seed in range(DRAWS):
            y, p, rules = fitted_rules(spread, seed)
            row = {
                name: arm.feasible_cost_curve(rule, y, p, asymmetries=coarse, **soft).at(coarse)
                for name, (rule, soft) in rules.items()
            }
            row["Best constant"] = rt.asymmetry_cost_curve(y, p).at(coarse)
            drawn.append({name: float(np.mean(each)) for name, each in row.items()})
        losses[kind] = {name: [each[name] for each in drawn] for name in drawn[0]}
    page.table(
        ["mean loss", *SPREADS],
        [
            [name, *(float(np.mean(losses[kind][name])) for kind in SPREADS)]
            for name in losses["strong"]
        ],
        f"Over α = 0.05, …, 0.95 and {DRAWS} draws, for three ways the spread may differ from case "
        "to case. The best constant knows the truth.",
    )
    wins = {
        kind: np.mean(np.array(each["Own spread"]) < np.minimum(each["CoSh"], each["PoSh"]))
        for kind, each in losses.items()
    }
    page.claim(
        "A spread for every prediction is more powerful than a constant or a polynomial shift.",
        min(wins.values()) > 0.5,
        "draws in which the model's own spread beats both: "
        + ", ".join(f"{kind} {share:.0%}" for kind, share in wins.items()),
        reason="true where spreads differ; where they are equal there is nothing to gain, and "
        "estimating them costs a little",
        basis="stand-in",
    )


def shift_choice(page):
    """Redraw Figure 13 on a stand-in and check its caption."""
    page.section(
        "5. Rules that choose the shift (Figure 13)",
        "The data and model of Figure 13 are not published. In their place: 800 simulated cases "
        "whose spread differs strongly, a model of 40 nearest neighbours, rules (PoSh of degree 3) "
        "fitted on its out-of-fold predictions, and 800 other cases to judge them. How rules rank "
        "depends on such choices: the table has other ones.",
    )
    page.absent("Figure 13, the curves themselves", "data, model and settings are not published")
    y, p, rules = fitted_rules(SPREADS["strong"], 13)
    curves = {}
    for name, (rule, soft) in list(rules.items())[:6]:
        known = None if name in ("None", "CoSh") else GRID
        curve = arm.feasible_cost_curve(rule, y, p, asymmetries=known, **soft)
        curves[name] = curve.restrict(GRID[0], GRID[-1])
    optimal = rt.asymmetry_cost_curve(y, p).restrict(GRID[0], GRID[-1])
    losses = {name: curve.at(GRID) for name, curve in curves.items()}
    best = optimal.at(GRID)
    untouched = rt.rroc_point(y, p, normalize=True)
    page.claim(
        "Without adjustment a model is one point in RROC space: a straight line in cost space.",
        close(losses["None"], [untouched.loss(a) for a in GRID])
        and len(curves["None"].function) == 1,
        f"the point ({told([untouched.over, untouched.under])})",
    )
    at = [rules["CoSh"][0].shift(a, p[:1])[0] for a in GRID]
    path = arm.feasible_rroc_path(rules["CoSh"][0], y, p, asymmetries=GRID)
    reached = rt.rroc_curve(y, p, normalize=True).sums_at(np.array(at))
    page.claim(
        "CoSh moves along the model's RROC curve; a shift learned elsewhere is nearly the best.",
        close(path.over, reached[0]) and np.mean(losses["CoSh"]) < 1.02 * np.mean(best),
        f"mean loss {told([np.mean(losses['CoSh'])])}, with the best constants "
        f"{told([np.mean(best)])}",
        basis="stand-in",
    )
    page.claim(
        "The best constant shift is never worse than CoSh.",
        np.all(best <= losses["CoSh"] + 1e-12),
        f"97 asymmetries; CoSh loses up to {told([np.max(losses['CoSh'] - best)], 2)} more",
        basis="stand-in",
    )
    below = best <= losses["PoSh"] + 1e-12
    page.claim(
        "The best constant shift is never worse than PoSh.",
        np.all(below),
        f"PoSh is better at {np.mean(~below):.0%} of the asymmetries, by up to "
        f"{told([np.max(best - losses['PoSh'])], 2)}; {_better_line()}",
        erratum=13,
    )
    posh = arm.feasible_rroc_path(rules["PoSh"][0], y, p, asymmetries=GRID)
    turns = np.diff(np.arctan2(np.diff(posh.under), np.diff(posh.over)))
    page.claim(
        "Curves of other rules need not be convex.",
        np.any(turns > 1e-9),
        f"PoSh's path turns the wrong way at {np.mean(turns > 1e-9):.0%} of its points",
        basis="stand-in",
    )
    compare_rules(page)
    page.figure(
        "Figure 13",
        draw_costs(curves, {name: each - best for name, each in losses.items()}),
        "A stand-in. Left: no adjustment is a straight line, all rules fall to both ends. Right: "
        "the same less the loss of the best constant shift, which the paper does not show: it lies "
        "below CoSh but not below PoSh. Own, neighbours' and bins' spread stand for the paper's "
        "Own, uKNC and BIN.",
    )


def draw_costs(curves, gaps):
    """Return a figure: losses over asymmetry, and how far they are from the best constant's."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
    figure.get_layout_engine().set(wspace=0.05)
    AsymmetryCostDisplay(curves).plot(ax=left, bands=False)
    left.get_legend().remove()
    left.set_ylabel("mean asymmetric absolute error")
    looks = Looks(curves)
    for name, gap in gaps.items():
        right.plot(GRID, gap, label=name, **looks.line(name))
    right.axhline(0.0, color=INK, linewidth=1.2, label="Best constant")
    shown = np.concatenate([gap for name, gap in gaps.items() if name != "None"])
    right.set(xlim=(GRID[0], GRID[-1]), ylim=(1.1 * shown.min(), 2.5 * shown.max()))
    finish_axes(right, title=None, x=left.get_xlabel(), y="less the loss of the best constant")
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=7)
    return figure


def _better_line():
    """Say how a straight line beats the best constant on the examples themselves."""
    gains = {}
    for name in THREE:
        rule = rt.PolynomialShift(1).fit(Y, PREDICTIONS[name])
        moved = PREDICTIONS[name] + rule.shift(0.2, PREDICTIONS[name])
        line = rt.asymmetric_absolute_error(Y, moved, asymmetry=0.2)
        gains[name] = rt.optimal_shift_error(Y, PREDICTIONS[name], asymmetry=0.2) - line
    return f"on the examples at α = 0.2 a line is better by {told(gains, 2)}"


def other_losses(page):
    """Check the guess of section 6 about asymmetric squared errors."""
    page.section("6. Concluding remarks")
    path = arm.loss_component_path(Y, PREDICTIONS["m1"], loss=rt.QuadQuad(0.8))
    between = (CURVES["m1"].shift[7] < path.shift) & (path.shift < CURVES["m1"].shift[8])
    slope = np.diff(path.under[between]) / np.diff(path.over[between])
    page.claim(
        "With asymmetric squared errors the segments of a curve are not straight.",
        np.ptp(slope) > 0.01,
        f"m1, between two vertices: slopes from {told([slope.max()])} to {told([slope.min()])}",
    )
    even, uneven = np.array([1.0, 1.0, -1.0, -1.0]), np.array([1.9, 0.1, -1.0, -1.0])
    points = [rt.rroc_point(np.zeros(4), e) for e in (even, uneven)]
    loss = [rt.asymmetric_squared_error(np.zeros(4), e, asymmetry=0.8) for e in (even, uneven)]
    page.claim(
        "Nor are its isometrics straight lines of RROC space.",
        close([points[0].over, points[0].under], [points[1].over, points[1].under])
        and not close(*loss),
        f"models at the same point have losses {told(loss)}: there are no isometrics there, and "
        "straight ones only in the space of squared sums",
    )
