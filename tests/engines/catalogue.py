"""Text files as spreadsheets and databases of several countries export them, and what they mean.

``python catalogue.py FOLDER`` writes them all.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROWS = 40
rng = np.random.default_rng(33)
Y = [float(each) for each in np.round(rng.gamma(4.0, 300.0, ROWS) + 5.0, 2)]
A = [round(float(y + e), 2) for y, e in zip(Y, rng.normal(0, 90.0, ROWS), strict=True)]
B = [round(float(y + e), 2) for y, e in zip(Y, rng.normal(20.0, 50.0, ROWS), strict=True)]
EVENT = [int(each) for each in rng.integers(0, 2, ROWS)]
SCORE = [round(0.2 + 0.4 * e + 0.35 * float(rng.random()), 4) for e in EVENT]
DAYS = [datetime.datetime(2024, 1, 3) + datetime.timedelta(days=9 * k) for k in range(ROWS)]
EARLY = [datetime.datetime(2024, 1 + k // 12, 1 + k % 12) for k in range(ROWS)]
"""Days that are months, too: either may be written first."""
NEAR = [datetime.datetime(2024, 1, 3) + datetime.timedelta(days=k) for k in range(ROWS)]
OLD = [datetime.datetime(1996, 1, 3) + datetime.timedelta(days=k) for k in range(ROWS)]
WHOLE = {"y": Y, "a": A, "b": B}
SCORES = {"event": EVENT, "score": SCORE}


@dataclass(frozen=True)
class File:
    """A file, and what it means."""

    name: str
    content: bytes
    means: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Columns: numbers (None where they are missing), names as text or whole numbers, and times."""
    asked: tuple[str, ...] = ()
    """What the error must say if the file can mean two things, or nothing."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """Options that are given."""
    names: tuple[str, ...] = ()
    """Columns that hold names of cases or groups, such as ids."""
    positive: str | None = None
    """Which of two words is the event, where that can be guessed."""
    noted: tuple[str, ...] = ()
    """What is said about the reading."""


def plain(value: float) -> str:
    """Return a number as programs write it."""
    return f"{value:.2f}"


def written(decimal: str, thousands: str = "", places: int = 2) -> Callable[[float], str]:
    """Return what writes numbers as a country does."""

    def write(value: float) -> str:
        return f"{value:,.{places}f}".translate({44: thousands, 46: decimal})

    return write


def cells(
    columns: Mapping[str, Sequence[Any]], write: Callable[[Any], str] = plain
) -> dict[str, list[str]]:
    """Write numbers as text; what is text stays."""
    return {
        name: [each if isinstance(each, str) else write(each) for each in column]
        for name, column in columns.items()
    }


def text(
    columns: Mapping[str, Sequence[str]],
    delimiter: str = ",",
    newline: str = "\n",
    *,
    header: bool = True,
    above: str = "",
    units: Sequence[str] = (),
    below: str = "",
    end: str = "",
) -> str:
    """Put columns into lines; what holds the delimiter is quoted."""

    def quoted(cell: str) -> str:
        inside = any(sign in cell for sign in (delimiter, '"', "\n"))
        return '"' + cell.replace('"', '""') + '"' if inside else cell

    head = [list(columns)] if header else []
    head += [list(units)] if units else []
    rows = [*head, *map(list, zip(*columns.values(), strict=True))]
    body = newline.join(delimiter.join(map(quoted, row)) + end for row in rows)
    return above + body + newline + below


def file(
    name: str,
    columns: Mapping[str, Sequence[str]],
    means: Mapping[str, Sequence[Any]] | None = None,
    *,
    encoding: str = "utf-8",
    more: Mapping[str, Any] | None = None,
    **layout: Any,
) -> File:
    """Make a file of columns of text."""
    return File(name, text(columns, **layout).encode(encoding), means or {}, **(more or {}))


def replaced(column: Sequence[Any], **at: Any) -> list[Any]:
    """Replace some values of a column: ``_3="NA"`` is row 3."""
    found = list(column)
    for place, value in at.items():
        found[int(place[1:])] = value
    return found


def separators() -> list[File]:
    """Return files with every delimiter, end of line and quote."""
    found = [
        file(f"{name}.csv", cells(WHOLE), WHOLE, delimiter=sign)
        for name, sign in {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}.items()
    ]
    found += [
        file("tabs.tsv", cells(WHOLE), WHOLE, delimiter="\t"),
        file("tabs.txt", cells(WHOLE, written(",")), WHOLE, delimiter="\t"),
        file("windows.csv", cells(WHOLE), WHOLE, newline="\r\n"),
        file("old_mac.csv", cells(WHOLE), WHOLE, newline="\r"),
        file("sep_line.csv", cells(WHOLE), WHOLE, delimiter=";", above="sep=;\n"),
        file("sep_line_windows.csv", cells(WHOLE, written(",")), WHOLE, delimiter=";",
             newline="\r\n", above='"sep=;"\r\n'),
        file("trailing_delimiter.csv", cells(WHOLE), WHOLE, end=","),
        File("trailing_in_rows.csv",
             text(cells(WHOLE), end=",").replace("y,a,b,\n", "y,a,b\n", 1).encode(), WHOLE),
        File("trailing_in_header.csv",
             text(cells(WHOLE), delimiter=";").replace("y;a;b\n", "y;a;b;\n", 1).encode(), WHOLE),
        File("all_quoted.csv", ("\n".join(
            ",".join(f'"{cell}"' for cell in row)
            for row in [list(WHOLE), *zip(*cells(WHOLE).values(), strict=True)]
        ) + "\n").encode(), WHOLE),
        file("quoted_lines.csv", {"note": ["two\nlines, \"said\""] * ROWS, **cells(WHOLE)},
             {"note": ["two\nlines, \"said\""] * ROWS, **WHOLE}, more={"names": ("note",)}),
        file("commas_in_names.csv", {"shop": ["Berlin, Mitte", "Bonn"] * 20, **cells(WHOLE)},
             {"shop": ["Berlin, Mitte", "Bonn"] * 20, **WHOLE}, delimiter=";"),
        file("blank_lines_at_the_end.csv", cells(WHOLE), WHOLE, below="\n\n\n"),
        file("blanks_around.csv", {n: [f" {c} " for c in col] for n, col in cells(WHOLE).items()},
             WHOLE, delimiter=";"),
    ]  # fmt: skip
    return found


def headers() -> list[File]:
    """Return files whose first lines are not names and nothing else."""
    comma, units = written(","), ["MPa", "MPa", "MPa"]
    return [
        file("units.csv", cells(WHOLE), WHOLE, units=units, more={"noted": ("Line 2",)}),
        file("units_in_brackets.csv", {"shop": ["Ulm"] * ROWS, **cells(WHOLE, comma)},
             {"shop": ["Ulm"] * ROWS, **WHOLE}, delimiter=";", units=["", "[€]", "[€]", "[€]"],
             more={"noted": ("Line 2",)}),
        file("title.csv", cells(WHOLE), WHOLE, above="Sales of 2024\n\n",
             more={"noted": ("Line 1",)}),
        file("titles.csv", cells(WHOLE, comma), WHOLE, delimiter=";",
             above="Auswertung;;\nStand: 31.12.2024;;\n;;\n", more={"noted": ("Lines 1 to 3",)}),
        file("title_and_units.csv", cells(WHOLE), WHOLE, above="Test report\n", units=units,
             more={"noted": ("Line 1", "Line 3")}),
        file("empty_rows.csv", cells(WHOLE), WHOLE, below=",,\n,,\n,,\n"),
        file("empty_rows_quoted.csv", cells(WHOLE, comma), WHOLE, delimiter=";",
             below=';;\n"";"";""\n'),
        File("twice.csv", ("y,a,a\n" + "".join(
            f"{y},{a},{b}\n" for y, a, b in zip(Y, A, B, strict=True))).encode(),
             {"a": A}, ("several columns", "'a'")),
        file("no_header.csv", cells(WHOLE), {"column1": Y, "column2": A, "column3": B},
             header=False, more={"noted": ("no header", "column1")}),
        file("numbered_header.csv", {"0": cells(WHOLE)["y"], "1": cells(WHOLE)["a"]},
             {"0": Y, "1": A}),
        file("years_as_header.csv", {"2023": cells(WHOLE)["y"], "2024": cells(WHOLE)["a"]},
             {"2023": Y, "2024": A}),
        File("row_names.txt", ("y a b\n".replace(" ", "\t") + "".join(
            f"{k + 1}\t{y}\t{a}\t{b}\n"
            for k, (y, a, b) in enumerate(zip(Y, A, B, strict=True)))).encode(), WHOLE),
        file("header_with_blanks.csv", {" y ": cells(WHOLE)["y"], " a": cells(WHOLE)["a"]},
             {"y": Y, "a": A}),
    ]  # fmt: skip


def encodings() -> list[File]:
    """Return files in several encodings."""
    words = {"Größe": Y, "a": A, "Stadt": ["Köln", "Łódź"] * 20}
    western = {"Größe": Y, "a": A, "Stadt": ["Köln", "Århus"] * 20}
    shown = cells(western)
    note = {"noted": ("windows-1252",)}
    return [
        file("utf8.csv", cells(words), words),
        file("utf8_mark.csv", cells(words), words, encoding="utf-8-sig"),
        file("utf16.csv", cells(words), words, encoding="utf-16"),
        file("utf16_big.csv", cells(words), words, encoding="utf-16-be"),
        file("utf16_tabs.txt", cells(words, written(",")), words, delimiter="\t",
             encoding="utf-16"),
        file("latin1.csv", shown, western, encoding="latin-1", more=note),
        file("windows1252.csv", {**shown, "Preis": [f"{written(',')(a)} €" for a in A]},
             {**western, "Preis": A}, delimiter=";", encoding="cp1252", more=note),
        file("said_latin2.csv", cells(words), words, encoding="iso8859-2",
             more={"said": {"encoding": "iso8859-2"}}),
        file("late_latin1.csv", {**cells(WHOLE), "shop": ["Bonn"] * 39 + ["Köln"]},
             {**WHOLE, "shop": ["Bonn"] * 39 + ["Köln"]}, encoding="latin-1", more=note),
    ]  # fmt: skip


def signs() -> list[File]:
    """Return files with decimal and thousands signs of several countries."""
    kinds = {
        "german": (written(",", "."), ";"),
        "german_plain": (written(","), ";"),
        "us": (written(".", ","), ","),
        "us_semicolon": (written(".", ","), ";"),
        "french": (written(",", "\u202f"), ";"),
        "swedish": (written(",", "\u00a0"), ";"),
        "polish_blank": (written(",", " "), ";"),
        "swiss": (written(".", "'"), ";"),
        "swiss_curly": (written(".", "’"), ";"),
        "sheets_german": (written(",", "."), ","),
    }
    found = [
        file(f"{name}.csv", cells(WHOLE, write), WHOLE, delimiter=sign)
        for name, (write, sign) in kinds.items()
    ]
    large = {name: [float(1000 + round(x)) for x in column] for name, column in WHOLE.items()}
    millions = {name: [1000.0 * x for x in column] for name, column in large.items()}
    three = {name: [x / 1000.0 for x in column] for name, column in large.items()}
    point, comma = written(".", "", 3), written(",", "", 3)
    dot = cells(three, point)
    late = {name: replaced(column, _39=0.25) for name, column in three.items()}
    found += [
        file("thousands_or_decimals.csv", dot, three, delimiter=";",
             more={"asked": ("--decimal", "--thousands", "'y'")}),
        file("thousands_or_decimals_comma.csv", dot, three,
             more={"asked": ("--decimal", "--thousands")}),
        file("comma_or_thousands.csv", cells(three, comma), three, delimiter=";",
             more={"asked": ("--decimal", "--thousands")}),
        file("said_thousands.csv", dot, large, delimiter=";", more={"said": {"thousands": "."}}),
        file("said_decimal.csv", dot, three, delimiter=";", more={"said": {"decimal": "."}}),
        file("said_decimal_comma.csv", dot, large, delimiter=";", more={"said": {"decimal": ","}}),
        file("told_by_another.csv", {**dot, "x": cells({"x": Y}, written(","))["x"]},
             {**large, "x": Y}, delimiter=";",
             more={"noted": ("1.234 was read as 1234", "'y', 'a', 'b'")}),
        file("told_by_a_point.csv", {**dot, "x": cells({"x": Y})["x"]}, {**three, "x": Y},
             delimiter=";"),
        file("millions.csv", cells(millions, written(",", ".", 0)), millions, delimiter=";"),
        file("late_evidence.csv", cells(late, point), late, delimiter=";"),
        file("wrong_comma_said.csv", cells(WHOLE), WHOLE, delimiter=";",
             more={"said": {"decimal": ","}, "asked": ("--decimal", "lines 2")}),
        file("one_comma_among_points.csv",
             {**cells(WHOLE), "y": replaced(cells(WHOLE)["y"], _7="12,5")}, WHOLE, delimiter=";",
             more={"asked": ("'y'", "line 9", "12,5")}),
        file("indian.csv", {"y": ["1,23,456.50"] * ROWS, "a": ["12,34,567.25"] * ROWS},
             {"y": [123456.5] * ROWS, "a": [1234567.25] * ROWS}),
        file("scientific.csv", cells(WHOLE, lambda x: f"{x:.3E}"),
             {n: [float(f"{x:.3E}") for x in c] for n, c in WHOLE.items()}),
        file("scientific_comma.csv", cells(WHOLE, lambda x: f"{x:.3E}".replace(".", ",")),
             {n: [float(f"{x:.3E}") for x in c] for n, c in WHOLE.items()}, delimiter=";"),
        file("underscores.csv", cells(WHOLE, written(".", "_")), WHOLE,
             more={"asked": ("'y'", "line")}),
    ]  # fmt: skip
    return found


def marks() -> list[File]:
    """Return files whose numbers carry signs: percent, currencies, minus in several ways."""
    comma = written(",", ".")
    less = {name: [round(x - 900.0, 2) for x in column] for name, column in WHOLE.items()}
    signed = {
        "parentheses": lambda x: f"({plain(-x)})" if x < 0 else plain(x),
        "trailing_minus": lambda x: f"{plain(-x)}-" if x < 0 else plain(x),
        "unicode_minus": lambda x: plain(x).replace("-", "\u2212"),
        "plus": lambda x: f"{x:+.2f}",
    }
    found = [
        file(f"{name}.csv", cells(less, write), less, delimiter=";")
        for name, write in signed.items()
    ]
    found += [
        file("parentheses_currency.csv",
             cells(less, lambda x: f"(${-x:,.2f})" if x < 0 else f"${x:,.2f}"), less),
        file("percent.csv", {"event": cells(SCORES, str)["event"],
                             "score": [f"{100 * s:.2f}%" for s in SCORE]}, SCORES,
             more={"noted": ("50% is 0.5", "'score'")}),
        file("percent_german.csv", {"event": cells(SCORES, str)["event"],
                                    "score": [f"{100 * s:.2f} %".replace(".", ",") for s in SCORE]},
             SCORES, delimiter=";", more={"noted": ("percent",)}),
        file("percent_in_some.csv", {"event": cells(SCORES, str)["event"], "score": replaced(
            [f"{100 * s:.2f}%" for s in SCORE], _3="0.5")}, SCORES,
             more={"asked": ("'score'", "%", "line 5")}),
        file("euro_after.csv", cells(WHOLE, lambda x: f"{comma(x)} €"), WHOLE, delimiter=";"),
        file("euro_before.csv", cells(WHOLE, lambda x: f"€ {comma(x)}"), WHOLE, delimiter=";"),
        file("dollar.csv", cells(WHOLE, lambda x: f"${x:,.2f}"), WHOLE),
        file("pound.csv", cells(WHOLE, lambda x: f"£{x:,.2f}"), WHOLE),
        file("francs.csv", cells(WHOLE, lambda x: "CHF " + written(".", "'")(x)), WHOLE),
        file("kronor.csv", cells(WHOLE, lambda x: written(",", "\u00a0")(x) + " kr"), WHOLE,
             delimiter=";"),
        file("lira.csv", cells(WHOLE, lambda x: f"{comma(x)} TL"), WHOLE, delimiter=";"),
        file("rupees.csv", cells(WHOLE, lambda x: f"Rs. {x:,.2f}"), WHOLE),
        file("percent_turkish.csv", {"event": cells(SCORES, str)["event"],
                                     "score": [f"%{100 * s:.2f}".replace(".", ",") for s in SCORE]},
             SCORES, delimiter=";", more={"noted": ("percent",)}),
        file("debit_and_credit.csv", {**cells(WHOLE), "y": [
            f"{comma(abs(y))} {'S' if y < 0 else 'H'}" for y in less["y"]]}, WHOLE,
             delimiter=";", more={"asked": ("'y'", "lines 2")}),
        file("triangles.csv", cells(less, lambda x: plain(x).replace("-", "△")), less,
             encoding="utf-8", more={"asked": ("'y'", "△")}),
        file("footnotes.csv", {**cells(WHOLE), "y": replaced(cells(WHOLE)["y"], _7="12.5*")}, WHOLE,
             more={"asked": ("'y'", "line 9", "12.5*")}),
        file("thousands_of.csv", cells(WHOLE, lambda x: f"{x / 1000.0:.5f}k"), WHOLE,
             more={"asked": ("'y'", "k'")}),
        file("fortran.csv", cells(WHOLE, lambda x: f"{x:.3E}".replace("E", "D")), WHOLE,
             more={"asked": ("'y'", "D+0")}),
        file("formulas.csv", cells(WHOLE, lambda x: f'="{plain(x)}"'), WHOLE,
             more={"asked": ("'y'", "=")}),
        file("hours.csv", cells(WHOLE, lambda x: f"{x // 60:.0f}:{x % 60:02.0f}"), WHOLE,
             delimiter=";", more={"asked": ("'y'", ":")}),
        file("two_currencies.csv", {**cells(WHOLE), "y": [
            f"{'€' if k else '$'}{y:.2f}" for k, y in enumerate(Y)]}, WHOLE,
             more={"asked": ("'y'", "$", "€")}),
    ]  # fmt: skip
    return found


def gaps() -> list[File]:
    """Return files with values that are missing, and names that look so."""
    found = []
    for name, mark in {
        "na": "NA", "n_a": "N/A", "dash": "-", "null": "null", "empty": "", "division": "#DIV/0!",
        "none": "None", "question": "?", "excel_german": "#NV", "quoted": '""',
    }.items():  # fmt: skip
        y, a = replaced(Y, _4=None, _20=None), replaced(A, _0=None)
        shown = {k: [mark if x is None else plain(x) for x in c] for k, c in
                 {"y": y, "a": a, "b": B}.items()}  # fmt: skip
        content = text(shown).replace('""""""', '""')
        found.append(File(f"missing_{name}.csv", content.encode(), {"y": y, "a": a, "b": B}))
    decimal = cells({"y": Y, "a": A}, written(","))
    land = ["NA", "DE", "SE", "NO"] * 10
    found += [
        file("missing_with_commas.csv", {"y": replaced(decimal["y"], _2="NA"), "a": decimal["a"]},
             {"y": replaced(Y, _2=None), "a": A}, delimiter=";"),
        file("namibia.csv", {"land": land, **cells(WHOLE)}, {"land": land, **WHOLE}),
        file("called_null.csv", {"name": ["Null", "None", "Nan", "True"] * 10, **cells(WHOLE)},
             {"name": ["Null", "None", "Nan", "True"] * 10, **WHOLE}),
        file("weather.csv",
             {**cells(WHOLE), "y": replaced(cells(WHOLE)["y"], _3="-999", _9="-999")},
             {**WHOLE, "y": replaced(Y, _3=-999.0, _9=-999.0)},
             more={"noted": ("-999 occurs 2 times in column 'y'", "missing value")}),
        file("logger.csv", {**cells(WHOLE), "a": replaced(cells(WHOLE)["a"], _3="99999.9")},
             {**WHOLE, "a": replaced(A, _3=99999.9)},
             more={"noted": ("99999.9 occurs once in column 'a'",)}),
        file("ninety_nine.csv", {**cells(WHOLE), "a": replaced(cells(WHOLE)["a"], _3="999")},
             {**WHOLE, "a": replaced(A, _3=999.0)}),
        file("subtotals.csv", {"shop": [*["Ulm"] * 9, "Subtotal", *["Bonn"] * 30], **cells(WHOLE),
             "a": replaced(cells(WHOLE)["a"], _9="n.a.")}, WHOLE,
             more={"asked": ("'a'", "line 11", "n.a.")}),
        File("pasted.csv", (2 * text(cells(WHOLE))).encode(), WHOLE, ("'y'", "line 42")),
        file("text_among_numbers.csv", {**cells(WHOLE), "a": replaced(cells(WHOLE)["a"], _5="ill")},
             WHOLE, more={"asked": ("'a'", "line 7", "'ill'")}),
    ]  # fmt: skip
    return found


def names() -> list[File]:
    """Return files with ids that are no numbers, though they have digits only."""
    long = [2**53 + k for k in range(ROWS)]
    longer = [str(2**64 + k) for k in range(ROWS)]
    zeros = [f"{k:05d}" for k in range(ROWS)]
    found = [
        ("ids_53.csv", [str(k) for k in long], long),
        ("ids_64.csv", longer, longer),
        ("ids_zeros.csv", zeros, zeros),
        ("ids_mixed.csv", [*map(str, range(39)), "39b"], [*map(str, range(39)), "39b"]),
        ("ids_dotted.csv", [f"1.{k + 100}" for k in range(ROWS)],
         [f"1.{k + 100}" for k in range(ROWS)]),
        ("ids_plain.csv", [str(k) for k in range(ROWS)], list(range(ROWS))),
        ("ids_padded.csv", [f"{k + 1}.0" for k in range(ROWS)], list(range(1, ROWS + 1))),
    ]  # fmt: skip
    return [
        file(name, {"id": shown, **cells(WHOLE)}, {"id": means, **WHOLE}, more={"names": ("id",)})
        for name, shown, means in found
    ]


def times() -> list[File]:
    """Return files with dates in the orders of several countries."""
    orders = {
        "iso": ("%Y-%m-%d", DAYS),
        "iso_time": ("%Y-%m-%d %H:%M:%S", DAYS),
        "iso_t": ("%Y-%m-%dT%H:%M:%S", DAYS),
        "german": ("%d.%m.%Y", DAYS),
        "german_early": ("%d.%m.%Y", EARLY),
        "german_time": ("%d.%m.%Y %H:%M", DAYS),
        "german_short": ("%d.%m.%y", DAYS),
        "us": ("%m/%d/%Y", DAYS),
        "us_time": ("%m/%d/%Y %I:%M %p", DAYS),
        "british": ("%d/%m/%Y", DAYS),
        "british_time": ("%d/%m/%Y %H:%M:%S", DAYS),
        "dutch": ("%d-%m-%Y", DAYS),
        "japanese": ("%Y/%m/%d", EARLY),
        "oracle": ("%d-%b-%Y", DAYS),
        "compact": ("%Y%m%d", DAYS),
    }
    found = []
    for name, (order, days) in orders.items():
        shown = [day.strftime(order) for day in days]
        means: list[Any] = [int(day) for day in shown] if name == "compact" else list(days)
        columns = {"day": shown, **cells(WHOLE)}
        found.append(file(f"dates_{name}.csv", columns, {"day": means, **WHOLE}))
    early = {"day": [day.strftime("%d/%m/%Y") for day in EARLY], **cells(WHOLE)}
    read = {"day": EARLY, **WHOLE}
    mixed = {**early, "day": replaced(early["day"], _3="25/12/2024", _9="12/25/2024")}
    found += [
        file("dates_ambiguous.csv", early, read,
             more={"asked": ("--dates", "'day'", "2024-01-02", "2024-02-01")}),
        file("dates_bigquery.csv", {"day": [f"{day} UTC" for day in DAYS], **cells(WHOLE)},
             {"day": DAYS, **WHOLE}),
        file("dates_snowflake.csv", {"day": [f"{day}.000 Z" for day in DAYS], **cells(WHOLE)},
             {"day": DAYS, **WHOLE}),
        file("dates_year_first.csv", {"day": [f"{day:%y-%m-%d}" for day in NEAR], **cells(WHOLE)},
             {"day": NEAR, **WHOLE}, more={"asked": ("'day'", "--dates ymd", "--dates dmy")}),
        file("dates_said_year_first.csv", {"day": [f"{day:%y-%m-%d}" for day in NEAR],
             **cells(WHOLE)}, {"day": NEAR, **WHOLE}, more={"said": {"dates": "ymd"}}),
        file("dates_year_last.csv", {"day": [f"{day:%d-%m-%y}" for day in NEAR], **cells(WHOLE)},
             {"day": NEAR, **WHOLE}),
        file("dates_old_years_first.csv", {"day": [f"{day:%y/%m/%d}" for day in OLD],
             **cells(WHOLE)}, {"day": OLD, **WHOLE}),
        file("dates_said_british.csv", early, read, more={"said": {"dates": "dmy"}}),
        file("dates_said_us.csv", {"day": [day.strftime("%m/%d/%Y") for day in EARLY],
                                   **cells(WHOLE)}, read, more={"said": {"dates": "mdy"}}),
        file("dates_mixed.csv", mixed, read, more={"asked": ("'day'", "line")}),
        file("dates_impossible.csv", {**early, "day": replaced(early["day"], _3="31/02/2024")},
             read, more={"asked": ("'day'", "line 5", "31/02/2024")}),
    ]  # fmt: skip
    return found


def events() -> list[File]:
    """Return files whose truths are two words."""
    pairs = {
        "yes_no": ("no", "yes"), "Yes_No": ("No", "Yes"), "y_n": ("N", "Y"), "j_n": ("N", "J"),
        "ja_nein": ("nein", "ja"), "si_no": ("no", "sí"), "oui_non": ("non", "oui"),
        "wahr_falsch": ("FALSCH", "WAHR"),
    }  # fmt: skip
    score = {"score": [str(s) for s in SCORE]}
    found = []
    for name, pair in pairs.items():
        words = [pair[e] for e in EVENT]
        more = {"positive": pair[1]}
        found.append(
            file(f"event_{name}.csv", {"event": words, **score},
                 {"event": words, "score": SCORE}, more=more)
        )  # fmt: skip
    two = [("churned", "stayed")[e] for e in EVENT]
    found += [
        file("event_true_false.csv", {"event": [("false", "true")[e] for e in EVENT], **score},
             SCORES),
        file("event_TRUE_FALSE.csv", {"event": [("FALSE", "TRUE")[e] for e in EVENT], **score},
             SCORES),
        file("event_1_0.csv", {"event": list(map(str, EVENT)), **score}, SCORES),
        file("event_words.csv", {"event": two, **score}, {"event": two, "score": SCORE}),
    ]  # fmt: skip
    return found


def totals() -> list[File]:
    """Return files that end with totals, and files that only seem to."""
    comma, shops = written(",", "."), [f"shop {k}" for k in range(ROWS)]
    plain_sums = {name: plain(sum(column)) for name, column in WHOLE.items()}
    note = {"noted": ("last row", "left out")}
    two = {"noted": ("last 2 rows", "left out")}
    named = {"shop": shops, **WHOLE}
    more = {"names": ("shop",)}

    def last(*cells: str, sign: str = ",") -> str:
        return sign.join(cells) + "\n"

    sums = list(plain_sums.values())
    german = [comma(sum(column)) for column in WHOLE.values()]
    means = [plain(sum(column) / ROWS) for column in WHOLE.values()]
    shown = {"shop": shops, **cells(WHOLE)}
    found = [
        file(f"total_{k}.csv", shown, named, below=last(word, *sums), more={**more, **note})
        for k, word in enumerate(("Total", "TOTAL:", "Grand Total", "Sum", "Somme", "Totale"))
    ]
    found += [
        file("total_german.csv", {"Filiale": shops, **cells(WHOLE, comma)},
             {"Filiale": shops, **WHOLE}, delimiter=";", below=last("Summe", *german, sign=";"),
             more={"names": ("Filiale",), **note}),
        file("total_gesamt.csv", {"Filiale": shops, **cells(WHOLE, comma)},
             {"Filiale": shops, **WHOLE}, delimiter=";",
             below=";;;\n" + last("Gesamt", *german, sign=";") + ";;;\n",
             more={"names": ("Filiale",), **note}),
        file("total_and_mean.csv", shown, named,
             below=last("Total", *sums) + last("Average", *means), more={**more, **two}),
        file("total_of_one.csv", shown, named, below=last("Total", sums[0], "", ""),
             more={**more, **note}),
        file("total_latin.csv", {**shown, "Ort": ["Köln"] * ROWS},
             {**named, "Ort": ["Köln"] * ROWS}, encoding="latin-1",
             below=last("Total", *sums, ""),
             more={"names": ("shop", "Ort"), "noted": ("windows-1252", "last row")}),
        file("total_utf16.csv", shown, named, encoding="utf-16", below=last("Total", *sums),
             more={**more, **note}),
        file("total_among_days.csv", {"day": [day.strftime("%d.%m.%Y") for day in DAYS],
             **cells(WHOLE)}, {"day": DAYS, **WHOLE}, below=last("Summe", *sums), more=note),
        file("total_of_ids.csv", {"id": [str(k) for k in range(ROWS)], **cells(WHOLE)},
             {"id": list(range(ROWS)), **WHOLE}, below=last("Total", *sums),
             more={"names": ("id",), **note}),
        file("total_without_a_word.csv", shown, WHOLE, below=last("", *sums), more=note),
        file("total_of_numbers.csv", cells(WHOLE), WHOLE, below=last(*sums), more=note),
        file("total_rounded.csv", cells(WHOLE, lambda x: f"{x:.1f}"),
             {n: [float(f"{x:.1f}") for x in c] for n, c in WHOLE.items()},
             below=last(*(f"{sum(column):.1f}" for column in WHOLE.values())), more=note),
        file("total_in_words.csv", {"note": ["x"] * ROWS, **cells(WHOLE)}, WHOLE,
             below=last("Sum of all shops", *sums), more=note),
        file("called_total.csv", {"kind": ["Total", "Part"] * (ROWS // 2 - 1) + ["Part", "Total"],
             **cells(WHOLE)},
             {"kind": ["Total", "Part"] * (ROWS // 2 - 1) + ["Part", "Total"], **WHOLE},
             more={"names": ("kind",)}),
        file("large_at_the_end.csv", {**shown, "y": replaced(shown["y"], _39="99999.5")},
             {**named, "y": replaced(Y, _39=99999.5)}, more=more),
    ]  # fmt: skip
    return found


def catalogue() -> list[File]:
    """Return all files."""
    kinds = (separators, headers, encodings, signs, marks, gaps, names, times, events, totals)
    return [each for kind in kinds for each in kind()]


def write_all(folder: Path) -> None:
    """Write all files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in catalogue():
        (folder / each.name).write_bytes(each.content)


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
