"""Importance is a sum."""

from fabula.story.passages.importance import importance


def test_importance_is_a_sum():
    for given, points in (
        ({"characters": 0}, 1),
        ({"characters": 1}, 1 + 1),
        ({"characters": 3}, 1 + 1 + 1),
        ({"characters": 2, "dialogue": True}, 1 + 1 + 1),
        ({"characters": 1, "revelation": True, "action": True}, 1 + 1 + 2 + 1),
        ({"characters": 1, "events": 2}, 1 + 1 + 1),
        ({"characters": 1, "events": 2, "grave": True}, 1 + 1 + 3),
        (
            {
                "characters": 9,
                "revelation": True,
                "dialogue": True,
                "action": True,
                "events": 5,
                "grave": True,
            },
            1 + 1 + 1 + 2 + 1 + 1 + 3,
        ),
    ):
        assert importance(**given) == points, (given, points)
