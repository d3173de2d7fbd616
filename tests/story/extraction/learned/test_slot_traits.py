"""Looks, hands, ages and families by the place of their value in a sentence, whatever the words around it."""

from __future__ import annotations

import pytest

from fabula.story.extraction.coreference.pronouns import Reference
from fabula.story.extraction.learned.scorer import LinearScorer, slot_scorer
from fabula.story.extraction.learned.slot_candidates import KINDS, candidates
from fabula.story.extraction.learned.slot_traits import told_of
from fabula.story.extraction.patterns.masking import Masked

PEOPLE = "Elena Voss sat down. Marcus Hale bowed to Elena. Mrs. Corwen rang for tea.\n\n"


def told(reader, text):
    """(aspect, value, whose, span) of every trait of looks, hand, age and number that the text behind PEOPLE
    has."""
    reading = reader.read(PEOPLE + text)
    aspects = ("hand", "eyes", "hair", "age")
    return [
        (trait.aspect, trait.value, reading.mentions[trait.character].surface, trait.evidence[0])
        for trait in reading.traits
        if trait.aspect in aspects or trait.aspect.startswith("count:")
    ]


@pytest.mark.parametrize(
    ("text", "aspect", "value", "whose"),
    [
        ("Nobody in the room had hair so black as Elena's.", "hair", "black", "Elena"),
        (
            "Elena dealt the cards with the left, as she did whatever was to be done well.",
            "hand",
            "left",
            "Elena",
        ),
        ("Of the four sisters with whom Elena grew up, none had married.", "count:sister", "4", "Elena"),
        ("It was a bright and tranquil blue that looked out of the eyes of Elena.", "eyes", "blue", "Elena"),
    ],
)
def test_a_value_in_words_that_no_rule_knows(reader, text, aspect, value, whose):
    ((found, what, who, span),) = told(reader, text)
    assert (found, what, who) == (aspect, value, whose)
    assert span.of(PEOPLE + text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Marcus took the left road where the two met, and Elena the right one.",
        "Elena wore a blue flannel dress, and her eyes were upon the door.",
        "If Elena had hair so black as that, she would have told him.",
        "Elena dreamt that nobody in the room had hair so black as hers.",
        "Elena counted four chairs and a sofa in her sister's room.",
        "At ten Elena went to tea.",
        "Elena had twenty pounds a year, and nine of them were spent upon her.",
    ],
)
def test_what_only_looks_like_it(reader, text):
    assert not told(reader, text)


def test_what_is_said_is_reported(reader):
    text = "“Nobody in the room had hair so black as Elena's.”"
    (trait,) = (each for each in reader.read(PEOPLE + text).traits if each.aspect == "hair")
    assert (trait.modality.value, trait.value) == ("reported", "black")


def test_a_set_phrase_of_the_same_sentence_is_enough(reader):
    text = "Elena's eyes were grey, and nobody had eyes so grey as Elena's."
    assert [each[:2] for each in told(reader, text)] == [("eyes", "grey")]


def test_the_same_text_gives_the_same_traits(reader):
    text = "Of the four sisters with whom Elena grew up, none had hair so black as Elena's."
    assert told(reader, text) == told(reader, text)


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
