"""Names of one person in a chapter are one in its cast."""

from tests.stories.reading import READER

from fabula.story.extraction.coreference.chapter_cast import NOBODY, ChapterCast
from fabula.story.extraction.mentions.finder import find_mentions


def test_names_of_one_person_are_one_in_the_cast():
    chapter = READER.parse("Elena Voss came in. Miss Voss sat down. Elena wept.")
    find_mentions(chapter)
    cast = ChapterCast.of(chapter.mentions)
    by_name = {mention.surface: who for mention, who in zip(chapter.mentions, cast.who, strict=True)}
    assert by_name["Elena Voss"] == by_name["Miss Voss"] == by_name["Elena"] != NOBODY
    assert cast.gender(by_name["Elena"]) == "f"
