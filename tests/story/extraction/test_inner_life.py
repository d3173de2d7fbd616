from tests.stories.facts import read_behind
from tests.stories.reading import OPENING, document, reading, told

from fabula.story.graph_rag.arc_tracker import DynamicArcTracker


def test_the_tone_of_what_is_said_is_weak_evidence_of_a_mood():
    found = reading(
        '"What a wonderful, beautiful morning!" said Elena.\n\n'
        '"It is a horrible, miserable disaster," said Marcus.'
    )
    moods = {found.mentions[m.character].surface: m for m in found.moods}
    assert (moods["Elena"].emotion, moods["Marcus"].emotion) == ("good spirits", "distress")
    assert moods["Marcus"].valence < 0 < moods["Elena"].valence
    assert all(m.confidence < 0.5 for m in moods.values())


def test_moods_know_denial_and_goals_their_turn():
    found = read_behind("Elena was happy.\n\nMarcus was not happy.\n\nAnna was angry.")
    moods = {(found.mentions[m.character].surface, m.emotion) for m in found.moods}
    assert {("Elena", "joy"), ("Marcus", "sadness"), ("Anna", "anger")} <= moods
    assert all(-1 <= m.valence <= 1 and 0 <= m.arousal <= 1 for m in found.moods)
    found = read_behind("Elena decided to find the ring.\n\nMarcus failed to find it.")
    goals = [(found.mentions[g.character].surface, g.wording, g.turn) for g in found.goals]
    assert goals == [("Elena", "find the ring", "adopted"), ("Marcus", "find it", "failed")]


def test_a_goal_names_something_and_a_wish_to_die_is_despair():
    vague = "Hugo Best sat down. Hugo Best wanted to see. Hugo Best hoped to fetch it. Hugo Best laughed."
    assert told(document(vague)).states("hugo-best", "goal") == ()
    plain = "Hugo Best sat down. Hugo Best wanted to find his brother. Hugo Best tried to light a cigarette."
    goals = told(document(plain)).states("hugo-best", "goal")
    assert [goal.value for goal in goals] == ["find his brother"]
    found = reading(f"{OPENING}\n\nElena wished to die.")
    assert ("despair", -0.8) in {(mood.emotion, mood.valence) for mood in found.moods}


def test_from_hope_to_despair_with_two_goals_lost():
    tale = document(
        "Clara Finch was hopeful. She wanted to win the prize and to find her brother.",
        "Clara Finch was desperate. She had lost the prize, and she gave up looking for her brother.",
    )
    tracker = DynamicArcTracker(told(tale))
    (move,) = tracker.transitions("clara-finch")
    assert move.kind == "fall" and move.magnitude >= 0.85
    assert tracker.state("clara-finch", 2).active_goals == ()


def test_good_words_in_a_loss_are_no_good_spirits():
    found = reading(f"{OPENING}\n\nElena had lost the great prize, the best of all.")
    assert "good spirits" not in {mood.emotion for mood in found.moods if mood.evidence.start > 100}
