from fabula.core.types import Span
from fabula.story.evidence.quote_finder import QuoteFinder


def test_quotes_are_found_whatever_the_white_space():
    finder = QuoteFinder("One\r\n two\tthree.  One two")
    assert list(finder.find_all("One two")) == [Span(0, 9), Span(18, 25)]
    assert finder.find("One two", within=Span(5, 25)) == Span(18, 25)
    assert finder.find("one two") is None
    assert finder.find(" ") is None
    assert list(finder.find_name("two")) == [Span(6, 9), Span(22, 25)]
    assert list(QuoteFinder("Ann, Anna").find_name("Ann")) == [Span(0, 3)]
    assert list(QuoteFinder("İX ann, Annann ANN").find_name("Ann", any_case=True)) == [
        Span(3, 6),
        Span(15, 18),
    ]
    assert list(QuoteFinder("ann").find_name("Ann")) == []
