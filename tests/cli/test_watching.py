"""A decision watched from the command line: exit codes, the state between checks, and its page."""

import json
import os
import re
import subprocess
import tempfile
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from program import PROGRAM, refusal, refused_here, run_here, run_program, write

import roctopus as rt
from roctopus.cli.schemas import read_schema
from roctopus.monitoring.looking import measure
from roctopus.monitoring.states import read_state
from roctopus.monitoring.watching import WatchState

TRUTH = ("--truth", "y")


def week(seed, size=200, shift=0.0, noise=0.0, shares=(8.0, 2.0)):
    """Return new cases: truths move by ``shift``, predictions get worse by ``noise``."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, size)
    return {
        "y": y + shift,
        "a": y + rng.normal(0, 6, size) + rng.normal(0, 1, size) * noise,
        "b": y + rng.normal(-2, 3, size) + rng.normal(0, 1, size) * noise,
        "share": rng.beta(*shares, size),
    }


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Work in a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def folder(tmp_path):
    """A decision, and cases to check it on."""
    old = week(0, 1000)
    comparison = rt.compare(old["y"], {m: old[m] for m in "ab"}, arm="regression")
    comparison.decide(under_cost=4, over_cost=1).to_json(tmp_path / "d.json")
    comparison.decide(between=(0.6, 0.9), criterion="regret").to_json(tmp_path / "regret.json")
    write(tmp_path / "new.parquet", week(1))
    return tmp_path


def looks_of(path):
    return read_state(path, rt.Decision.from_json("d.json")).value.looks


class Page(HTMLParser):
    """What a page is made of: tags that fit, and what they would load."""

    VOID = ("meta", "link", "path", "rect", "circle")

    def __init__(self, text):
        super().__init__()
        self.open, self.loads, self.text, self.tags = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        found = [value for name, value in attributes if name in ("src", "href", "xlink:href")]
        self.loads += [value for value in found if value != "data:,"]
        assert not any(name == "style" or name.startswith("on") for name, _ in attributes)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_ten_weeks(folder):
    codes, looks = [], []
    for number in range(1, 11):
        write(folder / f"w{number}.parquet", week(number, shift=0.0 if number < 6 else 2.5))
        said = ("check", "d.json", f"w{number}.parquet", *TRUTH, "--state", "s.json")
        code, out, told = run_here(*said, "-o", "check.html", "--json")
        assert told == ""
        found = json.loads(out)
        jsonschema.validate(found, read_schema("check"))
        assert found["schema_version"] == 2
        assert found["watch"]["horizon"] == 52
        codes.append(code)
        looks.append(found["watch"]["looks"])
        parts = found["diagnosis"]
        total = sum(parts[name]["loss"] for name in ("context", "knob", "model"))
        assert total == pytest.approx(parts["change"], abs=1e-9)
    assert codes[:5] == [0] * 5
    assert codes[-1] == 3
    assert sorted(set(codes)) == [0, 3]
    assert codes == sorted(codes)
    assert looks == list(range(1, 11))
    assert found["watch"]["cases"] == 2000
    firsts = [found["watch"][name] for name in ("worse", "stale")]
    assert min(look for look in firsts if look is not None) == codes.index(3) + 1
    assert found["advice"] == "retune"
    text = (folder / "check.html").read_text()
    page = Page(text)
    assert page.loads == []
    assert not any(sign in text for sign in ("http:", "https:", "//", "url(", "@import", "<script"))
    assert found["advice_sentence"] in page.text
    assert len(text) < 100_000
    # The same from Python.
    decision = rt.Decision.from_json("d.json")
    new = week(10, shift=2.5)
    comparison = rt.compare(new["y"], {"b": new["b"]}, arm="regression")
    with pytest.warns(rt.RoctopusWarning, match="checked before"):
        again = comparison.check(decision, state="s.json")
    assert again.sentence == found["sentence"]
    again.to_html("again.html")
    assert (folder / "again.html").read_text() == text


def test_what_people_see(folder):
    write(folder / "moved.parquet", week(3, shift=6.0))
    code, out, told = run_here("check", "d.json", "moved.parquet", *TRUTH, "-m", "a", "b")
    assert code == 3
    assert all(line.startswith("Note: Neighbouring rows") for line in told.splitlines())
    lines = out.splitlines()
    decision = rt.Decision.from_json("d.json")
    new = week(3, shift=6.0)
    found = rt.compare(new["y"], {m: new[m] for m in "ab"}, arm="regression").check(decision)
    assert found.sentence.startswith(lines[0])
    assert "no longer holds: on 200 new cases" in lines[0]
    assert [line.strip()[2:] for line in lines[1:4]] == [each.sentence for each in found.findings]
    assert [line.strip()[0] for line in lines[1:4]] == ["✗", "✗", "✓"]
    knob = next(line for line in lines if "shift out of date" in line)
    assert f"{found.diagnosis.knob.loss:+.3g}" in knob
    assert f"{round(100 * found.diagnosis.recovers)} %" in knob
    assert "██████████" in knob
    assert lines[-1] == found.advice_sentence
    code, out, _ = run_here("check", "d.json", "new.parquet", *TRUTH, "--state", "s.json")
    assert code == 0
    assert "No action needed." in out
    assert "1 look so far, 200 cases." in out
    assert "share" not in out  # of what is but chance


@pytest.mark.parametrize(
    ("kind", "new", "code"),
    [
        ("retrain", {"noise": 9.0}, 1),
        ("accept", {"shares": (4.0, 2.0)}, 4),
    ],
)
def test_other_advice(tmp_path, kind, new, code):
    write(tmp_path / "old.parquet", week(0, 1000))
    write(tmp_path / "new.parquet", week(1, 400, **new))
    said = ("--arm", "regression", "--context-column", "share", *TRUTH)
    made = run_here("compare", "old.parquet", *said, "-m", "b", "--decision", "d.json")
    assert made[0] == 0, made
    asked = ("check", "d.json", "new.parquet", *said[2:], "-o", "c.html", "--json")
    found = run_here(*asked)
    assert found[0] == code, found
    assert json.loads(found[1])["advice"] == kind
    jsonschema.validate(json.loads(found[1]), read_schema("check"))
    assert f'<h1 class="{kind}">' in (tmp_path / "c.html").read_text()


@pytest.mark.newest
def test_the_program_itself(folder):
    """As people run it: exit code, note, and help in a process of their own."""
    said = ("check", "d.json", "new.parquet", *TRUTH, "--state", "s.json")
    first = run_program(*said, cwd=folder)
    assert first.returncode == 0, first.stderr
    before = (folder / "s.json").read_bytes()
    again = run_program(*said, cwd=folder)
    assert again.returncode == 0
    assert again.stderr == (
        "Note: These cases have been checked before, so the state stays as it was.\n"
    )
    assert again.stdout == first.stdout
    assert (folder / "s.json").read_bytes() == before
    told = run_program("check", "--help", cwd=folder).stdout
    assert "Exit codes: 0 no action needed" in " ".join(told.split())
    assert "5 answered, and recorded in the --state" in " ".join(told.split())
    assert "--state" in told
    refusal(*said[:-1], "no/where.json", cwd=folder, by=run_program)


def test_states_that_cannot_be_used(folder):
    said = ("check", "d.json", "new.parquet", *TRUTH, "--state")
    assert run_here(*said, "s.json")[0] == 0
    text = (folder / "s.json").read_text()
    body = json.loads(text)
    old = week(0, 1000)
    other = rt.compare(old["y"], {"b": old["b"]}, arm="regression").decide(asymmetry=0.6)
    other.to_json("other.json")
    told = refused_here("check", "other.json", "new.parquet", *TRUTH, "--state", "s.json")
    assert "'s.json' is the state of another decision" in told
    for wrong, why in (
        (json.dumps({**body, "schema_version": 3}), "Install a newer version of roctopus"),
        (json.dumps({**body, "cases": 7}), "was edited after it was written"),
        (json.dumps({**body, "more": 7}), "'more' is unknown"),
        ("look 1: fine", "is not the state of a decision"),
        ("", "is not the state of a decision"),
        ("[1, 2]", "the key 'schema_version' is missing"),
    ):
        (folder / "wrong.json").write_text(wrong)
        assert why in refused_here(*said, "wrong.json")
        assert (folder / "wrong.json").read_text() == wrong
    (folder / "dir").mkdir()
    assert "it is a folder" in refused_here(*said, "dir")
    assert "there is no folder" in refused_here(*said, "no/where.json")
    for taken in ("d.json", "new.parquet"):
        assert "already used" in refused_here(*said, taken)
    assert "already used" in refused_here(*said, "s.json", "-o", "s.json")
    told = refused_here("check", "regret.json", "new.parquet", *TRUTH, *said[-1:], "r.json")
    assert "minimises regret" in told
    assert (folder / "s.json").read_text() == text
    assert not (folder / "r.json").exists()


@pytest.mark.parametrize("where", ["state", "page"])
def test_what_cannot_be_written_leaves_the_old_files_whole(folder, monkeypatch, where):
    said = ("check", "d.json", "new.parquet", *TRUTH, "--state", "s.json", "-o", "c.html")
    assert run_here(*said)[0] == 0
    write(folder / "next.parquet", week(2))
    said = ("check", "d.json", "next.parquet", *said[3:])
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    target = folder / ("s.json" if where == "state" else "c.html")
    replace = Path.replace

    def broken(error):
        def do(self, new):
            if Path(new).name == target.name:
                raise error
            return replace(self, new)

        return do

    full = OSError(28, "No space left on device")
    for error, code in ((KeyboardInterrupt(), 130), (full, 2 if where == "state" else 5)):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", broken(error))
            assert run_here(*said)[0] == code
        after = {each.name: each.read_bytes() for each in folder.iterdir()}
        changed = {name for name in after if after[name] != before.get(name)}
        # A page that cannot be written comes after the look: the state has it, whole.
        assert changed == (set() if where == "state" else {"s.json"})
    assert looks_of("s.json") == (1 if where == "state" else 2)

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied", str(target))

    if where == "state":
        with monkeypatch.context() as patch:
            patch.setattr(tempfile, "mkstemp", denied)
            assert "Permission denied. No file was left half written." in refused_here(*said)
    code, _, told = run_here(*said)
    assert code == 0
    assert ("checked before" in told) == (where == "page")
    assert looks_of("s.json") == 2


def test_a_page_that_fails_loses_neither_look_nor_answer(folder, monkeypatch):
    said = ("check", "d.json", "new.parquet", *TRUTH, "--state", "s.json", "-o", "c.html")

    def fails(*_, **__):
        raise RuntimeError("no ink")

    with monkeypatch.context() as patch:
        patch.setattr("roctopus.cli.check.write_check_page", fails)
        code, out, told = run_here(*said)
    assert code == 5
    assert "No action needed." in out
    assert "1 look so far, 200 cases." in out
    assert "Written" not in out
    assert "RuntimeError: no ink" in told
    assert told.endswith("The answer itself is complete.\n")
    assert told.count("\n") == 1
    assert looks_of("s.json") == 1
    code, out, told = run_here(*said)  # again: the same look, and its page
    assert code == 0
    assert "checked before" in told
    assert "Written: c.html" in out
    assert looks_of("s.json") == 1


def test_a_page_that_cannot_be_written_is_refused_before_the_look(folder, monkeypatch):
    said = ("check", "d.json", "new.parquet", *TRUTH, "--state", "s.json", "-o")
    assert "there is no folder" in refused_here(*said, "no/c.html")
    assert "it is a folder" in refused_here(*said, ".")
    allowed = os.access
    (folder / "locked").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: "locked" not in str(path)
                        and allowed(path, mode))  # fmt: skip
    assert "permission denied" in refused_here(*said, "locked/c.html")
    assert not (folder / "s.json").exists()


@pytest.mark.newest
def test_an_answer_that_nobody_can_keep(folder):
    """Standard output on a full disk: the look is recorded, and the exit code says what is not."""
    said = f"{PROGRAM} check d.json new.parquet --truth y --state s.json > /dev/full"
    done = subprocess.run(said, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 5
    assert done.stderr == (
        "roctopus: 'standard output': No space left on device. No file was left half written. The "
        "answer itself is complete.\n"
    )
    assert looks_of("s.json") == 1


def test_neither_state_nor_page_holds_a_row(folder):
    said = ("check", "d.json", "new.parquet", *TRUTH, "--context-column", "share")
    assert run_here(*said, "--state", "s.json", "-o", "c.html")[0] in (0, 3, 4)
    new = week(1)
    knob = json.loads((folder / "d.json").read_text())["knob"][0]
    rows = np.concatenate([*new.values(), new["y"] - new["b"], new["y"] - new["b"] - knob])
    known = {f"{value:.6g}" for value in np.abs(rows)}
    for name in ("s.json", "c.html"):
        told = re.findall(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?", (folder / name).read_text())
        told = [each for each in told if len(each.lstrip("0.").replace(".", "")) >= 6]
        assert known.isdisjoint(f"{float(each):.6g}" for each in told)
        assert len(told) > 20 or name == "c.html"


def test_many_looks_stay_small(folder):
    decision, new = rt.Decision.from_json(folder / "d.json"), week(1, 60)
    comparison = rt.compare(new["y"], {"b": new["b"]}, arm="regression")
    look = measure(comparison, decision)
    state = WatchState.open(folder / "s.json", decision)
    for number in range(400):
        state = state.add(decision, look, f"{number:04x}".rjust(32, "0")[::-1])
    state.to_json(folder / "s.json")
    code, _, _ = run_here(
        "check", "d.json", "new.parquet", *TRUTH, "--state", "s.json", "-o", "c.html"
    )
    assert code in (0, 1, 3)
    assert os.path.getsize("s.json") < 64_000
    assert os.path.getsize("c.html") < 100_000
    assert looks_of("s.json") == 401
    assert Page((folder / "c.html").read_text()).loads == []


def test_a_new_setting_is_written_and_goes_on_with_the_same_state(folder):
    number, code = 0, 0
    while code != 3:
        number += 1
        write(folder / f"w{number}.parquet", week(number, shift=6.0))
        said = (f"w{number}.parquet", *TRUTH, "--state", "s.json", "--retuned", "new.json")
        code, out, told = run_here("check", "d.json", *said)
        assert ("Written: new.json" in out) == (folder / "new.json").exists()
        assert ("so 'new.json' was not written" in told) != (folder / "new.json").exists()
        assert number < 9
    old, new = rt.Decision.from_json("d.json"), rt.Decision.from_json("new.json")
    jsonschema.validate(json.loads((folder / "new.json").read_text()), read_schema("decision"))
    assert new.knob[0] > old.knob[0] + 3.0
    assert new.origin
    for later in range(number + 1, number + 4):
        write(folder / f"w{later}.parquet", week(later, shift=6.0))
        said = (f"w{later}.parquet", *TRUTH, "--state", "s.json", "--json")
        code, out, _ = run_here("check", "new.json", *said)
        found = json.loads(out)
        jsonschema.validate(found, read_schema("check"))
        assert found["watch"]["looks"] == later
        assert found["holds"]
        move = found["watch"]["advised"]  # what is left to gain is small
        assert code == (0 if move is None else 3)
        assert move is None or move["gain"] < 2.0 * new.tolerance
    assert found["value"] < 6.0  # it was more than 8 with the old setting
    assert found["watch"]["saved"] > 0.0


def test_a_single_check_writes_what_it_advises(folder):
    write(folder / "moved.parquet", week(3, shift=6.0))
    said = ("check", "d.json", "moved.parquet", *TRUTH, "--retuned", "new.json")
    code, out, _ = run_here(*said, "-o", "c.html")
    assert code == 3
    assert out.endswith("Written: c.html, new.json\n")
    again = rt.Decision.from_json("new.json")
    new = week(3, shift=6.0)
    decision = rt.Decision.from_json("d.json")
    found = rt.compare(new["y"], {"b": new["b"]}, arm="regression").check(decision)
    assert again == found.retuned
    before = (folder / "new.json").read_bytes()
    code, out, told = run_here("check", "d.json", "new.parquet", *TRUTH, *said[-2:])
    assert code == 0
    assert told == "Note: No new setting is advised, so 'new.json' was not written.\n"
    assert (folder / "new.json").read_bytes() == before


def test_a_new_setting_that_cannot_be_written(folder, monkeypatch):
    write(folder / "moved.parquet", week(3, shift=6.0))
    said = ("check", "d.json", "moved.parquet", *TRUTH, "--state", "s.json", "--retuned")
    assert "there is no folder" in refused_here(*said, "no/new.json")
    assert "it is a folder" in refused_here(*said, ".")
    for taken in ("d.json", "moved.parquet", "s.json"):
        assert "already used" in refused_here(*said, taken)
    assert not (folder / "s.json").exists()

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(rt.Decision, "to_json", full)
        code, out, told = run_here(*said[:5], "--retuned", "new.json")
    assert code == 5
    assert "Re-tune to" in out
    assert "No space left on device" in told
    assert not (folder / "new.json").exists()
    assert "--retuned has no effect" in refused_here(
        "check", "d.json", "new.parquet", "--without-truth", "--retuned", "new.json"
    )
