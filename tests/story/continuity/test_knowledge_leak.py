"""Secrets that the text keeps, and who speaks of them all the same."""

from __future__ import annotations

import pytest

from fabula.core.types import Horizon
from fabula.story.continuity.background.word_traces import WordTraces, stems_of
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.continuity.draft_checker import DRAFT_ID, SourceChecker
from fabula.story.continuity.rules.knowledge_leak import KnowledgeLeak
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.model.types import Modality

from .told_story import FILLER, document, reading, story, told

KEPT = "Tobias told nobody that he had sold the mill at Thornbury."
LEAK = "“Tobias sold the mill at Thornbury,” said Elena."


def found(*bodies: str):
    return list(KnowledgeLeak().find(story(*bodies)))


@pytest.mark.parametrize(
    ("text", "who", "content", "denied"),
    [
        ("Marcus told nobody that he had sold the mill.", "marcus-hale", "he had sold the mill", False),
        ("Marcus sold the mill and told no one.", "marcus-hale", "Marcus sold the mill", False),
        ("Marcus kept the news of the fire to himself.", "marcus-hale", "the news of the fire", False),
        ("Only Marcus knew that the will was forged.", "marcus-hale", "the will was forged", False),
        ("Nobody but Marcus knew that the will was forged.", "marcus-hale", "the will was forged", False),
        ("Marcus hid the loss of the ship from Elena.", "elena-voss", "the loss of the ship", True),
        ("The ruin of the bank was kept secret from Elena.", "elena-voss", "The ruin of the bank", True),
        ("Elena had no idea that Marcus had sold it.", "elena-voss", "Marcus had sold it", True),
        ("“Elena must never know that I sold it,” said Marcus.", "elena-voss", "I sold it", True),
        ("Unknown to Elena, Marcus had sold the mill.", "elena-voss", "Marcus had sold the mill", True),
        ("Elena was kept in ignorance of the divorce.", "elena-voss", "the divorce", True),
        ("Marcus did not tell Elena that he had lied.", "elena-voss", "he had lied", True),
        ("Elena had not the least idea that Marcus had lied.", "elena-voss", "Marcus had lied", True),
        ("Little did Elena suspect that Marcus had lied.", "elena-voss", "Marcus had lied", True),
        ("Nobody had ever told Elena that Marcus had lied.", "elena-voss", "Marcus had lied", True),
        ("It was concealed from Elena that Marcus had lied.", "elena-voss", "Marcus had lied", True),
        ("Marcus never breathed a word of the forged will to Elena.", "elena-voss", "the forged will", True),
        (
            "Not a creature but Marcus was aware that the will was forged.",
            "marcus-hale",
            "the will was forged",
            False,
        ),
        (
            "Marcus was the only man who knew that the will was forged.",
            "marcus-hale",
            "the will was forged",
            False,
        ),
        (
            "Marcus, who had forged the will, took care that Elena should hear nothing of it.",
            "elena-voss",
            "who had forged the will",
            True,
        ),
        (
            "Marcus smiled at Elena. “Does Elena know?” said Marcus. “That I have forged the will? No.”",
            "elena-voss",
            "I have forged the will",
            True,
        ),
        (
            "Marcus sold the mill without the knowledge of Elena.",
            "elena-voss",
            "Marcus sold the mill without the knowledge of Elena",
            True,
        ),
    ],
)
def test_what_is_kept_secret(text, who, content, denied):
    kept = [item for item in story(text).knowledge() if item.kept]
    assert [(item.entity, item.content) for item in kept] == [(who, content)]
    assert (kept[0].modality is Modality.NEGATED) is denied


@pytest.mark.parametrize(
    "text",
    [
        "Marcus told Elena that he had sold the mill.",
        "If Elena did not know that he had sold it, she would soon hear.",
        "Did Elena know nothing of the mill?",
        "Elena did not know what to do.",
        "Marcus kept the letter from Paris in a drawer.",
        "Marcus kept Elena from the fire.",
    ],
)
def test_what_is_no_secret(text):
    assert not [item for item in story(text).knowledge() if item.kept]


@pytest.mark.parametrize(
    ("secret", "leak"),
    [
        (KEPT, LEAK),
        (
            "Tobias hid the debt on the Scarborough mines from Elena.",
            "“The debt on the mines is vast,” said Elena.",
        ),
        (
            "Elena must never learn of the duel in the orchard.",
            "“The duel in the orchard was brave,” said Elena.",
        ),
        (
            "Tobias never told Elena that the portrait was forged.",
            "Elena remembered that the portrait was forged.",
        ),
        (
            "Tobias, who had forged the portrait, took care that Elena should hear nothing of it.",
            "It was Elena who spoke of the forgery of the portrait.",
        ),
        (
            "Elena had not the least idea that Tobias had sold the portrait.",
            "Elena, remembering that Tobias had sold the portrait, sighed.",
        ),
        (
            "Tobias hid the sale of the portrait from Elena.",
            "Elena threw the sale of the portrait in his face.",
        ),
    ],
)
def test_a_secret_spoken_of_by_one_who_was_not_told(secret, leak):
    (violation,) = found(f"{FILLER} {secret}", FILLER, f"Tobias coughed. {leak}")
    assert violation.rule == "knowledge_leak"
    assert violation.evidence[0].quote in secret
    assert violation.evidence[1].quote in leak
    assert violation.evidence[0].chapter == 2 and violation.evidence[1].chapter == 4
    assert violation.suggestion and violation.unless


@pytest.mark.parametrize(
    "between",
    [
        "Tobias told Elena that he had sold the mill.",
        "“I sold the mill,” said Tobias to Elena.",
        "Elena learned that the mill at Thornbury was sold.",
        "Tobias told Elena everything.",
        "A letter from Tobias let Elena into the secret of the sale of the mill.",
        "The sale of the mill came to Elena's ears.",
        "“You had better know of the mill, Elena,” said Tobias. “I sold it, and Thornbury with it.”",
    ],
)
def test_what_is_told_in_between_is_no_leak(between):
    assert not found(f"{FILLER} {KEPT}", between, LEAK)


@pytest.mark.parametrize(
    "leak",
    [
        "“Has Tobias sold the mill at Thornbury?” asked Elena.",
        "“I heard that Tobias sold the mill at Thornbury,” said Elena.",
        "“Perhaps Tobias sold the mill at Thornbury,” said Elena.",
        "“Tobias never sold the mill at Thornbury,” said Elena.",
        "“I sold the mill at Thornbury,” said Tobias.",
        "“The weather at Thornbury is foul,” said Elena.",
    ],
)
def test_asking_doubting_hearsay_and_the_keeper_are_let_be(leak):
    assert not found(f"{FILLER} {KEPT}", leak)


def test_who_is_there_when_it_is_told_knows():
    assert not found(f"{KEPT} Elena laughed. “How cold it is,” said Elena.", LEAK)


def test_who_speaks_of_it_in_chapter_after_chapter_has_come_to_know():
    assert len(found(f"{FILLER} {KEPT}", LEAK, LEAK)) == 1
    assert not found(f"{FILLER} {KEPT}", LEAK, LEAK, LEAK)


def test_mere_ignorance_does_not_last():
    unknown, leak = "Elena had no idea that Tobias had struck Marcus.", "“Tobias struck Marcus,” said Elena."
    assert found(unknown, leak)
    assert not found(unknown, FILLER, FILLER, leak)


def test_ignorance_of_a_matter_told_by_its_own_words_lasts():
    unknown = "Elena had no idea that Tobias had sold the mill at Thornbury."
    assert found(unknown, FILLER, FILLER, LEAK)


@pytest.mark.parametrize(
    ("noun", "verb"),
    [("the sale", "sold"), ("a marriage", "married"), ("his death", "died"), ("theft", "stole")],
)
def test_a_deed_is_known_by_its_noun(noun, verb):
    assert stems_of(noun) == stems_of(verb)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Elena thought of the forged will.", [("elena-voss", "the forged will")]),
        ("Elena, knowing that Marcus had lied, sighed.", [("elena-voss", "Marcus had lied")]),
        ("Elena taunted Marcus with the forged will.", [("elena-voss", "the forged will")]),
        ("Elena wished to speak of the forged will.", []),
        ("Elena did not remember the forged will.", []),
        ("Did Elena remember the forged will?", []),
        ("“Elena remembered the forged will,” said Marcus.", []),
    ],
)
def test_who_is_shown_to_know(text, shown):
    assert [(item.entity, item.content) for item in story(text).knowledge() if item.shown] == shown


def test_a_draft_may_not_leak_what_its_source_keeps():
    linker, tale = Linker(), document("Elena Voss smiled. Tobias Crane bowed.", f"{FILLER} {KEPT}")
    for chapter in tale.chapters:
        linker.add(tale, chapter, reading(chapter.body.of(tale.text)))
    checker = SourceChecker(linker, StoryReader(), ContinuityCritic((KnowledgeLeak(),)), horizon=2)
    (violation,) = checker.check(LEAK).violations
    assert violation.evidence[-1].document_id == DRAFT_ID
    assert not checker.check("“How cold it is,” said Elena.").violations


def test_nothing_told_later_reaches_it():
    tale = document("Elena Voss smiled. Tobias Crane bowed.", f"{FILLER} {KEPT}", LEAK)
    whole = told(tale)
    assert list(KnowledgeLeak().find(whole))
    assert not list(KnowledgeLeak().find(whole.as_of(Horizon(2))))


def test_telling_words():
    assert stems_of("She hid the letters and would have told them") == {"hide", "letter"}
    view = story("Elena laughed.")
    assert WordTraces(view).keys("Elena sold the mill", without=("elena-voss",)) == {"sell", "mill"}


def test_checkable_are_the_words_of_those_who_do_not_know():
    view = story(
        "Tobias hid the debt on the mines from Elena.", "“How cold it is,” said Elena. Elena nodded."
    )
    assert KnowledgeLeak().checkable(view)
    assert not KnowledgeLeak().checkable(story("“How cold it is,” said Elena."))
