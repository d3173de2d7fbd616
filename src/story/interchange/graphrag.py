"""Microsoft GraphRAG (its Parquet tables): a graph that a language model drew from chunks of the book.

Tables ``entities``, ``relationships`` and ``text_units``, up to 1.x ``create_final_entities`` and so on. They
hold names and free descriptions but no quotes. The quotes are found here: where the names stand in their
chunks, and the sentences with both ends.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...core.types import Evidence, Span
from ...errors import ModelMissing, ProjectError
from ..graph_rag.views.story_view import StoryView
from ..lexicon.inflection import verb_lemma
from ..lexicon.verb_rules import VERBS
from ..lexicon.verbs_and_nouns import ADJECTIVES, KIN
from ..linking.state import ToldChapter
from ..model.predicates import PREDICATES
from ..model.types import EntityKind, EntityMention, Modality, Relation
from ..names.slugs import Slugs
from .alignment import Edition
from .importing import Places

NAMED_CONFIDENCE = 0.5  # the tie is the model's word, that both are named there is the text's
VAGUE_CONFIDENCE = 0.3  # two people whose tie no predicate fits: that they have to do with each other
_QUOTES_KEPT = 3
MOST_BYTES = 30_000_000  # of what is read of a table; the text of some twenty novels
_BATCH = 16  # rows; a page of Parquet may unpack to far more than it is on disk
_PEOPLE = (EntityKind.CHARACTER, EntityKind.GROUP)
_KINDS = {
    "person": EntityKind.CHARACTER,
    "character": EntityKind.CHARACTER,
    "organization": EntityKind.GROUP,
    "group": EntityKind.GROUP,
    "geo": EntityKind.LOCATION,
    "location": EntityKind.LOCATION,
    "event": EntityKind.EVENT,
}
_PLACES = frozenset({"LOCATED_AT", "LIVES_IN", "COMES_FROM"})
_LOOKED_AT = 4_000  # characters of a description
_UNDONE = frozenset(
    "not never no longer former formerly ex once almost nearly may might would could t".split()
)


def import_graphrag(folder: Path, places: Places, view: StoryView | None) -> dict[str, list[Any]]:
    """The mentions and relations of a graph in GraphRAG's output folder.

    A mention is every place in an entity's chunks where its name stands. An edge is told in each chapter that
    has a sentence in one of its chunks naming both ends, and those sentences are its evidence; its predicate
    is read from its description, which knows the whole book. An entity without a known type has the kind that
    ``view`` has for its name.
    """
    graph = _Graph(places, _rows(folder, "text_units", ("id", "text")))
    mentions = graph.mentions(_rows(folder, "entities", ("title", "type", "text_unit_ids")), view)
    edges = _rows(folder, "relationships", ("source", "target", "description", "text_unit_ids"))
    return {"mentions": list(mentions), "relations": list(graph.relations(edges))}


def _rows(folder: Path, table: str, columns: tuple[str, ...]) -> Iterator[list[Any]]:
    paths = [folder / f"{before}{table}.parquet" for before in ("", "create_final_")]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise ProjectError(f"{folder} holds no {table}.parquet: name the output folder of GraphRAG")
    try:
        import pyarrow
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise ModelMissing(f"{path.name} is Parquet, which needs pyarrow: pip install pyarrow") from error
    size = 0
    try:
        file = ParquetFile(path)
        if missing := [name for name in columns if name not in file.schema_arrow.names]:
            raise ProjectError(
                f"{path} has no column {', '.join(missing)}: export it with GraphRAG 1.0 or later"
            )
        for batch in file.iter_batches(_BATCH, columns=list(columns)):
            rows = [[row[name] for name in columns] for row in batch.to_pylist()]
            size += batch.nbytes + sum(len(cell) for row in rows for cell in row if isinstance(cell, str))
            if size > MOST_BYTES:
                raise ProjectError(f"{path} holds more than {MOST_BYTES:,} bytes: import the book in parts")
            yield from rows
    except (OSError, pyarrow.ArrowException) as error:
        raise ProjectError(f"{path} cannot be read as Parquet ({error}): copy it again") from error


class _Graph:
    def __init__(self, places: Places, chunks: Iterable[list[Any]]) -> None:
        self._places = places
        self._book = places.book
        self._where: defaultdict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(self._book.words):
            self._where[word].append(number)
        self._chunks: dict[str, Span] = {}
        for id_, text in chunks:
            longer = len(str(text)) > 2 * len(places.document.text) + 1_000
            place = None if longer else self._book.place(Edition(str(text)))
            if place is None:
                places.dropped["chunks that do not stand in the text"] += 1
            else:
                self._chunks[str(id_)] = place
        self._ids: dict[str, str] = {}
        self._kinds: dict[str, EntityKind] = {}
        self._sentences: defaultdict[str, set[Span]] = defaultdict(set)

    def mentions(self, rows: Iterable[list[Any]], view: StoryView | None) -> Iterator[EntityMention]:
        """Every place where a name stands in the chunks it was found in, but inside a longer name."""
        slugs = Slugs()
        told = reversed(view.entities() if view else ())  # of two with one name the most mentioned
        own = {_plain(name): each.kind for each in told for name in (*each.aliases, each.name)}
        spans: defaultdict[str, set[Span]] = defaultdict(set)
        for title, kind, chunks in rows:
            name = _plain(title)
            if name and name not in self._ids:
                self._ids[name] = slugs.fresh(name)
                known = own.get(name, EntityKind.OBJECT)
                self._kinds[name] = _KINDS.get(str(kind).strip().casefold(), known)
            spans[name] |= self._stretches(chunks)
        found = [(start, -end, name) for name in self._ids for start, end in self._stand(name, spans[name])]
        last = 0
        for start, end, name in sorted(found):
            span = self._book.span(start, -end)
            evidence = self._places.evidence(span)
            if start >= last and evidence is not None:
                last = -end
                self._sentences[name].add(self._places.sentence(span.start))
                yield self._places.mention(self._ids[name], self._kinds[name], evidence)
        lost = len(self._ids) - len(self._sentences)
        self._places.dropped["entities whose name does not stand in their chunks"] += lost

    def _stretches(self, chunks: Any) -> set[Span]:
        return {self._chunks[chunk] for chunk in chunks or () if chunk in self._chunks}

    def _stand(self, name: str, spans: set[Span]) -> Iterator[tuple[int, int]]:
        """The words from and to; what names somebody is not written small."""
        words = name.split()
        rarest = min(range(len(words)), key=lambda place: len(self._where.get(words[place], ())))
        proper = self._kinds[name] in (*_PEOPLE, EntityKind.LOCATION)
        for place in self._where.get(words[rarest], ()):
            start, end = place - rarest, place - rarest + len(words)
            if start >= 0 and self._book.words[start:end] == words:
                span = self._book.span(start, end)
                surface = span.of(self._places.document.text)
                small = proper and surface == surface.lower() != surface.upper()
                if not small and any(chunk.contains(span) for chunk in spans):
                    yield start, end

    def relations(self, rows: Iterable[list[Any]]) -> Iterator[Relation]:
        """One for each chapter that has a sentence in the edge's chunks with both its ends."""
        dropped = self._places.dropped
        for source, target, description, chunks in rows:
            ends = (_plain(source), _plain(target))
            if ends[0] == ends[1] or not self._sentences.keys() >= set(ends):
                dropped["edges with an end that has no mention"] += 1
                continue
            tie = self._tie(str(description or ""), *ends)
            if tie is None:
                dropped["edges whose words fit no predicate"] += 1
                continue
            spans = self._stretches(chunks)
            told: defaultdict[int, list[Evidence]] = defaultdict(list)
            for sentence in sorted(self._sentences[ends[0]] & self._sentences[ends[1]]):
                evidence = self._places.evidence(sentence)
                if evidence is not None and any(chunk.overlaps(sentence) for chunk in spans):
                    told[evidence.chapter].append(evidence)
            if not told:
                dropped["edges without a sentence that names both ends"] += 1
            for chapter, quotes in told.items():
                yield self._relation(tie, chapter, quotes)

    def _tie(self, description: str, one: str, other: str) -> tuple[str, str, str, float] | None:
        """Predicate, subject, object, confidence; None where the table of predicates has no place for it."""
        predicate, forward = edge_predicate(description, one, other)
        subject, object_ = (one, other) if forward else (other, one)
        if self._kinds[subject] not in _PEOPLE:  # "London is where Anna lives"
            subject, object_ = object_, subject
        kind, person = self._kinds[object_], self._kinds[subject] in _PEOPLE
        fits = kind is EntityKind.LOCATION if predicate in _PLACES else kind in _PEOPLE or predicate == "OWNS"
        if predicate and person and fits:
            return predicate, subject, object_, NAMED_CONFIDENCE
        return ("KNOWS", one, other, VAGUE_CONFIDENCE) if person and kind in _PEOPLE else None

    def _relation(self, tie: tuple[str, str, str, float], told: int, quotes: list[Evidence]) -> Relation:
        predicate, one, other, confidence = tie
        document = self._places.document
        holds = ToldChapter(document, document.chapter(told)).holds(predicate, Modality.FACT)
        ends, kept = (self._ids[one], self._ids[other]), tuple(quotes[:_QUOTES_KEPT])
        return Relation(ends[0], predicate, ends[1], holds, told, kept, confidence, origin="model")


def _plain(name: Any) -> str:
    """A name's words and marks, a blank between two."""
    return " ".join(Edition(str(name or "")).words)


def edge_predicate(description: str, one: str, other: str) -> tuple[str, bool]:
    """What the description of an edge between two (in plain words) says, "" for nothing that lasts, and
    whether ``one`` is its subject: who is named first, but for "other is loved by one" and "one's brother
    other". What is negated, past or only possible says nothing."""
    for clause in re.split(r"[.;,\n]", description[:_LOOKED_AT]):
        words = Edition(clause).words
        said = f" {' '.join(words)} "
        for place, (word, behind) in enumerate(zip(words, (*words[1:], ""), strict=False)):
            if word in _UNDONE:
                break
            predicate = _predicate(word, behind)
            if predicate:
                first = said.find(f" {one} "), said.find(f" {other} ")
                forward = not 0 <= first[1] < first[0]
                whose = f" {' '.join(words[:place])} "
                if f" {other} ' s " in whose or f" {one} ' s " in whose:
                    forward = f" {other} ' s " in whose
                return predicate, forward != (behind == "by")
    return "", True


def _predicate(word: str, behind: str) -> str:
    for noun in (word, word.removesuffix("s")):
        if noun in KIN:
            return KIN[noun][0]
    if (word, behind) in ADJECTIVES:
        return ADJECTIVES[word, behind][0]
    for rule in VERBS.get(verb_lemma(word, word), ()):
        predicate = "MARRIED_TO" if rule.predicate == "MARRIES" else rule.predicate
        bare = rule.slot == f"prep:{behind}" and not (rule.particle or rule.noun)
        if (rule.plain or bare) and PREDICATES[predicate].lasting:
            return predicate
    return ""
