import math

import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import rows

from fabula.errors import UsageError
from fabula.story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine

HOME = "Anna COMES_FROM @Lynn; 3:; Bert LIVES_IN @Lynn"
DIVIDED = "Anna FRIEND_OF Bert / 0.8; Cora ALLIES_WITH Bert; 2:; Cora HATES Anna / 0.5"
ASKED = {
    "triangles": MultiHopDiscoveryEngine.conflict_triangles,
    "hostilities": MultiHopDiscoveryEngine.implied_hostilities,
    "strangers": MultiHopDiscoveryEngine.strangers,
    "central": MultiHopDiscoveryEngine.central,
    "ways": lambda engine: engine.hidden_connections("anna", "bert", max_hops=2),
}


def engine(told, chapter=None):
    story = StoryBuilder.of(told) if isinstance(told, str) else told
    return MultiHopDiscoveryEngine(story.view(chapter))


@pytest.mark.parametrize(("story", "what", "said"), rows(__file__, "discovered.tsv"))
def test_it_discovers(story, what, said):
    view = StoryBuilder.of(story).view()
    found = [one.sentence(view) for one in ASKED[what](engine(story))]
    assert len(found) == bool(said)
    assert not said or found[0].startswith(said)


def test_a_triangle_is_as_sure_as_its_bonds_and_quotes_them():
    (triangle,) = engine(DIVIDED).conflict_triangles()
    assert triangle.confidence == pytest.approx(0.8 * 1.0 * 0.5)
    quotes = [quote.quote for quote in triangle.evidence]
    assert quotes == ["Anna FRIEND_OF Bert.", "Cora ALLIES_WITH Bert.", "Cora HATES Anna."]


def test_a_rare_way_surprises_more_than_a_hub():
    (path,) = engine(HOME).hidden_connections("anna", "bert")
    assert [link.told for link in path.links] == [1, 3]
    assert path.surprise == pytest.approx(-math.log(2 / 4))
    story = StoryBuilder()
    for who in ("Anna", "Bert", "Cora", "Dan", "Eve"):
        story.bond(who, "LIVES_IN", "@Town")
    story.event("MEETS", "Anna", "Fay").event("MEETS", "Fay", "Bert")
    rare, common = engine(story).hidden_connections("anna", "bert")
    assert (rare.entities[1], common.entities[1]) == ("fay", "town")
    # degrees: town 5, anna 2, bert 2, fay 2, cora, dan, eve 1
    assert rare.surprise == pytest.approx(-math.log(2 / 14))
    assert common.surprise == pytest.approx(-math.log(5 / 14))
    for number in range(65):  # through such a one everybody knows everybody: it is passed by
        story.bond(f"N{number}", "LIVES_IN", "@Town")
    story.bond("Town", "KNOWS", "Ida").bond("Ida", "KNOWS", "Joe")
    assert engine(story).hidden_connections("anna", "joe") == ()


def test_paths_are_simple_and_no_longer_than_asked():
    found = engine("A KNOWS B; B KNOWS C; C KNOWS D; A KNOWS C; A KNOWS D")

    def paths(other="d", **how):
        return {"".join(path.entities) for path in found.hidden_connections("a", other, **how)}

    assert paths() == {"acd", "abcd"}
    assert paths(max_hops=2) == {"acd"}
    assert paths(max_hops=1) == paths("a") == paths("nobody") == set()
    with pytest.raises(UsageError, match="1 to 4, not 9"):
        paths(max_hops=9)


def test_every_finding_at_a_horizon_is_that_of_the_story_cut_there():
    assert engine(DIVIDED, 1).conflict_triangles() == engine(HOME, 2).hidden_connections("anna", "bert") == ()

    def told(last):
        later = (f"{n}:; Eve{n} LOVES Cora; Dan HATES Eve{n}" for n in range(2, last + 1))
        return "; ".join(("Anna KILLS Bert; Cora KNOWS Anna", *later))

    near, far = engine(told(3)), engine(told(6), 3)
    for one, other in ((near.strangers(), far.strangers()), (near.central(), far.central())):
        assert one == other and one


def test_who_stands_between_the_others_is_central():
    (dan,) = engine("Dan KNOWS Anna; Dan KNOWS Bert; Dan KNOWS Cora").central()
    assert (dan.entity, dan.share) == ("dan", 1.0) and len(dan.evidence) == 3
