"""Traits that an author lays down, as the values that a text is read for."""

import pytest

from fabula.story.codex.terms import laid_down


@pytest.mark.parametrize(
    ("aspect", "written", "expected"),
    [
        ("eyes", "Grey", ("eyes", "grey")),
        ("eyes", "blue-grey", ("eyes", "blue/grey")),
        ("hair", "raven", ("hair", "black")),
        ("hand", "left", ("hand", "left")),
        ("profession", "surgeon", ("trade", "surgeon")),
        ("siblings", "2", ("siblings", "2")),
        ("birthplace", "Port  Royal", ("birthplace", "port royal")),
    ],
)
def test_traits_by_family(aspect, written, expected):
    assert laid_down(aspect, written) == expected
    with pytest.raises(ValueError, match="there is no trait"):
        laid_down(aspect + "x", written)
