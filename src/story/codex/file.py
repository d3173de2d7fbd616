"""A codex as it is written down: YAML or JSON by hand, read with the place of every value, so that what is
wrong has a line and what is said has a quote."""

from __future__ import annotations

import datetime
import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ...core.types import Span
from ...errors import DocumentError

Path = tuple[str | int, ...]
_SCALAR = str | int | float  # YAML takes no and 007 for a truth and a number: the error says to quote them
GENDERS = {
    word: gender
    for gender, words in (("f", "f female woman girl she"), ("m", "m male man boy he"))
    for word in words.split()
}


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _short_for(key: str) -> BeforeValidator:
    """A bare word or number stands for an entry with that key alone."""

    def entry(value: Any) -> Any:
        if isinstance(value, str) and re.match(rf"{key} [A-Z]", value):
            raise ValueError(f"{value!r} has no colon: write {value.replace(' ', ': ', 1)}")
        return {key: value} if isinstance(value, _SCALAR) else value

    return BeforeValidator(entry)


def _gender(value: Any) -> Any:
    return GENDERS.get(value.casefold(), value) if isinstance(value, str) else value


def _date(value: Any) -> Any:
    return f"{value:04d}" if isinstance(value, int) and not isinstance(value, bool) else value


_NAMED, _WORDED, _DATED = _short_for("name"), _short_for("text"), _short_for("date")
Chapter = Annotated[int, Field(ge=0)]
Name = Annotated[str, Field(min_length=1)]


class _Known(_Entry):
    from_chapter: Chapter | None = None


class _Held(_Known):
    until_chapter: Chapter | None = None


class Alias(_Known):
    """Another name, known from ``from_chapter`` on (from the start where it is not given)."""

    name: Name


class Tie(_Held):
    """How the one it is written under stands ``to`` another."""

    predicate: Name
    to: Name


class Life(_Entry):
    """A birth or a death: an ISO date or year, a place of the codex, and the chapter it is told in (0: before
    the story)."""

    date: Annotated[str | None, BeforeValidator(_date)] = None
    place: str | None = None
    chapter: Chapter | None = None


class Place(_Known):
    """A place or a thing, and what groups and characters have as well. Nothing is known of it before
    ``from_chapter`` (before the story where that is not given)."""

    name: Name
    aliases: list[Annotated[Alias, _NAMED]] = []
    description: str = ""


class Group(Place):
    """``members`` are names of characters: a law for the group is one for each of them."""

    members: list[Name] = []


class Character(Place):
    """A person. ``gender`` is ``"f"``, ``"m"`` or ``""`` (words like "woman" are taken too); ``traits`` are
    values by aspect, such as ``eyes`` or ``age``; a ``death`` must name its chapter."""

    gender: Annotated[Literal["f", "m", ""], BeforeValidator(_gender)] = ""
    birth: Annotated[Life | None, _DATED] = None
    death: Annotated[Life | None, _DATED] = None
    relations: list[Tie] = []
    traits: dict[Name, str | int] = {}


class Law(_Entry):
    """``who`` names one or more of the codex, or ``anybody``; ``does`` is what they do, its verb first, as in
    "walk in daylight"."""

    who: Annotated[list[Name], BeforeValidator(lambda one: [one] if isinstance(one, _SCALAR) else one)]
    does: Name


class Rule(_Held):
    """What holds in the world: in words, or as a law to be checked (``never``, ``only``, ``always``)."""

    text: str = ""
    never: Law | None = None
    only: Law | None = None
    always: Law | None = None


class Fact(_Held):
    """Three words of the table of predicates, or ``text``, which is kept as a rule is."""

    subject: str = ""
    predicate: str = ""
    object: str = ""
    text: str = ""


class WrittenCodex(_Entry):
    """The whole file; every key may be missing. ``things`` are written as places are."""

    title: str = "Codex"
    characters: list[Annotated[Character, _NAMED]] = []
    places: list[Annotated[Place, _NAMED]] = []
    groups: list[Annotated[Group, _NAMED]] = []
    things: list[Annotated[Place, _NAMED]] = []
    rules: list[Annotated[Rule, _WORDED]] = []
    facts: list[Annotated[Fact, _WORDED]] = []


_CHAPTER_KEYS = frozenset({"from_chapter", "until_chapter", "chapter"})
_DEEPEST = 20  # three times what a codex needs; the time that YAML takes grows with the square of it
_ENTRIES = (WrittenCodex, Character, Group, Tie, Life, Alias, Rule, Law, Fact)


@dataclass(frozen=True)
class CodexFile:
    """The content and where each of its values stands in ``text``."""

    text: str
    content: WrittenCodex
    _nodes: dict[Path, yaml.Node]

    @classmethod
    def parse(cls, text: str) -> CodexFile:
        """Reads YAML (of which JSON is a part). Raises DocumentError with the line, and what to do."""
        nodes: dict[Path, yaml.Node] = {}
        plain = _plain(_composed(text), (), nodes)
        try:
            content = WrittenCodex.model_validate({} if plain is None else plain)
        except ValidationError as error:
            first = min(
                error.errors(),
                key=lambda each: (_line(nodes, each["loc"]), each["type"] != "extra_forbidden"),
            )
            raise DocumentError(_explained(first, nodes)) from None
        return cls(text, content, nodes)

    def span(self, *path: str | int) -> Span:
        """Where the value at that path is written, without blanks and comments behind it."""
        node = self._nodes[path]
        start, end = node.start_mark.index, node.end_mark.index
        last = _last(node)
        if isinstance(node, yaml.CollectionNode) and not node.flow_style and last is not None:
            end = last.end_mark.index
        said = self.text[start:end]
        return Span(start, start + len(said.rstrip()))

    def has(self, *path: str | int) -> bool:
        """Is anything written there?"""
        return path in self._nodes

    def postponed(self, place: Callable[[int], int]) -> str:
        """The text, with each chapter replaced by the one that ``place`` gives for it; one that stays is left
        as it is written."""
        text = self.text
        paths = [path for path in self._nodes if path and path[-1] in _CHAPTER_KEYS]
        for path in sorted(paths, key=lambda each: -self._nodes[each].start_mark.index):
            node = self._nodes[path]
            value = _scalar(node) if isinstance(node, yaml.ScalarNode) else None
            if isinstance(value, int) and not isinstance(value, bool) and place(value) != value:
                span = self.span(*path)
                text = f"{text[: span.start]}{place(value)}{text[span.end :]}"
        return text

    def error(self, problem: str, *path: str | int) -> DocumentError:
        """What is wrong at a value, with its line."""
        return DocumentError(f"the codex, line {_line(self._nodes, path)}: {problem}")


def plain_words(quote: str) -> str:
    """What a piece of a codex says, on one line and without YAML's marks: ``{chapter: 2}`` is chapter: 2."""
    first, *rest = quote.splitlines() or [""]
    depth = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    try:
        said = _in_words(_plain(_composed("\n".join((" " * depth + first, *rest))), (), {}))
    except DocumentError:  # cut from the middle of a block
        said = quote
    return " ".join(said.split())


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key.replace('_', ' ')}: {_in_words(held)}" for key, held in value.items())
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    return "" if value is None else str(value)


def _composed(text: str) -> yaml.Node | None:
    try:
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                raise DocumentError(
                    "the codex uses YAML aliases (*name): write the value out where it is meant"
                )
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise DocumentError(
                    f"the codex, line {event.start_mark.line + 1}: lists and keys stand {depth} deep in one "
                    f"another and {_DEEPEST} is the most: take brackets out, and quote those that are text"
                )
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise DocumentError(
            f"the codex, line {line}: {error.problem or error.context}: indent evenly, with spaces, and "
            "put text that holds a colon, # or quotes into quotation marks"
        ) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise DocumentError(f"the codex is not YAML ({' '.join(str(error).split())[:120]})") from error


def _plain(node: yaml.Node | None, path: Path, nodes: dict[Path, yaml.Node]) -> Any:
    """The node as plain values; remembers where each stands."""
    if node is None:
        return None
    nodes[path] = node
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in found:
                line = key_node.start_mark.line + 1
                raise DocumentError(f"the codex, line {line}: {key!r} stands here twice: keep one")
            found[key] = _plain(value_node, (*path, key), nodes)
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*path, number), nodes) for number, item in enumerate(node.value)]
    return _scalar(node)


def _scalar(node: yaml.Node) -> Any:
    try:
        value = yaml.SafeLoader("").construct_object(node)
    except (yaml.YAMLError, ValueError) as error:
        line = node.start_mark.line + 1
        raise DocumentError(f"the codex, line {line}: {node.value!r} cannot be read: quote it") from error
    return value.isoformat() if isinstance(value, datetime.date) else value


def _last(node: yaml.Node) -> yaml.Node | None:
    """The last thing written in a block, which may be a block itself."""
    while isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        item = node.value[-1]
        node = item[1] if isinstance(item, tuple) else item
    return node


def _line(nodes: dict[Path, yaml.Node], path: Sequence[str | int]) -> int:
    """The line of the value, or of the nearest that holds it."""
    at: Path = tuple(path)
    while at and at not in nodes:
        at = at[:-1]
    return int(nodes[at].start_mark.line) + 1 if at in nodes else 1


def _explained(error: Any, nodes: dict[Path, yaml.Node]) -> str:
    path = ".".join(str(part) for part in error["loc"])
    line, kind = _line(nodes, error["loc"]), error["type"]
    keys = sorted({key for entry in _ENTRIES for key in entry.model_fields})
    near = difflib.get_close_matches(str(error["loc"][-1]), keys, n=1, cutoff=0.5) if error["loc"] else []
    advice = {
        "extra_forbidden": "there is no such key here: "
        + (f"did you mean {near[0]}?" if near else "take it out"),
        "missing": "this is needed here",
        "string_type": f"{error['input']!r} is not text: put it in quotation marks",
        "list_type": "this is a list: begin each item with a dash",
        "model_type": "this is a list of keys and values: write key: value",
    }.get("string_type" if isinstance(error["input"], bool) and kind == "literal_error" else kind)
    advice = advice or error["msg"].removeprefix("Value error, ")
    return f"the codex, line {line}: {path or 'the file'}: {advice}"
