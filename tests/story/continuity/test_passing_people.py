"""Slips about people who are named in passing: kin, given names, and who is spoken of as known."""

from __future__ import annotations

import pytest

from fabula.core.types import Chapter, Document, Horizon, Span
from fabula.story.continuity.rules.kinship_conflict import KinshipConflict
from fabula.story.continuity.rules.name_drift import NameDrift
from fabula.story.continuity.rules.never_introduced import NeverIntroduced
from fabula.story.continuity.seams.rule import Rule
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.findings import Severity, Violation
from fabula.story.model.trait_values import AS_KNOWN, FULL_NAME, KIN_HINT

PEOPLE = "Laura Marsh and Edmund Vane sat by the river. Laura laughed. Edmund looked at the boats.\n\n"
FILLER = PEOPLE + "The rain went on, the lamps were lit, and nobody had a word to say. " * 25


@pytest.fixture(scope="module")
def reader() -> StoryReader:
    return StoryReader()


def found(reader: StoryReader, rule: Rule, *chapters: str) -> list[Violation]:
    """What the rule finds in a story of these chapters, every quote checked."""
    text, spans = "", []
    for body in chapters:
        spans.append(Span(len(text), len(text) + len(body)))
        text += body
    told = tuple(Chapter(n, "", Span(s.start, s.start), s) for n, s in enumerate(spans, 1))
    document, linker = Document("tale", "tale", text, told), Linker()
    for chapter in told:
        linker.add(document, chapter, reader.read(chapter.body.of(text)))
    findings = list(rule.find(StoryKnowledgeGraph.from_log(linker.log).as_of(Horizon(None))))
    for finding in findings:
        for quote in finding.evidence:
            quote.verify(text)
    return findings


def told(reading: ChapterReading, aspect: str) -> list[tuple[str, str]]:
    return [(reading.mentions[t.character].surface, t.value) for t in reading.traits if t.aspect == aspect]


# --- kin


@pytest.mark.parametrize(
    "text",
    [
        "Mrs. Pringle, an aunt, had sent Edmund the money.",
        "“Ask your aunt,” said Laura. Edmund thought of Mrs. Pringle and was silent.",
        "“Who is Mrs. Pringle, Edmund?”\n\n“My aunt,” said Edmund.",
        "Edmund had all he knew from Mrs. Pringle. There is nothing like an aunt.",
        "Edmund wrote to his aunt Mrs. Pringle.",
    ],
)
def test_a_word_of_kinship_near_a_passing_name_is_a_hint(reader: StoryReader, text: str) -> None:
    assert ("Mrs. Pringle", "aunt") in told(reader.read(text), KIN_HINT)


@pytest.mark.parametrize(
    "text",
    [
        "Mrs. Pringle's aunt had sent Edmund the money.",
        "Mrs. Pringle and her niece walked with Edmund.",
        "Mrs. Pringle had a cousin in Bath, said Edmund.",
        "Mrs. Pringle came to his uncle's house with Edmund.",
        "Mrs. Pringle walked with Edmund and spoke of an uncle.",  # of the other gender
        "Mrs. Pringle met an aunt and a cousin of Edmund.",
        "Mrs. Pringle laughed at Edmund.",
    ],
)
def test_a_word_that_means_somebody_else_is_none(reader: StoryReader, text: str) -> None:
    assert told(reader.read(text), KIN_HINT) == []


AUNT = "Edmund had all he knew from Mrs. Pringle. There is nothing like an aunt.\n\n"
COUSIN = "“Who is Mrs. Pringle, Edmund?” “My cousin,” said Edmund.\n\n"


def test_an_aunt_who_was_a_cousin(reader: StoryReader) -> None:
    [finding] = found(reader, KinshipConflict(), FILLER + AUNT, FILLER + COUSIN)
    assert [quote.chapter for quote in finding.evidence] == [1, 2]
    assert finding.severity is Severity.WARNING
    assert "Mrs. Pringle" in finding.message


@pytest.mark.parametrize(
    "later",
    [
        AUNT,
        COUSIN.replace("Edmund", "Laura"),  # somebody else's cousin
        COUSIN.replace("Mrs. Pringle", "Mrs. Radway"),
        COUSIN + FILLER + "Mrs. Pringle nodded. " * 7,  # no passing figure
    ],
)
def test_kin_that_need_not_clash(reader: StoryReader, later: str) -> None:
    assert found(reader, KinshipConflict(), FILLER + AUNT, FILLER + later) == []


# --- given names


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The house belonged to Walter Penrose, who lived alone.", "walter penrose"),
        ("Penrose the baker, whose Christian name was Walter, signed it.", "walter penrose"),
        ("Penrose had been christened Walter in that church.", "walter penrose"),
    ],
)
def test_full_names(reader: StoryReader, text: str, value: str) -> None:
    assert [name for _, name in told(reader.read(text), FULL_NAME)] == [value]


@pytest.mark.parametrize(
    "text",
    ["Walter Penrose nodded to his brother.", "Young Walter Penrose nodded.", "Penrose nodded.", ""],
)
def test_names_that_may_be_told_apart(reader: StoryReader, text: str) -> None:
    assert told(reader.read(text), FULL_NAME) == []


WALTER = "The house belonged to Walter Penrose, who lived alone.\n\n"


def test_a_passing_figure_with_two_given_names(reader: StoryReader) -> None:
    later = "As to the house, Clement Penrose had it now, and paid for it.\n\n"
    [finding] = found(reader, NameDrift(), FILLER + WALTER, FILLER + later)
    assert finding.message == "Walter Penrose (chapter 1) is Clement Penrose in chapter 2."


@pytest.mark.parametrize(
    "later",
    [
        "As to the house, Wat Penrose had it now.\n\n",
        "As to the house, Harriet Penrose had it now.\n\n",
        "As to the house, his brother Clement Penrose had it now.\n\n",
        "As to the house, Clement Radway had it now.\n\n",
        "As to the house, Edmund Penrose had it now. Edmund slept. Edmund sang.\n\n",  # who is known
        "Clement Penrose came. Clement Penrose ate. Clement Penrose sang. Clement Penrose slept.\n\n",
    ],
)
def test_two_of_one_surname(reader: StoryReader, later: str) -> None:
    assert found(reader, NameDrift(), FILLER + WALTER, FILLER + later) == []


# --- as known


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("As Philippa had promised, there was a fire in the room.", "before"),
        ("Philippa said again what she had said before.", "again"),
        ("Philippa's cough was worse that night.", "owner"),
        ("They could hear Philippa on the stairs.", "met"),
        ("Philippa nodded and left the room.", "acts"),
    ],
)
def test_a_bare_name_and_how_it_is_used(reader: StoryReader, text: str, use: str) -> None:
    assert told(reader.read(text), AS_KNOWN) == [("Philippa", use)]


@pytest.mark.parametrize(
    "text",
    [
        "She sang like Philippa of the old song.",
        "Philippa, a nurse, shut the window.",
        "“Where is Philippa?” asked Laura.",
        "She called on an old Philippa in the town.",
        "They went to church with Laura, Philippa and Kate.",
        "He was as strong as Samson and said so.",
    ],
)
def test_a_name_that_is_set_apart(reader: StoryReader, text: str) -> None:
    names = {name for name, _ in told(reader.read(text), AS_KNOWN)}
    assert not names & {"Philippa", "Samson"}


def test_who_is_met_once_as_if_known(reader: StoryReader) -> None:
    once = "As Philippa had promised, there was a fire in the room.\n\n"
    [finding] = found(reader, NeverIntroduced(long_story=8), FILLER, FILLER + once)
    assert finding.evidence[0].quote == once.strip()
    assert (
        found(reader, NeverIntroduced(long_story=8), FILLER, FILLER + once + "Philippa smiled at Laura.")
        == []
    )
    assert (
        found(reader, NeverIntroduced(long_story=8), FILLER, FILLER + once.replace("Philippa", "Laura")) == []
    )
