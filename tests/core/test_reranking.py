import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.answering.answer_reader import packaged_reader
from fabula.core.reranking import reranked, reranked_by_answers
from fabula.core.types import Chunk, Passage, Share, Span
from fabula.errors import ConfigError

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


@pytest.mark.parametrize(("weight", "order"), [(0.4, [4, 7]), (1.0, [7, 4])])
def test_both_scores_by_hand(weight, order):
    lexical, semantic = Share("lexical", 1, 9.0, 0.6), Share("semantic", 2, 0.5, 0.2)
    given_ = [passage(4, "a", lexical, semantic), passage(7, "b", Share("lexical", 2, 5.0, 0.4))]
    found = reranked(given_, [0.5, 0.9], weight=weight)
    assert [one.chunk.ordinal for one in found] == order
    four, seven = sorted(found, key=lambda one: one.chunk.ordinal)
    first = 1 - weight
    assert four.score == pytest.approx(weight * 0.5 + first * 0.8 / 0.8)
    assert seven.score == pytest.approx(weight * 0.9 + first * 0.4 / 0.8)
    expected = [first * 0.6 / 0.8, first * 0.2 / 0.8, weight * 0.5]
    assert [s.share for s in four.shares] == pytest.approx(expected)
    assert [s.rank for s in four.shares] == [1, 2, 2]  # alone, the reranker would have put it second


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(0, 1)), max_size=8), st.floats(0, 1))
def test_shares_sum_and_order_is_total(rows, weight):
    given_ = [
        passage(i, "text", Share("lexical", i + 1, a, a), Share("graph", i + 1, b, b))
        for i, (a, b, _) in enumerate(rows)
    ]
    found = reranked(given_, [second for *_, second in rows], weight=weight)
    assert [(-p.score, p.chunk.ordinal) for p in found] == sorted((-p.score, p.chunk.ordinal) for p in found)
    assert all(sum(s.share for s in p.shares) == pytest.approx(p.score, abs=1e-9) for p in found)
    assert sorted(p.shares[-1].rank for p in found) == list(range(1, len(rows) + 1))


@pytest.mark.parametrize("weight", [-0.1, 1.1])
def test_weights_out_of_range_and_a_score_too_few_are_refused(weight):
    with pytest.raises(ConfigError, match="weight"):
        reranked(passages(), [0.5] * 4, weight=weight)
    with pytest.raises(ConfigError, match="4 passages"):
        reranked(passages(), [0.5])


@pytest.mark.parametrize("weight", [1.0, 0.4])
def test_the_reader_gives_the_same_chunks_in_an_order_that_theirs_has_no_say_in(weight):
    found = reranked_by_answers(packaged_reader(), QUERY, passages(), weight=weight)
    turned = reranked_by_answers(packaged_reader(), QUERY, passages()[::-1], weight=weight)
    assert [p.chunk for p in turned] == [p.chunk for p in found]
    assert sorted(p.chunk.ordinal for p in found) == [0, 1, 2, 3]
    same = [passage(ordinal, "The lamp burns.", Share("lexical", 1, 1.0, 0.5)) for ordinal in (3, 1, 2)]
    tied = reranked_by_answers(packaged_reader(), QUERY, same, weight=weight)
    assert [p.chunk.ordinal for p in tied] == [1, 2, 3]


@pytest.mark.parametrize("texts", [[], ["", " ", "\u2603\ufe0f \U0001f600", "word " * 3000]])
def test_texts_of_any_kind_are_scored(texts):
    for query in (QUERY, ""):
        assert len(reranked_by_answers(packaged_reader(), query, passages(texts))) == len(texts)


def test_the_passage_that_answers_comes_first_of_a_query_that_asks():
    found = reranked_by_answers(packaged_reader(), "Where is the letter kept?", passages())
    assert found[0].chunk.text == "A letter in a tin."
    assert 0 <= found[-1].score < found[0].score <= 1
    assert reranked_by_answers(packaged_reader(), " ", passages()) == passages()
