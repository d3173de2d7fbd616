import json

import numpy as np
import pytest
from tests.core.answering.test_reader_and_grounding import fitted
from tests.core.encoders.test_bert import WIDTH, make_model
from tests.stories.comparison_fakes import FakeEmbedder
from tests.tables import file_text

from fabula.core.documents import document_from_text
from fabula.core.encoders.adapters import adapted
from fabula.core.encoders.bert import QueryEncoder, read_shape, read_weights
from fabula.core.types import Horizon
from fabula.engine import Project
from fabula.story.continuity.critic import DRAFT_ID, draft_document
from fabula.story.continuity.suspects import pair_judge
from fabula.story.continuity.suspects.pair_judge import PairJudge, packaged_judge
from fabula.story.continuity.suspects.suspects import EARLIER, suspects, told_in

TEXT = file_text(__file__, "mill.md")


class Letters(FakeEmbedder):
    """Vectors of letters."""

    name, dimension = "letters", 26

    def embed_documents(self, texts):
        counts = np.array([[text.lower().count(chr(97 + i)) + 0.01 for i in range(26)] for text in texts])
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


class Listening:
    """Goes by the words that both sides share, and remembers what it was asked."""

    version = "listening"

    def __init__(self):
        self.pairs = []

    def odds(self, pairs, *, on_done=None):
        self.pairs += pairs
        return [len(set(a.lower().split()) & set(b.lower().split())) - 2.0 for a, b in pairs]


def _listed(*documents, **how):
    """What is found, and every sentence that the judge was shown."""
    judge = Listening()
    limit = how.pop("limit", 20)
    told = told_in(documents, **{"horizon": Horizon(), **how})
    found = suspects(told, embed=Letters().embed_documents, judge=judge.odds, limit=limit)
    return found, [side for pair in judge.pairs for side in pair]


@pytest.fixture(scope="module")
def mill():
    return document_from_text(TEXT, id="mill", title="The Mill")


def test_the_likeliest_come_first_each_later_sentence_once(mill):
    found, shown = _listed(mill)
    assert [(one.earlier[0].quote, one.later.quote) for one in found[:2]] == [
        ("Her hair was red as rust.", "Her hair was black as soot."),
        ("Anna had one brother.", "Anna had two brothers, both older."),
    ]
    assert [one.odds for one in found] == sorted((one.odds for one in found), reverse=True)
    assert len({one.later for one in found}) == len(found) == 4
    for one in found:
        for side in (*one.earlier, one.later):
            assert side.span.of(mill.text) == side.quote and side.document_id == "mill"
            assert mill.chapter(side.chapter).body.contains(side.span)
        assert 1 <= len(set(one.earlier)) == len(one.earlier) <= 3
        assert all(side.span.end <= one.later.span.start for side in one.earlier)
    assert "No." not in shown  # says nothing


def test_later_sides_are_up_to_the_horizon_or_of_some_chapters(mill):
    whole, _ = _listed(mill)
    found, shown = _listed(mill, horizon=Horizon(2))
    assert max(one.later.chapter for one in found) == 2 and "soot" not in str(shown)
    found, shown = _listed(mill, chapters=(2, 2))
    assert found == tuple(one for one in whole if one.later.chapter == 2) != ()
    assert "soot" not in str(shown)
    assert {one.later.chapter for one in _listed(mill, chapters=(2, None))[0]} == {2, 3}


def test_of_a_draft_the_later_side_is_in_it(mill):
    draft = draft_document("Anna had no brother at all.", chapter=3)
    (one,), shown = _listed(mill, draft, horizon=Horizon(2), only_last=True)
    assert (one.later.document_id, one.later.quote) == (DRAFT_ID, "Anna had no brother at all.")
    assert all(side.quote.startswith(("Anna", "Her")) and side.chapter <= 2 for side in one.earlier)
    assert "soot" not in str(shown)


def test_each_sentence_meets_a_few_before_it():
    text = "\n\n".join(f"It was the {n}. day of rain." for n in range(60))
    found, shown = _listed(document_from_text(text, id="r", title="r"), limit=5)
    assert len(found) == 5
    assert len(shown) == 2 * sum(min(n, EARLIER) for n in range(60))
    assert _listed(document_from_text("One line only here.", id="o", title="o"))[0] == ()


@pytest.fixture
def listed(demo_project, run_cli, monkeypatch):
    monkeypatch.setattr(pair_judge, "packaged_judge", Listening)
    return lambda *asked: run_cli("check", demo_project, *asked).out


def test_the_command_lists_them(demo_project, listed):
    asked = ("--as-of", 2, "--chapters", "2-", "--suspects", 3)
    assert listed(*asked).startswith("Worth reading side by side")
    data = json.loads(listed(*asked, "--json"))
    assert data["as_of"] == 2 and len(data["pairs"]) == 3
    with Project.open(demo_project) as project:
        for side in (side for pair in data["pairs"] for side in (*pair["earlier"], pair["later"])):
            assert project.document.text[side["start"] : side["end"]] == side["text"]
            assert side["chapter"] <= 2


def test_the_command_reads_a_draft(listed, tmp_path):
    draft = tmp_path / "scene.txt"
    draft.write_text("Ambrose Keating had never met Barnaby Pellow in his life.")
    (pair,) = json.loads(listed("--suspects", 10, "--as-of", 3, "--draft", draft, "--json"))["pairs"]
    assert pair["later"]["draft"] and len(pair["earlier"]) == 3
    assert not any(side["draft"] or side["chapter"] > 3 for side in pair["earlier"])
    few = json.loads(listed("--as-of", 3, "--draft", draft, "--json"))["suspects"]
    assert few and all(side["chapter"] <= 3 for one in few for side in one["earlier"])


HIDDEN = 6


@pytest.fixture(scope="module")
def shape(tmp_path_factory):
    return read_shape(make_model(tmp_path_factory.mktemp("tiny")))


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    rng = np.random.default_rng(5)
    heads = {
        "hidden": rng.normal(0, 0.2, (HIDDEN, 4 * WIDTH)).astype(np.float16),
        "hidden_bias": rng.normal(0, 0.2, HIDDEN).astype(np.float16),
        "odds": rng.normal(0, 1, HIDDEN).astype(np.float16),
        "odds_bias": np.float16(0.25),
    }
    path = tmp_path_factory.mktemp("fitted") / "pairs.npz"
    np.savez(path, **fitted(seed=3) | heads)
    return path


def test_it_computes_what_its_training_does(shape, weights):
    judge = PairJudge(shape, weights=weights)
    told = {name: value.astype(np.float32) for name, value in np.load(weights).items()}
    encoder = QueryEncoder(shape, adapted(read_weights(shape), told, shape.layers))
    tokens = judge._tokens
    a, b = tokens.plain("w3 w4 w5"), tokens.plain("w9")
    first = [tokens.first, *a, tokens.end]
    states = encoder.states([*first, *b, tokens.end], second=len(first))
    means = states[: len(first)].mean(axis=0), states[len(first) : len(first) + len(b)].mean(axis=0)
    seen = np.concatenate([states[0], 8 * means[0] * means[1], np.abs(means[0] - means[1]), means[1]])
    right = np.tanh(told["hidden"] @ seen + told["hidden_bias"]) @ told["odds"] + told["odds_bias"]
    assert judge.odds([("w3 w4 w5", "w9")])[0] == pytest.approx(float(right), abs=0.05)


def test_pairs_do_not_hang_on_their_company(shape, weights):
    judge = PairJudge(shape, weights=weights)
    pairs = [("w3 w4", "w5"), ("w6", "w7 w8"), ("w9 " * 40, "w10 " * 40)]
    heard = []
    together = judge.odds(pairs, on_done=lambda *one: heard.append(one))
    assert heard == [(3, 3)] and together.dtype == np.float32 and np.isfinite(together).all()
    assert together.tobytes() == np.concatenate([judge.odds([pair]) for pair in pairs]).tobytes()
    assert judge.odds([]).shape == (0,)


def test_an_open_contradiction_is_likelier_than_what_agrees():
    earlier = "His eyes were grey, like his father's, and he was thirty-one that spring."
    against, with_it = packaged_judge().odds(
        [
            (earlier, "He looked at her out of brown eyes, as his father had, a man of fifty."),
            (earlier, "He looked at her out of grey eyes and laughed at the thought of being thirty-two."),
        ]
    )
    assert against > with_it
