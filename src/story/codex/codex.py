"""The codex: what an author lays down about a story before and beside its text.

It enters the story's log as canon: people, places, traits and facts with confidence 1 and the origin
``"codex"``, told at the chapter it is valid from (0, before the story, where none is given). The codex is a
document of its own, so its quotes stand in it as any others do in theirs. Rules of the world are kept in
words for writers; those in the closed form (``never``, ``only``, ``always``) are laws that are checked too.
"""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ...core.types import Chapter, Document, Evidence, Horizon, Note, Span
from ..lexicon.words import BUILDS, EYE_COLOURS, HAIR_COLOURS, HANDS
from ..model.predicates import PREDICATES
from ..model.types import (
    CODEX_ID,
    EntityKind,
    EntityMention,
    EventTold,
    Fact,
    Interval,
    LawTold,
    Modality,
    Open,
    Relation,
    StoryLog,
    Time,
    quotes_of,
)
from ..names.spelling import slug_of

if TYPE_CHECKING:
    from .file import Character, CodexFile, Life, Path, Place, Rule
    from .file import Fact as WrittenFact

KINDS = ("never", "only", "always")
ANYBODY = "anybody"
_NUMBERS = frozenset({"age", "born", "siblings", "children"})


def _values(*tables: Mapping[str, str]) -> Mapping[str, str]:
    merged = {word: family for table in tables for word, family in table.items()}
    return MappingProxyType(merged | {family: family for family in merged.values()})


_VALUES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "eyes": _values(EYE_COLOURS),
        "hair": _values(HAIR_COLOURS, {"bald": "bald"}),
        "hand": _values(HANDS),
        "height": _values({word: value for word, (aspect, value) in BUILDS.items() if aspect == "height"}),
    }
)
_FREE = frozenset({"birthplace", "home", "trade", "mark", "allergy", "cannot", "diet"})
_ALSO = MappingProxyType({"profession": "trade", "occupation": "trade"})
_ASPECTS = (*_VALUES, *sorted(_NUMBERS), *sorted(_FREE))


_SHADES = r"(?:(?:very|a|an|clear|bright|deep|dark|light|pale|of|quite) )*"
_PLAIN: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("eyes", re.compile(rf"\beyes (?:are|were) {_SHADES}([a-z]+)\b(?! (?:with|from))", re.IGNORECASE)),
    ("eyes", re.compile(r"\b(?:has|had|with) (?:[a-z]+, )?([a-z]+) eyes\b", re.IGNORECASE)),
    ("eyes", re.compile(r"\b([a-z]+)-eyed\b", re.IGNORECASE)),
    ("hair", re.compile(rf"\bhair (?:is|was) {_SHADES}([a-z]+)\b", re.IGNORECASE)),
    ("hair", re.compile(r"\b(?:has|had|with) (?:[a-z]+, )?([a-z]+) hair\b", re.IGNORECASE)),
    ("hair", re.compile(r"\b([a-z]+)-haired\b", re.IGNORECASE)),
    ("hand", re.compile(r"\b(left|right)-handed\b", re.IGNORECASE)),
    ("age", re.compile(r"\b(\d{1,3}) years old\b", re.IGNORECASE)),
    ("birthplace", re.compile(r"\b(?:[Bb]orn (?:in|at)|[Nn]ative of) ((?:[A-Z][\w.]+ ?)+)")),
)  # fmt: skip


def laid_down(aspect: str, written: str) -> tuple[str, str]:
    """A trait of the codex as the aspect and value of a fact, colours by family ("auburn" is "red"). Raises
    ValueError, which says what to write, for what is none."""
    name, said = aspect.strip().casefold(), " ".join(written.casefold().split())
    name = _ALSO.get(name, name)
    if name in _NUMBERS and not said.isdigit():
        raise ValueError(f"{aspect} is a number, not {written!r}")
    if name in _NUMBERS or name in _FREE:
        return name, said
    table = _VALUES.get(name)
    if table is None:
        near = difflib.get_close_matches(name, _ASPECTS, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else f"use one of {', '.join(_ASPECTS)}"
        raise ValueError(f"there is no trait {aspect!r}: {hint}")
    families = [table[part] for part in said.replace("-", "/").split("/") if part in table]
    if not families:
        known = ", ".join(sorted(set(table.values())))
        raise ValueError(
            f"{aspect} cannot be {written!r}: use one of {known}, or leave it to the description"
        )
    return name, "/".join(dict.fromkeys(families))


def described(description: str) -> Iterator[tuple[str, str]]:
    """The traits that a description says in plain words ("Her eyes are green", "red-haired", "born in
    Leeds") as aspect and value, one an aspect; nothing of an aspect for which it names two values."""
    found: dict[str, set[str]] = {}
    for aspect, pattern in _PLAIN:
        for match in pattern.finditer(description):
            with suppress(ValueError):
                found.setdefault(aspect, set()).add(laid_down(aspect, match.group(1))[1])
    yield from ((aspect, values.pop()) for aspect, values in sorted(found.items()) if len(values) == 1)


def in_words(kind: str, who: Sequence[str], does: str) -> str:
    """The law as a sentence for a writer."""
    names = " and ".join(who)
    if kind == "only":
        return f"Only {names} may {does}"
    if kind == "always":
        return f"{names[:1].upper()}{names[1:]}: always {does}"
    if names.casefold() == ANYBODY:
        return f"Nobody may {does}"
    return f"{names[:1].upper()}{names[1:]}: never {does}"


_TABLES = (
    ("characters", EntityKind.CHARACTER),
    ("places", EntityKind.LOCATION),
    ("groups", EntityKind.GROUP),
    ("things", EntityKind.OBJECT),
)
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_PLACES = frozenset({"LOCATED_AT", "LIVES_IN", "COMES_FROM"})
_BY_WORDS = {
    words: row.name
    for row in PREDICATES.values()
    for words in (
        row.name.casefold().replace("_", " "),
        row.phrase,
        row.phrase.removeprefix("is ").removeprefix("a "),
    )
}


@dataclass(frozen=True, slots=True)
class WorldRule:
    """A rule or fact in words, and the chapters (inclusive) it is valid for; None where it has no end."""

    text: str
    from_chapter: int
    until_chapter: int | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Codex:
    """``log`` holds the canon in order of telling; all its evidence names the document :data:`CODEX_ID`.

    ``descriptions`` are (entity id, words, evidence).
    """

    document: Document
    log: StoryLog
    rules: tuple[WorldRule, ...] = ()
    descriptions: tuple[tuple[str, str, Evidence], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Codex:
        """Reads a codex in YAML or JSON. Raises DocumentError that gives the line and says what to do."""
        from .file import CodexFile

        return _Builder(CodexFile.parse(text)).build()

    def rules_at(self, horizon: Horizon) -> tuple[WorldRule, ...]:
        """The rules that a reader at the horizon knows of and that are not over by then."""
        last = horizon.chapter
        return tuple(
            rule
            for rule in self.rules
            if horizon.admits(rule.from_chapter)
            and (rule.until_chapter is None or (last is not None and last <= rule.until_chapter))
        )

    def constraints(self, horizon: Horizon) -> tuple[Note, ...]:
        """The rules at the horizon as notes for a writer."""
        return tuple(
            Note("constraint", rule.text.rstrip(".") + ".", (), (rule.evidence,))
            for rule in self.rules_at(horizon)
        )


class _Builder:
    def __init__(self, file: CodexFile) -> None:
        self._file, self._content = file, file.content
        chapter = Chapter(0, "before the story", Span(0, 0), Span(0, len(file.text)))
        self._document = Document(CODEX_ID, file.content.title, file.text, (chapter,))
        self._ids: dict[str, str] = {}
        self._kinds: dict[str, EntityKind] = {}
        self._told: defaultdict[str, list[Any]] = defaultdict(list)  # records by table of the log
        self._rules: list[WorldRule] = []
        self._descriptions: list[tuple[str, str, Evidence]] = []

    def build(self) -> Codex:
        for table, kind in _TABLES:
            for number, entry in enumerate(getattr(self._content, table)):
                self._tell_names(entry, kind, (table, number))
        for number, character in enumerate(self._content.characters):
            self._tell_character(character, ("characters", number))
        for number, fact in enumerate(self._content.facts):
            self._tell_fact(fact, ("facts", number))
        for number, rule in enumerate(self._content.rules):
            self._tell_rule(rule, ("rules", number))

        def place(record: Any) -> tuple[int, Span]:
            return record.told, quotes_of(record)[0].span

        log = StoryLog(**{table: tuple(sorted(rows, key=place)) for table, rows in self._told.items()})
        return Codex(self._document, log, tuple(self._rules), tuple(self._descriptions))

    # --- names -----------------------------------------------------------------------------------

    def _tell_names(self, entry: Place, kind: EntityKind, path: Path) -> None:
        entity, told = slug_of(entry.name, self._kinds), entry.from_chapter or 0
        self._kinds[entity] = kind
        written = [(entry.name, told, path)]
        for number, alias in enumerate(entry.aliases):
            written.append((alias.name, max(told, alias.from_chapter or 0), (*path, "aliases", number)))
        for name, since, at in written:
            place = (*at, "name") if self._file.has(*at, "name") else at
            owner = self._ids.setdefault(name.casefold(), entity)
            if owner != entity:
                raise self._file.error(
                    f"{name!r} is already {owner!r}: give each name to one of them, or both a longer one",
                    *place,
                )
            quote, gender = self._evidence(since, *place), getattr(entry, "gender", "")
            self._told["mentions"].append(EntityMention(entity, kind, name, since, quote, gender))
        if entry.description:
            quote = self._evidence(told, *path, "description")
            self._descriptions.append((entity, entry.description, quote))
            said = described(entry.description) if kind is EntityKind.CHARACTER else ()
            for aspect, value in said:
                if aspect not in getattr(entry, "traits", {}):
                    self._fact(entity, aspect, value, quote)

    def _known(self, name: str, *path: str | int) -> str:
        entity = self._ids.get(name.casefold())
        if entity is None:
            near = difflib.get_close_matches(name.casefold(), self._ids, n=1, cutoff=0.6)
            hint = (
                f"did you mean {near[0]!r}?" if near else "name it under characters, places, groups or things"
            )
            raise self._file.error(f"nothing in the codex is called {name!r}: {hint}", *path)
        return entity

    # --- facts -----------------------------------------------------------------------------------

    def _tell_character(self, character: Character, path: Path) -> None:
        entity, since = self._ids[character.name.casefold()], character.from_chapter or 0
        for number, tie in enumerate(character.relations):
            place = (*path, "relations", number)
            predicate = self._predicate(tie.predicate, *place, "predicate")
            other, told = self._known(tie.to, *place, "to"), max(since, tie.from_chapter or 0)
            self._tell(entity, predicate, other, told, tie.until_chapter, place)
        for aspect, written in character.traits.items():
            quote = self._evidence(since, *path, "traits", aspect)
            try:
                self._fact(entity, *laid_down(aspect, str(written)), quote)
            except ValueError as error:
                raise self._file.error(str(error), *path, "traits", aspect) from None
        if character.birth is not None:
            self._tell_life(entity, since, character.birth, "bear", (*path, "birth"))
        if character.death is not None:
            if character.death.chapter is None:
                raise self._file.error(
                    "say in which chapter: death: {chapter: 12}, with 0 for before the story", *path, "death"
                )
            self._tell_life(entity, since, character.death, "die", (*path, "death"))

    def _fact(self, entity: str, aspect: str, value: str, quote: Evidence) -> None:
        told = Fact(entity, aspect, value, (quote,), origin=CODEX_ID, told=quote.chapter)
        self._told["facts"].append(told)

    def _tell_fact(self, fact: WrittenFact, path: Path) -> None:
        if fact.text:
            if fact.subject or fact.predicate or fact.object:
                raise self._file.error("a fact is either text, or subject, predicate and object", *path)
            self._add_rule(fact.text, fact, path)
            return
        if not (fact.subject and fact.predicate):
            raise self._file.error("a fact needs a subject and a predicate (or text)", *path)
        predicate = self._predicate(fact.predicate, *path, "predicate")
        subject = self._known(fact.subject, *path, "subject")
        if not fact.object and predicate != "DIES":
            raise self._file.error(f"{predicate} needs an object", *path)
        other = self._known(fact.object, *path, "object") if fact.object else subject
        self._tell(subject, predicate, other, fact.from_chapter or 0, fact.until_chapter, path)

    def _tell(
        self, subject: str, predicate: str, other: str, told: int, until: int | None, path: Path
    ) -> None:
        self._check(subject, predicate, other, told, until, path)
        row, quote = PREDICATES[predicate], self._evidence(told, *path)
        if not row.lasting:
            dies = predicate == "DIES"
            cast = (("patient", subject),) if dies else (("agent", subject), ("patient", other))
            self._event(predicate, cast, quote)
            return
        always = row.permanent
        holds = Interval(Open.UNBOUNDED, Open.UNBOUNDED) if always else Interval(told)
        holding = Relation(subject, predicate, other, holds, told, (quote,), 1.0, origin=CODEX_ID)
        self._told["relations"].append(holding)
        if until is not None and not always:
            # that it ends is told where it is over: a reader before must not know
            after, over = self._evidence(until + 1, *path), Interval(told, until)
            self._told["relations"].append(
                replace(holding, holds=over, told=until + 1, evidence=(after,), modality=Modality.FLASHBACK)
            )

    def _check(
        self, subject: str, predicate: str, other: str, told: int, until: int | None, path: Path
    ) -> None:
        kind = self._kinds[other]
        if until is not None and until < told:
            raise self._file.error(f"it ends in chapter {until}, before it begins in {told}", *path)
        if self._kinds[subject] not in _PEOPLE:
            raise self._file.error(f"the subject of {predicate} is a character or a group", *path)
        if predicate in _PLACES and kind is not EntityKind.LOCATION:
            raise self._file.error(f"{predicate} leads to a place: name one under places", *path)
        if predicate not in (*_PLACES, "OWNS", "LEAVES") and kind not in _PEOPLE:
            raise self._file.error(f"{predicate} leads to a character or a group", *path)
        if subject == other and predicate != "DIES":
            raise self._file.error(f"{predicate} cannot lead back to its own subject", *path)

    def _tell_life(self, entity: str, since: int, life: Life, verb: str, path: Path) -> None:
        told = max(since, life.chapter or 0)
        cast: list[tuple[str, str]] = [("patient", entity)]
        if life.place:
            place = self._known(life.place, *path, "place")
            if self._kinds[place] is not EntityKind.LOCATION:
                raise self._file.error(f"{life.place!r} is not a place", *path, "place")
            cast.append(("place", place))
        quote = self._evidence(told, *path)
        event = self._event("DIES" if verb == "die" else "DOES", tuple(cast), quote, verb=verb)
        if life.date:
            dated = self._evidence(told, *path, "date") if self._file.has(*path, "date") else quote
            self._told["times"].append(Time("date", life.date, dated, event=event, told=told))

    def _event(
        self, predicate: str, cast: tuple[tuple[str, str], ...], quote: Evidence, *, verb: str = ""
    ) -> str:
        told = quote.chapter
        holds = Interval(told or Open.UNKNOWN, Open.UNBOUNDED if PREDICATES[predicate].permanent else told)
        event = f"codex-event-{len(self._told['events']) + 1}"
        self._told["events"].append(
            EventTold(event, predicate, cast, told, holds, (quote,), verb=verb, origin=CODEX_ID)
        )
        return event

    def _tell_rule(self, rule: Rule, path: Path) -> None:
        laws = [(kind, law) for kind in KINDS if (law := getattr(rule, kind)) is not None]
        if len(laws) > 1 or not (laws or rule.text):
            raise self._file.error("a rule is text, or one of never, only and always", *path)
        text = rule.text
        for kind, law in laws:
            who = self._bound(kind, law.who, (*path, kind, "who"))
            text = text or in_words(kind, law.who, law.does)
            since = rule.from_chapter or 0
            quote = self._evidence(since, *path, kind)
            self._told["laws"].append(LawTold(kind, who, law.does, since, rule.until_chapter, (quote,)))
        self._add_rule(text, rule, path)

    def _bound(self, kind: str, names: list[str], path: Path) -> tuple[str, ...]:
        """Whom a law is for: those named, and the members of the groups among them."""
        if [name.casefold() for name in names] == [ANYBODY]:
            if kind != "never":
                raise self._file.error(f"{kind!r} needs the names of those it is for", *path)
            return ()
        found = [self._known(name, *path) for name in names]
        for group in self._content.groups:
            if self._ids[group.name.casefold()] in found:
                found += [self._known(name, *path) for name in group.members]
        return tuple(sorted(dict.fromkeys(found)))

    def _add_rule(self, text: str, held: Rule | WrittenFact, path: Path) -> None:
        first, until = held.from_chapter or 0, held.until_chapter
        if until is not None and until < first:
            raise self._file.error(f"it ends in chapter {until}, before it begins in {first}", *path)
        self._rules.append(WorldRule(text, first, until, self._evidence(first, *path)))

    def _predicate(self, words: str, *path: str | int) -> str:
        wanted = " ".join(words.casefold().replace("_", " ").split())
        found = _BY_WORDS.get(wanted)
        if found is None:
            near = difflib.get_close_matches(wanted, _BY_WORDS, n=1, cutoff=0.6)
            known = ", ".join(sorted(name for name, row in PREDICATES.items() if row.lasting))
            hint = (
                f"did you mean {_BY_WORDS[near[0]]}?" if near else f"use one of {known}, or give it as text"
            )
            raise self._file.error(f"{words!r} is not a predicate: {hint}", *path)
        return found

    def _evidence(self, told: int, *path: str | int) -> Evidence:
        return Evidence.of(self._document, told, self._file.span(*path))
