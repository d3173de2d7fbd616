from fabula.core.types import Span
from fabula.story.pairs.windows import Speech, belongings

from .test_windows import marks


def found(text, genders, speeches=(), **who):
    told = belongings(text, marks(text, **who), speeches, genders)
    return {(one.owner, noun, one.near) for one in told for noun in one.nouns}


def test_whose_is_whose():
    text = "Ada saw Ben. His wife smiled; her brother did not."
    told = found(text, {"a": "f", "b": "m"}, Ada="a", Ben="b")
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
    (one,) = belongings(text, marks(text, Ada="a", Ben="b"), (), {"a": "f", "b": "m"})
    assert one.span.of(text) == "His old wife"
