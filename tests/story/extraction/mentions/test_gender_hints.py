"""What pronouns tell of a gender where grammar alone binds them."""

from tests.stories.reading import reading


def test_a_pronoun_bound_by_grammar_hints_at_the_gender():
    text = (
        "Sorrel bowed her head. Sorrel asked herself why. Sorrel dropped her eyes. Mr. Flint shook his head."
    )
    hints = {(m.surface, m.hint) for m in reading(text).mentions}
    assert ("Sorrel", "f") in hints
    assert ("Mr. Flint", "m") in hints
    control = "Sorrel took her hand. Sorrel saw her coat."
    assert {m.hint for m in reading(control).mentions} == {""}
