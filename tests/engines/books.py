"""Small workbooks, written cell by cell as spreadsheet programs write them."""

from __future__ import annotations

import datetime
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
STYLES = ["General", "yyyy\\-mm\\-dd", "[hh]:mm:ss", '"day" 0', "h:mm"]
OPEN = "urn:oasis:names:tc:opendocument:xmlns:"


class Error(str):
    """What a cell shows that has no value."""


class Formula(str):
    """A formula whose value is not stored."""


def column(number: int) -> str:
    """Return the letters of a column, of the first 26."""
    return chr(65 + number)


def _xlsx_cell(value: Any, where: str, strings: list[str]) -> str:
    if value is None:
        return ""
    if isinstance(value, Error):
        return f'<c r="{where}" t="e"><v>{value}</v></c>'
    if isinstance(value, Formula):
        return f'<c r="{where}"><f>{value}</f></c>'
    if isinstance(value, bool):
        return f'<c r="{where}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, datetime.datetime):
        days = (value - datetime.datetime(1899, 12, 30)) / datetime.timedelta(days=1)
        return f'<c r="{where}" s="1"><v>{days!r}</v></c>'
    if isinstance(value, datetime.timedelta):
        return f'<c r="{where}" s="2"><v>{value / datetime.timedelta(days=1)!r}</v></c>'
    if isinstance(value, str):
        strings.append(value)
        return f'<c r="{where}" t="s"><v>{len(strings) - 1}</v></c>'
    return f'<c r="{where}" s="3"><v>{value!r}</v></c>'


def write_xlsx(
    path: Path, sheets: dict[str, list[list[Any]]], hidden: tuple[str, ...] = ()
) -> Path:
    """Write sheets; cells that are None are left out, and so are rows without any."""
    strings: list[str] = []
    parts = {}
    for at, rows in enumerate(sheets.values(), 1):
        lines = []
        for number, row in enumerate(rows, 1):
            cells = "".join(
                _xlsx_cell(value, f"{column(k)}{number}", strings) for k, value in enumerate(row)
            )
            lines.append(f'<row r="{number}">{cells}</row>' if cells else "")
        body = f"<sheetData>{''.join(lines)}</sheetData>"
        parts[f"xl/worksheets/sheet{at}.xml"] = f'<worksheet xmlns="{MAIN}">{body}</worksheet>'
    names = "".join(
        f'<sheet name="{escape(name)}" sheetId="{at}" r:id="rId{at}"'
        f"{' state=' + chr(34) + 'hidden' + chr(34) if name in hidden else ''}/>"
        for at, name in enumerate(sheets, 1)
    )
    book = f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets>{names}</sheets></workbook>'
    links = "".join(
        f'<Relationship Id="rId{at}" Type="{LINKS}/worksheet" Target="worksheets/sheet{at}.xml"/>'
        for at in range(1, len(sheets) + 1)
    )
    formats = "".join(
        f'<numFmt numFmtId="{164 + k}" formatCode="{escape(code, {chr(34): "&quot;"})}"/>'
        for k, code in enumerate(STYLES)
    )
    styles = "".join(f'<xf numFmtId="{164 + k}"/>' for k in range(len(STYLES)))
    texts = "".join(f"<si><t>{escape(each)}</t></si>" for each in strings)
    parts |= {
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">{links}</Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><numFmts>{formats}</numFmts>'
        f"<cellXfs>{styles}</cellXfs></styleSheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{texts}</sst>',
    }
    return write_parts(path, parts)


def _ods_cell(value: Any) -> str:
    def cell(kind: str, held: str, text: str = "") -> str:
        return f'<table:table-cell office:value-type="{kind}" {held}>{text}</table:table-cell>'

    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, Error):
        return cell("string", 'calcext:value-type="error"', f"<text:p>{value}</text:p>")
    if isinstance(value, bool):
        return cell("boolean", f'office:boolean-value="{str(value).lower()}"')
    if isinstance(value, datetime.datetime):
        return cell("date", f'office:date-value="{value.isoformat()}"')
    if isinstance(value, datetime.timedelta):
        hours, rest = divmod(int(value.total_seconds()), 3600)
        return cell("time", f'office:time-value="PT{hours:02}H{rest // 60:02}M{rest % 60:02}S"')
    if isinstance(value, str):
        return cell("string", "", f"<text:p>{escape(value)}</text:p>")
    return cell("float", f'office:value="{value!r}"')


def write_ods(path: Path, sheets: dict[str, list[list[Any]]], hidden: tuple[str, ...] = ()) -> Path:
    """Write sheets, and below their rows the many empty ones that programs add."""
    tables = []
    for name, rows in sheets.items():
        lines = "".join(
            f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows
        )
        empty = (
            f'<table:table-row table:number-rows-repeated="{(1 << 20) - len(rows)}">'
            '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
        )
        style = "off" if name in hidden else "on"
        tables.append(
            f'<table:table table:name="{escape(name)}" table:style-name="{style}">{lines}{empty}'
            "</table:table>"
        )
    spaces = " ".join(
        f'xmlns:{each}="{OPEN}{each}:1.0"' for each in ("office", "table", "text", "style")
    )
    calc = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"
    styles = "".join(
        f'<style:style style:name="{name}" style:family="table"><style:table-properties '
        f'table:display="{shown}"/></style:style>'
        for name, shown in (("on", "true"), ("off", "false"))
    )
    content = (
        f'<office:document-content {spaces} xmlns:calcext="{calc}"><office:automatic-styles>'
        f"{styles}</office:automatic-styles><office:body><office:spreadsheet>{''.join(tables)}"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return write_parts(path, {"content.xml": content})


def write_parts(path: Path, parts: dict[str, str]) -> Path:
    """Write an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path


WRITERS = {".xlsx": write_xlsx, ".ods": write_ods}
