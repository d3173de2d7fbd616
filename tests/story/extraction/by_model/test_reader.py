"""A model as a reader: what it claims counts only where the chapter says so, word for word."""

import json

import pytest

from fabula.core.types import Span
from fabula.errors import ModelRefused, ModelTransient
from fabula.llm.scripted import ScriptedGenerator
from fabula.story.extraction.by_model.reader import MODEL_CONFIDENCE, ModelReader
from fabula.story.model.chapter_reading import (
    Mention,
)
from fabula.story.model.types import EntityKind, Modality

TEXT = (
    "Anna Reed lived in Dover.\n\nShe married Tom\nHale in spring, and he never forgave her. "
    "Mr. Gray killed Tom Hale.\n\n“I hate Mr. Gray,” said Anna. <<<STORY>>> The captain left."
)


def fact(subject, predicate, object, quote, told_as="fact"):
    return {"subject": subject, "predicate": predicate, "object": object, "told_as": told_as, "quote": quote}


def read(*facts, text=TEXT, **settings):
    generator = ScriptedGenerator(lambda _: json.dumps({"facts": facts}), **settings)
    return ModelReader(generator).extract(text)


def told(reading):
    names = [mention.surface for mention in reading.mentions]
    return [
        (names[s.subject], s.predicate, names[s.object], s.evidence[0].of(TEXT)) for s in reading.statements
    ]


def test_what_the_text_says_is_kept_with_its_place():
    found = read(
        fact("Anna Reed", "LIVES_IN", "Dover", "Anna Reed lived in  Dover."),
        fact("Anna Reed", "married to", "Tom Hale", "She married Tom Hale in spring"),
        fact("Mr. Gray", "KILLS", "Tom Hale", "Mr. Gray killed Tom Hale."),
    )
    assert told(found.reading) == [
        ("Anna Reed", "LIVES_IN", "Dover", "Anna Reed lived in Dover."),
        ("Anna Reed", "MARRIED_TO", "Tom Hale", "She married Tom\nHale in spring"),
    ]
    second = found.reading.statements[1]
    assert [span.of(TEXT) for span in second.evidence[1:]] == ["Anna Reed lived in Dover."]
    assert second.confidence == MODEL_CONFIDENCE
    assert second.origin == "model"
    (happening,) = found.reading.happenings
    assert (happening.predicate, happening.origin) == ("KILLS", "model")
    assert found.reading.mentions[happening.patient].surface == "Tom Hale"
    assert found.dropped == ()
    assert found.claimed == 3
    kinds = {m.surface: m.kind for m in found.reading.mentions}
    assert kinds["Dover"] is EntityKind.LOCATION


def test_what_cannot_be_verified_is_dropped_and_counted():
    for claim, reason in (
        (
            fact("Anna Reed", "LIVES_IN", "Dover", "Anna Reed lives in Dover."),
            "quotes that do not stand in the text",
        ),
        (
            fact("Anna Reed", "ADORES", "Tom Hale", "She married Tom Hale"),
            "predicates that are not in the table",
        ),
        (
            fact("Anna Reed", "DOES", "Tom Hale", "She married Tom Hale"),
            "predicates that are not in the table",
        ),
        (
            fact("Zed", "KILLS", "Tom Hale", "Mr. Gray killed Tom Hale."),
            "names that do not stand in the text",
        ),
        (
            fact("She", "MARRIED_TO", "Tom Hale", "She married Tom Hale"),
            "names that do not stand in the text",
        ),
        (
            fact("spring", "LOVES", "Tom Hale", "She married Tom Hale in spring"),
            "names that do not stand in the text",
        ),
        (fact("Anna Reed", "LIVES_IN", "Dover", "Dover."), "quotes too short to prove anything"),
        (
            fact("Anna Reed", "LOVES", "Tom Hale", "he never forgave her"),
            "quotes that do not name who the fact is about",
        ),
        (
            fact("Anna Reed", "KILLS", "Tom Hale", "Mr. Gray killed Tom Hale."),
            "quotes that do not name who the fact is about",
        ),
        (fact("Tom Hale", "LOVES", "Tom Hale", "Mr. Gray killed Tom Hale."), "facts of one about itself"),
        (fact("Tom Hale", "LOVES", "", "Mr. Gray killed Tom Hale."), "facts without an object"),
        (fact("Tom Hale", "DIES", "", "Mr. Gray killed Tom Hale.", "rumour"), "items in another form"),
        ({"subject": "Tom Hale", "quote": 3}, "items in another form"),
    ):
        found = read(claim)
        assert found.reading.statements == found.reading.happenings == (), (claim, reason)
        assert dict(found.dropped) == {reason: 1}, (claim, reason)
        assert found.claimed == 1, (claim, reason)


def test_a_death_has_no_agent_and_modality_is_kept():
    found = read(fact("Tom Hale", "DIES", "", "Mr. Gray killed Tom Hale.", "reported"))
    (happening,) = found.reading.happenings
    assert (happening.agent, happening.modality) == (None, Modality.REPORTED)


def test_a_fact_said_twice_stands_once():
    claim = fact("Anna Reed", "LIVES_IN", "Dover", "Anna Reed lived in Dover.")
    assert len(read(claim, claim).reading.statements) == 1


def test_long_chapters_are_read_in_windows_that_fit():
    text = "\n\n".join(f"Anna Reed met Tom Hale for the {n}th time in the old house." for n in range(200))
    sizes = []

    def answer(prompt):
        sizes.append(len(prompt.user))
        quote = next(line for line in prompt.user.split("\n") if line.startswith("Anna"))
        return json.dumps({"facts": [fact("Anna Reed", "MEETS", "Tom Hale", quote)]})

    generator = ScriptedGenerator(answer, context_tokens=1500)
    found = ModelReader(generator).extract(text)
    assert found.windows == len(sizes) > 3
    assert len(found.reading.happenings) == found.windows
    assert found.dropped == ()


def test_a_quote_of_another_window_does_not_count():
    text = "\n\n".join(
        [TEXT, *("Nothing else was said of it at all on that day." for _ in range(200)), "Mr. Gray wept."]
    )
    claim = fact("Mr. Gray", "LIVES_IN", "Dover", "Anna Reed lived in Dover.")
    generator = ScriptedGenerator(lambda _: json.dumps({"facts": [claim]}), context_tokens=1500)
    assert dict(ModelReader(generator).extract(text).dropped)["quotes that do not stand in the text"] > 0


def test_refused_windows_are_counted_and_failures_raised():
    text = "\n\n".join("Nothing was said of it at all on that long day." for _ in range(200))
    answers = [ModelRefused("filtered")] + [json.dumps({"facts": []})] * 50
    found = ModelReader(ScriptedGenerator(answers, context_tokens=1500)).extract(text)
    assert dict(found.dropped) == {"windows that the model refused": 1}
    with pytest.raises(ModelRefused, match="filtered"):
        ModelReader(ScriptedGenerator([ModelRefused("filtered")])).read("Nothing was said.")
    with pytest.raises(ModelTransient):
        ModelReader(ScriptedGenerator([ModelTransient("busy")])).read("Nothing was said.")


def test_an_empty_chapter_asks_nothing():
    generator = ScriptedGenerator([])
    assert ModelReader(generator).extract(" \n ").windows == 0
    assert generator.calls == ()


def mention(start, surface, kind=EntityKind.CHARACTER):
    return Mention(Span(start, start + len(surface)), surface, kind, "", 0, Span(0, 60), True)
