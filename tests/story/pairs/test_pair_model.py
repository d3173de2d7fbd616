import hashlib
import json
from pathlib import Path

import pytest

from fabula.story.pairs.pair_model import TYPES, WEIGHTS, Bag, Person, bags_of, pair_model

MANIFEST = Path(__file__).parents[3] / "training" / "pair_reader.json"


def test_the_weights_are_those_of_the_manifest_and_features_turn_back():
    told = json.loads(MANIFEST.read_text(encoding="utf-8"))
    assert hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() == told["weights_sha256"]
    assert WEIGHTS.stat().st_size < 4_000_000
    assert pair_model().least == pytest.approx(told["least"], abs=1e-4)
    turn = pair_model().turn
    assert [turn[other] for other in turn] == list(range(len(turn)))


def _chances(noun):
    """What a man and a woman are to each other who are near when his NOUN is spoken of."""
    model, number = pair_model(), pair_model().noun(noun)
    assert number is not None
    bag = Bag("ann", "bob", [6, 4, 3, 3, 0, 0], nouns={number: [0, 600]}, near=[120, 900])
    people = {"ann": Person("ann", ("Ann Hall",), "f", 40), "bob": Person("bob", ("Bob Hall",), "m", 50)}
    return dict(model.probabilities({("ann", "bob"): bag}, people, {})["bob", "ann"])


def test_his_wife_is_a_wife_and_nobody_met_is_nothing():
    wife, daughter = _chances("wife"), _chances("daughter")
    assert wife["spouse"] > daughter["spouse"]
    assert daughter["parent"] > wife["parent"]
    assert max(TYPES, key=wife.__getitem__) == "spouse"
    assert max(TYPES, key=daughter.__getitem__) == "parent"
    assert pair_model().probabilities({}, {}, {}) == {}
    assert bags_of((), {}, frozenset({"a", "b"}), pair_model().turn) == {}
