"""An answer to a question, for a terminal and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.files.plain_json import plain
from ...core.text.sentences import in_marks
from ...core.types import Evidence
from ...story.model.types import CODEX_ID
from ..quotes import quote_shown
from .render import harmless, wrapped

if TYPE_CHECKING:
    from ...core.answering.answered import Answered
    from ...core.answering.grounding import Citation

NEAREST = "No sure answer. What the story says that comes nearest:"
"""Stands above quotes that hold no short answer."""

LAID_DOWN = "the codex lays down, whatever the text says"
"""Stands above what a codex says on the question."""


def answered_facts(answered: Answered) -> dict[str, Any]:
    """The answer as JSON data without its seconds: the same question, the same bytes."""
    facts: dict[str, Any] = plain(answered)
    del facts["seconds"]
    return facts


def answered_text(answered: Answered) -> str:
    """Where no model writes, first what a codex lays down on it, which holds. Then the answer, then the
    quotes it stands on (in an extractive one they are the answer, with the words that say it above them where
    these are likely; for one that the story does not give, the closest passage), then what a reader should
    know."""
    said = [answered.short or NEAREST] if answered.extractive else answered.text.splitlines()
    lines = []
    if held := laid_down(answered):
        lines = [f"{LAID_DOWN}:"]
        lines += [wrapped(in_marks(text), indent="    ") for text in held]
        lines += ["what the text says:"]
    lines += [wrapped(line) for line in said if line.strip()]
    for citation in answered.citations:
        printed = f", {citation.label}" if citation.label.startswith("Page ") else ""
        quote = quote_shown(_evidence(answered, citation))
        mark = "" if answered.extractive else f"[{citation.number}] "
        lines.append(wrapped(f"{mark}{in_marks(quote.words)} ({quote.place}{printed})", indent="    "))
    if not answered.told and answered.passages:
        nearest = answered.passages[0].chunk
        lines.append(wrapped(f"closest, in ch. {nearest.chapter}: {in_marks(nearest.text)}", indent="    "))
    if answered.cached and answered.answers != answered.question:
        lines.append(f"kept from: {harmless(answered.answers)}")
    if answered.confidence is not None and not answered.model:
        lines.append(how_sure(answered))
    lines += [wrapped(notice) for notice in answered.notices]
    if answered.supported is not None and not answered.extractive:
        lines.append("each sentence was checked against the sources that it names")
    return "\n".join(lines)


def laid_down(answered: Answered) -> list[str]:
    """What a codex lays down on the question, where no model wrote the answer: a model was told it."""
    notes = () if answered.model else answered.notes
    return [one.text for one in notes if all(quote.document_id == CODEX_ID for quote in one.evidence)]


def how_sure(answered: Answered) -> str:
    """What its ``confidence`` is of, in words; empty where there is none."""
    if answered.confidence is None:
        return ""
    quotes = "that one of these quotes answers" if answered.told else "that the story answers this"
    return f"{answered.confidence:.0%} sure {'of this answer' if answered.short else quotes}"


def _evidence(answered: Answered, citation: Citation) -> Evidence:
    """The quote, and of which document it is: a codex's where its source is one."""
    sources = (one for one in answered.sources if one.number == citation.number)
    held = (quote for one in sources for quote in one.evidence if quote.span.contains(citation.span))
    document = next((quote.document_id for quote in held), "")
    return Evidence(document, citation.chapter, citation.span, citation.quote)
