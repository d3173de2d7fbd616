"""What only sounds like a death, an age, a bond, an attack or a goal, and what does not end or turn back."""

from tests.stories.builder import StoryBuilder
from tests.stories.reading import document, told

from fabula.story.model.types import Modality
from fabula.views.times import times_at


def view_of(*chapters):
    return told(document(*chapters))


def deaths(view):
    facts = {(e.predicate, name) for e in view.events() for _, name in e.participants}
    facts |= {(t.value, t.entity) for t in view.traits() if t.aspect == "life"}
    return {name for what, name in facts if what in ("DIES", "KILLS", "dead")}


def test_who_is_almost_dead_or_dead_enough_is_not_dead():
    opening = "Hugo Best sat down. Hugo Best laughed. Harriet Cole smiled at Hugo Best. "
    for near in (
        "Hugo Best was almost killed with fatigue.",
        "Hugo Best was nearly drowned.",
        "Hugo Best was half dead.",
        "Hugo Best was dead enough for all that.",
    ):
        assert deaths(view_of(opening + near)) == set(), near
    assert deaths(view_of(opening + "Hugo Best was killed with an axe.")) == {"hugo-best"}
    assert deaths(view_of(opening + "Hugo Best was dead.")) == {"hugo-best"}


def test_who_is_late_is_not_the_late():
    text = "Marguerite is late, and she hates to be late. Marguerite crossed the square. Marguerite smiled."
    assert deaths(view_of(text)) == set()


def test_what_almost_happens_did_not_happen():
    view = view_of("Harriet Cole smiled. Hugo Best sat down. Harriet Cole almost kissed Hugo Best.")
    assert [e for e in view.events() if e.predicate == "EMBRACES"] == []


def test_a_number_that_counts_something_is_no_age():
    text = (
        "Harriet Cole smiled. Harriet Cole was at eleven percent by noon. Harriet was eleven percent Dutch."
    )
    assert [t for t in view_of(text).traits() if t.aspect == "age"] == []
    aged = view_of("Harriet Cole smiled. Harriet Cole was eleven. Harriet laughed.")
    assert [t.value for t in aged.traits() if t.aspect == "age"] == ["11"]


def test_a_likeness_to_a_sister_hints_at_none():
    like = "Mrs. Harriet Cole talked to Anna like somebody's cool older sister. Anna laughed."
    assert not [t for t in view_of(like).traits() if t.aspect == "kin hint"]
    plain = "Anna laughed. Her sister was in the kitchen. Mrs. Harriet Cole said nothing."
    assert [t.value for t in view_of(plain).traits() if t.aspect == "kin hint"] == ["sister"]


def test_the_stings_of_bees_are_no_attack():
    text = "Harriet Pellow smiled. Harriet Pellow had been stung, by her own reckoning, nine thousand times."
    assert [e for e in view_of(text).events() if e.predicate == "ATTACKS"] == []


def test_a_goal_names_something():
    text = "Hugo Best sat down. Hugo Best wanted to see. Hugo Best hoped to fetch it. Hugo Best laughed."
    assert view_of(text).states("hugo-best", "goal") == ()
    text = "Hugo Best sat down. Hugo Best wanted to find his brother. Hugo Best tried to light a cigarette."
    goals = view_of(text).states("hugo-best", "goal")
    assert [goal.value for goal in goals] == ["find his brother"]


def test_one_past_perfect_turns_nothing_back_and_three_do():
    def anachronies(back):
        story = StoryBuilder()
        for i in range(6):
            past = Modality.FLASHBACK if i in back else Modality.FACT
            story.event("MEETS", agent="Anna", patient=f"Berta{'abcdef'[i]}", modality=past)
        return len(times_at(story.view()).anachronies)

    assert anachronies(()) == anachronies((2,)) == anachronies((1, 3, 5)) == 0
    assert anachronies((2, 3, 4)) == 3
