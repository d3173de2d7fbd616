"""Love and hatred in idioms: over masked sentences, with an onlooker, said to somebody, by pronouns alone."""

from __future__ import annotations

import pytest

from fabula.story.extraction.bonds.wording_table import PATTERNS
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.types import Modality

WARM = frozenset({"LOVES", "FRIEND_OF", "ALLIES_WITH", "TRUSTS"})
COLD = frozenset({"HATES", "ENEMY_OF", "DISTRUSTS"})
AT_HOME = (
    "Marcus Hale bowed. Elena Voss smiled at him. Mr. Reed coughed, and Mrs. Reed poured the tea. "
    "Tobias Crane sighed. "
    + "Marcus said so. Elena said so. Marcus laughed. Elena laughed. Marcus sat down and thought. "
    * 12
)
RAIN = "The rain went on, the lamps were lit, and the town was quiet afterwards."

WARMLY = (
    "Elena doted upon Marcus.",
    "Marcus was all in all to Elena.",
    "Marcus was the apple of Elena's eye.",
    "Marcus was the person whom Elena trusted above all others.",
    "There was nobody Elena trusted more than Marcus.",
    "Marcus was the best friend Elena had ever had.",
    "No truer friend than Marcus had Elena ever known.",
    "Elena was ready to lay down her life for Marcus.",
    "Elena could refuse Marcus nothing.",
    "Marcus could do no wrong in Elena's eyes.",
    "Elena had grown very fond of Marcus.",
    "Marcus had in Elena the truest of friends.",
    "Elena spoke of Marcus as the best friend she had in the world.",
    "Marcus was beloved by Elena.",
    "Elena and Marcus were as thick as thieves.",
    "Tobias knew well that Elena was devoted to Marcus.",
    "It was plain to Tobias that Elena adored Marcus.",
    "“You are the dearest friend I have, Marcus,” said Elena.",
    "“I would trust you with my life, Marcus,” said Elena.",
    "“There is nobody in the world I love so well as Marcus,” said Elena.",
)
COLDLY = (
    "Elena was full of hatred for Marcus.",
    "Elena held Marcus in abhorrence.",
    "Elena never spoke of Marcus but with loathing.",
    "Elena looked upon Marcus as her worst enemy.",
    "Marcus was the bitterest enemy Elena had.",
    "There was nobody Elena trusted less than Marcus.",
    "Elena trusted Marcus no more than a snake.",
    "Elena would as soon have trusted a snake as Marcus.",
    "Elena wished that Marcus had never been born.",
    "Elena would not have lifted a finger to save Marcus.",
    "Elena would not sit at the same table with Marcus.",
    "Elena left the room whenever Marcus entered it.",
    "Elena rejoiced in every misfortune of Marcus.",
    "Elena lived only to be revenged upon Marcus.",
    "Elena cursed the day on which she had met Marcus.",
    "Elena and Marcus detested one another.",
    "There was bad blood between Elena and Marcus.",
    "Marcus filled Elena with disgust.",
    "The thought of Marcus made Elena sick with loathing.",
    "Elena's one wish was to see Marcus ruined.",
    "Tobias saw that Elena hated Marcus.",
    "“I wish Marcus were dead,” said Elena.",
    "“Marcus is the worst enemy I have,” said Elena.",
)
NEITHER = (
    "Elena no longer hated Marcus.",
    "Elena, they said, would hate Marcus when she heard of it.",
    "Elena could not bear to see Marcus suffer.",
    "Elena could not endure the thought of losing Marcus.",
    "Elena loved the garden where Marcus worked.",
    "The same evening saw Marcus at the lawyer's, swearing away the good name of Elena.",
    "“You would have me hate Marcus,” said Elena.",
    "“I shall never trust you, Marcus, or love you,” said Elena.",
)


@pytest.fixture(scope="module")
def told():
    sentences = (*WARMLY, *COLDLY, *NEITHER)
    text = "\n\n".join((AT_HOME.strip(), *(f"{sentence}\n\n{RAIN}" for sentence in sentences)))
    found: dict[str, set[str]] = {sentence: set() for sentence in sentences}
    for record in StoryReader().read(text).statements:
        place = text[: record.evidence[0].end].count("\n\n")
        if place and record.modality in (Modality.FACT, Modality.REPORTED) and record.confidence >= 0.6:
            found[sentences[(place - 1) // 2]].add(record.predicate)
    return found


@pytest.mark.parametrize("sentence", WARMLY)
def test_warmth(told, sentence) -> None:
    assert told[sentence] & WARM
    assert not told[sentence] & COLD


@pytest.mark.parametrize("sentence", COLDLY)
def test_coldness(told, sentence) -> None:
    assert told[sentence] & COLD
    assert not told[sentence] & WARM


@pytest.mark.parametrize("sentence", NEITHER)
def test_neither(told, sentence) -> None:
    assert not told[sentence] & (WARM if "never trust" in sentence else WARM | COLD)


def test_he_and_him_are_the_two_of_the_sentence_before() -> None:
    text = f"{AT_HOME}\n\n{RAIN}\n\nTobias glanced at Marcus. He loved him dearly.\n\n{RAIN}"
    reading = StoryReader().read(text)
    pairs = {
        (reading.mentions[each.subject].surface, reading.mentions[each.object].surface)
        for each in reading.statements
        if each.predicate == "LOVES" and each.confidence >= 0.6
    }
    assert pairs == {("Tobias", "Marcus")}


def test_a_wording_with_a_negation_of_its_own_is_marked() -> None:
    denying = [each for each in PATTERNS if each.denies]
    assert denying and any(each.pattern.search("§0 could refuse §1 nothing") for each in denying)
