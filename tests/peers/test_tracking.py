"""The page about MLflow, followed with the real one: in an empty folder, without a network."""

import json
import socket

import pytest
from blocks import ROOT, run_page

import roctopus as rt


@pytest.mark.filterwarnings("ignore")  # MLflow's own deprecations
def test_decisions_are_logged_and_deployed_from_the_log(tmp_path, monkeypatch):
    asked = []

    def refuse(_, address):
        asked.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "sqlite:///mlflow.db")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    run_page(ROOT / "docs/howto/track.md")
    assert asked == []
    kept = {file.name: file for file in (tmp_path / "mlruns").rglob("artifacts/*")}
    decision = rt.Decision.from_json(kept["decision.json"])
    assert kept["answer.txt"].read_text() == decision.sentence
    assert kept["costs.png"].read_bytes().startswith(b"\x89PNG")
    rows = len(decision.models) + len(decision.beside)
    assert kept["models.csv"].read_text().count("\n") == 1 + rows
    assert "<html" in kept["page.html"].read_text()[:1000].lower()
    assert json.loads(kept["decision.json"].read_text()) == decision.to_dict()
