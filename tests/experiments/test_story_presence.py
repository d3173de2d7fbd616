from experiments.story_model.cast import cast_of
from fabula.core.types import Evidence, Horizon, Span
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.types import EntityKind, EntityMention, StoryLog


def view_of(*surfaces):
    quote = Evidence("tale", 1, Span(0, 1), "x")
    mentions = [
        EntityMention(entity, EntityKind.CHARACTER, surface, 1, quote)
        for entity, surface, count in surfaces
        for _ in range(count)
    ]
    return StoryView(StoryLog(mentions=tuple(mentions)), Horizon())


CHARACTERS = {
    "JM": {"name": "Jim", "description": "a runaway"},
    "TU": {"name": "Jim Turner", "description": "a thief"},
    "PO": {"name": "Aunt Polly Brown", "description": ""},
    "JO": {"name": "Joanna (the Starling)", "description": ""},
    "ME": {"name": "Nat Hale", "description": "free spirit and narrator"},
}


def test_entities_go_to_the_characters_their_names_mean():
    view = view_of(
        ("one", "Jim", 9),
        ("one", "Jim Turner", 1),
        ("two", "Polly", 2),
        ("three", "the Starling", 1),
        ("me", "I", 5),
    )
    assert cast_of(CHARACTERS, view) == {"one": "JM", "two": "PO", "three": "JO", "me": "ME"}


def test_who_is_split_shared_or_of_another_gender():
    two = {"A": {"name": "Buck Reed"}, "B": {"name": "Buck Voss"}}
    view = view_of(("buck", "Buck", 9), ("buck-voss", "Buck Voss", 2), ("voss", "Voss", 1))
    assert cast_of(two, view) == {"buck-voss": "B", "buck": "A"}
    assert cast_of({"A": {"name": "Mrs. Reed"}}, view_of(("reed", "Mr. Reed", 3))) == {}


RUSSIANS = {
    "KP": {"name": "Konstantin Petrovitch Torlov"},
    "NT": {"name": "Nikolay Torlov"},
    "AV": {"name": "Count Andrey Ilyitch Varsky"},
    "BV": {"name": "Boris Varsky"},
    "EA": {"name": "Princess Elena Pavlovna Orlova (Lenka)"},
    "M2": {"name": "Masha 2"},
}


def test_a_bare_surname_is_shared_however_long_the_listed_names_are():
    view = view_of(
        ("torlov", "Torlov", 90),
        ("torlov", "Konstantin Torlov", 2),
        ("nikolay", "Nikolay Torlov", 3),
        ("varsky", "Varsky", 50),
        ("varsky", "Count Varsky", 1),
        ("lenka", "Lenka", 9),
        ("masha", "Masha", 2),
    )
    meant = {"torlov": "KP", "nikolay": "NT", "varsky": "AV", "lenka": "EA", "masha": "M2"}
    assert cast_of(RUSSIANS, view) == meant
    # a father's name tells the gender
    assert cast_of({"A": {"name": "Sasha Petrovna"}}, view_of(("s", "Mr. Sasha", 3))) == {}
