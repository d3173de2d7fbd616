import pytest
from tests.tables import rows

from fabula.core.documents import read_document
from fabula.core.text.markdown import read_markdown

STORY = "# Chapter 1\n\nAnna left.{}\n\n# Chapter 2\n\nBo stayed.\n"


@pytest.mark.parametrize(("said", "left"), rows(__file__, "no_story.tsv"))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_is_no_story_in_a_file(tmp_path, said, left, newline):
    file = tmp_path / "ferry.markdown"
    whole = "---\ntitle: My Tale\n---\n\n" + STORY.format(said)
    file.write_bytes(whole.replace("\n", newline).encode())
    document = read_document(file)
    assert "NOTE" not in document.text
    assert document.title == "My Tale"
    bodies = [one.body.of(document.text).split() for one in document.chapters]
    assert bodies == [f"Anna left.{left if left[:1] == ' ' else ' ' + left}".split(), ["Bo", "stayed."]]
    assert document.text.count("\n") == whole.count("\n")


@pytest.mark.parametrize(("text", "title", "first"), rows(__file__, "front_matter.tsv"))
def test_front_matter_and_lines_that_part_scenes(text, title, first):
    front, story = read_markdown(text)
    assert front.get("title") == (title or None)
    assert story.lstrip().startswith(first)


def test_an_illustration_that_names_a_chapter_stays(tmp_path):
    file = tmp_path / "pride.text"
    file.write_text(
        "[Illustration:\n\n·PRIDE·\n\nChapter I.]\n\nAnna left.\n\n[Illustration: a boat]\n\n"
        "Chapter II.\n\nBo ate.\n"
    )
    document = read_document(file)
    assert [one.title for one in document.chapters] == ["Chapter I", "Chapter II"]
    assert "boat" not in document.text
