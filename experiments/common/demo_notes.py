"""What a careful reader knows of the demo story: notes made by hand from the finished text.

Every quote in them is an exact substring of :func:`fabula.demo.story_text`. A chapter number of 0 stands for
the time before chapter 1. What a relation's interval says is true at the *end* of each of its chapters: a
bond that turns in chapter 9 has ``to_chapter`` 8, and the one that follows it ``from_chapter`` 9.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class GoldDeath:
    """A death and the words that tell it, in ``chapter``."""

    chapter: int
    quote: str


@dataclass(frozen=True, slots=True)
class GoldCharacter:
    """``gender`` is ``"f"`` or ``"m"``, as a reader takes it at ``first_chapter``; a pseudonym has an
    entry of its own."""

    id: str
    name: str
    aliases: tuple[str, ...]
    gender: str
    first_chapter: int
    introduced_by: str
    dies: GoldDeath | None


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """A place, and the chapter that names it first."""

    id: str
    name: str
    aliases: tuple[str, ...]
    first_chapter: int


@dataclass(frozen=True, slots=True)
class GoldHolder:
    """From ``from_chapter`` on ``holder`` (a character id) has the thing, as told there by the quote."""

    holder: str
    from_chapter: int
    quote: str


@dataclass(frozen=True, slots=True)
class GoldObject:
    """A thing that matters to the plot, and who has it, in order of ``from_chapter``."""

    id: str
    name: str
    first_chapter: int
    holders: tuple[GoldHolder, ...]


@dataclass(frozen=True, slots=True)
class GoldRelation:
    """Story time from ``from_chapter`` to ``to_chapter``, both inclusive, ``None`` for no end in the book.

    ``quote`` stands in chapter ``told``; ``turned_by`` stands once in the whole story.
    """

    subject: str
    predicate: str
    object: str
    from_chapter: int
    to_chapter: int | None
    told: int
    quote: str
    turned_by: str | None


@dataclass(frozen=True, slots=True)
class GoldPresence:
    """Who is in a scene, counted from 0 in its chapter; ``place`` is None for people on the way.

    ``events.times`` is ``"main"`` or ``"flashback"``.
    """

    chapter: int
    scene: int
    place: str | None
    story_time: str
    characters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldKnowledge:
    """The reader sees in ``since_chapter`` that ``who`` knows (or has always known) the secret."""

    secret: str
    who: str
    since_chapter: int
    quote: str


@dataclass(frozen=True, slots=True)
class GoldEvent:
    """``participants`` are (role, id) pairs, roles as in ``model.types.EventTold``."""

    id: str
    predicate: str
    participants: tuple[tuple[str, str], ...]
    chapter: int
    story_time: str
    quote: str
    caused_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldArc:
    """How a character feels at the end of a chapter; ``valence`` is -1 to 1."""

    character: str
    chapter: int
    valence: float
    emotion: str
    quote: str


@dataclass(frozen=True, slots=True)
class GoldFlashback:
    """``start_quote`` and ``end_quote`` are its first and last words, both in the one chapter."""

    chapter: int
    start_quote: str
    end_quote: str
    years_before: int


@dataclass(frozen=True, slots=True)
class GoldFalseReport:
    """A claim that is not true; ``said_by`` is who made or sent it, whatever name it bears."""

    claim: str
    said_by: str
    chapter: int
    quote: str
    exposed_chapter: int
    exposed_quote: str


@dataclass(frozen=True, slots=True)
class GoldPlan:
    """Something meant to happen that never does."""

    chapter: int
    quote: str
    dropped_chapter: int
    dropped_quote: str


@dataclass(frozen=True, slots=True)
class GoldDenial:
    """``true`` says whether the denial is an honest one."""

    who: str
    chapter: int
    quote: str
    true: bool


@dataclass(frozen=True, slots=True)
class GoldMerge:
    """In chapter ``told`` the reader learns that ``pseudonym`` is ``character`` (both character ids)."""

    pseudonym: str
    character: str
    told: int
    quote: str


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """``kind`` is ``"factual"`` or ``"conceptual"``; the quote holds or supports the answer."""

    question: str
    answer: str
    chapter: int
    quote: str
    kind: str


@dataclass(frozen=True, slots=True)
class Gold:
    """Everything noted by hand, each kind in order of telling as far as it has one."""

    title: str
    characters: tuple[GoldCharacter, ...]
    places: tuple[GoldPlace, ...]
    objects: tuple[GoldObject, ...]
    relations: tuple[GoldRelation, ...]
    presence: tuple[GoldPresence, ...]
    knowledge: tuple[GoldKnowledge, ...]
    events: tuple[GoldEvent, ...]
    arcs: tuple[GoldArc, ...]
    flashbacks: tuple[GoldFlashback, ...]
    false_reports: tuple[GoldFalseReport, ...]
    plans: tuple[GoldPlan, ...]
    denials: tuple[GoldDenial, ...]
    merges: tuple[GoldMerge, ...]
    questions: tuple[GoldQuestion, ...]


Row = Mapping[str, Any]


def gold() -> Gold:
    """The notes of ``gold.json``, read afresh on each call (some milliseconds)."""
    told = resources.files("fabula.demo").joinpath("gold.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(told)
    return Gold(
        title=data["title"],
        characters=tuple(_character(row) for row in data["characters"]),
        places=tuple(GoldPlace(**_tupled(row)) for row in data["places"]),
        objects=tuple(_object(row) for row in data["objects"]),
        relations=tuple(GoldRelation(**row) for row in data["relations"]),
        presence=tuple(GoldPresence(**_tupled(row)) for row in data["presence"]),
        knowledge=tuple(GoldKnowledge(**row) for row in data["knowledge"]),
        events=tuple(_event(row) for row in data["events"]),
        arcs=tuple(GoldArc(**row) for row in data["arcs"]),
        flashbacks=tuple(GoldFlashback(**row) for row in data["flashbacks"]),
        false_reports=tuple(GoldFalseReport(**row) for row in data["false_reports"]),
        plans=tuple(GoldPlan(**row) for row in data["plans"]),
        denials=tuple(GoldDenial(**row) for row in data["denials"]),
        merges=tuple(GoldMerge(**row) for row in data["merges"]),
        questions=tuple(GoldQuestion(**row) for row in data["questions"]),
    )


def _tupled(row: Row) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


def _character(row: Row) -> GoldCharacter:
    dies = row["dies"]
    return GoldCharacter(**{**_tupled(row), "dies": GoldDeath(**dies) if dies else None})


def _object(row: Row) -> GoldObject:
    return GoldObject(**{**row, "holders": tuple(GoldHolder(**holder) for holder in row["holders"])})


def _event(row: Row) -> GoldEvent:
    return GoldEvent(**{**_tupled(row), "participants": tuple(sorted(row["participants"].items()))})
