from tests.stories.staging import view_of

from experiments.common.co_presence import co_presence, encounters
from fabula.core.types import Horizon

MEETING = "Elena smiled at Marcus. Marcus nodded."

ELSEWHERE = "Anna laughed.\n\n* * *\n\nElena sat down. Elena smiled."


def names(view, pair):
    return tuple(sorted(view.name(entity).split()[0] for entity in (pair.one, pair.other)))


def test_who_shares_a_scene_meets_and_surer_with_words():
    view = view_of(MEETING, ELSEWHERE)
    assert [names(view, met) for met in encounters(view, 2)] == [("Elena", "Marcus")]
    assert encounters(view, 3) == ()
    (silent,) = encounters(view_of(MEETING), 2)
    view = view_of('"Good day, Marcus," said Elena.\n\n"Good day, Elena," said Marcus.')
    (spoken,) = [met for met in encounters(view, 2) if names(view, met) == ("Elena", "Marcus")]
    assert 0.25 <= silent.weight < 1.0
    assert silent.weight <= spoken.weight <= 1.0


def test_pairs_add_up_over_chapters_with_quotes_and_keep_the_horizon():
    bodies = (MEETING, MEETING + " Anna laughed.", ELSEWHERE)
    pairs = co_presence(view_of(*bodies))
    view = view_of(*bodies)
    (first,) = [pair for pair in pairs if names(view, pair) == ("Elena", "Marcus")]
    assert pairs[0] == first
    assert {2, 3} <= set(first.chapters)
    assert 4 not in first.chapters
    assert first.predicate == "APPEARS_WITH"
    assert all(quote.quote for quote in first.evidence)
    assert co_presence(view.as_of(Horizon(2))) == co_presence(view_of(MEETING))
