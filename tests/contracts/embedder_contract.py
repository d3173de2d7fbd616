"""What every embedder keeps that an index can be made with. A subclass gives ``embedder`` as a fixture."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

TEXTS = (
    "The ferry left before dawn with nobody aboard.",
    "Bread and salt stood on the table.",
    "Ossian's café — “no”, 1789! Größe, 東京.",
    "Bread and salt stood on the table.",
)
UNITS = (TEXTS[:1], TEXTS, TEXTS[1:3])


def is_unit(vectors):
    return vectors.dtype == np.float32 and np.abs(np.linalg.norm(vectors, axis=-1) - 1).max() < 1e-2


class EmbedderContract:
    def test_describes_itself(self, embedder):
        assert embedder.name and embedder.name == embedder.name.strip()
        assert embedder.name in embedder.version
        assert embedder.dimension >= 2

    def test_says_where_tokens_begin(self, embedder):
        text = " ".join(TEXTS) * 20
        starts = list(embedder.token_starts(text))
        assert starts == sorted(starts) and len(starts) > len(text) / 8
        assert starts[0] >= 0 and starts[-1] < len(text)
        assert list(embedder.token_starts("")) == []

    def test_documents_are_unit_rows(self, embedder):
        embedder.load()
        vectors = embedder.embed_documents(TEXTS)
        assert vectors.shape == (len(TEXTS), embedder.dimension)
        assert is_unit(vectors)
        assert embedder.embed_documents([]).shape == (0, embedder.dimension)

    def test_a_row_belongs_to_its_text(self, embedder):
        vectors = embedder.embed_documents(TEXTS)
        turned = embedder.embed_documents(TEXTS[::-1])[::-1]
        np.testing.assert_allclose(vectors, turned, atol=2e-2)
        assert np.argmax(vectors[:3] @ turned[:3].T, axis=1).tolist() == [0, 1, 2]
        np.testing.assert_allclose(vectors[1], vectors[3], atol=1e-6)

    def test_a_query_is_a_unit_vector_near_what_says_the_same(self, embedder):
        vector = embedder.embed_query(TEXTS[1])
        assert vector.shape == (embedder.dimension,)
        assert is_unit(vector[None])
        assert int(np.argmax(embedder.embed_documents(TEXTS[:3]) @ vector)) == 1

    def test_same_text_same_bytes(self, embedder):
        assert embedder.embed_query("who left?").tobytes() == embedder.embed_query("who left?").tobytes()
        assert embedder.embed_documents(TEXTS).tobytes() == embedder.embed_documents(TEXTS).tobytes()

    def test_a_vector_belongs_to_who_asked(self, embedder):
        before = embedder.embed_query("who left?")
        kept = before.copy()
        before[:] = 0
        assert embedder.embed_query("who left?").tobytes() == kept.tobytes()

    def test_units_in_turn_are_the_units_one_by_one(self, embedder):
        found = list(embedder.embed_units(iter(UNITS)))
        assert [len(vectors) for vectors in found] == [1, 4, 2]
        for unit, vectors in zip(UNITS, found, strict=True):
            np.testing.assert_allclose(vectors, embedder.embed_documents(unit), atol=1e-6)
        assert list(embedder.embed_units(iter(()))) == []
        found = embedder.embed_units([[], TEXTS[:2], [], TEXTS[2:3], []])
        assert [len(vectors) for vectors in found] == [0, 2, 0, 1, 0]

    def test_threads_get_what_one_caller_gets(self, embedder):
        asked = [f"question {n % 5} about the harbour" for n in range(20)]
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(embedder.embed_query, asked))
        assert all((v == embedder.embed_query(text)).all() for text, v in zip(asked, together, strict=True))

    def test_a_plan_says_what_is_paid_for_or_nothing(self, embedder):
        plan = embedder.plan(UNITS)
        assert plan is None or (plan.requests >= 1 and plan.prompt_tokens > 0 and plan.answer_tokens == 0)

    def test_closing_twice_is_harmless(self, embedder):
        embedder.close()
        embedder.close()
