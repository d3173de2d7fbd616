from dataclasses import replace

from tests.stories.comparison_fakes import (
    FakeView,
    make_document,
)

from fabula.core.types import Horizon
from fabula.story.writing.graph_notes import cast_of

DOC = make_document()


def view(horizon=2, extra=()):
    return FakeView(DOC, Horizon(horizon), extra)


def test_names_and_aliases_in_the_prompt():
    for prompt, characters in (
        ("Anna meets Bela at the mill.", ("anna", "bela")),
        ("Bela's boat is gone; Anna laughs", ("bela", "anna")),
        ("write about ann and bela", ("anna", "bela")),
        ("ANNA waits.", ("anna",)),
        ("Will the ferry sink? Ask Cato.", ("cato",)),
    ):
        cast = cast_of(prompt, view=view(), chapter=2)
        assert cast.characters == characters, (prompt, characters)
        assert cast.named, (prompt, characters)


def test_places_are_kept_apart_and_else_it_is_those_most_present():
    cast = cast_of("Anna goes to the Mill.", view=view(), chapter=2)
    assert (cast.characters, cast.places) == (("anna",), ("mill",))
    cast = cast_of("What happens next?", view=view(), chapter=2, limit=3)
    assert cast.characters == ("anna", "bela", "dora")
    assert not cast.named


def test_presence_outweighs_mentions_and_who_is_told_later_is_nobody_yet():
    class Later(FakeView):
        def entities(self):
            return tuple(replace(e, mentions=99) if e.id == "dora" else e for e in super().entities())

    assert cast_of("Go on.", view=Later(DOC, Horizon(2)), chapter=2).characters[:2] == ("anna", "bela")
    assert cast_of("Dora speaks.", view=view(1), chapter=1).characters == ("anna", "bela")
