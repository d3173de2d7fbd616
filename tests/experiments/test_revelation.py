import pytest
from tests.tables import values

from experiments.user_view.revelation import area, in_chapters, summed
from experiments.user_view.text_questions import AskedText, TextQuestion
from fabula.core.types import Span


@pytest.mark.parametrize(("pairs", "expected"), values(__file__, "areas.tsv"))
def test_the_area_is_the_share_of_pairs_in_order(pairs, expected):
    rows = [
        {"text": f"t{n}", "at": {"confidence": at}, "before": {"confidence": before}}
        for n, (at, before) in enumerate(pairs)
    ]
    found = area(rows, "confidence")
    assert found["mean"] == pytest.approx(expected)
    assert 0.0 <= found["low"] <= expected <= found["high"] <= 1.0


def test_who_always_answers_is_half_right():
    one = {"answered": True, "right": False, "confidence": 1.0, "bm25": 1.0}
    found = summed([{"text": "t", "at": one | {"right": True}, "before": one}])
    shares = ("answered rightly, once told", "answered before it is told", "accuracy", "area, by confidence")
    assert [found[share]["mean"] for share in shares] == [1, 1, 0.5, 0.5]


def test_sections_become_chapters_and_places_go_along():
    tale = AskedText("t", "One was cold.\n\nTwo was warm.", [], sections=[Span(0, 13), Span(15, 28)])
    tale.questions.append(TextQuestion("?", ("warm",), (Span(15, 28),), within=(Span(15, 28),)))
    made = in_chapters(tale)
    assert made.text == "## 1\n\nOne was cold.\n\n## 2\n\nTwo was warm."
    assert [place.of(made.text) for place in made.questions[0].places] == ["Two was warm."]
