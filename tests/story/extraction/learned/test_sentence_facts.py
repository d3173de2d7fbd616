"""Bonds, wrongs and vows in words that no rule knows."""

from __future__ import annotations

import pytest

from fabula.story.extraction.coreference.pronouns import Reference
from fabula.story.extraction.learned.scorer import LinearScorer, sentence_scorer
from fabula.story.extraction.learned.sentence_facts import ANY, KINDS, facts_of, may_tell
from fabula.story.extraction.patterns.masking import Masked
from fabula.story.extraction.pipeline import LEARNED
from fabula.story.extraction.reader import StoryReader

PEOPLE = "Elena Voss sat down. Marcus Hale bowed to Elena. Mrs. Corwen rang for tea.\n\n"


@pytest.fixture(scope="module")
def rules():
    return StoryReader(without=LEARNED)


def people(count):
    return tuple(Reference(number) for number in range(count))


def dead(reading):
    return [reading.mentions[each.character].surface for each in reading.traits if each.value == "dead"]


DEATH = (
    "Within the chancel, under a slab that his creditors had paid for, reposed all that was mortal of Marcus."
)


@pytest.mark.parametrize("text", [DEATH, "Marcus Hale is late, and the soup is cold."])
def test_a_death_is_for_the_grammar(reader, text):
    assert dead(reader.read(PEOPLE + text)) == []


def test_a_wrong_that_somebody_shall_not_hear_of_is_none_of_his(reader):
    text = (
        "Marcus Hale, who had written the letters, had taken good care that Elena should hear nothing of it."
    )
    assert not [each for each in reader.read(PEOPLE + text).happenings if each.predicate == "BETRAYS"]


def test_a_vow_holds_its_aim(reader):
    text = "Over the ashes Marcus took his oath to rebuild the mill, stone by stone, before he was forty."
    (vow,) = [each for each in reader.read(PEOPLE + text).traits if each.aspect == "vow"]
    assert vow.value.startswith("rebuild the mill")


@pytest.mark.parametrize(
    "text",
    [
        "With the captain was buried the sword of Marcus Hale.",
        "It was into the deep that Marcus Hale's compass went, with forty men.",
    ],
)
def test_the_end_of_a_thing_is_nobodys_death(reader, text):
    assert dead(reader.read(PEOPLE + text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Marcus bowed to Elena.",
        "Elena loved the garden that Marcus had made for her behind the house.",
        "Marcus and Elena had been at daggers drawn for a month, but they shook hands upon it at Easter.",
    ],
)
def test_neither_love_nor_hatred(reader, rules, text):
    before, after = (each.read(PEOPLE + text).statements for each in (rules, reader))
    assert before == after


def test_readings_of_rules_alone_are_kept_apart(reader, rules):
    assert reader.version != rules.version


class Fixed(LinearScorer):
    """Scores in turn, by kind."""

    def __init__(self, **scores):
        self.kinds = (*KINDS, ANY)
        self._scores = {kind: list(each) for kind, each in scores.items()}

    def weigh(self, seen, kinds):
        return {kind: self._scores[kind].pop(0) if kind in self._scores else -9.0 for kind in kinds}


WORDS = "§0 walked with §1 along the river to the old mill"


def test_who_is_meant_has_to_stand_out():
    seen = Masked(WORDS, people(2), 0)
    assert facts_of(seen, Fixed(vow=[1.0, 0.9])) == ()
    (found,) = facts_of(seen, Fixed(vow=[0.2, 0.9]))
    assert (found.kind, found.who, found.other) == ("vow", 1, None)
    assert facts_of(seen, Fixed(vow=[-0.9, -0.1])) == ()


def test_a_bond_has_two_ends_and_one_sign():
    seen = Masked(WORDS, people(2), 0)
    (found,) = facts_of(seen, Fixed(warm=[0.1, 0.9]))
    assert (found.who, found.other) == (1, 0)
    assert facts_of(seen, Fixed(warm=[0.1, 0.9], cold=[0.1, 0.9])) == ()


def test_who_suffers_a_wrong_is_the_only_other():
    (found,) = facts_of(Masked(WORDS, people(2), 0), Fixed(deed=[0.9, 0.1]))
    assert (found.who, found.other) == (0, 1)
    three = Masked(f"{WORDS} with §2", people(3), 0)
    assert facts_of(three, Fixed(deed=[0.9, 0.1, 0.1])) == ()


def test_a_crowd_and_a_few_words_are_left_alone():
    crowd = Masked(f"{WORDS} with §2 §3 §4", people(5), 0)
    assert facts_of(crowd, Fixed(vow=[9.0, 0.0, 0.0, 0.0, 0.0])) == ()
    assert facts_of(Masked("§0 bowed to §1.", people(2), 0), Fixed(vow=[9.0, 0.0])) == ()


def test_the_model_that_is_shipped_knows_every_kind():
    assert set(sentence_scorer().kinds) == {*KINDS, ANY}
    assert not may_tell("“Yes, I think so,” she said.")
    assert may_tell(DEATH)
