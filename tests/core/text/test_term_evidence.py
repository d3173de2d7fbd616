from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.text.term_evidence import QueryEvidence


@dataclass(frozen=True)
class Term:
    term: str
    idf: float


def evidence(**idf):
    return QueryEvidence.of([Term(word, value) for word, value in idf.items()])


def test_by_hand():
    asked = evidence(golden=2.0, dragon=1.0, temple=3.0)
    coverage, nearness = asked.measure("temple by the sea dragon golden".split())
    assert coverage == 1
    assert nearness == pytest.approx((2 + 1) / 2 / 1 / 6 + (1 + 3) / 2 / 4 / 6)
    assert asked.measure("the golden golden temple".split()) == pytest.approx(((2 + 3) / 6, 0))


def test_what_counts_of_a_question():
    asked = evidence(a1=1.0, b1=1.0)
    assert asked.measure("a1 x x x b1 x a1".split())[1] == pytest.approx(1 / 2 / 2)
    asked = evidence(whi=4.0, did=3.0, dragon=1.0)  # "whi" is the stem of "why"
    assert asked.terms == ("dragon",)
    assert evidence(who=4.0, did=3.0).terms == ("who", "did")
    assert QueryEvidence.of([]).measure(["dragon"]) == (0.0, 0.0)
    assert evidence(dragon=0.0).measure(["dragon"]) == (0.0, 0.0)
    assert evidence(dragon=1.0).measure([]) == (0.0, 0.0)
    asked = QueryEvidence.of([Term("king", 1.0), Term("crown", 2.0), Term("king", 1.0)])
    assert (asked.terms, asked.total) == (("king", "crown"), 3.0)


WORDS = st.sampled_from(["ann", "bob", "cat", "dog", "elk"])


@given(st.dictionaries(WORDS, st.floats(0, 8)), st.lists(WORDS, max_size=30), st.lists(WORDS, max_size=5))
def test_bounds_and_more_text_never_takes_away(idf, passage, more):
    asked = evidence(**idf)
    coverage, nearness = asked.measure(passage)
    assert 0 <= coverage <= 1
    assert 0 <= nearness <= coverage + 1e-12
    longer = asked.measure([*passage, *more])
    assert longer[0] >= coverage
    assert longer[1] >= nearness


@given(st.lists(WORDS, max_size=30))
def test_direction_does_not_matter(passage):
    asked = evidence(ann=1.0, bob=2.0, cat=0.5)
    assert asked.measure(passage) == asked.measure(passage[::-1])
