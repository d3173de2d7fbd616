import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.store_contract import TEXTS, document_of, parts_of
from tests.contracts.term_evidence import measure

from fabula.core.chunks.table import Selection
from fabula.core.fusion.table import fuse_table
from fabula.core.kernels import compiled
from fabula.core.kernels.top_k import ranked, union
from fabula.core.lexical.bm25 import BM25Settings, LexicalIndex, gains, leaders, sums, sums_at
from fabula.core.search import Search
from fabula.core.text.term_evidence import QueryEvidence, measured
from fabula.core.types import Chunk, Horizon, Span
from fabula.core.vectors import codes as scan_codes
from fabula.core.vectors.index import VectorIndex

pytestmark = pytest.mark.skipif(compiled.KERNEL is None, reason="there is no compiled kernel")

SCORES = st.sampled_from([0.0, -0.5, 0.1, 0.3, 1.0, 2.5])
WEIGHTS = st.sampled_from([1.0, 2.0, 0.3])


def both(call):
    """What the kernel gives and what NumPy does."""
    with pytest.MonkeyPatch.context() as patch:
        fast = call()
        patch.setattr(compiled, "KERNEL", None)
        return fast, call()


def alike(call):
    """Equal, and with the same types of numbers."""
    fast, slow = both(call)
    assert fast == slow and repr(fast) == repr(slow)


def same(call):
    """Equal in type, order and every bit; what it is."""
    fast, slow = both(call)
    pairs = zip(fast, slow, strict=True) if isinstance(fast, tuple) else [(fast, slow)]
    for one, other in pairs:
        assert (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    return fast


@st.composite
def posted(draw):
    """Posting lists over n chunks, and their weights."""
    n = draw(st.integers(0, 90))
    lists, weights = [], []
    for _ in range(draw(st.integers(0, 4))):
        chunks = sorted(draw(st.sets(st.integers(0, n - 1), max_size=n))) if n else []
        given_ = draw(st.lists(SCORES, min_size=len(chunks), max_size=len(chunks)))
        lists.append((np.array(chunks, dtype=np.int32), np.array(given_, dtype=np.float64)))
        weights.append(draw(WEIGHTS))
    return lists, weights, n


@given(posted(), st.integers(0, 12), st.randoms(use_true_random=False))
def test_sums_and_leaders(given_, k, random):
    lists, weights, n = given_
    total = same(lambda: sums(lists, weights, n))
    chosen = np.array([random.randrange(n) for _ in range(9)] if n else [], dtype=np.intp)
    assert same(lambda: sums_at(lists, weights, n, chosen)).tobytes() == total[chosen].tobytes()
    same(lambda: leaders(lists, weights, n, k))
    mask = np.array([random.random() < 0.5 for _ in range(n)], dtype=np.bool_)
    same(lambda: leaders(lists, weights, n, k, mask=mask))


@pytest.mark.parametrize("n", [4095, 4096, 4097, 20_011])
@pytest.mark.parametrize("k", [1, 10, 300])
def test_leaders_of_many_blocks_with_ties(n, k):
    rng = np.random.default_rng(n + k)
    lists = []
    for share in (0.5, 0.01, 0.2):
        chunks = np.flatnonzero(rng.random(n) < share).astype(np.int32)
        lists.append((chunks, np.round(rng.random(len(chunks)), 2)))
    mask = rng.random(n) < 0.3
    found, _ = same(lambda: leaders(lists, [1.0, 2.0, 1.0], n, k))
    assert len(found) == k
    same(lambda: leaders(lists, [1.0, 2.0, 1.0], n, k, mask=mask))
    chosen = rng.integers(0, n, 200)
    same(lambda: sums_at(lists, [1.0, 2.0, 1.0], n, chosen))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 9)), max_size=20), st.floats(0, 9))
def test_gains(rows, factor):
    chunks = np.array([chunk for chunk, _ in rows], dtype=np.int32)
    counts = np.array([count for _, count in rows], dtype=np.int32)
    same(lambda: gains(chunks, counts, np.array([0.4, 0.7, 1.5, 0.1, 3.3]), factor))


@given(st.integers(0, 9), st.sampled_from([0, 9, 159, 160, 161, 1000]), st.sampled_from([0, 3, 2000]))
def test_ranked(seed, n, k):
    rng = np.random.default_rng(seed)
    ordinals, scores = rng.permutation(n), np.round(rng.random(n), 1).astype(np.float32)
    same(lambda: ranked(ordinals, scores, k))


ORDINALS = st.lists(st.integers(0, 40), unique=True, max_size=30).map(lambda ids: np.array(ids, np.intp))


@given(ORDINALS, ORDINALS)
def test_union(left, right):
    assert same(lambda: union(left, right)).tolist() == sorted({*left.tolist(), *right.tolist()})


NUMBERS = st.sampled_from([0, 1, 2, 3, 64, 67])  # some that share their last six bits


@given(
    st.lists(st.lists(NUMBERS, max_size=12), max_size=8),
    st.lists(
        st.tuples(st.one_of(NUMBERS, st.just(-1)), st.floats(0, 5)), max_size=6, unique_by=lambda t: t[0]
    ),
)
def test_evidence(passages, terms):
    words = np.array([word for told in passages for word in told], dtype=np.int32)
    ends = np.cumsum([0, *map(len, passages)]).astype(np.int64)
    numbers = [number for number, _ in terms]
    asked = QueryEvidence(
        tuple(f"t{n}" for n in numbers), tuple(i for _, i in terms), sum(i for _, i in terms)
    )
    ordinals = np.arange(len(passages), dtype=np.intp)[::-1].copy()
    coverage, nearness = same(lambda: measured(asked, numbers, words, ends, ordinals))
    told = [[f"t{word}" for word in passages[i]] for i in ordinals.tolist()]
    assert list(zip(coverage.tolist(), nearness.tolist(), strict=True)) == [measure(asked, t) for t in told]


@given(
    st.lists(st.tuples(SCORES, SCORES, SCORES), max_size=14),
    st.lists(st.sampled_from([0.0, 0.2, 1 / 3]), min_size=3, max_size=3),
    st.sampled_from([0.0, 2.5]),
    st.sampled_from([None, 0, 1, 5, 99]),
)
def test_fusion(rows, weights, ceiling, k):
    names = ("lexical", "semantic", "coverage")
    columns = {name: np.array([row[i] for row in rows], dtype=np.float64) for i, name in enumerate(names)}
    weighed = dict(zip(names, weights, strict=True))
    ceilings = {"lexical": ceiling}
    alike(lambda: fuse_table(np.arange(len(rows)) * 3, columns, weights=weighed, ceilings=ceilings, k=k))


class Embedder:
    name, dimension = "given", 16

    def embed_query(self, text):
        vector = np.random.default_rng(len(text)).standard_normal(16).astype(np.float32)
        return vector / np.linalg.norm(vector)


@pytest.fixture(scope="module")
def engine():
    """Makes one of 300 chunks, each a chapter."""
    document = document_of(TEXTS * 60)
    parts = parts_of(document, dimension=16)
    vectors = VectorIndex(parts.vectors.vectors, small=100)
    texts = [chunk.text for chunk in parts.chunks]
    return lambda **given_: Search(
        parts.chunks, LexicalIndex.from_texts(texts, **given_), vectors, Embedder()
    )


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_searches(engine, variant):
    places = [
        {"horizon": Horizon()},
        {"horizon": Horizon(150)},
        {"selection": Selection(250, np.arange(300) % 3 != 1)},
    ]
    hows = [{"mode": mode} for mode in ("hybrid", "lexical", "semantic")] + [{"semantic_weight": 0.0}]

    def asked():
        made = engine(settings=BM25Settings(variant=variant))
        return [
            made.search(query, 7, **where, **how)
            for query in ("the ferry at the harbour", "letter letter tin", "absent", "")
            for where in places
            for how in hows
        ]

    alike(asked)


def test_made_objects_are_whole(engine):
    [passage] = engine().search("dawn", 1, mode="lexical")
    chunk, text = passage.chunk, "The ferry left the harbour before dawn."
    span = Span(3, 3 + len(text))
    assert chunk == Chunk(Chunk.make_id("ferry", span, text), "ferry", 1, 0, span, text)
    assert hash(passage) == hash(type(passage)(chunk, passage.score, passage.shares))
    with pytest.raises(AttributeError):
        chunk.text = "other"


def posting(*chunks):
    return [(np.array(chunks, np.int32), np.ones(len(chunks)))]


ENDS = np.zeros(2, np.int32), np.array([0, 9]), np.zeros(1, np.intp)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("leaders", (posting(5000, 1), [1.0], 6000, 2, None)),
        ("leaders", (posting(-1), [1.0], 5, 2, None)),
        ("sums", (posting(-1), [1.0], 5)),
        ("sums", ([(np.zeros(2, np.int32), np.ones(1))], [1.0], 5)),
        ("gains", (np.array([7], np.int32), np.ones(1, np.int32), np.ones(3), 1.0)),
        ("evidence", (*ENDS, [0], (1.0,), 1.0)),
        ("rows", (np.zeros((2, 4), np.float32), np.array([2]))),
        ("chunks", ("d", "text", np.zeros((1, 3), np.int64), [1], Chunk.make_id, Chunk, Span)),
    ],
)
def test_damaged_numbers_are_refused(name, told):
    with pytest.raises(IndexError if name in ("rows", "chunks") else ValueError):
        getattr(compiled.KERNEL, name)(*told)


def test_one_variable_turns_it_off():
    code = "from fabula.core.kernels.compiled import KERNEL, kernel_state; print(KERNEL, kernel_state()[0])"
    env = {"FABULA_NUMPY": "1", "PATH": ""}
    said = subprocess.check_output([sys.executable, "-c", code], text=True, env=env)
    assert said.strip() == "None NumPy, since FABULA_NUMPY is set"


def test_callers_may_hand_in_any_arrays(engine):
    every = np.arange(20)[::2]
    index = engine().lexical
    assert len(index.evidence(index.statistics("ferry"), every)[0]) == 10
    assert union(every, every.astype(np.int32)).tolist() == every.tolist()
    assert ranked(every, np.ones(10), 3)[0].tolist() == [0, 2, 4]
    wide = np.eye(8, dtype=np.float32)
    for vectors in (wide[:, ::2], wide.astype(np.float64), wide):
        found = VectorIndex(vectors).cosines(vectors[2].astype(np.float32), every[:4])
        assert found.tolist() == (vectors @ vectors[2])[every[:4]].tolist()


@given(
    st.integers(1, 70),
    st.integers(1, 150),
    st.integers(1, 9),
    st.integers(0, 30),
    st.integers(1, 12),
    st.integers(0, 9),
)
def test_near(n, d, k, more, width, seed):
    rng = np.random.default_rng(seed)
    signs = rng.integers(0, 2**64, (-(-n // 8), -(-d // 64), 8), dtype=np.uint64)
    coded = rng.integers(1, 256, (n, d), dtype=np.uint8)
    turned = rng.choice([0.0, -0.5, 0.1, 0.25, 1.0], d).astype(np.float32) * np.float32(rng.random())
    told = (int(rng.integers(1, n + 1)), k, k + more, width, 127 * d**0.5 / 4.5)
    plain = scan_codes.near(signs, coded, turned, *told)
    for level in range(compiled.KERNEL.SCAN_LEVEL + 1):
        found = compiled.KERNEL.near(signs, coded, turned, *told, level=level)
        assert (found.dtype, found.tolist()) == (plain.dtype, plain.tolist())


def test_near_takes_only_what_belongs_together():
    signs, coded, turned = np.zeros((2, 1, 8), np.uint64), np.zeros((9, 4), np.uint8), np.zeros(4, np.float32)
    near = compiled.KERNEL.near
    assert near(signs, coded, turned, 9, 1, 2, 3, 1.0).tolist() == list(range(9))
    for wrong in [
        (signs, coded, turned, 10),
        (signs, coded, turned, 0),
        (signs[:1], coded, turned, 9),
        (signs, coded, np.zeros(5, np.float32), 9),
        (np.zeros((2, 1, 4), np.uint64), coded, turned, 8),
    ]:
        with pytest.raises(ValueError, match=r"vectors|dimension"):
            near(*wrong, 1, 2, 3, 1.0)
    with pytest.raises(ValueError, match="k at most first"):
        near(signs, coded, turned, 9, 3, 2, 3, 1.0)
