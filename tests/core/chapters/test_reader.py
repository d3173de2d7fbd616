"""Chapter detection on small layouts of our own; ``~`` in a layout stands for a page of prose."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import file_text, rows

from fabula.core.chapters.reader import find_chapters, title_of

PAGE = """The ferry had gone when Anna came down to the landing with her box on
her shoulder, and nobody on the quay could tell her when another would be
sent, if one was sent at all before the morning.

She sat down on the box and waited. Toward evening the wind turned, the
lamps were lit along the water, and the old man who kept the nets came out
of his hut to look at the sky and at her."""


def layout(text, *, page=PAGE):
    return text.strip("\n").replace("~", page)


def titles(text):
    return [chapter.title for chapter in find_chapters(text, title="Book")]


def check_spans(text):
    """What holds of every result: numbers count up, headings come before bodies, nothing overlaps."""
    chapters = find_chapters(text, title="Book")
    at = 0
    for number, chapter in enumerate(chapters, 1):
        assert chapter.number == number
        assert at <= chapter.heading.start <= chapter.heading.end <= chapter.body.start <= chapter.body.end
        at = chapter.body.end
        body = chapter.body.of(text)
        assert body == body.strip()
    assert at <= len(text)


def layouts(table):
    return {name: (text, expected.split(" | ")) for name, text, expected in rows(__file__, table)}


LAYOUTS = layouts("layouts.tsv")
LIKE_HEADINGS = layouts("other_lines.tsv")  # contents pages, lists, what stands before the first chapter


@pytest.mark.parametrize("headings", [text for (text,) in rows(__file__, "series.tsv")])
def test_dates_and_names_in_turn_are_headings(headings):
    lines = headings.split("\n")
    text = layout("The Ferry\n\nby Bo Marsh\n\n\n" + "\n\n".join(f"{line}\n\n~" for line in lines))
    assert [" ".join(title.split()) for title in titles(text)] == [line.rstrip(".") for line in lines]
    check_spans(text)


@pytest.mark.parametrize("name", [*LAYOUTS, *LIKE_HEADINGS])
def test_layout(name):
    source, expected = (LAYOUTS | LIKE_HEADINGS)[name]
    text = layout(source)
    assert titles(text) == expected
    check_spans(text)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_newlines_of_other_systems_change_no_title(name, newline):
    source, expected = LAYOUTS[name]
    text = layout(source).replace("\n", newline)
    assert titles(text) == expected
    check_spans(text)


# In some the length of the text is what tells; bare numerals over a few words are a list.
TOLD_BY_LENGTH = {"a part with a text of its own", "text on the heading's line", "dates late in a story"}
BARE = {"I", "1", "ONE", "FIRST PART, I", "Phase the First, I"}
PLAIN = [n for n in LAYOUTS if n not in TOLD_BY_LENGTH and LAYOUTS[n][1][0].split(":")[0] not in BARE]


@pytest.mark.parametrize("name", PLAIN)
def test_short_texts_have_the_same_chapters(name):
    text = layout(LAYOUTS[name][0], page="Anna went to sea.")
    check_spans(text)
    if name != "restarts with no reason given":
        assert titles(text) == LAYOUTS[name][1]


@pytest.mark.parametrize(("name", "contents"), rows(__file__, "contents.tsv"))
def test_a_contents_page_is_no_chapter(name, contents):
    body = "CHAPTER I\n\nThe Ferry\n\n~\n\nCHAPTER II\n\nThe Storm\n\n~\n\nCHAPTER III\n\nHome\n\n~"
    text = layout(contents + body)
    expected = ["CHAPTER I: The Ferry", "CHAPTER II: The Storm", "CHAPTER III: Home"]
    assert titles(text) == (["PREFACE", *expected] if "preface" in name else expected)
    for chapter in find_chapters(text, title="Book"):
        assert chapter.body.of(text) == PAGE


@pytest.mark.parametrize(
    ("file", "chapters"), [("gutenberg.txt", ["CHAPTER I", "CHAPTER II"]), ("plain.txt", ["Book"])]
)
def test_gutenberg_header_and_licence_are_left_out(file, chapters):
    text = layout(file_text(__file__, file))
    found = find_chapters(text, title="Book")
    assert [chapter.title for chapter in found] == chapters
    assert found[-1].body.of(text) == PAGE


def test_a_long_opening_without_a_heading_is_a_chapter():
    text = layout("THE FERRY\n\n" + "~\n\n" * 4 + "I\n\n~\n\nII\n\n~")
    chapters = find_chapters(text, title="Book")
    assert [chapter.title for chapter in chapters] == ["Opening", "I", "II"]
    assert chapters[0].body.of(text) == "\n\n".join([PAGE] * 4)


def test_a_part_heading_belongs_to_the_chapter_after_it():
    text = layout("PART ONE\n\nWater\n\nCHAPTER I\n\n~\n\nPART TWO\n\nLand\n\nCHAPTER II\n\n~")
    first, second = find_chapters(text, title="Book")
    assert first.heading.of(text) == "PART ONE\n\nWater\n\nCHAPTER I"
    assert second.heading.of(text) == "PART TWO\n\nLand\n\nCHAPTER II"
    assert first.body.of(text) == second.body.of(text) == PAGE


# In these only more of the same tells what the first ones are.
TOLD_BY_MORE = {
    "restarts with no reason given",
    "titles with numbered sections inside",
    "markdown chapters of named scenes",
    "markdown chapters of named scenes under a title",
}


@pytest.mark.parametrize("name", sorted(LAYOUTS.keys() - TOLD_BY_MORE))
def test_a_book_that_breaks_off_keeps_the_chapters_it_has(name):
    source = LAYOUTS[name][0]
    text = layout(source if "#" in source else f"CONTENTS\n\nNothing\n\n\n{source}")
    whole = find_chapters(text, title="Book")
    for horizon in range(1, len(whole)):
        assert find_chapters(text[: whole[horizon].heading.start], title="Book") == whole[:horizon]


def test_tildes_between_blank_lines_part_scenes_and_fence_nothing():
    text = "".join(f"# Chapter {n}\n\n{PAGE}\n\n~~~\n\n{PAGE}\n\n" for n in range(1, 6))
    assert titles(text) == [f"Chapter {n}" for n in range(1, 6)]


@pytest.mark.parametrize(("top", "title"), rows(__file__, "tops.tsv"))
def test_the_first_chapter_is_not_the_title_of_the_book(top, title):
    assert title_of(f"# {top}\n\n## The Mill\n\n{PAGE}\n\n## The Road\n\n{PAGE}\n") == (title or None)


HOSTILE = {name: piece * (int(times) // 4) for name, piece, times in rows(__file__, "hostile.tsv")} | {
    "numbers": "\n\n".join(f"{n % 300 + 1}. Take it" for n in range(8_000)),
    "counting": "\n".join(f"CHAPTER {n % 390 + 1}" for n in range(10_000)),
    "contents": "CONTENTS\n" + "\n".join(f"Line {n}" for n in range(15_000)),
    "marks": "# " * 200_000 + "\n" + "#" * 100_000,
    "illustrations": "CHAPTER I\n" + "[Illustration\n" * 25_000,
    "letters": "".join(f"LETTER {n % 300 + 1}\n\nword\n\n" for n in range(8_000)) + "CHAPTER 1\n\nword " * 80,
    "dots": "CHAPTER I" + "." * 300_000,
    "contents lines": "CONTENTS\n\n" + "a . . . 1\n\n" * 25_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_linear_time(name):
    began = time.process_time()
    find_chapters(HOSTILE[name], title="Book")
    assert time.process_time() - began < 3.0  # a second at most; quadratic takes many minutes


LINES = """CHAPTER I|CHAPTER 2.|II|1|PART ONE|PROLOGUE|# A|## B|THE END|CONTENTS|||a b c.|I|VOLUME II|Notes
|Letter 3: X|***|[Illustration: x|x]|*** START OF THE PROJECT GUTENBERG EBOOK|BOOK I, CHAPTER I|A title|1. A
|2. B|End of the Project Gutenberg EBook"""
WORDS = st.sampled_from([*LINES.replace("\n", "").split("|"), " word" * 70])


@given(
    st.lists(WORDS, max_size=40) | st.text(max_size=300).map(lambda text: [text]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_spans_hold_for_any_text(lines, newline):
    check_spans(newline.join(lines))


PARAGRAPH = " ".join(["word"] * 100)


def parts(text):
    """Words of each chapter."""
    found = find_chapters(text, title="Book")
    if len(found) > 1:
        assert [one.title for one in found] == [f"Part {n}" for n in range(1, len(found) + 1)]
    assert all(not len(one.heading) for one in found)
    return [one.body.of(text).count("word") for one in found]


def test_a_short_book_stays_whole_and_a_long_one_is_parted_at_scene_breaks():
    assert parts("\n\n".join([PARAGRAPH] * 100)) == [10_000]
    scene = "\n\n".join([PARAGRAPH] * 9)
    text = "\n\n* * *\n\n".join([scene] * 13)
    assert parts(text) == [2_700, 2_700, 2_700, 3_600]  # the last 900 words are too few for a part
    for one in find_chapters(text, title="x"):
        assert one.body.of(text).startswith("word") and one.body.of(text).endswith("word")


@pytest.mark.parametrize("end", ["\n\n", "\n", "\r\n"])
def test_without_breaks_it_is_parted_by_length(end):
    assert parts(end.join([PARAGRAPH] * 1000)) == [5_000] * 20


def test_a_book_that_is_one_line_is_parted_between_sentences():
    text = " ".join(["Anna rowed over the sound and came home again at seven."] * 2000)
    found = find_chapters(text, title="x")
    assert len(found) == 5
    assert all(one.body.of(text).startswith("Anna") and one.body.of(text).endswith(".") for one in found)


@given(st.lists(st.sampled_from([300, 2_000, 6_000, 0]), min_size=4, max_size=20), st.integers(1, 10))
def test_a_part_depends_on_nothing_told_after_it(lengths, more):
    said = ["***" if not n else " ".join(["word"] * n) for n in lengths]
    one, two = "\n\n".join(said), "\n\n".join([*said, *[PARAGRAPH] * 30 * more])
    first, second = find_chapters(one, title="x"), find_chapters(two, title="x")
    if len(first) > 1:
        assert first[:-2] == second[: len(first) - 2]
        assert first[-2].body.start == second[len(first) - 2].body.start


def test_marked_chapters_stay_as_they_are():
    text = "Chapter 1\n\n" + "\n\n".join([PARAGRAPH] * 200) + "\n\nChapter 2\n\nAnna."
    assert [one.title for one in find_chapters(text, title="x")] == ["Chapter 1", "Chapter 2"]
