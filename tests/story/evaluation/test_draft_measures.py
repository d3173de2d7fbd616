"""Measures that take a reading of the draft, on a small story told by the real reader."""

import pytest

from fabula.core.types import Chapter, Context, Document, Evidence, Span
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.continuity.draft_checker import SourceChecker
from fabula.story.evaluation.draft_measures import DraftMeasures, DraftTeller
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.writing.context import Source, StoryContext

MOODS = ("happy", "sad", "happy", "angry", "happy", "sad", "happy")


BODIES = (
    "Anna Reed had blue eyes. Anna Reed was happy.",
    *(f"Anna Reed came home. Anna Reed was {mood}." for mood in MOODS),
)


DRAFT = "Anna Reed had blue eyes. Anna Reed was sad. The rope lay on the ferry. Tom took the rope."


@pytest.fixture(scope="module")
def reader():
    return StoryReader(kept_chars=1000)


@pytest.fixture(scope="module")
def checker(reader):
    chapters, text = [], ""
    for number, body in enumerate(BODIES, start=1):
        start = len(text)
        text += body + "\n\n"
        chapters.append(Chapter(number, str(number), Span(start, start), Span(start, len(text))))
    document = Document("story", "Story", text, tuple(chapters))
    linker = Linker()
    for chapter in chapters:
        linker.add(document, chapter, reader.read(chapter.body.of(text)))
    return SourceChecker(linker, reader, ContinuityCritic(), horizon=len(chapters))


def context(*spans):
    text = "".join(body + "\n\n" for body in BODIES)
    sources = tuple(
        Source("passage", "World", "l", 1, 5, "t", (Evidence("story", 1, Span(a, b), text[a:b]),))
        for a, b in spans
    )
    return StoryContext(Context(tokens=1), None, sources, "text", 100)


def test_a_checker_is_a_teller_and_tells_a_draft_once(checker):
    assert isinstance(checker, DraftTeller)
    assert checker.told(DRAFT) is checker.told(DRAFT)
    assert checker.chapter == len(BODIES) + 1


def test_scores_of_a_draft_by_hand(checker, reader):
    coherence, arcs = DraftMeasures(teller=checker, nouns=reader.nouns).of_text(DRAFT)
    # Reed, eyes | Reed | rope, ferry | Tom, rope: neighbours 1-2 and 3-4 share a noun
    assert coherence.value == pytest.approx((1 + 1) / (3 / 1 + 2 / 2 + 1 / 3))
    # seven moves before, one in the draft, from happy to sad as twice before
    assert (arcs.name, arcs.n) == ("arc_plausibility", 1)
    assert 2 / 8 < arcs.value <= 1.0


def test_grounding_asks_what_the_context_quotes(checker):
    measures = DraftMeasures(teller=checker)
    lives = BODIES[0].index(".")
    [told] = measures.of_context(DRAFT, context((0, lives)))
    [untold] = measures.of_context(DRAFT, context((lives + 2, lives + 10)))
    assert told.n == untold.n >= 1
    assert told.value > untold.value == 0.0


def test_without_a_reader_nothing_is_said():
    assert DraftMeasures().of_text("x") == ()
    assert DraftMeasures().of_context("x", context()) == ()
