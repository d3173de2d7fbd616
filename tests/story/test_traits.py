"""What characters are like: what tells a trait, of whom, and what only seems to."""

from __future__ import annotations

import pytest

from fabula.core.types import Chapter, Document, Horizon, Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import Trait
from fabula.story.model.trait_values import SPELLING
from fabula.story.model.types import Modality, TraitTold

ASPECTS = frozenset("eyes hair height build hand sight hearing gait age born birthplace profession".split())
SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed coughed. Anna laughed."

# a sentence a paragraph → (who, aspect, value), names alone, so that all are read at once
TOLD: dict[str, list[tuple[str, str, str]]] = {
    "Elena's eyes were grey.": [("Elena", "eyes", "grey")],
    "Elena had hazel eyes.": [("Elena", "eyes", "hazel")],
    "Elena turned her clear green eyes upon Marcus.": [("Elena", "eyes", "green")],
    "Elena, whose eyes were of a deep brown, laughed.": [("Elena", "eyes", "brown")],
    "Marcus looked into the blue eyes of Elena.": [("Elena", "eyes", "blue")],
    "The grey of Elena's eyes deepened.": [("Elena", "eyes", "grey")],
    "Elena raised dark eyes to his face.": [("Elena", "eyes", "dark")],
    "Elena's eyes, grey as slate, met his.": [("Elena", "eyes", "grey")],
    "A pair of black eyes looked at Elena from under Mr. Reed's hat.": [("Mr. Reed", "eyes", "black")],
    "Blue-eyed Elena laughed at him.": [("Elena", "eyes", "blue")],
    "Grey-eyed and grave, Anna stood at the door.": [("Anna", "eyes", "grey")],
    "Elena was a tall, blue-eyed girl with golden hair.": [
        ("Elena", "height", "tall"),
        ("Elena", "eyes", "blue"),
        ("Elena", "hair", "fair"),
    ],
    "Elena, a slender girl with red hair, came in.": [
        ("Elena", "build", "thin"),
        ("Elena", "hair", "red"),
    ],
    "Elena's hair was the colour of straw.": [("Elena", "hair", "fair")],
    "Marcus, brown-haired and restless, walked about.": [("Marcus", "hair", "brown")],
    "Elena was a redhead.": [("Elena", "hair", "red")],
    "Marcus, who was left-handed, took the pen.": [("Marcus", "hand", "left")],
    "Marcus was blind.": [("Marcus", "sight", "blind")],
    "Marcus was lame in the right leg.": [("Marcus", "lame leg", "right")],
    "The scar across Marcus's right cheek whitened.": [("Marcus", "scar cheek", "right")],
    "Marcus was nineteen.": [("Marcus", "age", "19")],
    "Marcus, a man of thirty, bowed.": [("Marcus", "age", "30")],
    "Marcus had lately turned forty.": [("Marcus", "age", "40")],
    "Marcus, at this time forty years of age, was not easily moved.": [("Marcus", "age", "40")],
    "Marcus was born in Leeds.": [("Marcus", "birthplace", "leeds")],
    "It was in Bristol that Mr. Reed was born.": [("Mr. Reed", "birthplace", "bristol")],
    "Marcus, a native of Bristol, bowed.": [("Marcus", "birthplace", "bristol")],
    "Born in Leeds in 1802, Marcus had never seen the sea.": [
        ("Marcus", "birthplace", "leeds"),
        ("Marcus", "born", "1802"),
    ],
    "Marcus was a blacksmith by trade.": [("Marcus", "profession", "smith")],
    "Mr. Reed, the baker, came in.": [("Mr. Reed", "profession", "bread")],
    "Elena had three children then.": [],
    "Elena had three brothers.": [("Elena", "count:brother", "3")],
    "Elena's three brothers went out.": [("Elena", "count:brother", "3")],
    "Elena had no brothers or sisters.": [("Elena", "count:brother", "0"), ("Elena", "count:sister", "0")],
    "Elena was an only child.": [("Elena", "count:sibling", "0")],
    "Elena, the youngest of five children, was spoilt.": [("Elena", "count:sibling", "4")],
    "Mr. Reed was the father of three daughters.": [("Mr. Reed", "count:daughter", "3")],
    "Elena said nothing, and those brown eyes gave no sign of it.": [("Elena", "eyes", "brown")],
    "Marcus noticed how very blue Elena's eyes were.": [("Elena", "eyes", "blue")],
    "Marcus turned, and Elena saw how grey his eyes were.": [("Marcus", "eyes", "grey")],
    "“I should know Anna in the dark,” said Marcus. “Nobody else has eyes of that green.”": [
        ("Anna", "eyes", "green")
    ],
    "Marcus always threw with the left hand.": [("Marcus", "hand", "left")],
    "The left hand was the one that Marcus preferred.": [("Marcus", "hand", "left")],
    "At thirty Marcus was still afraid of dogs.": [("Marcus", "age", "30")],
    "For a man of thirty, Marcus knew very little.": [("Marcus", "age", "30")],
    "Marcus's forty years had taught him nothing.": [("Marcus", "age", "40")],
    "That day Marcus kept his thirty-third birthday.": [("Marcus", "age", "33")],
    "Marcus had first seen the light in Leeds.": [("Marcus", "birthplace", "leeds")],
    "Anna's birth, which took place at Leeds, was a secret.": [("Anna", "birthplace", "leeds")],
    "“Were you not born in Leeds?” asked Elena; and Marcus answered that he was.": [
        ("Marcus", "birthplace", "leeds")
    ],
    "For a baker Mr. Reed rose late.": [("Mr. Reed", "profession", "bread")],
    "Having been a baker for ten years, Mr. Reed rose early.": [("Mr. Reed", "profession", "bread")],
    "Mr. Reed's trade was that of a baker.": [("Mr. Reed", "profession", "bread")],
    "They knocked at the door of the baker, and Mr. Reed looked out.": [("Mr. Reed", "profession", "bread")],
    "Mr. Reed, the father of seven, sighed.": [("Mr. Reed", "count:child", "7")],
    "The four children of Mr. Reed were asleep.": [("Mr. Reed", "count:child", "4")],
    "It was Anna's fate to have three brothers.": [("Anna", "count:brother", "3")],
    "Of the three sisters that Anna had, one was deaf.": [("Anna", "count:sister", "3")],
    "There were four boys in the house besides Marcus, brothers all.": [("Marcus", "count:brother", "4")],
    "Marcus's brothers were five in number.": [("Marcus", "count:brother", "5")],
    # what tells none
    "Marcus looked at Elena, and those brown eyes gave no sign of it.": [],
    "The old man looked at Anna out of blue eyes.": [],
    "Blue eyes were common there, and Anna liked them.": [],
    "At sixteen Marcus ran away to sea.": [],
    "Marcus's twenty years in prison had taught him nothing.": [],
    "“Were you not born in Leeds?” asked Elena; and Marcus answered that he was not.": [],
    "The baker gave Marcus a loaf.": [],
    "Marcus never wrote with his left hand.": [],
    "Two children of Mr. Reed were asleep.": [],
    "The three sisters met Marcus at the gate.": [],
    "Elena's eyes were red from weeping.": [],
    "Elena's eyes were black with rage.": [],
    "Elena gave him a black look.": [],
    "Elena sat in the grey morning.": [],
    "Elena had eyes like blue ice.": [],
    "Elena's eyes were not blue.": [],
    "Elena's eyes might have been blue.": [],
    "Were Elena's eyes brown?": [],
    "Elena's hair was neither fair nor dark.": [],
    "Elena had a black eye.": [],
    "Marcus was blind to her faults.": [],
    "Marcus was blind with anger.": [],
    "When Marcus was ten, he ran away.": [],
    "Long ago, on such a night, Marcus was ten years old.": [],
    "Marcus was about forty.": [],
    "Marcus was not a baker.": [],
    "Marcus was a good sailor.": [],
    "Marcus sent for his tailor.": [],
    "Elena's two elder brothers went out.": [],
    "Elena's two brothers-in-law went out.": [],
    "Marcus heard that Elena's six cousins had come.": [],
}


def _of_looks(each: Trait | TraitTold) -> bool:
    """Is it told by the words of traits, and not by those of introductions, deaths or names?"""
    return each.aspect in ASPECTS or each.aspect.startswith(("count:", "lame ", "scar "))


@pytest.fixture(scope="module")
def reader() -> StoryReader:
    return StoryReader()


@pytest.fixture(scope="module")
def traits(reader):
    """Of each sentence of TOLD what it tells, by its text."""
    text = "\n\n".join((SURE, *TOLD))
    reading = reader.read(text)
    found: dict[str, list[tuple[str, str, str]]] = {sentence: [] for sentence in TOLD}
    for each in reading.traits:
        if _of_looks(each):
            who = reading.mentions[each.character].surface
            paragraph = text[: each.evidence[0].end].count("\n\n") - 1
            found[list(TOLD)[paragraph]].append((who, each.aspect, each.value))
    return found


@pytest.mark.parametrize("sentence", TOLD)
def test_what_a_sentence_tells(traits, sentence):
    assert sorted(traits[sentence]) == sorted(TOLD[sentence])


def told(reader, text: str):
    reading = reader.read(f"{SURE}\n\n{text}")
    return [
        (reading.mentions[each.character].surface, each.aspect, each.value, each.modality, each.change)
        for each in reading.traits
        if _of_looks(each)
    ]


def test_a_pronoun_means_the_only_one_named_just_before(reader):
    text = "Elena sat down. Her eyes were blue as ice."
    assert told(reader, text) == [("Elena", "eyes", "blue", Modality.FACT, False)]


def _eyes(reader, text: str) -> list[Trait]:
    return [each for each in reader.read(f"{SURE}\n\n{text}").traits if each.aspect == "eyes"]


def test_a_pronoun_with_two_before_it_is_less_sure(reader):
    clear = _eyes(reader, "Elena sat down by the fire. Her eyes were blue.")
    vague = _eyes(reader, "Elena met Anna by the fire. Her eyes were blue.")
    assert clear[-1].confidence > 0.8
    assert all(each.confidence < 0.62 for each in vague)


def test_the_text_may_tell_a_change(reader):
    found = told(reader, "Elena had dyed her hair black.")
    assert ("Elena", "hair", "black", Modality.FACT, True) in found
    assert told(reader, "Marcus's hair had turned white.")[0][2:] == ("grey", Modality.FLASHBACK, True)
    assert told(reader, "Elena lost her brother that year.")[0][1:3] == ("count:brother", "-1")


def test_speech_reports(reader):
    found = told(reader, "“I have two sisters,” said Elena.")
    assert found == [("Elena", "count:sister", "2", Modality.REPORTED, False)]


def test_a_trait_reaches_the_view_with_its_quote(reader):
    first, second = f"{SURE} Elena's eyes were grey.", "Elena had black hair. Mr. Reed agreed."
    text = first + second
    chapters = (
        Chapter(1, "1", Span(0, 0), Span(0, len(first))),
        Chapter(2, "2", Span(len(first), len(first)), Span(len(first), len(text))),
    )
    document, linker = Document("book", "book", text, chapters), Linker()
    for chapter in chapters:
        linker.add(document, chapter, reader.read(chapter.body.of(text)))
    view = StoryView(linker.log, Horizon(None))
    kept = [each for each in view.traits("elena-voss") if _of_looks(each)]
    assert [(each.aspect, each.value, each.told) for each in kept] == [
        ("eyes", "grey", 1),
        ("hair", "black", 2),
    ]
    for each in kept:
        for quote in each.evidence:
            assert quote.span.of(text) == quote.quote
    assert all(each.told == 1 for each in view.as_of(Horizon(1)).traits())


def test_what_looks_like_a_name_of_the_chapter(reader):
    text = "Mr. Hartley bowed. Elena laughed at Mr. Hartley.\n\nThere was rain, and Hartly, wet, slept."
    reading = reader.read(text)
    odd = [(each.value, each.evidence[0].of(text)) for each in reading.traits if each.aspect == SPELLING]
    named = [each.surface for each in reading.mentions if "Hartly" in each.surface]
    assert odd == ([] if named else [("hartly", "Hartly")])


def test_whom_a_speaker_calls_by_name_is_meant_by_you(reader):
    found = told(reader, "“You have blue eyes, Elena,” observed the visitor.")
    assert found == [("Elena", "eyes", "blue", Modality.REPORTED, False)]
