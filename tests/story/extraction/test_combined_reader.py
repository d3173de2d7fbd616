from dataclasses import replace

from fabula.core.types import Span
from fabula.story.extraction.combined_reader import CombinedReader, combined
from fabula.story.model import chapter_reading
from fabula.story.model.types import EntityKind, Fact, Modality, Order, Time

BODY = "Anna loved Tom. Tom loved Anna. Tom helped Mr. Gray. Mr. Gray wept."
FACT = Modality.FACT


def mention(start, surface):
    span = Span(start, start + len(surface))
    return chapter_reading.Mention(span, surface, EntityKind.CHARACTER, "", 0, Span(0, 60), True)


def bond(predicate, one, other, start, end, sure=0.9, origin="rules"):
    return chapter_reading.Statement(predicate, one, other, (Span(start, end),), FACT, sure, origin=origin)


def deed(predicate, agent, patient, start, end, **more):
    return chapter_reading.Happening(predicate, agent, patient, None, (Span(start, end),), FACT, 0.8, **more)


RULES = chapter_reading.ChapterReading(
    mentions=(mention(0, "Anna"), mention(11, "Tom"), mention(43, "Mr. Gray")),
    statements=(bond("LOVES", 0, 1, 0, 15),),
    happenings=(deed("HELPS", 1, 2, 32, 52), deed("DOES", 2, None, 53, 67, verb="weep")),
    orders=(Order(0, 1, (Span(32, 67),), 0.7),),
    times=(Time("date", "1800", Span(32, 35), None, 1),),
    scenes=(chapter_reading.Scene(Span(0, 67)),),
)
MODEL = chapter_reading.ChapterReading(
    mentions=(mention(0, "Anna"), mention(11, "Tom"), mention(16, "Tom"), mention(26, "Anna")),
    statements=(bond("LOVES", 0, 1, 0, 14, 0.95, "model"), bond("LOVES", 2, 3, 16, 31, 0.5, "model")),
    happenings=(deed("MEETS", 0, 1, 0, 15, origin="model"),),
    scenes=RULES.scenes,
    by_model=True,
)


def test_both_readings_are_kept_and_agreement_is_said():
    both = combined(RULES, MODEL)
    names = [m.surface for m in both.mentions]
    assert names == ["Anna", "Tom", "Tom", "Anna", "Mr. Gray"]
    assert [(names[s.subject], names[s.object], s.origin, s.confidence) for s in both.statements] == [
        ("Anna", "Tom", "rules+model", 0.95),
        ("Tom", "Anna", "model", 0.5),
    ]
    assert both.by_model
    told = [f"{h.predicate} {h.origin}" for h in both.happenings]
    assert told == ["MEETS model", "HELPS rules", "DOES rules"]
    assert (both.orders[0].earlier, both.orders[0].later) == (1, 2)
    assert both.times[0].event == 2
    assert names[both.happenings[1].patient] == "Mr. Gray"
    assert combined(RULES, chapter_reading.ChapterReading(scenes=RULES.scenes)) == RULES


def test_what_the_model_does_not_say_is_not_guessed():
    guessed = replace(
        RULES,
        statements=(*RULES.statements, bond("HATES", 2, 1, 32, 52)),
        happenings=(deed("DIES", None, 2, 53, 67), *RULES.happenings),
        facts=(Fact(0, "eyes", "blue", (Span(0, 15),), FACT, 0.9),),
        orders=(Order(0, 1, (Span(32, 67),), 0.6), Order(1, 2, (Span(32, 67),), 0.6)),
    )
    both = combined(guessed, MODEL)
    assert {s.predicate for s in both.statements} == {"LOVES"}
    assert both.facts == ()
    assert [h.predicate for h in both.happenings] == ["MEETS", "HELPS", "DOES"]
    assert [(o.earlier, o.later) for o in both.orders] == [(1, 2)]


def test_the_narrator_is_whom_the_rules_have_for_one():
    said = chapter_reading.ChapterReading(
        mentions=(mention(0, "Anna"), mention(16, "I"), mention(43, "Mr. Gray")),
        statements=(
            bond("SIBLING_OF", 1, 2, 16, 52, origin="model"),
            bond("LOVES", 0, 2, 32, 52, origin="model"),
        ),
        by_model=True,
    )
    without = combined(RULES, said)
    assert [s.predicate for s in without.statements] == ["LOVES"]
    assert "I" not in [m.surface for m in without.mentions]
    both = combined(replace(RULES, mentions=(*RULES.mentions, mention(60, "I"))), said)
    (kin,) = (s for s in both.statements if s.predicate == "SIBLING_OF")
    assert both.mentions[kin.subject].span.start == 60
    assert [m.surface for m in both.mentions].count("I") == 1


def test_identities_and_failures_of_both_are_kept():
    failed = (chapter_reading.ReaderFailure("by_model", 1),)
    first = replace(RULES, identities=(chapter_reading.Identity(0, 1, Span(0, 15), 0.9),))
    both = combined(
        first,
        replace(MODEL, identities=(chapter_reading.Identity(2, 3, Span(16, 31), 0.8),), failures=failed),
    )
    names = [m.surface for m in both.mentions]
    assert [(names[i.one], names[i.other]) for i in both.identities] == [("Anna", "Tom"), ("Tom", "Anna")]
    assert both.failures == failed


class Fixed:
    def __init__(self, reading, version):
        self.version, self.load = version, lambda: None
        self.read = lambda text, before=chapter_reading.NOTHING_BEFORE: reading


def test_a_reader_of_two_readers():
    reader = CombinedReader(Fixed(RULES, "one"), Fixed(MODEL, "two"))
    assert reader.version == "one|two"
    reader.load()
    both = reader.read(BODY)
    assert both == combined(RULES, MODEL) == chapter_reading.ChapterReading.from_json(both.to_json())
