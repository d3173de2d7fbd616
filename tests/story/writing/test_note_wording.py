"""When a bond is spoken of as over."""

from dataclasses import replace

from tests.stories.comparison_fakes import (
    make_document,
    quote,
    relation,
)

from fabula.story.writing.note_wording import is_over

DOC = make_document()


def test_a_bond_told_again_after_its_opposite_stands():
    trusts = relation(DOC, "anna", "TRUSTS", "bela", "Bela wept.", told=2)
    again = relation(DOC, "anna", "DISTRUSTS", "bela", "Anna did not trust Bela.")
    again = replace(again, evidence=(*again.evidence, quote(DOC, "SECRET-LATER")))
    assert not is_over(again, (trusts, again))
    assert is_over(trusts, (trusts, again))
