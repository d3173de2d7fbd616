import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.stories.strategies import PEOPLE, stories
from tests.tables import rows

from fabula.core.types import Horizon
from fabula.errors import ProjectError, UsageError
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.types import EntityKind, Interval, Open, StoryLog


def answers(view):
    """Every answer of a view, as one value."""
    ids = [*(StoryBuilder.id(name) for name in PEOPLE), "nobody"]
    return [
        view.horizon,
        view.entities(),
        view.entities(EntityKind.CHARACTER),
        view.relations(happened=False),
        view.relations(distinct=True),
        view.events(happened=False),
        [view.presence(chapter) for chapter in range(12)],
        [(view.resolve(one), view.entity(one), view.name(one), view.states(one)) for one in ids],
        [(view.relations(one), view.events(one)) for one in ids],
        [view.bonds(one, other) for one in ids for other in ids],
        [view.find(name) for name in [*PEOPLE, "Tom Smith", "smith"]],
    ]


@given(stories(), st.integers(0, 12))
def test_a_view_equals_the_view_of_the_log_cut_there(story, chapter):
    horizon = Horizon(chapter)
    told = {
        field: tuple(one for one in getattr(story.log, field) if one.told <= chapter)
        for field in StoryLog.__dataclass_fields__
    }
    whole, prefix = story.graph, StoryKnowledgeGraph.from_log(StoryLog(**told))
    assert repr(answers(whole.as_of(horizon))) == repr(answers(prefix.as_of(horizon)))
    again = StoryKnowledgeGraph.from_json(whole.to_json())
    assert repr(answers(again.as_of(horizon))) == repr(answers(whole.as_of(Horizon()).as_of(horizon)))


@given(stories())
def test_json_is_exact_and_deterministic(story):
    text = story.graph.to_json()
    again = StoryKnowledgeGraph.from_json(text)
    assert again.log == story.log
    assert again.to_json() == text
    assert json.loads(text)["schema"] == 7


def test_an_open_end_stays_what_it_was_through_json():
    story = StoryBuilder().bond("Tom", "KIN_OF", "Anna", holds=Interval(Open.UNBOUNDED, Open.UNBOUNDED))
    (kin,) = StoryKnowledgeGraph.from_json(story.graph.to_json()).log.relations
    assert kin.holds.start is kin.holds.end is Open.UNBOUNDED


def test_what_does_not_fit_is_refused_with_the_way_out():
    for text, said in rows(__file__, "json_that_does_not_fit_is_refused.tsv"):
        with pytest.raises(ProjectError, match=said) as caught:
            StoryKnowledgeGraph.from_json(text)
        assert "index" in str(caught.value), (text, said)
    log = StoryBuilder().bond("Tom", "LOVES", "Anna").log
    wrong = replace(log, relations=(replace(log.relations[0], predicate="ADORES"),))
    with pytest.raises(UsageError, match=r"'ADORES' .tom to anna, chapter 1. is not a predicate"):
        StoryKnowledgeGraph.from_log(wrong)
