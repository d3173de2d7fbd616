"""The matter of a text as the stems of its telling words."""

from __future__ import annotations

import pytest
from tests.stories.reading import story

from fabula.story.continuity.background.word_traces import WordTraces, stems_of


@pytest.mark.parametrize(
    ("noun", "verb"),
    [("the sale", "sold"), ("a marriage", "married"), ("his death", "died"), ("theft", "stole")],
)
def test_a_deed_is_known_by_its_noun(noun, verb):
    assert stems_of(noun) == stems_of(verb)


def test_telling_words():
    assert stems_of("She hid the letters and would have told them") == {"hide", "letter"}
    view = story("Elena laughed.")
    assert WordTraces(view).keys("Elena sold the mill", without=("elena-voss",)) == {"sell", "mill"}
