import json

import pytest

from fabula.errors import ModelRefused, ModelTransient
from fabula.llm.scripted import ScriptedGenerator
from fabula.story.extraction.by_model.reader import MODEL_READER, ModelReader
from fabula.story.model.chapter_reading import ReaderFailure

TEXT = (
    "Anna Reed lived in Dover with her sister Jane.\n\nShe married Tom\nHale in spring, and he never forgave "
    "her. Mr. Gray killed Tom Hale.\n\n“I hate Mr. O’Gray,” said Anna. <<<STORY>>> The captain left Dover."
)
ROOM = 2200  # tokens: the frame, an answer and some 700 words and marks


def bond(a, type_, b, quote, status="holds"):
    return {"a": a, "type": type_, "b": b, "status": status, "quote": quote}


def fate(who, what, quote):
    return {"who": who, "fate": what, "quote": quote}


def event(type_, doer, other, quote):
    return {"type": type_, "doer": doer, "other": other, "quote": quote}


def answered(*items):
    return json.dumps({"relations": items, "fates": [], "events": [], "names": []})


def read(*items, text=TEXT, **settings):
    return ModelReader(ScriptedGenerator(lambda _: answered(*items), **settings)).extract(text)


def told(found, text=TEXT):
    names = [mention.surface for mention in found.reading.mentions]
    return [
        (names[s.subject], s.predicate, names[s.object], s.evidence[0].of(text))
        for s in found.reading.statements
    ]


def test_what_the_text_says_is_kept_with_its_place():
    found = read(
        bond("Jane", "sibling", "Anna Reed", "Anna Reed lived in  Dover with her sister Jane."),
        bond("Anna Reed", "spouse", "Tom Hale", "She married Tom Hale in spring"),
        bond("Mr. Gray", "killer", "Tom Hale", "Mr. Gray killed Tom Hale."),
        bond("Anna", "enemy", "Mr. O'Gray", '"I hate Mr. O\'Gray," said Anna.'),
        {"name": "Anna", "also": "Anna Reed", "quote": '"I hate Mr. O\'Gray," said Anna.'},
    )
    assert told(found) == [
        ("Jane", "SIBLING_OF", "Anna Reed", "Anna Reed lived in Dover with her sister Jane."),
        ("Anna Reed", "MARRIED_TO", "Tom Hale", "She married Tom\nHale in spring"),
        ("Anna", "ENEMY_OF", "Mr. O’Gray", "“I hate Mr. O’Gray,” said Anna."),
    ]
    second = found.reading.statements[1]
    assert [span.of(TEXT) for span in second.evidence[1:]] == [
        "Anna Reed lived in Dover with her sister Jane."
    ]
    assert second.origin == "model"
    names = [mention.surface for mention in found.reading.mentions]
    (happening,) = found.reading.happenings
    assert (happening.predicate, happening.origin) == ("KILLS", "model")
    assert (names[happening.agent], names[happening.patient]) == ("Mr. Gray", "Tom Hale")
    (identity,) = found.reading.identities
    assert (names[identity.one], names[identity.other]) == ("Anna", "Anna Reed")
    assert not found.dropped
    assert found.claimed == 5


def test_what_cannot_be_verified_is_dropped_and_counted():
    married, length = "She married Tom Hale", "quotes of less than 3 words or more than 40"
    for claim, reason in (
        (
            bond("Anna Reed", "kin", "Jane", "Anna Reed lives in Dover"),
            "quotes that do not stand in the text",
        ),
        (bond("Anna Reed", "rival", "Tom Hale", married), "items in another form"),
        (
            bond("Zed", "killer", "Tom Hale", "Mr. Gray killed Tom Hale."),
            "names that do not stand in the text",
        ),
        (bond("She", "spouse", "Tom Hale", married), "names that do not stand in the text"),
        (bond("spring", "lover", "Tom Hale", married), "names that do not stand in the text"),
        (bond("Anna Reed", "kin", "Jane", "Dover with"), length),
        (bond("Anna Reed", "kin", "Jane", "and so on " * 14), length),
        (
            bond("Jane", "kin", "Tom Hale", "sister Jane.\n\nShe married Tom"),
            "quotes of more than one paragraph",
        ),
        (bond("Tom Hale", "lover", "Tom Hale", "Mr. Gray killed Tom Hale."), "facts of one about itself"),
        (fate("Tom Hale", "sleeps", "Mr. Gray killed Tom Hale."), "items in another form"),
        ({"who": "Tom Hale", "quote": 3}, "items in another form"),
    ):
        found = read(claim)
        assert found.reading.statements == found.reading.happenings == (), (claim, reason)
        assert dict(found.dropped) == {reason: 1}, (claim, reason)
        assert found.claimed == 1, (claim, reason)


def test_a_chapter_that_fits_is_one_request_and_a_fact_said_twice_stands_once():
    claim = bond("Anna Reed", "sibling", "Jane", "Anna Reed lived in Dover with her sister Jane.")
    assert len(read(claim, claim).reading.statements) == 1
    generator = ScriptedGenerator(lambda _: answered(), context_tokens=20_000)
    found = ModelReader(generator).extract("\n\n".join([TEXT] * 50))
    assert (found.windows, len(generator.calls)) == (1, 1)


def test_long_chapters_are_read_in_windows_that_fit():
    text = "\n\n".join(f"Anna Reed met Tom Hale for the {n}th time in the old house." for n in range(200))

    def answer(prompt):
        quote = next(line for line in prompt.user.split("\n") if line.startswith("Anna"))
        return answered(event("MEETS", "Anna Reed", "Tom Hale", quote))

    generator = ScriptedGenerator(answer, context_tokens=ROOM)
    found = ModelReader(generator).extract(text)
    assert found.windows == len(generator.calls) > 3
    assert len(found.reading.happenings) == found.windows
    assert not found.dropped


def test_a_quote_of_another_window_does_not_count():
    rest = ("Nothing else was said of it at all on that day." for _ in range(200))
    claim = bond("Anna Reed", "kin", "Jane", "Anna Reed lived in Dover")
    found = read(claim, text="\n\n".join([TEXT, *rest]), context_tokens=ROOM)
    assert found.dropped["quotes that do not stand in the text"] == found.windows - 1 > 0
    assert len(found.reading.statements) == 1


def test_what_was_refused_or_broke_off_is_counted():
    text = "\n\n".join("Nothing was said of it at all on that long day." for _ in range(200))
    answers = [ModelRefused("filtered"), *[answered()] * 50]
    reader = ModelReader(ScriptedGenerator(answers, context_tokens=ROOM))
    assert reader.read(text).failures == (ReaderFailure(MODEL_READER, 1),)
    assert (reader.report.refused, reader.report.refusal) == (1, "filtered")
    with pytest.raises(ModelTransient):
        ModelReader(ScriptedGenerator([ModelTransient("busy")])).read("Nothing was said.")
    generator = ScriptedGenerator([])
    assert ModelReader(generator).extract(" \n ").windows == 0
    assert generator.calls == ()
    claim = bond("Anna Reed", "sibling", "Jane", "Anna Reed lived in Dover with her sister Jane.")
    generator = ScriptedGenerator(lambda _: answered(claim, claim, claim, claim))
    found = ModelReader(generator, answer_tokens=90).extract(TEXT)
    assert len(found.reading.statements) == 1
    assert found.dropped["answers that broke off"] == 1


def test_the_plan_counts_what_is_still_to_be_asked():
    generator = ScriptedGenerator(lambda _: answered(), context_tokens=20_000)
    reader = ModelReader(generator, answer_tokens=500, is_answered=lambda prompt, _: "Dover" in prompt.user)
    plan = reader.plan([TEXT, "Jane wept.", "Tom wept."])
    assert (plan.requests, plan.answered, plan.answer_tokens) == (2, 1, 1000)
    assert plan.prompt_tokens > 2 * 300
    assert generator.calls == ()


def test_what_was_asked_before_is_not_asked_again():
    generator = ScriptedGenerator(lambda _: answered(), context_tokens=20_000, concurrency=3)
    reader, steps = ModelReader(generator), []
    reader.ask([TEXT, "Jane wept.", "Jane wept."], lambda *step: steps.append(step))
    assert steps == [(0, 2), (1, 2), (2, 2)]
    for text in (TEXT, "Jane wept."):
        reader.read(text)
    assert len(generator.calls) == 2
    assert (reader.report.requests, reader.report.claimed) == (2, 0)


def test_a_failure_says_how_far_it_got():
    answers = [answered(), ModelTransient("busy"), answered()]
    generator = ScriptedGenerator(answers, context_tokens=20_000)
    with pytest.raises(ModelTransient, match=r"busy \(1 of 3 requests are answered"):
        ModelReader(generator).ask(["One wept.", "Two wept.", "Three wept."])
