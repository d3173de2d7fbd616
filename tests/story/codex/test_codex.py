import json
import re
from dataclasses import fields, replace

import pytest
from tests.stories.logs import all_evidence, is_prefix
from tests.stories.reading import linker_of, reading, view_at, with_headings
from tests.stories.world_codex import CODEX
from tests.tables import rows, values

from fabula.core.types import Horizon
from fabula.errors import DocumentError
from fabula.story.codex.codex import Codex, laid_down
from fabula.story.codex.file import CodexFile, plain_words
from fabula.story.graph_rag.views.timeline import standing
from fabula.story.model.types import EntityKind, Interval, Modality, Open, StoryLog

BODIES = (
    "Elena smiled at Marcus. Hale wept.",
    "Renard smiled at Marcus. Marcus smiled at Hale.",
    "Renard smiled at Hale. Elena wept. Marcus arrived at the Keep.",
    "Hale smiled at Elena.",
)


STORY = with_headings(*BODIES)


@pytest.fixture(scope="module")
def codex():
    return Codex.parse(CODEX)


@pytest.fixture(scope="module")
def log(codex):
    return linker_of(STORY, canon=codex.log).log


def test_every_quote_stands_in_the_codex(codex):
    quotes = list(all_evidence(codex.log)) + [rule.evidence for rule in codex.rules]
    assert len(quotes) > 15
    for quote in quotes:
        quote.verify(CODEX)
        assert quote.document_id == codex.document.id
    texts = {quote.quote for quote in quotes}
    assert {"Elena Voss", "Renard", "nobody can fly", "1795-12-01", "Hale"} <= texts
    assert "{predicate: loves, to: Hale, from_chapter: 4}" in texts
    assert "predicate: sibling of   # not by blood\n        to: Marcus" in texts


def test_facts_are_told_at_their_chapter_and_sure(codex):
    told = {(r.subject, r.predicate, r.object): r for r in codex.log.relations if r.modality is Modality.FACT}
    assert {key: r.told for key, r in told.items()} == {
        ("elena-voss", "SIBLING_OF", "marcus"): 0,
        ("elena-voss", "TRUSTS", "hale"): 1,
        ("elena-voss", "LOVES", "hale"): 4,
        ("marcus", "LIVES_IN", "harrow"): 0,
    }
    assert all(r.confidence == 1.0 and r.origin == "codex" for r in codex.log.relations)
    assert all(r.evidence[0].chapter == r.told for r in codex.log.relations)
    assert told["elena-voss", "SIBLING_OF", "marcus"].holds == Interval(Open.UNBOUNDED, Open.UNBOUNDED)
    assert told["elena-voss", "TRUSTS", "hale"].holds == Interval(1)  # a reader at 1 knows no end
    assert [(e.predicate, e.told, e.participants) for e in codex.log.events] == [
        ("DOES", 0, (("patient", "elena-voss"), ("place", "harrow"))),
        ("BETRAYS", 3, (("agent", "hale"), ("patient", "marcus"))),
        ("DIES", 4, (("patient", "marcus"),)),
    ]
    assert [(t.value, t.event) for t in codex.log.times] == [("1795-12-01", codex.log.events[0].id)]


def test_what_ends_stands_no_longer_and_nobody_knows_before(log):
    trusted = {
        n: [r.predicate for r in standing(view_at(log, n), "elena-voss", "hale")] for n in (1, 2, 3, 4)
    }
    assert trusted == {1: ["TRUSTS"], 2: ["TRUSTS"], 3: [], 4: ["LOVES"]}


def test_rules_by_horizon(codex):
    texts = {n: {rule.text for rule in codex.rules_at(Horizon(n))} for n in (1, 2, 4, None)}
    everywhere = {"Elena never lies", "nobody can fly"}
    assert texts[1] == texts[4] == texts[None] == everywhere
    assert texts[2] == {*everywhere, "The gate is shut"}
    (note, _) = codex.constraints(Horizon(1))
    assert (note.kind, note.text) == ("constraint", "Elena never lies.")


def test_the_authors_names_win(log):
    text = [m for m in log.mentions if m.evidence.document_id == "tale"]
    assert {m.entity for m in text if m.surface == "Elena"} == {"elena-voss"}
    renard = {m.told: m.entity for m in text if m.surface == "Renard"}
    assert renard == {2: "renard", 3: "elena-voss"}  # the name is hers from chapter 3 on only
    assert [(m.entity, m.into, m.told) for m in log.merges] == [("renard", "elena-voss", 3)]
    assert [view_at(log, chapter).find("Renard").id for chapter in (2, 3)] == ["renard", "elena-voss"]
    keep = [m for m in text if m.surface.casefold().endswith("keep")]
    assert {(m.entity, m.kind) for m in keep} <= {("harrow", EntityKind.LOCATION)}
    assert view_at(log).entity("elena-voss").gender == "f"
    assert view_at(log).entity("the-watch").kind is EntityKind.GROUP


def test_the_log_of_the_first_chapters_is_the_first_part_of_the_log(codex, log):
    for n in range(1, len(BODIES)):
        part = linker_of(with_headings(*BODIES[:n]), canon=codex.log).log
        assert is_prefix(part, log)
        assert all(record.told <= n for each in fields(StoryLog) for record in getattr(part, each.name))


def test_a_copy_has_the_same_canon_and_an_empty_one_changes_nothing(codex, log):
    first, *later = STORY.chapters
    linker = linker_of(replace(STORY, chapters=(first,)), canon=codex.log).copy()
    for chapter in later:
        linker.add(STORY, chapter, reading(chapter.body.of(STORY.text)))
    assert linker.log == log
    assert linker_of(STORY).log == linker_of(STORY, canon=Codex.parse("").log).log


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


@pytest.mark.parametrize(("aspect", "written", "expected"), values(__file__, "traits_by_family.tsv"))
def test_traits_by_family(aspect, written, expected):
    assert laid_down(aspect, written) == expected
    with pytest.raises(ValueError, match="there is no trait"):
        laid_down(aspect + "x", written)
