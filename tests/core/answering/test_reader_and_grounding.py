import numpy as np
import pytest
from tests.core.encoders.test_bert import INNER, LAYERS, WIDTH, make_model
from tests.tables import values

from fabula.core.answering import answer_reader
from fabula.core.answering.answer_reader import AnswerReader, packaged_reader
from fabula.core.answering.grounding import best_quotes, nearest, numbered_sources, source_block
from fabula.core.encoders.adapters import ADAPTED, adapted
from fabula.core.encoders.bert import QueryEncoder, read_shape, read_weights
from fabula.core.encoders.bert_compiled import CompiledQueryEncoder, can_compile
from fabula.core.kernels import compiled
from fabula.core.types import Chunk, Evidence, Note, Passage, Span

TEXT = "w3 w4 w5. W6 w7 w8 w9? W10 w11 w12 w13 w14!"


@pytest.fixture(scope="module")
def shape(tmp_path_factory):
    return read_shape(make_model(tmp_path_factory.mktemp("tiny")))


@pytest.fixture(scope="module")
def reader(shape, tmp_path_factory):
    path = tmp_path_factory.mktemp("fitted") / "fitted.npz"
    np.savez(path, **fitted(seed=3))
    return AnswerReader(shape, weights=path)


def fitted(*, seed, strength=0.1):
    """Random adapters of rank 2 for the tiny encoder."""
    rng = np.random.default_rng(seed)

    def some(*size):
        return rng.normal(0, strength, size).astype(np.float16)

    found = {"kinds": some(2, WIDTH), "norm": 1 + some(2, WIDTH), "null": np.float32(0.1)}
    found["calibration"] = np.array([[1.0, 0.0], [1.0, 0.0]], np.float32)
    found |= {
        "sentence": some(2 * WIDTH),
        "match": some(WIDTH),
        "token": some(WIDTH),
        "words": some(2, WIDTH),
    }
    for number in range(len(ADAPTED) * LAYERS):
        name = ADAPTED[number % len(ADAPTED)]
        rows = INNER if name == "intermediate.dense" else WIDTH
        columns = INNER if name == "output.dense" else WIDTH
        found |= {f"a{number}": some(2, columns), f"b{number}": some(rows, 2), f"c{number}": some(rows)}
    return found | {f"n{number}": 1 + some(2, WIDTH) for number in range(2 * LAYERS)}


def test_a_passage_further_down_the_search_counts_less(reader):
    passages = ["W20 w21 w22.", TEXT]
    plain = reader.read("w3 w9", passages, by_rank=0.0)
    ranked = reader.read("w3 w9", passages, by_rank=2.0)

    def odds(read, passage):
        return sum(s.share for s in read.sentences if s.passage == passage)

    assert odds(ranked, 1) / odds(ranked, 0) == pytest.approx(odds(plain, 1) / odds(plain, 0) / 4, rel=1e-3)


def test_shares_of_all_sentences_and_of_not_told_sum_to_one(reader):
    found = reader.read("w3 w9", [TEXT, "w20 w21 w22."])
    assert [len(found.sentences), len({(s.passage, s.span) for s in found.sentences})] == [4, 4]
    assert 0.5 < sum(s.share for s in found.sentences) < 1  # the rest is that of "not told"
    assert sum(s.share for s in found.sentences[:3]) == pytest.approx(found.told, abs=1e-4)
    assert 0 < found.told < 1
    shares = [s.share for s in found.sentences]
    assert shares == sorted(shares, reverse=True)


def test_sentences_stand_in_the_passage_and_the_same_question_gives_the_same(reader):
    for one in reader.read("w3 w9", [TEXT]).sentences:
        assert one.span.of(TEXT) in ("w3 w4 w5.", "W6 w7 w8 w9?", "W10 w11 w12 w13 w14!")
        assert one.span.contains(one.words) and one.words.of(TEXT).strip()
    once, again = reader.read("w3 w9", [TEXT]), reader.read("w3 w9", [TEXT])
    assert once == again
    more = reader.read("w3 w9", [TEXT, "w30 w31."])
    assert [s.span for s in more.sentences if s.passage == 0] == [s.span for s in once.sentences]


def test_of_a_passage_too_long_to_be_read_at_once_every_sentence_is_read(reader, monkeypatch):
    monkeypatch.setattr(answer_reader, "PASSAGE_TOKENS", 8)
    text = " ".join(f"W{i} w{i + 1} w{i + 2}." for i in range(3, 30))
    found = reader.read("w3", [text, "w3 " * 60])
    assert len(found.sentences) == 27 + 1
    assert all(one.span.contains(one.words) for one in found.sentences)


def test_nothing_to_read_is_not_told(reader):
    assert reader.read("w3", []).told == reader.read("w3", ["", "  "]).told == 0


def test_adapters_that_add_nothing_leave_the_encoder_as_it_is(shape):
    base = read_weights(shape)
    still = fitted(seed=3, strength=0)
    for layer in range(LAYERS):
        for place, name in enumerate(ADAPTED):
            still[f"c{len(ADAPTED) * layer + place}"] = base[f"encoder.layer.{layer}.{name}.bias"]
        for place, name in enumerate(("attention.output.LayerNorm", "output.LayerNorm")):
            at = f"encoder.layer.{layer}.{name}"
            still[f"n{2 * layer + place}"] = np.stack([base[f"{at}.weight"], base[f"{at}.bias"]])
    still["kinds"] = base["embeddings.token_type_embeddings.weight"]
    still["norm"] = np.stack([base[f"embeddings.LayerNorm.{part}"] for part in ("weight", "bias")])
    for name, array in adapted(base, still, LAYERS).items():
        np.testing.assert_allclose(array, base[name], atol=1e-6, err_msg=name)


@pytest.mark.skipif(compiled.ENCODER is None, reason="no compiled kernel")
def test_the_compiled_states_are_those_computed_in_numpy(shape):
    weights = read_weights(shape)
    assert can_compile(shape)
    ids = [1, 5, 6, 2, 7, 8, 9, 2]
    plain = QueryEncoder(shape, weights).states(ids, second=4)
    fast = CompiledQueryEncoder(shape, weights, compiled.ENCODER).states(ids, second=4)
    cosine = (plain * fast).sum(1) / np.linalg.norm(plain, axis=1) / np.linalg.norm(fast, axis=1)
    assert cosine.min() > 0.999
    assert not np.allclose(plain, QueryEncoder(shape, weights).states(ids, second=len(ids)))


def test_it_finds_a_plain_answer_and_knows_when_there_is_none():
    passages = [
        "The ferry lay at the stage all morning. Old Cato the miller drowned in the weir that night.",
        "Bela mended the nets by the window. Nobody spoke of the ferry.",
    ]
    found = packaged_reader().read("Who drowned in the weir?", passages)
    assert found.sentences[0].words.of(passages[0]).startswith(("Old Cato", "Cato", "the miller"))
    strange = packaged_reader().read("What is the name of the doctor's dog?", passages)
    assert strange.told < found.told


FERRY = (
    "Anna ran the ferry across the Wend. She had three brothers, and trusted none of them. "
    "Old Cato drowned in the weir in 1874. Bela mended the nets at the mill."
)


def passage(start, end, *, chapter=1, score=1.0):
    span = Span(start, end)
    text = span.of(FERRY)
    return Passage(Chunk(Chunk.make_id("s", span, text), "s", chapter, 0, span, text), score)


def sources(*spans):
    found, _ = numbered_sources(
        [passage(*span) for span in spans], [], budget=10_000, note_share=0.0, count=len
    )
    return found


FIRST = (0, FERRY.index("Old Cato"))
SECOND = (FERRY.index("Old Cato"), len(FERRY))


def test_the_best_quotes_share_the_most_telling_words():
    found = best_quotes({"drown": 3.0, "ferri": 1.0, "the": 0.0}, sources(FIRST, SECOND), limit=2)
    assert [c.quote for c in found] == [
        "Old Cato drowned in the weir in 1874.",
        "Anna ran the ferry across the Wend.",
    ]
    assert best_quotes({"volcano": 5.0}, sources(FIRST, SECOND)) == ()


def test_a_source_of_which_half_was_given_is_left_out_and_the_first_always_fits():
    given, left = numbered_sources(
        [passage(0, 100), passage(50, 150), passage(40, 170)], [], budget=5, note_share=0.0, count=len
    )
    assert [s.number for s in given] == [1]
    assert [one.reason for one in left] == ["duplicate", "budget"]


def test_notes_keep_their_share_of_the_budget():
    note = Note(
        "relation", "Anna distrusts her brothers", (), (Evidence("s", 1, Span(36, 84), FERRY[36:84]),)
    )
    room = len(source_block(sources(FIRST)[0])) + 120
    given, left = numbered_sources(
        [passage(*FIRST), passage(*SECOND)], [note], budget=room, note_share=0.5, count=len
    )
    assert [s.kind for s in given] == ["passage", "note"]
    assert [one.reason for one in left] == ["budget"]


@pytest.mark.parametrize(("words", "says", "quote"), values(__file__, "cited.tsv"))
def test_a_sentence_is_cited_by_the_words_that_decided(words, says, quote):
    found = nearest(sources(FIRST, SECOND)[1], words, says)
    assert found.quote == quote == found.span.of(FERRY)
