"""What only sounds like a death, an age, a bond, an attack or a goal, and what does not end or turn back."""

from tests.stories.builder import StoryBuilder

from fabula.core.types import Horizon
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.types import Modality
from fabula.views.times import times_at

from .test_names import linked, who


def view_of(reader, *chapters):
    return StoryKnowledgeGraph.from_log(linked(reader, *chapters)).as_of(Horizon(None))


def deaths(view):
    told = {(e.predicate, name) for e in view.events() for _, name in e.participants}
    told |= {(t.value, t.entity) for t in view.traits() if t.aspect == "life"}
    return {name for what, name in told if what in ("DIES", "KILLS", "dead")}


def test_who_is_almost_dead_or_dead_enough_is_not_dead(reader):
    opening = "Hugo Best sat down. Hugo Best laughed. Harriet Cole smiled at Hugo Best. "
    for near in (
        "Hugo Best was almost killed with fatigue.",
        "Hugo Best was nearly drowned.",
        "Hugo Best was half dead.",
        "Hugo Best was dead enough for all that.",
    ):
        assert deaths(view_of(reader, opening + near)) == set(), near
    assert deaths(view_of(reader, opening + "Hugo Best was killed with an axe.")) == {"hugo-best"}
    assert deaths(view_of(reader, opening + "Hugo Best was dead.")) == {"hugo-best"}


def test_who_is_late_is_not_the_late(reader):
    text = "Marguerite is late, and she hates to be late. Marguerite crossed the square. Marguerite smiled."
    assert deaths(view_of(reader, text)) == set()


def test_what_almost_happens_did_not_happen(reader):
    view = view_of(reader, "Harriet Cole smiled. Hugo Best sat down. Harriet Cole almost kissed Hugo Best.")
    assert [e for e in view.events() if e.predicate == "EMBRACES"] == []


def test_a_man_called_lane_is_no_lane(reader):
    text = "Peter Lane came home on Friday. Anna met him at the gate. Peter kissed her. Peter laughed."
    meant = who(linked(reader, text))
    assert meant["Peter"] == meant["Peter Lane"]
    view = view_of(reader, text)
    assert view.entity(meant["Peter"]).kind == "character"


def test_who_says_i_am_is_the_narrator_and_is_shown_by_name(reader):
    text = "I am Tess Okafor, and I live by the river. I opened the door. I was cold. Mr. Bello laughed."
    view = view_of(reader, text)
    assert [e.name for e in view.entities() if "I" in e.aliases] == ["Tess Okafor"]
    nameless = view_of(reader, "I opened the door. I was cold. I went home. I slept. Mr. Bello laughed.")
    assert "I" not in [e.name for e in nameless.entities()]
    assert "the narrator" in [e.name for e in nameless.entities()]


def test_a_number_that_counts_something_is_no_age(reader):
    text = (
        "Harriet Cole smiled. Harriet Cole was at eleven percent by noon. Harriet was eleven percent Dutch."
    )
    assert [t for t in view_of(reader, text).traits() if t.aspect == "age"] == []
    aged = view_of(reader, "Harriet Cole smiled. Harriet Cole was eleven. Harriet laughed.")
    assert [t.value for t in aged.traits() if t.aspect == "age"] == ["11"]


def test_a_likeness_to_a_sister_hints_at_none(reader):
    like = "Mrs. Harriet Cole talked to Anna like somebody's cool older sister. Anna laughed."
    assert not [t for t in view_of(reader, like).traits() if t.aspect == "kin hint"]
    plain = "Anna laughed. Her sister was in the kitchen. Mrs. Harriet Cole said nothing."
    assert [t.value for t in view_of(reader, plain).traits() if t.aspect == "kin hint"] == ["sister"]


def test_the_stings_of_bees_are_no_attack(reader):
    text = "Harriet Pellow smiled. Harriet Pellow had been stung, by her own reckoning, nine thousand times."
    assert [e for e in view_of(reader, text).events() if e.predicate == "ATTACKS"] == []


def test_a_goal_names_something(reader):
    text = "Hugo Best sat down. Hugo Best wanted to see. Hugo Best hoped to fetch it. Hugo Best laughed."
    assert view_of(reader, text).states("hugo-best", "goal") == ()
    told = "Hugo Best sat down. Hugo Best wanted to find his brother. Hugo Best tried to light a cigarette."
    goals = view_of(reader, told).states("hugo-best", "goal")
    assert [goal.value for goal in goals] == ["find his brother"]


def test_one_past_perfect_turns_nothing_back_and_three_do():
    def told(back):
        story = StoryBuilder()
        for i in range(6):
            past = Modality.FLASHBACK if i in back else Modality.FACT
            story.event("MEETS", agent="Anna", patient=f"Berta{'abcdef'[i]}", modality=past)
        return len(times_at(story.view()).anachronies)

    assert told(()) == told((2,)) == told((1, 3, 5)) == 0
    assert told((2, 3, 4)) == 3
