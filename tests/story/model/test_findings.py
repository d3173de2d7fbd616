from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Evidence, Span
from fabula.story.model.findings import CheckReport, Severity, Suppressed, Violation, normalised_quote
from fabula.story.model.rates import chapter_interval


def quote(text: str, chapter: int = 1, start: int = 0, document: str = "book") -> Evidence:
    return Evidence(document, chapter, Span(start, start + len(text)), text)


def found(severity: Severity = Severity.WARNING, chapter: int = 2, **given) -> Violation:
    sides = (quote("Her eyes were grey."), quote("Her eyes were brown.", chapter, 50))
    return replace(Violation("eyes", severity, "m", ("anna",), sides), **given)


def test_a_models_findings_and_suppressed_ones_are_listed_and_not_counted() -> None:
    report = CheckReport(
        (found(), found(Severity.ERROR), found(Severity.INFO), found(origin="model:m")),
        facts_checkable=10,
        facts_checked=5,
        words=20_000,
        suppressed=(Suppressed(found(), "meant"),),
    )
    assert len(report.counted) == 3
    assert report.consistency is None and report.per_10k_words is None
    alone = replace(report, violations=report.counted)
    assert alone.consistency == 1 - 0.1 * 3
    assert alone.per_10k_words == 10_000 * 3 / 20_000


def test_a_models_findings_or_hints_alone_make_no_score() -> None:
    assert CheckReport((found(Severity.INFO),), 3, 0, 100).consistency is None
    assert CheckReport((found(origin="model:m"),), 3, 0, 100).consistency is None
    assert CheckReport((), 3, 0, 100, suppressed=(Suppressed(found(), "meant"),)).consistency is None


def test_a_finding_makes_no_score_where_no_fact_was_checked() -> None:
    assert CheckReport((found(),), 3, 0, 100).consistency is None
    assert CheckReport((found(),), 3, 0, 100).per_10k_words is None
    assert CheckReport((found(),), 3, 1, 100).consistency == 0.9


def test_a_report_draws_its_own_chapters() -> None:
    sizes = [500, 4000, 1000, 1000, 1000, 1000]
    words = tuple(enumerate(sizes, start=1))
    report = CheckReport((found(chapter=2), found(chapter=2)), 9, 9, 8500, chapter_words=words)
    assert report.chapter_interval == chapter_interval([0, 2, 0, 0, 0, 0], words=sizes)
    assert replace(report, violations=()).chapter_interval is None


def test_a_fingerprint_stays_when_the_text_around_changes() -> None:
    one = found()
    moved = tuple(replace(side, chapter=9, span=Span(700, 720)) for side in one.evidence)
    assert replace(one, evidence=moved, message="another").fingerprint == one.fingerprint
    assert replace(one, severity=Severity.INFO).fingerprint == one.fingerprint
    typographic = (quote("Her  eyes\nwere grey."), one.evidence[1])
    assert replace(one, evidence=typographic).fingerprint == one.fingerprint
    pair = replace(one, entities=("anna", "bela"))
    assert replace(one, entities=("bela", "anna")).fingerprint == pair.fingerprint
    for other in (
        replace(one, rule="hair"),
        replace(one, entities=("anna", "bela")),
        replace(one, evidence=one.evidence[::-1]),
    ):
        assert other.fingerprint != one.fingerprint
    assert len(one.fingerprint) == 16


def test_signs_and_spaces_of_a_quote_are_made_plain() -> None:
    assert normalised_quote("“It’s —\n late,”  he ‘said’") == "\"It's - late,\" he 'said'"
    assert normalised_quote("a\u00b4b") == "a'b"


@given(st.text(max_size=60))
def test_making_plain_twice_changes_nothing(text: str) -> None:
    once = normalised_quote(text)
    assert normalised_quote(once) == once
