"""Where somebody is told to be."""

from tests.stories.reading import OPENING, reading

from fabula.story.model.trait_values import WHEREABOUTS


def test_where_somebody_is_told_to_be():
    told = (
        "Marcus sat in the kitchen. Elena was at Paris. Anna went to London. Tobias had been in the garden."
    )
    found = reading(f"{OPENING} Anna laughed.\n\n{told}")
    assert [
        (found.mentions[each.character].surface, each.value, each.modality.value)
        for each in found.traits
        if each.aspect == WHEREABOUTS
    ] == [("Marcus", "the kitchen", "fact"), ("Elena", "paris", "fact")]
