"""What requests may hold. Everything else is refused: a mistyped ``as_of`` must not read the whole book."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from ...project.searching import chapter_range
from ...story.continuity.critic import RULES
from ...story.passages.filter import SearchFilter
from ...story.passages.scenes_and_tones import SceneKind, Tone
from ...story.writing.prompts import Length
from ..jobs.registry import JobStatus
from ..settings import LONGEST_DRAFT, LONGEST_PROMPT, LONGEST_QUERY, MOST_PASSAGES

CONVERSATION = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
"""What an id of a conversation looks like."""

_ANY = r"^[^\x00]*$"
SAID = r"^[^\x00]*[^\s\x00][^\x00]*$"  # not blank
_Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=SAID)]
Query = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_QUERY, pattern=SAID)]
_Prompt = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_PROMPT, pattern=SAID)]
_Draft = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_DRAFT, pattern=SAID)]


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
_RULES = [rule.__name__ for rule in RULES]


def _rule(name: str) -> str:
    if name not in _RULES:
        raise ValueError(f"there is no such rule: choose of {', '.join(_RULES)}")
    return name


_Rule = Annotated[str, AfterValidator(_rule), Field(json_schema_extra={"enum": list(_RULES)})]
_Rules = Annotated[list[_Rule], Field(max_length=40)]


def body(example: dict[str, Any]) -> ConfigDict:
    """Of what a request's body may hold: types as JSON has them, and an example for the description."""
    return ConfigDict(strict=True, json_schema_extra={"examples": [example]})


class Nothing(BaseModel):
    """No parameters."""

    model_config = ConfigDict(extra="forbid")


class AtHorizon(Nothing):
    """How far the reader has read."""

    as_of: _Chapter | _BookAndChapter | None = Field(
        None,
        description="A chapter, or in a series a book and its chapter (`2:5`): nothing told after it has any "
        "influence on the answer. Without it, all is read.",
        examples=[5, "2:5"],
    )


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
    known_to: Annotated[str, StringConstraints(max_length=200, pattern=_ANY)] = Field(
        "", description="A character's name or id: only what he or she has been by to know."
    )

    def wanted(self) -> SearchFilter | None:
        """None where all passages are let through."""
        told = chapter_range(self.chapters)
        found = SearchFilter(
            chapters=None if told == (1, None) else told,
            without_chapters=tuple(self.without_chapters),
            books=tuple(self.books),
            characters=tuple(self.characters),
            scene_types=tuple(self.scene_types),
            tones=tuple(self.tones),
            min_importance=self.min_importance,
            known_to=self.known_to.strip(),
        )
        return None if found.is_empty else found


class Filter(PassageFilter):
    """What a passage must be."""

    model_config = ConfigDict(strict=True)


class _HowMany(Nothing):
    k: Annotated[_Int, Field(ge=1, le=MOST_PASSAGES)] | None = Field(
        None, description="How many passages; the project's setting by default."
    )


class SearchQuery(PassageFilter, _HowMany, AtHorizon):
    """What to search for, how, and what a passage must be."""

    q: Query = Field(description="What to look for.", examples=["Who lied about the letter?"])
    mode: Literal["hybrid", "semantic", "lexical"] = "hybrid"
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
    q: Query = Field(description="What to look for.", examples=["A letter that was never sent"])
    projects: Annotated[
        list[Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")]], Field(max_length=200)
    ] = Field([], description="Only these; all that the token may read where none is named.")
    read_to: Annotated[
        list[Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,79}:[1-9][0-9]{0,4}$")]],
        Field(max_length=200),
    ] = Field([], description="`ID:N`: of that project nothing told after its chapter N.")
    mode: Literal["hybrid", "semantic", "lexical"] = "hybrid"

    @property
    def chapters(self) -> dict[str, int]:
        """The last chapter of each project that ``read_to`` names."""
        pairs = (one.rpartition(":") for one in self.read_to)
        return {name: int(chapter) for name, _, chapter in pairs}


class Feedback(_HowMany):
    """How well a passage answered a search."""

    model_config = body({"query": "Who lied about the letter?", "chunk_id": "0123456789abcdef", "rating": 1})
    query: Query
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

    about: _Name | None = Field(None, description="Only the entries of that name.")
    format: Literal["json", "markdown", "docx", "vault", "world-info"] = Field(
        "json", description="`vault` is an Obsidian vault as a .zip, `world-info` SillyTavern's lorebook."
    )


class RecapQuery(AtHorizon):
    """How much of the story so far to tell, and whether a model may."""

    length: Length = Field("medium", description="Eight lines, one a chapter, or three a chapter.")
    model: bool = Field(False, description="Let the language model tell it, each sentence checked.")


class SuspectsQuery(AtHorizon):
    """How many pairs of sentences to list, and of which chapter."""

    chapter: _Chapter | None = Field(
        None, description="Only pairs whose later side is in it; without it, in any up to the horizon."
    )
    limit: int = Field(20, ge=1, le=200, description="How many, the likeliest first.")


class ImpactQuery(AtHorizon):
    """Which words of the story, and how many places to list."""

    q: Query = Field(description="Words of the story, copied from it.", examples=["the pistol in the drawer"])
    chapter: _Chapter | None = Field(None, description="Where they stand; without it, the first place.")
    limit: int = Field(7, ge=1, le=100, description="At most so many places.")


class CheckQuery(AtHorizon):
    """Which rules to apply (all by default), and how much text to show round each quote."""

    only: _Rules = Field([], description="Only these rules.", examples=[["dead_then_acts"]])
    without: _Rules = Field([], description="All rules but these.")
    context: int = Field(1, ge=0, le=5, description="How many sentences round each quote.")


class Check(Nothing):
    """A draft to check against the story, as if set right after the horizon."""

    model_config = body({"draft": "She had never been on a train before."})
    draft: _Draft


class Turn(Nothing):
    """An earlier question and its answer."""

    model_config = ConfigDict(strict=True)
    question: Query
    answer: Annotated[str, StringConstraints(max_length=20_000, pattern=_ANY)]


class Ask(_HowMany):
    """A question about the story, with what was asked and answered before it."""

    model_config = body({"question": "Who lied about the letter?"})
    question: Query
    history: Annotated[list[Turn], Field(max_length=20)] = Field([], description="Latest last.")
    conversation_id: Annotated[str, StringConstraints(pattern=CONVERSATION)] | None = Field(
        None,
        description="Of a conversation that the project keeps: what was asked there comes before, this is "
        "added.",
    )
    filter: Filter = Field(default_factory=Filter)
    model: bool | None = Field(
        None,
        description="Whether the language model writes the answer; else the story's own sentences answer. By "
        "default it does where the settings choose one.",
    )


class Compare(Nothing):
    """A scene to be written by the pipelines, set right after the horizon."""

    model_config = body({"prompt": "They meet on the stairs."})
    prompt: _Prompt
    pipelines: Annotated[list[Literal["standard", "graph", "fused"]], Field(max_length=3)] = Field(
        [], description="All where none is named."
    )
    seed: Annotated[_Int, Field(ge=0, le=2**31 - 1)] | None = None


class Score(Nothing):
    """Drafts that were written elsewhere for one prompt, to be scored as the pipelines' drafts are."""

    model_config = body({"prompt": "They meet on the stairs.", "drafts": {"mine": "She said nothing."}})
    prompt: _Prompt
    drafts: Annotated[dict[_Label, _Draft], Field(min_length=1, max_length=10)] = Field(
        description="Drafts by name, written anywhere.", json_schema_extra={"additionalProperties": False}
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
    project: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")] | None = Field(
        None, description="Only this project's."
    )
