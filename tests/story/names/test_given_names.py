"""The tables of given names and short forms."""

from fabula.story.lexicon.short_forms import SHORT_FORMS
from fabula.story.names.lexicon import GIVEN


def test_tables_are_clean():
    assert not {"paris", "london", "florence nightingale", "monday"} & set(GIVEN)
    assert set(GIVEN.values()) == {"f", "m"}
    assert all(short not in fulls for short, fulls in SHORT_FORMS.items())
