import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.chapters.reader import find_chapters

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
