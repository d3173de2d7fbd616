from dataclasses import replace

from tests.stories.comparison_fakes import make_document, make_graph, quote, relation
from tests.stories.world_codex import CODEX

from fabula.core.types import Horizon
from fabula.story.codex.codex import Codex
from fabula.story.writing.graph_notes import cast_of, graph_notes, is_over

DOC = make_document()
DEAD = "Cato is dead (told in ch. 2, since ch. 2, for good)."
COLD = "Anna does not trust Bela (told in ch. 1, since ch. 1)."


def placed(prompt="Anna meets Bela.", horizon=2, extra=(), **canon):
    view = make_graph(DOC, extra).as_of(Horizon(horizon))
    return graph_notes(cast_of(prompt, view=view, chapter=horizon), view=view, chapter=horizon, **canon)


def texts(*asked, **how):
    return [one.note.text for one in placed(*asked, **how)]


def test_constraints_come_first_with_both_clocks_and_quotes():
    notes, told = placed(), texts()
    assert [(one.section, one.note.text) for one in notes[:2]] == [
        ("Constraints", DEAD),
        ("Constraints", COLD),
    ]
    assert "Anna, end of ch. 2: feels fear; wants: count the fares." in told
    assert "Bela, end of ch. 2: feels fear; wants: count the fares; is at mill." in told
    for start in ("Dora stands between Anna and Bela: ", "Anna and Bela are connected: Dora is a friend of"):
        assert any(text.startswith(start) for text in told)
    for one in notes:
        assert one.note.evidence
        for quoted in one.note.evidence:
            quoted.verify(DOC.text)


def test_what_is_not_said_of_the_dead_and_without_a_quote():
    assert not any("feels" in text or "dead" in text for text in texts(horizon=1))
    assert not any(p.note.entities == ("cato",) and p.note.kind == "state" for p in placed("Cato is back."))


def test_a_bond_ends_by_its_opposite_and_stands_once_told_again():
    trusts = relation(DOC, "anna", "TRUSTS", "bela", "Bela wept.", told=2)
    assert not any("does not trust" in text for text in texts(extra=(trusts,)))
    again = relation(DOC, "anna", "DISTRUSTS", "bela", "Anna did not trust Bela.")
    again = replace(again, evidence=(*again.evidence, quote(DOC, "SECRET-LATER")))
    assert not is_over(again, (trusts, again))
    assert is_over(trusts, (trusts, again))


def test_others_who_are_present_have_their_state_after_the_cast():
    states = [text for text in texts("Anna waits.") if "end of ch. 2" in text]
    assert [text.split(",")[0] for text in states] == ["Anna", "Bela"]


def test_a_writer_is_given_the_rules_of_the_world():
    plain = placed("Anna goes on.")
    with_rules = placed("Anna goes on.", canon=Codex.parse(CODEX).constraints(Horizon(2)))
    added = {(one.section, one.note.text) for one in with_rules if one not in plain}
    rules = ("Elena never lies.", "nobody can fly.", "The gate is shut.")
    assert added == {("Constraints", rule) for rule in rules}
    assert [one for one in with_rules if one in plain] == list(plain)
