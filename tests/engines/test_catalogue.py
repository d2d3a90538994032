"""Text files as people have them are read rightly, or asked about."""

import datetime
import math

import catalogue
import numpy as np
import pytest

import roctopus as rt
from roctopus.concepts.times import read_times
from roctopus.core.errors import InputError, collected_warnings
from roctopus.engines import Files, Roles, numbers, values

OPTIONS = {name: f"--{name}" for name in ("decimal", "thousands", "dates", "encoding", "delimiter")}


def role(file, name):
    first = file.means[name][0]
    if isinstance(first, datetime.datetime) or name == "day":
        return "time"
    return "name" if name in file.names or isinstance(first, str) else "number"


def read(file, folder):
    """Return the columns of a file as it is read, and what is said of it."""
    (folder / file.name).write_bytes(file.content)
    source = Files([str(folder / file.name)], **file.said)
    roles = {name: role(file, name) for name in file.means}
    kinds = {kind: frozenset(n for n in roles if roles[n] == kind) for kind in ("name", "time")}
    source.roles = Roles(kinds["name"], kinds["time"], numbers=frozenset(roles))
    with collected_warnings(OPTIONS) as notes:
        table = source.read(list(file.means))
        found = {}
        with source.naming_rows():
            for name, kind in roles.items():
                if kind == "number":
                    found[name] = numbers(table, name)
                else:
                    found[name] = values(table, name)
                    if kind == "time":
                        found[name] = read_times(found[name], None).values
    return found, " ".join(notes)


def same(found, means):
    if isinstance(means[0], datetime.datetime):
        return found.astype("M8[us]").tolist() == means
    if isinstance(means[0], str) or found.dtype.kind == "i":
        return list(found) == list(means)
    expected = [math.nan if each is None else each for each in means]
    return len(found) == len(expected) and np.allclose(found, expected, 1e-12, 0, equal_nan=True)


@pytest.mark.parametrize("file", catalogue.catalogue(), ids=lambda file: file.name)
def test_a_file_is_read_as_it_is_meant(file, tmp_path):
    if file.asked:
        with pytest.raises(InputError) as refused:
            read(file, tmp_path)
        told = refused.value.said(OPTIONS)
        assert [part for part in file.asked if part not in told] == [], told
        return
    found, notes = read(file, tmp_path)
    for name, means in file.means.items():
        assert same(found[name], means), (name, found[name], means)
    assert [part for part in file.noted if part not in notes] == [], notes
    assert bool(notes) == bool(file.noted), notes


def test_totals_are_not_read_as_cases_beyond_memory(tmp_path):
    named = catalogue.cells(catalogue.WHOLE)
    sums = [f"{sum(column):.2f}" for column in catalogue.WHOLE.values()]
    for first, last in ((["k"] * catalogue.ROWS, "Total"), ([""] * catalogue.ROWS, "")):
        path = tmp_path / "x.csv"
        path.write_text(catalogue.text({"n": first, **named}, below=",".join([last, *sums]) + "\n"))
        asked = {"arm": "regression", "models": ["a", "b"], "mode": "grid"}
        if last:
            with pytest.raises(InputError, match=r"x.csv' ends with totals \('Total'\)"):
                rt.compare("y", Files([str(path)]), **asked)
        else:
            with pytest.warns(rt.RoctopusWarning, match="The last row of .* may be a total"):
                rt.compare("y", Files([str(path)]), **asked)
