"""Claims of a draft that stand in what it was given."""

import pytest

from fabula.core.types import Context, Evidence, Span
from fabula.story.metrics import grounding
from fabula.story.model.types import FactTold, Interval, Modality, Relation
from fabula.story.writing.context import Source, StoryContext


def quote(document, start):
    return Evidence(document, 1, Span(start, start + 10), "x" * 10)


def relation(document, start, subject, predicate, other, modality=Modality.FACT):
    return Relation(subject, predicate, other, Interval(1), 1, (quote(document, start),), modality=modality)


class Told:
    def __init__(self, *relations, facts=()):
        self._relations, self._facts = relations, facts

    def relations(self):
        return self._relations

    def facts(self):
        return self._facts


def given(*starts):
    sources = tuple(Source("passage", "World", "l", 1, 5, "t", (quote("story", start),)) for start in starts)
    return StoryContext(Context(tokens=1), None, sources, "text", 100)


def test_the_share_of_claims_that_a_given_quote_tells():
    told = Told(
        relation("story", 0, "anna", "LOVES", "tom"),
        relation("story", 100, "anna", "LIVES_IN", "mill"),
        relation("draft", 0, "anna", "LOVES", "tom"),
        relation("draft", 20, "anna", "LIVES_IN", "mill"),
        relation("draft", 40, "tom", "HATES", "anna"),
        facts=(
            FactTold("tom", "eyes", "blue", 1, (quote("story", 5),)),
            FactTold("tom", "eyes", "blue", 2, (quote("draft", 60),)),
        ),
    )
    # of four claims the context holds the quotes at 0 and 5, not that at 100
    score = grounding(told, draft="draft", context=given(3))
    assert (score.value, score.n) == (pytest.approx(2 / 4), 4)
    assert grounding(told, draft="draft", context=given(3, 100)).value == pytest.approx(3 / 4)


def test_either_way_round_where_the_relation_goes_both_ways():
    married = (
        relation("story", 0, "anna", "MARRIED_TO", "tom"),
        relation("draft", 0, "tom", "MARRIED_TO", "anna"),
    )
    loves = (relation("story", 0, "anna", "LOVES", "tom"), relation("draft", 0, "tom", "LOVES", "anna"))
    assert grounding(Told(*married), draft="draft", context=given(0)).value == 1.0
    assert grounding(Told(*loves), draft="draft", context=given(0)).value == 0.0


def test_what_is_only_imagined_is_no_claim():
    dreamt = relation("draft", 0, "anna", "LOVES", "tom", Modality.IMAGINED)
    assert grounding(Told(dreamt), draft="draft", context=given(0)).value is None
