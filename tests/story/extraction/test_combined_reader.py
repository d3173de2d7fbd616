from dataclasses import replace

from fabula.core.types import Span
from fabula.story.extraction.combined_reader import CombinedReader, combined
from fabula.story.model.chapter_reading import (
    NOTHING_BEFORE,
    ChapterReading,
    Happening,
    Identity,
    Mention,
    ReaderFailure,
    Scene,
    Statement,
)
from fabula.story.model.types import EntityKind, Fact, Modality, Order, Time


def mention(start, surface, kind=EntityKind.CHARACTER):
    return Mention(Span(start, start + len(surface)), surface, kind, "", 0, Span(0, 60), True)


BODY = "Anna loved Tom. Tom loved Anna. Tom helped Mr. Gray. Mr. Gray wept."

RULES = ChapterReading(
    mentions=(mention(0, "Anna"), mention(11, "Tom"), mention(43, "Mr. Gray")),
    statements=(Statement("LOVES", 0, 1, (Span(0, 15),), Modality.FACT, 0.9),),
    happenings=(
        Happening("HELPS", 1, 2, None, (Span(32, 52),), Modality.FACT, 0.8),
        Happening("DOES", 2, None, None, (Span(53, 67),), Modality.FACT, 0.8, verb="weep"),
    ),
    orders=(Order(0, 1, (Span(32, 67),), 0.7),),
    times=(Time("date", "1800", Span(32, 35), None, 1),),
    scenes=(Scene(Span(0, 67)),),
)

MODEL = ChapterReading(
    mentions=(mention(0, "Anna"), mention(11, "Tom"), mention(16, "Tom"), mention(26, "Anna")),
    statements=(
        Statement("LOVES", 0, 1, (Span(0, 14),), Modality.FACT, 0.95, origin="model"),
        Statement("LOVES", 2, 3, (Span(16, 31),), Modality.FACT, 0.5, origin="model"),
    ),
    happenings=(Happening("MEETS", 0, 1, None, (Span(0, 15),), Modality.FACT, 0.5, origin="model"),),
    scenes=RULES.scenes,
    by_model=True,
)


def test_both_readings_are_kept_and_agreement_is_said():
    both = combined(RULES, MODEL)
    assert [m.surface for m in both.mentions] == ["Anna", "Tom", "Tom", "Anna", "Mr. Gray"]
    names = [m.surface for m in both.mentions]
    assert [(names[s.subject], names[s.object], s.origin, s.confidence) for s in both.statements] == [
        ("Anna", "Tom", "rules+model", 0.95),
        ("Tom", "Anna", "model", 0.5),
    ]
    assert both.by_model
    assert [(h.predicate, h.origin) for h in both.happenings] == [
        ("MEETS", "model"),
        ("HELPS", "rules"),
        ("DOES", "rules"),
    ]
    assert (both.orders[0].earlier, both.orders[0].later) == (1, 2)
    assert both.times[0].event == 2
    assert names[both.happenings[1].patient] == "Mr. Gray"


def test_what_the_model_does_not_say_is_not_guessed():
    guessed = replace(
        RULES,
        statements=(*RULES.statements, Statement("HATES", 2, 1, (Span(32, 52),), Modality.FACT, 0.9)),
        happenings=(Happening("DIES", None, 2, None, (Span(53, 67),), Modality.FACT, 0.9), *RULES.happenings),
        facts=(Fact(0, "eyes", "blue", (Span(0, 15),), Modality.FACT, 0.9),),
        orders=(Order(0, 1, (Span(32, 67),), 0.6), Order(1, 2, (Span(32, 67),), 0.6)),
    )
    both = combined(guessed, MODEL)
    assert {s.predicate for s in both.statements} == {"LOVES"}
    assert both.facts == ()
    assert [h.predicate for h in both.happenings] == ["MEETS", "HELPS", "DOES"]
    assert [(o.earlier, o.later) for o in both.orders] == [(1, 2)]


def test_nothing_added_changes_nothing():
    assert combined(RULES, ChapterReading(scenes=RULES.scenes)) == RULES


def test_the_narrator_is_whom_the_rules_have_for_one():
    said = ChapterReading(
        mentions=(mention(0, "Anna"), mention(16, "I"), mention(43, "Mr. Gray")),
        statements=(
            Statement("SIBLING_OF", 1, 2, (Span(16, 52),), Modality.FACT, 0.8, origin="model"),
            Statement("LOVES", 0, 2, (Span(32, 52),), Modality.FACT, 0.8, origin="model"),
        ),
        by_model=True,
    )
    without = combined(RULES, said)
    assert [s.predicate for s in without.statements] == ["LOVES"]
    assert "I" not in [m.surface for m in without.mentions]
    narrated = replace(RULES, mentions=(*RULES.mentions, mention(60, "I")))
    both = combined(narrated, said)
    (bond,) = (s for s in both.statements if s.predicate == "SIBLING_OF")
    assert both.mentions[bond.subject].span.start == 60
    assert [m.surface for m in both.mentions].count("I") == 1


def test_identities_and_failures_of_both_are_kept():
    first = replace(RULES, identities=(Identity(0, 1, Span(0, 15), 0.9),))
    other = Identity(2, 3, Span(16, 31), 0.8)
    second = replace(MODEL, identities=(other,), failures=(ReaderFailure("by_model", 1),))
    both = combined(first, second)
    names = [m.surface for m in both.mentions]
    assert [(names[i.one], names[i.other]) for i in both.identities] == [("Anna", "Tom"), ("Tom", "Anna")]
    assert both.failures == (ReaderFailure("by_model", 1),)


class Fixed:
    def __init__(self, reading, version):
        self.reading, self.version = reading, version

    def load(self):
        pass

    def read(self, text, before=NOTHING_BEFORE):
        return self.reading


def test_a_reader_of_two_readers():
    reader = CombinedReader(Fixed(RULES, "one"), Fixed(MODEL, "two"))
    assert reader.version == "one|two"
    reader.load()
    both = reader.read(BODY)
    assert both == combined(RULES, MODEL) == ChapterReading.from_json(both.to_json())
