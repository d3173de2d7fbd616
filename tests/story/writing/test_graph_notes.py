from dataclasses import replace

from tests.stories.comparison_fakes import make_document, make_graph, quote, relation
from tests.stories.world_codex import CODEX

from fabula.core.types import Horizon
from fabula.story.codex.codex import Codex
from fabula.story.writing.graph_notes import cast_of, graph_notes, is_over

DOC = make_document()


def view(horizon=2, extra=()):
    return make_graph(DOC, extra).as_of(Horizon(horizon))


def placed(prompt="Anna meets Bela.", horizon=2, extra=()):
    seen = view(horizon, extra)
    return graph_notes(cast_of(prompt, view=seen, chapter=horizon), view=seen, chapter=horizon)


def test_constraints_come_first_with_both_clocks_and_quotes():
    notes = placed()
    assert [(p.section, p.note.text) for p in notes[:2]] == [
        ("Constraints", "Cato is dead (told in ch. 2, since ch. 2, for good)."),
        ("Constraints", "Anna does not trust Bela (told in ch. 1, since ch. 1)."),
    ]
    texts = [p.note.text for p in notes]
    assert "Anna, end of ch. 2: feels fear; wants: count the fares." in texts
    assert "Bela, end of ch. 2: feels fear; wants: count the fares; is at mill." in texts
    assert any(text.startswith("Dora stands between Anna and Bela: ") for text in texts)
    assert any(text.startswith("Anna and Bela are connected: Dora is a friend of Anna") for text in texts)
    for one in notes:
        assert one.note.evidence
        for quoted in one.note.evidence:
            quoted.verify(DOC.text)


def test_what_is_not_said_of_the_dead_and_without_a_quote():
    texts = [p.note.text for p in placed(horizon=1)]
    assert not any("feels" in text for text in texts)
    assert not any(p.note.entities == ("cato",) and p.note.kind == "state" for p in placed("Cato is back."))
    assert not any("dead" in p.note.text for p in placed(horizon=1))


def test_bonds_end_by_their_opposite_or_their_time():
    trusts = relation(DOC, "anna", "TRUSTS", "bela", "Anna counted the fares.", told=2)
    notes = placed(extra=(trusts,))
    texts = [p.note.text for p in notes]
    assert not any("does not trust" in text for text in texts)


def test_a_bond_told_again_after_its_opposite_stands():
    trusts = relation(DOC, "anna", "TRUSTS", "bela", "Bela wept.", told=2)
    again = relation(DOC, "anna", "DISTRUSTS", "bela", "Anna did not trust Bela.")
    again = replace(again, evidence=(*again.evidence, quote(DOC, "SECRET-LATER")))
    assert not is_over(again, (trusts, again))
    assert is_over(trusts, (trusts, again))


def test_others_who_are_present_have_their_state_after_the_cast():
    texts = [p.note.text for p in placed("Anna waits.")]
    states = [text for text in texts if "end of ch. 2" in text]
    assert [text.split(",")[0] for text in states] == ["Anna", "Bela"]


def test_a_writer_is_given_the_rules_of_the_world():
    codex = Codex.parse(CODEX)
    cast = cast_of("Anna goes on.", view=view(), chapter=2)
    plain = graph_notes(cast, view=view(), chapter=2)
    with_rules = graph_notes(cast, canon=codex.constraints(Horizon(2)), view=view(), chapter=2)
    added = [each for each in with_rules if each not in plain]
    assert {each.section for each in added} == {"Constraints"}
    assert {each.note.text for each in added} == {"Elena never lies.", "nobody can fly.", "The gate is shut."}
    assert [each for each in with_rules if each in plain] == list(plain)
