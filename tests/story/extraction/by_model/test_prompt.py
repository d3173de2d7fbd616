import json

import pytest
from tests.tables import rows, values

from fabula.story.extraction.by_model.prompt import SAME, Claim, claims_of
from fabula.story.model.types import Modality

WHOLE = '{"relations": [{"a": "A", "type": "lover", "b": "B", "status": "holds", "quote": "x"}'


def claims(**item):
    return claims_of(json.dumps({"relations": [item]}))


def relation(type_, status="holds"):
    return claims(a="Ann", type=type_, b="Bo", status=status, quote="so it is")


def test_broken_answers_give_what_is_whole():
    for answer, kept, odd in (
        (f'{WHOLE}, {{"a": "B", "ty', 1, 0),
        (f"Here:\n```json\n{WHOLE}]}}\n```", 1, 0),
        ("I cannot do that.", 0, 0),
        ('{"fates": [{"quote": 1}, 2, null]}', 0, 1),
        ("[" * 10_000 + "{" * 10_000, 0, 0),
        ("", 0, 0),
    ):
        found, rest = claims_of(answer)
        assert (len(found), rest) == (kept, odd), answer


@pytest.mark.parametrize(
    ("type_", "predicate", "subject"),
    rows(__file__, "relation_has_a_direction.tsv"),
)
def test_a_relation_has_a_direction(type_, predicate, subject):
    ((claim,), _) = relation(type_)
    assert (claim.predicate, claim.subject) == (predicate, subject)
    assert {claim.subject, claim.object} == {"Ann", "Bo"}


def test_a_relation_holds_ends_or_is_only_believed():
    told = {status: relation("friend", status)[0][0] for status in ("holds", "ends", "believed")}
    assert [(one.modality, one.ended) for one in told.values()] == [
        (Modality.FACT, False),
        (Modality.FLASHBACK, True),
        (Modality.REPORTED, False),
    ]
    assert not relation("sibling", "ends")[0][0].ended  # blood kinship never ends


def test_fates_events_and_names():
    quote = "so it is"
    for item, claim in (
        ({"who": "Ann", "fate": "dies"}, Claim("DIES", "", "Ann", quote)),
        ({"who": "Ann", "fate": "is dead"}, Claim("DIES", "", "Ann", quote, Modality.FLASHBACK)),
        ({"who": "Ann", "fate": "leaves for good"}, Claim("LEAVES", "Ann", "", quote)),
        ({"who": "Ann", "fate": "is born"}, Claim("DOES", "", "Ann", quote, verb="bear")),
        ({"type": "SAVES", "doer": "Ann", "other": "Bo"}, Claim("SAVES", "Ann", "Bo", quote)),
        ({"type": "DIES", "doer": "Ann", "other": ""}, Claim("DIES", "", "Ann", quote)),
        ({"name": "Ann", "also": "Miss Ray"}, Claim(SAME, "Ann", "Miss Ray", quote)),
    ):
        assert claims(**item, quote=quote) == ([claim], 0), item


def test_what_is_not_of_the_form_is_counted():
    for (item,) in values(__file__, "what_is_not_of_the_form_is_counted.tsv"):
        assert claims(**item) == ([], 1), item
