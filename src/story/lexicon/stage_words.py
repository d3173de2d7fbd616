"""Words that put somebody on stage or keep him off it: verbs, prepositions, and what people bring along."""

from __future__ import annotations

from .tables import lists, read_table, text

_LISTS = (
    *("arrives", "body", "distant", "enters", "goes", "leaves", "near", "room", "span_of_time", "speaks"),
    *("stays", "tags", "thinks"),
)
_TABLE = read_table("stage_words.tsv", word=text, lists=lists(*_LISTS))

SPEAKING = _TABLE.listed("speaks")
SAYING = _TABLE.listed("tags")
THINKING = _TABLE.listed("thinks")
DISTANT = _TABLE.listed("distant")
NEAR = _TABLE.listed("near")
BODY = _TABLE.listed("body")
ARRIVING = _TABLE.listed("arrives")
STAYING = _TABLE.listed("stays")
GOING = _TABLE.listed("goes")
ENTERING = _TABLE.listed("enters")
LEAVING = _TABLE.listed("leaves")
ROOMS = _TABLE.listed("room")
SPANS_OF_TIME = _TABLE.listed("span_of_time")

# said, looked, given, gone to somebody
FACING = frozenset("to at upon on towards toward into against".split())
TOGETHER = frozenset("with along".split())
INTO = frozenset("to into at in inside within".split())
AT = frozenset("in at inside within".split())


def is_room(surface: str) -> bool:
    """Like "the drawing-room": within a house, named or not."""
    return surface.casefold().rsplit(" ", 1)[-1] in ROOMS
