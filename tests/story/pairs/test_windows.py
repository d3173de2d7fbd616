import pytest
from tests.tables import values

from fabula.core.types import Span
from fabula.story.pairs.windows import Mark, Speech, Windows, sentence_around

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
