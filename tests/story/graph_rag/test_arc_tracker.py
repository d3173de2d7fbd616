import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.stories.strategies import stories
from tests.tables import rows

from fabula.errors import HorizonError
from fabula.story.graph_rag.arc_tracker import DynamicArcTracker

FALLEN = (
    "Tom feels hopeful 0.6; Tom wants find gold; Tom wants marry Anna; 2:; "
    "Tom feels desperate -0.8; Tom loses find gold; Tom loses marry Anna"
)


def tracker(story, chapter=None):
    return DynamicArcTracker(StoryBuilder.of(story).view(chapter))


def test_from_hope_to_despair_with_every_goal_lost_is_a_great_fall():
    (move,) = tracker(FALLEN).transitions("tom")
    # valence by 1.4 of 2, arousal (neither is a named emotion) by 0.8 - 0.6, goals 2 of 2
    assert move.magnitude == pytest.approx(1 - (1 - 1.4 / 2) * (1 - 0.3 * 0.2) * (1 - 0.6 * 2 / 2))
    assert (move.kind, move.from_chapter, move.to_chapter) == ("fall", 1, 2)
    lost = ("goal lost: find gold", "goal lost: marry Anna")
    assert move.reasons == ("hopeful (+0.60) to desperate (-0.80)", *lost)
    (move,) = tracker(FALLEN.replace("hopeful", "hope").replace("desperate", "despair")).transitions("tom")
    assert move.magnitude == pytest.approx(1 - 0.3 * (1 - 0.3 * (0.6 - 0.5)) * 0.4)  # by their names


@pytest.mark.parametrize(("story", "who", "kinds"), rows(__file__, "moves.tsv"))
def test_moves_are_of_a_kind(story, who, kinds):
    assert [move.kind for move in tracker(story).transitions(who)] == kinds.split()


def test_nothing_told_moves_nobody_and_a_move_has_its_reasons():
    (move,) = tracker("Tom; 2:; Tom").transitions("tom")
    assert (move.magnitude, move.reasons) == (0.0, ())
    (move,) = tracker("Tom HELPS Anna; 2:; Tom BETRAYS Bert; Tom KILLS Dan").transitions("tom")
    assert any(reason.startswith("acts by others worse") for reason in move.reasons)


def test_goals_are_adopted_reached_and_lost():
    wanted = "Tom wants find the gold; Tom wants Find the gold; Tom wants marry Anna"
    told = tracker(f"{wanted}; 2:; Tom gets find the lost gold; Tom wants sail home; 3:; Tom loses else")
    assert told.state("tom", 1).active_goals == ("find the gold", "marry Anna")
    assert (
        told.state("tom", 2).active_goals == told.state("tom", 3).active_goals == ("marry Anna", "sail home")
    )


def test_an_emotion_is_the_surest_of_the_last_chapter_and_fades():
    told = tracker("Tom feels joy 0.8 / 0.4; Tom feels anger -0.6 / 0.8; 9:; Tom")
    here = told.state("tom", 1)
    assert here.emotional_state == "anger"
    assert here.valence == pytest.approx((0.8 * 0.4 - 0.6 * 0.8) / 1.2)
    assert told.state("tom", 3).valence == pytest.approx(here.valence / 2)
    assert told.state("tom", 5).emotional_state == "anger"
    gone = told.state("tom", 6)
    assert (gone.emotional_state, gone.valence, gone.arousal, gone.evidence) == ("", 0.0, 0.0, ())


def test_the_word_for_a_mood_has_the_sign_of_its_number():
    feels = "Anna feels cheerfulness 0.1 / 0.9; Anna feels fear -0.9 / 0.5"
    state = tracker(feels).state("anna", 1)
    assert (state.emotional_state, state.valence < 0) == ("fear", True)


def test_location_is_the_last_told_and_none_once_left():
    told = tracker(
        "Tom LOCATED_AT @London; 2:; Tom at @Bath; 3:; Tom LOCATED_AT @Paris / flashback; "
        "Tom LOCATED_AT @Rome / planned; 4:; Tom LEAVES - @London; 5:; Tom LEAVES - @Bath"
    )
    places = [told.state("tom", chapter).location for chapter in range(6)]
    assert places == [None, "london", "bath", "bath", "bath", None]


def test_relationships_weigh_tellings_and_halve_every_ten_chapters():
    told = tracker("Tom LOVES Anna / 0.8; Bert HATES Tom; Cora ATTACKS Tom; 11:; Tom")
    love, attack = told.state("tom", 1).relationships  # Bert's hatred is Bert's
    assert (love.entity, love.predicate) == ("anna", "LOVES")
    assert love.strength == pytest.approx(0.8 / (0.8 + 0.5))
    assert attack.strength == pytest.approx(-0.6 / (0.6 + 0.5))
    assert told.state("tom", 11).relationships[0].strength == pytest.approx(0.4 / (0.4 + 0.5))


def test_of_opposed_bonds_the_last_counts():
    told = tracker("Tom LOVES Anna; Tom FRIEND_OF Anna; 2:; Tom HATES Anna")
    assert told.state("tom", 1).relationships[0].strength == pytest.approx(2 / 2.5)
    (hate,) = told.state("tom", 2).relationships
    assert (hate.predicate, hate.strength) == ("HATES", pytest.approx(-1 / 1.5))


def test_phases_are_told_forwards():
    moods = enumerate([0.5, 0.4, -0.7, -0.3, 0.5, -0.2, -0.9], start=2)
    story = "; ".join(["Tom", *(f"{chapter}:; Tom feels mood {valence}" for chapter, valence in moods)])
    phases = " ".join(state.arc_phase for state in tracker(story).arc("tom"))
    assert phases == "setup rising rising crisis falling resolution falling crisis"
    last = tracker("Tom feels mood 0.9; 2:; Tom feels mood -0.2").arc("tom")[-1]
    assert last.arc_phase == "crisis"  # so great a fall is one from any height


def test_the_arc_ends_at_the_horizon_and_has_the_chapters_that_mention_somebody():
    told = tracker("Tom; 2:; Anna; 3:; Tom")
    assert [state.chapter for state in told.arc("tom")] == [1, 3]
    assert told.arc("nobody") == ()
    assert told.state("nobody", 2).evidence == ()
    with pytest.raises(HorizonError, match="chapter 3"):
        tracker(FALLEN, 2).state("tom", 3)


def test_a_state_before_a_merge_knows_nothing_of_it():
    told = tracker("Stranger feels anger -0.5; Tom; 2:; Tom; 3:; Stranger = Tom; Tom")
    assert told.state("tom", 2).valence == 0
    assert told.state("tom", 3).valence == pytest.approx(-0.5 / 2)
    assert [told.state("stranger", chapter).entity for chapter in (1, 3)] == ["stranger", "tom"]
    assert [state.chapter for state in told.arc("stranger")] == [1, 3]


@given(stories(), st.integers(0, 12))
def test_a_state_is_the_same_from_every_view_that_reaches_it(story, chapter):
    ahead, there = DynamicArcTracker(story.view()), DynamicArcTracker(story.view(chapter))
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
