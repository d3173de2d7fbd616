import pytest
from tests.stories.builder import StoryBuilder

from experiments.pipelines.replayer import (
    Held,
    Need,
    ReplayedChapter,
    Replayer,
    held_by,
    needs_of,
)
from fabula.core.types import Chunk, Context, Horizon, Passage, Span
from fabula.errors import HorizonError
from fabula.story.writing.context import Source, StoryContext, recent_text
from fabula.story.writing.context_maker import ComparisonSettings, ContextMaker
from fabula.story.writing.pipelines import FUSED, GRAPH, NO_HORIZON, NO_STATES, RECENT, STANDARD


def count(text):
    return len(text.split())


def story():
    """Three chapters: Anna and Bela, who quarrel over a lantern; in the third it comes up again."""
    told = StoryBuilder()
    told.bond("Anna", "HATES", "Bela").say("A copper lantern hung over the weir.")
    told.feel("Anna", "anger", -0.6).bond("Anna", "LIVES_IN", "@Ferry").bond("Cato", "KNOWS", "Anna")
    told.chapter(2).event("TELLS", "Cato", "Bela").say("It rained a good deal that week.")
    told.chapter(3).say(" ".join(["The morning was as grey as any other that they had had"] * 5) + ".")
    told.bond("Anna", "HATES", "Bela").bond("Cato", "KNOWS", "Anna").bond("Dora", "KNOWS", "Anna")
    told.say("The lantern swung over the weir.")
    told.bond("Anna", "LIVES_IN", "@Ferry")
    return told


class Search:
    """Gives the sentences of the story that are asked for, in order."""

    def __init__(self, told, *wanted):
        self._document = told.text()
        self._wanted = wanted

    def search(self, query, k, *, horizon):
        for n, words in enumerate(self._wanted):
            start = self._document.text.index(words)
            chapter = next(c for c in self._document.chapters if c.body.start <= start < c.body.end)
            if horizon.admits(chapter.number):
                span = Span(start, start + len(words))
                yield Passage(Chunk(f"c{n}", self._document.id, chapter.number, n, span, words), 1.0, ())


def replayer(told, *wanted):
    maker = ContextMaker(
        told.text(),
        retriever=Search(told, *wanted),
        graph=told.graph,
        count=count,
    )
    return Replayer(told.text(), graph=told.graph, maker=maker)


def test_needs_are_what_was_known_and_comes_up_again():
    told = story()
    document = told.text()
    words = {"lantern": [1, 3], "copper": [1], "swung": [3], "morning": [3]}
    found = needs_of(document, document.chapter(3), before=told.view(2), through=told.view(3), words=words)
    assert [(need.kind, need.label) for need in found] == [
        ("people", "Anna"),
        ("people", "Bela"),
        ("people", "Cato"),
        ("places", "Ferry"),
        ("facts", "HATES anna bela"),
        ("facts", "LIVES_IN anna ferry"),
        ("wording", "lantern"),
    ]
    hates = next(need for need in found if need.label.startswith("HATES"))
    assert [quote.chapter for quote in hates.evidence] == [1]


def test_what_is_held_by_hand():
    told = story()
    quote = next(r for r in told.log.relations if r.predicate == "HATES").evidence[0]
    source = Source("note", "World", "", 1, 3, "Bela-like things. An Annex.", (quote,))
    context = StoryContext(Context(tokens=10), None, (source,), "[Anna] Bela-like things.", 20)
    needs = [
        Need("people", "Anna", ("Anna",)),
        Need("people", "Bela", ("Bela", "the miller")),
        Need("facts", "HATES anna bela", evidence=(quote,)),
        Need("wording", "lantern", ("lantern",)),
    ]
    assert held_by(context, needs) == (
        Held("people", 2, 1),
        Held("places", 0, 0),
        Held("facts", 1, 1),
        Held("wording", 1, 0),
    )
    row = ReplayedChapter(3, "x", 10, held_by(context, needs), 0)
    assert row.recall == pytest.approx((0.5 + 1.0 + 0.0) / 3)
    assert row.per_1000_tokens == 200.0
    assert ReplayedChapter(3, "x", 0, (), 0).per_1000_tokens is None


def test_pipelines_hold_what_they_are_given_and_nothing_later():
    told = story()
    room = ComparisonSettings(budget=80, scene_tokens=0)
    found = {
        row.pipeline: row
        for row in replayer(told, "A copper lantern hung over the weir.").replay(
            3, (STANDARD, GRAPH, FUSED, NO_STATES, RECENT), room=room
        )
    }
    shares = {name: {h.kind: h.held for h in row.held} for name, row in found.items()}
    assert shares["standard"] == {"people": 0, "places": 0, "facts": 0, "wording": 1}
    assert shares["graph"]["facts"] >= 1
    assert shares["graph"]["wording"] == 0
    assert shares["fused"]["wording"] == 1
    assert all(row.leaks == 0 for row in found.values())
    assert all(row.tokens <= 80 for row in found.values())


def test_without_the_horizon_it_leaks_and_is_seen_to():
    told, room = story(), ComparisonSettings(budget=80, scene_tokens=0)
    at = replayer(told, "The lantern swung over the weir.")
    [bare] = at.replay(3, (NO_HORIZON,), room=room)
    [kept] = at.replay(3, (FUSED,), room=room)
    assert bare.leaks > 0
    assert kept.leaks == 0
    with pytest.raises(HorizonError):
        at.replay(9, (FUSED,), room=room)


def test_the_latest_text_goes_back_as_far_as_fits():
    document = story().text()
    for budget in (5, 20, 40, 400):
        found = recent_text(document, horizon=Horizon(2), max_tokens=budget, count=count)
        assert sum(count(passage.chunk.text) for passage in found) <= budget
        assert [p.chunk.chapter for p in found] == [2, 1][: len(found)]
        for passage in found:
            assert passage.chunk.span.of(document.text) == passage.chunk.text
    assert len(found) == 2
    assert recent_text(document, horizon=Horizon(0), max_tokens=99, count=count) == ()
