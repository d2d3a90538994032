"""An arm is a record: shared code asks it, and knows no arm by its name."""

import ast
import re
import runpy
from pathlib import Path

import pytest

from roctopus.arms import known_arms

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "roctopus"
SHARED = (
    "inference",
    "comparison",
    "scanning",
    "monitoring",
    "display",
    "deploy",
    "engines",
    "report",
    "cli",
)
FRONT_DOORS = {
    "display.components",
    "display.cost",
    "display.cutoff",
    "display.errors",
    "display.impact",
    "display.net_benefit",
    "display.ordinal",
    "display.precision",
    "display.probability",
    "display.rroc",
    "display.smoothing",
    "display.surface",
    "deploy.cutoffs",
    "deploy.grades",
    "deploy.hybrids",
    "deploy.retraining",
    "deploy.regressors",
    "deploy.thresholds",
    "cli.demo",
}
"""Modules of one arm, or of examples of each, for users: only their package lists them."""
MOST_IMPORTED, LONGEST = 18, 19
"""Modules that a module may import at its top, and lines of nine functions in ten."""
BUILT_IN = ("regression", "cutoff", "ordinal", "probability", "impact")
ARMS = "|".join(BUILT_IN)
NAME = re.compile(rf"({ARMS})|roctopus\.({ARMS})(\..*)?")
MODULE = re.compile(rf"roctopus\.({ARMS})(\..*)?")
SCRIPT = re.compile(rf"""["'`]({ARMS})["'`]|\.arm\b|\barm\b\s*[:?=]""")


def shared_modules() -> dict[str, Path]:
    """Return the shared modules by name, such as "display.context"."""
    found = {}
    for package in SHARED:
        for path in sorted((SOURCE / package).rglob("*.py")):
            inside = path.relative_to(SOURCE).with_suffix("")
            found[".".join(inside.parts)] = path
    return {name: path for name, path in found.items() if name not in FRONT_DOORS}


def docstrings(tree: ast.AST) -> set[int]:
    """Return the ids of strings that stand alone: they are documentation."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def imports(tree: ast.AST) -> list[tuple[int, str]]:
    """Return the modules and names that are imported, each with its line."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, each.name) for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.lineno, f"{node.module}.{each.name}") for each in node.names]
    return found


def is_arm(node: ast.AST) -> bool:
    """Return whether an expression is the name of an arm: ``problem.arm``."""
    return isinstance(node, ast.Attribute) and node.attr == "arm"


def knows_arms(source: str) -> list[str]:
    """Return where a module knows an arm by its name, a sentence each."""
    tree = ast.parse(source)
    words = docstrings(tree)
    found = [
        f"line {line}: imports {name}" for line, name in imports(tree) if MODULE.fullmatch(name)
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words:
            if NAME.fullmatch(node.value):
                found.append(f"line {node.lineno}: names {node.value!r}")
        elif isinstance(node, ast.Compare) and any(map(is_arm, [node.left, *node.comparators])):
            found.append(f"line {node.lineno}: compares '.arm'")
        elif isinstance(node, ast.Subscript) and is_arm(node.slice):
            found.append(f"line {node.lineno}: looks '.arm' up in a table")
        elif isinstance(node, ast.Match) and is_arm(node.subject):
            found.append(f"line {node.lineno}: matches '.arm'")
    return found


def opens_doors(name: str, source: str) -> list[str]:
    """Return where a module imports a front door; the package of a door lists it."""
    found = []
    for line, imported in imports(ast.parse(source)):
        inside = imported.removeprefix("roctopus.")
        doors = {door for door in FRONT_DOORS if f"{inside}.".startswith(f"{door}.")}
        listed = {door for door in doors if name == f"{door.split('.')[0]}.__init__"}
        found += [f"line {line}: imports the front door {door}" for door in doors - listed]
    return found


def complaints(name: str, source: str) -> list[str]:
    """Return all that is wrong with a shared module."""
    return knows_arms(source) + opens_doors(name, source)


@pytest.mark.parametrize("name", sorted(shared_modules()))
def test_shared_modules_know_no_arm(name):
    found = complaints(name, shared_modules()[name].read_text("utf-8"))
    assert not found, "\n".join([name, *found])


def test_all_built_in_arms_are_looked_for():
    assert [name for name in known_arms() if (SOURCE / name).is_dir()] == list(BUILT_IN)


def test_exemptions_are_modules_that_there_are():
    there = {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in SOURCE.rglob("*.py")
    }
    assert there >= FRONT_DOORS


@pytest.mark.parametrize("path", sorted((ROOT / "frontend" / "src").glob("*.ts")), ids=str)
def test_the_page_knows_no_arm(path):
    assert not SCRIPT.search(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        ('if arm == "ordinal":\n    pass', "line 1: names 'ordinal'"),
        ('TABLE = {\n    "cutoff": 1,\n}', "line 2: names 'cutoff'"),
        ("if decision.arm != other:\n    pass", "line 1: compares '.arm'"),
        ("x = 1 if problem.arm in NAMES else 2", "line 1: compares '.arm'"),
        ("x = TABLE[problem.arm]", "line 1: looks '.arm' up in a table"),
        ("match problem.arm:\n    case other:\n        pass", "line 1: matches '.arm'"),
        ("import roctopus.impact", "line 1: imports roctopus.impact"),
        ("from roctopus import regression", "line 1: imports roctopus.regression"),
        (
            "def f():\n    from roctopus.impact.curves import impact_curve",
            "line 2: imports roctopus.impact.curves.impact_curve",
        ),
        (
            'import_module("roctopus.ordinal.thresholds")',
            "line 1: names 'roctopus.ordinal.thresholds'",
        ),
        (
            "from roctopus.display.rroc import RROCDisplay",
            "line 1: imports the front door display.rroc",
        ),
        ("from roctopus.display import rroc", "line 1: imports the front door display.rroc"),
    ],
)
def test_a_planted_branch_is_found(planted, said):
    source = f'"""Not a module of one arm."""\n{planted}\n'
    line = int(said.split(":")[0].removeprefix("line "))
    assert complaints("comparison.planted", source) == [
        said.replace(f"line {line}", f"line {line + 1}")
    ]


def test_what_is_no_branch_is_not_found():
    source = (
        '"""Of the arm "regression"."""\n'
        "def f(problem):\n"
        '    """ordinal"""\n'
        "    return find_arm(problem.arm), problem.probability, 'impact of this'\n"
    )
    assert not complaints("display.planted", source)
    assert not opens_doors("display.__init__", "from roctopus.display.rroc import RROCDisplay")


def test_modules_know_few_others_and_functions_are_short():
    found = runpy.run_path(str(ROOT / "scripts" / "figures.py"))["figures"](ROOT / "src")
    assert found["fans"].most_common(1)[0][1] <= MOST_IMPORTED
    assert found["p90"] <= LONGEST


def test_schemas_name_no_arm():
    for path in SOURCE.rglob("*.schema.json"):
        assert not re.search(rf'"({ARMS})"', path.read_text("utf-8")), path


@pytest.mark.parametrize("planted", ['if (arm === "cutoff") {}', "raw.arm", "arm: string"])
def test_a_planted_branch_in_the_page_is_found(planted):
    assert SCRIPT.search(planted)


def declared(source: str) -> list[str]:
    """Return the classes and type aliases that a module declares itself."""
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id for each in targets if isinstance(each, ast.Name)]
            found += [name for name in names if re.fullmatch(r"_?[A-Z]\w*[a-z]\w*", name)]
    return found


def test_every_class_and_alias_has_a_name_of_its_own():
    places: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for name in declared(path.read_text()):
            places.setdefault(name, []).append(str(path.relative_to(SOURCE)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_second_name_is_found():
    assert declared("class A: ...\nRows = list[int]\nMANY = 5\n_Pair: TypeAlias = tuple") == [
        "A",
        "Rows",
        "_Pair",
    ]
