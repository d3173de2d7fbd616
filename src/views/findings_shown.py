"""What the critic found, each finding with both quotes in their context, and what its rule assumes."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass

from ..core.types import Document
from ..story.continuity.reporting.sarif import rule_help
from ..story.continuity.rules.rule import Rule
from ..story.continuity.suppressions import Suppression
from ..story.graph_rag.views.story_view import StoryView
from ..story.model.findings import CheckReport, Violation, sureness
from .quotes import QuoteInContext, in_context, quotes_shown

_MOST_SIDES = 12


@dataclass(frozen=True, slots=True)
class FindingShown:
    """A finding. ``sides`` are its quotes in context, the earlier first; ``chapter`` is that of the last,
    ``entities`` are names, ``confidence`` how sure it is (0 to 1), ``sureness`` the same in
    words. ``state`` is that of the author's note ("meant" where it is suppressed; empty without one), and
    ``reason`` its text."""

    fingerprint: str
    rule: str
    severity: str
    message: str
    entities: tuple[str, ...]
    chapter: int
    sides: tuple[QuoteInContext, ...]
    suggestion: str
    unless: str
    origin: str
    confidence: float
    reason: str = ""
    sureness: str = ""
    state: str = ""

    @property
    def how_sure(self) -> str:
        """``sureness`` without its number."""
        return self.sureness.partition(" (")[0]


@dataclass(frozen=True, slots=True)
class FindingsShown:
    """A check: the findings, the surest first, those suppressed, and in how much they were found (see
    CheckReport for ``counted``, ``consistency``, ``coverage`` and the rate)."""

    findings: tuple[FindingShown, ...]
    suppressed: tuple[FindingShown, ...]
    counted: int
    consistency: float | None
    coverage: float | None
    per_10k_words: float | None
    rate_interval: tuple[float, float] | None
    facts_checkable: int
    facts_checked: int
    words: int


@dataclass(frozen=True, slots=True)
class RuleShown:
    """A rule: what it looks for in a line, and what it assumes and cannot see."""

    name: str
    summary: str
    assumes: str


def findings_shown(
    report: CheckReport,
    document: Document,
    *,
    view: StoryView | None = None,
    draft: str | None = None,
    context: int = 1,
    notes: Iterable[Suppression] = (),
) -> FindingsShown:
    """The report with ``context`` sentences round each quote, of the quote's own chapter, and the author's
    ``notes`` on findings that are not suppressed.

    ``view`` names the entities (without it their ids are given); ``draft`` is the text that was checked where
    it was not the story. Nothing is shown that the report does not quote or that stands beyond the chapter of
    a quote.
    """

    noted = {one.fingerprint: one for one in notes}

    def shown(found: Violation, meant: str | None = None) -> FindingShown:
        note = noted.get(found.fingerprint) if meant is None else Suppression(meant, found.fingerprint)
        quotes = quotes_shown(found.evidence, most=_MOST_SIDES)
        return FindingShown(
            found.fingerprint,
            found.rule,
            found.severity.value,
            found.message,
            tuple(view.name(one) if view else one for one in found.entities),
            found.evidence[-1].chapter if found.evidence else 0,
            tuple(in_context(quote, document, draft=draft, context=context) for quote in quotes),
            found.suggestion,
            found.unless,
            found.origin,
            found.confidence,
            note.reason if note else "",
            sureness(found),
            note.state if note else "",
        )

    return FindingsShown(
        tuple(shown(one) for one in report.violations),
        tuple(shown(one.violation, one.reason) for one in report.suppressed),
        len(report.counted),
        report.consistency,
        report.coverage,
        report.per_10k_words,
        report.rate_interval,
        report.facts_checkable,
        report.facts_checked,
        report.words,
    )


def rules_shown(rules: Iterable[Rule]) -> tuple[RuleShown, ...]:
    """Each rule in words, in the order given."""
    return tuple(
        RuleShown(one.__name__, rule_help(one), _paragraphs(inspect.getdoc(one) or "")) for one in rules
    )


def _paragraphs(docstring: str) -> str:
    """The docstring as running text: one line a paragraph, without the marks of code."""
    parts = docstring.replace("``", "").split("\n\n")
    return "\n".join(" ".join(part.split()) for part in parts if part.strip())
