"""How much of what a chapter really uses was in the context that a pipeline would have written it from?

A published chapter is taken as the answer: its opening is the prompt, the horizon is the chapter before, and
what the rest of the chapter takes up from earlier is what a context should have held. No text is generated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fabula.core.text.sentences import sentences
from fabula.core.types import Chapter, Document, Evidence, Horizon, Span
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import EntityKind
from fabula.story.writing.context import StoryContext
from fabula.story.writing.context_maker import ComparisonSettings, ContextMaker
from fabula.story.writing.pipelines import Pipeline

__all__ = ["KINDS", "Held", "Need", "ReplayedChapter", "Replayer", "held_by", "needs_of", "opening_of"]

KINDS = ("people", "places", "facts", "wording")
OPENING_WORDS = 60
_SEEN_BEFORE = 3  # a word of the story's own stood in so many chapters before, at most
_LEAST_LETTERS = 6
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TOO_WEAK = frozenset({"KNOWS", "APPEARS_WITH"})  # says no more than that both are there


@dataclass(frozen=True, slots=True)
class Need:
    """Something of the earlier story that a chapter takes up. ``kind`` is one of ``KINDS``.

    ``surfaces`` are the words any of which names it (people, places, wording); ``evidence`` the earlier
    quotes any of which tells it (facts). ``label`` is for people to read.
    """

    kind: str
    label: str
    surfaces: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """Of ``needed`` things of one kind a context held ``held``."""

    kind: str
    needed: int
    held: int


@dataclass(frozen=True, slots=True)
class ReplayedChapter:
    """One chapter replayed with one pipeline.

    ``tokens`` is the length of the context. ``leaks`` counts what it holds from the chapter itself or later:
    sources told there, and names that no earlier text has. ``error`` as on ``MadeContext``.
    """

    chapter: int
    pipeline: str
    tokens: int
    held: tuple[Held, ...]
    leaks: int
    error: str = ""

    @property
    def recall(self) -> float | None:
        """Mean over the kinds that were needed of the share held, 0 to 1; None where nothing was."""
        shares = [each.held / each.needed for each in self.held if each.needed]
        return sum(shares) / len(shares) if shares else None

    @property
    def per_1000_tokens(self) -> float | None:
        """Needed things held in 1,000 tokens of context; None where nothing was needed or given."""
        if not self.tokens or not any(each.needed for each in self.held):
            return None
        return 1000 * sum(each.held for each in self.held) / self.tokens


class _Graph(Protocol):
    def as_of(self, horizon: Horizon, /) -> StoryView: ...


class Replayer:
    """Replays chapters of one story. ``graph`` is of the whole story; contexts see it cut."""

    def __init__(self, document: Document, *, graph: _Graph, maker: ContextMaker) -> None:
        self._document = document
        self._graph = graph
        self._maker = maker
        self._vocabulary: dict[str, list[int]] | None = None

    def replay(
        self, number: int, pipelines: Sequence[Pipeline], *, room: ComparisonSettings
    ) -> tuple[ReplayedChapter, ...]:
        """One result a pipeline, for chapter ``number`` (2 or later: the first has nothing before it).

        The order of the pipelines changes no result. Raises HorizonError for a chapter that is not.
        """
        chapter = self._document.chapter(number)
        opening = opening_of(self._document, chapter)
        needs = needs_of(
            self._document,
            chapter,
            before=self._graph.as_of(Horizon(number - 1)),
            through=self._graph.as_of(Horizon(number)),
            words=self._words(),
        )
        later = self._later_names(number)
        task = self._maker.task(opening, horizon=Horizon(number - 1), room=room)
        found = []
        for pipeline in pipelines:
            made = self._maker.make(task, pipeline)
            if made.context is None:
                found.append(ReplayedChapter(number, pipeline.name, 0, (), 0, made.error))
                continue
            context = made.context
            found.append(
                ReplayedChapter(
                    number,
                    pipeline.name,
                    context.context.tokens,
                    held_by(context, needs),
                    _leaks(context, number, later),
                )
            )
        return tuple(found)

    def _words(self) -> Mapping[str, list[int]]:
        """The chapters in which each word stands, in order."""
        if self._vocabulary is None:
            self._vocabulary = {}
            for chapter in self._document.chapters:
                text = chapter.body.of(self._document.text)
                for word in sorted({w.casefold() for w in _WORD.findall(text)}):
                    self._vocabulary.setdefault(word, []).append(chapter.number)
        return self._vocabulary

    def _later_names(self, number: int) -> frozenset[str]:
        """Words of names that the story has first in this chapter or later, and nowhere before in any use."""
        words, found = self._words(), set()
        for entity in self._graph.as_of(Horizon(None)).entities():
            if entity.first_appearance >= number:
                for word in _WORD.findall(entity.name):
                    told = words.get(word.casefold(), ())
                    if told and told[0] >= number and len(word) >= _LEAST_LETTERS:
                        found.add(word.casefold())
        return frozenset(found)


def opening_of(document: Document, chapter: Chapter) -> str:
    """The first whole sentences of the chapter's body, up to about sixty words, one at least."""
    return _opening(document, chapter).of(document.text).strip()


def _opening(document: Document, chapter: Chapter) -> Span:
    body = chapter.body.of(document.text)
    told, words = sentences(body), 0
    end = told[0].end if told else 0
    for sentence in told:
        words += len(sentence.of(body).split())
        if words > OPENING_WORDS:
            break
        end = sentence.end
    return Span(chapter.body.start, chapter.body.start + end)


def needs_of(
    document: Document,
    chapter: Chapter,
    *,
    before: StoryView,
    through: StoryView,
    words: Mapping[str, Sequence[int]],
) -> tuple[Need, ...]:
    """What the chapter takes up from before, without what its opening says already.

    *People* and *places*: those the story knew that are named after the opening. *Facts*: relations and typed
    events of the chapter that were told before of the same two ("knows" and being there are none). *Wording*:
    words of six letters or more, lower case in the chapter, that stood in one to three chapters before it:
    the story's own words, whatever the graph makes of them, so this kind owes nothing to extraction.
    ``before`` and ``through`` are the views up to the chapter before and this one; ``words`` gives the
    chapters in which each word (case folded) stands.
    """
    opening = _opening(document, chapter)
    said = {word.casefold() for word in _WORD.findall(opening.of(document.text))}
    return (
        *_named(before, through, chapter.number, opening, said),
        *_retold(before, through, chapter.number, opening),
        *_taken_up(document, chapter, opening, words=words, said=said),
    )


def _named(
    before: StoryView, through: StoryView, number: int, opening: Span, said: set[str]
) -> Iterator[Need]:
    known = {entity.id: entity for entity in before.entities()}
    named: dict[str, None] = {}
    for mention in through.log.mentions:
        if mention.told == number and mention.evidence.span.start >= opening.end:
            named.setdefault(before.resolve(mention.entity))
    for who in sorted(named):
        entity = known.get(who)
        kinds = {EntityKind.CHARACTER: "people", EntityKind.LOCATION: "places"}
        if entity is None or entity.kind not in kinds:
            continue
        surfaces = tuple(dict.fromkeys((entity.name, *entity.aliases)))
        if any({w.casefold() for w in _WORD.findall(s)} <= said for s in surfaces):
            continue
        yield Need(kinds[entity.kind], entity.name, surfaces)


def _retold(before: StoryView, through: StoryView, number: int, opening: Span) -> Iterator[Need]:
    earlier: dict[tuple[str, ...], list[Evidence]] = {}
    for key, _, evidence in _facts(before):
        earlier.setdefault(key, []).extend(evidence)
    again = {
        key
        for key, told, evidence in _facts(through)
        if told == number and evidence and evidence[0].span.start >= opening.end
    }
    for key in sorted(again & earlier.keys()):
        yield Need("facts", " ".join(key), evidence=tuple(dict.fromkeys(earlier[key])))


def _facts(view: StoryView) -> Iterator[tuple[tuple[str, ...], int, tuple[Evidence, ...]]]:
    """What is told of two, with the chapter and the quotes: relations, and events that have a type."""
    for relation in view.relations():
        row = PREDICATES[relation.predicate]
        if relation.predicate in _TOO_WEAK or not row.lasting:
            continue
        ends = (relation.subject, relation.object)
        pair = tuple(sorted(ends)) if row.symmetric else ends
        yield (relation.predicate, *pair), relation.told, relation.evidence
    for event in view.events():
        people = sorted({who for _, who in event.participants})
        if len(people) >= 2:
            yield (event.predicate, *people), event.told, event.evidence


def _taken_up(
    document: Document, chapter: Chapter, opening: Span, *, words: Mapping[str, Sequence[int]], said: set[str]
) -> Iterator[Need]:
    rest = document.text[opening.end : chapter.body.end]
    found = {word for word in _WORD.findall(rest) if len(word) >= _LEAST_LETTERS and word.islower()}
    for word in sorted(found - said):
        earlier = sum(told < chapter.number for told in words.get(word, ()))
        if 1 <= earlier <= _SEEN_BEFORE:
            yield Need("wording", word, (word,))


def held_by(context: StoryContext, needs: Iterable[Need]) -> tuple[Held, ...]:
    """How many of the needs of each kind the context holds: named in its text by any of their names, or
    told by a source that covers half of one of their quotes."""
    inside = f" {' '.join(_words_given(context))} "
    spans = [quote for source in context.sources for quote in source.evidence]
    counts = {kind: [0, 0] for kind in KINDS}
    for need in needs:
        counts[need.kind][0] += 1
        named = any(f" {' '.join(_WORD.findall(s.casefold()))} " in inside for s in need.surfaces)
        counts[need.kind][1] += named or any(_tells(quote, spans) for quote in need.evidence)
    return tuple(Held(kind, needed, held) for kind, (needed, held) in counts.items())


def _tells(quote: Evidence, given: Sequence[Evidence]) -> bool:
    for other in given:
        if other.document_id == quote.document_id:
            shared = min(quote.span.end, other.span.end) - max(quote.span.start, other.span.start)
            if 2 * shared >= len(quote.span):
                return True
    return False


def _leaks(context: StoryContext, number: int, later: frozenset[str]) -> int:
    told = sum(any(quote.chapter >= number for quote in source.evidence) for source in context.sources)
    return told + len(later & set(_words_given(context)))


def _words_given(context: StoryContext) -> list[str]:
    """The words of what was given, case folded, without the labels that a context puts round it."""
    return [word.casefold() for source in context.sources for word in _WORD.findall(source.text)]
