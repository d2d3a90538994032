"""Sizes of the source: lines of code per package, the largest fan-out, the length of functions.

    python scripts/figures.py [FOLDER]    # the folder that holds roctopus; src by default

A line of code holds something other than a comment or a docstring. Fan-out is the number of modules
of roctopus that a module imports at its top; a package's list of public names does not count. A
function's length is that of its body after the docstring.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path
from typing import Any

EMPTY = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def documentation(tree: ast.AST) -> set[int]:
    """Return the lines of strings that stand alone."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        alone = node.value if isinstance(node, ast.Expr) else None
        if isinstance(alone, ast.Constant) and isinstance(alone.value, str):
            lines.update(range(alone.lineno, (alone.end_lineno or alone.lineno) + 1))
    return lines


def lines_of_code(source: str) -> set[int]:
    """Return the numbers of the lines that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in EMPTY:
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines - documentation(ast.parse(source))


def fan_out(tree: ast.Module, modules: set[str]) -> int:
    """Return how many modules of roctopus are imported at the top."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names} & modules
        elif isinstance(node, ast.ImportFrom) and node.module in modules:
            parts = {f"{node.module}.{each.name}" for each in node.names}
            found |= (parts & modules) or {node.module}
    return len(found)


def lengths(tree: ast.AST) -> list[int]:
    """Return how many lines each function's body has."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            found.append((node.end_lineno or 0) - body[0].lineno + 1 if body else 0)
    return found


def figures(folder: Path) -> dict[str, Any]:
    """Return all figures of a source folder."""
    paths = {
        ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(folder.rglob("*.py"))
    }
    sizes: Counter[str] = Counter()
    fans: Counter[str] = Counter()
    functions: list[int] = []
    for name, path in paths.items():
        source = path.read_text("utf-8")
        tree, code = ast.parse(source), lines_of_code(source)
        inside = name.split(".")
        is_package = path.parent == folder / "roctopus"
        sizes["roctopus" if is_package else ".".join(inside[:2])] += len(code)
        if path.name != "__init__.py":
            fans[name] = fan_out(tree, set(paths))
        functions += lengths(tree)
    functions.sort()
    p90 = functions[int(0.9 * len(functions))]
    return {"sizes": sizes, "fans": fans, "p90": p90, "functions": len(functions)}


def main() -> None:
    """Print them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "src"
    found = figures(folder)
    for name, size in sorted(found["sizes"].items()):
        print(f"{size:7,} {name}")
    print(f"{found['sizes'].total():7,} lines of code")
    for name, count in found["fans"].most_common(3):
        print(f"{count:7,} modules imported by {name}")
    print(f"{found['p90']:7,} lines at most in 90 % of {found['functions']:,} functions")


if __name__ == "__main__":
    main()
