import pytest
from tests.tables import values

from fabula.story.graph_rag.arc_moves import curve, shape_of
from fabula.story.model.types import CharacterState


def arc(*valences):
    told = enumerate(valences, 1)
    return tuple(CharacterState("tom", n, "", valence, 0.5, (), (), None, "setup") for n, valence in told)


def test_a_curve_is_linear_between_chapters_and_smoothed():
    # 0, 1/4, 1/2, 3/4, 1; each the mean of those within two
    smoothed = (0.75 / 3, 1.5 / 4, 2.5 / 5, 2.5 / 4, 2.25 / 3)
    assert curve(arc(0.0, 1.0), points=5) == pytest.approx(smoothed)
    assert curve(()) == ()
    assert curve(arc(0.5)) == (0.5,) * 20


def test_the_six_shapes_and_none():
    for valences, name in values(__file__, "the_six_shapes.tsv"):
        shape = shape_of(arc(*valences))
        assert shape.name == name, (valences, name)
        assert shape.fit > 0.8, (valences, name)
    assert shape_of(arc(0.3, 0.3, 0.3)).name == shape_of(arc(-0.5, 0.5)).name == ""
    assert shape_of(()).fit == 0
