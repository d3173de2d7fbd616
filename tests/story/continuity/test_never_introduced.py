"""Who is called by name as if known: what counts as an introduction, and whom the rule lets pass."""

from __future__ import annotations

import pytest

from fabula.core.types import Chapter, Document, Horizon, Span
from fabula.story.continuity.background.name_likeness import same_word
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.continuity.draft_checker import DRAFT_ID, SourceChecker
from fabula.story.continuity.rules.never_introduced import NeverIntroduced
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.linking.linker import Linker
from fabula.story.model.findings import Severity
from fabula.story.model.trait_values import INTRODUCTION
from fabula.story.model.types import Modality

SOURCE = "Helen Ward lived in Lisbon. Her brother Marcus Ward laughed at her letters. Marcus loved Helen."


@pytest.fixture(scope="module")
def reader() -> StoryReader:
    return StoryReader()


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
    ("text", "words"),
    [
        ("Daniel, a merchant of Bergen, sighed.", "a merchant"),
        ("Helen met Daniel, her cousin, and Daniel laughed.", "her cousin"),
        ("She wrote to her friend Daniel. Daniel answered.", "her friend"),
        ("A man named Daniel knocked. Daniel smiled.", "A man named"),
        ("The baker, Daniel Hale, nodded.", "The baker"),
        ("Daniel, 46, sighed and left.", "46"),
        ("Daniel is a surgeon. Daniel smiled.", "is a surgeon"),
        ("Daniel, who is a surgeon, nodded.", "who is a surgeon"),
        ("Daniel, Helen's uncle, nodded at Helen.", "Helen's uncle"),
    ],
)
def test_what_says_who_somebody_is(reader: StoryReader, text: str, words: str) -> None:
    found = introductions(reader, text)
    assert [value for name, value in found.items() if name.startswith("Daniel")] == [words]


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


def test_an_introduction_in_speech_is_reported(reader: StoryReader) -> None:
    traits = reader.read("“This is my friend Daniel,” said Helen. Daniel bowed.").traits
    assert [trait.modality for trait in traits if trait.aspect == INTRODUCTION] == [Modality.REPORTED]


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
        "Helen returned. Daniel, a surgeon, asked Helen to marry him.",
        "Helen returned. Mrs. Ward asked Helen to stay.",  # of a family that is known
        "Helen returned. Helena asked Marcus to stay.",  # a spelling is another rule's business
        "“Where is Daniel?” asked Helen. Marcus told her that Daniel slept.",
        "The sergeant asked Helen to sit down. The sergeant smiled.",
        "",
    ],
)
def test_who_is_let_pass(reader: StoryReader, draft: str) -> None:
    assert flagged(reader, draft) == []


def test_an_introduction_that_comes_late_is_none(reader: StoryReader) -> None:
    filler = "Helen walked along the river and thought of the letters that she had written in May. " * 2
    late = f"Daniel asked Helen to stay. {filler}Daniel is a surgeon."
    assert flagged(reader, late) == ["Daniel"]
    assert flagged(reader, "Daniel asked Helen to stay. Daniel is a surgeon.") == []


def test_a_story_against_itself_is_left_alone_unless_asked_for(reader: StoryReader) -> None:
    text = "Helen, a widow, lived in Lisbon. Daniel asked Helen to marry him."
    view = StoryKnowledgeGraph.from_log(linked(reader, text).log).as_of(Horizon(None))
    assert list(NeverIntroduced().find(view)) == []
    found = list(NeverIntroduced(own_story=True).find(view))
    assert [one.evidence[0].quote for one in found] == ["Daniel"]
    assert found[0].evidence[0].span.of(text) == "Daniel"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ben", "benvolio", True),
        ("merutio", "mercutio", True),
        ("hartly", "hartley", True),
        ("al", "alan", False),
        ("anna", "hanna", False),
        ("mary", "mark", False),
        ("daniel", "danube", False),
    ],
)
def test_names_that_could_be_one(one: str, other: str, same: bool) -> None:
    assert same_word(one, other) is same
    assert same_word(other, one) is same
