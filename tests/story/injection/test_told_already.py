"""Nobody is given a slip about what the novel itself tells of them."""

from __future__ import annotations

from fabula.core.types import Span
from fabula.story.injection.cast import Actor
from fabula.story.injection.told_already import tells
from fabula.story.injection.wording import Person

QUIET = "The rain went on, and the lamps were lit. " * 12


def actor(text: str) -> Actor:
    at = text.index("Anna")
    return Actor(Person("anna", "Anna", "f"), (Span(at, at + 4),), frozenset({1}), 1, frozenset({"Anna"}))


def test_what_is_told_beside_the_name() -> None:
    for text, aspect in (
        ("Anna was nineteen that spring.", "age"),
        ("Anna was a woman of forty.", "age"),
        ("Anna lifted her grey eyes.", "eyes"),
        ("Anna put up her hair, which was red.", "hair"),
        ("Anna had been born in the south.", "birthplace"),
    ):
        assert tells(text, actor(text), aspect), (text, aspect)
        far = f"Anna laughed. {QUIET}{text.replace('Anna', 'Berta')}"
        assert not tells(far, actor(far), aspect), (text, aspect)


def test_aspects_that_are_not_in_question() -> None:
    text = "Anna was nineteen and grey-eyed, and kept a watch."
    assert not tells(text, actor(text), "thing")
