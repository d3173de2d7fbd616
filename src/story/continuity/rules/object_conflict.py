"""A thing used after it was lost, destroyed, sold or given away, and nothing told that brings it back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...lexicon.object_words import KEEPSAKES
from ...model.findings import Severity, Violation
from ...model.types import Modality, ThingTold
from ..seams.rule import Fact

__all__ = ["ObjectConflict"]

_GONE = {
    "loses": "is lost",
    "destroys": "is destroyed",
    "gives": "is given away",
    "sells": "is sold",
    "steals": "is stolen",
}


_TAKEN_UP = re.compile(r"\b(?:pick|took|take|taken|taking|catch|caught)(?:ed|ing)? (?:up\b|[^.;]{1,30} up\b)")


@dataclass(frozen=True, slots=True)
class ObjectConflict:
    """A particular thing that is gone, and then used by whoever had it (by anybody, if it was destroyed).

    *The same thing*: the same noun with the same words to tell it from others ("silver locket", "father's
    watch"). Where nothing but the noun is said ("his watch") both sides must name the same owner or
    holder, unless the story speaks of one such thing only, and always alike ("the portrait"). Things that
    are soon replaced (a hat, a lamp; all but ``KEEPSAKES``) conflict, when nothing else is said, only within
    ``near`` chapters.

    One end told twice ("sold his watch", "knew that he had sold it") is no use.

    What somebody says himself of a thing of his own ("I have given away my ivory fan") is taken at his word.

    *Gone* and *used* are told as fact with ``min_confidence`` or more; the use of a thing that has words to
    tell it from others with ``particular``, since what is unsure there is mostly whom a pronoun means.
    Anything told between the two, in sentences of its own, that may bring it back accounts for it: that
    somebody finds, mends, buys, borrows, gets or steals such a
    thing, that it is given to the holder, or that another or a new one is spoken of.

    Assumes that a story which speaks of "the silver locket" speaks of one. Cannot see a return that is only
    implied, a loan meant by "gave", a thing used in direct speech only, nor two things that are called the
    same. Severity WARNING, ERROR for what was destroyed.
    """

    name: ClassVar[str] = "object_conflict"
    severity: ClassVar[Severity] = Severity.WARNING

    min_confidence: float = 0.6
    particular: float = 0.4
    near: int = 3

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        for told in _by_noun(view).values():
            yield from self._conflicts(view, told, only_document)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Uses of things of whose sort one was told to be gone before."""
        found = set()
        for told in _by_noun(view).values():
            gone = False
            for each in told:
                gone = gone or self._gone(each)
                if gone and self._used(each) and only_document in (None, each.evidence[0].document_id):
                    found.add(each)
        return frozenset(found)

    def _gone(self, told: ThingTold) -> bool:
        return (
            told.act in _GONE
            and (told.modality.happened or _own_word(told))
            and told.confidence >= self.min_confidence
            and (" " in told.thing or told.act == "destroys" or _holder(told) is not None)
        )

    def _used(self, told: ThingTold) -> bool:
        return (
            (
                told.act in ("uses", "gives", "lends", "sells", "loses", "destroys")
                or (told.act == "regains" and _TAKEN_UP.search(told.evidence[0].line) is not None)
            )
            and (told.modality is Modality.FACT or _own_showing(told))
            and told.confidence >= (self.particular if " " in told.thing else self.min_confidence)
            and _user(told) is not None
        )

    def _conflicts(
        self, view: StoryView, told: list[ThingTold], only_document: str | None
    ) -> Iterator[Violation]:
        """``told`` is all that is told of things of one noun, in order of telling."""
        alone = len({each.thing for each in told}) == 1 and len({each.owner for each in told}) == 1
        seen: set[tuple[Evidence, Evidence]] = set()
        for i, gone in enumerate(told):
            if not self._gone(gone):
                continue
            for later in told[i + 1 :]:
                if _apart(gone, later) and _brings_back(gone, later):
                    break
                if later.act == gone.act:  # told once more, as like as not
                    continue
                if not (self._used(later) and self._same(gone, later, alone=alone) and _apart(gone, later)):
                    continue
                pair = (gone.evidence[0], later.evidence[0])
                if only_document in (None, later.evidence[0].document_id) and pair not in seen:
                    seen.add(pair)
                    yield self._violation(view, gone, later)
                break

    def _same(self, gone: ThingTold, later: ThingTold, *, alone: bool) -> bool:
        """Is it the same thing, in the hands of one who cannot have it?"""
        if gone.thing != later.thing and not _told_shorter(gone, later):
            return False
        if gone.owner is not None and later.owner is not None and gone.owner != later.owner:
            return False
        user = _user(later)
        if gone.other is not None and user == gone.other and gone.act in ("gives", "sells"):
            return False  # it is theirs now
        holder = _holder(gone)
        anybody = gone.act == "destroys" or holder is None
        if not anybody and user != holder:
            return False
        if " " in gone.thing or alone:
            return True
        noun = gone.thing.rsplit(" ", 1)[-1]
        owned = holder is not None and holder in (later.entity, later.owner)
        return owned and (noun in KEEPSAKES or later.told - gone.told <= self.near)

    def _violation(self, view: StoryView, gone: ThingTold, later: ThingTold) -> Violation:
        user = _user(later)
        people = sorted({one for one in (_holder(gone), user) if one is not None})
        owner = f"{view.name(later.owner)}'s " if later.owner is not None else "the "
        thing = f"{owner}{later.thing}"
        return Violation(
            rule=self.name,
            severity=Severity.ERROR if gone.act == "destroys" else self.severity,
            message=(
                f"{thing[:1].upper()}{thing[1:]} {_GONE[gone.act]} in chapter {gone.told}, "
                f"yet {view.name(user or '')} has it in chapter {later.told}."
            ),
            entities=tuple(people),
            evidence=(gone.evidence[0], later.evidence[0]),
            suggestion=f"Tell how {thing} came back before it is used, or let it be another one.",
            unless="it is found, mended, bought or given back between the two, or there are two of them",
        )


def _by_noun(view: StoryView) -> dict[str, list[ThingTold]]:
    found: dict[str, list[ThingTold]] = {}
    for told in view.things():
        if told.evidence:
            found.setdefault(_noun(told), []).append(told)
    return found


def _noun(told: ThingTold) -> str:
    return told.thing.rsplit(" ", 1)[-1]


def _own_word(told: ThingTold) -> bool:
    """Does its owner himself say that he has lost it, sold it, given it away or destroyed it?"""
    own = told.owner == told.entity if told.owner is not None else _specific(told)
    return told.modality is Modality.REPORTED and own and told.entity is not None and told.act in _GONE


def _specific(told: ThingTold) -> bool:
    """Is "the X" that somebody says he parted with one that he had to himself?"""
    return " " in told.thing or (_noun(told) in KEEPSAKES and told.other is None)


def _own_showing(told: ThingTold) -> bool:
    """Does its owner himself say that he has it: "here is my watch"?"""
    own = told.owner is not None and told.owner == told.entity
    return told.modality is Modality.REPORTED and own and told.act == "uses"


def _holder(told: ThingTold) -> str | None:
    """Who had it before: whose it is, else who lost it, gave it, sold it."""
    if told.act == "steals":
        return told.other or told.owner
    return told.owner or told.entity


def _user(told: ThingTold) -> str | None:
    """Who has it here: whoever does something with it, else whose it is said to be ("the hum of Anna's
    wheel")."""
    return told.entity or (told.owner if told.act == "uses" else None)


def _told_shorter(gone: ThingTold, later: ThingTold) -> bool:
    """Is one the other with fewer words to tell it, in the hands of the same ("Elena's pocket compass", "the
    brass pocket compass")?"""
    one, other = set(gone.thing.split()), set(later.thing.split())
    holder = _holder(gone)
    return (
        min(len(one), len(other)) > 1
        and (one <= other or other <= one)
        and holder is not None
        and (holder in (later.entity, later.owner))
    )


def _brings_back(gone: ThingTold, later: ThingTold) -> bool:
    """May this put the thing back into the hands of whoever had it? Said or planned is enough."""
    if later.modality is Modality.NEGATED or (later.act == "regains" and _in_hand(gone, later)):
        return False
    holder = _holder(gone)
    if later.act == "regains" and not later.modality.happened and later.thing != gone.thing:
        return holder is not None and holder in (later.owner, later.entity)
    if later.act == "regains":
        return holder is None or later.owner in (None, holder)
    if later.act == "lends":
        return holder is not None and later.other == holder
    if later.act == "gives":
        return later.other == holder if later.entity == holder else later.other in (None, holder)
    return later.act == "steals" and later.entity in (None, holder)


def _in_hand(gone: ThingTold, later: ThingTold) -> bool:
    """Does he take up what he has no longer ("picked up his guitar", sold long ago)?"""
    return (
        gone.act in ("sells", "destroys", "gives")
        and gone.evidence[0].chapter != later.evidence[0].chapter
        and later.owner is not None
        and later.entity == later.owner == _holder(gone)
        and _TAKEN_UP.search(later.evidence[0].line) is not None
    )


def _apart(gone: ThingTold, later: ThingTold) -> bool:
    """One sentence that tells both tells them in order: "drew his sword and threw it into the sea"."""
    first: Evidence = gone.evidence[0]
    return not (
        first.document_id == later.evidence[0].document_id and first.span.overlaps(later.evidence[0].span)
    )
