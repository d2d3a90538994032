"""A file is replaced whole or not at all."""

import pytest

from roctopus.core.files import replacing


def test_replaces_when_all_went_well(tmp_path):
    target = tmp_path / "answer.txt"
    target.write_text("old")
    with replacing(target) as temporary:
        temporary.write_text("new")
        assert target.read_text() == "old"
        assert temporary.suffix == ".txt"
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["answer.txt"]


def test_keeps_the_old_file_when_interrupted(tmp_path):
    target = tmp_path / "answer.txt"
    target.write_text("old")

    def interrupted():
        with replacing(target) as temporary:
            temporary.write_text("half of the n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["answer.txt"]
