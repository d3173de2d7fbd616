import pytest
from tests.stories.reading import document, told
from tests.tables import rows

from fabula.story.model.predicates import PREDICATES

ROWS = rows(__file__, "relations.tsv")
ASIDE = frozenset({"KNOWS", "APPEARS_WITH", "LOCATED_AT", "LIVES_IN", "COMES_FROM"})


def shown(text):
    """Every relation and every event between two, once, as "X PREDICATE Y"."""
    view = told(document(text))
    found = set()
    for one in view.relations():
        over = isinstance(one.holds.end, int) and one.holds.end < one.told
        found.add((view.name(one.subject), one.predicate, view.name(one.object), " (ended)" * over))
    for event in view.events():
        sides = dict(event.participants)
        if {"agent", "patient"} <= set(sides):
            found.add((view.name(sides["agent"]), event.predicate, view.name(sides["patient"]), ""))
    return {row for row in found if row[1] not in ASIDE}


@pytest.mark.parametrize(("text", "wanted"), ROWS, ids=[row[0][:60] for row in ROWS])
def test_plain_relations(text, wanted):
    found = shown(text)
    if not wanted:
        bonds = {row for row in found if PREDICATES[row[1]].lasting or row[1] in ("KILLS", "MARRIES")}
        assert bonds == set()
        return
    lines = {f"{a} {predicate} {b}{over}" for a, predicate, b, over in found}
    lines |= {
        f"{b} {predicate} {a}{over}" for a, predicate, b, over in found if PREDICATES[predicate].symmetric
    }
    assert wanted in lines
