"""Who "he" and "she" are, on little texts written for it, each with a clean control."""

import pytest

from fabula.story.extraction.clauses.arguments import Arguments
from fabula.story.extraction.coreference.chapter_cast import NOBODY, ChapterCast
from fabula.story.extraction.coreference.pronouns import PRONOUNS, PronounReader
from fabula.story.extraction.mentions.finder import find_mentions
from fabula.story.extraction.reader import StoryReader

CAST = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed sat down. Mrs. Dale laughed.\n\n* * *\n\n"


@pytest.fixture(scope="session")
def reader():
    reader = StoryReader()
    reader.load()
    return reader


def chapter_of(reader, text):
    chapter = reader.parse(text)
    find_mentions(chapter)
    return chapter


def meanings(reader, text):
    """(pronoun, surface of the antecedent or None) in order of the text, with factors checked."""
    chapter = chapter_of(reader, CAST + text)
    pronouns = PronounReader.of(chapter)
    Arguments.of(chapter, pronouns)
    told = []
    for paragraph in chapter.paragraphs:
        for token in paragraph.doc:
            if token.lower_ in PRONOUNS:
                meant = pronouns.resolve(paragraph, token)
                if meant is not None:
                    assert 0 < meant.factor <= 1
                    assert meant.gender == PRONOUNS[token.lower_]
                told.append((token.lower_, chapter.mentions[meant.mention].surface if meant else None))
    return told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena rose. She left.", [("she", "Elena")]),
        ("Elena rose. He left.", [("he", None)]),
        ("Elena saw Marcus. He waved.", [("he", "Marcus")]),
        ("Elena met Mrs. Dale. She left at once.", [("she", "Elena")]),
        (
            "They spoke of Mr. Reed. Marcus went to see Mr. Reed, and it seemed to him too late.",
            [("him", "Marcus")],
        ),
        ("When Mr. Reed met Marcus in the lane, the dog ran at him.", [("him", "Mr. Reed")]),
        ("Marcus looked at Mr. Reed. Mr. Reed took his hat.", [("his", "Mr. Reed")]),
        ("Marcus hurt himself.", [("himself", "Marcus")]),
        ("Marcus saw him.", [("him", None)]),
        ("Elena rose. It was late, and the rain had not stopped. She left.", [("she", "Elena")]),
        ("Elena and Mrs. Dale came in. She left.", [("she", None)]),
    ],
)
def test_whom_a_pronoun_means(reader, text, expected):
    assert meanings(reader, text) == expected


def test_a_nameless_man_in_between_is_meant(reader):
    assert meanings(reader, "Marcus sat by the door. An old man came in. He coughed.") == [("he", None)]
    assert meanings(reader, "Marcus sat by the door. An old dog came in. He coughed.") == [("he", "Marcus")]


def test_a_scene_break_ends_the_reach(reader):
    far = "Elena rose.\n\n* * *\n\n" + "The rain fell on the roofs of the town. " * 6 + "She left."
    assert meanings(reader, far) == [("she", None)]


def test_speech_is_not_narration(reader):
    assert meanings(reader, '"She is cold," said Marcus.') == [("she", None)]


def test_a_pronoun_beside_speech_goes_by_the_turns(reader):
    body = '"Come," said Marcus.\n\n"Why, Marcus?" said Mr. Reed.\n\n"It is late," he said.'
    assert meanings(reader, body) == [("he", "Marcus")]


def test_the_chapter_tells_a_gender_that_the_name_does_not(reader):
    told = "Quill shook her head. Quill took her coat. Quill and Mr. Reed went out. She was cold."
    assert meanings(reader, told)[-1] == ("she", "Quill")


def test_names_of_one_person_are_one_in_the_cast(reader):
    chapter = chapter_of(reader, "Elena Voss came in. Miss Voss sat down. Elena wept.")
    cast = ChapterCast.of(chapter.mentions)
    by_name = {mention.surface: who for mention, who in zip(chapter.mentions, cast.who, strict=True)}
    assert by_name["Elena Voss"] == by_name["Miss Voss"] == by_name["Elena"] != NOBODY
    assert cast.gender(by_name["Elena"]) == "f"
