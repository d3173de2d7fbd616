import json
import math
import time
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file
from tests.tables import values
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders import bert
from fabula.core.encoders.bert import QueryEncoder, TextTokens, read_shape, read_weights
from fabula.core.encoders.bert_torch import PackedEncoder
from fabula.errors import ModelMissing

WIDTH, INNER, HEADS, LAYERS, WORDS, LIMIT = 64, 128, 4, 2, 40, 120
IDS = st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=LIMIT)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def model(folder):
    """Its shape and weights."""
    shape = read_shape(folder)
    return shape, read_weights(shape)


def make_model(folder, *, pooling="mean", seed=0, **changes):
    """A random encoder of two layers with the files of a real one."""
    bert = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": WIDTH,
        "intermediate_size": INNER,
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "max_position_embeddings": LIMIT,
        "layer_norm_eps": 1e-12,
    }
    (folder / "pool").mkdir(exist_ok=True)
    write(folder / "config.json", bert | changes)
    write(folder / "pool/config.json", {f"pooling_mode_{pooling}_token" + "s" * (pooling == "mean"): True})
    parts = [("Transformer", ""), ("Pooling", "pool"), ("Normalize", "norm")]
    write(
        folder / "modules.json", [{"type": f"sentence_transformers.models.{t}", "path": p} for t, p in parts]
    )
    vocabulary = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2} | {f"w{i}": i for i in range(3, WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    marks = [("[CLS]", 1), ("[SEP]", 2)]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    tokenizer.enable_padding(length=16)
    tokenizer.enable_truncation(16)
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(random_weights(seed), folder / "model.safetensors")
    return folder


def write(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")


def random_weights(seed, width=WIDTH, inner=INNER):
    rng = np.random.default_rng(seed)
    shapes = {
        "embeddings.word_embeddings.weight": (WORDS, width),
        "embeddings.position_embeddings.weight": (LIMIT, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }
    for i in range(LAYERS):
        at = f"encoder.layer.{i}."
        own = {f"attention.self.{kind}": (width, width) for kind in ("query", "key", "value")}
        own |= {"attention.output.dense": (width, width), "intermediate.dense": (inner, width)}
        own |= {"output.dense": (width, inner)}
        shapes |= {f"{at}{name}.weight": shape for name, shape in own.items()}
        shapes |= {f"{at}{name}.bias": shape[:1] for name, shape in own.items()}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{at}{name}.weight": (width,), f"{at}{name}.bias": (width,)}
    return {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def by_hand(weights, ids, *, mean=True):
    """BERT as the paper has it, in float64, head by head."""
    w = {name: array.astype(np.float64) for name, array in weights.items()}

    def norm(x, name):
        x = x - x.mean(1, keepdims=True)
        return x / np.sqrt((x**2).mean(1, keepdims=True) + 1e-12) * w[name + ".weight"] + w[name + ".bias"]

    def linear(x, name):
        return x @ w[name + ".weight"].T + w[name + ".bias"]

    gelu = np.vectorize(lambda v: v * (1 + math.erf(v / math.sqrt(2))) / 2)
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.token_type_embeddings.weight"][0]
    x = norm(x + w["embeddings.position_embeddings.weight"][: len(ids)], "embeddings.LayerNorm")
    each = WIDTH // HEADS
    for i in range(LAYERS):
        at = f"encoder.layer.{i}."
        q, k, v = (linear(x, f"{at}attention.self.{kind}") for kind in ("query", "key", "value"))
        heads = []
        for c in (slice(h * each, (h + 1) * each) for h in range(HEADS)):
            e = np.exp(q[:, c] @ k[:, c].T / math.sqrt(each))
            heads.append(e / e.sum(1, keepdims=True) @ v[:, c])
        own = linear(np.hstack(heads), at + "attention.output.dense")
        x = norm(x + own, at + "attention.output.LayerNorm")
        fed = linear(gelu(linear(x, at + "intermediate.dense")), at + "output.dense")
        x = norm(x + fed, at + "output.LayerNorm")
    vector = x.mean(0) if mean else x[0]
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("at_once", [7 * 64 * WIDTH, None])
@pytest.mark.parametrize("mean", [True, False])
@given(ids=IDS)
@settings(max_examples=10)
def test_a_question_is_encoded_as_by_hand_in_however_many_steps(model, at_once, mean, ids):
    shape, weights = model
    with pytest.MonkeyPatch.context() as patch:
        if at_once:
            patch.setattr(bert, "_UNPACKED", at_once)
        found = QueryEncoder(replace(shape, mean=mean), weights)(ids)
    np.testing.assert_allclose(found, by_hand(weights, ids, mean=mean), atol=2e-6)


@given(texts=st.lists(IDS, max_size=6))
@settings(max_examples=20)
def test_packed_texts_are_encoded_as_by_hand(model, texts):
    shape, weights = model
    vectors = PackedEncoder(shape, weights, dtype=torch.float32)(texts)
    expected = np.array([by_hand(weights, ids) for ids in texts]).reshape(-1, WIDTH)
    np.testing.assert_allclose(vectors, expected, atol=2e-6)


@pytest.fixture
def set_threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


def test_the_number_of_threads_changes_no_bit(model, set_threads):
    shape, weights = model
    texts = [[i % WORDS] * (1 + i % LIMIT) for i in range(100)]
    found = set()
    for threads in (1, 2, 3):
        set_threads(threads)
        found.add(PackedEncoder(shape, weights, dtype=torch.bfloat16)(texts).tobytes())
        assert torch.get_num_threads() == threads
    assert len(found) == 1


@pytest.mark.slow
def test_halving_what_is_computed_at_once_changes_no_bit(model, set_threads, monkeypatch):
    units = [[[i % WORDS] * LIMIT for i in range(200 * n)] for n in (1, 3, 2)]
    running, most = set(), []
    block = PackedEncoder._block

    def counted(self, texts):
        running.add(id(texts))
        most.append(len(running))
        time.sleep(0.002)
        found = block(self, texts)
        running.discard(id(texts))
        return found

    monkeypatch.setattr(PackedEncoder, "_block", counted)
    set_threads(4)
    found, at_once = [], []
    for halvings in (0, 1, 2, 4):
        encoder = PackedEncoder(*model, dtype=torch.bfloat16)
        most.clear()
        vectors = encoder.each(units, halvings=lambda n=halvings: n)
        found.append([part.tobytes() for part in vectors])
        at_once.append(max(most))
    assert found == [found[0]] * 4
    assert at_once[0] > 2 >= at_once[1] and at_once[2:] == [1, 1]


def test_padding_and_cut_in_the_tokenizer_file_do_not_hold(folder):
    tokens = TextTokens(read_shape(folder), limit=30)
    assert tokens.one("w3 w4") == [1, 3, 4, 2]
    ids, cut = tokens.many(["w5", "w6 " * 28, "w7 " * 29])
    assert [len(i) for i in ids] == [3, 30, 30]
    assert cut == 1


@pytest.mark.parametrize(("changes",), values(__file__, "no_plain_encoders.tsv"))
def test_what_is_no_plain_encoder_is_left_to_others(tmp_path, changes):
    assert read_shape(make_model(tmp_path, **changes)) is None


def test_prompts_other_pooling_and_missing_files_are_left_to_others(tmp_path):
    make_model(tmp_path)
    assert read_shape(tmp_path) is not None
    write(tmp_path / "config_sentence_transformers.json", {"prompts": {"query": "find: "}})
    assert read_shape(tmp_path) is None
    write(tmp_path / "config_sentence_transformers.json", {"prompts": {"query": ""}})
    assert read_shape(tmp_path) is not None
    both = {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True}
    write(tmp_path / "pool/config.json", both)
    assert read_shape(tmp_path) is None
    write(tmp_path / "pool/config.json", {"pooling_mode": "cls"})
    assert not read_shape(tmp_path).mean
    (tmp_path / "tokenizer.json").unlink()
    assert read_shape(tmp_path) is None


def test_damaged_weights_are_one_clear_error(tmp_path):
    make_model(tmp_path)
    path = tmp_path / "model.safetensors"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ModelMissing, match="install the embedding model again"):
        EmbeddingManager(str(tmp_path)).embed_query("w3")


@pytest.mark.slow
def test_it_is_what_sentence_transformers_computes():
    texts = ["The ferry left before dawn.", "", "Ossian's café — “no”, 1789!", "sea " * 700, "bread " * 90]
    manager = EmbeddingManager(precision="fp32", device="cpu")
    theirs = manager.model.encode(texts, normalize_embeddings=True)
    queries = np.array([manager.embed_query(text) for text in texts])
    assert np.sum(queries * theirs, axis=1).min() > 0.99999
    assert np.sum(manager.embed_documents(texts) * theirs, axis=1).min() > 0.99999
    auto = EmbeddingManager(device="cpu").embed_documents(texts)
    assert np.sum(auto * theirs, axis=1).min() > 0.9999


def test_the_version_names_what_changes_the_bits(folder):
    versions = {EmbeddingManager(str(folder), device="cpu", precision=p).version for p in ("fp32", "bf16")}
    assert versions == {f"{folder}:packed-1:cpu:fp32", f"{folder}:packed-1:cpu:bf16"}
    auto = EmbeddingManager(str(folder), device="cpu")
    assert auto.version.endswith(auto.resolved_precision)
    assert "padded" in EmbeddingManager("some/hub-name", device="cpu", precision="fp32").version
