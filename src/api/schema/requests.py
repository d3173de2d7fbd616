"""What requests may hold. Everything else is refused: a mistyped ``as_of`` must not read the whole book."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from ...packs.items import Wanted
from ...project.codex_editing import LONGEST_CODEX
from ...project.searching import chapter_range
from ...story.continuity.critic import RULES
from ...story.memories.memory import COLLECTIONS, Collection
from ...story.passages.filter import SearchFilter
from ...story.passages.scenes_and_tones import SceneKind, Tone
from ...story.writing.prompts import Form, Length
from ...views.bible_files.formats import Format
from ..jobs.registry import JobStatus
from ..settings import LONGEST_DRAFT, LONGEST_PROMPT, LONGEST_QUERY, MOST_PASSAGES

CONVERSATION = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
"""What an id of a conversation looks like."""
PROJECT = r"^[a-z0-9][a-z0-9-]{0,79}$"
"""What an id of a project or a pack looks like."""

_ANY = r"^[^\x00]*$"
_SAID = r"^[^\x00]*[^\s\x00][^\x00]*$"  # not blank
_Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=_SAID)]
_Words = Annotated[str, StringConstraints(max_length=200, pattern=_ANY)]
Asked = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_QUERY, pattern=_SAID)]
_Prompt = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_PROMPT, pattern=_SAID)]
_Draft = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_DRAFT, pattern=_SAID)]
_Project = Annotated[str, StringConstraints(pattern=PROJECT)]


def _whole(value: object) -> object:
    """JSON knows no integers: to its schema 2.0 is one, and so it is here."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_Int = Annotated[int, BeforeValidator(_whole)]
_Chapter = Annotated[_Int, Field(ge=1, le=100_000)]
_BookAndChapter = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,2}:[1-9][0-9]{0,4}$")]
_Names = Annotated[list[_Name], Field(max_length=20)]
_Scene = Annotated[SceneKind, Field(strict=False)]  # as a word, in a body too
_Tone = Annotated[Tone, Field(strict=False)]
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
_Label = Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=r"^[a-z][a-z0-9_-]*$")]
_RULES = "|".join(rule.__name__ for rule in RULES)
_Rules = Annotated[list[Annotated[str, StringConstraints(pattern=f"^({_RULES})$")]], Field(max_length=40)]
_Mode = Literal["hybrid", "semantic", "lexical"]


def body(example: dict[str, Any]) -> ConfigDict:
    """Of what a request's body may hold: types as JSON has them, and an example for the description."""
    return ConfigDict(strict=True, json_schema_extra={"examples": [example]})


class Nothing(BaseModel):
    """No parameters."""

    model_config = ConfigDict(extra="forbid")


NoQuery = Annotated[Nothing, Query()]


class AtHorizon(Nothing):
    """How far the reader has read."""

    as_of: _Chapter | _BookAndChapter | None = Field(
        None,
        description="A chapter, or in a series a book and its chapter (`2:5`): nothing told after it has any "
        "influence on the answer. Without it, all is read.",
        examples=[5, "2:5"],
    )


AsOf = Annotated[AtHorizon, Query()]


class Page(Nothing):
    """Which part of a list is wanted."""

    offset: int = Field(0, ge=0, le=1_000_000, description="How many to pass over.")
    limit: int = Field(50, ge=1, le=200, description="How many at most; `next` leads to the rest.")


class PassageFilter(Nothing):
    """What a passage must be."""

    chapters: Annotated[
        str, StringConstraints(max_length=20, pattern=r"^[1-9][0-9]{0,4}(-([1-9][0-9]{0,4})?)?$")
    ] = Field("1-", description="`3-9`, `4-` or `7`.", examples=["2-6"])
    without_chapters: Annotated[list[_Chapter], Field(max_length=200)] = Field([], description="Left out.")
    books: Annotated[list[_Chapter], Field(max_length=200)] = Field(
        [], description="Of a series: any of the books of these numbers."
    )
    characters: _Names = Field([], description="Names or ids; all of them must be there.")
    scene_types: Annotated[list[_Scene], Field(max_length=10)] = Field([], description="Any of these.")
    tones: Annotated[list[_Tone], Field(max_length=10)] = Field([], description="Any of these.")
    min_importance: _Int = Field(1, ge=1, le=10)
    known_to: _Words = Field(
        "", description="A character's name or id: only what he or she has been by to know."
    )

    def wanted(self) -> SearchFilter | None:
        """None where all passages are let through."""
        chapters = chapter_range(self.chapters)
        told: dict[str, Any] = {name: getattr(self, name) for name in PassageFilter.model_fields}
        told |= {"chapters": None if chapters == (1, None) else chapters, "known_to": self.known_to.strip()}
        told = {name: tuple(one) if isinstance(one, list) else one for name, one in told.items()}
        found = SearchFilter(**told)
        return None if found.is_empty else found


class Filter(PassageFilter):
    """What a passage must be."""

    model_config = ConfigDict(strict=True)


class _HowMany(Nothing):
    k: Annotated[_Int, Field(ge=1, le=MOST_PASSAGES)] | None = Field(
        None, description="How many passages; the project's setting by default (packs: 5, to answer 12)."
    )


class SearchQuery(PassageFilter, _HowMany, AtHorizon):
    """What to search for, how, and what a passage must be."""

    q: Asked = Field(description="What to look for.", examples=["Who lied about the letter?"])
    mode: _Mode = "hybrid"
    semantic_weight: _Share | None = Field(
        None, description="In place of the weight that is chosen for the query."
    )
    least_score: _Share | None = Field(
        None,
        description="Leaves out what is less similar to the query (cosine), but for `mode=lexical`; the "
        "project's setting by default.",
    )


class LibraryQuery(_HowMany):
    """What to search for in several stories."""

    model_config = ConfigDict(extra="forbid")
    q: Asked = Field(description="What to look for.", examples=["A letter that was never sent"])
    projects: Annotated[list[_Project], Field(max_length=200)] = Field(
        [], description="Only these; all that the token may read where none is named."
    )
    read_to: Annotated[
        list[Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,79}:[1-9][0-9]{0,4}$")]],
        Field(max_length=200),
    ] = Field([], description="`ID:N`: of that project nothing told after its chapter N.")
    mode: _Mode = "hybrid"

    @property
    def chapters(self) -> dict[str, int]:
        """The last chapter of each project that ``read_to`` names."""
        pairs = (one.rpartition(":") for one in self.read_to)
        return {name: int(chapter) for name, _, chapter in pairs}


class MemoriesQuery(PassageFilter, AtHorizon):
    """What to look for, in which collections; the filter is about passages."""

    q: Asked = Field(description="What to look for.", examples=["Who may cross the river?"])
    collections: Annotated[list[Collection], Field(max_length=4)] = Field(
        list(COLLECTIONS), description="Which to ask."
    )
    limit: Annotated[int, Field(ge=1, le=MOST_PASSAGES)] | None = Field(
        None, description="How many of each; by default as the project's settings say."
    )


class Feedback(_HowMany):
    """How well a passage answered a search."""

    model_config = body({"query": "Who lied about the letter?", "chunk_id": "0123456789abcdef", "rating": 1})
    query: Asked
    chunk_id: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
    rating: _Share = Field(description="0 useless, 1 just right.")
    filter: Filter = Field(default_factory=Filter, description="The filter of that search.")


class GraphQuery(AtHorizon):
    """Which entities of the graph to show, and how sure their relations must be (0 to 1)."""

    kinds: Annotated[list[Literal["character", "location", "object", "group"]], Field(max_length=4)] = Field(
        [], description="Only these; all where none is named."
    )
    around: _Name | None = Field(None, description="Only this one and whom it touches.")
    min_confidence: _Share | None = Field(None, description="Relations at least so sure.")
    limit: int = Field(150, ge=1, le=1000, description="How many nodes; the others are counted.")


class ArcsQuery(AtHorizon):
    """Whose arcs to show."""

    names: _Names = Field([], description="Names or ids; by default the five most mentioned characters.")
    turns: int = Field(5, ge=0, le=50, description="How many turning points each.")


class TimelineQuery(AtHorizon):
    """Which events to show."""

    entity: _Name | None = Field(None, description="Only what this one takes part in.")
    limit: int = Field(300, ge=1, le=2000, description="How many events; the others are counted.")


class BibleQuery(AtHorizon):
    """Which entries of the story bible, and as what."""

    format: Literal["json", Format] = Field(
        "json",
        description="`vault` (Obsidian) and `wiki` (a page a chapter, sent while it is made) are folders as "
        "a .zip; `world-info` and `character-card` (of the one whom `about` names) are for SillyTavern.",
    )
    about: _Name | None = Field(None, description="Only the entries of that name; not for a `wiki`.")


class RecapQuery(AtHorizon):
    """How much of the story so far to tell, and whether a model may."""

    length: Length = Field("medium", description="Eight lines, one a chapter, or three a chapter.")
    model: bool = Field(False, description="Let the language model tell it, each sentence checked.")


class CheckQuery(AtHorizon):
    """Which rules to apply (all by default), and how much text to show round each quote."""

    only: _Rules = Field([], description="Only these rules.", examples=[["dead_then_acts"]])
    without: _Rules = Field([], description="All rules but these.")
    context: int = Field(1, ge=0, le=5, description="How many sentences round each quote.")


class Check(Nothing):
    """What to check against the story as it is told up to the horizon."""

    model_config = body({"draft": "She had never been on a train before."})
    draft: _Draft | None = Field(
        None, description="As if set right after the horizon. Without it the story itself is checked."
    )


class Turn(Nothing):
    """An earlier question and its answer."""

    model_config = ConfigDict(strict=True)
    question: Asked
    answer: Annotated[str, StringConstraints(max_length=20_000, pattern=_ANY)]


_History = Annotated[list[Turn], Field(max_length=20)]


class _Question(_HowMany):
    question: Asked
    history: _History = Field([], description="What was asked before, latest last.")
    model: bool | None = Field(
        None,
        description="Whether the language model writes the answer; else the text's own sentences answer. By "
        "default it does where the settings choose one.",
    )


class Ask(_Question):
    """A question about the story, with what was asked and answered before it."""

    model_config = body({"question": "Who lied about the letter?"})
    conversation_id: Annotated[str, StringConstraints(pattern=CONVERSATION)] | None = Field(
        None,
        description="Of a conversation that the project keeps: what was asked there comes before, this is "
        "added.",
    )
    filter: Filter = Field(default_factory=Filter)
    stream: bool = Field(False, description="Answer with server-sent events while it is written.")


class Compare(Nothing):
    """A scene to be written by the pipelines, set right after the horizon, or drafts that were written
    elsewhere for it, to be scored as theirs are."""

    model_config = body({"prompt": "They meet on the stairs."})
    prompt: _Prompt
    pipelines: Annotated[list[Literal["standard", "graph", "fused"]], Field(max_length=3)] = Field(
        [], description="All where none is named."
    )
    seed: Annotated[_Int, Field(ge=0, le=2**31 - 1)] | None = None
    drafts: Annotated[dict[_Label, _Draft], Field(max_length=10)] = Field(
        {},
        description="Drafts by name: these are scored, and nothing is written.",
        json_schema_extra={"additionalProperties": False},
    )


class Suggest(Nothing):
    """What ways to go on are wanted."""

    model_config = body({"wish": "a storm cuts the island off", "count": 3})
    wish: Annotated[str, StringConstraints(max_length=LONGEST_PROMPT, pattern=_ANY)] = Field(
        "", description="What the author would like to happen, if anything."
    )
    count: Annotated[_Int, Field(ge=1, le=10)] = Field(3, description="How many.")
    form: Form = Field("line", description="A sentence each, its beats, or the passage itself.")


class CodexText(Nothing):
    """A whole codex."""

    model_config = body({"text": "rules:\n  - nobody can fly\n"})
    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_CODEX, pattern=_ANY)]
    instead_of: Annotated[str, StringConstraints(max_length=LONGEST_CODEX)] | None = Field(
        None, description="The text that it was made from: refused where the codex is another by now."
    )


class Correct(Nothing):
    """A correction: ``who`` is one with ``into`` (`merge`), ``names`` of ``who`` are somebody else's, whom
    ``into`` may name (`split`), ``who`` is shown as ``to`` (`rename`), or is of the kind ``to`` (`retype`),
    or is nobody (`not_a_character`)."""

    model_config = body({"kind": "rename", "who": "Len", "to": "Len Bray"})
    kind: Literal["merge", "split", "rename", "retype", "not_a_character"]
    who: _Name = Field(description="A name as the text writes it, the one that is shown, or an id.")
    names: _Names = []
    into: _Name | None = None
    to: _Name | None = None
    from_chapter: _Chapter | None = Field(None, description="A `split` or `rename` holds from there on.")


class JobsQuery(Page):
    """Which jobs to list."""

    status: JobStatus | None = Field(None, description="Only these.")
    project: _Project | None = Field(None, description="Only this project's.")


class PackAtHorizon(Nothing):
    """How much of a pack is asked."""

    as_of: _Chapter | None = Field(
        None, description="A chapter: no item of a later one has any influence on the answer.", examples=[5]
    )


_Tag = Annotated[str, StringConstraints(max_length=401, pattern=r"^[^\x00=]{1,200}=[^\x00]{1,200}$")]


class _PackFilter(PackAtHorizon):
    tags: Annotated[list[_Tag], Field(max_length=20)] = Field([], description="`NAME=VALUE`, all of them.")
    language: _Words = Field("", description="Only texts in this language.")
    section: _Words = Field("", description="Only items of this section.")
    inactive: bool = Field(False, description="Items that are not active too.")

    @property
    def wanted(self) -> Wanted:
        """The filter."""
        pairs = (one.partition("=") for one in self.tags)
        tags = tuple((name, value) for name, _, value in pairs)
        return Wanted(tags, self.language, self.section, self.inactive)


class PackQuery(_PackFilter, _HowMany):
    """What to look for, and what an item must be."""

    q: Asked = Field(description="What to look for.", examples=["How long does the warranty run?"])


class PackAsk(_PackFilter, _Question):
    """A question, what was asked and answered before it, and what an item must be."""

    model_config = body({"question": "How long does the warranty run?"})


class PackSuggest(_PackFilter):
    """What was said last, the conversation before it, and how suggestions for what to say next should be."""

    model_config = body({"said": "I never know how to begin.", "style": "warm"})
    said: Asked
    history: _History = Field([], description="The conversation before it, latest last.")
    count: Annotated[_Int, Field(ge=1, le=10)] = Field(3, description="How many.")
    style: _Words = Field("", description="How they should sound.")
    twist: _Words = Field("", description="What they should bring in.")
    spoken: _Words = Field("", description="The language they are in.", examples=["de"])
