import pytest
from tests.tables import rows, values

from fabula.core.queries.follow_up import standalone

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


@pytest.mark.parametrize(
    ("before", "question", "found"),
    values(__file__, "a_relation_is_that_of_whom.tsv"),
)
def test_a_relation_is_that_of_whom_was_asked_before(before, question, found):
    def known(text):
        theirs = {"Cato’s wife": [("Anna", "f")], "Cato’s son": []}
        return theirs[text] if text in theirs else named(text)

    assert standalone(question, [(before, "In the weir.")], known) == found
