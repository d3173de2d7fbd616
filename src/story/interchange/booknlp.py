"""BookNLP 1.0.x (Bamman et al.): its people, places, quotations and events as a log with checked quotes.

Coreference clusters become entities where something names them; named and common mentions are kept, pronouns
only count. Quotations keep their speaker. A word that BookNLP tags as an event becomes a ``DOES`` event where
the ``.book`` file has a character as its agent or patient; the sentence is the evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...core.types import Document, Evidence, Span
from ..model.types import EntityKind, EntityMention, EventTold, Interval, QuotationTold, StoryLog
from .booknlp_files import BookFiles, EntityRow, QuoteRow, Token, read_book_files
from .imported import Imported, Places, Slugs, in_order, plain_document

__all__ = ["import_booknlp"]

_KINDS = {
    "PER": EntityKind.CHARACTER,
    "FAC": EntityKind.LOCATION,
    "GPE": EntityKind.LOCATION,
    "LOC": EntityKind.LOCATION,
    "ORG": EntityKind.GROUP,
    "VEH": EntityKind.OBJECT,
}
_GENDERS = {"she/her": "f", "he/him/his": "m"}
_SURE = 0.5  # of BookNLP's own share for the gender it took
_NEAR = 200  # so far on a word is looked for where the text differs from the one that BookNLP read
CONFIDENCE = 0.8  # about what its authors report for speakers and coreference on literature


def import_booknlp(path: Path, *, document: Document | None = None) -> Imported:
    """The run in an output folder, its token offsets as spans of ``document``; without one the text is
    rebuilt from the tokens. What does not stand in the document is dropped and counted.

    Raises ProjectError as ``read_book_files`` does.
    """
    files = read_book_files(path)
    text = "given"
    if document is None:
        text = "rebuilt"
        document = plain_document(_rebuilt(files.tokens), name=files.name)
    fold = _Fold(document, files)
    mentions = in_order(fold.mentions())
    log = StoryLog(
        mentions=mentions,
        events=fold.events(),
        quotations=in_order(fold.quotations()),
    )
    notes = ["who is who was settled with the whole book in view, whatever the horizon"]
    if files.supersenses:
        notes.append(f"{files.supersenses} supersenses have no place in the story model")
    return Imported.of(log, document, source="BookNLP", text=text, dropped=fold.dropped, notes=notes)


def _rebuilt(tokens: Sequence[Token]) -> str:
    """The words at their own offsets, paragraphs parted by line feeds, the rest blank."""
    pieces: list[str] = []
    end, paragraph = 0, 0
    for token in tokens:
        gap = max(token.onset - end, 0)
        parted = "\n" if token.paragraph != paragraph else " "
        pieces += (parted * gap, token.word)
        end, paragraph = end + gap + len(token.word), token.paragraph
    return "".join(pieces)


class _Fold:
    def __init__(self, document: Document, files: BookFiles) -> None:
        self.dropped: Counter[str] = Counter()
        self._places = Places(document)
        self._text = document.text
        self._files = files
        self._spans = _aligned(files.tokens, document.text)
        self.dropped["words that do not stand in the text"] = self._spans.count(None)
        self._genders = dict(_genders(files.characters))
        self._named = self._names()

    def _names(self) -> dict[int, str]:
        """The id of each cluster that something names: by its most frequent name, else common noun."""
        found: dict[int, Counter[tuple[bool, str]]] = {}
        for row in self._files.entities:
            if row.prop != "PRON":
                found.setdefault(row.coref, Counter())[(row.prop == "PROP", row.text)] += 1
        known = {each["id"] for each in self._files.characters}
        speaking = {quote.coref for quote in self._files.quotes}
        ids: dict[int, str] = {}
        slugs = Slugs()
        for coref, names in sorted(found.items()):
            if not any(proper for proper, _ in names) and coref not in known | speaking:
                self.dropped["things without a name, mentioned once"] += 1
                continue
            (_, name), _ = max(names.items(), key=lambda item: (item[0][0], item[1], item[0][1]))
            ids[coref] = slugs.fresh(name)
        return ids

    # --- who -------------------------------------------------------------------------------------

    def mentions(self) -> Iterator[EntityMention]:
        for row in self._files.entities:
            kind = _KINDS.get(row.cat)
            if row.prop == "PRON":
                self.dropped["pronouns (kept only as speakers' signs)"] += 1
            elif kind is None:
                self.dropped[f"entities of the category {row.cat}"] += 1
            elif row.coref in self._named:
                evidence = self._words(row.start, row.end, row.text)
                if evidence is None:
                    self.dropped["mentions that read otherwise in the text"] += 1
                else:
                    yield self._mention(row, kind, evidence)

    def _mention(self, row: EntityRow, kind: EntityKind, evidence: Evidence) -> EntityMention:
        gender = self._genders.get(row.coref, "") if kind is EntityKind.CHARACTER else ""
        surface = " ".join(evidence.quote.split()).removesuffix("’s").removesuffix("'s")
        return EntityMention(self._named[row.coref], kind, surface, evidence.chapter, evidence, gender)

    # --- what ------------------------------------------------------------------------------------

    def quotations(self) -> Iterator[QuotationTold]:
        proper = {row.start: row.prop for row in self._files.entities}
        for row in self._files.quotes:
            said = self._words(row.start, row.end, row.text)
            if said is None:
                self.dropped["quotations that read otherwise in the text"] += 1
                continue
            speaker = self._named.get(row.coref) if row.coref is not None else None
            if row.coref is not None and speaker is None:
                self.dropped["speakers whom nothing names"] += 1
            sign = self._sign(row) if speaker is not None else None
            kind = "implicit"
            if sign is not None and row.mention is not None:
                kind = "explicit" if proper.get(row.mention) == "PROP" else "anaphoric"
            signs = (sign,) if sign is not None else ()
            confidence = CONFIDENCE if speaker is not None else 0.0
            yield QuotationTold(speaker, (), said.chapter, (said, *signs), 1, kind, confidence)

    def _sign(self, row: QuoteRow) -> Evidence | None:
        """The sentence that names the speaker, where it stands in the paragraph of the quotation: BookNLP
        gives the nearest mention of the speaker even where the turns alone tell who speaks."""
        tokens = self._files.tokens
        if row.mention is None or row.start <= row.mention <= row.end:
            return None
        if tokens[row.mention].paragraph != tokens[row.start].paragraph:
            return None
        evidence = self._sentence(row.mention)
        return evidence if evidence is not None and evidence.chapter == self._chapter(row.start) else None

    def events(self) -> tuple[EventTold, ...]:
        casts: dict[int, list[tuple[str, str]]] = {}
        for character in self._files.characters:
            entity = self._named.get(character["id"])
            if entity is None:
                continue
            for role in ("agent", "patient"):
                for place in dict.fromkeys(each["i"] for each in character.get(role, ())):
                    casts.setdefault(place, []).append((role, entity))
        found: list[EventTold] = []
        for place in sorted(casts):
            if not 0 <= place < len(self._files.tokens) or not self._files.tokens[place].event:
                self.dropped["deeds that BookNLP does not take for events"] += 1
                continue
            event = self._event(place, tuple(sorted(set(casts[place]))), len(found) + 1)
            if event is not None:
                found.append(event)
        return tuple(found)

    def _event(self, place: int, cast: tuple[tuple[str, str], ...], number: int) -> EventTold | None:
        evidence = self._sentence(place)
        if evidence is None or len({who for _, who in cast}) < len(cast):
            self.dropped["events without a sentence, or with one person in both parts"] += 1
            return None
        told = evidence.chapter
        return EventTold(
            f"event-{number}",
            "DOES",
            cast,
            told,
            Interval(told, told),
            (evidence,),
            confidence=CONFIDENCE,
            verb=self._files.tokens[place].lemma,
            origin="model",
        )

    # --- where -----------------------------------------------------------------------------------

    def _words(self, start: int, end: int, said: str) -> Evidence | None:
        """The stretch of these tokens, where it reads as BookNLP says but for white space."""
        first, last = self._spans[start], self._spans[end]
        if first is None or last is None or first.start > last.end:
            return None
        span = Span(first.start, last.end)
        if "".join(span.of(self._text).split()) != "".join(said.split()):
            return None
        return self._places.evidence(span)

    def _sentence(self, place: int) -> Evidence | None:
        tokens = self._files.tokens
        first = last = place
        while first > 0 and tokens[first - 1].sentence == tokens[place].sentence:
            first -= 1
        while last + 1 < len(tokens) and tokens[last + 1].sentence == tokens[place].sentence:
            last += 1
        spans = [span for span in self._spans[first : last + 1] if span is not None]
        if self._spans[place] is None or not spans:
            return None
        return self._places.evidence(Span(spans[0].start, spans[-1].end))

    def _chapter(self, place: int) -> int:
        span = self._spans[place]
        return self._places.chapter(span.start) if span is not None else 0


def _aligned(tokens: Sequence[Token], text: str) -> list[Span | None]:
    """Where each word stands in the text; None where it does not. White space may differ (line ends, a byte
    order mark, a heading taken off); words are looked for a little way on, never backwards."""
    found: list[Span | None] = []
    cursor, shift = 0, 0
    for token in tokens:
        start = _next_word(text, cursor)
        if not text.startswith(token.word, start):
            expected = max(cursor, token.onset + shift)
            exact = text.startswith(token.word, expected)
            start = expected if exact else text.find(token.word, cursor, expected + _NEAR)
        if start < 0 or not token.word:
            found.append(None)
            continue
        cursor, shift = start + len(token.word), start - token.onset
        found.append(Span(start, cursor))
    return found


def _next_word(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _genders(characters: Sequence[dict[str, Any]]) -> Iterator[tuple[int, str]]:
    for character in characters:
        taken = character.get("g")
        if isinstance(taken, dict) and isinstance(taken.get("max"), int | float) and taken["max"] >= _SURE:
            yield character["id"], _GENDERS.get(str(taken.get("argmax")), "")
