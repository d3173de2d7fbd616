import io
import json
import re
import zipfile

import docx
import pytest
import yaml
from markdown_it import MarkdownIt
from tests.stories.builder import StoryBuilder
from tests.stories.hostile_story import HIDDEN, TITLE
from tests.stories.html_pages import Page
from tests.tables import values

from fabula.errors import UsageError
from fabula.story.bible import bible
from fabula.views.bible import FORMATS, bible_files, bible_shown, bible_text, packed, write_bible

NAMES = [*(name for (name,) in values(__file__, "hostile_names.tsv")), "İstanbul" * 20, *HIDDEN]


@pytest.fixture(scope="module")
def shown():
    story = StoryBuilder().bond("Ann", "TRUSTS", "Annabel").bond("Ann", "FEARS", "ANN")
    for name in NAMES:
        story.fact(name, "trade", name).bond("Ann", "FEARS", name)
    story.thread("promise", "opened", NAMES[3], NAMES[0])
    return bible_shown(bible(story.view()), title=TITLE)


PLAIN = {"h1", "h2", "h3", "p", "em", "ul", "li", "blockquote"}


def read(markdown):
    """The words of a page, which has no tags but plain ones without attributes."""
    page = Page(MarkdownIt("commonmark").enable("strikethrough").render(markdown))
    assert set(page.tags) <= PLAIN and page.attributes == []
    return page.words


def flat(text):
    return re.sub(r"\s+", " ", re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u202e]", "", text)).strip()


def test_markdown_is_read_as_the_very_words(shown):
    page = bible_files(shown, "markdown")["bible.md"].decode()
    words = flat(read(page))
    for one in shown.entries:
        assert flat(one.name) in words
        for line in one.lines:
            assert flat(line.text) in words


def test_a_vault_links_its_notes_and_holds_its_files(shown):
    files = bible_files(shown, "vault")
    names = [path.rpartition("/")[2].removesuffix(".md") for path in files]
    assert len({name.casefold() for name in names}) == len(shown.entries) + 1
    for path in files:
        folder, _, name = path.rpartition("/")
        assert folder in ("", "People", "Open threads") and name.endswith(".md")
        assert not re.search(r"[\\:*?\"<>|#^\[\]\x00-\x1f\u202e]", name)
        assert name.strip(". ") and len(name.encode()) < 100 and name.casefold() != "con.md"
    for path, data in files.items():
        text = data.decode()
        assert set(re.findall(r"(?<!\\)\[\[([^|\]]+)", text)) <= set(names), path
        if "/" in path:
            head = yaml.safe_load(text.split("---\n")[1])
            assert set(head) <= {"aliases", "kind", "state", "first_chapter"}, path
            read(text.split("---\n", 2)[2])
    assert "- Ann trusts [[Annabel]] *(ch. 1)*" in files["People/Ann.md"].decode()
    assert "- [[Ann]] trusts Annabel" in files["People/Annabel.md"].decode()


def test_word_opens_it_and_world_info_gives_each_by_its_names(shown):
    made = docx.Document(io.BytesIO(bible_files(shown, "docx")["bible.docx"]))
    told = flat(" ".join(one.text for one in made.paragraphs))
    assert all(flat(one.name) in told and flat(one.lines[0].text) in told for one in shown.entries)
    entries = json.loads(bible_files(shown, "world-info")["bible-world-info.json"])["entries"]
    assert [one["uid"] for one in entries.values()] == list(range(len(shown.entries)))
    assert entries["0"]["key"] == ["Ann", "ANN"]
    assert entries["0"]["content"].startswith("Ann (also ANN; first in ch. 1)\n- ")
    for one in entries.values():
        assert one["constant"] == (not one["key"])
        assert not any(key.startswith("/") or "{{" in key for key in one["key"])
        assert not re.search(r"\{\{|<\||STORY>>>|</s>|^@@", one["content"])


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_bible_gives_the_same_bytes(shown, format):
    one = packed(shown, format)
    assert one == packed(shown, format)
    if one[:2] == b"PK":
        dates = {each.date_time for each in zipfile.ZipFile(io.BytesIO(one)).infolist()}
        assert dates == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize(("out", "files"), [("a.md", 1), ("A.DOCX", 1), ("a.json", 1), ("vault", 2)])
def test_the_ending_says_what_is_written(shown, tmp_path, out, files):
    written = write_bible(shown, tmp_path / out)
    assert len(written) == (len(shown.entries) + 1 if files > 1 else 1)
    assert all((tmp_path / one).resolve().is_relative_to(tmp_path.resolve()) for one in written)
    found = sorted(path.as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert found == sorted(written)
    if files > 1:
        with pytest.raises(UsageError, match="new or empty folder"):
            write_bible(shown, tmp_path / out)


def test_another_ending_and_a_name_that_nobody_has_are_refused(shown, tmp_path):
    with pytest.raises(UsageError, match=r"\.md, \.docx or \.json"):
        write_bible(shown, tmp_path / "a.txt")
    with pytest.raises(UsageError, match="nothing about 'Zorblax'"):
        bible_shown(bible(StoryBuilder().view()), title="x", about="Zorblax")


def test_of_one_all_that_is_told_and_no_more():
    held = bible(StoryBuilder().bond("Ann Vale", "TRUSTS", "Tom").bond("Bob", "FEARS", "Tom").view())
    for said in ("ann", "vale", "Ann Vale", " ANN VALE "):
        assert [one.name for one in bible_shown(held, title="x", about=said).entries] == ["Ann Vale"]
    text = bible_text(bible_shown(held, title="x", about="ann"))
    assert text.startswith("People\n  Ann Vale (first in ch. 1)\n    Ann Vale trusts Tom [ch. 1]\n      “")
