"""A story bible (headings, lists, ``Key: value`` lines, paragraphs) as the draft of a codex, for its author
to look over. Read by its form alone: what a form does not place is listed, never guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import yaml

from ...errors import DocumentError
from .codex import Codex
from .terms import LaidDown, laid_down

__all__ = ["BibleDraft", "Unplaced", "bible_draft"]

_LONGEST = 1_000_000  # characters
_DEEPEST = 6  # of headings
_QUOTED = 90  # characters of a line in a comment
_MOST_NAME = 6  # words
_SECTIONS = MappingProxyType(
    {
        word: kind
        for kind, words in (
            ("characters", "character characters cast people persons protagonists antagonists"),
            ("places", "place places location locations setting settings geography"),
            ("groups", "group groups faction factions organisation organisations organization organizations"),
            ("things", "thing things item items object objects artefacts artifacts"),
            ("rules", "rule rules law laws magic world worldbuilding"),
        )
        for word in words.split()
    }
)
_KEYS = MappingProxyType(
    {
        "gender": "gender", "sex": "gender", "pronouns": "gender",
        "aka": "aliases", "alias": "aliases", "aliases": "aliases", "also known as": "aliases",
        "nickname": "aliases", "nicknames": "aliases",
        "occupation": "profession", "job": "profession", "profession": "profession",
        "handedness": "hand", "members": "members",
    }
)  # fmt: skip
_PRONOUNS = MappingProxyType({"she/her": "f", "he/him": "m"})
_SMALL = frozenset("of the and in on at by de du la le von van der den di da".split())
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_CAPITALS = re.compile(r"^[A-Z][A-Z &/'-]{2,40}:?$")
_ITEM = re.compile(r"^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$")
_PAIR = re.compile(r"^\**([^:*]{1,60}?)\**\s*(?::\**|\s[—–]|\s-)\s+(.+)$")
_BARE = re.compile(r"^\**([^:*]{1,60}?)\**:\**$")
_ASIDE = re.compile(r"\s*\(([^()]{1,80})\)")
_MARKS = re.compile(r"[*_`]{1,3}")


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A line of the bible (from 1) that no form places."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class BibleDraft:
    """``text`` is a codex in YAML, each entry below the lines it was made of, as comments; ``entries`` counts
    them by section; ``unplaced`` lines stand in no entry."""

    text: str
    entries: tuple[tuple[str, int], ...]
    unplaced: tuple[Unplaced, ...]


@dataclass(slots=True)
class _Entry:
    kind: str
    name: str
    lines: list[tuple[int, str]]
    fields: dict[str, Any] = field(default_factory=dict)
    traits: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)


def bible_draft(text: str) -> BibleDraft:
    """The draft. A section is a heading that says what is below it (Characters, Places, Groups, Things,
    Rules); in it an entry is a heading further in, or a line like ``Name: …`` or ``- Name — …``. Below an
    entry ``Key: value`` is a trait of the codex where it can be one; all else is its description. In rules
    every item or paragraph is one. Raises DocumentError for a text that is too long."""
    if len(text) > _LONGEST:
        raise DocumentError(f"the bible has {len(text):,} characters: import it in parts of {_LONGEST:,}")
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        reader.take(number, line)
    entries = _settled(reader.entries)
    made = _yaml(entries, reader.unplaced)
    Codex.parse(made)  # the draft can be checked
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry.kind] = counts.get(entry.kind, 0) + 1
    return BibleDraft(made, tuple(sorted(counts.items())), tuple(reader.unplaced))


class _Reader:
    """Takes lines in order; what was opened last is gone on with."""

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self.unplaced: list[Unplaced] = []
        self._kind = ""
        self._level = 0  # of the section's heading
        self._entry: _Entry | None = None
        self._by_heading = False
        self._after_blank = False

    def take(self, number: int, line: str) -> None:
        plain = line.strip()
        if not plain or set(plain) <= set("-=*_ "):
            if not self._by_heading:
                self._entry = None
            self._after_blank = True
            return
        self._placed(number, line, plain)
        self._after_blank = False

    def _placed(self, number: int, line: str, plain: str) -> None:
        heading = _HEADING.match(plain)
        if heading:
            self._headed(number, _clean(heading[2]), len(heading[1]))
        elif _CAPITALS.match(plain) and _section(plain):
            self._open(_section(plain), _DEEPEST)
        elif self._kind == "rules":
            self._ruled(number, plain)
        elif self._kind:
            self._lined(number, line)
        else:
            self.unplaced.append(Unplaced(number, plain))

    def _headed(self, number: int, title: str, level: int) -> None:
        kind = _section(title)
        if kind and (level <= self._level or not self._kind):
            self._open(kind, level)
        elif self._kind and level > self._level and self._kind != "rules" and _is_name(title):
            self._begin(number, title, title, by_heading=True)
        elif not (self._kind and level > self._level):
            self._open("", level)
            self.unplaced.append(Unplaced(number, title))
        else:
            self._entry = None  # a heading inside the rules: they go on below it

    def _open(self, kind: str, level: int) -> None:
        self._kind, self._level, self._entry, self._by_heading = kind, level, None, False

    def _begin(self, number: int, name: str, line: str, *, by_heading: bool) -> None:
        aside = _ASIDE.search(name)
        self._entry = _Entry(self._kind, _ASIDE.sub("", name).strip(), [(number, line)])
        if aside:
            self._entry.said.append(aside[1])
        self.entries.append(self._entry)
        self._by_heading = by_heading

    def _ruled(self, number: int, plain: str) -> None:
        item = _ITEM.match(plain)
        words = _clean(item[2] if item else plain)
        if item is None and self._entry is not None:  # a paragraph goes on
            self._entry.name += f" {words}"
            self._entry.lines.append((number, plain))
            return
        if not re.search(r"\w", words):
            self.unplaced.append(Unplaced(number, plain))
            return
        self._entry = _Entry("rules", words, [(number, plain)])
        self.entries.append(self._entry)

    def _lined(self, number: int, line: str) -> None:
        item = _ITEM.match(line)
        words = (item[2] if item else line).strip()
        pair, bare = _PAIR.match(words), _BARE.match(words)
        inside = self._entry is not None and (self._by_heading or (item is not None and len(item[1]) > 0))
        if pair and item is None and self._begins_another(_clean(pair[1]), words):
            inside = False
        if inside and self._entry is not None:
            self._entry.lines.append((number, words))
            self._about(self._entry, pair, words)
        elif pair and self._entry is not None and _field(self._entry, _key(_clean(pair[1])), _clean(pair[2])):
            self._entry.lines.append((number, words))
        elif (named := pair or bare) and self._names(_clean(named[1]), listed=item is not None):
            name = _clean(named[1])
            self._begin(number, name, words, by_heading=False)
            if pair and self._entry is not None:
                self._entry.said.append(_clean(pair[2]))
        elif _is_name(_clean(words)):
            self._begin(number, _clean(words), words, by_heading=False)
        elif self._entry is not None:
            self._entry.lines.append((number, words))
            self._about(self._entry, pair, words)
        else:
            self.unplaced.append(Unplaced(number, words))

    def _begins_another(self, name: str, words: str) -> bool:
        """Below a heading's entry: a name in bold, wherever it stands, or one of several words with a dash
        behind it after a blank line."""
        if not _is_name(name):
            return False
        dashed = not words[len(name) :].lstrip("*").startswith(":")
        return words.startswith("**") or (self._after_blank and dashed and len(name.split()) > 1)

    def _names(self, words: str, *, listed: bool) -> bool:
        """A thing, a place or a group in a list may be written small."""
        small = listed and self._kind in ("things", "places", "groups")
        return _is_name(words) or (small and 0 < len(words.split()) <= _MOST_NAME)

    def _about(self, entry: _Entry, pair: re.Match[str] | None, words: str) -> None:
        """A trait or another field where the line is one, else more of the description."""
        if pair is None or not _field(entry, _clean(pair[1]).casefold(), _clean(pair[2])):
            entry.said.append(_clean(words))


def _field(entry: _Entry, key: str, value: str) -> bool:
    key = _KEYS.get(key, key)
    listed = [part.strip() for part in re.split(r"[,;/]| and ", value) if part.strip()]
    if key == "aliases":
        entry.fields.setdefault("aliases", []).extend(one for one in listed if one != entry.name)
        return True
    if key == "members" and entry.kind == "groups":
        entry.fields["members"] = listed
        return True
    if entry.kind != "characters":
        return False
    if key == "gender":
        said = _PRONOUNS.get(value.casefold(), value.casefold())
        known = said in ("f", "m", "female", "male", "woman", "man", "girl", "boy", "she", "he")
        if known:
            entry.fields["gender"] = said
        return known
    told = laid_down(key, value)
    if isinstance(told, LaidDown) and key not in entry.traits:
        entry.traits[key] = value
        return True
    return False


def _section(title: str) -> str:
    """What a heading says is below it; nothing where it says two things, or is too long to say one."""
    words = re.findall(r"[a-z]+", title.casefold())
    kinds = {_SECTIONS[word] for word in words if word in _SECTIONS}
    return kinds.pop() if len(kinds) == 1 and len(words) <= 4 else ""


def _is_name(words: str) -> bool:
    """Few words, each with a capital but for the smallest."""
    bare = _ASIDE.sub("", words).strip()
    parts = bare.split()
    capitals = all(part[0].isupper() or part in _SMALL for part in parts)
    return (
        bool(parts) and len(parts) <= _MOST_NAME and bare[0].isupper() and capitals and bare[-1] not in "!?,;"
    )


def _clean(words: str) -> str:
    return " ".join(_MARKS.sub("", words).split())


def _settled(entries: list[_Entry]) -> list[_Entry]:
    """Two of one name and kind are one; no two else share a name, and members are characters of the draft:
    what does not fit goes to the description."""
    found: dict[tuple[str, str], _Entry] = {}
    for entry in entries:
        first = found.setdefault((entry.kind, _key(entry.name)), entry)
        if first is not entry and entry.kind != "rules":
            first.lines += entry.lines
            first.said += entry.said
            first.traits = entry.traits | first.traits
            first.fields = entry.fields | first.fields
    kept = list(found.values())
    taken: set[str] = set()
    for entry in kept:
        if entry.kind != "rules":
            if _key(entry.name) in taken:
                entry.name = f"{entry.name} ({entry.kind.removesuffix('s')})"
            taken.add(_key(entry.name))
    people = {_key(entry.name) for entry in kept if entry.kind == "characters"}
    for entry in kept:
        for field_, label in (("aliases", "Also called"), ("members", "Members")):
            given = list(dict.fromkeys(entry.fields.pop(field_, [])))
            fit = [
                one
                for one in given
                if (_key(one) in people if field_ == "members" else _key(one) not in taken)
            ]
            if field_ == "aliases":
                taken |= {_key(one) for one in fit}
            if fit:
                entry.fields[field_] = fit
            if rest := [one for one in given if one not in fit]:
                entry.said.append(f"{label}: {', '.join(rest)}")
    return kept


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def _yaml(entries: list[_Entry], unplaced: list[Unplaced]) -> str:
    lines = ["# A draft, made of a story bible by its form. Look it over before you use it.", "title: Codex"]
    for kind in ("characters", "places", "groups", "things", "rules"):
        of_kind = [entry for entry in entries if entry.kind == kind]
        if not of_kind:
            continue
        lines.append(f"{kind}:")
        for entry in of_kind:
            lines += [f"  # {number}: {_comment(text)}" for number, text in entry.lines]
            dumped = yaml.safe_dump([_written(entry)], allow_unicode=True, sort_keys=False, width=100)
            lines += [f"  {line}" for line in dumped.splitlines()]
    if unplaced:
        lines.append("# Not placed:")
        lines += [f"#   {one.line}: {_comment(one.text)}" for one in unplaced]
    return "\n".join(lines) + "\n"


def _written(entry: _Entry) -> Any:
    if entry.kind == "rules":
        return entry.name.rstrip(".")
    made: dict[str, Any] = {"name": entry.name, **entry.fields}
    if entry.said:
        made["description"] = " ".join(one if one[-1:] in ".!?" else f"{one}." for one in entry.said if one)
    if entry.traits:
        made["traits"] = entry.traits
    return made


def _comment(text: str) -> str:
    plain = "".join(letter for letter in text if letter.isprintable())
    return plain if len(plain) <= _QUOTED else plain[:_QUOTED].rsplit(" ", 1)[0] + " …"
