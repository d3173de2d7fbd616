"""What one chapter says by itself: the values that reading its text alone gives.

A reading depends on the body text of one chapter and on nothing else, so it can be kept under a digest of
that text and never changes when other chapters do. All spans are offsets into that body text. Participants
are indices into ``mentions``; who the mentioned are in the story is for the linker to say.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.types import Span
from ..errors import ProjectError
from .types import EntityKind, Modality

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = [
    "SCHEMA",
    "Cause",
    "ChapterReading",
    "Goal",
    "Happening",
    "Identity",
    "Mention",
    "Mood",
    "Scene",
    "Statement",
]

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Mention:
    """A name (or a definite role, place or thing) in the text.

    ``surface`` is the name without possessive, ``gender`` is ``"f"``, ``"m"`` or ``""``, told by title or
    given name alone. ``strong``: the chapter gives evidence that this is a name of that kind (title, two
    votes of the parser, a deed that only people do); a weak mention counts only if the story knows the
    name already. ``spoken``: it stands inside direct speech.
    """

    span: Span
    surface: str
    kind: EntityKind
    gender: str
    scene: int
    sentence: Span
    strong: bool
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """subject -predicate-> object, for predicates that last.

    ``evidence`` is the sentence that says it, then for each participant named by a pronoun the sentence
    that names them. ``when`` is a time phrase of the sentence in its own words, or empty. Confidence 0 to 1.
    """

    predicate: str
    subject: int
    object: int
    evidence: tuple[Span, ...]
    modality: Modality
    confidence: float
    when: str = ""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happens (predicates that do not last). Whoever dies or is killed is the patient."""

    predicate: str
    agent: int | None
    patient: int | None
    place: int | None
    evidence: tuple[Span, ...]
    modality: Modality
    confidence: float
    when: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """``effect`` came about through ``cause``: indices into ``happenings``."""

    effect: int
    cause: int
    evidence: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Mood:
    """How a character feels: ``emotion`` is a name of ``emotions.EMOTIONS``, ``valence`` -1 to 1."""

    character: int
    emotion: str
    valence: float
    arousal: float
    evidence: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Goal:
    """What a character is after, in the text's words. ``turn`` is ``adopted``, ``failed`` or ``reached``."""

    character: int
    wording: str
    turn: str
    evidence: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Identity:
    """The text says that two names are one ("X's real name was Y")."""

    one: int
    other: int
    evidence: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Scene:
    """A stretch of the chapter between scene breaks; ``flashback`` where it opens as one."""

    span: Span
    flashback: bool = False


@dataclass(frozen=True, slots=True)
class ChapterReading:
    """Everything read from one chapter, each tuple in order of the text."""

    mentions: tuple[Mention, ...] = ()
    statements: tuple[Statement, ...] = ()
    happenings: tuple[Happening, ...] = ()
    causes: tuple[Cause, ...] = ()
    moods: tuple[Mood, ...] = ()
    goals: tuple[Goal, ...] = ()
    identities: tuple[Identity, ...] = ()
    scenes: tuple[Scene, ...] = ()

    def to_json(self) -> str:
        """Compact JSON; the same reading gives the same characters."""
        body = _adapter().dump_json(self).decode()
        return f'{{"schema":{SCHEMA},"reading":{body}}}'

    @classmethod
    def from_json(cls, text: str) -> ChapterReading:
        """The reading that ``to_json`` wrote. Raises ProjectError for any other text."""
        from pydantic import ValidationError

        try:
            data = json.loads(text)
            found = data.get("schema") if isinstance(data, dict) else None
            if found != SCHEMA:
                raise ProjectError(
                    f"a stored reading has schema {found!r}, not {SCHEMA}: read the chapter again"
                )
            return _adapter().validate_python(data["reading"])
        except (json.JSONDecodeError, KeyError, ValidationError) as error:
            raise ProjectError(f"a stored reading is damaged ({error}): read the chapter again") from error


_ADAPTERS: dict[str, TypeAdapter[Any]] = {}


def _adapter() -> TypeAdapter[ChapterReading]:
    from pydantic import TypeAdapter

    if "reading" not in _ADAPTERS:
        _ADAPTERS["reading"] = TypeAdapter(ChapterReading)
    return _ADAPTERS["reading"]
