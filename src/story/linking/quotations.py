"""Who speaks, as entities: the turns of a chapter's conversations weighed by what the story knows so far."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from ..extraction.quotations.dialogue import CALLED
from ..extraction.quotations.turn_taking import Turn, around, take_turns
from ..model.chapter_reading import Quotation, Voice
from ..model.types import QuotationTold
from .state import Linked

_BLANK = re.compile(r"\n[ \t\r]*\n[ \t\r\n]*")
_OTHER = {"f": "m", "m": "f"}
NEAR = 2  # paragraphs, for who spoke before to be spoken to


def quotations_of(linked: Linked) -> tuple[QuotationTold, ...]:
    """Each in order of the text. The speaker is the likeliest by turn-taking over entities, never one whose
    known gender is not the pronoun's; confidence is that probability."""
    linking, ids, told = _Linking(linked), linked.ids, linked.told
    ranked = take_turns(linking.turns)
    chosen = [linking.voice(i, ranks[0][0]) if ranks else None for i, ranks in enumerate(ranked)]
    roots = [linked.state.root(e) if voice and (e := ids[voice.mention]) else None for voice in chosen]
    return tuple(
        QuotationTold(
            ids[voice.mention] if voice is not None else None,
            linking.hearers(i, roots),
            told.number,
            told.all_evidence((*quotation.pieces, *(voice.evidence if voice else ()))),
            len(quotation.pieces),
            quotation.kind,
            ranked[i][0][1] if voice else 0.0,
        )
        for i, (quotation, voice) in enumerate(zip(linked.reading.quotations, chosen, strict=True))
    )


class _Linking:
    def __init__(self, linked: Linked) -> None:
        self._linked, self._quotations = linked, linked.reading.quotations
        self._starts = [mention.span.start for mention in linked.reading.mentions]
        self._scenes = [scene.span.start for scene in linked.reading.scenes]
        self._people = sorted({root for number in range(len(linked.ids)) if (root := self._root(number))})
        self.turns = list(self._turns(linked.told.chapter.body.of(linked.told.document.text)))

    def _turns(self, text: str) -> Iterator[Turn]:
        place, last = 0, 0
        for quotation in self._quotations:
            start, end = quotation.pieces[0].start, quotation.pieces[-1].end
            place += len(_BLANK.findall(text, last, max(last, start)))
            first = place
            place += len(_BLANK.findall(text, start, end))
            last = end
            called = self._roots(voice.mention for voice in quotation.hearers if voice.confidence >= CALLED)
            scene, voices = bisect_right(self._scenes, start), self._voices(quotation)
            others, barred = self._named(quotation) - called, self._barred(quotation)
            yield Turn(first, place, scene, voices, called, others, barred)

    def _voices(self, quotation: Quotation) -> dict[str, float]:
        voices: dict[str, float] = {}
        for voice in quotation.speakers:
            root = self._root(voice.mention)
            genders = [(voice.mention, voice.gender)] if voice.gender else []
            if root is not None and self._linked.agrees(genders):
                voices[root] = 1 - (1 - voices.get(root, 0.0)) * (1 - voice.confidence)
        return voices

    def _named(self, quotation: Quotation) -> frozenset[str]:
        ends = [[bisect_left(self._starts, at) for at in (one.start, one.end)] for one in quotation.pieces]
        return self._roots(number for start, end in ends for number in range(start, end))

    def _barred(self, quotation: Quotation) -> frozenset[str]:
        other = _OTHER.get(next((voice.gender for voice in quotation.speakers if voice.gender), ""))
        if quotation.kind != "anaphoric" or other is None:
            return frozenset()
        return frozenset(root for root in self._people if self._linked.state.book.gender(root) == other)

    def voice(self, i: int, who: object) -> Voice | None:
        """What stands for the speaker: a voice of this quotation, else of the nearest one around."""
        for k in around(i, len(self._quotations)):
            for voice in self._quotations[k].speakers:
                if self._root(voice.mention) == who:
                    return voice
        return None

    def hearers(self, i: int, speakers: Sequence[str | None]) -> tuple[str, ...]:
        """Who is called by name; else who spoke just before, else who speaks next."""
        own = speakers[i]
        found: dict[str, str] = {}
        for voice in self._quotations[i].hearers:
            root = self._root(voice.mention)
            if voice.confidence >= CALLED and root is not None and root != own:
                found.setdefault(root, self._linked.ids[voice.mention] or root)
        if found or own is None:
            return tuple(found.values())
        for k, gap in ((i - 1, self._gap(i)), (i + 1, self._gap(i + 1)), (i - 2, self._gap(i - 1))):
            if 0 <= k < len(speakers) and gap <= NEAR and (other := speakers[k]) not in (None, own):
                return (str(other),)
        return ()

    def _gap(self, i: int) -> int:
        """Paragraphs between the turn and the one before it."""
        if not 0 < i < len(self.turns):
            return NEAR + 1
        return self.turns[i].place - self.turns[i - 1].end

    def _root(self, number: int) -> str | None:
        entity = self._linked.person(number)
        return None if entity is None else self._linked.state.root(entity)

    def _roots(self, numbers: Iterable[int]) -> frozenset[str]:
        return frozenset(root for number in numbers if (root := self._root(number)) is not None)
