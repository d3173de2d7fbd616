"""Graphs that a language model drew from chunks of a text: names, free descriptions, and the chunks they
came from, but no quotes. The quotes are found here: where the names stand, and the sentences with both ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...core.types import Document, Span
from ..evidence.quote_finder import QuoteFinder
from ..linking.state import ToldChapter
from ..model.predicates import PREDICATES
from ..model.types import EntityKind, EntityMention, EventTold, Modality, Relation, StoryLog
from .edge_words import edge_predicate
from .imported import Imported, Places, Slugs, in_order

__all__ = ["ChunkText", "GraphEdge", "GraphNode", "import_chunk_graph"]

NAMED_CONFIDENCE = 0.5  # the tie is the model's word, that both are named there is the text's
VAGUE_CONFIDENCE = 0.3  # two people whose tie no predicate fits: that they have to do with each other
_QUOTES_KEPT = 3
_TRIMMED = 200  # a chunk's ends may be cut inside a character or carry a heading of the exporter's
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_PLACES = frozenset({"LOCATED_AT", "LIVES_IN", "COMES_FROM"})
_NAMED = _PEOPLE | {EntityKind.LOCATION}
_KINDS = {
    EntityKind.CHARACTER: "person people character human creature animal being individual family member",
    EntityKind.GROUP: "organization organisation group family company clan army team",
    EntityKind.LOCATION: "geo location place city country region building naturalobject setting facility gpe",
    EntityKind.EVENT: "event activity",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A piece of the source text under the exporter's id."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An entity; ``type`` in the exporter's words, ``chunks`` the ids of those it was found in."""

    name: str
    type: str
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A tie between two nodes by name, in free words."""

    source: str
    target: str
    keywords: str
    description: str
    chunks: tuple[str, ...]


def import_chunk_graph(
    document: Document,
    *,
    chunks: Sequence[ChunkText],
    nodes: Sequence[GraphNode],
    edges: Sequence[GraphEdge],
    source: str,
    text: str,
) -> Imported:
    """The graph as a log of the document.

    A mention is every place in a node's chunks where its name stands (its case may differ). An edge is
    told in each chapter that has a sentence in one of its chunks naming both ends, and those sentences are
    its evidence; its predicate is read from its words (see ``edge_words``). The words of an edge were
    written with the whole book in view, so the horizon holds for its place and not for its wording. Nodes
    and edges for which the text has no words are dropped and counted.
    """
    fold = _Fold(document, chunks)
    mentions = fold.mentions(nodes)
    relations, events = fold.ties(edges)
    log = StoryLog(mentions=in_order(mentions), relations=in_order(relations), events=events)
    notes = (
        f"{len(edges)} edges were read, {fold.vague} of them only as KNOWS (confidence {VAGUE_CONFIDENCE})",
        "the wording of an edge knows the whole book, whatever the horizon",
    )
    return Imported.of(log, document, source=source, text=text, dropped=fold.dropped, notes=notes)


class _Fold:
    def __init__(self, document: Document, chunks: Sequence[ChunkText]) -> None:
        self.dropped: Counter[str] = Counter()
        self.vague = 0
        self._document = document
        self._places = Places(document)
        self._finder = QuoteFinder(document.text)
        self._spans: dict[str, Span] = {}
        self._ids: dict[str, str] = {}
        self._kinds: dict[str, EntityKind] = {}
        self._sentences: dict[str, set[int]] = {}
        for chunk in chunks:
            span = self._place_of(chunk.text)
            if span is None:
                self.dropped["chunks that do not stand in the text"] += 1
            else:
                self._spans[chunk.id] = span

    def _place_of(self, text: str) -> Span | None:
        span = self._finder.find(text)
        if span is None and len(text) > 4 * _TRIMMED:
            span = self._finder.find(text[_TRIMMED:-_TRIMMED])
        return span

    def _stretches(self, chunks: Sequence[str]) -> list[Span]:
        """The chunks' places, those that touch made one, so that nothing in an overlap is met twice."""
        found: list[Span] = []
        for span in sorted(self._spans[chunk] for chunk in set(chunks) if chunk in self._spans):
            if found and span.start <= found[-1].end:
                found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
            else:
                found.append(span)
        return found

    # --- who -------------------------------------------------------------------------------------

    def mentions(self, nodes: Sequence[GraphNode]) -> list[EntityMention]:
        places: list[tuple[Span, str]] = []
        slugs = Slugs()
        for node in nodes:
            if node.name in self._ids:
                continue
            self._ids[node.name] = slugs.fresh(node.name)
            self._kinds[node.name] = _KIND_OF.get(node.type.casefold().strip(), EntityKind.OBJECT)
            places += [(span, node.name) for span in self._named(node)]
        kept = list(_outermost(places))
        named = {name for _, name in kept}
        self.dropped["entities whose name does not stand in their chunks"] += len(self._ids) - len(named)
        for span, name in kept:
            self._sentences.setdefault(name, set()).add(self._places.sentence(span.start))
        return [self._mention(span, name) for span, name in kept]

    def _named(self, node: GraphNode) -> Iterator[Span]:
        """A name in other case counts only where the text writes it as a name."""
        proper = self._kinds[node.name] in _NAMED
        for stretch in self._stretches(node.chunks):
            for span in self._finder.find_name(node.name, within=stretch, any_case=True):
                surface = span.of(self._document.text)
                if surface == node.name or not proper or any(map(str.isupper, surface)):
                    yield span

    def _mention(self, span: Span, name: str) -> EntityMention:
        evidence = self._places.evidence(span)
        surface = " ".join(evidence.quote.split())
        return EntityMention(self._ids[name], self._kinds[name], surface, evidence.chapter, evidence)

    # --- what ------------------------------------------------------------------------------------

    def ties(self, edges: Sequence[GraphEdge]) -> tuple[list[Relation], tuple[EventTold, ...]]:
        relations: list[Relation] = []
        events: list[EventTold] = []
        for edge in edges:
            if not {edge.source, edge.target} <= self._sentences.keys():
                self.dropped["edges with an end that has no mention"] += 1
                continue
            tie = self._tie(edge)
            if tie is None:
                self.dropped["edges whose words fit no predicate"] += 1
                continue
            by_chapter = self._evidence(edge)
            if not by_chapter:
                self.dropped["edges without a sentence that names both ends"] += 1
            for chapter, spans in by_chapter.items():
                record = self._record(tie, chapter, spans[:_QUOTES_KEPT])
                (relations if isinstance(record, Relation) else events).append(record)  # type: ignore[arg-type]
        return relations, _numbered(events)

    def _tie(self, edge: GraphEdge) -> tuple[str, str, str, float] | None:
        """Predicate, subject, object, confidence; None where the table has no place for it."""
        read = edge_predicate(edge.keywords, edge.description, first=edge.source, second=edge.target)
        if read is not None:
            predicate, forward = read
            one, other = (edge.source, edge.target) if forward else (edge.target, edge.source)
            if predicate in (*_PLACES, "OWNS") and self._kinds[one] not in _PEOPLE:
                one, other = other, one
            if self._allowed(predicate, one, other):
                return predicate, one, other, NAMED_CONFIDENCE
        if {self._kinds[edge.source], self._kinds[edge.target]} <= _PEOPLE:
            self.vague += 1
            return "KNOWS", edge.source, edge.target, VAGUE_CONFIDENCE
        return None

    def _allowed(self, predicate: str, one: str, other: str) -> bool:
        if one == other or self._kinds[one] not in _PEOPLE:
            return False
        if predicate in _PLACES:
            return self._kinds[other] is EntityKind.LOCATION
        return predicate == "OWNS" or self._kinds[other] in _PEOPLE

    def _evidence(self, edge: GraphEdge) -> Mapping[int, list[Span]]:
        both = self._sentences[edge.source] & self._sentences[edge.target]
        stretches = self._stretches(edge.chunks)
        found: dict[int, list[Span]] = {}
        for number in sorted(both):
            span = self._places.sentences[number]
            if any(stretch.overlaps(span) for stretch in stretches):
                found.setdefault(self._places.chapter(span.start), []).append(span)
        return found

    def _record(
        self, tie: tuple[str, str, str, float], chapter: int, spans: Sequence[Span]
    ) -> Relation | EventTold:
        predicate, one, other, confidence = tie
        quotes = tuple(self._places.evidence(span) for span in spans)
        told = ToldChapter(self._document, self._document.chapter(chapter))
        holds = told.holds(predicate, Modality.FACT)
        subject, target = self._ids[one], self._ids[other]
        if PREDICATES[predicate].lasting:
            return Relation(subject, predicate, target, holds, chapter, quotes, confidence, origin="model")
        cast = (("agent", subject), ("patient", target))
        return EventTold("", predicate, cast, chapter, holds, quotes, confidence=confidence, origin="model")


def _outermost(places: Sequence[tuple[Span, str]]) -> Iterator[tuple[Span, str]]:
    """In order of the text, without names inside longer ones ("Holmes" in "Sherlock Holmes")."""
    end = -1
    for span, name in sorted(places, key=lambda place: (place[0].start, -place[0].end, place[1])):
        if span.end > end:
            yield span, name
            end = span.end


def _numbered(events: Sequence[EventTold]) -> tuple[EventTold, ...]:
    from dataclasses import replace

    ordered = in_order(events)
    return tuple(replace(event, id=f"event-{number}") for number, event in enumerate(ordered, 1))
