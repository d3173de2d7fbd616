"""Love and hatred told by turns of phrase, whoever the two are."""

from __future__ import annotations

import pytest

from fabula.story.extraction.reader import StoryReader
from fabula.story.model.types import Modality

WARM = frozenset({"LOVES", "FRIEND_OF", "ALLIES_WITH", "TRUSTS"})
COLD = frozenset({"HATES", "ENEMY_OF", "DISTRUSTS"})
TURNS = frozenset({"FORGIVES", "QUARRELS_WITH"})
PEOPLE = "Marcus Hale bowed. Elena Voss smiled at him. Mr. Reed coughed, and Mrs. Reed poured the tea. "
AT_HOME = (
    PEOPLE
    + "Marcus said so. Elena said so. Marcus laughed. Elena laughed. Marcus sat down and thought. " * 12
)
RAIN = "The rain went on, the lamps were lit, and the town was quiet afterwards."

WARMLY = (
    "Elena loved Marcus.",
    "Elena loved Marcus with all her heart.",
    "Elena was in love with Marcus, and had been for years.",
    "Marcus was the one creature in the world whom Elena loved.",
    "There was nobody in the world so dear to Elena as Marcus.",
    "Marcus was dearer to Elena than her own life.",
    "Elena would have died for Marcus.",
    "Elena would have given her life for Marcus.",
    "Elena would have gone through fire and water for Marcus.",
    "Elena thought the world of Marcus.",
    "Elena worshipped the ground that Marcus walked on.",
    "Elena trusted Marcus as she trusted nobody else.",
    "Elena had no better friend than Marcus.",
    "Elena and Marcus were the best of friends.",
    "Elena and Marcus were inseparable.",
    "Marcus was Elena's dearest friend.",
    "Elena looked upon Marcus as a brother.",
    "Elena was devoted to Marcus.",
    "Elena had the greatest affection for Marcus.",
    "Elena's heart was full of tenderness for Marcus.",
    "Elena's whole heart belonged to Marcus.",
    "Elena's love for Marcus was no secret.",
    "Elena had given her heart to Marcus.",
    "Elena cared for nobody but Marcus.",
    "Elena felt for Marcus a warm and steady affection.",
    "“I love Marcus,” said Elena.",
    "“I love you, Marcus,” said Elena.",
    "“Marcus is my dearest friend,” said Elena.",
    "“I would trust Marcus with my life,” said Elena.",
    "Between Elena and Marcus there was the firmest friendship.",
    "A warm friendship united Elena and Marcus.",
    "Elena counted Marcus among her friends.",
    "Elena could not live without Marcus.",
    "Nothing could shake Elena's faith in Marcus.",
    "Elena put her whole trust in Marcus.",
    "The friendship of Elena and Marcus was known to all the town.",
    "Elena was fond of Marcus, and always had been.",
    "Elena held Marcus dearer than anyone.",
    "That Elena loved Marcus was plain to everybody.",
    "Everybody knew that Elena adored Marcus.",
    "Elena glanced at Marcus with all her love in her eyes.",
    "Elena glanced across at Marcus. She loved him, and made no secret of it.",
    "To Elena, Marcus was more than a brother.",
)
COLDLY = (
    "Elena hated Marcus.",
    "Elena hated Marcus with all her heart.",
    "Elena could not bear the sight of Marcus.",
    "Elena could not endure Marcus.",
    "Elena could not be in one room with Marcus.",
    "The very sight of Marcus was hateful to Elena.",
    "The very name of Marcus was hateful to Elena.",
    "There was nobody in the world whom Elena hated as she hated Marcus.",
    "Elena had never hated anyone as she hated Marcus.",
    "Elena had never been able to abide Marcus.",
    "Elena wished Marcus dead.",
    "Elena would gladly have seen Marcus hanged.",
    "Elena and Marcus were sworn enemies.",
    "Elena and Marcus were deadly enemies, and the whole town knew it.",
    "Marcus was Elena's enemy.",
    "Marcus was the man whom Elena hated most in the world.",
    "Elena had an enemy in Marcus.",
    "Elena's hatred of Marcus was no secret.",
    "Elena's loathing for Marcus grew.",
    "Elena felt nothing but contempt for Marcus.",
    "Elena regarded Marcus with loathing.",
    "Elena looked at Marcus with hatred in her eyes.",
    "Elena would not have trusted Marcus with a penny.",
    "Elena did not trust Marcus, and never had.",
    "Elena did not believe a word that Marcus said.",
    "Elena detested Marcus and everything about him.",
    "“I hate Marcus,” said Elena.",
    "“I hate you, Marcus,” said Elena.",
    "“I cannot bear Marcus,” said Elena.",
    "“Marcus is my enemy,” said Elena.",
    "Elena had nothing but hatred for Marcus.",
    "Between Elena and Marcus there was bitter enmity.",
    "There was no love lost between Elena and Marcus.",
    "An old hatred divided Elena and Marcus.",
    "Elena and Marcus had been at daggers drawn for years.",
    "Elena loathed the very name of Marcus.",
    "Elena would have crossed the street to avoid Marcus.",
    "Elena bore Marcus a mortal grudge.",
    "Elena had sworn to ruin Marcus.",
    "Elena crossed the street at the sight of Marcus. She had always detested him.",
    "It was no secret that Elena despised Marcus.",
    "Everything about Marcus was odious to Elena.",
    "Elena's dislike of Marcus was plain to all.",
    "To Elena, Marcus was simply the enemy.",
)
TURNED = (
    "Elena and Marcus shook hands, and were friends again.",
    "Elena and Marcus quarrelled over the money.",
    "Elena had forgiven Marcus.",
    "The quarrel between Elena and Marcus was over.",
)
NEITHER = (
    "Elena did not hate Marcus.",
    "Elena wondered whether Marcus loved her.",
    "If Elena had loved Marcus, she would have gone.",
    "Elena pretended to love Marcus.",
    "Elena might have loved Marcus.",
    "Elena loved the house, and Marcus said so.",
    "“I never hated you, Marcus,” said Elena.",
)


@pytest.fixture(scope="module")
def told():
    """Of each sentence the predicates that it tells of the two as so, told or said."""
    sentences = (*WARMLY, *COLDLY, *TURNED, *NEITHER)
    text = "\n\n".join((AT_HOME.strip(), *(f"{sentence}\n\n{RAIN}" for sentence in sentences)))
    found: dict[str, set[str]] = {sentence: set() for sentence in sentences}
    reading = StoryReader().read(text)
    for record in (*reading.statements, *reading.happenings):
        if (
            record.modality not in (Modality.NEGATED, Modality.PLANNED, Modality.IMAGINED)
            and record.confidence >= 0.6
        ):
            place = text[: record.evidence[0].end].count("\n\n")
            if place:
                found[sentences[(place - 1) // 2]].add(record.predicate)
    return found


@pytest.mark.parametrize("sentence", WARMLY)
def test_warmth_in_many_words(told, sentence) -> None:
    assert told[sentence] & WARM
    assert not told[sentence] & COLD


@pytest.mark.parametrize("sentence", COLDLY)
def test_hatred_in_many_words(told, sentence) -> None:
    assert told[sentence] & COLD


@pytest.mark.parametrize("sentence", TURNED)
def test_what_turns_a_bond(told, sentence) -> None:
    assert told[sentence] & TURNS


@pytest.mark.parametrize("sentence", NEITHER)
def test_what_is_neither(told, sentence) -> None:
    assert not told[sentence] & (WARM | COLD)
