from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core import embeddings
from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders.bert import EncoderShape, QueryEncoder
from fabula.core.encoders.bert_compiled import CompiledQueryEncoder, can_compile
from fabula.core.kernels import compiled

pytestmark = pytest.mark.skipif(compiled.ENCODER is None, reason="there is no compiled encoder")

WORDS, LIMIT = 50, 90


def make(tmp_path, *, width=64, inner=128, heads=4, layers=2, mean=True, seed=0):
    shape = EncoderShape(tmp_path, layers, heads, width, inner, LIMIT, 1e-12, mean)
    draw = np.random.default_rng(seed)

    def some(*size):
        return draw.normal(0, 0.15, size).astype(np.float32)

    weights = {
        "embeddings.word_embeddings.weight": some(WORDS, width) * 5,
        "embeddings.position_embeddings.weight": some(LIMIT, width),
        "embeddings.token_type_embeddings.weight": some(2, width),
    }

    def norm(name):
        weights[f"{name}.weight"], weights[f"{name}.bias"] = 1 + some(width), some(width)

    norm("embeddings.LayerNorm")
    for i in range(layers):
        at = f"encoder.layer.{i}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value"):
            weights[f"{at}{name}.weight"], weights[f"{at}{name}.bias"] = some(width, width), some(width)
        for name, out, into in (
            ("attention.output", width, width),
            ("intermediate", inner, width),
            ("output", width, inner),
        ):
            weights[f"{at}{name}.dense.weight"] = some(out, into)
            weights[f"{at}{name}.dense.bias"] = some(out)
        norm(f"{at}attention.output.LayerNorm")
        norm(f"{at}output.LayerNorm")
    return shape, weights


LEVELS = range(1, (compiled.ENCODER.LEVEL if compiled.ENCODER else 0) + 1)
FASTEST = sorted({*LEVELS, *([compiled.ENCODER.FASTEST] if compiled.ENCODER else [])})


@pytest.mark.parametrize("level", FASTEST)
@pytest.mark.parametrize("options", [{}, {"mean": False}, {"width": 96, "heads": 2, "inner": 192}])
def test_vectors_are_numpy_s(tmp_path, level, options):
    shape, weights = make(tmp_path, **options)
    exact = QueryEncoder(shape, weights) if shape.width % 64 == 0 else None
    fast = CompiledQueryEncoder(shape, weights, compiled.ENCODER, level=level)

    @given(st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=LIMIT))
    def agree(ids):
        vector = fast(ids)
        assert vector.dtype == np.float32
        assert abs(float(vector @ vector) - 1) < 1e-6
        assert vector.tobytes() == fast(ids).tobytes()
        if exact is not None:
            assert float(vector @ exact(ids)) > (0.9999 if level in LEVELS else 0.999)

    agree()


@pytest.mark.parametrize("level", LEVELS)
def test_only_the_weights_are_rounded(tmp_path, level):
    """With weights that bfloat16 holds exactly, nothing is lost but the order of sums."""
    shape, weights = make(tmp_path)
    for name, value in weights.items():
        if name.endswith("dense.weight") or (".self." in name and name.endswith(".weight")):
            cut = (value.view(np.uint32) & 0xFFFF0000).view(np.float32)
            weights[name] = np.ascontiguousarray(cut)
    exact, fast = (
        QueryEncoder(shape, weights),
        CompiledQueryEncoder(shape, weights, compiled.ENCODER, level=level),
    )
    for ids in ([3], list(range(40)), [7] * LIMIT):
        np.testing.assert_allclose(fast(ids), exact(ids), atol=3e-6)


def test_threads_share_it(tmp_path):
    shape, weights = make(tmp_path)
    fast = CompiledQueryEncoder(shape, weights, compiled.ENCODER)
    texts = [[i, (7 * i) % WORDS, 3] for i in range(WORDS)]
    alone = [fast(ids).tobytes() for ids in texts]
    with ThreadPoolExecutor(4) as pool:
        assert [v.tobytes() for v in pool.map(fast, texts)] == alone


def test_what_does_not_belong_together_is_refused(tmp_path):
    shape, weights = make(tmp_path)
    fast = CompiledQueryEncoder(shape, weights, compiled.ENCODER)
    kernel = compiled.ENCODER.Encoder
    with pytest.raises(ValueError, match="not \\(1 or more, 64\\)"):
        fast._run(np.zeros((0, 64), np.float32))
    sizes = {"layers": 1, "heads": 4, "width": 64, "inner": 128, "epsilon": 1e-12, "mean": True}
    none = np.zeros(8, np.float32)
    for changed, message in (
        ({"width": 60}, "cannot be cut by 16"),
        ({"heads": 8}, "cannot be cut by 16"),
        ({"level": 9}, "instructions of level 9"),
        ({}, "0 weights are not those of 1 layers"),
    ):
        with pytest.raises(ValueError, match=message):
            kernel(np.zeros(0, np.uint16), none, none, **(sizes | changed))
    assert can_compile(shape)
    assert not can_compile(EncoderShape(tmp_path, 2, 8, 64, 128, LIMIT, 1e-12, True))


def test_the_packaged_model_agrees_and_fp32_is_computed_in_full():
    fast, full = EmbeddingManager(), EmbeddingManager(precision="fp32")
    for text in ("Who left the harbour before dawn?", "rain", "She refuses to go back to the house. " * 12):
        one, other = fast.embed_query(text), full.embed_query(text)
        assert 0.99995 < float(one @ other) < 1.0001
    assert isinstance(embeddings._shared_query(fast._shape, exact=False), CompiledQueryEncoder)
    assert isinstance(embeddings._shared_query(full._shape, exact=True), QueryEncoder)
