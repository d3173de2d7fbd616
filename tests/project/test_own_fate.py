import pytest
from tests.tables import values

from fabula.engine import Project, index_book

TEXT = """Chapter One

Harriet Vane lived in Durham with her husband Tom Vane. Their daughter Clara loved the sea. Harriet's brother
Edmund Alden was a sailor. Edmund hated Tom.

Chapter Two

In the winter Edmund drowned in the harbour while Clara watched. Harriet wore black for a year.

Old Mrs. Pole died of a fever in March. Mr. Pole was hanged for the murder of the miller, Jacob Stone.

Chapter Three

Tom Vane was poisoned by Martin Crow. Harriet found him in the library. Martin Crow fled to France.

Peter Quill was married to Ada Quill. Ada Quill was Harriet's aunt.
"""
SILENT = "The story so far does not say"


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fate")
    (folder / "vane.txt").write_text(TEXT, encoding="utf-8")
    index_book(folder / "vane.txt", folder / "p")
    with Project.open(folder / "p") as project:
        yield project


@pytest.mark.parametrize(
    ("question", "quoted"),
    values(__file__, "death_of_another_is_no_answer.tsv"),
)
def test_the_death_of_another_is_no_answer(opened, question, quoted):
    found = opened.ask(question, model=False)
    assert found.told == (quoted is not None)
    if quoted is None:
        assert found.text.startswith(SILENT)
    else:
        assert found.citations[0].quote.startswith(quoted)


@pytest.mark.parametrize(
    ("before", "question", "short"),
    values(__file__, "a_relation_is_that_of_the.tsv"),
)
def test_a_relation_is_that_of_the_person_asked_of_before(opened, before, question, short):
    asked = opened.ask(before, model=False)
    found = opened.ask(question, model=False, history=[(before, asked.text)])
    assert found.short == short
