import json
from pathlib import Path

import pytest
from tests.tables import values

from fabula.core.types import Span
from fabula.story.pairs import pair_model as pairs
from fabula.story.pairs.windows import Belongings, Mark, Speech, Windows, sentence_around

TEXT = (
    'Ada met Ben by the well. Then Carl slept.\n\n"I owe you everything, Ben," said Ada. Dora laughed at Ben.'
)


def marks(text, **who):
    found = []
    for name, one in who.items():
        at = text.find(name)
        while at >= 0:
            found.append(Mark(at, at + len(name), one))
            at = text.find(name, at + 1)
    return sorted(found, key=lambda mark: mark.start)


ALL = marks(TEXT, Ada="ada", Ben="ben", Carl="carl", Dora="dora")
SAID = Span(TEXT.index('"I'), TEXT.index('," said') + 2)


def test_windows_of_a_sentence_and_of_neighbours():
    first = next(Windows(TEXT, ALL).meetings(()))
    assert (first.one, first.other, first.kind) == ("ada", "ben", "sentence")
    assert first.words == "§a met §b by the well."
    assert first.span.of(TEXT) == "Ada met Ben by the well."
    found = {(one.one, one.other) for one in Windows(TEXT, ALL).meetings(()) if one.kind == "next"}
    assert ("ada", "carl") in found
    assert ("carl", "dora") not in found


@pytest.mark.parametrize(("speaker", "hearer", "seen"), values(__file__, "what_is_said_is_seen_from.tsv"))
def test_what_is_said_is_seen_from_one_side(speaker, hearer, seen):
    said = Windows(TEXT, ALL).meetings([Speech((SAID,), speaker, (hearer,))])
    found = {(one.one, one.other, one.kind) for one in said}
    assert {one for one in found if one[2] not in ("sentence", "next")} >= seen
    assert bool(seen) or {kind for *_, kind in found} <= {"sentence", "next"}


def test_a_third_is_masked_and_the_sentence_around_a_place():
    text = "Ada, Ben and Carl sang."
    found = [one.words for one in Windows(text, marks(text, Ada="a", Ben="b", Carl="c")).meetings(())]
    assert found == ["§a , §b and §c sang.", "§a , §c and §b sang.", "§c , §a and §b sang."]
    at = TEXT.index("slept")
    assert sentence_around(TEXT, Span(at, at + 5)).of(TEXT) == "Then Carl slept."


@pytest.mark.parametrize(("kind", "words", "back", "turned"), values(__file__, "turning.tsv"))
def test_turning(kind, words, back, turned):
    seen = pairs.window_features(kind, words)
    assert {pairs.turned_feature(each) for each in seen} == pairs.window_features(back, turned)
    assert {pairs.turned_feature(pairs.turned_feature(each)) for each in seen} == seen


def test_where_a_word_stands_to_the_two_is_seen():
    assert pairs.window_features("sentence", "§a loves §b") != pairs.window_features(
        "sentence", "§b loves §a"
    )


def test_bounds_are_those_of_the_training_run_and_features_turn_back():
    told = json.loads((Path(__file__).parents[3] / "training" / "pair_reader.json").read_text("utf-8"))
    assert pairs.pair_model().least == pytest.approx(told["least"], abs=1e-4)
    turn = pairs.pair_model().turn
    assert [turn[other] for other in turn] == list(range(len(turn)))


def _chances(noun):
    """What a man and a woman are to each other who are near when his NOUN is spoken of."""
    model, number = pairs.pair_model(), pairs.pair_model().noun(noun)
    assert number is not None
    bag = pairs.Bag("ann", "bob", [6, 4, 3, 3, 0, 0], nouns={number: [0, 600]}, near=[120, 900])
    people = {
        "ann": pairs.Person("ann", ("Ann Hall",), "f", 40),
        "bob": pairs.Person("bob", ("Bob Hall",), "m", 50),
    }
    return dict(model.probabilities({("ann", "bob"): bag}, people, {})["bob", "ann"])


def test_his_wife_is_a_wife_and_nobody_met_is_nothing():
    wife, daughter = _chances("wife"), _chances("daughter")
    assert wife["spouse"] > daughter["spouse"]
    assert daughter["parent"] > wife["parent"]
    assert max(pairs.TYPES, key=wife.__getitem__) == "spouse"
    assert max(pairs.TYPES, key=daughter.__getitem__) == "parent"
    assert pairs.pair_model().probabilities({}, {}, {}) == {}
    assert pairs.bags_of((), {}, frozenset({"a", "b"}), pairs.pair_model().turn) == {}


def found(text, genders, speeches=(), **who):
    told = Belongings(text, marks(text, **who), speeches, genders)
    return {(one.owner, noun, one.near) for one in told for noun in one.nouns}


def test_whose_is_whose():
    told = found("Ada saw Ben. His wife smiled; her brother did not.", {"a": "f", "b": "m"}, Ada="a", Ben="b")
    assert {("b", "wife", ("a",)), ("a", "brother", ("b",))} <= told
    told = found("Ada's poor uncle watched Ben.", {}, Ada="a", Ben="b")
    assert {("a", "poor", ("b",)), ("a", "uncle", ("b",))} == told
    text = '"My clerk saw your wife," said Ada to Ben.'
    said = Speech((Span(0, text.index('," said') + 2),), "a", ("b",))
    told = found(text, {"a": "f", "b": "m"}, [said], Ada="a", Ben="b")
    assert {("a", "clerk"), ("b", "wife")} <= {(owner, noun) for owner, noun, _ in told}
    text = '"My clerk is late," was heard. Ada listened to Ben.'
    said = Speech((Span(0, text.index('," was') + 2),), None, ())
    assert found(text, {}, [said], Ada="a", Ben="b") == set()
    text = "Ada saw Ben. His old wife smiled."
    (one,) = Belongings(text, marks(text, Ada="a", Ben="b"), (), {"a": "f", "b": "m"})
    assert one.span.of(text) == "His old wife"
