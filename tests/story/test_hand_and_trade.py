"""Hands and trades told by what somebody does, and sentences that tell neither."""

from __future__ import annotations

import pytest

from fabula.story.extraction.reader import StoryReader
from fabula.story.extraction.traits.handedness import hand_by_habit, namesake_behind
from fabula.story.extraction.traits.trade_deeds import trade_by_deed


@pytest.mark.parametrize(
    ("sentence", "side"),
    [
        ("Elena ate with her left hand, as she always had.", "left"),
        ("It was well known that Marcus cast with his right hand.", "right"),
        ("Marcus ate, wrote and fenced with his left hand.", "left"),
        ("He carves with his left hand.", "left"),
        ("Elena's left hand was the stronger one.", "left"),
        ("Marcus was no good with his left hand.", "right"),
        ("Marcus had never held a spoon in his left hand.", "right"),
        ("Marcus had never rowed but with his left arm, the right being useless.", "left"),
        ("Elena was a southpaw.", "left"),
        ("Elena was no lefty.", None),
        ("Marcus held the rope in his left hand.", None),
        ("Marcus always wrote with his left hand when the right was hurt.", None),
        ("Elena always dealt with the left hand or with the right.", None),
        ("She pretended that she always sewed with her left hand.", None),
        ("He always left the door on the right hand open.", None),
    ],
)
def test_the_better_hand(sentence, side):
    found = hand_by_habit(sentence)
    assert (found[0] if found else None) == side


def test_a_name_behind_its_pronoun():
    sentence = "She bowled with her right arm, as Elena always did."
    assert namesake_behind(sentence) == sentence.index("Elena")
    assert namesake_behind("She bowled with her right arm, as Elena had taught her.") is None


@pytest.mark.parametrize(
    ("sentence", "field"),
    [
        ("Marcus kept the old inn by the ford.", "inn"),
        ("Elena ran the village post office.", "post"),
        ("Elena earned her bread by her needle.", "cloth"),
        ("Marcus taught the infants at the village school.", "teaching"),
        ("Marcus drove a cab for a living.", "driving"),
        ("Marcus drove a cab to the station.", None),
        ("Elena was taught to dance.", None),
        ("Marcus kept away from the inn.", None),
    ],
)
def test_the_trade_by_its_deeds(sentence, field):
    found = trade_by_deed(sentence)
    assert (found[0] if found else None) == field


@pytest.mark.parametrize(
    ("sentence", "field"),
    [
        ("Tom Hale's patients swore by him.", "medicine"),
        ("Tom Hale was apprenticed to a cooper.", "casks"),
        ("Tom Hale had followed the sea all his life.", "sea"),
        ("Tom Hale's sermons were too long.", "church"),
        ("Tom Hale's trade was thatching.", "roofs"),
        ("Tom Hale had been bred to the law.", "law"),
        ("Tom Hale had no patients.", None),
        ("Tom Hale threw his last crumbs to the birds.", None),
        ("Tom Hale's practice was to rise at six.", None),
        ("Tom Hale was the son of a cooper.", None),
        ("Anna Reed taught the children to read.", None),
    ],
)
def test_a_trade_by_what_goes_with_it(sentence, field):
    traits = StoryReader(learned=False).read(f"Tom Hale was there. Anna Reed was there.\n\n{sentence}").traits
    assert [each.value for each in traits if each.aspect == "profession"] == [field][: field is not None]
