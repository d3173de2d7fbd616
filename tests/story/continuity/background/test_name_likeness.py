"""Names that could be one."""

from __future__ import annotations

from fabula.story.continuity.background.name_likeness import same_word


def test_names_that_could_be_one() -> None:
    for one, other, same in (
        ("ben", "benvolio", True),
        ("merutio", "mercutio", True),
        ("hartly", "hartley", True),
        ("al", "alan", False),
        ("anna", "hanna", False),
        ("mary", "mark", False),
        ("daniel", "danube", False),
    ):
        assert same_word(one, other) is same, (one, other, same)
        assert same_word(other, one) is same, (one, other, same)
