import sys
import threading
import time

import pytest
from tests.stories.book_files import endless_pdf, epub, page

from fabula.core.documents import read_document
from fabula.core.formats.converting import ReadingLimits, convert
from fabula.errors import DocumentError


def test_a_file_that_takes_too_long_is_given_up_and_whoever_asked_goes_on_meanwhile(tmp_path):
    """The reading takes the interpreter from nobody."""
    (tmp_path / "endless.pdf").write_bytes(endless_pdf())
    ended = []

    def read():
        with pytest.raises(DocumentError, match=r"endless\.pdf takes more than 1 s to read: .*\[documents\]"):
            read_document(tmp_path / "endless.pdf", limits=ReadingLimits(seconds=1))
        ended.append(True)

    thread = threading.Thread(target=read)
    thread.start()
    switches, started = 0, time.monotonic()
    while not ended and time.monotonic() - started < 30:
        time.sleep(0.001)
        switches += 1
    thread.join()
    assert ended and switches > 100


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_file_that_takes_too_much_memory_is_given_up():
    whole = epub({"a.xhtml": page("<p>Anna went to sea.</p>" * 3)})
    assert "Anna" in convert(whole, "a.epub", kind=".epub").text
    with pytest.raises(DocumentError, match="MB of memory"):
        convert(bytes(300_000_000), "a.html", kind=".html", limits=ReadingLimits(memory_mb=256))


def test_the_command_has_the_same_limits(tmp_path, run_cli):
    (tmp_path / "endless.pdf").write_bytes(endless_pdf())
    ran = run_cli("index", tmp_path / "endless.pdf", "-o", tmp_path / "p", "--set", "documents.seconds=1")
    assert ran.code == 2 and "takes more than 1 s" in ran.err and ran.err.count("\n") == 1
    assert not (tmp_path / "p").exists()


def test_the_folder_one_works_in_holds_no_code(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit('it ran')")
    monkeypatch.chdir(tmp_path)
    assert "Anna" in convert(b"<p>Anna went to sea.</p>", "a.html", kind=".html").text
