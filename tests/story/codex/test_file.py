from __future__ import annotations

import json
import re

import pytest
from tests.stories.logs import all_evidence
from tests.stories.world_codex import CODEX
from tests.tables import rows, values

from fabula.errors import DocumentError
from fabula.story.codex.codex import Codex
from fabula.story.codex.file import CodexFile, plain_words


@pytest.fixture(scope="module")
def codex():
    return Codex.parse(CODEX)


def test_json_and_windows_line_ends_are_read_too():
    text = json.dumps(
        {"characters": [{"name": "Ana", "aliases": ["Annie"]}], "rules": ["no magic"]}, indent=1
    )
    codex = Codex.parse(text)
    assert [m.evidence.quote for m in codex.log.mentions] == ['"Ana"', '"Annie"']
    assert codex.rules[0].text == "no magic"
    text = "\ufeff" + CODEX.replace("\n", "\r\n")
    for quote in all_evidence(Codex.parse(text).log):
        quote.verify(text)


def test_what_is_wrong_has_a_line_and_a_way_out():
    for text, says in [
        ("[" * 40_000, "line 1: lists and keys stand 21 deep .* 20 is the most: take brackets out"),
        ("- " * 20_000, "line 1: lists and keys stand 21 deep"),
        *values(__file__, "what_is_wrong_has_a_line_and_a_way_out.tsv"),
    ]:
        with pytest.raises(DocumentError, match=says):
            Codex.parse(text)


def test_what_is_wrong_is_said_with_its_line():
    for codex, part in rows(__file__, "what_is_wrong_is_said_with_its_line.tsv"):
        with pytest.raises(DocumentError, match=r"line \d") as caught:
            Codex.parse(codex)
        assert part in str(caught.value), (codex, part)


@pytest.mark.parametrize(("quote", "words"), values(__file__, "a_piece_of_a_codex_is.tsv"))
def test_a_piece_of_a_codex_is_shown_without_the_marks_of_yaml(quote, words):
    assert plain_words(quote) == words


@pytest.mark.parametrize(("written", "moved"), values(__file__, "chapters_go_where_they_are_told.tsv"))
def test_chapters_go_where_they_are_told_and_the_rest_stays(written, moved):
    wanted = moved or re.sub(r"(from_chapter: )(?:\+4|0x4|!!int '4'|4)", r"\g<1>14", written)
    there = CodexFile.parse(written).postponed({4: 14, 0: 0, 3: 3}.__getitem__)
    assert there == wanted
    Codex.parse(there)
