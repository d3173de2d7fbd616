import re

from fabula.story.injection import Half, families
from fabula.story.injection.phrasings import half_of, variants
from fabula.story.injection.prose import Manner
from fabula.story.injection.wording import Person, filled

MANNER = Manner("“", "”", "’", "—", "\n", 70, True, False, True, False, False)
PARTS = {"full": "Hugh Farrow", "given": "Hugh", "sur": "Farrow", "other": "Kemble", "calling": "sexton"}
PERSONS = {
    "X": Person("x", "Anna", "f"),
    "Y": Person("y", "Robert", "m"),
    "W": Person("w", "Mr. Hale", "m"),
    "N": Person("n", "Mr. Farrow", "m", PARTS),
    "D": Person("d", "Mr. Farrow the sexton", "m", PARTS),
}
VALUES = {"v": "grey", "a": "two", "b": "the silver fan", "c": "[took|takes] it", "t": "at noon"}
SPLIT = [
    (variant, side) for variant in variants() if not variant.control for side, held in variant.sides if held
]


def test_there_is_a_family_for_every_kind_of_slip():
    assert families() == (
        "abandoned_goal",
        "attribute_conflict",
        "canon_conflict",
        "count_conflict",
        "dead_then_acts",
        "kinship_conflict",
        "knowledge_leak",
        "name_drift",
        "never_introduced",
        "object_conflict",
        "orphaned_event",
        "relationship_conflict",
        "timeline_conflict",
        "two_places_at_once",
        "unearned_change",
    )


def test_a_side_has_twelve_wordings_and_both_halves_have_some():
    for variant, side in SPLIT:
        development = variant.phrasings(side, Half.DEVELOPMENT)
        held_out = variant.phrasings(side, Half.HELD_OUT)
        assert len(development) + len(held_out) >= 12, (variant.id, side)
        assert min(len(development), len(held_out)) >= 4, (variant.id, side)
        assert not {one.text for one in development} & {one.text for one in held_out}, (variant.id, side)


def test_the_half_of_a_wording_depends_on_its_words_alone():
    assert half_of("They looked up.") is half_of("They looked up.")
    assert {half_of(f"wording {number}") for number in range(20)} == {Half.DEVELOPMENT, Half.HELD_OUT}
    by_text = {}
    for variant in variants():
        for side, _ in variant.sides:
            for one in variant.phrasings(side, Half.ALL):
                if one.half is not Half.ALL:
                    assert by_text.setdefault(one.text, one.half) is one.half


PRESENT = Manner("“", "”", "’", "—", "\n", 70, False, False, True, False, False)


def test_every_wording_can_be_filled():
    for variant in variants():
        assert variant.gap in ("far", "near", "stage"), variant.id
        for one in (one for _, held in variant.sides for one in held):
            assert one.persons <= {*variant.cast, "W"}, f"{one.text}: cast {variant.cast}"
            past, present = (filled(one.text, PERSONS, VALUES, manner) for manner in (MANNER, PRESENT))
            assert past != present or "[" not in one.text, one.text
            for told in (past, present):
                assert not re.search(r"[{}\[\]|]", told), told
                assert told[0].isupper() or told[0] == "“", told
                assert told.rstrip("”")[-1] in ".!?", told
                assert told.count("“") == told.count("”"), told


def test_a_first_person_wording_says_i():
    me = {**PERSONS, "X": Person("me", "I", "I")}
    said = [
        filled(one.text, me, VALUES, MANNER)
        for variant in variants()
        for _, held in variant.sides
        for one in held
        if one.first
    ]
    assert len(said) >= 12
    for told in said:
        assert re.search(r"\b(?:I|[Mm]y)\b", told)
        assert "I’s" not in told and not re.search(r"\b(?:of|to|from|at|for|with) I\b", told), told


def test_slots():
    for text, told in (
        ("{X} [was|is] {v}; {X.He} [had|has] {X.his} way.", "Anna was grey; She had her way."),
        ("{Y's} hat, and {X.hers}.", "Robert’s hat, and hers."),
        ("“{v.C},” said {Y.himself}.", "“Grey,” said himself."),
        ("{N.sur} [met|meets] a {X.man}.", "Farrow met a woman."),
        ("a {b}. {c}", "A the silver fan. took it"),
    ):
        assert filled(text, PERSONS, VALUES, MANNER) == told, (text, told)
