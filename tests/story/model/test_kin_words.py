"""Kin are worded by gender, where it is known."""

import pytest

from fabula.story.model.predicates import PREDICATES


@pytest.mark.parametrize(
    ("predicate", "gender", "phrase"),
    [
        ("AUNT_OR_UNCLE_OF", "f", "is the aunt of"),
        ("AUNT_OR_UNCLE_OF", "m", "is the uncle of"),
        ("AUNT_OR_UNCLE_OF", "", "is an aunt or uncle of"),
        ("GRANDPARENT_OF", "f", "is the grandmother of"),
        ("SIBLING_OF", "m", "is the brother of"),
        ("PARENT_OF", "", "is a parent of"),
        ("CHILD_OF", "f", "is the daughter of"),
        ("FRIEND_OF", "f", "is a friend of"),
    ],
)
def test_kin_are_worded_by_gender(predicate, gender, phrase):
    assert PREDICATES[predicate].phrase_for(gender) == phrase
