import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import rows, values

from fabula.engine import Project
from fabula.story.memories.graph_answers import graph_answer


@pytest.fixture(scope="module")
def opened(demo_project):
    with Project.open(demo_project) as project:
        yield project


@pytest.mark.parametrize(("question", "answer", "quote"), rows(__file__, "it_says_what_the_graph_holds.tsv"))
def test_it_says_what_the_graph_holds_with_its_quote(opened, question, answer, quote):
    found = graph_answer(question, opened.view(None))
    assert found is not None
    assert found.text == answer
    assert any(one.quote.startswith(quote) for one in found.evidence)
    for one in found.evidence:
        assert one.span.of(opened.document.text) == one.quote
    asked = opened.ask(question, model=False)
    assert (asked.short, asked.told, asked.extractive) == (answer, True, True)
    assert all(one.span.of(opened.document.text) == one.quote for one in asked.citations)


def test_it_says_who_somebody_is(opened):
    found = graph_answer("Who is Pip?", opened.view(None))
    assert found is not None
    assert "is 10 years old" in found.text
    assert "Philippa Tolliver, who was ten" in found.evidence[0].quote


@pytest.mark.parametrize(("story", "question", "answer"), rows(__file__, "what_is_over_is_named_so.tsv"))
def test_what_is_over_is_named_as_over(story, question, answer):
    found = graph_answer(question, StoryBuilder.of(story).view())
    assert found is not None and found.text == answer


@pytest.mark.parametrize(("question",), values(__file__, "what_it_does_not_hold_is_left.tsv"))
def test_what_it_does_not_hold_is_left_to_the_reader(opened, question):
    assert graph_answer(question, opened.view(None)) is None


@pytest.mark.parametrize("as_of", [1, 5, 8, 9, 13])
def test_nothing_told_later_is_answered(opened, as_of):
    for question in ("Who does Harriet trust?", "Where is Len Bray?", "Who is Len?", "Who loves Barnaby?"):
        found = graph_answer(question, opened.view(as_of))
        assert all(one.chapter <= as_of for one in (found.evidence if found else ()))
    trusts = graph_answer("Who does Harriet trust?", opened.view(as_of))
    assert (trusts is None) == (as_of < 9)


def test_a_filter_asks_passages_alone(opened):
    from fabula.story.passages.filter import SearchFilter

    found = opened.ask("Who does Harriet trust?", model=False, wanted=SearchFilter(chapters=(1, 3)))
    assert all(one.chapter <= 3 for one in found.citations)
    assert "Harriet trusted Len." not in found.text


def test_a_follow_up_is_answered_too(opened):
    trusted = [("Who does Harriet trust?", "Len Bray")]
    (first, *_) = opened.ask("And Wilf?", history=trusted, model=False).citations
    assert first.quote.startswith("Wilf trusted")
    died = [("Where did Barnaby die?", "on the Long Trestle")]
    assert "twenty minutes past five" in opened.ask("And when?", history=died, model=False).text
    company = opened.ask("And who was with him?", history=died, model=False)
    assert company.short == "Wilf, Len Bray, Harriet Pellow"
