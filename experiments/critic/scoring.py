"""Sets the critic's findings beside what was injected: what was found, what the edits caused besides, and
which legitimate changes were flagged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fabula.core.types import Evidence, Span
from fabula.story.injection import InjectedBook, Injection
from fabula.story.model.findings import Violation
from fabula.story.model.rates import wilson

__all__ = ["aggregate", "key_of", "score_copy"]

Row = dict[str, Any]
Key = tuple[str, tuple[tuple[int, str], ...]]


def key_of(violation: Violation) -> Key:
    """What makes two findings the same whatever their message and offsets: rule and quotes."""
    quotes = sorted((quote.chapter, " ".join(quote.quote.split())) for quote in violation.evidence)
    return violation.rule, tuple(quotes)


def score_copy(
    book: InjectedBook,
    *,
    clean: Sequence[Violation],
    found: Sequence[Violation],
    with_canon: Sequence[Violation],
) -> Row:
    """One copy: a row an injection and a row a finding that the edits cause. ``clean`` and ``found`` are the
    findings in the untouched book and in the copy; ``with_canon`` those in the copy read under its codex:
    only canon conflicts are sought there, and only what the codex adds to ``found`` is counted."""
    new = _added(clean, found)
    canon = [each for each in _added(found, with_canon) if each.rule == "canon_conflict"]
    return {
        "injections": [
            _injection(each, canon if each.source == "codex" else new) for each in book.injections
        ],
        "new_findings": [_finding(each, book) for each in (*new, *canon)],
        "kept_clean": len(found) - len(new),
    }


def _added(before: Iterable[Violation], after: Iterable[Violation]) -> list[Violation]:
    left = Counter(key_of(each) for each in before)
    added = []
    for each in after:
        if left[key_of(each)] > 0:
            left[key_of(each)] -= 1
        else:
            added.append(each)
    return added


def _injection(injection: Injection, found: Sequence[Violation]) -> Row:
    row: Row = {
        "id": injection.id,
        "family": injection.family,
        "aspect": injection.aspect,
        "control": injection.control,
        "source": injection.source,
        "phrasings": [edit.phrasing for edit in injection.edits],
        "chapters": [edit.chapter for edit in injection.edits],
        "offsets": [[edit.placed.start, edit.placed.end] for edit in injection.edits],
    }
    if injection.control:
        row["flagged_by"] = sorted({each.rule for each in found if _touches(each, injection)})
    else:
        row["found_by"] = sorted({each.rule for each in found if _both(each, injection)})
        row["late_found_by"] = sorted({each.rule for each in found if _late(each, injection)})
    return row


def _finding(violation: Violation, book: InjectedBook) -> Row:
    slips = book.slips()
    return {
        "rule": violation.rule,
        "severity": str(violation.severity),
        "offsets": [[quote.span.start, quote.span.end] for quote in violation.evidence],
        "strict": [s.id for s in slips if s.family == violation.rule and _both(violation, s)],
        "any_rule": [s.id for s in slips if _both(violation, s)],
        "late": [s.id for s in slips if s.family == violation.rule and _late(violation, s)],
        "controls": [c.id for c in book.controls() if _touches(violation, c)],
    }


def _both(violation: Violation, injection: Injection) -> bool:
    return all(_overlap(violation.evidence, side.quotes) for side in injection.gold)


def _late(violation: Violation, injection: Injection) -> bool:
    return _overlap(violation.evidence, injection.gold[-1].quotes)


def _overlap(evidence: Iterable[Evidence], quotes: Iterable[Evidence]) -> bool:
    spots: dict[str, list[Span]] = defaultdict(list)
    for quote in quotes:
        spots[quote.document_id].append(quote.span)
    return any(each.span.overlaps(spot) for each in evidence for spot in spots.get(each.document_id, ()))


def _touches(violation: Violation, injection: Injection) -> bool:
    return any(
        quote.document_id != "codex" and quote.span.overlaps(edit.placed)
        for quote in violation.evidence
        for edit in injection.edits
    )


# --- over all books ------------------------------------------------------------------------------


def _share(hits: int, n: int) -> Row:
    return {
        "hits": hits,
        "n": n,
        "share": round(hits / n, 4) if n else None,
        "interval_95": wilson(hits, n) if n else None,
    }


def aggregate(books: Sequence[Row], rules: Sequence[str]) -> Row:
    """``rules`` are those that the critic has: only their families count into ``covered``."""
    slips = [
        row for book in books for copy in book["copies"] for row in copy["injections"] if not row["control"]
    ]
    controls = [
        row for book in books for copy in book["copies"] for row in copy["injections"] if row["control"]
    ]
    new = [row for book in books for copy in book["copies"] for row in copy["new_findings"]]
    kept = sum(copy["kept_clean"] for book in books for copy in book["copies"])
    covered = [row for row in slips if row["family"] in rules]
    return {
        "rules": list(rules),
        "recall": {
            "covered": _recall(covered),
            "by_family": _by(slips, lambda row: row["family"], _recall),
            "by_aspect": _by(slips, lambda row: f"{row['family']}/{row['aspect']}", _recall),
            "by_source": _by(covered, lambda row: row["source"], _recall),
            "by_phrasing": _by_phrasing(covered),
        },
        "precision": {
            "caused_by_edits": _share(sum(bool(row["strict"]) for row in new), len(new)),
            "caused_by_edits_any_rule": _share(sum(bool(row["any_rule"]) for row in new), len(new)),
            "with_clean_alarms": _share(sum(bool(row["strict"]) for row in new), len(new) + kept),
            "by_rule": _by(new, lambda row: row["rule"], _strict),
        },
        "controls": {
            "flagged": _share(sum(bool(row["flagged_by"]) for row in controls), len(controls)),
            "flagged_by_family": _share(
                sum(row["family"] in row["flagged_by"] for row in controls), len(controls)
            ),
            "by_change": _by(controls, lambda row: row["aspect"], _flagged),
        },
        "clean": _clean(books),
    }


def _recall(rows: Sequence[Row]) -> Row:
    strict = sum(row["family"] in row["found_by"] for row in rows)
    any_rule = sum(bool(row["found_by"]) for row in rows)
    late = sum(row["family"] in row["late_found_by"] for row in rows)
    return {**_share(strict, len(rows)), "any_rule": any_rule, "late_side_only": late}


def _strict(rows: Sequence[Row]) -> Row:
    return {
        **_share(sum(bool(row["strict"]) for row in rows), len(rows)),
        "late": sum(bool(r["late"]) for r in rows),
    }


def _flagged(rows: Sequence[Row]) -> Row:
    rules = Counter(rule for row in rows for rule in row["flagged_by"])
    return {
        **_share(sum(bool(row["flagged_by"]) for row in rows), len(rows)),
        "by": dict(sorted(rules.items())),
    }


def _by(rows: Iterable[Row], name: Callable[[Row], str], measure: Callable[[Sequence[Row]], Row]) -> Row:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[name(row)].append(row)
    return {key: measure(groups[key]) for key in sorted(groups)}


def _by_phrasing(rows: Iterable[Row]) -> Mapping[str, list[int]]:
    """[found, used] a wording."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        for phrasing in row["phrasings"]:
            name = f"{row['family']}/{phrasing}"
            found[name][0] += row["family"] in row["found_by"]
            found[name][1] += 1
    return dict(sorted(found.items()))


def _clean(books: Sequence[Row]) -> Row:
    words = sum(book["words"] for book in books)
    severities: Counter[str] = Counter()
    by_rule: Counter[str] = Counter()
    for book in books:
        for alarm in book["alarms"]:
            severities[alarm["severity"]] += 1
            by_rule[alarm["rule"]] += 1
    rate = {
        name: round(10_000 * severities[name] / words, 4) if words else None
        for name in ("error", "warning", "info")
    }
    return {
        "words": words,
        "alarms": dict(sorted(severities.items())),
        "per_10k_words": rate,
        "by_rule": dict(sorted(by_rule.items())),
        "novels_with_none": sum(not book["alarms"] for book in books),
    }
