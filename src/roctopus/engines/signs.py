"""Numbers as people write them: decimal commas, thousands, percent, currencies, minus signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from roctopus.core.checks import name_rows
from roctopus.core.errors import InputError, arg

MISSING = frozenset(
    [
        "NA",
        "N/A",
        "n/a",
        "na",
        "NaN",
        "nan",
        "-NaN",
        "-nan",
        "Nan",
        "NULL",
        "Null",
        "null",
        "None",
        "-",
        "–",
        "—",
        "?",
        ".",
        "\\N",
        "k.A.",
        "#N/A",
        "#NA",
        "#NV",
        "#DIV/0!",
        "#VALUE!",
        "#WERT!",
        "#REF!",
        "#BEZUG!",
        "#NAME?",
        "#NUM!",
        "#ZAHL!",
        "#NULL!",
        "1.#IND",
        "-1.#IND",
        "1.#QNAN",
        "-1.#QNAN",
        "NAN",
        "NAType",
        "<NA>",
    ]
) | {"", "#N/A N/A"}
"""What stands for a number that is not there."""
ABSENT = frozenset({"", "\\N", *(each for each in MISSING if each.startswith(("#", "<")))})
"""What stands for a name that is not there."""
UNKNOWN = frozenset(["NA", "N/A", "n/a", "NaN", "nan", "NULL", "null"])
"""What stands for a label that is not there, beside these."""
CURRENCY = (
    r"(?:US\$|R\$|\p{Sc}|EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|JPY|CNY|INR|BRL|CAD|AUD|NZD|"
    r"MXN|ZAR|TRY|RUB|KRW|ILS|SGD|HKD|kr\.?|Kr\.?|Fr\.?|zł|Kč|Ft|TL|Rs\.?|руб\.?)"
)
BLANKS = "[\u00a0\u202f\u2009]"
NUMBER = re.compile(
    r"[-+(\u2212\u2013]*\s*(?:[A-Z]{0,3}[$€£¥₹₺₽₪]|[A-Z]{3}|Rs\.?|%|)\s*[0-9.,'’\s]*[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?"
    r"\s*(?:%|[$€£¥₹₺₽₪]|[A-Z]{3}|kr\.?|zł|Kč|Ft|TL|руб\.?|)\s*[-)]?"
)
OTHER = {".": ",", ",": "."}
FIRST = 1000
"""So many rows are looked at first: they settle most of it."""


class NoNumbersError(InputError):
    """A column of text is not one of numbers."""


class Written(NamedTuple):
    """How the numbers of a column are written."""

    decimal: str
    thousands: str = ""
    percent: bool = False
    proven: bool = False
    """Whether there is no other reading."""
    unclear: bool = False
    """Whether something else than the column had to tell."""


def is_missing(cell: str) -> bool:
    """Tell whether a cell holds nothing, in whatever words."""
    return cell.strip() in MISSING


def is_number(cell: str) -> bool:
    """Tell whether a cell may be a number, however it is written."""
    return NUMBER.fullmatch(cell.strip()) is not None


def read_numbers(
    column: Any,
    name: str,
    decimal: str | None = None,
    thousands: str | None = None,
    told: Callable[[], Iterable[str]] = tuple,
) -> tuple[Any, Written]:
    """Read text as numbers: doubles, and how they are written; all rows are looked at.

    ``decimal`` and ``thousands`` are what was said. ``told`` returns the decimal signs of other
    columns; it is asked where two readings fit.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    shown = trimmed(column)
    bare, percent = _bare(shown, name)
    found = _written(bare, shown, name, decimal, thousands, told)
    for sign, by in ((found.thousands, ""), (found.decimal, ".")):
        if sign and sign != by:
            bare = pc.replace_substring(bare, sign, by)
    numbers = bare.cast(pa.float64())
    if percent:
        numbers = pc.divide(numbers, 100.0)
    return numbers, found._replace(percent=percent)


def trimmed(column: Any) -> Any:
    """Return text without blanks around it; what stands for nothing is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = pa.large_string()
    text = pc.utf8_trim_whitespace(column.cast(kind))
    absent = pc.is_in(text, pa.array(sorted(MISSING), kind))
    return pc.if_else(absent, pa.scalar(None, kind), text)


def _bare(text: Any, name: str) -> tuple[Any, bool]:
    """Remove signs around numbers; tell whether they are in percent."""
    import pyarrow.compute as pc

    def without(pattern: str, by: str = "") -> None:
        nonlocal text
        if _any(pc.match_substring_regex(text, pattern)):
            text = pc.replace_substring_regex(text, pattern, by)

    if not _wrong(text, "^-?[0-9.,]*(?:[eE][-+]?[0-9]+)?$").any():
        return text, False
    shown = text
    without(BLANKS, " ")
    without("’", "'")
    without("[\u2212\u2013]", "-")
    marked = pc.match_substring_regex(text, r"%\s*[-)]?$|^[-+(]?\s*%")
    percent = _any(marked)
    if percent:
        plain = _rows(pc.invert(marked))
        if plain.any():
            raise InputError(
                f"Some numbers in the column {name!r} have a % sign, but there is none in "
                f"{name_rows(plain)} ({_first(shown, plain)!r}). Write all numbers with a % sign, "
                "or all without."
            )
        without(r"\s*%\s*")
    _refuse_currencies(text, name)
    without(rf"^([-+(]*)\s*{CURRENCY}\s*", r"\1")
    without(rf"\s*{CURRENCY}\s*([-)]*)$", r"\1")
    without(r"^\(\s*(.*?)\s*\)$", r"-\1")
    without(r"^(.*[0-9])\s*-$", r"-\1")
    without(r"^\+|^(-)\s+", r"\1")
    return text, percent


def _refuse_currencies(text: Any, name: str) -> None:
    import pyarrow.compute as pc

    if not _any(pc.match_substring_regex(text, CURRENCY)):
        return
    text = pc.if_else(pc.match_substring_regex(text, "[0-9]"), text, None)
    signs = pc.extract_regex(text, rf"(?P<sign>{CURRENCY})")
    found = sorted(x for x in pc.struct_field(signs, "sign").unique().to_pylist() if x is not None)
    if len(found) > 1:
        raise InputError(
            f"The column {name!r} contains amounts in several currencies "
            f"({' and '.join(found[:3])}). Convert all of them to one currency."
        )


def _written(
    bare: Any,
    shown: Any,
    name: str,
    decimal: str | None,
    thousands: str | None,
    told: Callable[[], Iterable[str]],
) -> Written:
    """Find out how numbers are written; raise an error where two readings fit, or none."""
    import pyarrow.compute as pc

    said = decimal or OTHER.get(thousands or "")
    fits, tried = [], []
    for point in [sign for sign in ".," if said in (None, sign)] or [said or "."]:
        separators = [thousands] if thousands else [sign for sign in ".,' " if sign != point]
        for sign in ("", *separators):
            tried.append(_plain(point) + (f"|{_grouped(point, sign)}" if sign else ""))
            if not any(_wrong(some, tried[-1]).any() for some in (bare.slice(0, FIRST), bare)):
                fits.append(Written(point, sign))
                if not sign:
                    break
    if not fits:
        wrong = min((_wrong(bare, each) for each in tried), key=lambda rows: int(rows.sum()))
        _refuse_text(wrong, shown, name, decimal, thousands)
    signed = _any(pc.match_substring_regex(bare, "[.,]"))
    if len(fits) == 1 or not signed:
        return fits[0]._replace(proven=signed)
    others = set(told())
    if len(others) != 1:
        _ask(fits, bare, shown, name)
    return next(each for each in fits if each.decimal in others)._replace(unclear=True)


def _plain(point: str) -> str:
    d = re.escape(point)
    return rf"^-?(?:[0-9]+(?:{d}[0-9]*)?|{d}[0-9]+)(?:[eE][-+]?[0-9]+)?$|^[-+]?(?i:inf|infinity)$"


def _grouped(point: str, sign: str) -> str:
    d, t = re.escape(point), re.escape(sign)
    ending = rf"(?:{d}[0-9]*)?$"
    indian = rf"|^-?[1-9][0-9]?(?:,[0-9]{{2}})+,[0-9]{{3}}{ending}" if sign == "," else ""
    return rf"^-?[1-9][0-9]{{0,2}}(?:{t}[0-9]{{3}})+{ending}{indian}"


def _ask(fits: Sequence[Written], bare: Any, shown: Any, name: str) -> NoReturn:
    """Raise an error that shows both readings of a column."""
    import pyarrow.compute as pc

    row = int(np.argmax(_rows(pc.match_substring_regex(bare, "[.,]"))))
    cell, text = bare[row].as_py(), shown[row].as_py()
    ways, words = [], []
    for each in fits:
        value = float(cell.replace(each.thousands or "\0", "").replace(each.decimal, "."))
        ways.append(f"{value:.15g}")
        name_of, sign = (
            ("thousands", each.thousands) if each.thousands else ("decimal", each.decimal)
        )
        words.append(arg(name_of, sign))
    raise InputError(
        f"The column {name!r} can be read in two ways: {text!r} is {' or '.join(ways)}. Use "
        f"{words[0]} for the first reading, or {words[-1]} for the second."
    )


def _refuse_text(
    wrong: NDArray[np.bool_],
    shown: Any,
    name: str,
    decimal: str | None,
    thousands: str | None,
) -> NoReturn:
    """Raise an error for a column of which some rows, or all, are not numbers."""
    first = _first(shown, wrong)
    said = [arg(n, s) for n, s in (("decimal", decimal), ("thousands", thousands)) if s]
    why = f", which is not a number with {' and '.join(said)}" if said else ""
    rows, text = name_rows(wrong), repr(first[:20])
    several = wrong.sum() > 1
    what = f"text in {rows}, such as {text}" if several else f"the text {text} in {rows}"
    raise NoNumbersError(
        f"The column {name!r} must contain numbers, but contains {what}{why}. Correct or remove "
        f"{'these rows' if several else 'this row'}."
    )


def whole_names(column: Any) -> Any:
    """Return names, which are whole numbers where all are written as these are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.utf8_trim_whitespace(column.cast(pa.large_string()))
    text = pc.if_else(pc.equal(text, ""), pa.scalar(None, text.type), text)
    bare = text
    if pc.all(pc.match_substring_regex(text, r"^-?[0-9]+\.0+$")).as_py():
        bare = pc.replace_substring_regex(text, r"\.0+$", "")
    try:
        whole = bare.cast(pa.int64())
    except pa.ArrowInvalid:
        return text
    return whole if pc.all(pc.equal(whole.cast(text.type), bare)).as_py() else text


def may_be_thousands(values: NDArray[Any]) -> bool:
    """Tell whether numbers read with a decimal point might have three decimals in all rows.

    Then 1.234 may be 1234, written with a point between thousands.
    """
    for some in (values[:1000], values):
        there = np.abs(some[~np.isnan(some)])
        whole = there == np.floor(there)
        fine = (there < 1000.0) & (whole | (there >= 1.0))
        thousand = there * 1000.0
        close = np.abs(thousand - np.round(thousand)) <= 1e-9 * np.maximum(thousand, 1.0)
        if not (fine & close).all():
            return False
    return bool(len(there) and not whole.all())


def decimals_of(cells: Any) -> str | None:
    """Return the decimal sign that cells of a column prove; None if they prove none."""
    import pyarrow as pa

    if isinstance(cells, list):
        cells = pa.chunked_array([cells], pa.string())
    try:
        _, found = read_numbers(cells, "")
    except InputError:
        return None
    return found.decimal if found.proven else None


def _wrong(column: Any, pattern: str) -> NDArray[np.bool_]:
    """Return the rows that hold something, and do not match."""
    import pyarrow.compute as pc

    return _rows(pc.invert(pc.match_substring_regex(column, pattern)))


def _rows(mask: Any) -> NDArray[np.bool_]:
    import pyarrow.compute as pc

    return np.asarray(pc.fill_null(mask, False).to_numpy())


def _any(mask: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(mask).as_py())


def _first(shown: Any, rows: NDArray[np.bool_]) -> str:
    return str(shown[int(np.argmax(rows))].as_py())
