import json

import numpy as np
import pytest

from experiments.speed import data as speed_data
from experiments.speed.report import agreement, latency, ratios, recall
from fabula.core.types import Chapter, Document, Span


def _unit(rows, seed=0, dimension=16):
    x = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def _library(chunks=64):
    said = "The lamp went out. Mr. Hale looked for it under the table. Nobody had seen where Anna put it. "
    text = "".join(f"{said}It was day {n} of the siege and the bread was gone. " for n in range(chunks))
    size = len(text) // chunks
    rows = [(1 + i // 8, i * size, (i + 1) * size) for i in range(chunks)]
    texts = [text[start:end] for _, start, end in rows]
    chapters = tuple(
        Chapter(n + 1, "", Span(8 * n * size, 8 * n * size), Span(8 * n * size, 8 * (n + 1) * size))
        for n in range(chunks // 8)
    )
    anchors = _unit(len(texts[:: speed_data.STRIDE]), dimension=384)
    document = Document("small", "Small", text, chapters)
    return speed_data.Library(document, texts, np.array(rows), anchors)


def test_latency_is_the_median_of_rounds_and_ratios_are_within_one():
    walls = [[1_000_000, 2_000_000, 9_000_000], [4_000_000] * 3, [3_000_000] * 3]
    found = latency([(wall, [500_000] * 3) for wall in walls])
    assert found["p50_ms"] == 3.0  # of 2, 4 and 3
    assert (found["cpu_p50_ms"], found["queries"]) == (0.5, 9)
    slow, fast = {"rounds_p50_ms": [8.0, 30.0, 12.0]}, {"rounds_p50_ms": [2.0, 5.0, 4.0]}
    assert ratios(slow, fast) == {"median": 4.0, "least": 3.0, "most": 6.0}


def test_recall_and_agreement_allow_only_equals_to_differ():
    vectors = np.eye(4, dtype=np.float32)[[0, 0, 0, 1]]
    query = np.eye(4, dtype=np.float32)[:1]
    assert recall([[[2, 1.0], [1, 1.0]]], query, vectors, k=2) == 1.0
    assert recall([[[0, 1.0], [3, 0.0]]], query, vectors, k=2) == 0.5
    assert recall([[[0, 1.0], [0, 1.0]]], query, vectors, k=2) == 0.5  # one chunk given twice is one
    one = [[[7, 3.0], [1, 2.0]]]
    assert agreement(one, [[[7, 3.0], [2, 2.00001]]]) == 1.0
    assert agreement(one, [[[7, 3.0], [2, 1.9]]]) == 0.0
    assert agreement(one, [[[8, 3.0], [1, 2.0]]]) == 0.0
    assert agreement(one, [[[7, 3.0]]]) == 0.0


@pytest.mark.parametrize("chunks", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_what_is_made_fits_together_and_is_the_same_again(chunks, tmp_path, monkeypatch):
    monkeypatch.setattr(speed_data, "_embedded", lambda texts, _: _unit(len(texts), seed=5, dimension=384))
    source = _library()
    made = speed_data.make_size(source, chunks, 60, tmp_path, tmp_path)
    speed_data.make_size(source, chunks, 60, tmp_path, tmp_path / "again")
    for file in ("document.txt", "rows.npy", "vectors.npy", "queries.json", "query-vectors.npy"):
        assert (tmp_path / file).read_bytes() == (tmp_path / "again" / file).read_bytes()
    rows, vectors = np.load(tmp_path / "rows.npy"), np.load(tmp_path / "vectors.npy")
    text = (tmp_path / "document.txt").read_text(encoding="utf-8")
    assert made["chunks"] == len(rows) == len(vectors) >= chunks
    assert made["from_novels"] == (chunks <= len(source.texts))
    assert all(text[start:end].strip() for _, start, end in rows.tolist())
    assert (np.diff(rows[:, 0]) >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(vectors[:: speed_data.STRIDE][:3], source.anchors[:3])
    asked = json.loads((tmp_path / "queries.json").read_text(encoding="utf-8"))
    near = np.sum(np.load(tmp_path / "query-vectors.npy") * vectors[[q["source"] for q in asked]], axis=1)
    low, high = speed_data.QUERY_COSINE
    assert ((low - 1e-4 <= near) & (near <= high + 1e-4))[speed_data.REAL_QUERIES :].all()  # as real ones
    assert len({q["text"] for q in asked}) == 60
