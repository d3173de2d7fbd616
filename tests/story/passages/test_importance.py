"""Importance is a sum."""

import pytest

from fabula.story.passages.importance import importance


@pytest.mark.parametrize(
    ("given", "points"),
    [
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
    ],
)
def test_importance_is_a_sum(given, points):
    assert importance(**given) == points
