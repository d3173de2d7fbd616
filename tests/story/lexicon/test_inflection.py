from pathlib import Path

import pytest
from tests.stories.examples import rows

from fabula.story.lexicon.verbs_and_nouns import OTHER_VERBS, VERBS, forms_of, verb_lemma

# what the parser takes for a noun or the like in all frames: known, and not to grow


@pytest.mark.parametrize(("lemma", "forms"), rows(Path(__file__).with_name("forms.tsv")))
def test_forms(lemma, forms):
    assert forms_of(lemma) == set(forms.split())


def test_forms_go_to_the_lexicon_and_lead_back():
    assert verb_lemma("hated", "hat") == "hate"
    assert verb_lemma("lay", "lay") == "lie"
    assert verb_lemma("found", "find") == "find"
    assert verb_lemma("gleamed", "gleam") == "gleam"
    forms = [(lemma, form) for lemma in sorted(set(VERBS) | OTHER_VERBS) for form in forms_of(lemma)]
    assert [each for each in forms if verb_lemma(each[1], each[0]) != each[0]] == []
    assert [form for _, form in forms if form not in forms_of(verb_lemma(form, ""))] == []
