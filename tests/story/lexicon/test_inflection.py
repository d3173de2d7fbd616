from pathlib import Path

import pytest
from tests.stories.examples import rows

from fabula.story.extraction.reader import StoryReader
from fabula.story.lexicon.inflection import forms_of, verb_lemma
from fabula.story.lexicon.verb_rules import VERBS
from fabula.story.lexicon.verbs_and_nouns import OTHER_VERBS

SURE = (
    'Elena Voss smiled. Mr. Marcus Hale nodded. Elena laughed. Marcus said nothing. "Marcus thinks so," said '
    "Mr. Marcus Hale. Marcus smiled and said so. Marcus wept. Elena went to London. " + "Marcus said so. " * 8
)

NEVER = {  # forms that do not say it: "was dying" may take years, "lay" is of the other lie
    ("DIES", "ing"),
    ("LOCATED_AT", "ing"),
}


# what the parser takes for a noun or the like in all frames: known, and not to grow
NOUNS_TO_THE_PARSER = set(
    "perish perishes,rent rents,treat treats,treat treated,spring springs,desert deserting,part parts,"
    "dine dines,whisper whispering,ally allies,sail sails,camp camps,sup sups".split(",")
)


@pytest.mark.parametrize(("lemma", "forms"), rows(Path(__file__).with_name("forms.tsv")))
def test_forms(lemma, forms):
    assert forms_of(lemma) == set(forms.split())


def test_a_form_goes_to_the_lexicon_and_the_parser_chooses_only_between_its_verbs():
    assert verb_lemma("hated", "hat") == "hate"
    assert verb_lemma("lay", "lay") == "lie"
    assert verb_lemma("found", "find") == "find"
    assert verb_lemma("gleamed", "gleam") == "gleam"


def test_every_form_leads_back():
    forms = [(lemma, form) for lemma in sorted(set(VERBS) | OTHER_VERBS) for form in forms_of(lemma)]
    assert [each for each in forms if verb_lemma(each[1], each[0]) != each[0]] == []
    assert [form for _, form in forms if form not in forms_of(verb_lemma(form, ""))] == []


def _tail(rule):
    if rule.target == "place":
        other = "London"
    else:
        other = "the silver locket" if rule.target == "thing" else "Marcus"
    if rule.slot.startswith("prep:"):
        thing = "the silver ring " if rule.predicate in ("GIVES_TO", "STEALS_FROM") else ""
        return f"{thing}{rule.slot[5:]} {other}"
    slots = {"dobj": other, "dative": "Marcus the silver ring", "none": "", "clause": "that all was lost"}
    return slots[rule.slot]


def _frames(form, rule):
    tail = _tail(rule)
    before = ("Elena was", "All day Elena was", "That night Elena was", "He saw that Elena was")
    if not form.endswith("ing"):
        before = ("Elena", "Then Elena", "That day Elena", "It was Elena who", "Elena had", "Every day Elena")
    return [f"{start} {form} {tail}".rstrip() + "." for start in before]


def _asked(rules, lemma):
    """(predicate, slot, form) → the frames in which it should be read."""
    asked = {}
    for rule in (r for r in rules if not (r.noun or r.particle or r.unable)):
        for form in sorted(forms_of(lemma) - {lemma}):
            kind = "ing" if form.endswith("ing") else ""
            other_lie = rule.predicate == "DECEIVES" and form in ("lay", "lain")
            if (rule.predicate, kind) not in NEVER and not other_lie:
                asked[rule.predicate, rule.slot, form] = _frames(form, rule)
    return asked


@pytest.mark.slow
@pytest.mark.thorough
def test_no_verb_of_the_lexicon_is_dead():
    """Each in the past, the third person and the -ing form: read in at least one of some plain frames."""
    reader, dead = StoryReader(), []
    for lemma, rules in VERBS.items():
        asked = _asked(rules, lemma)
        text = "\n\n".join([SURE, *sorted({frame for own in asked.values() for frame in own})])
        reading = reader.read(text)
        said = {(s.evidence[0].of(text), s.predicate) for s in reading.statements}
        said |= {(h.evidence[0].of(text), h.predicate) for h in reading.happenings}
        dead += [
            f"{lemma} {key[2]}"
            for key, own in asked.items()
            if not any((frame, key[0]) in said for frame in own)
        ]
    assert set(dead) <= NOUNS_TO_THE_PARSER
