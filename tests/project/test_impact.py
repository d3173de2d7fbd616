import json

import pytest

from fabula.errors import HorizonError, UsageError
from fabula.project.impact import impact_of

QUEEN = "a queen bee inside his shirt"


def test_it_finds_what_the_same_words_do_not(demo):
    found = impact_of(demo, QUEEN)
    assert found.passage.quote.startswith("He was Wilf's oldest friend") and found.passage.chapter == 1
    assert len(found.places) == 7
    told = {one.evidence.quote: one.why for one in found.places}
    assert "Wilf trusted Len the way he trusted the rails." in told
    assert any("queen in your shirt" in quote for quote in told)
    assert "Len Bray and Wilf" in told["Wilf trusted Len the way he trusted the rails."]
    facts = [one for one in found.places if one.why]
    assert list(found.places[: len(facts)]) == facts
    for one in (found.passage, *(place.evidence for place in found.places)):
        assert one.span.of(demo.document.text) == one.quote
    assert not any(one.evidence.span.overlaps(found.passage.span) for one in found.places)


def test_the_words_must_stand_where_they_are_looked_for(demo):
    late = demo.document.chapters[9].body.of(demo.document.text).strip()[:60]
    for words, where, said in (
        ("no such words", {}, "are not in the story"),
        (QUEEN, {"chapter": 2}, "are not in chapter 2"),
        (late, {"as_of": 3}, "chapters 1 to 3"),
    ):
        with pytest.raises(UsageError, match=said):
            impact_of(demo, words, **where)
    with pytest.raises(HorizonError):
        impact_of(demo, QUEEN, as_of=99)


def test_the_command_shows_both_ways(demo_project, done, refusal):
    said = done("search", demo_project, QUEEN, "--impact", "--as-of", 10)
    assert said.index("the same fact in:") < said.index("nearest mentions:")
    data = json.loads(done("search", demo_project, QUEEN, "--impact", "-k", 2, "--json"))
    assert len(data["places"]) == 2 and data["passage"]["chapter"] == 1
    refusal("search", demo_project, "nowhere", "--impact")
