import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.stories.strategies import stories

from fabula.core.types import Horizon
from fabula.errors import HorizonError
from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.model.types import Modality


def fallen():
    story = StoryBuilder().feel("Tom", "hopeful", 0.6).goal("Tom", "find gold").goal("Tom", "marry Anna")
    story.chapter(2).feel("Tom", "desperate", -0.8)
    return story.goal("Tom", "find gold", -1).goal("Tom", "marry Anna", -1)


def test_from_hope_to_despair_with_every_goal_lost_is_a_great_fall():
    (move,) = DynamicArcTracker(fallen().view()).transitions("tom")
    # valence by 1.4 of 2, arousal (neither is a named emotion) by 0.8 - 0.6, goals 2 of 2
    assert move.magnitude == pytest.approx(1 - (1 - 1.4 / 2) * (1 - 0.3 * 0.2) * (1 - 0.6 * 2 / 2))
    assert move.magnitude == pytest.approx(0.9, abs=0.02)
    assert (move.kind, move.from_chapter, move.to_chapter) == ("fall", 1, 2)
    assert move.reasons == (
        "hopeful (+0.60) to desperate (-0.80)",
        "goal lost: find gold",
        "goal lost: marry Anna",
    )


def test_named_emotions_have_their_arousal_and_nothing_told_moves_nobody():
    story = StoryBuilder().feel("Tom", "hope", 0.6).goal("Tom", "a").goal("Tom", "b")
    story.chapter(2).feel("Tom", "despair", -0.8).goal("Tom", "a", -1).goal("Tom", "b", -1)
    (move,) = DynamicArcTracker(story.view()).transitions("tom")
    assert move.magnitude == pytest.approx(1 - 0.3 * (1 - 0.3 * (0.6 - 0.5)) * 0.4)
    story = StoryBuilder().mention("Tom").chapter(2).mention("Tom")
    (move,) = DynamicArcTracker(story.view()).transitions("tom")
    assert (move.magnitude, move.kind, move.reasons) == (0.0, "steady", ())


def test_goals_are_adopted_reached_and_lost():
    story = StoryBuilder().goal("Tom", "find the gold").goal("Tom", "Find the gold").goal("Tom", "marry Anna")
    story.chapter(2).goal("Tom", "find the lost gold", 2).goal("Tom", "sail home")
    story.chapter(3).goal("Tom", "something else", -1)
    tracker = DynamicArcTracker(story.view())
    assert tracker.state("tom", 1).active_goals == ("find the gold", "marry Anna")
    assert tracker.state("tom", 2).active_goals == ("marry Anna", "sail home")
    assert tracker.state("tom", 3).active_goals == ("marry Anna", "sail home")


def test_an_emotion_is_the_surest_of_the_last_chapter_and_fades():
    story = StoryBuilder().feel("Tom", "joy", 0.8, confidence=0.4).feel("Tom", "anger", -0.6, confidence=0.8)
    story.chapter(9).mention("Tom")
    tracker = DynamicArcTracker(story.view())
    here = tracker.state("tom", 1)
    assert here.emotional_state == "anger"
    assert here.valence == pytest.approx((0.8 * 0.4 - 0.6 * 0.8) / 1.2)
    assert tracker.state("tom", 3).valence == pytest.approx(here.valence / 2)
    assert tracker.state("tom", 5).emotional_state == "anger"
    gone = tracker.state("tom", 6)
    assert (gone.emotional_state, gone.valence, gone.arousal, gone.evidence) == ("", 0.0, 0.0, ())


def test_location_is_the_last_told_and_none_once_left():
    story = StoryBuilder().bond("Tom", "LOCATED_AT", "@London").chapter(2).at("Tom", "@Bath")
    story.chapter(3).flashback("Tom", "LOCATED_AT", "@Paris").bond(
        "Tom", "LOCATED_AT", "@Rome", modality=Modality.PLANNED
    )
    story.chapter(4).event("LEAVES", "Tom", place="@London").chapter(5).event("LEAVES", "Tom", place="@Bath")
    tracker = DynamicArcTracker(story.view())
    assert [tracker.state("tom", chapter).location for chapter in range(6)] == [
        None, "london", "bath", "bath", "bath", None,
    ]  # fmt: skip


def test_relationships_weigh_tellings_and_halve_every_ten_chapters():
    story = StoryBuilder().bond("Tom", "LOVES", "Anna", confidence=0.8).bond("Bert", "HATES", "Tom")
    story.event("ATTACKS", "Cora", "Tom")
    story.chapter(11).mention("Tom")
    tracker = DynamicArcTracker(story.view())
    love, attack = tracker.state("tom", 1).relationships  # Bert's hatred is Bert's
    assert (love.entity, love.predicate) == ("anna", "LOVES")
    assert love.strength == pytest.approx(0.8 / (0.8 + 0.5))
    assert attack.strength == pytest.approx(-0.6 / (0.6 + 0.5))
    assert tracker.state("tom", 11).relationships[0].strength == pytest.approx(0.4 / (0.4 + 0.5))


def test_of_opposed_bonds_the_last_counts():
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "FRIEND_OF", "Anna")
    story.chapter(2).bond("Tom", "HATES", "Anna")
    tracker = DynamicArcTracker(story.view())
    assert tracker.state("tom", 1).relationships[0].strength == pytest.approx(2 / 2.5)
    (hate,) = tracker.state("tom", 2).relationships
    assert (hate.predicate, hate.strength) == ("HATES", pytest.approx(-1 / 1.5))


def test_phases_are_told_forwards():
    story = StoryBuilder().mention("Tom")
    for chapter, valence in enumerate([0.5, 0.4, -0.7, -0.3, 0.5, -0.2, -0.9], start=2):
        story.chapter(chapter).feel("Tom", "mood", valence)
    phases = [state.arc_phase for state in DynamicArcTracker(story.view()).arc("tom")]
    assert phases == [
        "setup", "rising", "rising", "crisis", "falling", "resolution", "falling", "crisis",
    ]  # fmt: skip


def test_the_arc_ends_at_the_horizon_and_has_the_chapters_that_mention_somebody():
    story = StoryBuilder().mention("Tom").chapter(2).mention("Anna").chapter(3).mention("Tom")
    tracker = DynamicArcTracker(story.view())
    assert [state.chapter for state in tracker.arc("tom")] == [1, 3]
    assert tracker.arc("nobody") == ()
    assert tracker.state("nobody", 2).evidence == ()
    with pytest.raises(HorizonError, match="chapter 3"):
        DynamicArcTracker(fallen().view(2)).state("tom", 3)


def test_a_state_before_a_merge_knows_nothing_of_it():
    story = StoryBuilder().feel("Stranger", "anger", -0.5).mention("Tom").chapter(2).mention("Tom")
    story.chapter(3).merge("Stranger", "Tom").mention("Tom")
    tracker = DynamicArcTracker(story.view())
    assert tracker.state("tom", 2).valence == 0
    assert tracker.state("tom", 3).valence == pytest.approx(-0.5 / 2)
    assert tracker.state("stranger", 1).entity == "stranger"
    assert tracker.state("stranger", 3).entity == "tom"
    assert [state.chapter for state in tracker.arc("stranger")] == [1, 3]


@given(stories(), st.integers(0, 12))
def test_a_state_is_the_same_from_every_view_that_reaches_it(story, chapter):
    far, near = story.view(), story.view(chapter)
    ahead, there = DynamicArcTracker(far), DynamicArcTracker(near)
    for who in ("tom", "anna", "bert", "cora"):
        assert repr(ahead.state(who, chapter)) == repr(there.state(who, chapter))
        arc = [state for state in ahead.arc(who) if state.chapter <= chapter]
        assert repr(arc) == repr(list(there.arc(who)))
        moves = [move for move in ahead.transitions(who) if move.to_chapter <= chapter]
        assert repr(moves) == repr(list(there.transitions(who)))
        for state in arc:
            assert -1 <= state.valence <= 1
            assert all(-1 < one.strength < 1 for one in state.relationships)
            assert all(quote.chapter <= state.chapter for quote in state.evidence)
    assert far.as_of(Horizon(chapter)).horizon == Horizon(chapter)


def test_bonds_break_and_form():
    story = StoryBuilder().bond("Tom", "FRIEND_OF", "Anna").bond("Tom", "LOVES", "Anna")
    story.chapter(2).bond("Tom", "HATES", "Anna").bond("Tom", "ENEMY_OF", "Anna")
    story.chapter(3).event("FORGIVES", "Tom", "Anna").bond("Tom", "LOVES", "Anna")
    moves = DynamicArcTracker(story.view()).transitions("tom")
    assert [move.kind for move in moves] == ["break", "bond"]


def test_who_begins_to_do_harm_is_corrupted_and_who_begins_to_help_grows():
    story = StoryBuilder().event("HELPS", "Tom", "Anna").chapter(2)
    story.event("BETRAYS", "Tom", "Bert").event("STEALS_FROM", "Tom", "Cora").event("KILLS", "Tom", "Dan")
    (move,) = DynamicArcTracker(story.view()).transitions("tom")
    assert move.kind == "corruption"
    assert any(reason.startswith("acts by others worse") for reason in move.reasons)
    (suffered,) = DynamicArcTracker(story.chapter(3).mention("Bert").view()).transitions("bert")
    assert suffered.kind != "corruption"  # what is done to somebody is not their deed
    story = StoryBuilder().event("ATTACKS", "Tom", "Anna").event("ATTACKS", "Tom", "Bert")
    story.chapter(2).event("SAVES", "Tom", "Cora").event("HELPS", "Tom", "Dan").event("HELPS", "Tom", "Eve")
    (move,) = DynamicArcTracker(story.view()).transitions("tom")
    assert move.kind == "growth"


def test_the_word_for_a_mood_has_the_sign_of_its_number():
    story = StoryBuilder().feel("Anna", "good spirits", 0.1, confidence=0.9)
    story.feel("Anna", "fear", -0.9, confidence=0.5)
    state = DynamicArcTracker(story.view()).state(story.id("Anna"), 1)
    assert (state.emotional_state, state.valence < 0) == ("fear", True)
