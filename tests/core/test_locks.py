"""One at a time, among threads and processes; a lock ends with the process that has it."""

import errno
import os
import signal
import subprocess
import sys
import threading

import pytest

from roctopus import InputError
from roctopus.core import locks
from roctopus.core.locks import locked

HOLD = """
import sys, time
from roctopus.core.locks import locked
with locked(sys.argv[1]):
    print("mine", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def held(tmp_path):
    """A file that another process has locked, and that process."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "state.json")], stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"mine\n"
    yield tmp_path / "state.json", process
    process.kill()
    process.communicate()


def test_threads_take_turns(tmp_path):
    path, inside, most = tmp_path / "state.json", [], []

    def work():
        for _ in range(20):
            with locked(path):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 160


def test_another_process_has_it(held):
    path, _ = held
    told = r"'state.json' is in use by another process"
    with pytest.raises(InputError, match=told) as caught, locked(path, patience=0.05):
        pass
    assert str(path.with_name(".state.json.lock")) in str(caught.value)


def test_a_killed_process_keeps_nobody_waiting(held):
    path, process = held
    process.send_signal(signal.SIGKILL)
    process.wait()
    with locked(path, patience=0.0):
        assert path.with_name(".state.json.lock").exists()


def test_all_names_of_a_file_share_a_lock(held, monkeypatch):
    path, _ = held
    path.write_text("{}")
    (path.parent / "more").mkdir()
    link = path.parent / "more" / "link.json"
    link.symlink_to(path)
    monkeypatch.chdir(path.parent)
    for name in ("state.json", link, "more/../state.json"):
        with pytest.raises(InputError, match="in use"), locked(name, patience=0.0):
            pass
    with locked(path.parent / "other.json", patience=0.0):
        pass


def test_an_error_inside_gives_the_lock_back(tmp_path):
    with pytest.raises(KeyboardInterrupt), locked(tmp_path / "s"):
        raise KeyboardInterrupt
    with locked(tmp_path / "s", patience=0.0):
        pass


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_folder_that_cannot_be_written_to(tmp_path, monkeypatch, number):
    def refused(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", refused)
    told = rf"'s.json' cannot be locked .*\({os.strerror(number)}\).*Use a folder"
    with pytest.raises(InputError, match=told), locked(tmp_path / "s.json"):
        pass


def test_a_disk_without_locks(tmp_path, monkeypatch):
    def refused(_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(locks, "_take", refused)
    with pytest.raises(InputError, match="folder on a local disk"), locked(tmp_path / "s.json"):
        pass


def test_a_lock_that_another_user_made_is_only_read(tmp_path, monkeypatch):
    (tmp_path / ".s.json.lock").write_text("")
    plain = os.open

    def careful(path, flags, *more):
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return plain(path, flags, *more)

    monkeypatch.setattr(os, "open", careful)
    with (
        locked(tmp_path / "s.json"),
        pytest.raises(InputError, match="in use"),
        locked(tmp_path / "s.json", patience=0.0),
    ):
        pass
