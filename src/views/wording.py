"""Facts in words for a reader: names with their capitals, and places as the text says where they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.text.tokenizing import without_accents
from ..core.types import Evidence
from ..story.model.aspects import ASPECTS
from ..story.model.types import WORLD, EntityKind

if TYPE_CHECKING:
    from ..story.bible import Bible, Line
    from ..story.graph_rag.views.story_view import StoryView

_WORD, _NAME = re.compile(r"\w[\w'’]*"), re.compile(r"(?<=[\w,;] )(?!The\b)[A-Z][\w'’]*")
_NAMED = (EntityKind.CHARACTER, EntityKind.LOCATION, EntityKind.GROUP)
_WHERE = r"(?:at|in|on|under|by|near|behind|over|with|outside|inside|beside|above|below)"
_SET_DOWN = re.compile(rf"\bat (?=(?:\w+ed|gone|further|left|across|hidden|beside)\b|{_WHERE}\b)")
_NO_ARTICLE = r"(?<!\ba )(?<!\bthe )(?<!\bh[ei][rs] )(?<![\w-])"
_BARE = re.compile(r" is at (?!(?:the|an?|his|her|its|their|my|our)\b)(?=[a-z]\S* )")
_SEVERAL = re.compile(r" is an? (?=(?:[\w-]+ )?[\w-]*[^\Wsu0-9_]s(?:\Z| \())")  # more than one of a trade


def names_written(view: StoryView) -> dict[str, str]:
    """The names with capitals, by the same in small letters without accents."""
    names = (name for one in view.entities() if one.kind in _NAMED for name in (one.name, *one.aliases))
    return {without_accents(name.casefold()): name for name in names if name.lower() != name != name.upper()}


def as_written(bible: Bible, view: StoryView) -> Bible:
    """The bible with its facts as ``fact_written``, without a world of which only days are known."""
    names = names_written(view)
    entries = [
        replace(one, lines=tuple(_written(line, names) for line in one.lines))
        for one in bible.entries
        if one.kind != WORLD or any(line.kind != "date" for line in one.lines)
    ]
    return replace(bible, entries=tuple(entries))


def _written(line: Line, names: Mapping[str, str]) -> Line:
    if line.kind != "fact":
        return line
    return replace(line, text=fact_written(line.text, line.row, line.evidence, names))


def fact_written(text: str, aspect: str, evidence: Iterable[Evidence], names: Mapping[str, str]) -> str:
    """A fact in words, with the capitals of its quotes ("Slip Lane") and of ``names``. Where somebody was
    is said with the words before the place in a quote ("is on the stairs")."""
    quotes = [" ".join(one.quote.split()) for one in evidence]
    if aspect in ("where_at", "birthplace"):
        text = _SET_DOWN.sub("", _placed(text, ASPECTS[aspect].phrase.removesuffix("{value}"), quotes))
        text = _BARE.sub(": ", text, count=1)
    if aspect == "trade":
        text = _SEVERAL.sub(": ", text)
    capitals = {
        without_accents(word.casefold()): word
        for name in _NAME.findall("\n".join(quotes))
        for word in (name, re.sub(r"['’]s\Z", "", name))
        if not word.isupper()
    }
    text = _WORD.sub(lambda word: capitals.get(word[0], word[0]), text)
    for small, name in names.items():
        if small in text:
            text = re.sub(rf"{_NO_ARTICLE}{re.escape(small)}(?!\w)", name.replace("\\", ""), text)
    return text


def _placed(text: str, phrase: str, quotes: Iterable[str]) -> str:
    head, _, rest = text.partition(phrase)
    value = re.split(r"; was | \(", rest)[0]
    where = re.compile(rf"\b{_WHERE} (?:\w+ )?{re.escape(value)}(?!\w)")
    for quote in quotes if value else ():
        if found := where.search(without_accents(quote.casefold())):
            verb = phrase[: phrase.rstrip().rindex(" ") + 1]
            return f"{head}{verb}{quote[found.start() : found.end()]}{rest[len(value) :]}"
    return text
