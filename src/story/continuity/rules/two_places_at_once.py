"""Two places at once: somebody is told to be at two places at one told time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...graph_rag.views.story_view import StoryView
from ...model.findings import Violation
from ...model.types import FactTold
from .rule import Record, counts, finding, in_document
from .values import cannot_both

_TIMED = re.compile(r"\d|day\b|noon|midnight|clock|half past|quarter", re.IGNORECASE)


def two_places_at_once(view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
    """Two facts of the aspect ``where_at`` of one person with the same time phrase and other places.

    Within one chapter a weekday or an hour is the same time; a date with a day is the same anywhere. A place
    with a word of the other in it may lie in the other ("the kitchen of the Bellevue", "the Bellevue").
    Cannot see two times in other words ("noon", "twelve").
    """

    for earlier, later in _pairs(view):
        if not in_document(later, draft):
            continue
        yield later
        if cannot_both("where_at", earlier.value, later.value):
            yield finding(
                "two_places_at_once",
                f"{view.name(later.entity)} is at {earlier.value} {earlier.when} (chapter {earlier.told}), "
                f"and at {later.value} then (chapter {later.told}).",
                [later.entity],
                [earlier.evidence[0], later.evidence[0]],
                confidence=min(earlier.confidence, later.confidence) * 0.9,
                suggestion="Move one of the two to another time, or give it to another person.",
                unless="the times are on different days, or one place is inside the other",
            )


def _pairs(view: StoryView) -> Iterator[tuple[FactTold, FactTold]]:
    before: dict[tuple[str, str, int | None], list[FactTold]] = {}
    for fact in sorted(view.facts(), key=view.place):
        if fact.aspect == "where_at" and _TIMED.search(fact.when) and counts(fact):
            when = " ".join(fact.when.casefold().split())
            dated = any(part.isdigit() for part in when.replace(",", " ").split()) and any(
                part.isalpha() and len(part) > 2 for part in when.split()
            )
            key = (fact.entity, when, None if dated else fact.told)
            yield from ((earlier, fact) for earlier in before.setdefault(key, []))
            before[key].append(fact)
