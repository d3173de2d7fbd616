"""Corrections of entity linking by the author: who is one, who is two, what to call them, what they are.

They name people, places and things by surfaces, as the text writes them, whatever the case; an id stands for
a surface where two entities share one. A surface means nobody before the text uses it, so no correction
shows a reader a name from later chapters. A name to show (``rename``) is shown from where the text has
used it, or from the chapter that the author gives.

They are written down as TOML, one table a correction, in the author's order; a name may be a list of names.
What stands in the file stays as it is written when another is added::

    [[correct]]
    kind = "split"
    who = "Mr. Emerson"
    names = ["George Emerson", "George"]
    from_chapter = 3
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from pathlib import Path

from ..core.files.toml import list_text, tables_of
from ..errors import UsageError
from .model.types import EntityKind, gathered

CORRECTIONS_FILE = "corrections.toml"  # in a project's folder
_HEAD = "# Who is who, by the author's word: see fabula correct --help.\n"
_TABLE = re.compile(r"\s*\[\[\s*correct\s*\]\]\s*(?:#.*)?")
_KEYS = ("kind", "who", "names", "into", "to", "from_chapter")


def read_corrections(path: Path) -> Corrections:
    """Those of a file; none where there is no file. Raises UsageError, with the line, for what is wrong."""
    return parse_corrections(read_text(path), source=path.name)


def read_text(path: Path) -> str:
    """The file's text, empty where there is none. Raises UsageError where it cannot be read."""
    return list_text(path, "corrections") if path.is_file() else ""


def parse_corrections(text: str, *, source: str = CORRECTIONS_FILE) -> Corrections:
    """Those of a TOML text. Raises UsageError, with the line, for what is no correction, or says against
    another."""
    tables = tables_of(text, "correct", source=source)
    starts = [number for number, line in enumerate(text.splitlines(), 1) if _TABLE.fullmatch(line)]
    lines = starts if len(starts) == len(tables) else [0] * len(tables)
    where = [f"line {line}" if line else f"correction {n}" for n, line in enumerate(lines, 1)]
    read = [_correction(table, f"{source}, {place}") for table, place in zip(tables, where, strict=True)]
    return Corrections.of(read, lines=lines, source=source)


def added(text: str, correction: Correction) -> str:
    """The text with one more correction at its end."""
    lines = ["[[correct]]"]
    for key in _KEYS:
        value = getattr(correction, key)
        if value not in ((), "", None):
            one = value[0] if key in ("who", "into") and len(value) == 1 else value
            # a JSON string without control characters is a TOML basic string
            lines.append(f"{key} = {json.dumps(one, ensure_ascii=False)}")
    return f"{text.rstrip() or _HEAD.rstrip()}\n\n" + "\n".join(lines) + "\n"


def as_toml(corrections: Corrections) -> str:
    """All of them as a file of their own."""
    return reduce(added, corrections.entries, "")


def without(text: str, number: int) -> str:
    """The text without the correction of that number (from 0) and the comment right above it. Raises
    UsageError where the file is written in a way that cannot be changed by lines."""
    lines = text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if _TABLE.fullmatch(line.rstrip("\r\n"))]
    before = parse_corrections(text).entries
    kept = (*before[:number], *before[number + 1 :])
    if len(starts) == len(before):
        start = _with_comment(lines, starts[number])
        end = _with_comment(lines, starts[number + 1]) if number + 1 < len(starts) else len(lines)
        left = "".join(lines[:start] + lines[end:]).rstrip() + "\n"
        if parse_corrections(left).entries == kept:
            return left
    raise UsageError(f"{CORRECTIONS_FILE} is written in a way that cannot be changed here: edit it by hand")


def with_chapters(text: str, wanted: Corrections) -> str:
    """The text with the chapters of corrections that are ``wanted`` in place of its own, and are the same but
    for these; comments and all stay."""
    import tomlkit

    document = tomlkit.parse(text)
    for table, one in zip(document.get("correct", ()), wanted.entries, strict=True):
        if one.from_chapter != table.get("from_chapter"):
            table["from_chapter"] = one.from_chapter
    return tomlkit.dumps(document)


def _with_comment(lines: Sequence[str], start: int) -> int:
    while start > 1 and lines[start - 1].lstrip().startswith("#"):  # the first line is the file's own
        start -= 1
    return start


def _correction(table: object, where: str) -> Correction:
    if not isinstance(table, dict):
        raise UsageError(f"{where} is no table: write [[correct]] above its keys")
    unknown = sorted(set(table) - set(_KEYS))
    if unknown:
        raise UsageError(f"{where}: there is no key {unknown[0]!r}: a correction takes {', '.join(_KEYS)}")
    if "kind" not in table:
        raise UsageError(f"{where}: it has no kind: write kind = and one of {', '.join(KINDS)}")
    since = table.get("from_chapter")
    if since is not None and (not isinstance(since, int) or isinstance(since, bool)):
        raise UsageError(f"{where}: from_chapter is a number: write it without quotation marks")
    who, names, into = (_names(table, key, where) for key in ("who", "names", "into"))
    kind = re.sub(r"[\s-]+", "_", _text(table, "kind", where).casefold())
    return Correction(kind, who, names, into, _text(table, "to", where), since)


def _text(table: dict[str, object], key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{where}: {key} is no text: put it in quotation marks")
    return " ".join(value.split())


def _names(table: dict[str, object], key: str, where: str) -> tuple[str, ...]:
    value = table.get(key, [])
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise UsageError(f'{where}: {key} is a name or a list of names: write {key} = "…"')
    return tuple(" ".join(one.split()) for one in listed)


RETYPES = ("character", "group", "location", "object")
_TAKES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # what each kind needs, and may have
    "merge": (("who", "into"), ()),
    "split": (("who", "names"), ("into", "from_chapter")),
    "rename": (("who", "to"), ("from_chapter",)),
    "retype": (("who", "to"), ()),
    "not_a_character": (("who",), ()),
}
KINDS = tuple(_TAKES)
_LONGEST = 200


def surface_key(surface: str) -> str:
    """A surface as it is compared: in lower case, white space as single blanks, apostrophes straight."""
    return " ".join(surface.casefold().replace("\u2019", "'").split())


def uses(text: str, name: str) -> bool:
    """Does the text, its white space as single blanks, hold the name as it is written, in whole words?
    Apostrophes may be straight or curled."""
    text, name = (said.replace("\u2019", "'") for said in (text, name))
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction. ``who`` are names of the entity it is about; ``into`` those of the one it is merged
    into, or of the somebody else that a ``split`` gives ``names`` to; ``to`` is the name to show, or the
    kind (``RETYPES``). A ``split`` or ``rename`` with ``from_chapter`` holds from that chapter on."""

    kind: str
    who: tuple[str, ...]
    names: tuple[str, ...] = ()
    into: tuple[str, ...] = ()
    to: str = ""
    from_chapter: int | None = None

    @property
    def id(self) -> str:
        """Eight hex digits that stand for what it says."""
        said = [self.kind, self.who, self.names, self.into, self.to, self.from_chapter]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:8]

    @property
    def since(self) -> int:
        """The first chapter in which it holds; 0 where none is given."""
        return self.from_chapter or 0

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Every name in it that must be the text's."""
        return (*self.who, *self.names, *self.into)

    @property
    def words(self) -> str:
        """The correction in a sentence."""
        who, names, into = (", ".join(map(repr, each)) for each in (self.who, self.names, self.into))
        since = f" from chapter {self.from_chapter} on" if self.from_chapter is not None else ""
        match self.kind:
            case "merge":
                return f"{self.who[0]!r} is {self.into[0]!r}"
            case "split":
                return f"{names}: not {self.who[0]!r}, but {into or 'somebody else'}{since}"
            case "rename":
                return f"{who}: shown as {self.to!r}{since}"
            case "retype":
                return f"{who}: of the kind {self.to}"
        return f"{who}: not a character, nothing is told of it"

    def problem(self) -> str:
        """What is wrong with it by itself, with the way out; empty where nothing is."""
        if self.kind not in KINDS:
            return f"{self.kind!r} is no kind of correction: use one of {', '.join(KINDS)}"
        needs, may = _TAKES[self.kind]
        given = {key for key in ("who", "names", "into", "to") if getattr(self, key)}
        given |= {"from_chapter"} if self.from_chapter is not None else set()
        wrong = [f"needs {key}" for key in needs if key not in given]
        wrong += [f"has no {key}" for key in sorted(given) if key not in needs + may]
        if wrong:
            return f"{self.kind} {wrong[0]}: it takes {', '.join(needs + may)}"
        for name in (*self.surfaces, *((self.to,) if self.to else ())):
            if not name.strip() or not name.isprintable() or len(name) > _LONGEST:
                return f"{name[:40]!r} is no name: write one line of at most {_LONGEST} characters"
        if self.from_chapter is not None and self.from_chapter < 1:
            return f"there is no chapter {self.from_chapter}: chapters count from 1"
        if self.kind == "retype" and self.to not in RETYPES:
            return f"{self.to!r} is no kind: use one of {', '.join(RETYPES)}"
        return ""


@dataclass(frozen=True, slots=True)
class Pin:
    """From chapter ``since`` on a surface means the entity of ``group``. ``own`` says that it is taken from
    somebody else: it is the group's, whomever else the name would fit."""

    group: int
    since: int
    own: bool


@dataclass(frozen=True)
class Corrections:
    """In the author's order, none of them wrong by itself or against another: :meth:`of` makes sure.
    ``lines`` are the lines of a file they stand in, 0 where there is none."""

    entries: tuple[Correction, ...] = ()
    lines: tuple[int, ...] = field(default=(), compare=False)
    source: str = field(default="corrections", compare=False)

    @classmethod
    def of(
        cls, entries: Sequence[Correction], *, lines: Sequence[int] = (), source: str = "corrections"
    ) -> Corrections:
        """Raises UsageError, with the place and the way out, for a correction that is wrong or that says
        against another."""
        made = cls(tuple(entries), tuple(lines) or (0,) * len(entries), source)
        for number, one in enumerate(made.entries):
            if problem := one.problem():
                raise made.error(number, problem)
        for number, one in enumerate(made.entries):
            made._check(number, one)
        return made

    def __bool__(self) -> bool:
        return bool(self.entries)

    @property
    def key(self) -> str:
        """A digest of all that they say; empty where there are none."""
        told = "".join(one.id for one in self.entries)
        return hashlib.sha256(told.encode()).hexdigest() if told else ""

    def postponed(self, place: Callable[[int], int]) -> Corrections:
        """The same where books changed their order: what held from a chapter on holds from the one that
        ``place`` gives for it. Raises UsageError where two would say against each other then."""
        since = [one.from_chapter for one in self.entries]
        moved = [None if chapter is None else place(chapter) for chapter in since]
        entries = [replace(one, from_chapter=to) for one, to in zip(self.entries, moved, strict=True)]
        try:
            return Corrections.of(entries, source=self.source)
        except UsageError as error:
            raise UsageError(f"in the new order of the books two corrections would clash: {error}") from error

    def error(self, number: int, problem: str) -> UsageError:
        """What is wrong with the correction of that number, with its place."""
        return UsageError(f"{self.source}, {self.place(number)}: {problem}")

    def place(self, number: int) -> str:
        """Its line, or which it is, counted from 1."""
        return f"line {self.lines[number]}" if self.lines[number] else f"correction {number + 1}"

    def find(self, id: str) -> int:
        """The number of the correction with that id. Raises UsageError where there is none."""
        ids = [one.id for one in self.entries]
        if id in ids:
            return ids.index(id)
        raise UsageError(f"there is no correction {id[:40]!r}: the list of corrections shows their ids")

    @cached_property
    def pins(self) -> dict[str, tuple[Pin, ...]]:
        """Whom a surface means by the author's word, by :func:`surface_key`, the earliest chapter first."""
        told, groups = list(self._with("merge", "split")), self._groups
        keys = (surface_key(name) for _, one in told for name in (*one.who, *one.into))
        found = [(key, Pin(groups[key], 0, own=False)) for key in keys]
        found += [
            (surface_key(name), Pin(groups[number], one.since, own=True))
            for number, one in told
            for name in one.names
        ]
        pins = gathered(found)
        return {key: tuple(sorted(set(some), key=lambda p: (p.since, p.own))) for key, some in pins.items()}

    @cached_property
    def named(self) -> frozenset[str]:
        """All names of entities in them, by :func:`surface_key`."""
        return frozenset(surface_key(name) for one in self.entries for name in one.surfaces)

    @cached_property
    def dropped(self) -> frozenset[str]:
        """The names of nobody."""
        return frozenset(surface_key(name) for _, one in self._with("not_a_character") for name in one.who)

    @cached_property
    def people(self) -> frozenset[str]:
        """The names that are told to be those of characters."""
        retyped = (one for _, one in self._with("retype") if one.to == EntityKind.CHARACTER)
        return frozenset(surface_key(name) for one in retyped for name in one.who)

    @cached_property
    def shown(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the renames and retypes that speak of a name."""
        told = self._with("rename", "retype")
        keys = ((key, n) for n, one in told for key in dict.fromkeys(map(surface_key, one.who)))
        return {key: tuple(numbers) for key, numbers in gathered(keys).items()}

    @cached_property
    def apart(self) -> frozenset[frozenset[int]]:
        """Pairs of groups that are never one."""
        return frozenset(
            frozenset({self._groups[number], self._groups[surface_key(name)]})
            for number, one in self._with("split")
            for name in one.who
        )

    @cached_property
    def _groups(self) -> dict[str | int, int]:
        """The group of each surface that is pinned, and of the somebody else of each split (by number)."""
        from networkx.utils import UnionFind

        joined = UnionFind()
        for number, one in self._with("merge", "split"):
            who, names, into = (list(map(surface_key, each)) for each in (one.who, one.names, one.into))
            same: list[str | int] = [*who, *into]
            if one.kind == "split":
                joined.union(*who)
                same = [number, *into, *(names if one.from_chapter is None else ())]
            joined.union(*same)
        nodes = list(joined)
        tops = {node: number for number, node in enumerate(dict.fromkeys(joined[node] for node in nodes))}
        return {node: tops[joined[node]] for node in nodes}

    def _with(self, *kinds: str) -> Iterator[tuple[int, Correction]]:
        return ((number, one) for number, one in enumerate(self.entries) if one.kind in kinds)

    def _check(self, number: int, one: Correction) -> None:
        """Raises UsageError where the correction says against itself or an earlier one."""
        if one.kind == "merge" and _shared(one.who, one.into):
            raise self.error(number, f"{one.who[0]!r} is merged into itself: name another in into")
        if one.kind == "split" and self._groups[number] == self._groups[surface_key(one.who[0])]:
            way = "name others, or from which chapter on (from_chapter)"
            merged = [n for n, other in self._with("merge") if _shared(other.surfaces, one.surfaces)]
            if merged:
                way = f"{self.place(merged[0])} makes them one: take one of the two out"
            raise self.error(number, f"{one.names[0]!r} cannot be split from {one.who[0]!r}: {way}")
        for earlier in range(number):
            if clash := self._clash(self.entries[earlier], one):
                raise self.error(number, f"{clash} in {self.place(earlier)}: take one of the two out")

    def _clash(self, one: Correction, other: Correction) -> str:
        """What in ``one`` says against the ``other``; empty where nothing does."""
        if one == other:
            return "the same stands"
        shared = _shared(one.surfaces, other.surfaces)
        if shared and "not_a_character" in (one.kind, other.kind):
            also = " too" if one.kind == other.kind else ", and is somebody"
            return f"{shared!r} is told to be nobody{also}"
        if one.kind != other.kind or one.since != other.since:
            return ""
        if one.kind == "split":
            given = _shared(one.names, other.names)
            return f"{given!r} is given to somebody else" if given else ""
        groups = {self._groups.get(key, key) for key in map(surface_key, one.who)}
        named = next((n for n in other.who if self._groups.get(k := surface_key(n), k) in groups), "")
        what = {"rename": "shown under another name", "retype": "of another kind"}.get(one.kind)
        return f"{named!r} is {what}" if named and what else ""


def _shared(one: Sequence[str], other: Sequence[str]) -> str:
    """A name that stands in both; empty where there is none."""
    keys = set(map(surface_key, other))
    return next((name for name in one if surface_key(name) in keys), "")
