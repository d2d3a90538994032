"""The hash of the data, and files that hold no decision."""

import json

import numpy as np
import pytest
from small import MODELS, N, Y, fresh

import roctopus as rt


def test_the_hash_knows_no_order_of_models_but_weights():
    turned = {name: MODELS[name] for name in "cab"}
    assert rt.compare(Y, turned, arm="regression").fingerprint == fresh().fingerprint
    assert fresh(sample_weight=np.arange(1.0, N + 1)).fingerprint != fresh().fingerprint


def test_strange_files(tmp_path):
    text = fresh().decide(asymmetry=0.4).to_json()
    marked = tmp_path / "marked.json"
    marked.write_text(text, encoding="utf-8-sig")
    assert rt.Decision.from_json(marked).to_json() == text
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    twice = text.replace('"arm"', '"arm": "cutoff", "arm"', 1)
    assert json.loads(twice)["arm"] == "regression"
    for wrong, sentence in (
        (binary, "cannot be read"),
        (twice, "a name occurs twice"),
        ("{" * 100_000, "is not a decision"),
        (None, "read from a file or text"),
        ("x" * 100_000, "cannot be read"),
    ):
        with pytest.raises(rt.InputError, match=sentence) as caught:
            rt.Decision.from_json(wrong)
        assert len(str(caught.value)) < 400
