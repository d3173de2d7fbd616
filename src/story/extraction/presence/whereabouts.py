"""Where somebody is told to be, not to go: traits of the aspect ``whereabouts``, each of its moment.

What only moves somebody ("went to London") is an event and a relation, read elsewhere; here stand "was at
Netherfield", "sat in the kitchen", "was dining at the club".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...lexicon.stage_words import AT, STAYING
from ...model.chapter_reading import Trait
from ...model.trait_values import WHEREABOUTS
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..parsing.chapter import ParsedChapter
from ..parsing.words import Word
from .places import PlaceReader
from .sightings import read_sightings
from .signs import SignReader
from .stays import read_stays

__all__ = ["read_whereabouts"]

_SURE = 0.85
_CLAUSES = ("VERB", "AUX")
_DEPTH = 3


def read_whereabouts(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Trait]:
    """In order of the text, out of narration only, all of them facts. ``value`` is the place as it is named
    there, without case: ``"netherfield"``, ``"the kitchen"``. Behind them the sightings (``sightings``)."""
    places = PlaceReader(chapter, arguments, SignReader(chapter))
    mentions = chapter.mentions
    for paragraph in chapter.paragraphs:
        for i, number in paragraph.mention_of.items():
            token = paragraph.words[i]
            place = mentions[number]
            if place.kind is not EntityKind.LOCATION or token.dep_ != "pobj" or paragraph.spoken(token):
                continue
            verb = _stays(token)
            told = places.told(paragraph, token, number) if verb is not None else None
            if verb is None or told is None:
                continue
            named = {reference.mention: reference for reference in arguments.subjects(paragraph, verb)}
            for who in told.who:
                reference = named.get(who)
                if reference is not None:
                    yield Trait(
                        who,
                        WHEREABOUTS,
                        place.surface.casefold(),
                        arguments.support(paragraph, token, reference),
                        Modality.FACT,
                        round(_SURE * reference.factor, 3),
                        False,
                        reference.genders,
                    )
    yield from read_sightings(chapter, arguments)
    yield from read_stays(chapter, arguments)


def _stays(place: Any) -> Word | None:
    """The verb of being or staying on which "in the kitchen" hangs; None where it is another."""
    if place.head.lower_ not in AT:
        return None
    node = place.head.head
    for _ in range(_DEPTH):
        if node.pos_ in _CLAUSES:
            return node if node.lemma_.lower() in STAYING and not _before(node) else None
        if node.head is node or node.dep_ not in ("prep", "pobj", "advmod", "acomp"):
            return None
        node = node.head
    return None


def _before(verb: Word) -> bool:
    return any(child.dep_ == "aux" and child.lower_ in ("had", "’d", "'d") for child in verb.children)
