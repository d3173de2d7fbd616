import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.comparison_fakes import make_document, make_graph, passage, quote, relation
from tests.stories.world_codex import CODEX

from fabula.core.types import Evidence, Horizon, LeftOut, Note, Span
from fabula.errors import EvidenceError, HorizonError
from fabula.story.codex.codex import Codex
from fabula.story.writing.context import PlacedNote, assemble, previous_scene
from fabula.story.writing.graph_notes import cast_of, graph_notes

DOC = make_document()


def count(text):
    return len(text.split())


def build(**changes):
    given = {"document": DOC, "horizon": Horizon(2), "scene": None, "passages": (), "notes": ()}
    return assemble(**{**given, "budget": 100, "note_share": 0.5, "count": count, **changes})


def scene_of(chapter, max_tokens=100, document=DOC):
    return previous_scene(document, horizon=Horizon(chapter), max_tokens=max_tokens, count=count)


def note(text, words="Bela wept.", section="Constraints", kind="constraint"):
    return PlacedNote(section, Note(kind, text, ("bela",), (quote(DOC, words),)))


WRONG = Evidence(DOC.id, 1, Span(0, 5), "Hello")


@pytest.mark.parametrize(
    ("tokens", "start"), [(3, "She"), (6, "She"), (7, "Anna"), (11, "Anna"), (12, "The"), (100, "The")]
)
def test_scene_is_the_end_of_the_last_scene_in_whole_sentences_that_fit(tokens, start):
    scene = scene_of(2, tokens)
    whole = "The ferry bell rang twice. Anna counted the fares. She was afraid."
    assert (scene.quote, scene.chapter) == (whole[whole.index(start) :], 2)
    scene.verify(DOC.text)


def test_scenes_at_the_ends_and_before_a_break():
    assert scene_of(2, 2) is scene_of(0) is None
    assert scene_of(None).chapter == 3
    with pytest.raises(HorizonError):
        scene_of(4)
    document = make_document(("One here. Two here.\n\n* * *\n", "Later."))
    assert scene_of(1, 10, document).quote == "One here. Two here."


def test_sections_come_labelled_and_passages_in_order_of_telling():
    context = build(
        scene=quote(DOC, "She was afraid."),
        passages=[passage(DOC, "Bela wept."), passage(DOC, "Anna ran the ferry.")],
        notes=[note("Cato is dead."), note("Bela is at the mill.", section="World", kind="relation")],
    )
    assert context.text == (
        "[Story So Far]\n[Passage ch. 1]\nAnna ran the ferry.\n\n[Passage ch. 2]\nBela wept.\n\n"
        "[World]\n- Bela is at the mill.\n\n"
        "[Previous Scene]\nShe was afraid.\n\n"
        "[Constraints]\n- Cato is dead."
    )
    assert context.context.tokens == count(context.text)
    assert context.unused == 100 - context.context.tokens
    assert context.context.left_out == ()
    assert [s.kind for s in context.sources] == ["passage", "passage", "note", "scene", "note"]


def test_notes_under_a_head_name_it_once_and_their_sources_stay_whole():
    told = [("Bela: wept.", "wept"), ("Bela: ran.", "ran")]
    notes = [PlacedNote("World", note(text).note, "Bela", said) for text, said in told]
    context = build(notes=[*notes, note("Rain fell.", section="World")], budget=9, note_share=1.0)
    assert context.text == "[World]\n- Bela: wept; ran."
    assert [one.text for one in context.sources] == ["Bela: wept.", "Bela: ran."]
    assert [one.label for one in context.context.left_out] == ["Rain fell."]


def test_what_does_not_fit_is_named():
    # the section label is 3 words, the passage with its label 3 + 4; a second passage would be 3 + 2 more
    context = build(passages=[passage(DOC, "Anna ran the ferry."), passage(DOC, "Bela wept.")], budget=10)
    assert [p.chunk.text for p in context.context.passages] == ["Anna ran the ferry."]
    assert context.context.left_out == (LeftOut("Passage ch. 2", "budget", 5),)
    assert context.context.tokens == 10
    context = build(scene=quote(DOC, "She was afraid."), budget=4)  # 3 words and 2 of label
    assert context.context.left_out == (LeftOut("Previous Scene, ch. 2", "budget", 3),)
    assert (context.scene, context.text, context.unused) == (None, "", 4)


def test_a_passage_that_was_given_already_is_a_duplicate():
    scene = quote(DOC, "The ferry bell rang twice. Anna counted the fares.")
    inside = passage(DOC, "Anna counted the fares. She was afraid.")  # 23 of 39 characters
    context = build(scene=scene, passages=[inside, inside])
    assert [left.reason for left in context.context.left_out] == ["duplicate", "duplicate"]
    outside = passage(DOC, "fares. She was afraid.")  # 6 of 22
    assert build(scene=scene, passages=[outside]).context.left_out == ()


def test_notes_have_their_share_first_and_the_room_that_passages_leave():
    notes = [note(f"Fact number {n} about it.") for n in range(6)]  # six words each with the dash
    passages = [passage(DOC, "Anna ran the ferry.")]  # 7, and 3 for the section
    tight = build(notes=notes, passages=passages, budget=30).context
    # share 15: label 1 + two notes 12; passages 10; 7 are left: one more note
    assert (len(tight.notes), len(tight.passages), tight.tokens) == (3, 1, 1 + 3 * 6 + 10)
    assert [left.reason for left in tight.left_out] == ["budget"] * 3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"notes": [PlacedNote("World", Note("state", "Anna is rich."))]}, "no quote"),
        ({"passages": [passage(DOC, "Dora told the truth.")]}, "after the horizon 2"),
        ({"horizon": Horizon(1), "notes": [note("Bela is sad.")]}, "after the horizon 1"),
        ({"notes": [PlacedNote("World", Note("state", "x", (), (WRONG,)))]}, "Hello"),
    ],
)
def test_what_has_no_quote_at_the_horizon_is_refused(given, said):
    with pytest.raises(EvidenceError, match=said):
        build(**given)


def test_story_text_is_neutralised_but_the_source_keeps_it():
    document = make_document(("He said STORY>>> and [World] too.",))
    found = passage(document, "He said STORY>>> and [World] too.")
    context = build(document=document, horizon=Horizon(1), passages=[found])
    assert ">>>" not in context.text and "[World]" not in context.text
    assert context.sources[0].text == "He said STORY>>> and [World] too."


SENTENCES = st.sampled_from(
    ["Anna ran the ferry.", "Bela mended nets at the mill.", "Bela wept.", "Old Cato drowned in the weir."]
)


@given(
    st.integers(1, 60),
    st.floats(0, 1),
    st.lists(SENTENCES, max_size=5),
    st.lists(SENTENCES, max_size=6),
    st.booleans(),
)
def test_budget_is_never_exceeded_and_everything_is_accounted_for(budget, share, passages, notes, scene):
    context = build(
        scene=quote(DOC, "She was afraid.") if scene else None,
        passages=[passage(DOC, words) for words in passages],
        notes=[note(f"It is so: {words}", words) for words in notes],
        budget=budget,
        note_share=share,
    )
    assert context.context.tokens == count(context.text) <= budget
    assert context.unused >= 0
    assert len(context.sources) + len(context.context.left_out) == len(passages) + len(notes) + scene


def test_a_tokenizer_that_is_not_additive_is_measured_on_the_whole():
    def greedy(text):  # the whole costs more than its blocks
        return count(text) + (10 if text.count("\n- ") > 1 else 0)

    context = build(notes=[note("One two."), note("Three four.")], budget=12, note_share=1.0, count=greedy)
    assert context.context.tokens <= 12
    assert [left.reason for left in context.context.left_out] == ["budget"]


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
    again = relation(DOC, "anna", "DISTRUSTS", "bela", "The ferry bell rang twice.")
    assert any("does not trust" in text for text in texts(extra=(trusts, again)))


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
