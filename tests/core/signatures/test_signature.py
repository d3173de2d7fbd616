import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows

from fabula.core.signatures.signature import base_form, normalised, numerals, signature

PAIRS = Path(__file__).parents[3] / "experiments" / "data" / "cache_pairs.json"


def same(a, b):
    return signature(a) == signature(b)


@pytest.mark.parametrize(("a", "b"), rows(__file__, "same.tsv"))
def test_paraphrases_share_a_signature(a, b):
    assert same(a, b)


@pytest.mark.parametrize(("a", "b"), rows(__file__, "other.tsv"))
def test_other_questions_differ(a, b):
    assert not same(a, b)
    assert normalised(a) != normalised(b)


def test_normalising_drops_only_what_never_matters():
    assert normalised("  Who’s   THERE ? ") == "who's there"
    assert normalised("Who is there") != normalised("Who's there")


@pytest.mark.parametrize("half", ["dev", "test"])
def test_the_audit_sets_traps_are_told_apart_and_most_paraphrases_are_one(half):
    rows = [row for row in json.loads(PAIRS.read_text(encoding="utf-8")) if row["half"] == half]
    wrong = [row["id"] for row in rows if not row["same_answer"] and same(row["a"], row["b"])]
    found = [same(row["a"], row["b"]) for row in rows if row["same_answer"]]
    assert wrong == []
    assert sum(found) >= 0.6 * len(found)


@pytest.mark.parametrize(("word", "base", "form"), rows(__file__, "inflection.tsv"))
def test_inflection(word, base, form):
    assert base_form(word, None) == (base, form)


@pytest.mark.parametrize(("text", "read"), rows(__file__, "numerals.tsv"))
def test_numerals(text, read):
    assert numerals(text.split()) == read.split(" | ")


@given(st.text(max_size=500))
def test_any_text_has_a_signature_and_one_normal_form(text):
    assert signature(text) == signature(text)
    assert normalised(normalised(text)) == normalised(text)


NAMES = st.sampled_from(["Anna", "Tom", "Lady Pell", "Rose", "Will", "Doctor May"])
VERBS = st.sampled_from(["killed", "loved", "betrayed", "deceived", "followed", "taught", "found", "forgave"])


@given(NAMES, NAMES, VERBS, VERBS, st.integers(0, 99), st.integers(0, 99))
def test_names_verbs_roles_and_numbers_always_count(a, b, verb, other, one, two):
    for said in ("What happened in chapter {}?", "Who were the {} riders?"):
        assert same(said.format(one), said.format(two)) == (one == two)
    base = base_form(verb, None)[0]
    active, passive = f"Did {a} {base} {b}?", f"Was {b} {_participle(verb)} by {a}?"
    assert same(active, passive)
    assert same(active, f"Did {b} {base} {a}?") == (a == b)
    assert same(active, f"Did {a} {base_form(other, None)[0]} {b}?") == (verb == other)
    assert not same(f"Who did {a} {base}?", f"Who {verb} {a}?")
    assert not same(active, f"Did {a} not {base} {b}?")


def _participle(past):
    return {"forgave": "forgiven"}.get(past, past)


def test_auxiliaries_and_negations():
    assert signature("Who had a key?").verb == ("do", "past")
    assert signature("Who had lied?").verb == ("have", "past")
    assert signature("Did Anna not win?").negated
    embedded = signature("Did the man that will not fight win?")
    assert not embedded.negated
    assert "not" in embedded.words
