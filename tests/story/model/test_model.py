import math
from dataclasses import replace

import pytest
from tests.tables import values

from fabula.core.types import Evidence, Span
from fabula.errors import ProjectError
from fabula.story.model import findings as results
from fabula.story.model.aspects import fact_words
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.predicates import PREDICATES, SURE_ENOUGH, calibrated
from fabula.story.model.types import Fact


@pytest.mark.parametrize("predicate", sorted(name for name, row in PREDICATES.items() if row.lasting))
def test_calibration_keeps_the_order_and_the_range(predicate):
    values = [calibrated(predicate, k / 20) for k in range(21)]
    assert all(0.0 <= value <= 1.0 for value in values)
    assert values == sorted(values)
    assert 0.0 < SURE_ENOUGH < 1.0


SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna laughed.\n\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"schema":0,"reading":{}}', "schema"), ('{"schema":7}', "damaged"), ("no json", "damaged")],
)
def test_json_round_trip_and_refusal(reader, text, said):
    reading = reader.read(SURE + "Elena killed Marcus because Marcus betrayed Anna. Elena was happy.")
    again = ChapterReading.from_json(reading.to_json())
    assert again == reading and again.to_json() == reading.to_json()
    with pytest.raises(ProjectError, match=said):
        ChapterReading.from_json(text)


def quote(text, chapter=1, start=0):
    return Evidence("book", chapter, Span(start, start + len(text)), text)


def found(severity=results.Severity.WARNING, chapter=2, **given):
    sides = (quote("Her eyes were grey."), quote("Her eyes were brown.", chapter, 50))
    return replace(results.Violation("eyes", severity, "m", ("anna",), sides), **given)


OF_A_MODEL, MEANT = found(origin="model:m"), (results.Suppressed(found(), "meant"),)


def test_a_models_findings_and_suppressed_ones_are_listed_and_not_counted():
    listed = (found(), found(results.Severity.ERROR), found(results.Severity.INFO), OF_A_MODEL)
    report = results.CheckReport(listed, 10, 5, 20_000, suppressed=MEANT)
    assert len(report.counted) == 3
    assert report.consistency is report.per_10k_words is None
    alone = replace(report, violations=report.counted)
    assert (alone.consistency, alone.per_10k_words) == (1 - 0.1 * 3, 10_000 * 3 / 20_000)


def test_scores_need_checked_facts_and_intervals_chapters():
    for findings in ((found(),), (found(results.Severity.INFO),), (OF_A_MODEL,)):
        assert results.CheckReport(findings, 3, 0, 100).consistency is None
    assert results.CheckReport((), 3, 0, 100, suppressed=MEANT).consistency is None
    assert results.CheckReport((found(),), 3, 0, 100).per_10k_words is None
    assert results.CheckReport((found(),), 3, 1, 100).consistency == 0.9
    sizes = [500, 4000, 1000, 1000, 1000, 1000]
    report = results.CheckReport(
        (found(), found()), 9, 9, 8500, chapter_words=tuple(enumerate(sizes, start=1))
    )
    assert report.chapter_interval == results.chapter_interval([0, 2, 0, 0, 0, 0], words=sizes)
    assert replace(report, violations=()).chapter_interval is None


def test_a_fingerprint_stays_when_the_text_around_changes():
    one = found()
    moved = tuple(replace(side, chapter=9, span=Span(700, 720)) for side in one.evidence)
    typographic = (quote("Her  eyes\nwere grey."), one.evidence[1])
    for same in ({"evidence": moved, "message": "another"}, {"severity": "info"}, {"evidence": typographic}):
        assert replace(one, **same).fingerprint == one.fingerprint
    pair = replace(one, entities=("anna", "bela"))
    assert replace(one, entities=("bela", "anna")).fingerprint == pair.fingerprint
    others = (one, replace(one, rule="hair"), pair, replace(one, evidence=one.evidence[::-1]))
    assert len({other.fingerprint for other in others}) == 4
    assert len(one.fingerprint) == 16


def test_signs_and_spaces_of_a_quote_are_made_plain():
    assert results.normalised_quote("“It’s —\n late,”  he ‘said’") == "\"It's - late,\" he 'said'"
    assert results.normalised_quote("a\u00b4b") == "a'b"


def test_the_interval_of_a_rate_is_garwoods():
    # the classical table: 0 events leave 0 to 3.69, 3 leave 0.62 to 8.77, 10 leave 4.80 to 18.39
    for count, low, high in ((0, 0.0, 3.689), (3, 0.619, 8.767), (10, 4.795, 18.390)):
        assert results.poisson_interval(count) == (
            pytest.approx(low, abs=2e-3),
            pytest.approx(high, abs=2e-3),
        )
    assert results.poisson_interval(0)[1] == pytest.approx(-math.log(0.025))
    report = results.CheckReport((found(),) * 3, 9, 9, 30_000)
    assert report.rate_interval == (pytest.approx(0.619 / 3, abs=1e-3), pytest.approx(8.767 / 3, abs=1e-3))
    assert results.CheckReport((), 0, 0, 100).rate_interval is None


def test_intervals_of_chapters_and_shares_by_hand():
    assert results.chapter_interval([1, 1, 1, 1, 1], words=[1000] * 5) == (10.0, 10.0)
    low, high = results.chapter_interval([5, 0, 0, 0, 0], words=[1000] * 5)
    assert low == 0.0 and high > 20.0
    assert results.chapter_interval([1, 1], words=[1000, 1000]) is None
    assert results.chapter_interval([0] * 5, words=[0] * 5) is None
    assert results.wilson(2, 4) == pytest.approx((0.15, 0.85), abs=5e-4)
    assert (results.wilson(9, 10), results.wilson(0, 0)) == ((0.5958, 0.9821), (0.0, 1.0))
    assert results.wilson(0, 10)[0] == 0.0 and results.wilson(10, 10)[1] == 1.0


@pytest.mark.parametrize(("predicate", "gender", "phrase"), values(__file__, "kin_are_worded_by_gender.tsv"))
def test_kin_are_worded_by_gender(predicate, gender, phrase):
    assert PREDICATES[predicate].phrase_for(gender) == phrase


@pytest.mark.parametrize(("aspect", "value", "person", "said"), values(__file__, "facts_worded.tsv"))
def test_a_fact_is_worded_by_whose_it_is(aspect, value, person, said):
    assert fact_words(Fact("x", aspect, value, (), told=1), person=person) == said


@pytest.mark.parametrize(("quote", "said"), values(__file__, "facts_with_their_capitals.tsv"))
def test_a_fact_is_worded_with_the_capitals_of_its_quote(quote, said):
    evidence = Evidence("b", 1, Span(0, len(quote)), quote)
    assert fact_words(Fact("x", "home", "slip lane", (evidence,), told=1)) == said
