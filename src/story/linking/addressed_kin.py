"""Who is called "Miss Vane" to her face where the Miss Vane whom the story knows is away: her sister, if one
is there. A name that is called means somebody present; a name that is only spoken of need not."""

from __future__ import annotations

from collections.abc import Sequence

from ..extraction.quotations.quotations import CALLED
from ..model.chapter_reading import ChapterReading, Mention
from ..model.types import EntityKind
from ..names.alias_book import AliasBook
from ..names.compatibility import may_answer
from ..names.person_name import PersonName

__all__ = ["calls_of", "spoken_to"]

_PLAIN = frozenset({"miss", "mr"})


def calls_of(reading: ChapterReading) -> frozenset[int]:
    """The mentions by which somebody is spoken to and that have a title and one more word."""
    numbers = {
        voice.mention
        for quotation in reading.quotations
        for voice in quotation.hearers
        if voice.confidence >= CALLED
    }
    return frozenset(number for number in numbers if _plain(reading.mentions[number].surface))


def spoken_to(mentions: Sequence[Mention], number: int, book: AliasBook) -> str | None:
    """Who is meant by the call: the one person told of by name in the scene who may be called so, where the
    usual bearer is not told of there. None where it is the usual bearer, or nobody can say."""
    call = mentions[number]
    usual = book.find(call.surface, call.gender)
    if usual is None:
        return None
    present: dict[str, None] = {}
    for one in mentions:
        told = one.scene == call.scene and not one.spoken and one.kind is EntityKind.CHARACTER
        if told and (entity := book.find(one.surface, one.gender)) is not None:
            present.setdefault(entity)
    if usual in present:
        return None
    fits = [entity for entity in present if may_answer(book.roster, entity, call.surface)]
    return fits[0] if len(fits) == 1 else None


def _plain(surface: str) -> bool:
    name = PersonName.parse(surface)
    return name.title in _PLAIN and bool(name.surname) and not name.given
