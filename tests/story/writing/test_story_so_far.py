import threading

from hypothesis import given
from hypothesis import strategies as st
from tests.stories.comparison_fakes import make_document, make_graph

from fabula.core.answering.answer_reader import AnswerRead, ReadSentence
from fabula.core.answering.answered import AnswerSettings
from fabula.core.types import Chunk, Horizon, Passage, Span
from fabula.story.prose import paragraphs, scenes_of
from fabula.story.writing.graph_notes import cast_of
from fabula.story.writing.pipelines import ReadAhead
from fabula.story.writing.story_so_far import story_so_far

DOC = make_document()


def view(horizon=2):
    return make_graph(DOC).as_of(Horizon(horizon))


def test_names_and_aliases_in_the_prompt():
    for prompt, characters in (
        ("Anna meets Bela at the mill.", ("anna", "bela")),
        ("Bela's boat is gone; Anna laughs", ("bela", "anna")),
        ("write about ann and bela", ("anna", "bela")),
        ("ANNA waits.", ("anna",)),
        ("Will the ferry sink? Ask Cato.", ("cato",)),
    ):
        cast = cast_of(prompt, view=view(), chapter=2)
        assert cast.characters == characters, (prompt, characters)
        assert cast.named, (prompt, characters)


def test_places_are_kept_apart_and_else_it_is_those_most_present():
    cast = cast_of("Anna goes to the Mill.", view=view(), chapter=2)
    assert (cast.characters, cast.places) == (("anna",), ("mill",))
    cast = cast_of("What happens next?", view=view(), chapter=2, limit=3)
    assert cast.characters == ("anna", "bela", "cato")  # those in both chapters, then by id
    assert not cast.named


def test_who_is_told_later_is_nobody_yet():
    assert cast_of("Dora speaks.", view=view(1), chapter=1).characters == ("anna", "bela")


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


@given(
    st.lists(
        st.sampled_from(["Anna came. ", "“No,” he said.", "\n", "\n\n", " \n \t\n", "***", "_so_ "]),
        max_size=20,
    ),
    st.integers(1, 7),
)
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


def _passage(start, end, number):
    span = Span(start, end)
    text = span.of(TEXT)
    return Passage(Chunk(Chunk.make_id("s", span, text), "s", 1, number, span, text), 1.0)


class Both:
    """Reads two overlapping passages: the sentence that both hold is the best of each."""

    def read(self, question, passages, *, may_answer=None):
        found = []
        for number, text in enumerate(passages):
            at = text.index("Bela")
            found.append(ReadSentence(number, Span(at, at + 20), Span(at, at + 4), 0.4))
        last = passages[1].index("Cato")
        found.append(ReadSentence(1, Span(last, last + 13), Span(last, last + 4), 0.1))
        return AnswerRead(tuple(found), 0.5, 0.5)


def _told(length, reader):
    passages = [_passage(0, 33, 0), _passage(13, len(TEXT), 1)]
    return story_so_far(1, lambda _: passages, reader=reader, length=length, settings=AnswerSettings())


def test_a_sentence_that_two_passages_hold_is_told_once_and_without_a_reader_none():
    found = _told("long", Both())
    assert [line.text for line in found.lines] == ["Bela stayed at home.", "Cato drowned."]
    assert all(line.evidence[0].span.of(TEXT) == line.text for line in found.lines)
    assert [line.text for line in _told("short", Both()).lines] == ["Bela stayed at home."]
    assert _told("medium", None).lines == ()
