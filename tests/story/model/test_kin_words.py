"""Kin are worded by gender, where it is known."""

import pytest
from tests.tables import values

from fabula.story.model.predicates import PREDICATES


@pytest.mark.parametrize(
    ("predicate", "gender", "phrase"),
    values(__file__, "kin_are_worded_by_gender.tsv"),
)
def test_kin_are_worded_by_gender(predicate, gender, phrase):
    assert PREDICATES[predicate].phrase_for(gender) == phrase
