"""Spreadsheets: which sheet, which row of names, which types; and files that are none."""

import datetime
import random
import zipfile

import pyarrow as pa
import pytest
from books import WRITERS, Error, Formula, write_parts, write_xlsx
from program import SAID, answer, columns, refusal, run

import roctopus as rt
from roctopus.engines import Files

DAY = datetime.datetime(2024, 3, 9)
EARLY = datetime.datetime(1900, 3, 2, 6)


def table_of(path, **more):
    files = Files([str(path)], **more)
    return files.read(files.names())


def sheet(size=60, above=0):
    """Return rows of cells: some above, names, and cases."""
    found = columns(size)
    rows = [list(map(float, row)) for row in zip(*found.values(), strict=True)]
    return [["Report"]] * above + [list(found), *rows]


@pytest.fixture(params=WRITERS)
def book(request, tmp_path):
    """Return what writes a workbook, by which its ending is known."""

    def write(sheets, name="book", hidden=()):
        return WRITERS[request.param](tmp_path / f"{name}{request.param}", sheets, hidden)

    return write


def test_cells_have_types(book):
    rows = [
        ["whole", "real", "text", "yes", "day", "moment", "long", "mixed", "nothing"],
        [1, 0.5, "NA", True, DAY, EARLY, datetime.timedelta(hours=30), "x", None],
        [2, -1e300, "a & b", False, DAY, DAY, datetime.timedelta(seconds=1), 7.0, None],
        [None, None, None, None, None, None, None, None, None],
        [2**53, 3.0, "  ", True, None, DAY, datetime.timedelta(0), 2.5, None],
    ]
    found = table_of(book({"cases": rows}))
    kinds = [field.type for field in found.schema]
    assert kinds == [
        pa.int64(), pa.float64(), pa.string(), pa.bool_(), pa.date32(), pa.timestamp("ms"),
        pa.duration("ms"), pa.string(), pa.null(),
    ]  # fmt: skip
    assert found.column("whole").to_pylist() == [1, 2, None, 2**53]
    assert found.column("real").to_pylist() == [0.5, -1e300, None, 3.0]
    assert found.column("text").to_pylist() == ["NA", "a & b", None, "  "]
    assert found.column("day").to_pylist() == [DAY.date(), DAY.date(), None, None]
    assert found.column("moment").to_pylist() == [EARLY, DAY, None, DAY]
    assert found.column("long").to_pylist()[0] == datetime.timedelta(hours=30)
    assert found.column("mixed").to_pylist() == ["x", "7", None, "2.5"]


def test_ids_keep_their_digits(book):
    ids = [2**53 + 1, 2**53 + 3]
    found = table_of(book({"cases": [["id", "y"], [ids[0], 1.0], [ids[1], 2.0]]}))
    assert found.column("id").to_pylist() == ids


def test_cells_that_show_an_error_are_not_empty(book, tmp_path):
    rows = sheet()
    rows[7][1] = Error("#DIV/0!")
    path = book({"cases": rows})
    told = refusal("compare", path.name, *SAID, cwd=tmp_path)
    assert "Model 'a' has no prediction in 1 of 60 rows." in told


def test_rows_are_those_of_the_sheet(book, tmp_path):
    rows = sheet()
    rows[7][1] = "many"
    told = refusal("compare", book({"cases": rows}).name, *SAID, cwd=tmp_path)
    assert "row 8" in told
    assert "'many'" in told


def test_formulas_without_values_are_not_empty(tmp_path):
    rows = sheet()
    rows[7][1] = Formula("A2+1")
    write_xlsx(tmp_path / "book.xlsx", {"cases": rows})
    told = refusal("compare", "book.xlsx", *SAID, cwd=tmp_path)
    assert "contains the text 'formula: no value'" in told


def test_a_sheet_is_compared(book, tmp_path):
    y, a, b = columns(60).values()
    expected = rt.compare(y, {"a": a, "b": b}, arm="regression").decide(asymmetry=0.8)
    path = book({"notes": [], "cases": sheet()})
    found = answer("compare", path.name, *SAID, cwd=tmp_path)
    assert found["cases"] == 60
    assert found["sentence"] == expected.sentence
    for more in ({}, {"mode": "grid"}):
        large = rt.compare("y", str(path), models=["a", "b"], arm="regression", **more)
        assert large.decide(asymmetry=0.8).in_sample == pytest.approx(expected.in_sample)


def test_sheets_and_rows_of_names_are_chosen(book, tmp_path):
    path = book({"old": sheet(40), "my cases": sheet(60, above=2), "secret": sheet()},
                hidden=("secret",))  # fmt: skip
    told = refusal("compare", path.name, *SAID, cwd=tmp_path)
    assert "has 2 sheets with values: 'old', 'my cases'. Choose one, such as --sheet old." in told
    said = ("--sheet", "my cases")
    told = refusal("compare", path.name, *SAID, *said, cwd=tmp_path)
    assert "has no name for column B in row 1" in told
    assert "--header-row 3" in told
    found = answer("compare", path.name, *SAID, *said, "--header-row", "3", cwd=tmp_path)
    assert found["cases"] == 60
    assert answer("compare", path.name, *SAID, "--sheet", "secret", cwd=tmp_path)["cases"] == 60
    told = refusal("compare", path.name, *SAID, "--sheet", "new", cwd=tmp_path)
    assert "has no sheet of this name. Its sheets: 'old', 'my cases', 'secret'." in told
    for row in ("0", "x", "1.5", "９", "1e400"):
        assert "--header-row" in refusal(
            "compare", path.name, *SAID, "--sheet", "old", "--header-row", row, cwd=tmp_path
        )
    told = refusal("compare", path.name, *SAID, *said, "--header-row", "900", cwd=tmp_path)
    assert "no rows below" in told


def test_only_spreadsheets_have_sheets(tmp_path):
    (tmp_path / "x.csv").write_text("y,a\n1,2\n")
    for option in ("--sheet", "--header-row"):
        told = refusal("compare", "x.csv", *SAID, option, "1", cwd=tmp_path)
        assert f"{option} can only be used for spreadsheets (.xlsx, .xlsm, .ods)" in told


def test_names_of_columns(book, tmp_path):
    twice = book({"cases": [["y", "a", "a"], [1.0, 2.0, 3.0]]})
    told = refusal("compare", twice.name, *SAID, cwd=tmp_path)
    assert "two columns called 'a': B and C" in told
    empty = book({"cases": [["y", "a"]]}, "empty")
    assert "no rows below" in refusal("compare", empty.name, *SAID, cwd=tmp_path)
    nothing = book({"cases": [], "more": []}, "nothing")
    told = refusal("compare", nothing.name, *SAID, cwd=tmp_path)
    assert "has no sheet with values" in told
    years = book({"cases": [[2023, 2024.0], [1.0, 2.0]]}, "years")
    assert Files([str(years)]).names() == ["2023", "2024"]


def test_far_cells_take_no_memory(tmp_path):
    path = write_xlsx(tmp_path / "far.xlsx", {"cases": [["y", "a"], [1.0, 2.0]]})
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    name = "xl/worksheets/sheet1.xml"
    write_parts(path, parts | {name: parts[name].replace("</sheetData>", far)})
    told = refusal("compare", "far.xlsx", *SAID, cwd=tmp_path)
    assert "has no name for column XFD in row 1" in told
    beyond = far.replace("1048576", "99999999999")
    write_parts(path, parts | {name: parts[name].replace("</sheetData>", beyond)})
    assert "cannot be read as a spreadsheet" in refusal("compare", "far.xlsx", *SAID, cwd=tmp_path)


def test_small_workbooks_that_become_large(tmp_path):
    write_parts(tmp_path / "big.xlsx", {"xl/workbook.xml": " " * 10**8})
    told = refusal("compare", "big.xlsx", *SAID, "--memory", "300MB", cwd=tmp_path)
    assert "unpacks to 100 MB, which may not fit into memory" in told
    assert "--memory" in told
    rows = (
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
        'table:number-columns-repeated="16000" office:value-type="float" office:value="1"/>'
        "</table:table-row>"
    )
    path = WRITERS[".ods"](tmp_path / "big.ods", {"cases": [["y", "a"]]})
    with zipfile.ZipFile(path) as archive:
        text = archive.read("content.xml").decode()
    write_parts(
        path, {"content.xml": text.replace("<table:table-row>", f"{rows}<table:table-row>", 1)}
    )
    told = refusal("compare", "big.ods", *SAID, "--memory", "300MB", cwd=tmp_path)
    assert "cells, which may not fit into memory" in told


def test_entities_are_not_expanded(tmp_path):
    path = write_xlsx(tmp_path / "x.xlsx", {"cases": [["y"], [1.0]]})
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    name = "xl/sharedStrings.xml"
    parts[name] = '<!DOCTYPE x [<!ENTITY a "aaaaaaaa">]>' + parts[name].replace("y", "&a;")
    write_parts(path, parts)
    assert "must be plain XML" in refusal("compare", "x.xlsx", *SAID, cwd=tmp_path)


def test_damaged_workbooks(book, tmp_path):
    path = book({"cases": sheet(20)})
    whole = path.read_bytes()
    draw = random.Random(0)
    for _ in range(60):
        held = bytearray(whole)
        for _ in range(draw.choice([1, 3, 20])):
            held[draw.randrange(len(held))] = draw.randrange(256)
        path.write_bytes(bytes(held[: draw.choice([len(held), draw.randrange(len(held))])]))
        done = run("compare", path.name, *SAID, cwd=tmp_path)
        assert done.returncode in (0, 2), done.stderr
        assert "bug in roctopus" not in done.stderr


TOTALS = {"Total": 1, "Summe": 1, "": 1, "Average": 2}
"""Words of the last row, and how many rows are left out."""


@pytest.mark.parametrize("word", TOTALS)
def test_totals_at_the_end_of_a_sheet_are_left_out(book, word):
    rows = sheet()
    size, sums = len(rows) - 1, [sum(column) for column in zip(*rows[1:], strict=True)]
    shops = [["shop"], *([f"shop {k}"] for k in range(size))]
    rows = [[*shop, *row] for shop, row in zip(shops, rows, strict=True)]
    ends = {"Average": [[None], ["Total", *sums], ["Average", *(s / size for s in sums)]]}
    path = book({"cases": [*rows, *ends.get(word, [[word or None, *sums]])]})
    with pytest.warns(rt.RoctopusWarning) as told:
        found = Files([str(path)]).read(["y", "a", "b"])
    assert found.num_rows == size
    assert len(told) == 1
    assert ("last 2 rows" if TOTALS[word] == 2 else "last row") in str(told[0].message)


def test_ids_above_a_total_stay_numbers(book):
    rows = sheet()
    rows = [["id", *rows[0]], *([k, *row] for k, row in enumerate(rows[1:]))]
    path = book({"cases": [*rows, ["Total", 1.0, 2.0, 3.0]]})
    with pytest.warns(rt.RoctopusWarning, match="'Total'"):
        found = table_of(path)
    assert found.schema.field("id").type == pa.int64()
    assert found.num_rows == len(rows) - 1
