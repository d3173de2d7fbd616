import pytest
from tests.stories.builder import StoryBuilder

from fabula.errors import UsageError
from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.views.arc_lines import arc_lines


@pytest.fixture(scope="module")
def story():
    return StoryBuilder.of(
        "@Riga; Anna feels joy 0.8; Anna wants find the ring; Anna at @Riga; Anna LOVES Boris; "
        "2:; Anna feels grief -0.7; Anna loses find the ring; Anna wants go home; "
        "3:; Anna gets go home; Anna wants sleep; Boris"
    )


def lines(story, *names, chapter=None):
    view = story.view(chapter)
    return arc_lines(DynamicArcTracker(view), view, names)


def test_points_are_the_states_with_names_and_quotes(story):
    [anna] = lines(story, "Anna").arcs
    first, second, *_ = anna.points
    assert (first.chapter, first.valence, first.emotion) == (1, 0.8, "joy")
    assert (second.chapter, second.valence, second.emotion) == (2, -0.7, "grief")
    assert first.place == "Riga" and first.goals == ("find the ring",)
    [bond] = first.bonds
    assert (bond.name, bond.label) == ("Boris", "loves") and bond.strength == pytest.approx(0.667, abs=1e-3)
    assert "Anna: emotion joy." in [quote.text for quote in first.quotes]


def test_goals_have_their_fate_and_moods_their_turns(story):
    [anna] = lines(story, "Anna").arcs
    assert [(goal.goal, goal.adopted, goal.ended, goal.fate) for goal in anna.goals] == [
        ("find the ring", 1, 2, "lost"),
        ("go home", 2, 3, "reached"),
        ("sleep", 3, None, "open"),
    ]
    assert [quote.chapter for quote in anna.goals[0].quotes] == [1, 2]
    assert [(move.from_chapter, move.to_chapter) for move in anna.moves] == [(1, 2), (2, 3)]
    assert anna.moves[0].kind == "fall" and "goal lost: find the ring" in anna.moves[0].reasons
    assert [turn.chapter for turn in anna.turns] == [2, 3]
    assert all(turn.quotes for turn in anna.turns)


def test_nobody_named_is_the_most_mentioned(story):
    assert [arc.name for arc in lines(story).arcs] == ["Anna", "Boris"]
    assert [arc.name for arc in lines(story, "boris", "Boris", "anna").arcs] == ["Boris", "Anna"]
    with pytest.raises(UsageError, match="nobody and nothing"):
        lines(story, "Igor")


def test_a_goal_whose_end_alone_is_told():
    book = StoryBuilder().goal("Anna", "win the cup", -1.0)
    [anna] = lines(book, "Anna").arcs
    [goal] = anna.goals
    assert (goal.adopted, goal.ended, goal.fate) == (None, 1, "lost")
