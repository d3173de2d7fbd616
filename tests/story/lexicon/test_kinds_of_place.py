"""Places that differ in kind."""

from fabula.story.lexicon.kinds_of_place import far_apart


def test_only_places_that_differ_in_kind_are_apart():
    assert far_apart("the theatre", "the moor")
    assert not far_apart("the kitchen", "the garden")
    assert not far_apart("the theatre", "boston")
