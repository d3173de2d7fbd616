from dataclasses import replace

from tests.stories.builder import StoryBuilder
from tests.stories.comparison_fakes import (
    FakeDiscovery,
    FakeTracker,
    FakeView,
    make_document,
    quote,
    relation,
)
from tests.stories.world_codex import CODEX

from fabula.core.types import Horizon
from fabula.story.codex.codex import Codex
from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine
from fabula.story.memories.memory import profiles
from fabula.story.model.types import EventTold, Interval, Open
from fabula.story.writing.graph_notes import Cast, cast_of, graph_notes, is_over

DOC = make_document()


def view(horizon=2, extra=()):
    return FakeView(DOC, Horizon(horizon), extra)


def placed(prompt="Anna meets Bela.", horizon=2, extra=()):
    seen = view(horizon, extra)
    return graph_notes(
        cast_of(prompt, view=seen, chapter=horizon),
        view=seen,
        tracker=FakeTracker(seen),
        discovery=FakeDiscovery(seen),
        chapter=horizon,
    )


def test_constraints_come_first_with_both_clocks_and_quotes():
    notes = placed()
    assert [(p.section, p.note.text) for p in notes[:2]] == [
        ("Constraints", "Cato is dead (told in ch. 2, since ch. 2, for good)."),
        ("Constraints", "Anna does not trust Bela (told in ch. 1, since ch. 1)."),
    ]
    texts = [p.note.text for p in notes]
    assert "Anna, end of ch. 2: feels fear; wants: count the fares." in texts
    assert "Bela, end of ch. 2: feels fear; wants: count the fares; is at mill." in texts
    assert ("World", "Bela is at mill (told in ch. 1, since ch. 1).") in [
        (p.section, p.note.text) for p in notes
    ]
    assert "Bela stands between Anna and Cato." in texts
    assert "anna reaches bela by way of the mill." in texts
    for one in notes:
        assert one.note.evidence
        for quoted in one.note.evidence:
            quoted.verify(DOC.text)


def test_what_has_no_quote_is_not_said():
    texts = [p.note.text for p in placed(horizon=1)]
    assert not any("end of ch. 1" in text for text in texts)
    assert "Nobody here." not in texts


def test_the_dead_have_no_state():
    assert not any(p.note.entities == ("cato",) and p.note.kind == "state" for p in placed("Cato is back."))


def test_no_death_before_it_is_told():
    assert not any("dead" in p.note.text for p in placed(horizon=1))


def test_a_later_opposite_makes_the_earlier_bond_past():
    trusts = relation(DOC, "anna", "TRUSTS", "bela", "Anna counted the fares.", told=2)
    notes = placed(extra=(trusts,))
    texts = [p.note.text for p in notes]
    assert not any("does not trust" in text for text in texts)
    assert "Anna trusts Bela (told in ch. 2, since ch. 2)." in texts
    assert "Earlier: Anna distrusts Bela (told in ch. 1, since ch. 1)." in texts


def test_a_bond_told_again_after_its_opposite_stands():
    trusts = relation(DOC, "anna", "TRUSTS", "bela", "Bela wept.", told=2)
    again = relation(DOC, "anna", "DISTRUSTS", "bela", "Anna did not trust Bela.")
    again = replace(again, evidence=(*again.evidence, quote(DOC, "SECRET-LATER")))
    assert not is_over(again, (trusts, again))
    assert is_over(trusts, (trusts, again))


def test_a_bond_that_ended_is_past():
    past = relation(DOC, "bela", "HATES", "anna", "Bela wept.", holds=Interval(Open.UNKNOWN, 1))
    texts = [p.note.text for p in placed(extra=(past,))]
    assert "Earlier: Bela hates Anna (told in ch. 2, until ch. 1)." in texts
    assert "Bela hates Anna (told in ch. 2, until ch. 1)." not in texts


def test_who_they_are_and_what_they_did():
    texts = [p.note.text for p in placed()]
    assert "Anna (also Ann): known since ch. 1." in texts
    assert "Cato" not in " ".join(t for t in texts if "known since" in t)


def test_others_who_are_present_have_their_state_after_the_cast():
    texts = [p.note.text for p in placed("Anna waits.")]
    states = [text for text in texts if "end of ch. 2" in text]
    assert [text.split(",")[0] for text in states] == ["Anna", "Bela"]


def test_events_are_worded_by_role_latest_first():
    found = (quote(DOC, "Bela wept."),)
    helped = EventTold(
        "e2", "HELPS", (("agent", "anna"), ("patient", "bela"), ("place", "mill")), 2, Interval(2, 2), found
    )
    attacked = EventTold("e3", "ATTACKS", (("patient", "anna"),), 2, Interval(2), found)

    class Busy(FakeView):
        def events(self, entity=None, *, happened=True):
            return (attacked, helped)

    seen = Busy(DOC, Horizon(2))
    cast = cast_of("Anna waits.", view=seen, chapter=2)
    notes = graph_notes(cast, view=seen, tracker=FakeTracker(seen), discovery=FakeDiscovery(seen), chapter=2)
    texts = [p.note.text for p in notes]
    assert "Anna helps Bela at mill (told in ch. 2, happened in ch. 2)." in texts
    assert not any("attacks" in text for text in texts)  # nobody is said to have done it


def test_a_writer_is_given_the_rules_of_the_world():
    codex = Codex.parse(CODEX)
    seen = FakeView(make_document(), Horizon(2))
    cast = cast_of("Anna goes on.", view=seen, chapter=2)
    parts = {"view": seen, "tracker": FakeTracker(seen), "discovery": FakeDiscovery(seen), "chapter": 2}
    plain = graph_notes(cast, **parts)
    with_rules = graph_notes(cast, canon=codex.constraints(Horizon(2)), **parts)
    added = [each for each in with_rules if each not in plain]
    assert {each.section for each in added} == {"Constraints"}
    assert {each.note.text for each in added} == {"Elena never lies.", "nobody can fly.", "The gate is shut."}
    assert [each for each in with_rules if each in plain] == list(plain)


def test_kin_are_worded_by_gender_where_it_is_known():
    story = StoryBuilder().mention("Ana", gender="f").bond("Ana", "SIBLING_OF", "Tom")
    told = story.bond("Tom", "SIBLING_OF", "Ann").view()
    parts = {"tracker": DynamicArcTracker(told), "discovery": MultiHopDiscoveryEngine(told)}
    notes = graph_notes(Cast(("ana", "tom", "ann")), view=told, **parts, chapter=1)
    shown = [*(one.note.text for one in notes), *(one.text for one in profiles(told))]
    for words in ("Ana is the sister of Tom (", "Tom is a sibling of Ann ("):
        assert sum(words in text for text in shown) >= 2
