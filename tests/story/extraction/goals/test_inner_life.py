"""Moods and goals."""

from tests.stories.facts import read_behind
from tests.stories.reading import document, reading, told


def test_the_tone_of_what_is_said_is_weak_evidence_of_a_mood():
    found = reading(
        '"What a wonderful, beautiful morning!" said Elena.\n\n'
        '"It is a horrible, miserable disaster," said Marcus.'
    )
    moods = {found.mentions[m.character].surface: m for m in found.moods}
    assert (moods["Elena"].emotion, moods["Marcus"].emotion) == ("good spirits", "distress")
    assert moods["Marcus"].valence < 0 < moods["Elena"].valence
    assert all(m.confidence < 0.5 for m in moods.values())


def test_moods_know_denial():
    found = read_behind("Elena was happy.\n\nMarcus was not happy.\n\nAnna was angry.")
    moods = {(found.mentions[m.character].surface, m.emotion) for m in found.moods}
    assert {("Elena", "joy"), ("Marcus", "sadness"), ("Anna", "anger")} <= moods
    assert all(-1 <= m.valence <= 1 and 0 <= m.arousal <= 1 for m in found.moods)


def test_goals():
    found = read_behind("Elena decided to find the ring.\n\nMarcus failed to find it.")
    goals = [(found.mentions[g.character].surface, g.wording, g.turn) for g in found.goals]
    assert goals == [("Elena", "find the ring", "adopted"), ("Marcus", "find it", "failed")]


def test_a_goal_names_something():
    vague = "Hugo Best sat down. Hugo Best wanted to see. Hugo Best hoped to fetch it. Hugo Best laughed."
    assert told(document(vague)).states("hugo-best", "goal") == ()
    plain = "Hugo Best sat down. Hugo Best wanted to find his brother. Hugo Best tried to light a cigarette."
    goals = told(document(plain)).states("hugo-best", "goal")
    assert [goal.value for goal in goals] == ["find his brother"]
