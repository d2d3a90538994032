"""An arm of another package goes all the way: nothing in roctopus knows it by name."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pages import Opened
from program import run
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus.arms import find_arm, known_arms

FOLDER = Path(__file__).parent / "sixth_arm"
LATE = 4.0


@pytest.fixture(autouse=True)
def _installed(monkeypatch):
    """Lay the package on the path: its metadata are found as those of an installed one."""
    monkeypatch.syspath_prepend(str(FOLDER))
    known_arms.cache_clear()
    yield
    known_arms.cache_clear()


def windows(seed=0, size=300):
    """Return opening and closing times, and two models that predict the opening."""
    rng = np.random.default_rng(seed)
    opens = rng.normal(600.0, 60.0, size)
    times = np.stack([opens, opens + rng.gamma(2.0, 10.0, size)], axis=1)
    sharp, blunt = opens + rng.normal(5.0, 15.0, size), opens + rng.normal(-10.0, 25.0, size)
    return times, {"sharp": sharp, "blunt": blunt}


def cost(times, prediction, shift, patience):
    """Return the mean cost, by its definition."""
    total = 0.0
    for (opens, closes), when in zip(times, prediction + shift, strict=True):
        total += max(opens - when, 0.0) + LATE * max(when - closes - patience, 0.0)
    return total / len(times)


def compared(seed=0, **more):
    times, models = windows(seed)
    return rt.compare(times, models, arm="window", late_cost=LATE, **more)


def test_it_is_found_by_its_entry_point():
    assert list(known_arms())[-1] == "window"
    with pytest.raises(rt.InputError, match="'impact', 'window', but is 'windows'"):
        find_arm("windows")


def test_it_is_small():
    lines = [len(p.read_text().splitlines()) for p in sorted(FOLDER.rglob("*")) if p.is_file()
             and p.suffix in (".py", ".txt")]  # fmt: skip
    assert sum(lines) <= 450


@pytest.mark.parametrize("patience", [0.0, 5.0, 30.0])
def test_a_decision_is_that_of_brute_force(patience):
    times, models = windows()
    decision = compared().decide(patience=patience)
    prediction = models[decision.model]
    shifts = np.unique(
        np.concatenate([times[:, 0] - prediction, times[:, 1] - prediction + patience])
    )
    best = min(cost(times, prediction, shift, patience) for shift in shifts)
    assert decision.in_sample == pytest.approx(best, rel=1e-12)
    assert cost(times, prediction, decision.knob[0], patience) == pytest.approx(best, rel=1e-12)
    assert decision.in_sample <= decision.value


def test_ranges_distributions_and_regret_are_those_of_brute_force():
    times, models = windows()
    comparison, sharp = compared(), models["sharp"]
    shifts = np.linspace(-30.0, 20.0, 201)
    worst = comparison.decide(between=(0.0, 20.0))
    assert worst.in_sample <= min(cost(times, sharp, s, 0.0) for s in shifts) + 1e-9
    points = (np.arange(200) + 0.5) / 200 * 30.0
    spread = comparison.decide(distribution=rt.Uniform(0.0, 30.0))
    mean = [
        np.mean([cost(times[:60], sharp[:60], s, x) for x in points[::10]]) for s in shifts[::10]
    ]
    few = rt.compare(times[:60], {"sharp": sharp[:60]}, arm="window", late_cost=LATE)
    found = few.decide(distribution=rt.Empirical(points[::10]))
    assert found.in_sample <= min(mean) + 1e-9
    assert spread.model == "sharp"
    regret = comparison.decide(between=(0.0, 20.0), criterion="regret")
    assert 0.0 <= regret.in_sample <= worst.in_sample
    with pytest.raises(rt.InputError, match="'late' is not an argument here"):
        comparison.decide(late=3)


@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about")
def test_all_verbs():
    comparison, later = compared(), compared(seed=1)
    table = comparison.table(patience=5.0, measures="all", backend="pandas")
    assert list(table["model"]) == ["sharp", "blunt"]
    assert table["window_error"][0] == pytest.approx(cost(*_of("sharp"), 0.0, 5.0), rel=1e-12)
    regions = comparison.regions(between=(0.0, 40.0))
    assert {region.model for region in regions} == {"sharp"}
    knowing = comparison.value_of_knowing(rt.Uniform(0.0, 30.0))
    assert knowing.worth_low < knowing.worth < knowing.worth_high < knowing.frozen.value
    decision = comparison.decide(patience=5.0)
    assert later.check(decision).holds
    spread = comparison.decide(distribution=rt.Uniform(0.0, 30.0))
    assert later.check(spread, distribution=rt.Uniform(0.0, 30.0)).holds
    replayed = comparison.backtest(time=np.arange(300) // 15, patience=5.0)
    assert set(replayed.outcomes) == {"untuned", "frozen", "retuned", "oracle"}
    assert rt.estimate("window_error", *_of("sharp"), patience=5.0).standard_error > 0.0


def _of(model):
    times, models = windows()
    return times, models[model]


@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about")
def test_each_case_in_its_own_context():
    times, models = windows()
    own = np.random.default_rng(2).uniform(0.0, 30.0, len(times))
    comparison = compared(context=own)
    decision = comparison.decide()
    shifts = np.linspace(-40.0, 40.0, 401)

    def mean(shift):
        when = models["sharp"] + shift
        late = np.maximum(when - times[:, 1] - own, 0.0)
        return float(np.mean(np.maximum(times[:, 0] - when, 0.0) + LATE * late))

    assert decision.in_sample <= min(map(mean, shifts)) + 1e-9
    assert decision.in_sample == pytest.approx(mean(decision.knob[0]), rel=1e-12)
    assert comparison.decide(hybrid=True).regions
    assert len(comparison.backtest(time=np.arange(300) // 15).outcomes) == 7


def test_deployed_it_makes_the_decisions_that_were_judged(tmp_path):
    times, models = windows()
    decision = compared().decide(patience=5.0)
    decision.to_json(tmp_path / "decision.json")
    again = rt.Decision.from_json(tmp_path / "decision.json")
    X = models["sharp"][:, None]
    ready = again.deploy({"sharp": LinearRegression().fit(X, models["sharp"])})
    assert cost(times, ready.predict(X), 0.0, 5.0) == pytest.approx(decision.in_sample, rel=1e-9)


def test_its_picture_and_its_page(tmp_path, chrome):
    comparison = compared()
    display = comparison.plot(context=5.0, low=0.0, high=60.0)
    assert display.ax_.get_xlabel().startswith("patience")
    with pytest.raises(
        rt.InputError, match=r"cannot be made for the arm 'window'\. Use exact=True"
    ):
        comparison.to_html(tmp_path / "page.html", patience=5.0)
    comparison.to_html(tmp_path / "page.html", exact=True, patience=5.0)
    opened = Opened(chrome, tmp_path / "page.html")
    assert "sharp" in opened.page.inner_text(".view:not([hidden]) .headline")
    assert "patience" in opened.page.inner_text("body")
    assert opened.page.locator(".view:not([hidden]) svg").count() >= 2
    opened.close()


def files(folder):
    times, models = windows()
    columns = {"opens": times[:, 0], "closes": times[:, 1], **models}
    pq.write_table(pa.table(columns), folder / "visits.parquet")
    return folder / "visits.parquet"


def test_beyond_memory_its_bounds_hold(tmp_path):
    path, comparison = files(tmp_path), compared()
    truth, more = ["opens", "closes"], {"models": ["sharp", "blunt"], "late_cost": LATE}
    scanned = rt.compare(truth, path, arm="window", mode="grid", buckets=256, **more)
    for name, curve in scanned.curves().items():
        for patience in (0.0, 3.0, 17.0):
            exact = comparison.problem.tune(
                comparison.predictions[name], np.array([patience]), np.zeros(1)
            ).chosen
            best = cost(*_of(name), exact[0], patience)
            assert curve.lower.at(patience) - 1e-9 <= best <= curve.upper.at(patience) + 1e-9
    found, whole = scanned.decide(patience=5.0), comparison.decide(patience=5.0)
    assert found.model == whole.model
    assert found.in_sample == pytest.approx(whole.in_sample, rel=0.01)
    assert found.data == whole.data
    for aim in ({"between": (0.0, 20.0)}, {"distribution": rt.Uniform(0.0, 30.0)}):
        assert scanned.decide(**aim).model == "sharp"
    in_memory = rt.compare(truth, path, arm="window", **more)
    assert in_memory.decide(patience=5.0).to_json() == whole.to_json()


def test_the_command_line_knows_its_words(tmp_path):
    files(tmp_path)
    said = ("visits.parquet", "--arm", "window", "--truth", "opens,closes", "--late-cost", "4")
    asked = (*said, "--models", "sharp", "blunt", "--patience", "5")
    done = run("compare", *asked, "--json", "--decision", "d.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answer, whole = json.loads(done.stdout), compared().decide(patience=5.0)
    assert answer["decision"]["value"] == pytest.approx(whole.value, rel=1e-12)
    checked = run(
        "check", "d.json", "visits.parquet", "--truth", "opens,closes", "--models", "sharp",
        cwd=tmp_path,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stderr
    assert "--patience" in run("compare", "--help", cwd=tmp_path).stdout
    wrong = run("compare", *said, "--models", "sharp", "--patience", "soon", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "--patience must be a number, but is 'soon'" in wrong.stderr.replace("\n", " ")
    scanned = run("compare", *asked, "--mode", "grid", "--json", cwd=tmp_path)
    assert json.loads(scanned.stdout)["decision"]["model"] == "sharp"
