"""Who is called by name as if known: what counts as an introduction, and whom the rule lets pass."""

from __future__ import annotations

import pytest

from fabula.core.types import Chapter, Document, Span
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.continuity.draft_checker import DRAFT_ID, SourceChecker
from fabula.story.continuity.rules.never_introduced import NeverIntroduced
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.model.findings import Severity
from fabula.story.model.trait_values import INTRODUCTION

SOURCE = "Helen Ward lived in Lisbon. Her brother Marcus Ward laughed at her letters. Marcus loved Helen."


def document(name: str, text: str) -> Document:
    return Document(name, name, text, (Chapter(1, "", Span(0, 0), Span(0, len(text))),))


def linked(reader: StoryReader, text: str) -> Linker:
    linker, source = Linker(), document("source", text)
    linker.add(source, source.chapters[0], reader.read(text))
    return linker


def flagged(reader: StoryReader, draft: str, source: str = SOURCE) -> list[str]:
    critic = ContinuityCritic([NeverIntroduced()])
    report = SourceChecker(linked(reader, source), reader, critic, horizon=1).check(draft)
    for found in report.violations:
        for quote in found.evidence:
            assert quote.document_id == DRAFT_ID
            quote.verify(draft)
    return [found.evidence[-1].quote for found in report.violations]


def introductions(reader: StoryReader, text: str) -> dict[str, str]:
    reading = reader.read(text)
    return {
        reading.mentions[trait.character].surface: trait.value
        for trait in reading.traits
        if trait.aspect == INTRODUCTION
    }


@pytest.mark.parametrize(
    "text",
    [
        "Daniel smiled and left the room.",
        "Daniel, who warned her, smiled.",
        "After dinner, Daniel smiled.",
        "Daniel, Peter and Helen smiled.",
        "Daniel is not a surgeon.",
        "Daniel was tired and said so.",
    ],
)
def test_what_does_not(reader: StoryReader, text: str) -> None:
    assert "Daniel" not in introductions(reader, text)


def test_a_bare_name_in_a_draft_is_a_hint(reader: StoryReader) -> None:
    draft = "Helen returned to Lisbon. Daniel asked Helen to marry him."
    assert flagged(reader, draft) == ["Daniel"]
    critic = ContinuityCritic([NeverIntroduced()])
    report = SourceChecker(linked(reader, SOURCE), reader, critic, horizon=1).check(draft)
    assert [one.severity for one in report.violations] == [Severity.INFO]


@pytest.mark.parametrize(
    "draft",
    [
        "Helen told Marcus the news. Marcus smiled.",  # the source names them
        "Helen returned. Mrs. Ward asked Helen to stay.",  # of a family that is known
        "Helen returned. Helena asked Marcus to stay.",  # a spelling is another rule's business
        "“Where is Daniel?” asked Helen. Marcus told her that Daniel slept.",
        "The sergeant asked Helen to sit down. The sergeant smiled.",
        "",
    ],
)
def test_who_is_let_pass(reader: StoryReader, draft: str) -> None:
    assert flagged(reader, draft) == []
