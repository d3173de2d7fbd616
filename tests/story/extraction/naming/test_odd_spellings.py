"""Words that look like a name of the chapter."""

from tests.stories.reading import OPENING, reading

from fabula.story.model.trait_values import SPELLING


def test_what_looks_like_a_name_of_the_chapter():
    text = f"{OPENING} Mr. Hartley bowed. Elena laughed at Mr. Hartley.\n\nIt rained, and Hartly, wet, slept."
    found = reading(text)
    odd = [(each.value, each.evidence[0].of(text)) for each in found.traits if each.aspect == SPELLING]
    named = [each.surface for each in found.mentions if "Hartly" in each.surface]
    assert odd == ([] if named else [("hartly", "Hartly")])
