import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.encoders.test_bert import HEADS, INNER, LAYERS, LIMIT, WIDTH, WORDS, random_weights

from fabula.core import embeddings
from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders.bert import EncoderShape, QueryEncoder
from fabula.core.encoders.bert_compiled import CompiledQueryEncoder, can_compile
from fabula.core.kernels import compiled

pytestmark = pytest.mark.skipif(compiled.ENCODER is None, reason="there is no compiled encoder")


def make(tmp_path, *, width=WIDTH, inner=INNER, heads=HEADS, mean=True):
    shape = EncoderShape(tmp_path, LAYERS, heads, width, inner, LIMIT, 1e-12, mean)
    return shape, random_weights(0, width, inner)


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
    exact = QueryEncoder(shape, weights)
    fast = CompiledQueryEncoder(shape, weights, compiled.ENCODER, level=level)
    for ids in ([3], list(range(40)), [7] * LIMIT):
        np.testing.assert_allclose(fast(ids), exact(ids), atol=3e-6)


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
    assert isinstance(embeddings._PACKAGED.query(fast._shape, exact=False), CompiledQueryEncoder)
    assert isinstance(embeddings._PACKAGED.query(full._shape, exact=True), QueryEncoder)
