"""What a spreadsheet's file holds: sheets, rows and cells with types, from .xlsx and .ods.

Both are archives of XML, of which the few parts that hold values are read. Readers made by others
turn cells that show an error into empty ones, or take memory for all cells up to the farthest one,
which ends the process.
"""

from __future__ import annotations

import datetime
import io
import math
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias
from xml.etree import ElementTree

from roctopus.core.errors import InputError, arg
from roctopus.engines.contents import size_in_words

XmlEvent: TypeAlias = Literal["start", "end"]
XmlElement: TypeAlias = "ElementTree.Element[str]"
CellValue: TypeAlias = float | int | bool | str | datetime.datetime | datetime.timedelta
CellRow: TypeAlias = tuple[int, dict[int, CellValue]]
"""The number of a row as the sheet shows it, and its values by column, from 0."""
SHARE = 4
"""The parts of a workbook may take this part of the memory, unpacked."""
ROWS, COLUMNS = 1 << 20, 1 << 14
"""No sheet is larger."""
EXACT = 15
"""Numbers with more digits than this are read as whole ones if they can be."""


OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"


class CellError(str):
    """What a cell shows that has no value, such as ``#DIV/0!``."""

    __slots__ = ()


class BookSheet(NamedTuple):
    """A sheet of a workbook."""

    name: str
    hidden: bool
    part: str
    """Where its cells are; in .ods all sheets are in one part."""


class Workbook:
    """A spreadsheet's file; parts are unpacked when they are asked for."""

    def __init__(self, path: Path, name: str, memory: int) -> None:
        self._archive = zipfile.ZipFile(path)
        self._parts = set(self._archive.namelist())
        total = sum(each.file_size for each in self._archive.infolist())
        if total > memory // SHARE:
            raise InputError(
                f"'{name}' ({size_in_words(path.stat().st_size)}) unpacks to "
                f"{size_in_words(total)}, which may not fit into memory. If this size is "
                f"right, increase {arg('memory')}."
            )
        self.opened = "content.xml" in self._parts
        """Whether it is an OpenDocument (.ods)."""
        self.sheets = list(self._ods_sheets() if self.opened else self._xlsx_sheets())

    def rows(self, sheet: BookSheet) -> Iterator[CellRow]:
        """Yield the rows of a sheet that have values."""
        return self._ods_rows(sheet) if self.opened else self._xlsx_rows(sheet)

    def _xml(self, part: str, *events: XmlEvent) -> Iterator[tuple[str, XmlElement]]:
        """Yield the elements of a part, where they begin or end."""
        if part not in self._parts:
            return
        text = self._archive.read(part)  # never more than the size that was said
        if b"<!DOCTYPE" in text or b"\0" in text[:4]:
            raise ValueError("its parts must be plain XML")
        yield from ElementTree.iterparse(io.BytesIO(text), events)

    def _whole(self, part: str, tag: str) -> Iterator[XmlElement]:
        """Yield whole elements of one kind."""
        meant: dict[str, bool] = {}
        for _, element in self._xml(part, "end"):
            its = element.tag
            if its not in meant:
                meant[its] = local(its) == tag
            if meant[its]:
                yield element
                element.clear()

    def _xlsx_sheets(self) -> Iterator[BookSheet]:
        parts = {
            each.get("Id"): each.get("Target", "")
            for each in self._whole("xl/_rels/workbook.xml.rels", "Relationship")
            if each.get("Type", "").endswith("/worksheet")
        }
        for each in self._whole("xl/workbook.xml", "sheet"):
            target = parts.get(attribute(each, "id"))
            if target is not None:
                part = target.removeprefix("/") if target[:1] == "/" else f"xl/{target}"
                hidden = each.get("state", "visible") != "visible"
                yield BookSheet(each.get("name", ""), hidden, part)

    def _xlsx_rows(self, sheet: BookSheet) -> Iterator[CellRow]:
        strings = [_shared(each) for each in self._whole("xl/sharedStrings.xml", "si")]
        properties = self._whole("xl/workbook.xml", "workbookPr")
        late = any(each.get("date1904") in ("1", "true") for each in properties)
        read = _XlsxCells(strings, self._formats(), late)
        number = 0
        for row in self._whole(sheet.part, "row"):
            number = _position(row.get("r", number + 1), ROWS)
            found = read.row(row)
            if found:
                yield number, found

    def _formats(self) -> list[str]:
        """Return what each style of numbers shows: "date", "duration" or nothing of these."""
        codes: dict[int, str] = {}
        for each in self._whole("xl/styles.xml", "numFmt"):
            codes[int(each.get("numFmtId", 0))] = each.get("formatCode", "")
        found: list[str] = []
        for styles in self._whole("xl/styles.xml", "cellXfs"):
            numbers = [int(each.get("numFmtId", 0)) for each in styles]
            found = [_kind_of(codes.get(number, BUILT_IN.get(number, ""))) for number in numbers]
        return found

    def _ods_sheets(self) -> Iterator[BookSheet]:
        hidden: set[str | None] = set()
        for event, element in self._xml("content.xml", "start", "end"):
            tag = local(element.tag)
            if event == "end" and tag == "style":
                if any(attribute(each, "display") == "false" for each in element):
                    hidden.add(attribute(element, "name"))
            elif event == "start" and tag == "table":
                style = attribute(element, "style-name")
                yield BookSheet(attribute(element, "name") or "", style in hidden, "content.xml")
            elif event == "end" and tag == "table-row":
                element.clear()

    def _ods_rows(self, sheet: BookSheet) -> Iterator[CellRow]:
        inside, number = False, 0
        for event, element in self._xml("content.xml", "start", "end"):
            tag = local(element.tag)
            if tag == "table":
                inside = event == "start" and attribute(element, "name") == sheet.name
                number = 0
            elif event == "end" and tag == "table-row":
                again = _position(attribute(element, "number-rows-repeated") or 1, ROWS)
                found = _ods_row(element) if inside else {}
                for each in range(again if found else 0):
                    yield number + each + 1, found
                number = min(number + again, ROWS)
                element.clear()


def local(tag: str) -> str:
    """Return the name of an element or attribute without its namespace."""
    return tag.rpartition("}")[2]


def attribute(element: XmlElement, name: str) -> str | None:
    """Return an attribute, in whichever namespace it is."""
    return next((held for key, held in element.items() if local(key) == name), None)


def _position(text: object, most: int) -> int:
    found = int(str(text))
    if not 1 <= found <= most:
        raise ValueError(f"there can be no row or column {found}")
    return found


def _shared(element: XmlElement) -> str:
    """Return a text without the hints on how to pronounce it."""
    parts = [each for each in element if local(each.tag) in ("t", "r")]
    return "".join(text for part in parts for text in part.itertext())


BUILT_IN = {
    **dict.fromkeys((*range(14, 18), 22, *range(27, 37), *range(50, 59)), "yyyy-mm-dd"),
    **dict.fromkeys((*range(18, 22), *range(45, 48)), "h:mm"),
}
"""Formats of dates and times that files do not spell out."""


def _kind_of(code: str) -> str:
    """Tell what a format of numbers shows."""
    plain = re.sub(r'"[^"]*"|\\.|[_*].', "", code.split(";")[0]).lower()
    elapsed = re.search(r"\[(h+|m+|s+)\]", plain)
    signs = set(re.sub(r"\[[^\]]*\]|general|am/pm|a/p", "", plain))
    if elapsed or (signs & set("hs") and not signs & set("yd")):
        return "duration"
    return "date" if signs & set("ymd") else ""


class _XlsxCells:
    """Reads the cells of a sheet."""

    def __init__(self, strings: Sequence[str], formats: Sequence[str], late: bool) -> None:
        self._strings, self._formats = strings, formats
        self._start = datetime.datetime(1904, 1, 1) if late else datetime.datetime(1899, 12, 30)
        self._late = late
        self._columns: dict[str, int] = {}

    def row(self, row: XmlElement) -> dict[int, CellValue]:
        """Return the values of a row by column."""
        found: dict[int, CellValue] = {}
        held, column = row.tag.removesuffix("row") + "v", -1
        for cell in row:
            where = cell.get("r")
            column = column + 1 if where is None else self._column(where)
            value = self._value(cell, cell.findtext(held))
            if value is not None:
                found[column] = value
        return found

    def _column(self, where: str) -> int:
        letters = where.rstrip("0123456789")
        if letters not in self._columns:
            number = 0
            for letter in letters:
                number = 26 * number + ord(letter) - 64
            self._columns[letters] = _position(number, COLUMNS) - 1
        return self._columns[letters]

    def _value(self, cell: XmlElement, text: str | None) -> CellValue | None:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return "".join(map(_shared, cell)) or None
        if not text:
            computed = kind != "str" and any(local(each.tag) == "f" for each in cell)
            return CellError("formula: no value") if computed else None
        if kind == "s":
            return self._strings[int(text)] or None
        if kind == "b":
            return text.strip() in ("1", "true")
        if kind == "e":
            return CellError(text)
        if kind == "d":
            return _date(text)
        return text if kind == "str" else self._number(text, cell.get("s"))

    def _number(self, text: str, style: str | None) -> CellValue:
        number = as_number(text)
        shown = self._formats[int(style)] if style and int(style) < len(self._formats) else ""
        if not shown or isinstance(number, str):
            return number
        try:
            milliseconds = datetime.timedelta(milliseconds=round(float(number) * 86_400_000.0))
            if shown == "duration":
                return milliseconds
            # The first format of all takes 1900 for a leap year.
            early = datetime.timedelta(days=int(not self._late and 0 <= number < 60))
            return self._start + early + milliseconds
        except OverflowError:
            return CellError(f"a date beyond all years ({text[:20]})")


def as_number(text: str) -> float | CellError:
    """Return a number, whole where a double cannot hold its digits."""
    if len(text) > EXACT and text.removeprefix("-").isdigit():
        return int(text)
    number = float(text)
    return number if math.isfinite(number) else CellError(text)


def _date(text: str) -> datetime.datetime:
    """Read a date as XML writes it, without its zone: sheets show local time."""
    return datetime.datetime.fromisoformat(text.strip()).replace(tzinfo=None)


def _ods_row(row: XmlElement) -> dict[int, CellValue]:
    found: dict[int, CellValue] = {}
    column = 0
    for cell in row:
        again = _position(cell.get(f"{TABLE}number-columns-repeated", 1), COLUMNS)
        value = _ods_value(cell)
        if value is not None:
            found |= dict.fromkeys(range(column, min(column + again, COLUMNS)), value)
        column += again
    return found


def _ods_value(cell: XmlElement) -> CellValue | None:
    held = cell.attrib
    if held.get(f"{CALC}value-type") == "error":
        return CellError(_ods_text(cell))
    kind = held.get(f"{OFFICE}value-type")
    if kind in ("float", "percentage", "currency"):
        return as_number(held[f"{OFFICE}value"])
    if kind == "boolean":
        return held[f"{OFFICE}boolean-value"] == "true"
    if kind == "date":
        return _date(held[f"{OFFICE}date-value"])
    if kind == "time":
        return _duration(held[f"{OFFICE}time-value"])
    return held.get(f"{OFFICE}string-value") or _ods_text(cell) or None


def _ods_text(cell: XmlElement) -> str:
    """Return the text that a cell shows; notes to it are no part of that."""
    lines = [each for each in cell if local(each.tag) == "p"]
    return "\n".join("".join(_pieces(line)) for line in lines)


def _pieces(element: XmlElement) -> Iterator[str]:
    yield element.text or ""
    for each in element:
        blanks = int(attribute(each, "c") or 1) if local(each.tag) == "s" else 0
        yield " " * min(blanks, 1000)
        yield from _pieces(each)
        yield each.tail or ""


def _duration(text: str) -> datetime.timedelta:
    match = re.fullmatch(r"(-?)P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?", text)
    if match is None:
        raise ValueError(f"{text[:40]!r} is not a time")
    days, hours, minutes, seconds = (float(each or 0) for each in match.groups()[1:])
    found = datetime.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -found if match[1] else found
