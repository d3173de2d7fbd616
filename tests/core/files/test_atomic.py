import os
import threading

import pytest

from fabula.core.files.atomic import replace_file
from fabula.errors import UsageError


def test_an_old_file_gives_way_with_its_rights(tmp_path):
    file = tmp_path / "made" / "on the way" / "report.json"
    replace_file(file, "one\n")
    assert file.read_bytes() == b"one\n"
    file.chmod(0o600)
    replace_file(file, "two – zwei\n")
    assert file.read_text("utf-8") == "two – zwei\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "report.json"
    replace_file(file, "old")
    for place, text in ((file, "half a character \ud800"), (tmp_path, "a folder is no place for a file")):
        with pytest.raises(UsageError, match="cannot be written"):
            replace_file(place, text)
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(UsageError, match="No space left"):
        replace_file(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_pipe_is_written_into(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard = []
    listener = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    listener.start()
    replace_file(pipe, "said\n")
    listener.join(10)
    assert heard == ["said\n"]
    assert pipe.is_fifo()


def _full(_):
    raise OSError(28, "No space left on device")
