"""From real data to a deployed model: one example per arm, short enough to be copied.

`scripts/docs` runs the examples, and `tests/site` reads what they printed.
"""

import ast
import io
import tokenize

import pytest
from blocks import ROOT

from roctopus.arms import known_arms

WALKS = {
    "regression": "plot_power_plant",
    "cutoff": "plot_concrete",
    "ordinal": "plot_wine",
    "probability": "plot_breast_cancer",
    "impact": "plot_net_benefit",
}
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def walk(arm: str) -> str:
    """The part from `X, y` to the prediction in another process."""
    text = (ROOT / f"examples/gallery/{arm}/{WALKS[arm]}.py").read_text(encoding="utf-8")
    first, last = (
        next(node for node in ast.parse(text).body if isinstance(node, kind))
        for kind in (ast.Assign, ast.With)
    )
    return "\n".join(text.splitlines()[first.lineno - 1 : last.end_lineno])


def lines_of_code(text: str) -> int:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return len({token.start[0] for token in tokens if token.type not in SILENT})


def test_every_arm_has_one():
    assert set(WALKS) <= set(known_arms())
    assert len(WALKS) == 5


@pytest.mark.parametrize("arm", WALKS)
def test_twelve_lines_are_enough(arm):
    code = walk(arm)
    assert code.startswith("X, y = load_")
    assert f'arm="{arm}"' in code
    for step in ("compare_estimators(", ".decide(", ".deploy()", ".to_json(", "sys.executable"):
        assert step in code
    assert lines_of_code(code) <= 12
