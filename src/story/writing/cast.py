"""Whom a prompt is about: the names in it, or else those most present recently."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.types import Span
from ..graph_rag.views.story_view import StoryView
from ..model.types import EntityKind, StoryEntity

_WORD = re.compile(r"[^\W\d_](?:[\w.'’-]*\w)?\.?")
_LONGEST = 4
# Words that open sentences or are titles alone: a name may start with them, but is never one of them.
_NOT_NAMES = frozenset(
    """
    a an and as at but by for from he her his how i if in into it its miss mr mr. mrs mrs. ms
    ms. my no not of on or our she so that the their then there they this to we what when
    where which while who why will with write you your dr dr. sir lady lord continue describe
    tell let
    """.split()
)


@dataclass(frozen=True, slots=True)
class Cast:
    """``characters`` and ``places`` are entity ids in order of importance to the prompt.

    ``named`` says whether the prompt itself named the characters; else they are those most present in the
    last two chapters.
    """

    characters: tuple[str, ...]
    places: tuple[str, ...] = ()
    named: bool = True


def cast_of(prompt: str, *, view: StoryView, chapter: int, limit: int = 4) -> Cast:
    """The first ``limit`` characters that the prompt names, in its order, and the places it names.

    Every run of one to four words that starts with a capital is looked up with ``view.find``, the longest
    first. Where that finds nobody, whole names are looked for whatever their case. Where that finds nobody
    either, the characters mentioned in the two chapters up to ``chapter`` are taken: those in both first,
    then the most mentioned in the story so far, ties by id.
    """
    found = dict.fromkeys(entity for _, entity in _named(prompt, view, exact=False))
    if all(e.kind is not EntityKind.CHARACTER for e in found):
        found |= dict.fromkeys(entity for _, entity in _named(prompt, view, exact=True))
    places = tuple(e.id for e in found if e.kind is EntityKind.LOCATION)[:limit]
    people = tuple(e.id for e in found if e.kind is EntityKind.CHARACTER)[:limit]
    if people:
        return Cast(people, places)
    counts: dict[str, int] = {}
    for number in range(max(1, chapter - 1), chapter + 1):
        for who in view.presence(number):
            counts[who] = counts.get(who, 0) + 1
    present = [e for e in view.entities() if e.kind is EntityKind.CHARACTER and e.id in counts]
    present.sort(key=lambda e: (-counts[e.id], -e.mentions, e.id))
    return Cast(tuple(e.id for e in present[:limit]), places, named=False)


def names_in(prompt: str, view: StoryView) -> list[tuple[Span, StoryEntity]]:
    """Where the prompt names whom or what, in its order, as :func:`cast_of` looks for them: names with a
    capital, or, where there are none, whole names in any case."""
    return _named(prompt, view, exact=False) or _named(prompt, view, exact=True)


def _named(prompt: str, view: StoryView, *, exact: bool) -> list[tuple[Span, StoryEntity]]:
    words = list(_WORD.finditer(prompt))
    found: list[tuple[Span, StoryEntity]] = []
    index = 0
    while index < len(words):
        size, name, entity = _longest(prompt, words[index : index + _LONGEST], view, exact=exact)
        if entity is not None:
            start = words[index].start()
            found.append((Span(start, start + len(name)), entity))
        index += size
    return found


def _longest(
    prompt: str, words: Sequence[re.Match[str]], view: StoryView, *, exact: bool
) -> tuple[int, str, StoryEntity | None]:
    """How many words the longest name at this place has (1 where there is none), the name as it is written,
    and who bears it."""
    first = words[0][0]
    if not exact and not first[0].isupper():
        return 1, "", None
    for size in range(len(words), 0, -1):
        run = prompt[words[0].start() : words[size - 1].end()]
        for name in dict.fromkeys((run, run.rstrip("."), re.sub(r"['’]s?$", "", run))):
            if size == 1 and name.casefold() in _NOT_NAMES:
                continue
            entity = view.find(name)
            if entity is not None and (not exact or _bears(entity, name)):
                return size, name, entity
    return 1, "", None


def _bears(entity: StoryEntity, name: str) -> bool:
    return name.casefold() in {known.casefold() for known in (entity.name, *entity.aliases)}
