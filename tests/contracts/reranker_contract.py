"""What every Reranker keeps. A subclass gives ``reranker`` as a fixture."""

import pytest

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


class RerankerContract:
    def test_same_chunks_each_once(self, reranker):
        given = passages()
        found = reranker.rerank(QUERY, given)
        assert sorted(p.chunk.ordinal for p in found) == [0, 1, 2, 3]
        assert {p.chunk for p in found} == {p.chunk for p in given}
        assert given == passages()

    def test_best_first_and_shares_sum_to_the_score(self, reranker):
        found = reranker.rerank(QUERY, passages())
        assert found == sorted(found, key=lambda p: (-p.score, p.chunk.ordinal))
        for p in found:
            assert sum(share.share for share in p.shares) == pytest.approx(p.score)

    def test_who_found_a_passage_is_kept(self, reranker):
        for p in reranker.rerank(QUERY, passages()):
            before = passages()[p.chunk.ordinal].shares
            assert [(s.retriever, s.rank, s.score) for s in p.shares[:2]] == [
                (s.retriever, s.rank, s.score) for s in before
            ]

    def test_the_order_given_has_no_say(self, reranker):
        ordered = reranker.rerank(QUERY, passages())
        turned = reranker.rerank(QUERY, passages()[::-1])
        assert [p.chunk.ordinal for p in turned] == [p.chunk.ordinal for p in ordered]

    def test_same_call_same_passages(self, reranker):
        first = reranker.rerank(QUERY, passages())
        reranker.rerank("a letter", passages()[:2])
        assert reranker.rerank(QUERY, passages()) == first

    def test_ties_go_in_order_of_telling(self, reranker):
        same = [passage(ordinal, "The lamp burns.", Share("lexical", 1, 1.0, 0.5)) for ordinal in (3, 1, 2)]
        assert [p.chunk.ordinal for p in reranker.rerank(QUERY, same)] == [1, 2, 3]

    def test_nothing_for_nothing(self, reranker):
        assert reranker.rerank(QUERY, []) == []

    def test_texts_of_any_kind(self, reranker):
        odd = passages(["", " ", "\u2603\ufe0f \U0001f600", "word " * 3000])
        assert len(reranker.rerank(QUERY, odd)) == 4
        assert len(reranker.rerank("", odd)) == 4
