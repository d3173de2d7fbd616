"""Stories in numbers, on stories that are told by hand."""

import pytest
from tests.stories.builder import StoryBuilder

from fabula.story.plot.profile import ArcProfile, StoryProfile, alike, profile_of


def told():
    story = StoryBuilder()
    for chapter, valence in enumerate((-0.8, -0.2, 0.2, 0.8), start=1):
        story.chapter(chapter).feel("Anna", "joy" if valence > 0 else "sadness", valence)
    story.bond("Anna", "LOVES", "Tom").bond("Anna", "HATES", "Bela").bond("Bela", "HATES", "Anna")
    story.bond("Anna", "LIVES_IN", "@Mill").bond("Tom", "LOVES", "Bela", confidence=0.1)
    return story.view()


def test_relations_are_counted_by_pair():
    profile = profile_of(told(), title="The Ferry", chapters=4)
    # Anna and Tom are warm, Anna and Bela cold (said twice); the doubtful one and the mill do not count
    assert (profile.characters, profile.pairs, profile.warm, profile.cold) == (3, 2, 1, 1)
    assert profile.density == pytest.approx(2 / 3)
    assert profile.conflict == pytest.approx(1 / 2)


def test_the_lead_has_a_shape_and_a_mean():
    [lead, *_] = profile_of(told(), title="The Ferry", chapters=4).arcs
    assert (lead.name, lead.shape) == ("Anna", "rags to riches")
    assert lead.valence == pytest.approx(0.0, abs=0.1)
    assert sum(count for _, count in lead.phases) == len(lead.states) == 4


def test_places_run_from_nothing_to_one():
    profile = profile_of(told(), title="The Ferry", chapters=4)
    assert profile.turns
    assert all(0 <= place <= 1 and 0 < weight <= 1 for place, weight in profile.turns)


def story(title, *places):
    return StoryProfile(title, 9, 2, (), tuple((place, 0.5) for place in places), 0, 0, 0)


def test_turns_alike_by_hand():
    # from one: 0 to 0.1 is 0.1 away, 1 to 0.9 is 0.1; back the same
    assert alike(story("a", 0.0, 1.0), story("b", 0.1, 0.9)).turns == pytest.approx(0.9)
    assert alike(story("a", 0.0), story("b", 0.0, 1.0)).turns == pytest.approx(1 - (0 + 0.5) / 2)
    assert alike(story("a"), story("b", 0.5)).turns is None
    assert story("a").conflict is None and story("a").density == 0.0


def test_a_story_is_most_like_itself():
    profile = profile_of(told(), title="The Ferry", chapters=4)
    same = alike(profile, profile)
    assert (same.arc, same.turns) == (1.0, 1.0)
    flat = ArcProfile("Tom", 1, "", 0.0, 0.0, (), ())
    assert alike(profile, StoryProfile("b", 1, 1, (flat,), (), 0, 0, 0)).arc is None
