from pathlib import Path

import pytest
from tests.stories.examples import rows

from fabula.story.graph_rag.passage_graph import Name, Role, names_in, title_name

HERE = Path(__file__).parent


def named(text):
    return [name.surface for name in names_in(text) if name.role is Role.NAMED]


@pytest.mark.parametrize(("text", "names"), [*rows(HERE / "names.tsv"), ("", "-")])
def test_names_as_written(text, names):
    assert "; ".join(named(text) or ["-"]) == names


def test_words_and_parts_that_are_weak():
    assert names_in("Fearing them, she fled.") == [Name("Fearing", Role.WEAK)]
    assert names_in("It was Mr. Amos of Wrenford.") == [
        Name("Mr Amos of Wrenford", Role.NAMED),
        Name("Amos", Role.WEAK),
        Name("Amos of Wrenford", Role.WEAK),
        Name("Wrenford", Role.WEAK),
    ]


@pytest.mark.parametrize(("title", "about"), [*rows(HERE / "titles.tsv"), ("", "-")])
def test_what_a_title_is_about(title, about):
    found = title_name(title)
    assert (found.surface if found else "-") == about
