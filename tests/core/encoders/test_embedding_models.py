from contextlib import contextmanager

import numpy as np
import pytest
import torch
from tests.contracts.embedder_contract import TEXTS, EmbedderContract
from tests.core.answering.test_reader_and_grounding import fitted
from tests.core.encoders.test_bert import WIDTH, make_model
from tests.tables import rows, values
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from fabula.core.embeddings import EmbeddingManager, check_vectors
from fabula.core.encoders.adapters import QUESTION_TOKENS, QuestionEmbedder
from fabula.core.encoders.bert import read_shape
from fabula.core.encoders.prefixes import Prefixes, known_prefixes, packaged_shape, prefixes_of
from fabula.errors import ModelMissing, ModelRefused

BGE = "Represent this sentence for searching relevant passages: "


def save_model(folder, *, prompts=None, act="gelu", pooling="cls", width=64):
    """A small random BERT, saved by sentence-transformers itself."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    words = sorted({w for text in (*TEXTS, BGE, "query passage find who left") for w in text.lower().split()})
    vocabulary = {name: i for i, name in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    marks = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    raw = folder.parent / f"{folder.name}-raw"
    special = {f"{name.lower()}_token": f"[{name}]" for name in ("UNK", "PAD", "CLS", "SEP")}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(raw)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=width,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=2 * width,
        hidden_act=act,
        max_position_embeddings=64,
        initializer_range=0.5,
    )
    BertModel(config).save_pretrained(raw)
    parts = [Transformer(str(raw)), Pooling(width, pooling_mode=pooling), Normalize()]
    SentenceTransformer(modules=parts, prompts=prompts, device="cpu").save(
        str(folder), create_model_card=False
    )
    return folder


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """What sentence-transformers computes with a folder, by its path."""
    from sentence_transformers import SentenceTransformer

    def encode(folder, texts, prompt=""):
        model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        return model.encode(texts, prompt=prompt, normalize_embeddings=True)

    return encode


@pytest.fixture(scope="module")
def bge(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("models") / "bge-small-en-v1.5")


@pytest.fixture(scope="module")
def prompted(tmp_path_factory):
    prompts = {"query": "find: ", "document": ""}
    return save_model(tmp_path_factory.mktemp("models") / "own", prompts=prompts, pooling="mean")


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("models") / "e5-small-v2", act="relu", pooling="mean")


def manager_of(folder, **settings):
    return EmbeddingManager(str(folder), device="cpu", precision="fp32", **settings)


class TestContract(EmbedderContract):
    @pytest.fixture(params=["packaged", "bge", "other"])
    def embedder(self, request):
        if request.param == "packaged":
            return EmbeddingManager()
        settings = {"query_prefix": ""} if request.param == "bge" else {}  # drawn weights make nothing of it
        return manager_of(request.getfixturevalue(request.param), **settings)


def test_bge_is_asked_with_its_instruction(bge, theirs):
    assert read_shape(bge) is not None  # computed here, by the first token
    manager = manager_of(bge)
    [query] = theirs(bge, [TEXTS[0]], BGE)
    np.testing.assert_allclose(manager.embed_query(TEXTS[0]), query, atol=1e-5)
    np.testing.assert_allclose(manager.embed_documents(TEXTS), theirs(bge, list(TEXTS)), atol=1e-5)
    [plain] = theirs(bge, [TEXTS[0]])
    assert query @ plain < 0.999  # the instruction does something
    assert manager.name == f"{bge}{Prefixes(BGE).mark}"


def test_a_prefix_that_is_given_stands_in_for_the_known_one(bge, theirs):
    bare = manager_of(bge, query_prefix="", document_prefix="passage ")
    np.testing.assert_allclose(bare.embed_query("salt"), theirs(bge, ["salt"])[0], atol=1e-5)
    expected = theirs(bge, ["salt", "stood"], "passage ")
    np.testing.assert_allclose(bare.embed_documents(["salt", "stood"]), expected, atol=1e-5)
    [units] = bare.embed_units([["salt", "stood"]])
    np.testing.assert_allclose(units, expected, atol=1e-5)
    assert bare.version != manager_of(bge).version


OWN = {"query_prefix": "query ", "document_prefix": "passage "}


@pytest.mark.parametrize(("name", "settings", "query", "document"), values(__file__, "prompts.tsv"))
def test_prompts_of_a_folder_and_known_prefixes_hold(name, settings, query, document, request, theirs):
    folder = request.getfixturevalue(name)
    assert read_shape(folder) is None  # sentence-transformers computes it
    manager = manager_of(folder, **settings)
    np.testing.assert_allclose(manager.embed_query("salt"), theirs(folder, ["salt"], query)[0], atol=1e-5)
    found = manager.embed_documents(["salt"])
    np.testing.assert_allclose(found, theirs(folder, ["salt"], document), atol=1e-5)


@pytest.mark.parametrize(("model", "query", "document"), rows(__file__, "prefixes.tsv"))
def test_prefixes_by_name_and_an_empty_one_means_none(model, query, document):
    assert known_prefixes(model) == Prefixes(query, document)
    assert prefixes_of(model, query="", document="") == Prefixes()
    assert Prefixes().mark == ""
    assert Prefixes("a", "b").mark != Prefixes("ab", "").mark != ""


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([[1.0, 0.0]], "1 vectors for 2 texts"),
        ([[1.0, 0.0], [0.0, 0.0]], "no usable vector for text 1 .'Salt.'.: length 0"),
        ([[1.0, 0.0], [float("nan"), 0.0]], "length nan"),
        ([[1.0, 0.0], [float("inf"), 0.0]], "length inf"),
        ([[1.0, 0.0], [2.0, 0.0]], "length 2"),
    ],
)
def test_vectors_that_mean_nothing_are_refused(rows, said):
    with pytest.raises(ModelRefused, match=said):
        check_vectors(np.array(rows, np.float32), ["Bread.", "Salt."])
    with pytest.raises(ModelRefused, match="vectors of 2 numbers, not of 3"):
        check_vectors(np.array([[1, 0]], np.float32), ["Bread."], dimension=3)


def test_wrong_vectors_of_a_local_model_are_refused(other, monkeypatch):
    manager = manager_of(other)
    real = type(manager.model).encode_document

    def spoilt(self, texts, **how):
        vectors = real(self, texts, **how)
        vectors[-1] = np.nan
        return vectors

    monkeypatch.setattr(type(manager.model), "encode_document", spoilt)
    with pytest.raises(ModelRefused, match="no usable vector for text 2"):
        manager.embed_documents(list(TEXTS[:3]))


class Gpu(torch.nn.Module):
    """A model on a device called cuda with room for ``room`` texts at a time."""

    def __init__(self, room):
        super().__init__()
        self.device = torch.device("cuda")
        self.layer = torch.nn.Linear(4, 4)
        self.room, self.sizes, self.autocasts, self.emptied = room, [], [], 0
        self.prompts = {}
        self.max_seq_length = None

    def encode_document(self, texts, *, batch_size, normalize_embeddings, show_progress_bar):
        assert normalize_embeddings and not show_progress_bar
        self.sizes.append(batch_size)
        if min(batch_size, len(texts)) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return np.eye(4, dtype=np.float16)[np.arange(len(texts)) % 4]

    encode_query = encode_document


@pytest.fixture
def on_gpu(monkeypatch):
    def made(room, **settings):
        gpu = Gpu(room)

        @contextmanager
        def autocast(kind, *, dtype, enabled):
            gpu.autocasts.append((kind, dtype, enabled))
            yield

        def empty_cache():
            gpu.emptied += 1

        monkeypatch.setattr(torch, "autocast", autocast)
        monkeypatch.setattr(torch.cuda, "empty_cache", empty_cache)
        monkeypatch.setattr(EmbeddingManager, "_load", lambda _: gpu)
        return EmbeddingManager("some/model", device="cuda", **settings), gpu

    return made


@pytest.mark.parametrize(
    ("asked", "given", "dtype"), [("auto", "fp16", torch.float16), ("fp32", "fp32", None)]
)
def test_a_gpu_computes_in_fp16_thirty_two_at_a_time_or_in_full(on_gpu, asked, given, dtype):
    manager, gpu = on_gpu(64, precision=asked)
    vectors = manager.embed_documents(["text"] * 100)
    manager.embed_query("text")
    assert gpu.sizes[0] == 32 and vectors.dtype == np.float32 and vectors.shape == (100, 4)
    assert gpu.autocasts == [("cuda", dtype, dtype is not None)] * 2
    assert gpu.layer.weight.dtype == (dtype or torch.float32)  # cast once, not at every call
    assert manager.resolved_precision == given and manager.version.endswith(f":padded-1:cuda:{given}")


def test_batches_are_halved_until_they_fit_and_stay_so(on_gpu, caplog):
    manager, gpu = on_gpu(6)
    for _ in range(2):
        assert manager.embed_documents([f"text {n}" for n in range(50)]).shape == (50, 4)
    assert gpu.sizes == [32, 16, 8, 4, 4]
    assert gpu.emptied == 3
    assert "embedding 4 texts at a time" in caplog.text
    manager, gpu = on_gpu(0)
    with pytest.raises(ModelRefused, match=r"into the memory of cuda .* set embedding.device to cpu"):
        manager.embed_documents(["text"])
    assert gpu.sizes == [32, 16, 8, 4, 2, 1]


class Documents:
    name, dimension = "tiny", WIDTH

    def embed_documents(self, texts):
        return np.ones((len(texts), WIDTH), np.float32)


@pytest.fixture(scope="module")
def shape(tmp_path_factory):
    return read_shape(make_model(tmp_path_factory.mktemp("tiny")))


def made(shape, folder, **how):
    path = folder / f"{how}.npz".replace(" ", "")
    np.savez(path, **fitted(**how))
    return QuestionEmbedder(Documents(), shape, weights=path)


def test_only_questions_have_other_vectors(shape, tmp_path):
    plain, own = made(shape, tmp_path, seed=3, strength=0.0), made(shape, tmp_path, seed=3)
    vector = own.embed_query("w3 w9")
    assert vector.shape == (WIDTH,) and vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert (own.embed_documents(["a", "b"]) == 1).all() and own.dimension == WIDTH
    vector[:] = 0  # what was given out is the caller's
    again = own.embed_query("w3 w9")
    assert np.linalg.norm(again) == pytest.approx(1, abs=1e-5)
    assert again.tobytes() == own.embed_query("w3 w9").tobytes()
    assert not np.allclose(again, plain.embed_query("w3 w9"), atol=1e-3)


def test_its_name_tells_its_weights_apart_and_long_questions_are_cut(shape, tmp_path):
    own, other = (made(shape, tmp_path, seed=seed) for seed in (3, 4))
    assert own.name != other.name and own.name.startswith("tiny:questions-")
    assert np.isfinite(own.embed_query(" ".join(["w3"] * 10 * QUESTION_TOKENS))).all()
    (tmp_path / "broken.npz").write_bytes(b"PK no")
    for name in ("gone.npz", "broken.npz"):
        with pytest.raises(ModelMissing, match="install fabula again"):
            QuestionEmbedder(Documents(), shape, weights=tmp_path / name).embed_query("w3")


def test_a_question_lies_nearer_to_its_answer_than_by_the_encoder_of_search():
    documents = EmbeddingManager()
    questions = QuestionEmbedder(documents, packaged_shape())
    passages = [
        "He had sold the boat by then, and the nets with it, and gone inland to his sister.",
        "The ferry was late again, and Anna stood on the landing counting the lamps across the water.",
        "There was a smell of tar about the yard, and three dogs.",
    ]
    vectors = documents.embed_documents(passages)
    asked = "What did the fisherman do before he left the coast?"
    for embedder in (documents, questions):
        assert int((vectors @ embedder.embed_query(asked)).argmax()) == 0
