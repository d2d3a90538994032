"""A file is replaced whole or not at all."""

import errno
import os
import stat
import tempfile
from pathlib import Path

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


def test_it_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    target, seen = tmp_path / "answer.txt", []
    flush, replace = os.fsync, Path.replace

    def flushed(handle):
        kind = os.fstat(handle).st_mode
        seen.append("folder" if stat.S_ISDIR(kind) else os.pread(handle, 9, 0).decode())
        flush(handle)

    def renamed(self, new):
        seen.append("renamed")
        return replace(self, new)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(Path, "replace", renamed)
    with replacing(target) as temporary:
        temporary.write_text("new")
    assert seen == ["new", "renamed", "folder"]


def test_a_folder_that_cannot_be_flushed_does_not_matter(tmp_path, monkeypatch):
    flush = os.fsync

    def flushed(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        flush(handle)

    monkeypatch.setattr(os, "fsync", flushed)
    with replacing(tmp_path / "answer.txt") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "answer.txt").read_text() == "new"


@pytest.mark.parametrize("where", ["mkstemp", "write", "fsync"])
def test_a_full_disk_names_the_file_that_was_asked_for(tmp_path, monkeypatch, where):
    target = tmp_path / "answer.txt"
    target.write_text("old")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    if where != "write":
        monkeypatch.setattr(tempfile if where == "mkstemp" else os, where, full)

    def write():
        with replacing(target) as temporary:
            temporary.write_text("new")
            if where == "write":
                full()

    with pytest.raises(OSError, match="No space left on device") as caught:
        write()
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(target)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["answer.txt"]


def test_errors_of_other_files_stay_what_they_are(tmp_path):
    def read():
        with replacing(tmp_path / "answer.txt"):
            (tmp_path / "missing").read_text()

    with pytest.raises(FileNotFoundError) as caught:
        read()
    assert caught.value.filename == str(tmp_path / "missing")
