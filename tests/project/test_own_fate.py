import pytest
from tests.tables import file_text, values

from fabula.engine import Project

TEXT = file_text(__file__, "vane.txt")


@pytest.fixture(scope="module")
def opened(indexed_once):
    with Project.open(indexed_once("vane.txt", TEXT) / "project") as project:
        yield project


@pytest.mark.parametrize(("question", "quoted"), values(__file__, "death_of_another_is_no_answer.tsv"))
def test_the_death_of_another_is_no_answer(opened, question, quoted):
    found = opened.ask(question, model=False)
    assert found.told == (quoted is not None)
    if quoted is not None:
        assert found.citations[0].quote.startswith(quoted)


@pytest.mark.parametrize(("before", "question", "short"), values(__file__, "a_relation_is_that_of_the.tsv"))
def test_a_relation_is_that_of_the_person_asked_of_before(opened, before, question, short):
    asked = opened.ask(before, model=False)
    found = opened.ask(question, model=False, history=[(before, asked.text)])
    assert found.short == short
