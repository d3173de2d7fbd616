from __future__ import annotations

import pytest
from tests.contracts.reader_contract import check_reader

from fabula.demo import story_text
from fabula.story.extraction.pipeline import READERS, Failures, read_chapter
from fabula.story.extraction.reader import StoryReader

TEXT = story_text()[:9000]
AFRAID = "Elena Voss was afraid of Marcus Hale. Marcus Hale died.\n\n“Go home, Elena,” said Marcus."


@pytest.fixture(scope="module")
def parser():
    return StoryReader(kept_chars=10**6)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_every_reader_keeps_the_contract(reader, parser):
    check_reader(reader, parser, TEXT)


def test_names_of_readers_are_theirs_alone():
    names = [reader.name for reader in READERS]
    assert len({*names, "mentions", "narrator"}) == len(names) + 2


def test_what_is_left_out_is_not_read(parser):
    def told(*without):
        found = read_chapter(parser.parse(AFRAID), Failures(), without=frozenset(without))
        return {
            *(each.predicate for each in (*found.statements, *found.happenings)),
            *("said" for _ in found.quotations),
        }

    whole = told()
    assert whole >= {"FEARS", "DIES", "said"}
    assert "FEARS" not in told("clauses")
    assert whole - told("quotations") == {"said"}
