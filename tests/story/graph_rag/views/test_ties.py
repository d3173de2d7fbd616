from dataclasses import replace
from itertools import chain

import pytest
from tests.stories.reading import linked
from tests.tables import file_text, values

from fabula.core.documents import document_from_text
from fabula.core.types import Horizon
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.ties import Tie, _best, _telling, shown_relations
from fabula.story.model.predicates import PREDICATES
from fabula.story.pairs.pair_model import Person

CHAPTER = file_text(__file__, "hale.md")


DOCUMENT = document_from_text("\n\n".join(f"## {n}\n\n{CHAPTER}" for n in (1, 2, 3)), id="hale", title="Hale")


@pytest.fixture(scope="module")
def log():
    return linked(DOCUMENT)


@pytest.fixture(scope="module")
def view(log):
    return StoryKnowledgeGraph(log).as_of(Horizon())


def test_what_any_reader_would_name(view, log):
    found = {(frozenset((view.name(tie.one), view.name(tie.other))), tie.what) for tie in view.ties}
    assert (frozenset(("Ellen", "Martin Hale")), "spouse") in found
    assert any(tie.what == "parent" and view.name(tie.other) == "Rose" for tie in view.ties)
    for tie in view.ties:
        assert tie.told == tie.evidence[0].chapter
        for quote in tie.evidence:
            quote.verify(DOCUMENT.text)
    unmet = StoryKnowledgeGraph(replace(log, pairs=())).as_of(Horizon())
    assert unmet.ties == ()  # ties come of meetings


@pytest.mark.parametrize("horizon", [1, 2])
def test_a_horizon_is_the_story_up_to_there(log, horizon):
    before = StoryKnowledgeGraph(linked(replace(DOCUMENT, chapters=DOCUMENT.chapters[:horizon])))
    assert StoryKnowledgeGraph(log).as_of(Horizon(horizon)).ties == before.as_of(Horizon()).ties


def test_ties_are_no_mere_acquaintances_and_are_shown_once(view):
    bound = {frozenset((tie.one, tie.other)) for tie in view.ties}
    bonds = [(frozenset((r.subject, r.object)), r.predicate) for r in chain(*shown_relations(view))]
    assert not [one for one in bonds if one[1] in ("KNOWS", "APPEARS_WITH") and one[0] in bound]
    shown = [one for one in bonds if PREDICATES[one[1]].symmetric and one[1] != "KNOWS"]
    assert len(shown) == len(set(shown))


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
    name: Person(name, (name,), gender, 9) for name, gender in zip(("ann", "bea", "cal"), "ffm", strict=True)
}


@pytest.mark.parametrize(("likelier", "other", "both"), values(__file__, "ties_fit_each_other.tsv"))
def test_ties_fit_each_other(likelier, other, both):
    kept = _best([_tie(*other), _tie(*likelier)], PEOPLE)
    assert kept == [_tie(*likelier), *([_tie(*other)] if both else [])]
