"""Looks, hands, ages and families by the place of their value in a sentence, whatever the words around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.stories.examples import assert_read
from tests.stories.reading import reading

from fabula.story.extraction.coreference.pronouns import Reference
from fabula.story.extraction.learned.scorer import LinearScorer, slot_scorer
from fabula.story.extraction.learned.slot_candidates import KINDS, candidates
from fabula.story.extraction.learned.slot_traits import told_of
from fabula.story.extraction.patterns.masking import Masked

HERE = Path(__file__).parent
PEOPLE = "Elena Voss sat down. Marcus Hale bowed to Elena. Mrs. Corwen rang for tea."


def slots(text):
    """Every look, hand, age and number of kin that the text behind PEOPLE has, with its quote."""
    found = reading(f"{PEOPLE}\n\n{text}")
    for trait in found.traits:
        if trait.aspect in ("hand", "eyes", "hair", "age") or trait.aspect.startswith("count:"):
            assert trait.evidence[0].start == len(PEOPLE) + 2
            yield f"{found.mentions[trait.character].surface} {trait.aspect}={trait.value}"


def test_a_value_in_words_that_no_rule_knows_and_what_only_looks_like_it():
    assert_read(HERE / "slots.tsv", slots)


def test_what_is_said_is_reported():
    text = "“Nobody in the room had hair so black as Elena's.”"
    (trait,) = (each for each in reading(f"{PEOPLE}\n\n{text}").traits if each.aspect == "hair")
    assert (trait.modality.value, trait.value) == ("reported", "black")


class Fixed(LinearScorer):
    """Scores by the number of the person and the value, as told."""

    def __init__(self, scores):
        self.kinds, self._scores = KINDS, scores

    def score(self, kind, words, who):
        return self._scores[who]


def people(count):
    return tuple(Reference(number) for number in range(count))


def test_who_is_meant_has_to_stand_out():
    seen = Masked("§0 and §1 and the black hair", people(2), 0)
    assert told_of(seen, None, Fixed([1.0, 0.9])) == ()
    (found,) = told_of(seen, None, Fixed([0.2, 0.9]))
    assert (found.kind, found.value, found.who) == ("hair", "black", 1)
    assert told_of(seen, None, Fixed([-0.9, -0.1])) == ()


def test_children_or_brothers_not_both():
    seen = Masked("of §0's three boys and sisters", people(1), 0)
    assert {each.kind for each in candidates(seen.words)} == {"children", "siblings"}
    assert len(told_of(seen, None, Fixed([1.0]))) == 1


def test_a_crowd_is_left_alone():
    words = "§0 §1 §2 §3 §4 and the black hair"
    assert told_of(Masked(words, people(5), 0), None, Fixed([9.0] + [0.0] * 4)) == ()


def test_the_model_that_is_shipped_knows_every_kind():
    assert slot_scorer().kinds == KINDS
    with pytest.raises(ValueError, match="not in tuple"):
        slot_scorer().score("nose", "§0 ¤", 0)
