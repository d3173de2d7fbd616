"""A vow that the story forgets: nobody keeps it, breaks it, or speaks of it again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import ClassVar

from ...core.types import Evidence
from ..findings import Severity, Violation
from ..graph_rag.story_view import Place, StoryView
from ..interfaces import Fact
from ..types import EntityKind, EventTold, Modality, QuotationTold
from .word_traces import WordTraces, stems_of

__all__ = ["AbandonedGoal"]

_MEANT = frozenset({Modality.FACT, Modality.FLASHBACK, Modality.PLANNED})
_VOW = re.compile(
    r"\b(?:vow(?:ed|s)|swor[en]|pledged|promise[ds]|took an oath|made a (?:\w+ )?vow|"
    r"gave (?:his|her) (?:word|oath))\b"
    r"(?P<aim>[^.;!?]+)",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"\bI (?:do |solemnly |hereby )?(?:vow|swear|pledge|have sworn|give you my (?:word|oath))\b"
    r"(?P<aim>[^.;!?]+)",
    re.IGNORECASE,
)
_AIM = re.compile(
    r"(?:[^,]*,)?(?:\s*[\w’'-]+){0,6}?\s*(?:\b(?:to|would|will|shall|should)\b|['’](?:d|ll)\b)", re.IGNORECASE
)
_KEPT_BY_SILENCE = re.compile(
    r"\b(?:never|not|no|nothing|nobody|none|always|secrecy|secret|silence)\b|n['’]t\b", re.IGNORECASE
)
_TO_BE = re.compile(r"\s*(?:\w+ ){0,2}to be\b", re.IGNORECASE)
_SOON = re.compile(
    r"\b(?:to-?morrow|to-?night|next (?:day|morning)|directly|at once|presently|soon|in an hour|by and by)\b",
    re.IGNORECASE,
)
_LEAST = 2
_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class _Vow:
    who: str
    aim: str
    keys: frozenset[str]
    place: Place
    quote: Evidence
    record: EventTold | QuotationTold


@dataclass(frozen=True, slots=True)
class AbandonedGoal:
    """A vow, oath, pledge or promise to do something, by a major character, of which nothing in the rest of a
    finished story has the telling words: neither that it was kept, nor broken, nor thought of.

    Only of a story as a whole (a view without horizon), never of a draft; only where the vow is told before
    the last ``rest`` of the chapters and who made it is named in ``shown`` chapters after it. What is said in
    direct speech counts as "I swear" and the like. A vow that is kept by doing nothing (never, not, silence),
    one to be something and one for the hour is left out. It is taken up again by any later sentence of the
    log (an event, a bond, a feeling, something said or learnt) with two of its telling words, or with half of
    them.

    Assumes that a story speaks of what matters in the same words. Cannot see sentences that extraction took
    nothing from, nor that a vow was kept under another name. A hint: INFO.
    """

    name: ClassVar[str] = "abandoned_goal"
    severity: ClassVar[Severity] = Severity.INFO

    rest: float = 0.2
    shown: int = 3

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        vows = list(self._vows(view, only_document))
        if not vows:
            return
        later = sorted(_sentences(view), key=lambda told: told[0])
        for vow in vows:
            if not _taken_up(vow, later):
                yield self._violation(view, vow)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """The vows."""
        return frozenset(vow.record for vow in self._vows(view, only_document))

    def _vows(self, view: StoryView, document: str | None) -> Iterator[_Vow]:
        if document is not None or view.horizon.chapter is not None:
            return
        last = max((mention.told for mention in view.log.mentions), default=0)
        until = last - max(2.0, self.rest * last)
        traces = WordTraces(view)
        told: list[tuple[str, Evidence, str, EventTold | QuotationTold]] = [*_narrated(view), *_spoken(view)]
        for who, quote, aim, record in told:
            if quote.chapter > until or not self._major(view, who, quote.chapter, last):
                continue
            keys = traces.keys(aim, without=(who,))
            wanted = _AIM.match(aim) and not _KEPT_BY_SILENCE.search(aim) and not _SOON.search(aim)
            if wanted and not _TO_BE.match(aim) and len(keys) >= _LEAST:
                yield _Vow(
                    who, " ".join(aim.split()).strip(" ,“”\"'"), keys, view.place(quote), quote, record
                )

    def _major(self, view: StoryView, who: str, told: int, last: int) -> bool:
        entity = view.entity(who)
        if entity is None or entity.kind is not EntityKind.CHARACTER:
            return False
        return sum(entity.id in view.presence(chapter) for chapter in range(told + 1, last + 1)) >= self.shown

    def _violation(self, view: StoryView, vow: _Vow) -> Violation:
        name = view.name(vow.who)
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=f"{name} vows in chapter {vow.place[0]}: “{vow.aim}”; the story never comes back to it.",
            entities=(vow.who,),
            evidence=(vow.quote,),
            suggestion="Let it be kept, broken or given up, or take the vow out.",
            unless="the story comes back to it in other words",
        )


def _narrated(view: StoryView) -> Iterator[tuple[str, Evidence, str, EventTold]]:
    """Of every sentence that tells a vow, once, who is named before the word and does, or means to do,
    something in it."""
    seen: set[Evidence] = set()
    for event in view.events(happened=False, untyped=True):
        agents = [who for role, who in event.participants if role == "agent"]
        if event.modality not in _MEANT or len(agents) != 1 or not event.evidence:
            continue
        quote = event.evidence[0]
        found = _VOW.search(quote.quote) if quote not in seen else None
        if found is not None and _named(view, agents[0], quote.quote[: found.start()]):
            seen.add(quote)
            yield agents[0], quote, found["aim"], event


def _named(view: StoryView, who: str, text: str) -> bool:
    entity = view.entity(who)
    return entity is not None and any(name in text for name in (entity.name, *entity.aliases))


def _spoken(view: StoryView) -> Iterator[tuple[str, Evidence, str, QuotationTold]]:
    for quotation in view.quotations():
        for piece in quotation.evidence[: quotation.pieces]:
            found = _SPOKEN.search(piece.quote)
            if found is not None and quotation.speaker is not None:
                yield quotation.speaker, piece, found["aim"], quotation


def _sentences(view: StoryView) -> Iterator[tuple[Place, frozenset[str]]]:
    """All that the log quotes, each quote once."""
    seen: set[Evidence] = set()
    for table in fields(view.log):
        for record in getattr(view.log, table.name):
            quotes = record.evidence if isinstance(record.evidence, tuple) else (record.evidence,)
            for quote in (*quotes, getattr(record, "sentence", None)):
                if quote is not None and quote not in seen and len(quote.quote) > len("a word"):
                    seen.add(quote)
                    yield view.place(quote), stems_of(quote.quote)


def _taken_up(vow: _Vow, later: list[tuple[Place, frozenset[str]]]) -> bool:
    enough = min(_LEAST, max(1, round(_SHARE * len(vow.keys))))
    end = (vow.place[0], vow.place[1], vow.quote.span.end)
    return any(place > end and len(vow.keys & stems) >= enough for place, stems in later)
