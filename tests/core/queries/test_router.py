import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows, values

from fabula.core.queries.follow_up import standalone
from fabula.core.queries.router import CLASSES, QueryStatistics, asks_widely, route
from fabula.core.types import TermStatistics

PEOPLE = {"Cato": "m", "Anna": "f", "Bela": "f", "Sasha": ""}
TALK = (
    ("Who drowned in the weir?", "Cato drowned in the weir. Anna saw it."),
    ("Who ran the ferry?", "Anna ran the ferry."),
    ("When did it burn?", "In March."),
)


def named(text):
    return [(name, PEOPLE[name]) for name in sorted(PEOPLE, key=text.find) if name in text]


@pytest.mark.parametrize(("question", "found"), rows(__file__, "follow_up.tsv"))
def test_it_says_by_itself_whom_it_is_about(question, found):
    assert standalone(question, TALK, named) == found


def test_what_a_question_leans_on():
    assert standalone("Where was he buried?", (), named) == "Where was he buried?"
    assert standalone("Where is he?", (("Who sang?", "Sasha sang."),), named) == "Where is Sasha?"
    old = (("Where is Cato?", "In the weir."), *(("What burned?", "The mill."),) * 3)
    assert standalone("Where was he buried?", old, named) == "What burned? Where was he buried?"


@pytest.mark.parametrize(("before", "question", "found"), rows(__file__, "left_out.tsv"))
def test_what_is_left_out_is_put_in(before, question, found):
    assert standalone(question, [(one, "In the weir.") for one in before.split(" | ")], named) == found


@pytest.mark.parametrize(("before", "question", "found"), values(__file__, "a_relation_is_that_of_whom.tsv"))
def test_a_relation_is_that_of_whom_was_asked_before(before, question, found):
    def known(text):
        theirs = {"Cato’s wife": [("Anna", "f")], "Cato’s son": []}
        return theirs[text] if text in theirs else named(text)

    assert standalone(question, [(before, "In the weir.")], known) == found


@pytest.mark.parametrize(("query", "kind"), rows(__file__, "kinds.tsv"))
def test_a_wish_to_write_or_explain_is_narrative_a_question_of_fact_is_not(query, kind):
    assert route(query).kind == kind


@pytest.mark.parametrize(("query", "expected"), rows(__file__, "classes.tsv"))
def test_classes(query, expected):
    analysis = route(query)
    assert analysis.query_class == expected, analysis.reasons


def test_reasons_name_what_they_saw():
    reasons = route('Who said "call me Ishmael" to process_data?').reasons
    assert reasons[0] == "nothing in it asks to write on or to explain character or plot"
    assert "identifier 'process_data'" in reasons
    assert any("call me Ishmael" in reason for reason in reasons)
    assert route("what was in it").reasons[1] == "no sign of exact or abstract wording"


@pytest.mark.parametrize(("query", "kind"), values(__file__, "capitals_that_are_no_names_and.tsv"))
def test_capitals_that_are_no_names_and_numbers_that_are_no_identifiers(query, kind):
    assert not any(reason.startswith(kind) for reason in route(query).reasons)


def _statistics(chunks, **df):
    return QueryStatistics([TermStatistics(term, 1, n, 1.0) for term, n in df.items()], chunks)


def test_statistics_tip_the_class():
    query = "what did Ned do with the harpoon"  # a name: one point
    assert route(query).query_class == "mixed"
    rare = route(query, statistics=_statistics(500, ned=40, harpoon=5))
    assert rare.query_class == "keyword"
    assert "rare in the text: 'harpoon'" in rare.reasons
    few = route(query, statistics=_statistics(99, ned=40, harpoon=1))
    assert few.query_class == "mixed"  # one chunk in 99 is not yet rare
    query = "what vessel did the sailors board"
    unknown = route(query, statistics=_statistics(500, vessel=0, sailor=0, board=9))
    assert unknown.query_class == "conceptual"
    assert "2 of 3 terms stand nowhere in the text" in unknown.reasons
    assert route(query, statistics=QueryStatistics([], 0)) == route(query)


@given(st.text(max_size=400))
def test_any_text_is_routed_and_always_alike(text):
    analysis = route(text)
    assert analysis == route(text)
    assert analysis.kind in ("factual", "narrative")
    assert analysis.query_class in CLASSES
    assert len(analysis.reasons) >= 2


HOSTILE = ["w", "1a-", "explain ", "A. ", "how did ", "'a ", "please ", "_", '"', "compare character "]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_query_costs_little(piece):
    started = time.process_time()
    for _ in range(3):
        route(piece * 20_000)
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(("query", "wide"), values(__file__, "wide_questions.tsv"))
def test_reasons_courses_and_comparisons_are_told_in_many_places(query, wide):
    assert asks_widely(query) is wide
