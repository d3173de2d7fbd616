import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.comparison_fakes import make_document, make_graph
from tests.tables import values

from fabula.core.answering.answer_reader import AnswerRead, ReadSentence
from fabula.core.answering.answered import AnswerSettings
from fabula.core.types import Chunk, Horizon, Passage, Span
from fabula.story.prose import paragraphs, scenes_of
from fabula.story.writing.graph_notes import cast_of
from fabula.story.writing.pipelines import ReadAhead
from fabula.story.writing.story_so_far import story_so_far


def cast(prompt, chapter=2, **how):
    return cast_of(prompt, view=make_graph(make_document()).as_of(Horizon(chapter)), chapter=chapter, **how)


@pytest.mark.parametrize(("prompt", "characters"), values(__file__, "names_and_aliases_in_the_prompt.tsv"))
def test_names_and_aliases_in_the_prompt(prompt, characters):
    assert cast(prompt).characters == characters
    assert cast(prompt).named


def test_places_are_kept_apart_and_else_it_is_those_most_present():
    assert (cast("Anna goes to the Mill.").characters, cast("Go to the Mill.").places) == (
        ("anna",),
        ("mill",),
    )
    present = cast("What happens next?", limit=3)
    assert present.characters == ("anna", "bela", "cato")  # those in both chapters, then by id
    assert not present.named
    assert cast("Dora speaks.", 1).characters == ("anna", "bela")  # who is told later is nobody yet


def parsed(pieces):
    """What is handed on of these pieces, once all of it was parsed."""
    done, idle = [], threading.Event()
    with ReadAhead(lambda text: idle.set() if text == "end" else done.append(text)) as ahead:
        feed = ahead.feed()
        for piece in pieces:
            feed(piece)
        ahead.feed()("end\n\n")
        assert idle.wait(5)
    return done


def test_a_paragraph_is_done_when_a_blank_line_follows():
    pieces = ("The bell", " rang.", "\n", "\n", "Anna", " came.\n\n", "Tom left.")
    assert parsed(pieces) == ["The bell rang.", "Anna came."]


PARTS = st.sampled_from(["Anna came. ", "“No,” he said.", "\n", "\n\n", " \n \t\n", "***", "_so_ "])


@given(st.lists(PARTS, max_size=20), st.integers(1, 7))
def test_what_is_parsed_ahead_is_what_the_reading_will_ask_for(parts, size):
    text = "".join(parts)
    done = parsed(text[start : start + size] for start in range(0, len(text), size))
    ahead = [p.text for part in done for p in paragraphs(part, scenes_of(part))]
    whole = [p.text for p in paragraphs(text, scenes_of(text))]
    assert ahead == whole[: len(ahead)]
    assert len(whole) - len(ahead) <= 1


def test_it_works_beside_the_writer_and_drops_errors():
    seen, begun = [], threading.Event()

    def parse(text):
        seen.append((text, threading.current_thread().name))
        begun.set()
        raise ValueError(text)

    with ReadAhead(parse) as ahead:
        ahead.feed()("Anna came.\n\n")
        assert begun.wait(5)
        ahead.feed()("nothing is done yet")
    assert [text for text, _ in seen] == ["Anna came."]
    assert seen[0][1].startswith("read-ahead")


TEXT = "Anna sailed. Bela stayed at home. Cato drowned."


class Both:
    """Reads two overlapping passages: the sentence that both hold is the best of each."""

    def read(self, question, passages, *, may_answer=None):
        told = [(0, "Bela stayed at home.", 0.4), (1, "Bela stayed at home.", 0.4), (1, "Cato drowned.", 0.1)]
        found = []
        for number, sentence, sure in told:
            at = passages[number].index(sentence)
            found.append(ReadSentence(number, Span(at, at + len(sentence)), Span(at, at + 4), sure))
        return AnswerRead(tuple(found), 0.5, 0.5)


def lines(length, reader):
    passages = []
    for number, span in enumerate((Span(0, 33), Span(13, len(TEXT)))):
        text = span.of(TEXT)
        passages.append(Passage(Chunk(Chunk.make_id("s", span, text), "s", 1, number, span, text), 1.0))
    how = {"reader": reader, "length": length, "settings": AnswerSettings()}
    return story_so_far(1, lambda _: passages, **how).lines


def test_a_sentence_that_two_passages_hold_is_told_once_and_without_a_reader_none():
    found = lines("long", Both())
    assert [line.text for line in found] == ["Bela stayed at home.", "Cato drowned."]
    assert all(line.evidence[0].span.of(TEXT) == line.text for line in found)
    assert [line.text for line in lines("short", Both())] == ["Bela stayed at home."]
    assert lines("medium", None) == ()
