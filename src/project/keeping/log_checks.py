"""The story's log against the book: every quote where it says it stands, every id somebody's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from ...core.types import Chapter, Document, Evidence
from ...story.model.types import EventTold, StateTold, StoryLog
from .broken import Findings

__all__ = ["check_log"]

_ENTITIES: Mapping[str, tuple[str, ...]] = {
    "merges": ("entity", "into"),
    "relations": ("subject", "object"),
    "states": ("entity",),
    "quotations": ("speaker", "hearers"),
    "presences": ("entity", "place"),
    "times": ("entity",),
    "knowledge": ("entity", "source"),
    "facts": ("entity",),
    "things": ("owner", "entity", "other"),
    "pairs": ("one", "other"),
    "laws": ("who",),
    "corrected": ("entity",),
}
_EVENTS: Mapping[str, tuple[str, ...]] = {
    "causes": ("effect", "cause"),
    "orders": ("earlier", "later"),
    "times": ("event",),
    "knowledge": ("event",),
}


def check_log(log: StoryLog, document: Document, *, authored: str | None, part: str, found: Findings) -> None:
    """``authored`` is the text of the codex that the index was made with. Breaks are counted by kind of
    record, with the place of the first."""
    chapters = {chapter.number: chapter for chapter in document.chapters}
    known = {one.entity for one in log.mentions}
    events = {one.id for one in log.events}
    quotes = 0
    for each in fields(log):
        records = getattr(log, each.name)
        wrong: dict[str, list[str]] = {}
        for number, record in enumerate(records):
            if not 0 <= record.told <= len(chapters):
                wrong.setdefault("are told in a chapter that there is not", []).append(f"record {number}")
            for quote in _quotes(record):
                quotes += 1
                if problem := _misplaced(quote, document, chapters, authored):
                    wrong.setdefault(problem, []).append(f"{quote.span.start}:{quote.span.end}")
            people = (*_ids(record, _ENTITIES.get(each.name, ())), *_others(record))
            if any(id not in known for id in people):
                wrong.setdefault("name nobody that is mentioned", []).append(f"record {number}")
            if any(id not in events for id in _ids(record, _EVENTS.get(each.name, ()))):
                wrong.setdefault("name an event that is not told", []).append(f"record {number}")
        for problem, places in wrong.items():
            found.add(part, f"{len(places)} {each.name} {problem}, first {places[0]}", cure="index")
    found.count("quotes", quotes)


def _quotes(record: Any) -> Iterator[Evidence]:
    """All evidence in any field of the record."""
    for each in fields(record):
        value = getattr(record, each.name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Evidence):
                yield one


def _ids(record: Any, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        value = getattr(record, name)
        yield from value if isinstance(value, tuple) else (value,) * (value is not None)


def _others(record: Any) -> Iterator[str]:
    """Entities that a record names otherwise than in a field of theirs."""
    if isinstance(record, EventTold):
        yield from (id for _, id in record.participants)
    if isinstance(record, StateTold) and record.aspect == "location":
        yield record.value


def _misplaced(
    quote: Evidence, document: Document, chapters: Mapping[int, Chapter], authored: str | None
) -> str:
    text = document.text
    if quote.document_id != document.id:
        if authored is None:
            return "quote what is neither the book nor its codex"
        text = authored
    elif quote.chapter not in chapters or not _within(quote, chapters[quote.chapter]):
        return "quote what is not of the chapter named"
    return "" if quote.span.of(text) == quote.quote else "quote what does not stand there"


def _within(quote: Evidence, chapter: Chapter) -> bool:
    return chapter.heading.start <= quote.span.start and quote.span.end <= chapter.body.end
