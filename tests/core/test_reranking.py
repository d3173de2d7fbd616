import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.reranker_contract import QUERY, TEXTS, RerankerContract, passage, passages

from fabula.core.answering.answer_reader import packaged_reader
from fabula.core.reranking import AnswerReranker, CrossEncoderReranker, reranked
from fabula.core.types import Share
from fabula.errors import ConfigError, ModelMissing, ModelRefused

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the ferry left harbour lamp burns a letter in tin salt and bread . ?"


def save_cross_encoder(folder, *, labels=1, seed=0):
    """A BERT of one small layer with random weights, as transformers saves it."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    (folder / "vocab.txt").write_text("\n".join(WORDS.split()) + "\n", encoding="utf-8")
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=32).save_pretrained(folder)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(WORDS.split()),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        num_labels=labels,
        initializer_range=0.5,  # outputs that differ
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_cross_encoder(tmp_path_factory.mktemp("cross-encoder"))


def test_the_second_score_replaces_the_first():
    given_ = [passage(0, "a", Share("lexical", 1, 9.0, 0.7)), passage(1, "b", Share("semantic", 1, 0.8, 0.3))]
    first, second = reranked(given_, [0.25, 0.75])
    assert (first.chunk.ordinal, first.score) == (1, 0.75)
    assert first.shares == (Share("semantic", 1, 0.8, 0.0), Share("reranker", 1, 0.75, 0.75))
    assert (second.chunk.ordinal, second.score) == (0, 0.25)
    assert second.shares == (Share("lexical", 1, 9.0, 0.0), Share("reranker", 2, 0.25, 0.25))


def test_both_scores_by_hand():
    lexical, semantic = Share("lexical", 1, 9.0, 0.6), Share("semantic", 2, 0.5, 0.2)
    given_ = [passage(4, "a", lexical, semantic), passage(7, "b", Share("lexical", 2, 5.0, 0.4))]
    first, second = reranked(given_, [0.5, 0.9], weight=0.4)
    assert (first.chunk.ordinal, second.chunk.ordinal) == (4, 7)
    assert first.score == pytest.approx(0.4 * 0.5 + 0.6 * 0.8 / 0.8)
    assert second.score == pytest.approx(0.4 * 0.9 + 0.6 * 0.4 / 0.8)
    assert [s.share for s in first.shares] == pytest.approx([0.6 * 0.6 / 0.8, 0.6 * 0.2 / 0.8, 0.4 * 0.5])
    assert [s.rank for s in first.shares] == [1, 2, 2]  # alone, the reranker would have put it second


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(0, 1)), max_size=8),
    st.floats(0, 1),
)
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
    with pytest.raises(ConfigError, match="weight"):
        CrossEncoderReranker("any", weight=weight)
    with pytest.raises(ConfigError, match="4 passages"):
        reranked(passages(), [0.5])


@pytest.fixture(scope="module", params=[{}, {"weight": 0.5, "batch_size": 2}], ids=["replacing", "mixing"])
def cross_encoder(model, request):
    return CrossEncoderReranker(str(model), device="cpu", offline=True, **request.param)


class TestCrossEncoder(RerankerContract):
    @pytest.fixture
    def reranker(self, cross_encoder):
        return cross_encoder


class TestAnswerReranker(RerankerContract):
    @pytest.fixture(params=[{}, {"weight": 0.4}], ids=["replacing", "mixing"])
    def reranker(self, request):
        return AnswerReranker(packaged_reader(), **request.param)


def test_scores_are_the_logistic_of_the_models_outputs(model):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model)
    bert = AutoModelForSequenceClassification.from_pretrained(model).eval()
    expected = {}
    for ordinal, text in enumerate(TEXTS):
        with torch.inference_mode():
            output = bert(**tokenizer(QUERY, text, truncation=True, return_tensors="pt")).logits.item()
        expected[ordinal] = 1 / (1 + math.exp(-output))
    found = CrossEncoderReranker(str(model), device="cpu").rerank(QUERY, passages())
    assert {p.chunk.ordinal: p.score for p in found} == pytest.approx(expected, abs=1e-6)
    assert len({round(score, 4) for score in expected.values()}) == len(TEXTS)


def test_nothing_is_loaded_before_it_is_needed(tmp_path):
    reranker = CrossEncoderReranker(str(tmp_path / "nowhere"))
    assert reranker.rerank(QUERY, []) == []
    assert reranker.rerank(" ", passages()) == passages()


@pytest.mark.parametrize("make", [False, True], ids=["no folder", "empty folder"])
def test_a_missing_model_is_one_clear_error(tmp_path, make):
    place = tmp_path / "nowhere"
    if make:
        place.mkdir()
    with pytest.raises(ModelMissing, match="without a reranker"):
        CrossEncoderReranker(str(place), offline=True).rerank(QUERY, passages())


def test_a_model_of_several_outputs_is_refused(tmp_path):
    with pytest.raises(ModelRefused, match="3 scores a pair"):
        CrossEncoderReranker(str(save_cross_encoder(tmp_path, labels=3)), device="cpu").rerank(
            QUERY, passages()
        )


def test_a_score_that_is_no_number_is_refused(model):
    import torch

    reranker = CrossEncoderReranker(str(model), device="cpu")
    with torch.no_grad():
        next(p for n, p in reranker.model.named_parameters() if n.endswith("classifier.bias")).fill_(math.nan)
    with pytest.raises(ModelRefused, match="nan for chunk"):
        reranker.rerank(QUERY, passages())


def test_the_reader_of_answers_puts_the_passage_that_answers_first_of_a_query_that_asks():
    found = AnswerReranker(packaged_reader()).rerank("Where is the letter kept?", passages())
    assert found[0].chunk.text == "A letter in a tin."
    assert 0 <= found[-1].score < found[0].score <= 1
    assert AnswerReranker(packaged_reader()).rerank(" ", passages()) == passages()
