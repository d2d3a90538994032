"""What files hold, whatever their names say: other formats, and how much is inside."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from roctopus.core.errors import InputError, arg

SQUEEZED = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
LETTERS = 10
"""So many letters, about, tell a number in a file of text."""
BYTES_A_LETTER = 10
"""What a comparison takes at most for each of them."""
SAMPLE = 1 << 20
SIGNS = {
    b"\x1f\x8b": "is compressed with gzip. Rename it, so that its name ends in .gz.",
    b"BZh": "is compressed with bzip2. Rename it, so that its name ends in .bz2.",
    b"\x28\xb5\x2f\xfd": "is compressed with Zstandard. Rename it, so that its name ends in .zst.",
    b"PK\x03\x04": "is not text, but a spreadsheet or a zip archive. If it is a spreadsheet, "
    "rename it, so that its name ends in .xlsx or .ods; if it is an archive, unpack it.",
    b"\xd0\xcf\x11\xe0": "is a spreadsheet in the old format .xls. Save it as .xlsx.",
    b"PAR1": "is a Parquet file. Rename it, so that its name ends in .parquet.",
    b"ARROW1": "is an Arrow file. Rename it, so that its name ends in .arrow.",
}
"""How files of other formats begin, which were taken for text."""


def refuse_other_content(head: bytes, name: str) -> None:
    """Raise an error for the beginning of a file that is not text."""
    for sign, told in SIGNS.items():
        if head.startswith(sign):
            raise InputError(f"'{name}' {told}")


def squeezed(path: Path) -> str | None:
    """Return how a file is compressed, by its name; None if it is not."""
    return SQUEEZED.get(path.suffix.lower())


def letters_in(path: Path) -> int:
    """Return how long the text in a file is; of a compressed one about, from its beginning."""
    import pyarrow as pa

    size = path.stat().st_size
    how = squeezed(path)
    if how is None:
        return size
    with path.open("rb") as raw, pa.CompressedInputStream(pa.PythonFile(raw, "r"), how) as stream:
        begun = len(stream.read(SAMPLE))
        return size * begun // max(raw.tell(), 1) if begun == SAMPLE else begun


class Unpacked(io.RawIOBase):
    """What a compressed file holds, up to what memory can take; more raises an error."""

    def __init__(self, path: Path, how: str, name: str, memory: int) -> None:
        import pyarrow as pa

        self._stream: Any = pa.input_stream(str(path), compression=how)
        self._name, self._packed = name, path.stat().st_size
        self._most = self._left = memory // BYTES_A_LETTER

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes."""
        found = self._stream.read(len(buffer))
        self._left -= len(found)
        if self._left < 0:
            raise InputError(
                f"'{self._name}' ({size_in_words(self._packed)}) unpacks to more than "
                f"{size_in_words(self._most)} of text, which may not fit into memory. If the "
                "file is really that large, allow more memory, such as "
                f"{arg('memory', _next(self._most * BYTES_A_LETTER))}."
            )
        buffer[: len(found)] = found
        return len(found)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
        super().close()


def size_in_words(size: int) -> str:
    """Return a number of bytes as people say it: "4.8 MB"."""
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{size / scale:.2g} {unit}" if size < 10 * scale else f"{size // scale} {unit}"
    return f"{size} bytes"


def _next(memory: int) -> str:
    """Return a rounded size that is well above one."""
    return f"{max(4 * memory // 10**9, 1)}GB"
