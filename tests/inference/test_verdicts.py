"""The simulation of verdicts: its worlds know the truth, its cells run, and what is done stays."""

import numpy as np
import pytest
from benchmarks.verdict_tables import Cell, finished, report
from benchmarks.verdicts import SPREADS, cells, simulate
from benchmarks.worlds import WORLDS

import roctopus as rt


@pytest.mark.parametrize("arm", WORLDS)
def test_worlds_know_what_settings_are_worth(arm):
    world, size = WORLDS[arm], 20_000
    sample = world.sample(np.random.default_rng(1), size, np.array([world.noise]))
    comparison = rt.compare(*sample, arm=arm, **world.options)
    problem, aim = comparison.aim(None, None, None, dict(world.context))
    (prediction,) = sample.predictions.values()
    for rows in (100, size):
        part = problem.take(np.arange(rows))
        knob = part.tune(prediction[:rows], aim.contexts, np.zeros(1)).chosen
        outcomes = problem.outcomes(prediction, knob, float(aim.contexts[0]))
        error = outcomes.std() / np.sqrt(size)
        assert world.value(world.cuts(knob), world.noise) == pytest.approx(
            outcomes.mean(), abs=4.0 * error
        )
    # The last knob was tuned on many cases: it is nearly the best.
    assert world.value(world.cuts(knob), world.noise) == pytest.approx(
        world.best(world.noise), abs=2.0 * error
    )


@pytest.mark.parametrize("arm", WORLDS)
def test_models_are_as_far_apart_as_asked(arm):
    world = WORLDS[arm]
    wanted = world.least + np.array([-0.2, 0.0, 0.1]) * abs(world.least)
    noises = world.noise_for(wanted)
    found = [world.sign * world.best(each) for each in noises]
    assert found == pytest.approx(wanted, rel=2e-3)
    assert world.losses_of(noises) == pytest.approx(wanted)


def test_cells_cover_every_level_of_every_factor():
    every = cells()
    apart = [cell for cell in every if cell.design == "apart"]
    assert len(set(every)) == len(every)
    assert len(apart) == 40
    for arm in WORLDS:
        mine = [cell for cell in apart if cell.arm == arm]
        for factor in ("size", "models", "level"):
            counts = np.unique([getattr(cell, factor) for cell in mine], return_counts=True)[1]
            assert sorted(counts) == [2, 3, 3]
        drawn = {cell.level for cell in every if cell.design == "drawn" and cell.arm == arm}
        assert drawn == set(SPREADS)


def test_what_was_simulated_is_not_simulated_again(tmp_path, capsys):
    file = tmp_path / "verdicts.jsonl"
    some = [
        Cell("apart", "impact", 60, 2, 0.1),
        Cell("drawn", "probability", 60, 3, 1.0),
        Cell("shuffled", "regression", 60, 3, 0.0),
    ]
    simulate(file, some[:2], 4, map)
    first = finished(file)
    simulate(file, some, 4, map)
    done = finished(file)
    assert list(done) == some
    assert all(done[cell] == first[cell] for cell in some[:2])
    assert capsys.readouterr().out.count("done:") == 3
    assert all(s["verdict"] == "no model" for s in done[some[2]])
    for sample in done[some[1]]:
        assert sum(sample["chances"]) == pytest.approx(1.0)
        assert 0.0 <= sample["worth"] <= sample["stake"]
    report(done)
    printed = capsys.readouterr().out
    assert "| impact | 60 | 2 | 10 % |" in printed
    assert "| regression | 60 |" in printed


def test_a_wild_rival_does_not_move_a_value():
    rng = np.random.default_rng(0)
    y = rng.normal(0.0, 1.0, 300)
    models = {name: y + rng.normal(0.0, 0.3, 300) for name in ("tame", "wild")}
    models["wild"][7] += 1e6
    answer = rt.compare(y, models, arm="regression").answer(under_cost=3, over_cost=1)
    alone = rt.compare(y, {"tame": models["tame"]}, arm="regression")
    own = alone.answer(under_cost=3, over_cost=1).decision
    row = next(row for row in answer.rows if row.name == "tame")
    assert row.value == pytest.approx(own.value, rel=0.05)
    assert row.high < 2.0 * own.high
