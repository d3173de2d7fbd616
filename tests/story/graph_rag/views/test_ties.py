from dataclasses import replace
from itertools import chain

import pytest
from tests.tables import file_text, values

from fabula.core.types import Document, Horizon
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.ties import Tie, _best, _telling, shown_relations
from fabula.story.linking.linker import Linker
from fabula.story.model.predicates import PREDICATES
from fabula.story.pairs.pair_model import Person

CHAPTER = file_text(__file__, "hale.md")


@pytest.fixture(scope="module")
def told():
    from fabula.core.documents import document_from_text

    text = "\n\n".join(f"## {n}\n\n{CHAPTER}" for n in (1, 2, 3))
    document = document_from_text(text, id="hale", title="Hale")
    linker, reader = Linker(), StoryReader()
    for chapter in document.chapters:
        linker.add(document, chapter, reader.read(chapter.body.of(document.text)))
    return document, linker.log


def _named(view):
    return {(view.name(tie.one), tie.what, view.name(tie.other)) for tie in view.ties}


def test_what_any_reader_would_name(told):
    view = StoryKnowledgeGraph(told[1]).as_of(Horizon())
    found = _named(view)
    assert any(what == "spouse" and {"Ellen", "Martin Hale"} == {one, other} for one, what, other in found), (
        found
    )
    assert any(what == "parent" and other == "Rose" for _, what, other in found), found


def test_quotes_stand_in_the_text(told):
    document, log = told
    view = StoryKnowledgeGraph(log).as_of(Horizon())
    assert view.ties
    for tie in view.ties:
        assert tie.evidence
        assert tie.told == tie.evidence[0].chapter
        for quote in tie.evidence:
            quote.verify(document.text)


@pytest.mark.parametrize("horizon", [1, 2])
def test_a_horizon_is_the_story_up_to_there(told, horizon):
    document, log = told
    shorter = Document(document.id, document.title, document.text, document.chapters[:horizon])
    linker, reader = Linker(), StoryReader()
    for chapter in shorter.chapters:
        linker.add(shorter, chapter, reader.read(chapter.body.of(document.text)))
    before = StoryKnowledgeGraph(linker.log).as_of(Horizon())
    assert StoryKnowledgeGraph(log).as_of(Horizon(horizon)).ties == before.ties


def test_ties_are_no_mere_acquaintances_shown_once_and_come_of_meetings(told):
    view = StoryKnowledgeGraph(told[1]).as_of(Horizon())
    bound = {frozenset((tie.one, tie.other)) for tie in view.ties}
    for relation in shown_relations(view)[1]:
        if relation.predicate in ("KNOWS", "APPEARS_WITH"):
            assert frozenset((relation.subject, relation.object)) not in bound
    view = StoryKnowledgeGraph(told[1]).as_of(Horizon())
    shown = [
        (frozenset((r.subject, r.object)), r.predicate)
        for r in chain(*shown_relations(view))
        if PREDICATES[r.predicate].symmetric and r.predicate != "KNOWS"
    ]
    assert len(shown) == len(set(shown))
    view = StoryKnowledgeGraph(replace(told[1], pairs=())).as_of(Horizon())
    assert view.ties == ()


def test_a_friendship_that_is_hardly_likely_is_an_acquaintance():
    friends = replace(_tie("ann", "friend", "cal", 0.29), tied=0.7)
    assert (friends.predicate, friends.confidence) == ("KNOWS", 0.7)
    assert replace(friends, what="enemy").predicate == "ENEMY_OF"
    likely = replace(friends, probability=0.3)
    assert (likely.predicate, likely.confidence) == ("FRIEND_OF", 0.3)
    kin = _tie("cal", "kin", "ann", 0.3)
    assert _telling([friends, kin]) == [kin]
    assert _telling([likely, kin]) == [likely, kin]
    assert _telling([friends]) == [friends]


def _tie(one, what, other, probability):
    return Tie(one, what, other, probability, 1, ())


PEOPLE = {
    name: Person(name, (name,), gender, 9) for name, gender in (("ann", "f"), ("bea", "f"), ("cal", "m"))
}


@pytest.mark.parametrize(("likelier", "other", "both"), values(__file__, "ties_fit_each_other.tsv"))
def test_ties_fit_each_other(likelier, other, both):
    kept = _best([_tie(*other), _tie(*likelier)], PEOPLE)
    assert kept == [_tie(*likelier), _tie(*other)] if both else kept == [_tie(*likelier)]
