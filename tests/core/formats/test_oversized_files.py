import re
import sys
import threading
import time

import pytest
from tests.stories.book_files import endless_pdf, epub, page

from fabula.core.chapters.numerals import number
from fabula.core.documents import (
    MAX_CHAPTER,
    MAX_CHAPTERS,
    MAX_NAMES,
    MAX_SHORT_CHAPTERS,
    MAX_TEXT,
    document_from_text,
    read_document,
)
from fabula.core.formats.blocks import TextBlock
from fabula.core.formats.converting import ReadingLimits, convert
from fabula.core.formats.epub_contents import Page, chaptered
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


def test_the_folder_one_works_in_holds_no_code(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit('it ran')")
    monkeypatch.chdir(tmp_path)
    assert "Anna" in convert(b"<p>Anna went to sea.</p>", "a.html", kind=".html").text


def seconds(work, *given):
    started = time.process_time()
    work(*given)
    return time.process_time() - started


def serial(chapters, numeral=str, *, told=12):
    return "".join(
        f"Chapter {numeral(n)}\n\n{f'Anna rowed to island {n} and home. ' * told}\n\n"
        for n in range(1, chapters + 1)
    )


def roman(value):
    said = ""
    worths = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
    for worth, letters in zip(worths, "M CM D CD C XC L XL X IX V IV I".split(), strict=True):
        said += letters * (value // worth)
        value %= worth
    return said


@pytest.mark.parametrize("numeral", [str, roman])
@pytest.mark.parametrize("chapters", [1_000, 3_000])
def test_a_long_serial_keeps_all_its_chapters(chapters, numeral, tmp_path):
    book = tmp_path / "serial.txt"
    book.write_text(serial(chapters, numeral), encoding="utf-8")
    read = read_document(book)
    assert len(read.chapters) == chapters
    last = read.chapters[-1]
    assert last.title == f"Chapter {numeral(chapters)}"
    assert last.body.of(read.text).strip() == " ".join([f"Anna rowed to island {chapters} and home."] * 12)


def test_a_large_number_counts_only_behind_the_word_chapter():
    assert number("1812") is None
    assert number("MIX") is None
    text = "Part 1\n\nAnna rowed.\n\n1812\n\nMIX\n\nAnna came home.\n"
    assert len(document_from_text(text, id="a", title="A").chapters) == 1


NAMES = " ".join(f"Ann{n} met Bob{n}." for n in range(MAX_NAMES // 2 + 1))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (serial(MAX_CHAPTERS + 1), "4,001 chapters and 4,000 is the maximum: index it in parts"),
        (
            "the boat " * (MAX_CHAPTER // 9 + 2),
            "characters in chapter 1 and 4,000,000 is the maximum: divide",
        ),
        (
            serial(MAX_SHORT_CHAPTERS + 1, told=1),
            "1,201 chapters of .*remove headings that do not begin a chapter",
        ),
        (NAMES, "40,002 different words with a capital letter and 40,000 is the maximum"),
        ("a" * (MAX_TEXT + 1), "index it in parts"),
    ],
    ids=["chapters", "a line", "headings", "names", "the text"],
)
def test_too_much_is_refused_with_the_way_out(text, said, tmp_path, run_cli):
    book = tmp_path / "a.txt"
    book.write_text(text, encoding="utf-8")
    ran = run_cli("index", book, "-o", tmp_path / "project", "--set", "documents.seconds=20")
    assert ran.code == 2 and re.search(said, ran.err) and ran.err.count("\n") == 1
    assert not (tmp_path / "project").exists()


@pytest.mark.parametrize("attribute", ["a{0}='b'", "a{0}", "a{0}=b", 'a{0} = "c>d"'])
def test_attributes_beyond_number_are_read_in_linear_time(attribute, tmp_path):
    def page(count):
        many = " ".join(attribute.format(n) for n in range(count))
        file = tmp_path / f"{count}.html"
        file.write_text(f"<html><body><p {many}>Anna went home.</p></body></html>", encoding="utf-8")
        return file

    read_document(page(100))  # warms up
    small, large = page(5_000), page(40_000)
    assert seconds(read_document, large) < 20 * seconds(read_document, small) + 0.1
    assert read_document(large).text.strip() == "Anna went home."


def test_a_book_of_many_short_pages_is_parted_in_linear_time():
    def pages(count):
        said = "Anna rowed home over the sound " * 12
        return [Page(f"p{n}", (TextBlock(said),)) for n in range(count)]

    small, large = pages(500), pages(4_000)
    assert seconds(chaptered, large, []) < 20 * seconds(chaptered, small, []) + 0.1


def test_the_command_has_the_same_limits(tmp_path, run_cli):
    (tmp_path / "endless.pdf").write_bytes(endless_pdf())
    ran = run_cli("index", tmp_path / "endless.pdf", "-o", tmp_path / "p", "--set", "documents.seconds=1")
    assert ran.code == 2 and "takes more than 1 s" in ran.err and ran.err.count("\n") == 1
    assert not (tmp_path / "p").exists()


def test_an_ordinary_page_keeps_its_attributes(tmp_path):
    file = tmp_path / "a.html"
    picture = "x" * 5_000
    file.write_text(
        f"<p>Anna<span style='display : none' title=\"a > b\"> hid</span> went"
        f"<img src='data:image/png;base64,{picture}' alt='I'>n.</p><script>if (a<b && 'c' > d) {{}}</script>",
        encoding="utf-8",
    )
    assert read_document(file).text.strip() == "Anna wentIn."
