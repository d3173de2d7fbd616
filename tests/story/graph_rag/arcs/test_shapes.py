import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import values

from fabula.story.graph_rag.arcs.moves import compare, curve, shape_of, warped
from fabula.story.model.types import CharacterState


def arc(*valences, step=1):
    return tuple(
        CharacterState("tom", 1 + i * step, "", valence, 0.5, (), (), None, "setup")
        for i, valence in enumerate(valences)
    )


def test_a_curve_is_linear_between_chapters_and_smoothed():
    values = curve(arc(0.0, 1.0), points=5)
    # 0, 1/4, 1/2, 3/4, 1; each the mean of those within two
    assert values == pytest.approx(
        (
            (0 + 0.25 + 0.5) / 3,
            (0 + 0.25 + 0.5 + 0.75) / 4,
            (0 + 0.25 + 0.5 + 0.75 + 1) / 5,
            (0.25 + 0.5 + 0.75 + 1) / 4,
            (0.5 + 0.75 + 1) / 3,
        )
    )
    assert curve(()) == ()
    assert curve(arc(0.5)) == (0.5,) * 20


def test_the_six_shapes_and_none():
    for valences, name in values(__file__, "the_six_shapes.tsv"):
        shape = shape_of(arc(*valences))
        assert shape.name == name, (valences, name)
        assert shape.fit > 0.8, (valences, name)
    assert shape_of(arc(0.3, 0.3, 0.3)).name == ""
    assert shape_of(arc(-0.5, 0.5)).name == ""
    assert shape_of(()).fit == 0


def test_arcs_compare_whatever_their_lengths_and_time():
    slow = compare(arc(-0.8, -0.4, 0.0, 0.4, 0.8, step=7), arc(-0.4, 0.4))
    assert slow.correlation == pytest.approx(1)
    assert slow.likeness > 0.95
    against = compare(arc(-0.8, 0.0, 0.8), arc(0.8, 0.0, -0.8))
    assert against.correlation == pytest.approx(-1)
    assert against.likeness < slow.likeness / 2
    assert (against.one.name, against.other.name) == ("rags to riches", "riches to rags")
    early, late = arc(0.8, 0.8, -0.8, -0.8, -0.8, 0.8), arc(0.8, 0.8, 0.8, -0.8, -0.8, 0.8)
    compared = compare(early, late)
    correlation = compared.correlation
    assert correlation is not None
    assert compared.likeness > correlation
    compared = compare((), arc(0.1, 0.2, 0.3))
    assert (compared.correlation, compared.likeness) == (None, 0.0)
    assert compare(arc(0.2, 0.2, 0.2), arc(0.1, 0.2, 0.3)).correlation is None


@given(
    st.lists(st.floats(-1, 1), min_size=20, max_size=20), st.lists(st.floats(-1, 1), min_size=20, max_size=20)
)
def test_warping_is_a_symmetric_distance(one, other):
    assert warped(one, one) == 0
    assert warped(one, other) == pytest.approx(warped(other, one))
    plain = compare(arc(*one), arc(*other))
    assert 0 <= plain.likeness <= 1
