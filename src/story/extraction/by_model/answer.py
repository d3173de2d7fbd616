"""What a language model is asked about a chapter, and the form of its answer (see ``story/prompts``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, GetCoreSchemaHandler, StringConstraints
from pydantic_core.core_schema import CoreSchema, literal_schema, no_info_before_validator_function

from ....core.prompting import Template, load_template
from ....core.types import Prompt
from ...evidence.untrusted import GUARD, fence, neutralise, one_line
from ...lexicon.emotions import EMOTIONS, TONE_MOODS
from ...model.aspects import ASPECTS
from ...model.predicates import PREDICATES
from ...model.types import KNOWING, STEPS, THREADS, EntityKind, Modality
from ...tables import one_of, read_table, text

_FOLDER = Path(__file__).parents[2] / "prompts"
KINDS = {
    "person": EntityKind.CHARACTER,
    "animal": EntityKind.CHARACTER,
    "group": EntityKind.GROUP,
    "place": EntityKind.LOCATION,
    "thing": EntityKind.OBJECT,
}
_TYPES = read_table(
    "relation_types.tsv",
    type=text,
    predicate=one_of("predicate", PREDICATES),
    direction=one_of("direction", ("forth", "back")),
)
RELATIONS = {name: (predicate, way == "forth") for name, predicate, way in _TYPES.rows}
"""Type → the predicate, and whether its subject is ``a``."""
STATUS = ("holds", "begins", "ends", "ended before", "believed")
REALIS = {
    "happened": Modality.FACT,
    "before": Modality.FLASHBACK,
    "planned": Modality.PLANNED,
    "feared": Modality.IMAGINED,
    "dreamt": Modality.IMAGINED,
    "claimed": Modality.REPORTED,
}
BORN = "is born"
EVENTS: dict[str, str] = {
    row.phrase: name
    for name, row in PREDICATES.items()
    if not row.lasting and name not in ("PARTICIPATES_IN", "APPEARS_WITH")
} | {BORN: "DOES"}
WANTS = {"wants": "adopted", "got": "reached", "lost": "failed"}
FEELINGS = tuple(name for name in EMOTIONS if name not in TONE_MOODS)


@dataclass(frozen=True)
class _OneOf:
    """A closed list of values, whatever the case that a model writes them in."""

    values: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def plain(told: object) -> object:
            return told.strip().casefold() if isinstance(told, str) else told

        return no_info_before_validator_function(plain, literal_schema(list(self.values)))


_Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
_Quote = Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)]
_Kind = Annotated[str, _OneOf(tuple(KINDS))]
_Type = Annotated[str, _OneOf(tuple(RELATIONS))]
_Status = Annotated[str, _OneOf(STATUS)]
_Event = Annotated[str, _OneOf(tuple(EVENTS))]
_Realis = Annotated[str, _OneOf(tuple(REALIS))]
_Aspect = Annotated[str, _OneOf(tuple(name for name in ASPECTS if name != "life"))]
_Knowing = Annotated[str, _OneOf(KNOWING)]
_Thread = Annotated[str, _OneOf(THREADS)]
_Step = Annotated[str, _OneOf(STEPS)]
_Feeling = Annotated[str, _OneOf(("", *FEELINGS))]
_Turn = Annotated[str, _OneOf(("", *WANTS))]


class Item(BaseModel):
    """Something that a quote shows. The quote comes first: who has copied it speaks of what it says."""

    quote: _Quote


class Named(Item):
    name: _Text
    also: list[_Text] = []
    kind: _Kind
    role: _Text = ""


class Bond(Item):
    a: _Text
    type: _Type
    b: _Text
    status: _Status = "holds"
    word: _Text = ""


class Event(Item):
    type: _Event
    who: _Text = ""
    whom: _Text = ""
    what: _Text
    place: _Text = ""
    when: _Text = ""
    realis: _Realis = "happened"
    key: bool = False


class Laid(Item):
    about: _Text
    aspect: _Aspect
    value: _Text
    when: _Text = ""
    realis: _Realis = "happened"


class Knows(Item):
    who: _Text
    does: _Knowing
    what: _Text
    other: _Text = ""


class Thread(Item):
    kind: _Thread
    what: _Text
    step: _Step
    who: _Text = ""


class Stage(Item):
    place: _Text = ""
    who: list[_Text] = []


class Heart(Item):
    who: _Text
    feeling: _Feeling = ""
    wants: _Text = ""
    turn: _Turn = ""


class ChapterAnswer(BaseModel):
    """All that a model notes of a chapter; nothing in it is checked yet."""

    named: list[Named] = []
    relations: list[Bond] = []
    events: list[Event] = []
    facts: list[Laid] = []
    knowing: list[Knows] = []
    threads: list[Thread] = []
    scenes: list[Stage] = []
    hearts: list[Heart] = []


class Copied(BaseModel):
    number: int
    quote: _Quote


class CopiedAgain(BaseModel):
    quotes: list[Copied] = []


def _template(name: str) -> Template:
    return load_template(_FOLDER / f"{name}.md", mark=GUARD)


def chapter_prompt(chapter: str, *, known: str = "", before: str = "") -> Prompt:
    """The prompt for a chapter, or a part of one. ``known``: who and what was named before, a line each;
    ``before``: the last words before it. All is untrusted: it is made harmless and fenced, and whatever it
    makes the model say can only be a claim that is checked."""
    parts = [("World", known), ("Previous Scene", before), ("Draft", chapter)]
    story = "\n\n".join(f"[{label}]\n{neutralise(text).strip()}" for label, text in parts if text.strip())
    return _template("read_chapter").fill(ChapterAnswer, story=fence(story), types=", ".join(EVENTS))


def copy_prompt(chapter: str, quotes: Sequence[str]) -> Prompt:
    """Asks again for quotes that stand nowhere in the chapter."""
    listed = "\n".join(f"{number}. {one_line(quote)}" for number, quote in enumerate(quotes, start=1))
    story = fence(f"[Draft]\n{neutralise(chapter).strip()}\n\n[Findings]\n{listed}")
    return _template("copy_again").fill(CopiedAgain, story=story)


def extract_version() -> str:
    """Of both prompts: what changes an answer."""
    return f"{_template('read_chapter').version}+{_template('copy_again').version}"
