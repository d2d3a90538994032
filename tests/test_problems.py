"""The papers' problems: read from a folder, fetched, checked; and what is said when that fails."""

import csv
import dataclasses
import http.server
import io
import threading
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

from roctopus import Beta, InputError
from roctopus.datasets import fetching, list_problems, load_problem
from roctopus.datasets.fetching import Origin, checksum
from roctopus.datasets.problems import PaperProblem

ROWS = [["a", "1.50", "", "10"], ["b", "2", "3", "20"], ["a", "4e0", "5", "40"]]
MADE_UP = PaperProblem(
    name="made-up",
    question="Is it enough?",
    target="what is measured",
    unit="m",
    rows=3,
    features=("kind", "size", "age"),
    source="us",
    licence="none",
    checksum=checksum(ROWS),
    nominal=("kind",),
    cutoffs=(2, 3, 0.0, 0.5),
    type=5,
)


def write(path, rows, header=("kind", "size", "age", "target")):
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def test_the_registry_is_the_papers():
    problems = list_problems()
    with_cutoffs = [p for p in problems.values() if p.cutoffs]
    assert len(with_cutoffs) == 20
    assert [p.type for p in with_cutoffs].count(3) == 7
    assert sum(p.rows for p in with_cutoffs) == 36_449  # instances of Table 5
    for problem in problems.values():
        assert problem.question.endswith("?")
        assert problem.licence in ("CC BY 4.0", "no licence found")
        assert len(problem.checksum) == 64
        assert set(problem.nominal) <= {"*", *problem.features}
        assert problem.origin is None or bool(problem.origin.uci) != bool(problem.origin.openml)
    with pytest.raises(TypeError):
        problems["mine"] = None


def test_a_folder_is_read(tmp_path):
    write(tmp_path / "made-up.csv", ROWS[::-1])  # the order of rows does not matter
    data = MADE_UP.load(tmp_path)
    np.testing.assert_array_equal(data.y_true, [40, 20, 10])
    assert data.columns["kind"] == ["a", "b", "a"]
    np.testing.assert_array_equal(data.matrix(), [[0, 4, 5], [1, 2, 3], [0, 1.5, np.nan]])
    assert data.cutoffs == Beta(2, 3, 10.0, 25.0)


def test_missing_names_have_no_indicator(tmp_path):
    gaps = [["", "1", "1", "1"], ["b", "1", "1", "1"], ["c", "1", "1", "1"]]
    write(tmp_path / "made-up.csv", gaps)
    data = dataclasses.replace(MADE_UP, checksum=checksum(gaps)).load(tmp_path)
    np.testing.assert_array_equal(data.matrix()[:, 0], [np.nan, 0, 1])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (ROWS[:2], "must have 3 rows of 4 cells, like the paper's 'made-up', but has 2 rows"),
        ([*ROWS[:2], ["a", "1"]], "but line 4 has 2"),
        ([*ROWS[:2], ["a", "4", "6", "40"]], "contains other values than the paper's 'made-up'"),
    ],
)
def test_another_file_is_refused(tmp_path, rows, said):
    write(tmp_path / "made-up.csv", rows)
    with pytest.raises(InputError) as refusal:
        MADE_UP.load(tmp_path)
    assert said in str(refusal.value)
    assert str(tmp_path / "made-up.csv") in str(refusal.value)


def test_an_empty_file_is_refused(tmp_path):
    (tmp_path / "made-up.csv").write_text("")
    with pytest.raises(InputError, match="but has 0 rows"):
        MADE_UP.load(tmp_path)


def test_without_a_source_it_is_said_where_to_put_the_file(tmp_path):
    with pytest.raises(InputError) as refusal:
        MADE_UP.load(tmp_path / "data")
    assert "Save them in this folder as 'made-up.csv'" in str(refusal.value)
    assert not (tmp_path / "data").exists()
    with pytest.raises(InputError, match=r"There is no problem called 'iris'\. Available: airfoil"):
        load_problem("iris")


def test_the_folder_may_be_told_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("ROCTOPUS_DATA", str(tmp_path))
    with pytest.raises(InputError, match=str(tmp_path)):
        load_problem("dee")


@pytest.fixture
def uci(monkeypatch):
    """A server with a file; what it holds can be changed."""
    held = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            text = held.get(self.path)
            self.send_response(200 if text is not None else 404)
            if text == "cut":
                self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(text if isinstance(text, bytes) else (text or "").encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        monkeypatch.setattr(fetching, "UCI", f"http://127.0.0.1:{server.server_port}/")
        yield held
        server.shutdown()


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("kind;size;age;y\na;1.5;;10\nb;2;3;20\na;4;5;40\n", {"header": True, "target": (3,)}),
        ("10  'a' 1.5 ? 6\n20 b 2 3 7\n40 a 4 5 8\n\n", {"target": (0,), "drop": (4,)}),
        ("*** made\na,1.5,,4,6\nb,2,3,19,1\na,4,5,0,40\n", {"header": True, "target": (3, 4)}),
    ],
)
def test_files_of_uci_are_fetched_once(uci, tmp_path, text, origin):
    problem = dataclasses.replace(MADE_UP, origin=Origin(uci="it.data", **origin))
    uci["/it.data"] = text
    first = problem.load(tmp_path / "new")
    np.testing.assert_array_equal(first.y_true, [10, 20, 40])
    del uci["/it.data"]
    again = problem.load(tmp_path / "new", download=False)  # from the cache
    np.testing.assert_array_equal(again.matrix(), first.matrix())


SHEET = """<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c></row>
<row><c><v>1</v></c><c><v>0.97999999999999998</v></c><c><v>7</v></c><c><v>10</v></c><c/></row>
<row><c><v>2</v></c><c><v>2</v></c><c><v>8</v></c><c><v>20</v></c></row>
<row><c/></row><row><c><v>3</v></c><c><v>4</v></c><c><v>9</v></c><c><v>40</v></c></row>
</sheetData></worksheet>"""


def excel(name=None):
    """Return an Excel file with a small sheet; in an archive if it has a name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", SHEET)
    if name is None:
        return content.getvalue()
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("read me.txt", "hello")
        archive.writestr(name, content.getvalue())
    return outer.getvalue()


@pytest.mark.parametrize(("file", "inner"), [("it.xlsx", None), ("it.zip", "folder/it.xlsx")])
def test_excel_files_of_uci(uci, tmp_path, file, inner):
    uci[f"/{file}"] = content = excel(inner)
    values = [["1", "0.98", "7", "10"], ["2", "2", "8", "20"], ["3", "4", "9", "40"]]
    problem = dataclasses.replace(
        MADE_UP,
        nominal=(),
        checksum=checksum(values),
        origin=Origin(uci=file, header=True, target=(3,)),
    )
    np.testing.assert_array_equal(problem.load(tmp_path).y_true, [10, 20, 40])
    uci[f"/{file}"] = content[:80]
    with pytest.raises(InputError, match="that is not an Excel file"):
        problem.load(tmp_path / "other")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("\ufeffkind,size,age,target\na,1.5,,10\n\nb,2,3,20\na,4,5,40\n\n".encode(), None),
        ("kind,size,age,target\nä".encode("utf-16"), "is not a CSV file in UTF-8"),
        (b'a,"b' + b"x" * 200_000, "is not a CSV file in UTF-8"),
    ],
    ids=["mark and blank lines", "UTF-16", "endless cell"],
)
def test_files_as_people_save_them(tmp_path, content, said):
    (tmp_path / "made-up.csv").write_bytes(content)
    if said is None:
        assert len(MADE_UP.load(tmp_path).y_true) == 3
        return
    with pytest.raises(InputError, match=said):
        MADE_UP.load(tmp_path)


def test_places_that_are_no_files_or_folders(uci, tmp_path):
    (tmp_path / "made-up.csv").mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        MADE_UP.load(tmp_path)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(InputError, match="'data_home' must be a folder"):
        MADE_UP.load(file)
    uci["/it.data"] = "a,1.5,,10\nb,2,3,20\na,4,5,40\n"
    problem = dataclasses.replace(MADE_UP, origin=Origin(uci="it.data", target=(3,)))
    with pytest.raises(InputError, match="were downloaded, but cannot be saved"):
        problem.load(file / "below")


def test_an_interrupted_download_is_a_sentence(uci, tmp_path):
    uci["/it.data"] = "cut"
    problem = dataclasses.replace(MADE_UP, origin=Origin(uci="it.data", target=(3,)))
    with pytest.raises(InputError, match=r"could not be downloaded from .* of UCI"):
        problem.load(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "could not be downloaded from it.data of UCI (HTTP Error 404"),
        ("", "it is not the expected table"),
        ("<html>we moved</html>\n", "it is not the expected table"),
        ("a,1.5,,10\nb,2,3,20\na,4,5,41\n", "from it.data of UCI contains other values"),
    ],
)
def test_what_is_wrong_is_not_kept(uci, tmp_path, text, said):
    problem = dataclasses.replace(MADE_UP, origin=Origin(uci="it.data", target=(3,)))
    if text is not None:
        uci["/it.data"] = text
    with pytest.raises(InputError) as refusal:
        problem.load(tmp_path)
    assert said in str(refusal.value)
    assert list(tmp_path.iterdir()) == []


def test_openml_is_read_with_its_categories(monkeypatch, tmp_path):
    def fetch(**asked):
        assert asked["data_id"] == 7
        return SimpleNamespace(
            feature_names=["kind", "size", "age", "y"],
            categories={"kind": ["b", "a"]},
            data=np.array([[1, 1.5, np.nan, 10], [0, 2, 3, 20], [1, 4, 5, 40]]),
        )

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    problem = dataclasses.replace(MADE_UP, origin=Origin(openml=7, target=(3,)))
    assert problem.load(tmp_path).columns["kind"] == ["a", "b", "a"]
