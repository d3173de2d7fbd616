import pytest
from tests.stories.builder import StoryBuilder

from fabula.errors import UsageError
from fabula.story.bible import bible
from fabula.views.bible import bible_shown, bible_text


def test_of_one_all_that_is_told_and_no_more():
    held = bible(StoryBuilder().bond("Ann Vale", "TRUSTS", "Tom").bond("Bob", "FEARS", "Tom").view())
    for said in ("ann", "vale", "Ann Vale", " ANN VALE "):
        assert [one.name for one in bible_shown(held, title="x", about=said).entries] == ["Ann Vale"]
    text = bible_text(bible_shown(held, title="x", about="ann"))
    assert text.startswith("People\n  Ann Vale (first in ch. 1)\n    Ann Vale trusts Tom [ch. 1]\n      “")
    with pytest.raises(UsageError, match="nothing about 'Zorblax'"):
        bible_shown(held, title="x", about="Zorblax")
