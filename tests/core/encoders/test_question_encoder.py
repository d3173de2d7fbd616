import numpy as np
import pytest
from tests.core.answering.test_answer_reader import fitted
from tests.core.encoders.test_bert import WIDTH, make_model

from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders.adapters import QUESTION_TOKENS, QuestionEmbedder
from fabula.core.encoders.bert import read_shape
from fabula.core.encoders.prefixes import packaged_shape
from fabula.errors import ModelMissing


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
