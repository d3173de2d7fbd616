"""BookNLP 1.0.x (Bamman et al.): its people, places, quotations and events, on quotes of the book.

``ID.tokens``, ``ID.entities`` and ``ID.quotes`` are tab-separated with a head and without quoting;
``ID.book`` is JSON. Tokens count from 0 through the whole book; ends are inclusive. Coreference clusters
become entities where something names them. A word that BookNLP tags as an event becomes a ``DOES`` event
where the ``.book`` file has a character as its agent or patient; its sentence is the evidence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from ...core.files.plain_json import parse_json
from ...core.types import Evidence
from ...errors import ProjectError
from ..model.types import EntityKind, EntityMention, EventTold, Interval, QuotationTold
from ..names.slugs import Slugs
from .alignment import Edition
from .importing import Places, read_text

_KINDS = {
    "PER": EntityKind.CHARACTER,
    "FAC": EntityKind.LOCATION,
    "GPE": EntityKind.LOCATION,
    "LOC": EntityKind.LOCATION,
    "ORG": EntityKind.GROUP,
    "VEH": EntityKind.OBJECT,
}
_GENDERS = {"she/her": "f", "he/him/his": "m"}
_TOKENS = ("paragraph_ID", "token_ID_within_document")
_QUOTES = ("quote_start", "quote_end", "mention_start", "char_id")
CONFIDENCE = 0.8  # about what its authors report for speakers and coreference on literature


def import_booknlp(path: Path, places: Places) -> dict[str, list[Any]]:
    """The mentions, quotations and events of the run in a folder, or of the run that a file is of. Raises
    ProjectError, naming the file, for one that is missing or damaged; only ``.tokens`` and ``.entities`` must
    be there."""
    runs = sorted(path.glob("*.tokens")) if path.is_dir() else [path.with_suffix(".tokens")]
    if len(runs) != 1:
        raise ProjectError(f"{path} holds {len(runs)} files .tokens: name one BookNLP run's folder or file")
    tokens, entities, quotes, book = (
        runs[0].with_suffix(f".{end}") for end in ("tokens", "entities", "quotes", "book")
    )
    run = _Run(_rows(tokens, _TOKENS, ("word", "lemma")), places)
    casts, genders = _characters(book) if book.is_file() else ({}, {})
    found = _rows(entities, ("COREF", "start_token", "end_token"), ("prop", "cat", "text"))
    said = _rows(quotes, _QUOTES, ()) if quotes.is_file() else []
    return {
        "mentions": list(run.mentions(found, genders)),
        "quotations": list(run.quotations(said)),
        "events": list(run.events(casts)),
    }


def _rows(path: Path, numbers: tuple[str, ...], texts: tuple[str, ...]) -> list[dict[str, Any]]:
    head, *lines = (line.rstrip("\r").split("\t") for line in read_text(path).split("\n"))
    try:
        rows = [dict(zip(head, cells, strict=False)) for cells in lines if len(cells) >= len(head)]
        return [
            {name: int(row[name]) if row[name] != "None" else -1 for name in numbers}
            | {name: row[name] for name in texts}
            | {"event": row.get("event")}
            for row in rows
        ]
    except (ValueError, KeyError) as error:
        raise _damaged(path, error) from error


def _characters(path: Path) -> tuple[dict[int, set[tuple[str, int]]], dict[int, str]]:
    """Who has which part in each token's deed, and the gender of each."""
    casts: defaultdict[int, set[tuple[str, int]]] = defaultdict(set)
    genders: dict[int, str] = {}
    try:
        for one in parse_json(read_text(path))["characters"]:
            taken = one.get("g") or {"max": 0}
            genders[int(one["id"])] = _GENDERS.get(taken["argmax"], "") if taken["max"] >= 0.5 else ""
            for role in ("agent", "patient"):
                for deed in one[role]:
                    casts[int(deed["i"])].add((role, int(one["id"])))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(path, error) from error
    return casts, genders


def _damaged(path: Path, error: Exception) -> ProjectError:
    said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return ProjectError(
        f"{path} is not as BookNLP 1.0 writes it ({said}): copy it again, or run BookNLP again"
    )


class _Run:
    """One run's tokens, and where they stand in the document."""

    def __init__(self, tokens: list[dict[str, Any]], places: Places) -> None:
        self._tokens = tokens
        self._places = places
        self._ids: dict[int, str] = {}
        self._proper: set[int] = set()
        words = [token["word"] for token in tokens]
        self._starts = [0, *accumulate(len(word) + 1 for word in words)]
        self._theirs = Edition(" ".join(words))
        self._found = self._theirs.aligned(places.book)
        places.dropped["words that do not stand in the text"] = self._found.count(-1)

    def _evidence(self, start: int, end: int) -> Evidence | None:
        """What the document has for these tokens: the first word and the last are the same, and so is half of
        what is between at least."""
        if not 0 <= start <= end < len(self._tokens):
            return None
        first, last = (bisect_left(self._theirs.starts, self._starts[at]) for at in (start, end + 1))
        found = self._found[first:last]
        if not found or -1 in (found[0], found[-1]):
            return None
        length = max(found[-1] - found[0] + 1, len(found))
        same = 2 * (len(found) - found.count(-1)) >= length
        return self._places.evidence(self._places.book.span(found[0], found[-1] + 1)) if same else None

    def _paragraph(self, place: int) -> tuple[int, int]:
        """With the chapter, since a paragraph of theirs may be in two of ours."""
        word = self._evidence(place, place)
        return self._tokens[place]["paragraph_ID"], word.chapter if word else 0

    def _sentence(self, place: int) -> Evidence | None:
        word = self._evidence(place, place)
        return self._places.evidence(self._places.sentence(word.span.start)) if word else None

    def mentions(self, rows: list[dict[str, Any]], genders: dict[int, str]) -> Iterator[EntityMention]:
        """Named by each cluster's most frequent name, else common noun; pronouns are left out."""
        names: defaultdict[int, Counter[tuple[bool, str]]] = defaultdict(Counter)
        for row in rows:
            if row["prop"] != "PRON":
                names[row["COREF"]][row["prop"] == "PROP", row["text"]] += 1
        slugs = Slugs()
        for cluster, found in sorted(names.items()):
            proper, name = max(found, key=lambda each: (each[0], found[each], each[1]))
            if proper or cluster in genders:
                self._ids[cluster] = slugs.fresh(name)
        for row in rows:
            cluster, kind = row["COREF"], _KINDS.get(row["cat"])
            if row["prop"] == "PROP":
                self._proper.add(row["start_token"])
            if row["prop"] == "PRON" or kind is None or cluster not in self._ids:
                self._places.dropped["pronouns, and things without a name"] += 1
            elif (evidence := self._evidence(row["start_token"], row["end_token"])) is None:
                self._places.dropped["mentions that do not stand in the text"] += 1
            else:
                gender = genders.get(cluster, "") if kind is EntityKind.CHARACTER else ""
                yield self._places.mention(self._ids[cluster], kind, evidence, gender)

    def quotations(self, rows: list[dict[str, Any]]) -> Iterator[QuotationTold]:
        """With the sentence that names the speaker where it stands in the same paragraph: BookNLP gives the
        nearest mention even where the turns alone tell who speaks."""
        for row in rows:
            start, end, named = row["quote_start"], row["quote_end"], row["mention_start"]
            said, sign = self._evidence(start, end), self._sentence(named)
            if said is None:
                self._places.dropped["quotations that do not stand in the text"] += 1
                continue
            speaker = self._ids.get(row["char_id"])
            kind, quotes = "implicit", [said]
            outside = sign is not None and not start <= named <= end
            if speaker and sign and outside and self._paragraph(named) == self._paragraph(start):
                kind = "explicit" if named in self._proper else "anaphoric"
                quotes.append(sign)
            confidence = CONFIDENCE if speaker else 0.0
            yield QuotationTold(speaker, (), said.chapter, tuple(quotes), 1, kind, confidence)

    def events(self, casts: dict[int, set[tuple[str, int]]]) -> Iterator[EventTold]:
        """What characters do and suffer."""
        for place, cast in sorted(casts.items()):
            parts = sorted((role, self._ids[who]) for role, who in cast if who in self._ids)
            evidence = self._sentence(place)
            if not parts or evidence is None or self._tokens[place]["event"] != "EVENT":
                self._places.dropped["deeds that are no events, or do not stand in the text"] += 1
                continue
            yield EventTold(
                f"event-{place}",
                "DOES",
                tuple(parts),
                evidence.chapter,
                Interval(evidence.chapter, evidence.chapter),
                (evidence,),
                confidence=CONFIDENCE,
                verb=self._tokens[place]["lemma"],
                origin="model",
            )
