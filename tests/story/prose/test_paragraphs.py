from itertools import pairwise
from pathlib import Path

import pytest
from tests.stories.examples import assert_read
from tests.story.extraction.test_extraction import events
from tests.tables import values

from fabula.story.prose import MAX_SENTENCE, paragraphs, scenes_of


def test_scenes_cover_the_text():
    text = "One.\n\n* * *\n\nTwo years before, rain.\n\n\n\n\nThree."
    scenes = scenes_of(text)
    assert [scene.flashback for scene in scenes] == [False, True, False]
    assert scenes[0].span.start == 0
    assert scenes[-1].span.end == len(text)
    assert all(a.span.end == b.span.start for a, b in pairwise(scenes))
    assert [p.text for p in paragraphs(text, scenes)] == ["One.", "Two years before, rain.", "Three."]


def test_a_very_long_paragraph_is_cut_behind_a_full_stop():
    text = "A line of some words. " * 5000
    found = read(text)
    assert len(found) == 3
    for piece in found:
        assert piece.text.endswith(".") and len(piece.text) <= 50_000
        assert piece.span(0, 6).of(text).strip() in ("A line", "line o")


@pytest.mark.parametrize(("text", "quotes"), values(__file__, "single_quotes_and_dashes_are_speech.tsv"))
def test_single_quotes_and_dashes_are_speech_only_where_they_mark_it(text, quotes):
    (piece,) = read(text)
    assert [piece.text[a:b] for a, b in piece.quotes] == quotes


def read(text):
    return paragraphs(text, scenes_of(text))


def pieces(text):
    return [one.text for one in read(text)]


@pytest.mark.parametrize("piece", ["the boat ", "boat-", "a\n"])
def test_pieces_are_bounded_and_lose_nothing(piece):
    text = piece * 8_000
    found = pieces(text)
    assert max(map(len, found)) <= MAX_SENTENCE
    assert "".join("".join(found).split()) == "".join(text.split())


def test_spans_lead_back_to_the_text_and_long_paragraphs_stay_whole():
    text = "Anna rowed. " + "the boat " * 3_000
    assert all(one.span(0, len(one.text)).of(text) == one.text for one in read(text))
    for long in (
        "Anna rowed over the sound, and the boat came in. " * 500,
        f"Anna saw {'a boat and ' * 400}the quay.",
    ):
        assert pieces(long) == [long.strip()]


@pytest.mark.parametrize("piece", ["boat", "&", "“", "' ", "[", "— ", "x_" * 600 + "1"])
def test_what_is_no_word_is_left_out_and_the_rest_is_read(piece):
    text = f"Anna rowed {(piece * 20_000)[:400_000]} home."
    found = read(text)
    assert sum(len(one.text) for one in found) < 40
    assert found[0].span(0, 4).of(text) == "Anna"
    assert found[-1].text.endswith("home.")


def test_speech_that_is_open_goes_on():
    assert [one.unclosed for one in read('"It was long ago.\n\n"Nobody knew."')] == [True, False]


BACK = (
    "Eleven years earlier, on the last night of April, Marcus walked down through the works. "
    "He carried sugar on his back for three hours. “You will catch your death,” said Marcus."
)

ON = (
    "By five in the morning on the first of May the sugar was across the yard. Anna closed the gate. "
    "“Go to bed,” said Marcus. Nobody slept in the caravan. He took off his boots at the door and went in."
)


def test_a_flashback_goes_on_where_the_next_scene_is_dated_next_to_it():
    text = "\n\n***\n\n".join(["It rained.", BACK, ON, "It rained again in June.", BACK, "In June it ended."])
    assert [scene.flashback for scene in scenes_of(text)] == [False, True, True, False, True, False]


SPOKEN = (
    "Anna stood at the gate. “Where is the key?” asked Anna. “It’s not in the dogs’ house,” said Erik.\n\n"
    "“Then,” Anna said, “we can’t go in.”\n\n“I have waited. Nobody came.\n\n“And I am cold,” she added."
)


@pytest.mark.parametrize("marks", ["„“", "„”", "»«", "«»", "「」", "『』", "\u201a‘", "›‹", "‹›", "‘’"])
def test_speech_is_the_same_in_the_marks_of_other_languages(marks):
    told = SPOKEN.replace("’", "'").translate({ord("“"): marks[0], ord("”"): marks[1]})
    found = read(told)
    assert [(one.quotes, one.unclosed) for one in found] == [(p.quotes, p.unclosed) for p in read(SPOKEN)]
    assert [one.span(a, b).of(told)[0] for one in found for a, b in one.quotes] == [marks[0]] * 6
    if marks not in ("«»", "‘’"):
        doubled = "".join(one.text for one in found).translate({ord("‘"): "“"})
        assert doubled.count("“") == 6


def test_a_heading_of_markdown_begins_a_scene_and_is_no_prose():
    found = read("## The Mill\n\nAnna came.\n\n## The Sea\nBo swam.\n\n###\n\n#bo went.")
    assert [(one.scene, one.text) for one in found] == [(0, "Anna came."), (1, "Bo swam."), (2, "#bo went.")]


HERE = Path(__file__).parent


def dances(opening):
    scene = events(f"Anna wept.\n\n***\n\n{opening} Marcus danced.")
    yield from (event.rpartition(" ")[2] for event in scene if " dance " in event)


def test_a_scene_is_told_as_it_opens():
    assert_read(HERE / "openings.tsv", dances, parsed=False)
