"""Files of every format, whole ones and changed ones, and the program that reads them."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from books import WRITERS
from program import run

from fuzz.values import TEXTS

SAID = ("--truth", "y", "--models", "a", "b", "--asymmetry", "0.8")
KINDS = ("csv", "csv", "jsonl", "parquet", "arrow", "feather", "xlsx", "ods", "csv.gz")
CELLS = [*TEXTS, "1e400", "-", "1,5", "1.234,5", "١٢", "NA", '"', "'", "a,b", "\r", "\t", "1e-320"]
CELLS += ["2024-13-45", "inf", "9" * 400, "%", "€3", "\ufeff", "\x1f", "[1]", "true"]


def columns_of(draw: Random) -> dict[str, list[Any]]:
    """Return columns, some of whose cells are odd."""
    rng = np.random.default_rng(draw.randrange(2**32))
    size = draw.choice([0, 1, 2, 12, 60])
    y = rng.gamma(3.0, 10.0, size) * 10.0 ** draw.choice([0, 0, 0, 0, 200, -200])
    found: dict[str, list[Any]] = {
        "y": y.tolist(),
        "a": (y + rng.normal(size=size)).tolist(),
        "b": (y + rng.normal(size=size)).tolist(),
        "g": [f"g{k % 3}" for k in range(size)],
    }
    return found


def written(draw: Random, kind: str, folder: Path) -> Path:
    """Write a file."""
    found = columns_of(draw)
    rows = [list(row) for row in zip(*found.values(), strict=True)]
    for _ in range(draw.choice([0, 0, 1, 3]) if rows else 0):
        value = draw.choice([*CELLS, None, 1e308, -1e308, 2**70, True])
        draw.choice(rows)[draw.randrange(4)] = value
    path = folder / f"x.{kind}"
    if kind in ("csv", "csv.gz"):
        lines = [list(found), *rows]
        if draw.random() < 0.2:
            draw.choice(lines).append("more")
        sign = draw.choice([",", ",", ",", ";", "\t", "|"])
        text = "\n".join(sign.join("" if e is None else str(e) for e in row) for row in lines)
        encoding = draw.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"])
        held = text.encode(encoding, errors="replace")
        path.write_bytes(gzip.compress(held) if kind == "csv.gz" else held)
    elif kind == "jsonl":
        path.write_text("\n".join(json.dumps(dict(zip(found, row, strict=False))) for row in rows))
    elif f".{kind}" in WRITERS:
        WRITERS[f".{kind}"](path, {"cases": [list(found), *_printable(rows)]})
    else:
        table = pa.table({n: _arrow([row[k] for row in rows], draw) for k, n in enumerate(found)})
        if kind == "parquet":
            pq.write_table(table, path)
        else:
            packed = draw.choice([None, "lz4", "zstd"])
            options = pa.ipc.IpcWriteOptions(compression=packed)
            with (
                pa.OSFile(str(path), "wb") as file,
                pa.ipc.new_file(file, table.schema, options=options) as writer,
            ):
                writer.write_table(table)
    return path


def _printable(rows: list[list[Any]]) -> list[list[Any]]:
    """Return rows as XML can hold them."""
    return [["?" if isinstance(e, str) and not e.isprintable() else e for e in row] for row in rows]


def _arrow(values: list[Any], draw: Random) -> Any:
    try:
        made = pa.array(values)
    except (pa.ArrowException, OverflowError, ValueError, TypeError):
        made = pa.array([None if e is None else str(e) for e in values], pa.string())
    kinds = [pa.float32(), pa.decimal128(38, 3), pa.large_string(), pa.timestamp("s"), pa.date64()]
    if draw.random() < 0.1:
        try:
            return made.cast(draw.choice(kinds), safe=False)
        except pa.ArrowException:
            return made
    packed = draw.random() < 0.1 and made.type != pa.null()  # Arrow writes no dictionary of nothing
    return made.dictionary_encode() if packed else made


def changed(draw: Random, path: Path) -> None:
    """Change bytes of a file, of a part of an archive, or cut it."""
    held = path.read_bytes()
    if path.suffix in WRITERS and draw.random() < 0.8 and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        name = draw.choice(list(parts))
        parts[name] = _mutated(draw, parts[name])
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, part in parts.items():
                archive.writestr(name, part)
        path.write_bytes(made.getvalue())
        return
    path.write_bytes(_mutated(draw, held))


def _mutated(draw: Random, held: bytes) -> bytes:
    if not held:
        return held
    made = bytearray(held)
    kind = draw.randrange(6)
    at = draw.randrange(len(made))
    if kind == 0:
        return bytes(made[:at])
    if kind == 1:
        end = min(at + draw.choice([1, 4, 40]), len(made))
        return bytes(made[:at] + made[at:end] * draw.choice([0, 2, 50]) + made[end:])
    if kind == 2:
        odd = [b"\0", b"\xff", b'"', b"<", b"99999999999", b"-1", b"\n", b",", b"&#0;"]
        return bytes(made[:at] + draw.choice(odd) + made[at:])
    if kind == 3:
        width = draw.choice([1, 2, 4, 8])
        value = draw.choice([0, 1, 2**7, 2**15, 2**31 - 1, 2**31, 2**62, 2**64 - 1])
        made[at : at + width] = (value % 2 ** (8 * width)).to_bytes(width, "little")
        return bytes(made)
    for _ in range(draw.choice([1, 2, 8, 64])):
        made[draw.randrange(len(made))] = draw.randrange(256)
    return bytes(made)


OPTIONS: list[tuple[str, ...]] = [
    *[()] * 4, ("--by", "g"), ("--clusters", "g"), ("--time", "g"), ("-w", "b"), ("--id", "g"),
    ("--missing", "common"), ("--missing", "pairwise"), ("--mode", "grid"), ("--json",),
    ("--encoding", "latin-1"), ("--encoding", "utf-16"), ("--delimiter", ";"), ("--decimal", ","),
    ("--sheet", "cases"), ("--header-row", "2"), ("--memory", "64MB"),
]  # fmt: skip


def compare_at_random(draw: Random, folder: Path) -> str | None:
    """Compare a changed file, and return what is wrong with how that ended."""
    kind = draw.choice(KINDS)
    path = written(draw, kind, folder)
    if draw.random() < 0.7:
        changed(draw, path)
    before = path.read_bytes()
    more = draw.choice(OPTIONS)
    outputs = ("--decision", "d.json") if draw.random() < 0.5 else ()
    done = run("compare", path.name, *SAID, *more, *outputs, cwd=folder)
    wrong = fault_in(done, (0, 2))
    if wrong is None and path.read_bytes() != before:
        wrong = "the input was changed"
    if wrong is None and outputs:
        wrong = half_written(folder, done.returncode)
    return None if wrong is None else f"{kind} {' '.join(more)}: {wrong}"


def fault_in(done: Any, codes: tuple[int, ...]) -> str | None:
    """Return what is wrong with how the program ended."""
    if "Traceback" in done.stderr or "bug in roctopus" in done.stderr:
        return str(done.stderr.strip()[:300])
    if done.returncode not in codes:
        return f"exit code {done.returncode}: {done.stderr[:200]}"
    said = [line for line in done.stderr.splitlines() if not line.startswith("Note: ")]
    if done.returncode == 2 and len(said) != 1:
        return f"not one sentence: {done.stderr[:200]}"
    return None


def half_written(folder: Path, code: int) -> str | None:
    """Return what is wrong with the files that a run left."""
    import roctopus

    left = [each.name for each in folder.iterdir() if each.name[0] == "."]
    if left:
        return f"{left[0]} was left behind"
    path = folder / "d.json"
    if code == 2 and path.exists():
        return "a decision without an answer"
    if code == 0:
        roctopus.Decision.from_json(path)
    return None
