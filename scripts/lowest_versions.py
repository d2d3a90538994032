"""Print every direct requirement at its lowest declared version, for a run of the suite on them."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
extras = project["project"]["optional-dependencies"]
declared = [
    *project["project"]["dependencies"],
    *(line for extra in ("plot", "cli", "files") for line in extras[extra]),
    *project["dependency-groups"]["test"],
]
for requirement in declared:
    name, bound = re.fullmatch(r"([\w.-]+)(?:\[\w+\])?[>=]=([\w.]+)", requirement).groups()
    print(f"{name}=={bound}")
