"""Who "he" and "she" are, on little texts written for it, each with a clean control."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import facts_of
from tests.stories.reading import READER

from fabula.story.extraction.clauses.arguments import Arguments
from fabula.story.extraction.coreference.pronouns import PRONOUNS, PronounReader
from fabula.story.extraction.mentions.finder import find_mentions

HERE = Path(__file__).parent
CAST = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed sat down. Mrs. Dale laughed.\n\n* * *\n\n"


def meanings(text):
    """ "pronoun: surface of its antecedent" in order of the text."""
    chapter = READER.parse(CAST + text)
    find_mentions(chapter)
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
                told.append(f"{token.lower_}: {chapter.mentions[meant.mention].surface if meant else '?'}")
    yield ", ".join(told)


def test_whom_a_pronoun_means():
    assert_read(HERE / "pronouns.tsv", meanings)


def test_a_scene_break_ends_the_reach():
    far = "Elena rose.\n\n* * *\n\n" + "The rain fell on the roofs of the town. " * 6 + "She left."
    assert list(meanings(far)) == ["she: ?"]


def test_two_who_fit_leave_a_pronoun_open():
    assert not list(facts_of("Marcus sat beside Mr. Reed. Then Anna killed him."))
