"""What a call gives, as JSON: values, frames and records; warnings and errors as text."""

import base64
import dataclasses
import json
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import roctopus as rt

VOLATILE = {"library_version", "madeWith", "checksum"}
PAGE = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def record(call: Callable[[], Any]) -> dict[str, Any]:
    """Return what a call gives or raises, and what it warns of."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            found = {"gives": plain(call())}
        except Exception as error:
            found = {"raises": f"{type(error).__name__}: {clean(str(error))}"}
    told = dict.fromkeys(f"{each.category.__name__}: {clean(str(each.message))}" for each in warned)
    return {**found, "warns": list(told)} if told else found


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it, by the public fields that it has."""
    if isinstance(value, (bool, int, float, type(None))):
        return value
    if isinstance(value, str):
        return plain(json.loads(value)) if value.startswith("{\n") else clean(value)
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, np.ndarray):
        return plain(value.astype(str).tolist() if value.dtype.kind == "M" else value.tolist())
    if isinstance(value, Mapping):
        return _mapping(value)
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, rt.Estimate):
        return plain([value.value, value.standard_error, *value.confidence_interval()])
    if hasattr(value, "to_pydict") or hasattr(value, "to_dict"):
        return _frame(value)
    if dataclasses.is_dataclass(value):
        names = (each.name for each in dataclasses.fields(value) if not each.name.startswith("_"))
        return plain({name: getattr(value, name) for name in names})
    return clean(repr(value))


def _mapping(value: Mapping[Any, Any]) -> Any:
    if set(value) == {"f64"}:  # a page's array of doubles
        return np.frombuffer(base64.b64decode(value["f64"]), "<f8").tolist()
    return {
        clean(str(key)).replace(".", "_"): "(masked)" if key in VOLATILE else plain(each)
        for key, each in value.items()
    }


def _frame(value: Any) -> Any:
    if hasattr(value, "to_pydict"):
        return plain(value.to_pydict())
    found = value.to_dict("list") if hasattr(value, "iloc") else value.to_dict(as_series=False)
    return plain({"frame": type(value).__module__.split(".")[0], **found})


def clean(text: str) -> str:
    """Return a text without what differs from run to run."""
    for volatile in (str(Path.cwd()), rt.__version__):
        text = text.replace(volatile, "(masked)")
    return ADDRESS.sub("", text)


def page_payload(write: Callable[[Path], None]) -> Any:
    """Return the data in a page that is written to a path."""
    path = Path("page.html")
    path.unlink(missing_ok=True)
    write(path)
    return json.loads(PAGE.search(path.read_text("utf-8")).group(1))
