"""Who has a page cannot say where a row's truth, prediction or error lies in its cell.

Attacks make claims from pages alone. A claim that is right and much narrower than the row's cell
counts; so do those of a guesser who draws intervals of the same widths from the cells that hold
the claims. Each attack is shown to work on pages that hold exact values, as all pages of 0.1.0 did.
"""

import itertools
import json
import re
import warnings

import attacks
import numpy as np
import pandas as pd
import pytest
from attacked import ARMS, Attacked, attacked, hits, score

import roctopus as rt
from roctopus.cutoff.cells import WrongCells
from roctopus.report import make_page, summary
from roctopus.report import payload as report_payload
from roctopus.report.summary import cells_of_models
from simulations import samples

SIZES = {
    (size, rounded, heavy, least)
    for size, rounded, heavy, least in itertools.product(
        (60, 100, 300, 1000), (False, True), (False, True), (10, 30)
    )
    if size >= 6 * least
}
ORDER = sorted(SIZES, key=lambda x: (x[3] * x[0] % 7, x))  # all kinds early on
QUICK = [x for x in ORDER if x[0] < 1000]


def drawn(arm: str, count: int) -> list[Attacked]:
    """Return data for so many pages of an arm, of all kinds."""
    kinds = QUICK if count < len(ORDER) else ORDER
    chosen = [kinds[k % len(kinds)] for k in range(count)]
    return [
        attacked(arm, size, seed, rounded=rounded, heavy=heavy, least=least)
        for seed, (size, rounded, heavy, least) in enumerate(chosen)
    ]


def better_than_guessing(made: float, right: float, guessed: float) -> bool:
    """Tell whether claims are right clearly more often than guesses (one-sided, p < 0.0001)."""
    share = guessed / max(made, 1.0)
    return right > guessed + 4.0 * np.sqrt(made * share * (1.0 - share) + 1.0)


@pytest.mark.slow(reason="it makes some dozens of pages")
@pytest.mark.parametrize("arm", ARMS)
@samples(few=8, many=40)
def test_attacks_are_no_better_than_guesses(arm, samples):
    found = {
        (name, kind): np.zeros(3)  # rounded values are often guessed, which must not hide others
        for name in (*attacks.ATTACKS, "two_pages")
        for kind in ("rounded", "continuous")
    }
    for made in drawn(arm, samples):
        kind = "continuous" if made.decimals is None else "rounded"
        page = made.page()
        for name, attack in attacks.ATTACKS.items():
            found[name, kind] += score(attack(page), made)
        if len(made.truth) > 6 * made.least:
            other = made.without(0).page()
            found["two_pages", kind] += score(attacks.two_pages(page, other), made)
    assert {name: x for name, x in found.items() if better_than_guessing(*x)} == {}


@pytest.mark.parametrize(
    ("attack", "arm"),
    [
        ("stored", "regression"),
        ("stored", "cutoff"),
        ("stored", "impact"),
        ("stored", "ordinal"),
        ("subtraction", "regression"),
        ("copies", "regression"),
        ("counts", "cutoff"),
    ],
)
def test_attacks_find_rows_in_exact_pages(attack, arm):
    found = np.zeros(3)
    for heavy in (False, True):
        made = attacked(arm, 100, 0, rounded=False, heavy=heavy, least=10)
        found += score(attacks.ATTACKS[attack](made.page(exact=True)), made)
    assert better_than_guessing(*found), found


@pytest.mark.parametrize("exact", [True, False])
def test_the_row_that_is_missing_in_another_page(exact):
    told = 0
    for row in range(3):
        made = attacked("regression", 100, 3, rounded=False, heavy=False, least=10)
        pages = made.page(exact), made.without(row).page(exact)
        ends = np.array(attacks.two_pages(*pages))
        for prediction in made.models.values():
            error = prediction[row] - made.truth[row]
            told += bool(np.any((ends[:, 0] <= error) & (error <= ends[:, 1])))
    assert told >= 3 if exact else told == 0


@pytest.mark.parametrize("seed", range(3))
def test_one_case_that_makes_up_a_mean_is_found_in_an_exact_page(seed):
    rng = np.random.default_rng(seed)
    truth = rng.gamma(2.0, 8.0, 100)
    models = {"a": truth + rng.normal(0.0, 3.0, 100)}
    models["a"][7] += 1e5
    made = Attacked("regression", truth, models, 10, None)
    error = models["a"][7] - truth[7]
    claims = attacks.dominance(made.page(exact=True))
    assert any(low <= error <= high for low, high in claims)


def test_constants_would_tell_rows_if_they_had_cells_of_their_own(monkeypatch):
    """Counts up to borders of several constants tell how many truths lie between any two."""
    rng = np.random.default_rng(0)
    truth = rng.gamma(2.0, 8.0, 400)
    models = {str(x): np.full(400, x) for x in np.linspace(3.0, 21.0, 8).round(2)}
    made = Attacked("regression", truth, models, 10, None)
    whole = max(made.kinds(), key=lambda kind: np.array_equal(kind.values, truth))
    order = np.argsort(truth)
    kinds = [whole._replace(values=truth[order], low=whole.low[order], high=whole.high[order])]

    def claimed():
        """Return between which borders just one truth lies."""
        cells, _ = cells_of_models(made.comparison().problem, models, made.least)
        # Where cells are shared, the page tells a border in place of the constant.
        told = {name: each.offset or models[name][0] for name, each in cells.items()}
        parts = [told[name] - each.cells.cuts - each.offset for name, each in cells.items()]
        borders = np.unique(np.round(np.concatenate(parts), 6))
        at = np.flatnonzero(np.diff(np.searchsorted(truth[order], borders)) == 1)
        return borders[at], borders[at + 1]

    assert not hits(*claimed(), kinds).any()
    monkeypatch.setattr(summary, "_same_but", lambda first, second: False)
    assert hits(*claimed(), kinds).sum() > 20


def hexadecimal(value, path=""):
    """Yield all long texts of hexadecimal digits, and where they are."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from hexadecimal(each, f"{path}.{key}")
    elif isinstance(value, list):
        for each in value:
            yield from hexadecimal(each, path)
    elif isinstance(value, str) and value.startswith("{"):
        yield from hexadecimal(json.loads(value), path)
    elif isinstance(value, str):
        yield from ((path, each) for each in re.findall(r"\b[0-9a-f]{16,}\b", value))


@pytest.mark.parametrize("arm", ARMS)
def test_no_fingerprint_to_try_rows_against(arm):
    """The only hash is that of a decision's own text, which anyone can compute from it."""
    made = attacked(arm, 100, 5, rounded=True, heavy=False, least=10)
    data = attacks.data_in(made.page())
    assert {path for path, _ in hexadecimal(data)} == {".answers.text.checksum"} | (
        {".asked.text.checksum"} if data["asked"] else set()
    )
    for answer in data["answers"]:
        decision = rt.Decision.from_json(answer["text"])
        assert decision.data == ""
        assert decision.to_json() == answer["text"]


def test_a_fingerprint_tells_which_row_it_was():
    """In an exact page it does: of some rows, the right one is found."""
    made = attacked("regression", 60, 5, rounded=True, heavy=False, least=10)
    own = json.loads(attacks.data_in(made.page(exact=True))["answers"][0]["text"])["data"]
    found = []
    for candidate in np.round(np.arange(20.0, 60.0, 0.1), 1):
        truth = np.append(candidate, made.truth[1:])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            comparison = made._replace(truth=truth).comparison()
        if comparison.fingerprint == own:
            found.append(candidate)
    assert found == [made.truth[0]]


def test_names_and_words_are_the_only_texts():
    """No text of a page is one of the rows' own: ids, times and groups stay out."""
    rng = np.random.default_rng(0)
    truth = rng.gamma(2.0, 8.0, 200)
    models = {"a": truth + rng.normal(0.0, 3.0, 200)}
    days = np.repeat(np.arange("2024-03-01", "2024-06-09", dtype="datetime64[D]"), 2)
    groups = np.array([f"customer-{k % 50:04d}" for k in range(200)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        comparison = rt.compare(truth, models, arm="regression", clusters=groups, time=days)
        page = make_page(comparison, under_cost=2, over_cost=1, progress=False)
    data = page.split('id="data">')[1].split("</script>")[0]
    assert "customer-" not in data
    assert "2024-0" not in data


@pytest.mark.parametrize("size", [60, 100, 300, 1000])
@pytest.mark.parametrize("heavy", [False, True])
def test_margins_are_as_coarse_as_ten_cases(size, heavy):
    """The best margin for a distribution of cutoffs is a quantile of the errors."""
    for seed in range(3):
        made = attacked("cutoff", size, seed, rounded=seed == 0, heavy=heavy, least=10)
        comparison = made.comparison()
        cells, _ = cells_of_models(comparison.problem, comparison.predictions, 10)
        known = next(iter(cells.values())).settings(None)
        found = comparison.answer(distribution=rt.Uniform(*np.quantile(made.truth, [0.1, 0.9])))
        for row in found.rows:
            if row.name in made.models and row.knob:
                told = known[np.argmin(np.abs(known - row.knob[0]))]
                apart = np.abs(made.truth - made.models[row.name] - told)
                assert np.sum(apart <= 0.5 * (known[1] - known[0])) >= 10, row.name


def test_a_shifted_copy_would_tell_the_cases_between(monkeypatch):
    """Of two models that differ by a number, cutoffs have two wrong counts: cases in between."""
    made = attacked("cutoff", 300, 0, rounded=False, heavy=False, least=10)
    page = attacks.data_in(made.page())
    assert "c" not in page["models"]
    assert any("'c' predicts the same as 'a' plus a constant" in note for note in page["notes"])
    monkeypatch.setattr(report_payload, "without_copies", lambda comparison: comparison)
    assert "c" in attacks.data_in(made.page())["models"]
    comparison = made.comparison()
    cells, _ = cells_of_models(comparison.problem, comparison.predictions, 10)
    between = cells["c"].begins[0].counts - cells["a"].begins[0].counts
    assert np.any((between > 0) & (between < 10))  # true values of cases with such an error


@pytest.mark.parametrize("seed", range(5))
def test_constants_do_not_divide_cells_of_true_values(seed):
    made = attacked("cutoff", 300, seed, rounded=False, heavy=False, least=10)
    comparison = made.comparison()
    cells, _ = cells_of_models(comparison.problem, comparison.predictions, 10)
    for name in ("flat", "low"):
        over, under = (each.counts for each in (cells[name].begins[0], cells[name].ends[1]))
        assert not np.any((over > 0) & (under > 0))


def whole_numbers(seed, cases=300):
    """Return data of whole numbers: many cases lie on borders."""
    rng = np.random.default_rng(seed)
    truth = np.round(40.0 + 8.0 * rng.normal(size=cases))
    models = {"a": np.round(truth + 6.0 * rng.normal(size=cases))}
    return Attacked("regression", truth, models, 10, 0)


def means_near_borders(made):
    """Return of how many inner groups it is known that their mean is close to a border."""
    comparison = made.comparison()
    cells, constant = cells_of_models(comparison.problem, comparison.predictions, made.least)
    found = 0
    for each in (*cells.values(), constant):
        there = np.flatnonzero(each.masses.counts)[1:-1]
        whole = (each.masses.counts * each.cells.width)[there]
        low, high = each.beyond.low[there] / whole, each.beyond.high[there] / whole
        found += int(np.sum((high < 0.2) | (low > 0.8)))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_totals_do_not_tell_that_cases_lie_on_a_border(seed, monkeypatch):
    made = whole_numbers(seed)
    assert means_near_borders(made) == 0
    monkeypatch.setattr("roctopus.regression.cells.MIDDLE", 0.0)
    assert means_near_borders(made) > 3


def knobs_beside_cells(made):
    """Return for each setting of an answer whether it is what the groups alone tell."""
    page = attacks.unpacked(attacks.data_in(made.page()))
    comparison = made.shared()
    cells, _ = cells_of_models(comparison.problem, comparison.predictions, made.least)
    found = []
    for answer in page["answers"]:
        for row in answer["rows"]:
            if not row["baseline"]:
                problem, _ = comparison.problem.read_context(
                    comparison.problem.context_words(answer["context"])
                )
                truth, _, weight = cells[row["name"]].sample()
                bounds = cells[row["name"]].bounds(problem.of_model(row["name"]).on(truth, weight))
                told = bounds.knob_at(np.array([answer["context"]]))
                found.append(np.array_equal(told[0], np.ravel(row["knob"])))
    return found


@pytest.mark.parametrize("arm", ["regression", "probability", "ordinal", "impact"])
def test_settings_are_those_that_groups_tell(arm, monkeypatch):
    """The best setting is often the error or the score of one case, which lies inside a group."""
    made = attacked(arm, 300, 0, rounded=False, heavy=False, least=10)
    assert len(knobs_beside_cells(made)) > 8
    assert all(knobs_beside_cells(made))

    def nearest(self, problem, name, knob, context):
        known = self.of(name, context)
        return np.array([known[np.argmin(np.abs(known - each))] for each in knob])

    monkeypatch.setattr("roctopus.report.settings.Settings.told", nearest)
    assert not all(knobs_beside_cells(made))


def test_a_difference_that_one_case_makes_is_not_told(monkeypatch):
    """Of two decisions that differ in one case, the difference of their values is its value."""
    rng = np.random.default_rng(3)
    truth = np.exp(rng.normal(3.0, 1.8, 100)) + 5.0
    scores = truth * rng.uniform(0.9, 1.1, 100)
    truth[7], scores[7] = 40.0, 0.5  # the only one that looks as if it were not worth its cost
    monkeypatch.setattr("roctopus.report.rounding.DOMINANT", 2.0)  # that hides it, too
    made = Attacked("impact", truth, {"a": scores}, 10, None)

    def worth():
        """Return what a case is worth by which predictions as they are differ from everyone."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            page = make_page(made.comparison(), theta=1.0, min_cases=10, progress=False)
        answers = attacks.unpacked(attacks.data_in(page))["answers"]
        (rows,) = [each["rows"] for each in answers if each["context"] == 1.0]
        (raw,) = [each["raw"] for each in rows if each["name"] == "a"]
        (everyone,) = [each["value"] for each in rows if each["name"] == "everyone"]
        return 100.0 * (everyone - raw)

    # Of offers, no difference to predictions as they are is told: their threshold is in a group.
    assert not 20.0 < worth() < 100.0
    monkeypatch.setattr("roctopus.impact.cells.OfferCells.divided", False)
    assert not 20.0 < worth() < 100.0
    monkeypatch.setattr("roctopus.report.rounding._carriers", lambda gap: 100)
    assert 20.0 < worth() < 100.0


def with_scores_at_one_end(upper):
    """Return scores whose group around 0.215 lies below that threshold, but for one, or above."""
    rng = np.random.default_rng(1)
    code = (rng.random(400) < 0.4).astype(float)
    score = 1.0 / (1.0 + np.exp(1.5 - code - rng.normal(size=400)))
    made = Attacked("probability", code, {"a": score}, 10, None)
    cells, _ = cells_of_models(made.comparison().problem, made.models, 10)
    cuts = cells["a"].cells.cuts
    at = int(np.searchsorted(cuts, 0.215, side="right"))
    low, high = cuts[at - 1], cuts[at]
    assert low < 0.215 < high
    mine = np.flatnonzero((score >= low) & (score < high))
    assert len(mine) >= 10
    inside = np.full(len(mine), high - 1e-6 if upper else low + 1e-6)
    inside[[0, 1]] = low + 1e-6, high - 1e-6
    score[mine] = inside
    return made


def test_a_threshold_inside_a_group_does_not_tell_its_cases(monkeypatch):
    """What the implied threshold gives would tell how many cases of its group are below it."""

    def raw(made):
        answers = attacks.unpacked(attacks.data_in(made.page()))["answers"]
        (answer,) = [each for each in answers if each["context"] == 0.215]
        return next(each["raw"] for each in answer["rows"] if each["name"] == "a")

    pair = [with_scores_at_one_end(upper) for upper in (False, True)]
    cells = [cells_of_models(each.comparison().problem, each.models, 10)[0]["a"] for each in pair]
    np.testing.assert_array_equal(cells[0].cells.cuts, cells[1].cells.cuts)
    assert raw(pair[0]) == raw(pair[1])
    monkeypatch.setattr(
        "roctopus.concepts.ranked_cells.RankedCells.grouped", lambda self, prediction: None
    )
    assert raw(pair[0]) != raw(pair[1])


def cutoff_data(seed, size=100):
    rng = np.random.default_rng(seed)
    truth = 20.0 + 8.0 * rng.gamma(2.0, 1.0, size)
    models = {"a": truth + 3.0 * rng.normal(size=size), "b": truth + 5.0 * rng.normal(size=size)}
    return truth, models


def counted(page, truth, question):
    """Return the fewest cases of a group that lie on one side of a cutoff of an answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cells, _ = cells_of_models(question.problem, question.predictions, 10)
    cuts = next(iter(cells.values())).cells.cuts
    asked = [each["context"] for each in page["answers"]]
    if page["asked"]:
        asked += page["asked"]["text"]["context"]["between"]
    fewest = 10
    for cutoff in asked:
        at = np.clip(np.searchsorted(cuts, cutoff, side="right") - 1, 0, len(cuts) - 2)
        mine = truth[(truth >= cuts[at]) & (truth < cuts[at + 1])]
        sides = [n for n in (np.sum(mine < cutoff), np.sum(mine >= cutoff)) if n]
        fewest = min(fewest, *sides)
    return fewest


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ranged", [False, True])
def test_answers_are_for_cutoffs_at_borders(seed, ranged, monkeypatch):
    """Saying yes to every case costs what the cases below the cutoff cost: that counts them."""
    truth, models = cutoff_data(seed)
    low, middle, high = np.quantile(truth, [0.17, 0.52, 0.83]).round(2)
    asked = {"between": (low, high)} if ranged else {"cutoff": middle}

    def page():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            comparison = rt.compare(truth, models, arm="cutoff")
            made = make_page(comparison, min_cases=10, progress=False, **asked)
        return attacks.unpacked(attacks.data_in(made)), comparison

    found, comparison = page()
    borders = found["contexts"]
    assert all(each["context"] in borders for each in found["answers"])
    if ranged:
        assert list(found["asked"]["text"]["context"]["between"]) == [low, high]
    else:
        assert middle in [each["context"] for each in found["answers"]]  # it became a border
    monkeypatch.setattr(summary, "_at_borders", lambda c, problem, aim, *rest: (problem, aim))
    monkeypatch.setattr(summary, "_nearest", lambda known, x: x)
    lay = WrongCells.lay
    monkeypatch.setattr(
        WrongCells,
        "lay",
        classmethod(lambda cls, problem, named, least, asked: lay(problem, named, least, ())),
    )
    assert counted(*page()[:1], truth, comparison) < 10


def test_a_cutoff_with_few_cases_beyond_it_is_moved():
    truth, models = cutoff_data(0, 300)
    far = float(np.sort(truth)[-4])
    comparison = rt.compare(truth, models, arm="cutoff")
    page = make_page(comparison, cutoff=far, min_cases=10, progress=False)
    data = attacks.unpacked(attacks.data_in(page))
    assert any("too few cases are beyond it. It answers for" in note for note in data["notes"])
    assert all(each["context"] in data["contexts"] for each in data["answers"])
    with pytest.raises(rt.InputError, match=r"There are too few cases from .* Use a wider range"):
        make_page(comparison, between=(far, far + 0.1), min_cases=10, progress=False)


@pytest.mark.parametrize("arm", ["regression", "impact"])
def test_a_case_that_dominates_a_page_is_told_by_its_order_of_magnitude_only(arm, monkeypatch):
    """Each rounded number is a test of what the case adds. Settings are what groups tell."""
    rng = np.random.default_rng(1)
    truth = rng.gamma(2.0, 8.0, 200)
    scores = truth * rng.uniform(0.8, 1.2, 200)

    def different():
        """Return how many different pages there are if the case grows in small steps."""
        found = set()
        for size in np.linspace(2100.0, 2900.0, 9):
            truth[17], scores[17] = size, 0.9 * size
            made = Attacked(arm, truth - 15.0 * (arm == "impact"), {"a": scores}, 10, None)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                asked = {"theta": 1.0} if arm == "impact" else {"under_cost": 3, "over_cost": 1}
                page = make_page(made.comparison(), min_cases=10, progress=False, **asked)
            answers = attacks.unpacked(attacks.data_in(page))["answers"]
            told = [{**row, "knob": None} for each in answers for row in each["rows"]]
            found.add(json.dumps([told, [each["text"]["tolerance"] for each in answers]]))
        return len(found)

    assert different() <= 2
    monkeypatch.setattr("roctopus.report.rounding.DOMINANT", 2.0)
    assert different() > 4


def test_a_constant_prediction_is_not_told_more_closely_than_its_group(monkeypatch):
    """Answers of a constant as it is would show where in a group of true values it lies."""
    truth, models = cutoff_data(3, 300)

    def told(value):
        comparison = rt.compare(truth, {**models, "flat": np.full(300, value)}, arm="regression")
        page = make_page(comparison, under_cost=3, over_cost=1, min_cases=10, progress=False)
        data = attacks.data_in(page)
        rows = [next(r for r in a["rows"] if r["name"] == "flat") for a in data["answers"]]
        return json.dumps([data["curves"][2], [(row["raw"], row["knob"]) for row in rows]])

    comparison = rt.compare(truth, models, arm="regression")
    _, constant = cells_of_models(comparison.problem, comparison.predictions, 10)
    cuts = -constant.cells.cuts[::-1]
    at = int(np.searchsorted(cuts, np.median(truth)))
    inside = np.linspace(cuts[at - 1], cuts[at], 7)[1:-1]
    assert len({told(value) for value in inside}) == 1
    monkeypatch.setattr("roctopus.report.settings.Settings.hides", lambda self, name: False)
    assert len({told(value) for value in inside}) > 1


def ordinal_scores(inside):
    """Return grades with scores whose group around 0.5 lies below that threshold, or above."""
    rng = np.random.default_rng(2)
    truth = np.repeat([0.0, 1.0, 2.0], 20)
    score = truth + 0.6 * rng.normal(size=60)
    made = Attacked("ordinal", truth, {"a": score}, 10, None)
    cells, _ = cells_of_models(made.comparison().problem, made.models, 10)
    cuts = cells["a"].cells.cuts
    at = int(np.searchsorted(cuts, 0.5, side="right"))
    mine = np.flatnonzero((score >= cuts[at - 1]) & (score < cuts[at]))
    assert cuts[at - 1] < 0.5 < cuts[at]
    assert len(mine) >= 10
    score[mine] = cuts[at - 1] + inside * (cuts[at] - cuts[at - 1])
    return made


@pytest.mark.parametrize("arm", ["probability", "ordinal"])
def test_intervals_of_models_as_they_are_do_not_divide_groups(arm, monkeypatch):
    """The width of an interval counts the cases on each side of a threshold as its middle does."""

    def told(made):
        answers = attacks.unpacked(attacks.data_in(made.page()))["answers"]
        raw = [each["text"]["raw"] for each in answers if each["text"]["raw"]]
        ends = [(each["value"], each["low"], each["high"]) for each in raw]
        assert len(ends) > 3
        return ends, [[row["raw"] for row in each["rows"]] for each in answers]

    if arm == "probability":
        pair = [with_scores_at_one_end(upper) for upper in (False, True)]
    else:
        pair = [ordinal_scores(inside) for inside in (0.02, 0.98)]
    own = {
        name: cells_of_models(each.comparison().problem, each.models, 10)[0]["a"].cells.cuts
        for name, each in zip("ab", pair, strict=True)
    }
    np.testing.assert_array_equal(own["a"], own["b"])

    assert told(pair[0]) == told(pair[1])
    monkeypatch.setattr(
        "roctopus.concepts.ranked_cells.RankedCells.grouped", lambda self, prediction: None
    )
    assert told(pair[0]) != told(pair[1])


def test_whether_scores_are_grades_is_what_groups_tell(monkeypatch):
    """Exact quantiles of scores would show on which side of a number many of them are."""

    def told():
        """Return, for each way to group the cases, what is known of models as they are."""
        found = {}
        for end in (2.3, 2.6, 2.9, 3.0, 3.1, 3.4, 3.8):
            made = ordinal_scores(0.5)
            score = made.models["a"]
            score[np.argsort(score)[-8:]] = end
            cells, _ = cells_of_models(made.comparison().problem, made.models, 10)
            groups = cells["a"].cells.cuts.tolist(), [x.counts.tolist() for x in cells["a"].classes]
            answers = attacks.data_in(made.page())["answers"]
            raw = [row["raw"] is None for each in answers for row in each["rows"]]
            found.setdefault(json.dumps(groups), set()).add(tuple(raw))
        return found

    assert {len(each) for each in told().values()} == {1}
    monkeypatch.setattr(
        "roctopus.concepts.ranked_cells.RankedCells.grouped", lambda self, prediction: None
    )
    assert {len(each) for each in told().values()} != {1}


def test_no_warning_counts_cases_at_the_exact_setting():
    rng = np.random.default_rng(0)
    worth = rng.normal(size=300)
    table = {"value": worth, "day": np.arange(300) // 20, "a": worth + rng.normal(size=300)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        comparison = rt.compare(
            "value",
            pd.DataFrame(table),
            models=["a"],
            arm="impact",
            utility=rt.value_times_price,
            at_most=8,
            per="day",
        )
        page = make_page(comparison, theta=1.0, min_cases=10, progress=False)
        exact = comparison.decide(theta=1.0).warnings
    (said,) = [each for each in exact if "average period" in each]
    assert said not in page
    assert "average period" not in str(
        [each["text"]["warnings"] for each in attacks.unpacked(attacks.data_in(page))["answers"]]
    )


def test_weights_do_not_tell_that_cases_lie_on_a_border(monkeypatch):
    """The mean of an inner group stays away from its borders, however light its cases are."""
    rng = np.random.default_rng(1)
    error = rng.normal(0.0, 3.0, 400)
    error[(error >= 2.0) & (error < 4.0)] = 3.97
    error[(error >= -4.0) & (error < -2.0)] = -2.03
    truth, weight = rng.normal(50.0, 9.0, 400), rng.uniform(0.5, 1.9, 400)

    def ends():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = rt.compare(truth, {"a": truth + error}, arm="regression", sample_weight=weight)
        cells, _ = cells_of_models(made.problem, made.predictions, 10)
        found = cells["a"]
        there = np.flatnonzero(found.masses.counts)[1:-1]
        whole = (found.masses.middle * found.cells.width)[there]
        return found.beyond.middle[there] / whole

    assert ends().min() > 0.2
    assert ends().max() < 0.8
    monkeypatch.setattr("roctopus.regression.cells.MIDDLE", 0.0)
    assert ends().max() > 0.9


def test_which_answers_are_shown_is_one_bit():
    """Which of them a case dominates would tell how much it adds: all are shown, or one."""
    told = set()
    for size in (5.0, 20.0, 50.0, 60.0, 75.0, 90.0, 300.0):
        rng = np.random.default_rng(0)
        truth = rng.normal(100.0, 9.0, 800)
        prediction = truth + rng.normal(0.0, 4.0, 800)
        prediction[5] = truth[5] + size
        page = Attacked("regression", truth, {"a": prediction}, 10, None).page()
        told.add(len(attacks.data_in(page)["answers"]))
    assert told == {1, 9}


def test_accepting_nobody_gains_nothing_whatever_is_rounded():
    made = attacked("impact", 300, 0, rounded=False, heavy=True, least=10)
    for answer in attacks.data_in(made.page())["answers"]:
        (nobody,) = [row for row in answer["rows"] if row["name"] == "nobody"]
        assert (nobody["value"], nobody["low"], nobody["high"]) == (0.0, 0.0, 0.0)
