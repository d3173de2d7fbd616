"""A codex as it is written: YAML, JSON, line ends, and what is wrong with its line."""

from __future__ import annotations

import json
import re

import pytest
from tests.stories.logs import all_evidence
from tests.stories.world_codex import CODEX

from fabula.errors import DocumentError
from fabula.story.codex.codex import Codex
from fabula.story.codex.file import CodexFile, plain_words


@pytest.fixture(scope="module")
def codex():
    return Codex.parse(CODEX)


def test_json_is_read_too():
    text = json.dumps(
        {"characters": [{"name": "Ana", "aliases": ["Annie"]}], "rules": ["no magic"]}, indent=1
    )
    codex = Codex.parse(text)
    assert [m.evidence.quote for m in codex.log.mentions] == ['"Ana"', '"Annie"']
    assert codex.rules[0].text == "no magic"


def test_windows_line_ends_and_a_mark_keep_the_quotes_right():
    text = "\ufeff" + CODEX.replace("\n", "\r\n")
    for quote in all_evidence(Codex.parse(text).log):
        quote.verify(text)


def test_what_is_wrong_has_a_line_and_a_way_out():
    for text, says in (
        ("characters:\n  - nam: Ana\n", "line 2.*did you mean name"),
        ("[" * 40_000, "line 1: lists and keys stand 21 deep .* 20 is the most: take brackets out"),
        ("- " * 20_000, "line 1: lists and keys stand 21 deep"),
        ("characters: Ana\n", "line 1.*begin each item with a dash"),
        ("characters:\n  - name: No\n", "line 2.*quotation marks"),
        ("characters:\n  - {name: Ana, aliases: [no]}\n", "line 2.*False is not text: put it in quotation"),
        (
            "characters:\n  - name: Ana\n    aliases:\n      - Annie\n      - 007\n",
            "line 5.*7 is not text: put",
        ),
        ("characters:\n  - 007\n", "line 2.*7 is not text: put it in quotation marks"),
        ("characters: [Ana, no]\n", "line 1.*False is not text: put it in quotation marks"),
        ("places:\n  - 12\n", "line 2.*12 is not text: put it in quotation marks"),
        ("groups:\n  - off\n", "line 2.*False is not text: put it in quotation marks"),
        ("things:\n  - 1.5\n", "line 2.*1.5 is not text: put it in quotation marks"),
        ("rules: [yes]\n", "line 1.*True is not text: put it in quotation marks"),
        ("rules:\n  - never: {who: on, does: walk}\n", "line 2.*True is not text: put it in quotation marks"),
        ("facts:\n  - 3\n", "line 2.*3 is not text: put it in quotation marks"),
        ("characters:\n  - {name: Ana, gender: no}\n", "line 2.*False is not text: put it in quotation"),
        ("characters:\n  - {name: Ana, birth: no}\n", "line 2.*False is not text: put it in quotation"),
        ("characters:\n  - [Ana, Bob]\n", "line 2.*list of keys and values"),
        ("characters:\n  -\n", "line 2.*list of keys and values"),
        ("characters:\n  - name: Ana\n    gender: tall\n", "line 3"),
        ("characters:\n  - name: Ana\n  - name: Tom\n    aliases: [ana]\n", "line 4.*already"),
        (
            "characters:\n  - name: Ana\n    relations:\n      - {predicate: loves, to: Tomm}\n  - Tommy\n",
            "line 4.*Tomm.*did you mean 'tommy'",
        ),
        (
            "characters:\n  - name: Ana\n    relations:\n      - {predicate: lovs, to: Tom}\n  - Tom\n",
            "line 4.*did you mean LOVES",
        ),
        ("characters:\n  - name: Ana\n    death: 1840\n", "line 3.*in which chapter"),
        ("characters:\n  - name: Ana\n    death: {chapter: -1}\n", "line 3.*greater than or equal"),
        (
            "characters: [Ana, Tom]\nfacts:\n  - {subject: Ana, predicate: LIVES_IN, object: Tom}\n",
            "line 3.*leads to a place",
        ),
        (
            "characters: [Ana, Tom]\nfacts:\n  - {subject: Ana, predicate: HATES, object: Ana}\n",
            "line 3.*own subject",
        ),
        (
            "characters: [Ana, Tom]\nfacts:\n"
            "  - {subject: Ana, predicate: HATES, object: Tom, from_chapter: 4, until_chapter: 2}\n",
            "line 3.*before it begins",
        ),
        ("facts:\n  - {subject: Ana}\n", "line 2.*predicate"),
        ("rules:\n  - text: fire: bad\n", "line 2.*quotation marks"),
        ("a: &x 1\nb: *x\n", "aliases"),
        ("rules: [one\n", "line"),
        ("rules: [a]\nrules: [b]\n", "line 2.*twice"),
        ("- just\n- a list\n", "line 1"),
        ("\x00", "no YAML"),
    ):
        with pytest.raises(DocumentError, match=says):
            Codex.parse(text)


def test_what_is_wrong_is_said_with_its_line():
    for codex, part in (
        ("characters: [{name: A, traits: {eyes: purple}}]", "eyes cannot be 'purple'"),
        ("characters: [{name: A, traits: {eye: blue}}]", "did you mean eyes"),
        ("characters: [{name: A, traits: {age: old}}]", "is a number"),
        ("rules: [{from_chapter: 2}]", "a rule is text, or one of never"),
        ("characters: [A]\nrules: [{never: {who: B, does: fly}}]", "nothing in the codex is called 'B'"),
        ("rules: [{only: {who: anybody, does: fly}}]", "needs the names"),
        ("rules: [{never: {who: anybody}}]", "needed here"),
    ):
        with pytest.raises(DocumentError, match=r"line \d") as caught:
            Codex.parse(codex)
        assert part in str(caught.value), (codex, part)


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("{chapter: 2}", "chapter: 2"),
        ('"She said: no."', "She said: no."),
        (">\n      A wooden leg,\n      and a stick.", "A wooden leg, and a stick."),
        ("name: Ann\nfrom_chapter: 3\ntraits: [grey, old]", "name: Ann; from chapter: 3; traits: grey, old"),
        ("an end}: of one", "an end}: of one"),
        ("&a [*a]", "&a [*a]"),
    ],
)
def test_a_piece_of_a_codex_is_shown_without_the_marks_of_yaml(quote, words):
    assert plain_words(quote) == words


@pytest.mark.parametrize(
    ("written", "moved"),
    [
        ('{"places":[{"name":"A","from_chapter":4}]}', '{"places":[{"name":"A","from_chapter":14}]}'),
        ("places:\r\n- name: '4'\r\n  from_chapter: 4  # of 4\r\n", None),
        ("places:\n- {name: Ä 🐝, from_chapter: +4, description: 'chapter: 4'}\n", None),
        ("places:\n- name: A\n  from_chapter: 0x4\n- name: B\n  from_chapter: !!int '4' # 4\n", None),
        (
            "characters: [{name: A, death: {chapter: 4}}, {name: B, from_chapter: 0}]\n"
            "rules:\n- text: no 4\n  from_chapter: 3\n  until_chapter: 4",
            "characters: [{name: A, death: {chapter: 14}}, {name: B, from_chapter: 0}]\n"
            "rules:\n- text: no 4\n  from_chapter: 3\n  until_chapter: 14",
        ),
    ],
)
def test_chapters_go_where_they_are_told_and_the_rest_stays(written, moved):
    wanted = moved or re.sub(r"(from_chapter: )(?:\+4|0x4|!!int '4'|4)", r"\g<1>14", written)
    there = CodexFile.parse(written).postponed({4: 14, 0: 0, 3: 3}.__getitem__)
    assert there == wanted
    Codex.parse(there)
