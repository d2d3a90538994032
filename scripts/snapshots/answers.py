"""All that is asked, in a folder of its own."""

import os
import tempfile
from contextlib import chdir
from typing import Any

from snapshots.large import all_large
from snapshots.others import all_others
from snapshots.programs import all_programs
from snapshots.questions import all_questions


def all_answers() -> dict[str, Any]:
    """Ask everything."""
    os.environ |= {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        return {
            "questions": all_questions(),
            "large": all_large(),
            "command_line": all_programs(),
            "others": all_others(),
        }
