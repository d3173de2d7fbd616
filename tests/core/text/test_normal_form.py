"""Normalisation: the same text however it was typed, and nothing unseen in it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.text.encodings import guess_encoding
from fabula.core.text.normal_form import normalized


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Jose\u0301 A\u030angstro\u0308m", "José Ångström"),
        ("Mar\u00adga\u200bret\u2060 an\ufeffd Zo\u200ce", "Margaret and Zoe"),
        ("Mar\u00ad\n garet, Mar\u00ad\r\ngaret", "Margaret, Margaret"),
        ("\u200fAnna\u200e \u2068Bo\u2069\u202c", "Anna Bo"),
        ("Jean\u2011Luc\u00a0and Anne\u2010Marie", "Jean-Luc and Anne-Marie"),
        ("Gri\ufb03n", "Griffin"),
        ("one\u2028two\u2029three\x85four\vfive", "one\ntwo\n\nthree\nfour\nfive"),
        ("She left.\fChapter 2", "She left.\n\nChapter 2"),
        ("the man\n\f went on", "the man\n\nwent on"),
        ("She left.\ufeffChapter 2", "She left.\n\nChapter 2"),
        ("She left.\n\ufeff# Two", "She left.\n\n\n# Two"),
        ("a word\ufeff\u2014\ufeffAnna said", "a word\u2014Anna said"),
        ("\U0001f469\u200d\U0001f467 stays", "\U0001f469\u200d\U0001f467 stays"),
        ("a\r\nb\rc\n", "a\r\nb\rc\n"),
    ],
)
def test_a_text_as_a_reader_sees_it(said: str, plain: str) -> None:
    assert normalized(said) == plain


@given(st.text("ae\u0301\u0308\u00ad\u200b\u200d\ufeff\f\v\u2028\u2029\u00a0\u2011. \r\nC#“"))
def test_twice_gives_what_once_gives(said: str) -> None:
    once = normalized(said)
    assert normalized(once) == once
    assert unicodedata.is_normalized("NFC", once)


@pytest.mark.parametrize(
    ("said", "encoding"),
    [
        ("José said \u201chello\u201d to Zoë.", "cp1252"),
        ("Größe und Straße. Er sagte: \u201eJa\u201c.", "cp1252"),
        ("Přišel Jiří a řekl: Žluťoučký kůň. Všichni mlčeli, protože věděli.", "cp1250"),
        ("Анна вышла из дома и увидела Ивана. Он молчал.", "cp1251"),
        ("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。", "shift_jis"),
    ],
)
def test_the_likeliest_encoding(said: str, encoding: str) -> None:
    assert guess_encoding(said.encode(encoding)) == encoding


def test_what_is_no_text_has_no_encoding() -> None:
    assert guess_encoding(b"\0\1\2\xff" * 500) is None
