"""One piece of a pack, as its file has it and as it is searched."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints, TypeAdapter, ValidationError

from ..core.files.plain_json import parse_json
from ..core.text.encodings import decoded
from ..errors import DocumentError

MOST_BYTES = 256 * 1024 * 1024
MOST_ITEMS = 200_000
_MOST_CHAPTERS = 100_000
_Key = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$")] | StrictInt
_Text = Annotated[str, StringConstraints(max_length=20_000, pattern=r"^[^\x00]*$")]
_Language = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$")]
_Word = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$")]
_LISTS = ("items", "chunks")  # what a file may call its list


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Metadata(_Model):
    """What is said about a piece. Any other key with a word or a number as its value is a tag; so is a
    ``chapter`` that has a title and no number."""

    model_config = ConfigDict(extra="allow", frozen=True)
    chunk_id: _Key | None = None
    chapter: Annotated[int, Field(ge=0, le=_MOST_CHAPTERS)] | _Word | None = None
    section: _Word | None = None
    page: Annotated[int, Field(ge=0, le=10_000_000)] | None = None
    language: _Language | None = None


class EmbeddingStrings(_Model):
    """What is embedded in place of the text, where it is given."""

    semantic: _Text = ""


class Variant(_Model):
    """A text in one language."""

    text: _Text


class PackItem(_Model):
    """A piece of a pack: an ``id`` (or ``chunk_id``, its own or of its ``metadata``), and ``text``,
    ``content`` or ``languageVariants`` (by language a text, or an object that holds one)."""

    id: _Key | None = None
    chunk_id: _Key | None = None
    text: _Text = ""
    content: _Text = ""
    languageVariants: Annotated[dict[_Language, _Text | Variant], Field(max_length=50)] = {}  # noqa: N815 (theirs)
    embeddingStrings: EmbeddingStrings = EmbeddingStrings()  # noqa: N815
    metadata: Metadata = Metadata()
    tags: (
        Annotated[list[_Word], Field(max_length=200)]
        | Annotated[dict[_Word, _Word | list[_Word]], Field(max_length=200)]
    ) = []
    is_active: bool = True

    @property
    def key(self) -> str:
        """Empty where it has none."""
        ids = (self.id, self.chunk_id, self.metadata.chunk_id)
        return next((str(one) for one in ids if one is not None), "")

    @property
    def texts(self) -> dict[str, str]:
        """By language; none where it says nothing."""
        texts = {
            name: one if isinstance(one, str) else one.text for name, one in self.languageVariants.items()
        }
        if not any(map(str.strip, texts.values())):
            texts = {self.metadata.language or "": self.text.strip() or self.content}
        return {name.replace("_", "-"): text.strip() for name, text in texts.items() if text.strip()}

    def entries(self, source: str, titles: dict[str, int]) -> Iterator[Entry]:
        """One for each language. ``titles`` numbers chapters that have a title only as they first come."""
        about, tags = self.metadata, set(self._tags())
        chapter = about.chapter
        if isinstance(chapter, str) and not chapter.isdecimal():
            tags.add(("chapter", chapter))
            chapter = titles.setdefault(chapter, len(titles) + 1)
        for language, text in self.texts.items():  # of two that fit alike the first in the file is shown
            yield Entry(
                self.key,
                language,
                text,
                self.embeddingStrings.semantic.strip() or text,
                tuple(sorted(tags)),
                about.section or "",
                None if chapter is None else int(chapter),
                about.page,
                self.is_active,
                source,
            )

    def _tags(self) -> Iterator[tuple[str, str]]:
        tags = self.tags if isinstance(self.tags, dict) else {"tag": self.tags}
        for name, value in tags.items():
            yield from ((name, one) for one in (value if isinstance(value, list) else [value]))
        for name, value in (self.metadata.model_extra or {}).items():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str | int | float) and len(str(one)) <= 200:
                    yield name, str(one).lower() if isinstance(one, bool) else str(one)


@dataclass(frozen=True, slots=True)
class Entry:
    """A piece in one language. ``semantic`` is what is embedded; ``tags`` are (name, value) pairs;
    ``language`` and ``section`` may be empty; ``source`` is the file's name."""

    key: str
    language: str
    text: str
    semantic: str
    tags: tuple[tuple[str, str], ...]
    section: str
    chapter: int | None
    page: int | None
    active: bool
    source: str

    @property
    def where(self) -> list[str]:
        """Its language, section, chapter and page in words, as far as they are told."""
        chapter = f"chapter {self.chapter}" if self.chapter is not None else ""
        page = f"page {self.page}" if self.page is not None else ""
        return [one for one in (self.language, self.section, chapter, page) if one]

    def to_json(self) -> str:
        return json.dumps([getattr(self, name) for name in self.__slots__], ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Entry:
        values = json.loads(line)
        values[4] = tuple((name, value) for name, value in values[4])
        return cls(*values)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A piece that was left out, and why; ``id`` is its own, or its place in the file (``#12``)."""

    file: str
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a search may find: items with all of these ``tags`` ((name, value) pairs), in this ``language``
    and ``section`` (any, where empty); those that are not active only with ``all``."""

    tags: tuple[tuple[str, str], ...] = ()
    language: str = ""
    section: str = ""
    all: bool = False

    def admits(self, entry: Entry) -> bool:
        return (
            (entry.active or self.all)
            and (not self.language or entry.language == self.language.replace("_", "-"))
            and (not self.section or entry.section == self.section)
            and all(pair in entry.tags for pair in self.tags)
        )


ANYTHING = Wanted()
"""All that is active."""


@dataclass(frozen=True, slots=True)
class Found:
    """An item that was found, in the language that fits best, and what hybrid search gave it."""

    entry: Entry
    score: float


def schema() -> dict[str, Any]:
    """The JSON Schema of a file: a list of items, or an object that holds one."""
    made = TypeAdapter(list[PackItem]).json_schema(by_alias=True)
    definitions = made.pop("$defs")
    made = {"$ref": "#/$defs/Items"}
    definitions["Items"] = {"type": "array", "items": {"$ref": "#/$defs/PackItem"}, "maxItems": MOST_ITEMS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A chunk pack",
        "anyOf": [
            made,
            *({"type": "object", "properties": {name: made}, "required": [name]} for name in _LISTS),
        ],
        "$defs": definitions,
    }


def read_items(files: list[Path]) -> tuple[list[Entry], list[Skipped]]:
    """Every item of the files (``.json``, or ``.jsonl`` with one a line), in order; of two with one id the
    first. Chapters with titles are numbered as they first come. Raises DocumentError for a file that cannot
    be read, or holds no list of items."""
    entries: list[Entry] = []
    skipped: list[Skipped] = []
    seen: dict[str, str] = {}
    titles: dict[str, int] = {}
    for file in files:
        for number, value in enumerate(_values(file), start=1):
            item, reason = _item(value)
            if item is not None and item.key in seen:
                reason = f"the id stands in {seen[item.key]} already"
            if item is None or reason:
                name = item.key if item is not None and item.key else _named(value, number)
                skipped.append(Skipped(file.name, name, reason))
                continue
            seen[item.key] = file.name
            entries += item.entries(file.name, titles)
            if len(seen) > MOST_ITEMS:
                raise DocumentError(f"more than {MOST_ITEMS:,} items: make several packs of them")
    return entries, skipped


def _values(file: Path) -> Iterator[object]:
    """The values of a file; a line that is no JSON is given as its error."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise DocumentError(f"{file} is larger than {MOST_BYTES >> 20} MB: part it")
        text = decoded(file.read_bytes())
    except OSError as error:
        raise DocumentError(f"{file} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise DocumentError(f"{file} is not UTF-8: save it so") from error
    if file.suffix.lower() == ".jsonl":
        yield from map(_parsed, filter(str.strip, text.splitlines()))
        return
    held = _parsed(text)
    if isinstance(held, ValueError):
        raise DocumentError(f"{file} is not JSON ({held})") from held
    if isinstance(held, Mapping):
        held = next((held[name] for name in _LISTS if isinstance(held.get(name), list)), held)
    if not isinstance(held, list):
        raise DocumentError(f"{file} holds no list of items: fabula packs schema says what it may hold")
    yield from held


def _parsed(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        return error


def _item(value: object) -> tuple[PackItem | None, str]:
    if isinstance(value, ValueError):
        return None, f"no JSON: {value}"
    try:
        item = PackItem.model_validate(_without_nulls(value))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return None, f"{place}: {first['msg']}" if place else first["msg"]
    if not item.key:
        return None, "it has no id and no chunk_id"
    if not item.texts:
        return None, "it has no text, content or languageVariants"
    if not any(re.search(r"\w", text) for text in item.texts.values()):
        return None, "its text holds no word"
    return item, ""


def _named(value: object, number: int) -> str:
    held = value if isinstance(value, Mapping) else {}
    about = held.get("metadata")
    inner = about.get("chunk_id") if isinstance(about, Mapping) else None
    ids = (held.get("id"), held.get("chunk_id"), inner)
    words = [str(one).split() for one in ids if isinstance(one, str | int) and not isinstance(one, bool)]
    return next((" ".join(one)[:80] for one in words if one), f"#{number}")


def _without_nulls(value: object) -> object:
    """What is null, or holds nothing else, is not there."""
    if isinstance(value, Mapping):
        named = ((name, _without_nulls(one)) for name, one in value.items())
        return {name: one for name, one in named if one is not None} or (None if value else {})
    if isinstance(value, list):
        return [one for one in map(_without_nulls, value) if one is not None]
    return value
