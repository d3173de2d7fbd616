"""How far two colours are from each other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fabula.story.continuity.background.trait_distances import distance

EYES = ("black", "dark", "brown", "hazel", "green", "grey", "blue", "light")


HAIR = ("black", "dark", "brown", "auburn", "red", "sandy", "fair", "light", "grey", "bald")


@given(st.sampled_from(["eyes", "hair"]), st.data())
def test_distance_is_symmetric_and_zero_only_for_the_same_family(aspect, data) -> None:
    colours = st.sampled_from(EYES if aspect == "eyes" else HAIR)
    one, other = data.draw(colours), data.draw(colours)
    assert distance(aspect, one, other) == distance(aspect, other, one)
    assert (distance(aspect, one, other) == 0) == (one == other)
