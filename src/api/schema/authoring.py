"""What an author sends and gets back: drafts that become chapters, pictures."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from ...core.series import MAX_BOOKS
from ...project.accepting import MAX_TITLE
from ...project.codex_editing import LONGEST_CODEX
from ...project.pictures import LONGEST_CAPTION
from ...story.writing.prompts import Form
from ..settings import LONGEST_DRAFT, LONGEST_PROMPT
from .requests import SAID, Nothing, body
from .shapes import Shown, at

ShownName = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00]*$")]
Caption = Annotated[str, StringConstraints(max_length=LONGEST_CAPTION, pattern=r"^[^\x00]*$")]
FromChapter = Annotated[int, Field(ge=0, le=100_000)]


class AcceptDraft(Nothing):
    """A draft to become the book's next chapter."""

    model_config = body({"draft": "Snow had fallen in the night.", "title": "The Lamp"})
    draft: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_DRAFT, pattern=SAID)]
    title: Annotated[str, StringConstraints(max_length=MAX_TITLE, pattern=r"^[^\x00]*$")] = Field(
        "", description="Of the chapter; by default that of a heading the draft begins with, or none."
    )


class MoveBook(Nothing):
    """Where a book of a series is to be read."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"to": 1}]})
    to: Annotated[int, Field(ge=1, le=MAX_BOOKS)] = Field(description="Its new number, from 1.")


class Suggest(Nothing):
    """What ways to go on are wanted."""

    model_config = body({"wish": "a storm cuts the island off", "count": 3})
    wish: Annotated[str, StringConstraints(max_length=LONGEST_PROMPT, pattern=r"^[^\x00]*$")] = Field(
        "", description="What the author would like to happen, if anything."
    )
    count: Annotated[int, Field(ge=1, le=10)] = Field(3, description="How many.")
    form: Form = Field("line", description="A sentence each, its beats, or the passage itself.")


CodexTable = Literal["characters", "places", "groups", "things"]


class CodexText(Nothing):
    """A whole codex; ``instead_of`` is the text that it was made from."""

    model_config = body({"text": "rules:\n  - nobody can fly\n"})
    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_CODEX, pattern=r"^[^\x00]*$")]
    instead_of: Annotated[str, StringConstraints(max_length=LONGEST_CODEX)] | None = Field(
        None, description="Refused where the codex is another by now."
    )


class CodexEntry(Nothing):
    """Whom or what to lay down."""

    model_config = body({"name": "Anna Vale", "description": "A pilot with a scar"})
    name: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=SAID)]
    description: Annotated[str, StringConstraints(max_length=4000, pattern=r"^[^\x00]*$")] = ""


class CodexShown(Shown):
    """``text`` is YAML or JSON as it was written; ``names`` and ``rules`` are what it lays down."""

    text: str
    names: tuple[str, ...]
    rules: tuple[str, ...]


class PictureShown(Shown):
    """``entities`` are the ids of whom it shows, ``names`` what a reader at the horizon calls them; both
    empty for the story as a whole."""

    id: str = at("picture", "id")
    file: str = at("picture", "file")
    entities: tuple[str, ...]
    names: tuple[str, ...]
    caption: str = at("picture", "caption")
    from_chapter: int = at("picture", "from_chapter")


class PicturesShown(Shown):
    """In the order in which they were put in."""

    as_of: int | None
    items: tuple[PictureShown, ...]


class AcceptedShown(Shown):
    """The chapter that was added, how many chapters were embedded and read for it, and what counts of what
    the critic finds in it."""

    number: int
    title: str
    words: int
    embedded: int = at("report", "embedded")
    read: int = at("report", "read")
    findings: tuple[str, ...]


class DoubtShown(Shown):
    """What the critic finds in a suggestion, with the story's own words on it."""

    rule: str
    message: str
    quotes: tuple[str, ...]


class SuggestionShown(Shown):
    """A way to go on, and what the critic finds in it beside the story, gravest first."""

    text: str
    findings: tuple[DoubtShown, ...]


class SuggestionsShown(Shown):
    """Ways to go on after a chapter (None: after the last one), by a model."""

    model: str
    after: int | None
    items: tuple[SuggestionShown, ...]
    notices: tuple[str, ...]
