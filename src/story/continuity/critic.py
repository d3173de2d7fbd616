"""The critic: rules over a story graph, their findings ranked, duplicates merged, and counted.

Blind by construction: it is given a view and a number of words, and has no way to learn who or what
wrote the text.

A text that is not part of the story is checked against what the story has told so far: see ``SourceChecker``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.runtime.memory_limits import collection_put_off
from ...core.types import Chapter, Document, Horizon, Span
from ...errors import UsageError
from ..graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from ..linking.linker import Linker
from ..model.aspects import holds
from ..model.chapter_reading import ChapterReader
from ..model.findings import CheckReport, Violation
from ..model.types import StoryLog
from .rules.attribute_conflict import attribute_conflict
from .rules.canon_conflict import canon_conflict
from .rules.dead_then_acts import dead_then_acts
from .rules.kinship_conflict import kinship_conflict
from .rules.relationship_conflict import relationship_conflict
from .rules.rule import Record, Rule, first_quote
from .rules.timeline_conflict import timeline_conflict

if TYPE_CHECKING:
    from .by_model.critic import ModelCritic


RULES: tuple[Rule, ...] = (
    attribute_conflict,
    canon_conflict,
    dead_then_acts,
    kinship_conflict,
    relationship_conflict,
    timeline_conflict,
)
"""Every rule there is, in order of name."""


def chosen_rules(only: Sequence[str] = (), *, without: Sequence[str] = ()) -> tuple[Rule, ...]:
    """The rules of :data:`RULES` with these names (all, where none is named), but for those of
    ``without``. Raises UsageError for a name that no rule has, or where none is left."""
    named = {rule.__name__: rule for rule in RULES}
    for name in (*only, *without):
        if name not in named:
            raise UsageError(f"there is no rule {name!r}: choose of {', '.join(named)}")
    chosen = [name for name in named if name in only or not only]
    left = tuple(named[name] for name in chosen if name not in without)
    if not left:
        raise UsageError("no rule is left: name fewer to leave out")
    return left


class ContinuityCritic:
    """Checks a story, or a draft told on top of it. Deterministic: same view, same report, as far as a
    language model is."""

    def __init__(
        self, rules: Sequence[Rule] = RULES, *, model: ModelCritic | None = None, measured: Sequence[str] = ()
    ) -> None:
        """The order of the rules does not matter. ``model`` looks for more, and tries what the rules find;
        ``measured``: the origins of findings that count (see CheckReport)."""
        self.rules = tuple(rules)
        self.model = model
        self._measured = tuple(measured)

    def check(self, view: StoryView, *, words: int, draft: Document | None = None) -> CheckReport:
        """The findings, the surest first (ties by chapter of the later quote, rule, entities, place).

        ``draft`` is linked on top of a source log: only findings whose later quote stands in it, and only
        its facts counted. ``words`` is the length of the text
        under check. Findings of one rule about the same entities that share a quote are one finding
        with the quotes of all. Records that can be checked are relations, events and typed facts, as far as
        the text vouches for them.
        """
        only_document = draft.id if draft is not None else None
        found: list[Violation] = []
        checked: set[Record] = set()
        for rule in self.rules:
            for one in rule(view, only_document):
                if not isinstance(one, Violation):
                    checked.add(one)
                elif only_document in (None, one.evidence[-1].document_id):
                    found.append(one)
        if self.model is not None:
            found = list(self.model.judged(view, _merged(view, found), draft=draft))
        ranked = sorted(_merged(view, found), key=lambda violation: _rank(view, violation))
        facts = _facts(view, only_document)
        return CheckReport(
            violations=tuple(ranked),
            facts_checkable=len(facts),
            facts_checked=len(checked & facts),
            words=words,
            measured=self._measured,
        )


def _facts(view: StoryView, document: str | None) -> frozenset[Record]:
    told: tuple[Record, ...] = (
        *view.relations(),
        *view.events(),
        *filter(holds, view.facts()),
    )
    return frozenset(
        record
        for record in told
        if (quote := first_quote(record)) is not None and document in (None, quote.document_id)
    )


def _rank(view: StoryView, violation: Violation) -> tuple[object, ...]:
    return (
        -violation.confidence,
        violation.evidence[-1].chapter,
        violation.rule,
        violation.entities,
        tuple(view.place(quote) for quote in reversed(violation.evidence)),
        violation.message,
    )


def _merged(view: StoryView, violations: Iterable[Violation]) -> list[Violation]:
    groups: list[list[Violation]] = []
    for violation in violations:
        alike = [group for group in groups if any(_near(violation, other) for other in group)]
        for group in alike:
            groups.remove(group)
        groups.append([*(one for group in alike for one in group), violation])
    return [_as_one(view, group) for group in groups]


def _near(one: Violation, other: Violation) -> bool:
    return (
        one.rule == other.rule
        and sorted(one.entities) == sorted(other.entities)
        and not set(one.evidence).isdisjoint(other.evidence)
    )


def _as_one(view: StoryView, group: Sequence[Violation]) -> Violation:
    """The first of the group, with every quote of the group in order of telling."""
    first = min(group, key=lambda violation: _rank(view, violation))
    if len(group) == 1:
        return first
    quotes = {quote for violation in group for quote in violation.evidence}
    ordered = sorted(quotes, key=lambda quote: (view.place(quote), quote.span.end, quote.document_id))
    return replace(first, evidence=tuple(ordered))


DRAFT_ID = "draft"


def draft_document(text: str, *, chapter: int) -> Document:
    """A draft as a document of one chapter of that number, without a heading."""
    return Document(DRAFT_ID, "draft", text, (Chapter(chapter, "draft", Span(0, 0), Span(0, len(text))),))


class SourceChecker:
    """The critic, bound to a story at a horizon.

    ``linker`` has read the story up to and including chapter ``horizon`` and no further; it is copied for
    each draft, so drafts never see one another. Evidence from the draft names the document
    :data:`DRAFT_ID`, with offsets into the draft's own text.
    """

    def __init__(
        self, linker: Linker, reader: ChapterReader, critic: ContinuityCritic, *, horizon: int
    ) -> None:
        self._linker = linker
        self._reader = reader
        self._critic = critic
        self._next = horizon + 1

    @property
    def log(self) -> StoryLog:
        """All told up to the horizon; costs one copy of its lists."""
        return self._linker.log

    def check(self, text: str, /) -> CheckReport:
        """Reads the text as the chapter after the horizon. An empty text has nothing to check."""
        draft = draft_document(text, chapter=self._next)
        view = self._appended(draft, draft.chapters[0]).as_of(Horizon(self._next))
        return self._critic.check(view, words=len(text.split()), draft=draft)

    def grown(self, document: Document, /) -> StoryKnowledgeGraph:
        """The story's graph with the chapter after the horizon, which ``document`` holds, appended for good:
        the same as that of all its chapters read one after the other. Raises HorizonError where the document
        has no such chapter."""
        return self._appended(document, document.chapter(self._next))

    def _appended(self, document: Document, chapter: Chapter) -> StoryKnowledgeGraph:
        """Somebody waits for it: garbage is left lying until it is there."""
        with collection_put_off():
            linker = self._linker.copy()
            body = chapter.body.of(document.text)
            linker.add(document, chapter, self._reader.read(body, linker.told_before()))
            return StoryKnowledgeGraph.from_log(linker.log)
