import pytest

from fabula.core.answering.answer_reader import packaged_reader
from fabula.core.reranking import reranked_by_answers
from fabula.core.types import Chunk, Passage, Share, Span

TEXTS = ["The ferry left the harbour.", "The lamp burns.", "A letter in a tin.", "Salt and bread."]
QUERY = "Where did the ferry go?"


def passage(ordinal, text, *shares):
    """A passage of chunk ``ordinal`` whose score is the sum of the shares."""
    span = Span(100 * ordinal, 100 * ordinal + len(text))
    chunk = Chunk(Chunk.make_id("book", span, text), "book", 1, ordinal, span, text)
    return Passage(chunk, sum(share.share for share in shares), shares)


def passages(texts=TEXTS):
    return [
        passage(i, text, Share("lexical", i + 1, 3.0 - i, 0.5 / (i + 1)), Share("semantic", i + 2, 0.4, 0.2))
        for i, text in enumerate(texts)
    ]


def test_the_same_chunks_in_an_order_that_theirs_has_no_say_in():
    found = reranked_by_answers(packaged_reader(), QUERY, passages())
    turned = reranked_by_answers(packaged_reader(), QUERY, passages()[::-1])
    assert [p.chunk for p in turned] == [p.chunk for p in found]
    assert sorted(p.chunk.ordinal for p in found) == [0, 1, 2, 3]
    same = [passage(ordinal, "The lamp burns.", Share("lexical", 1, 1.0, 0.5)) for ordinal in (3, 1, 2)]
    tied = reranked_by_answers(packaged_reader(), QUERY, same)
    assert [p.chunk.ordinal for p in tied] == [1, 2, 3]


def test_shares_say_who_found_a_passage_and_sum_to_its_score():
    for rank, one in enumerate(reranked_by_answers(packaged_reader(), QUERY, passages()), start=1):
        *others, own = one.shares
        assert [(s.retriever, s.score, s.share) for s in others] == [
            ("lexical", 3.0 - one.chunk.ordinal, 0),
            ("semantic", 0.4, 0),
        ]
        assert (own.retriever, own.rank, own.score, own.share) == ("reranker", rank, one.score, one.score)


@pytest.mark.parametrize("texts", [[], ["", " ", "\u2603\ufe0f \U0001f600", "word " * 3000]])
def test_texts_of_any_kind_are_scored(texts):
    for query in (QUERY, ""):
        assert len(reranked_by_answers(packaged_reader(), query, passages(texts))) == len(texts)


def test_the_passage_that_answers_comes_first_of_a_query_that_asks():
    found = reranked_by_answers(packaged_reader(), "Where is the letter kept?", passages())
    assert found[0].chunk.text == "A letter in a tin."
    assert 0 <= found[-1].score < found[0].score <= 1
    assert reranked_by_answers(packaged_reader(), " ", passages()) == passages()
