import pytest
from tests.tables import values

from experiments.story_model.cast import cast_of
from fabula.core.types import Evidence, Horizon, Span
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.types import EntityKind, EntityMention, StoryLog

QUOTE = Evidence("tale", 1, Span(0, 1), "x")


@pytest.mark.parametrize(("characters", "named", "meant"), values(__file__, "cast.tsv"))
def test_entities_go_to_the_characters_their_names_mean(characters, named, meant):
    mentions = [
        EntityMention(entity, EntityKind.CHARACTER, surface, 1, QUOTE)
        for entity, surface, count in named
        for _ in range(count)
    ]
    assert cast_of(characters, StoryView(StoryLog(mentions=tuple(mentions)), Horizon())) == meant
