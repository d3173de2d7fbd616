"""The tables of given names and short forms."""

from fabula.story.lexicon.given_names import GIVEN_NAMES
from fabula.story.lexicon.short_forms import SHORT_FORMS


def test_tables_are_clean():
    assert not {"paris", "london", "florence nightingale", "monday"} & set(GIVEN_NAMES)
    assert set(GIVEN_NAMES.values()) == {"f", "m"}
    assert all(short not in fulls for short, fulls in SHORT_FORMS.items())
