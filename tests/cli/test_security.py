"""What SECURITY.md promises of the network and of code, as far as the source can show it."""

import ast
import json
import socket
from pathlib import Path

import pytest
from program import SAID, columns, run, write

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "roctopus"
NETWORK = {"aiohttp", "ftplib", "http", "httpx", "requests", "smtplib", "socket", "ssl", "urllib"}
CODE = {"dill", "joblib", "marshal", "pickle", "shelve"}


def imports(path):
    """Return the packages that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


def test_one_function_uses_the_network_and_no_file_is_code():
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for part in ("## What we promise", "## What we trust", "## The network", "Report a vulner"):
        assert part in text
    assert "roctopus.datasets.load_problem" in text
    modules = {str(p.relative_to(SOURCE)): imports(p) for p in SOURCE.rglob("*.py")}
    fetching = {"datasets/fetching.py", "datasets/problems.py"}
    assert {name for name, found in modules.items() if found & NETWORK} == fetching
    assert "Spark" in text.partition("pickles")[2].partition("\n- ")[0]
    sums = {"engines/spark.py", "engines/spark_tasks.py"}
    assert {name for name, found in modules.items() if found & CODE} == sums


def test_no_connection_is_opened(tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("a connection was opened")

    for name in ("connect", "connect_ex", "bind"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    write(tmp_path / "x.parquet", columns())
    for said in (
        ("look", "x.parquet"),
        ("compare", "x.parquet", *SAID, "--decision", "d.json", "-o", "p.html"),
        ("check", "d.json", "x.parquet", "--truth", "y", "--state", "s.json"),
    ):
        done = run(*said, cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr
    assert json.loads((tmp_path / "d.json").read_text())["arm"] == "regression"


@pytest.mark.parametrize("option", ["--decision", "--truth"])
def test_addresses_are_names_of_files(tmp_path, option, monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: pytest.fail("asked for an address"))
    for address in ("https://example.org/x.csv", "s3://bucket/x.parquet", "file:///etc/hosts"):
        done = run("compare", address, *SAID, option, "y", cwd=tmp_path)
        assert done.returncode == 2, done.stdout
        assert "bug in roctopus" not in done.stderr
        assert done.stderr.count("\n") == 1
