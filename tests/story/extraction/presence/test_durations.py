"""How long somebody was ill or in prison."""

from tests.stories.reading import story

from fabula.story.model.trait_values import STAY


def test_stretches_of_life_are_stays():
    for told in ("Elena's illness lasted three weeks.", "Marcus was in prison for eighteen months."):
        assert any(trait.aspect == STAY for trait in story(told).traits()), told
