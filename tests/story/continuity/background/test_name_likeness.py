"""Names that could be one."""

from __future__ import annotations

import pytest

from fabula.story.continuity.background.name_likeness import same_word


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ben", "benvolio", True),
        ("merutio", "mercutio", True),
        ("hartly", "hartley", True),
        ("al", "alan", False),
        ("anna", "hanna", False),
        ("mary", "mark", False),
        ("daniel", "danube", False),
    ],
)
def test_names_that_could_be_one(one: str, other: str, same: bool) -> None:
    assert same_word(one, other) is same
    assert same_word(other, one) is same
