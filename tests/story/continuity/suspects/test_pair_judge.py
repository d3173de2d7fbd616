import numpy as np
import pytest
from tests.core.answering.test_answer_reader import fitted
from tests.core.encoders.test_bert import WIDTH, make_model

from fabula.core.encoders.adapters import adapted
from fabula.core.encoders.bert import QueryEncoder, read_shape, read_weights
from fabula.errors import ModelMissing
from fabula.story.continuity.suspects.pair_judge import PairJudge, packaged_judge

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


def test_weights_that_are_gone_say_what_to_do(shape, tmp_path):
    with pytest.raises(ModelMissing, match="install fabula again"):
        PairJudge(shape, weights=tmp_path / "gone.npz").odds([("w3", "w4")])


def test_an_open_contradiction_is_likelier_than_what_agrees():
    earlier = "His eyes were grey, like his father's, and he was thirty-one that spring."
    against, with_it = packaged_judge().odds(
        [
            (earlier, "He looked at her out of brown eyes, as his father had, a man of fifty."),
            (earlier, "He looked at her out of grey eyes and laughed at the thought of being thirty-two."),
        ]
    )
    assert against > with_it
