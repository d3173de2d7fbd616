"""Secrets that the text keeps, and who speaks of them all the same."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import FILLER, story
from tests.stories.slips import found_apart, found_in

from fabula.story.continuity.rules.knowledge_leak import KnowledgeLeak

HERE = Path(__file__).parent
KEPT = "Marcus had told nobody that he had once forged a cheque."
LEAK = "“You once forged a cheque, Marcus,” said Elena."
TOLD = (
    "Marcus told Elena that he had once forged a cheque.",
    "“I once forged a cheque,” said Marcus to Elena.",
    "Elena learned that Marcus had once forged a cheque.",
    "Marcus told Elena everything.",
)


def found(early, late):
    return found_apart(KnowledgeLeak(), early, late)


def test_who_speaks_of_what_was_kept_from_him_and_who_only_asks_or_doubts():
    assert_read(HERE / "knowledge_leak.tsv", found)


def leaks(*bodies):
    return found_in(KnowledgeLeak(), story(*bodies), *bodies)


def test_what_is_told_in_between_is_no_leak():
    assert leaks(f"{FILLER}\n\n{KEPT}", FILLER, LEAK)
    for between in TOLD:
        assert not leaks(f"{FILLER}\n\n{KEPT}", between, LEAK), between


def test_who_is_there_when_it_is_told_knows():
    assert not leaks(f"{KEPT} Elena laughed. “How cold it is,” said Elena.", FILLER, LEAK)
