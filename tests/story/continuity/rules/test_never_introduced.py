"""Who is called by name as if known: whom the rule finds, and whom it lets pass."""

from __future__ import annotations

import pytest
from tests.stories.reading import FILLER, story
from tests.stories.slips import PASSAGES, found_by

from fabula.core.types import Chapter, Document, Span
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.continuity.draft_checker import DRAFT_ID, SourceChecker
from fabula.story.continuity.rules.never_introduced import NeverIntroduced
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.model.findings import Severity

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


def test_who_is_met_once_as_if_known() -> None:
    rule = NeverIntroduced(long_story=8)
    once = "As Philippa had promised, there was a fire in the room.\n\n"
    [finding] = found_by(rule, PASSAGES, PASSAGES + once)
    assert finding.evidence[0].quote == once.strip()
    assert found_by(rule, PASSAGES, f"{PASSAGES}{once}Philippa smiled at Laura.") == []
    assert found_by(rule, PASSAGES, PASSAGES + once.replace("Philippa", "Laura")) == []


def test_a_name_that_talk_takes_for_known():
    told = story(*[FILLER] * 3, f"{FILLER} “I met Harriet in the lane this morning,” said Marcus.")
    assert [each.message.split()[0] for each in NeverIntroduced(long_story=1).find(told)] == ["Harriet"]
