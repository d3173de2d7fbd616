"""The codex: what an author lays down about a story before and beside its text.

It enters the story's log as canon: people, places, traits and facts with confidence 1 and the origin
``"codex"``, told at the chapter it is valid from (0, before the story, where none is given). The codex is a
document of its own, so its quotes stand in it as any others do in theirs. Rules of the world are kept in
words for writers; those in the closed form (``never``, ``only``, ``always``) are laws that are checked too.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.types import Chapter, Document, Evidence, Horizon, Note, Span
from ..model.predicates import PREDICATES
from ..model.types import (
    CODEX_ID,
    EntityKind,
    EntityMention,
    EventTold,
    FactTold,
    Interval,
    LawTold,
    Modality,
    Open,
    Relation,
    StoryLog,
    TimeTold,
)
from .terms import ANYBODY, KINDS, Unreadable, described, in_words, laid_down

if TYPE_CHECKING:
    from .file import Character, CodexFile, Fact, Life, Rule, Tie

__all__ = ["CODEX_ID", "Codex", "WorldRule"]

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
        from ..names.slugs import Slugs

        self._file = file
        chapter = Chapter(0, "before the story", Span(0, 0), Span(0, len(file.text)))
        self._document = Document(CODEX_ID, file.content.title, file.text, (chapter,))
        self._ids: dict[str, str] = {}
        self._slugs = Slugs()
        self._kinds: dict[str, EntityKind] = {}
        self._mentions: list[EntityMention] = []
        self._relations: list[Relation] = []
        self._events: list[EventTold] = []
        self._times: list[TimeTold] = []
        self._facts: list[FactTold] = []
        self._laws: list[LawTold] = []
        self._rules: list[WorldRule] = []
        self._descriptions: list[tuple[str, str, Evidence]] = []

    def build(self) -> Codex:
        for table, kind in _TABLES:
            self._name_all(table, kind)
        for number, character in enumerate(self._file.content.characters):
            self._tell_character(character, number)
        for number, fact in enumerate(self._file.content.facts):
            self._tell_fact(fact, number)
        for number, rule in enumerate(self._file.content.rules):
            self._tell_rule(rule, number)
        log = StoryLog(
            mentions=tuple(sorted(self._mentions, key=lambda each: (each.told, each.evidence.span))),
            relations=tuple(sorted(self._relations, key=lambda each: (each.told, each.evidence[0].span))),
            events=tuple(sorted(self._events, key=lambda each: (each.told, each.evidence[0].span))),
            times=tuple(sorted(self._times, key=lambda each: (each.told, each.evidence.span))),
            facts=tuple(sorted(self._facts, key=lambda each: (each.told, each.evidence[0].span))),
            laws=tuple(sorted(self._laws, key=lambda each: (each.told, each.evidence[0].span))),
        )
        return Codex(self._document, log, tuple(self._rules), tuple(self._descriptions))

    # --- names -----------------------------------------------------------------------------------

    def _name_all(self, table: str, kind: EntityKind) -> None:
        for number, entry in enumerate(getattr(self._file.content, table)):
            path = (table, number)
            entity = self._slugs.fresh(entry.name)
            self._kinds[entity] = kind
            told = entry.from_chapter or 0
            gender = getattr(entry, "gender", "")
            self._add_name(entry.name, entity, kind, gender, told, path, "name")
            for order, alias in enumerate(entry.aliases):
                since = max(told, alias.from_chapter or 0)
                self._add_name(alias.name, entity, kind, gender, since, (*path, "aliases", order), "name")
            if entry.description:
                quote = self._evidence(told, *path, "description")
                self._descriptions.append((entity, entry.description, quote))
                if kind is EntityKind.CHARACTER:
                    self._tell_described(entity, entry, told, quote)

    def _tell_described(self, entity: str, entry: Character, told: int, quote: Evidence) -> None:
        """What the description says plainly, where no trait is written for it."""
        for each in described(entry.description):
            if each.aspect not in entry.traits:
                self._facts.append(FactTold(entity, each.aspect, each.value, told, (quote,), origin="codex"))

    def _add_name(
        self,
        name: str,
        entity: str,
        kind: EntityKind,
        gender: str,
        told: int,
        path: tuple[str | int, ...],
        key: str,
    ) -> None:
        place = (*path, key) if self._file.has(*path, key) else path
        owner = self._ids.setdefault(name.casefold(), entity)
        if owner != entity:
            raise self._file.error(
                f"{name!r} is already {owner!r}: give each name to one of them, or both a longer one", *place
            )
        self._mentions.append(EntityMention(entity, kind, name, told, self._evidence(told, *place), gender))

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

    def _tell_character(self, character: Character, number: int) -> None:
        path = ("characters", number)
        entity, since = self._ids[character.name.casefold()], character.from_chapter or 0
        for order, tie in enumerate(character.relations):
            self._tell_tie(entity, since, tie, (*path, "relations", order))
        for aspect, written in character.traits.items():
            self._tell_trait(entity, since, aspect, written, (*path, "traits", aspect))
        if character.birth is not None:
            self._tell_life(entity, since, character.birth, "bear", (*path, "birth"))
        if character.death is not None:
            if character.death.chapter is None:
                raise self._file.error(
                    "say in which chapter: death: {chapter: 12}, with 0 for before the story", *path, "death"
                )
            self._tell_life(entity, since, character.death, "die", (*path, "death"))

    def _tell_tie(self, entity: str, since: int, tie: Tie, path: tuple[str | int, ...]) -> None:
        predicate = self._predicate(tie.predicate, *path, "predicate")
        other = self._known(tie.to, *path, "to")
        told = max(since, tie.from_chapter or 0)
        self._tell(entity, predicate, other, told, tie.until_chapter, path)

    def _tell_fact(self, fact: Fact, number: int) -> None:
        path = ("facts", number)
        if fact.text:
            if fact.subject or fact.predicate or fact.object:
                raise self._file.error("a fact is either text, or subject, predicate and object", *path)
            self._add_rule(fact.text, fact.from_chapter, fact.until_chapter, *path)
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
        self,
        subject: str,
        predicate: str,
        other: str,
        told: int,
        until: int | None,
        path: tuple[str | int, ...],
    ) -> None:
        self._check(subject, predicate, other, told, until, path)
        row, quote = PREDICATES[predicate], self._evidence(told, *path)
        if not row.lasting:
            cast = (
                (("patient", subject),) if predicate == "DIES" else (("agent", subject), ("patient", other))
            )
            self._event(predicate, cast, told, quote)
            return
        always = row.permanent
        holds = Interval(Open.UNBOUNDED, Open.UNBOUNDED) if always else Interval(told)
        self._relations.append(
            Relation(subject, predicate, other, holds, told, (quote,), 1.0, origin="codex")
        )
        if until is not None and not always:
            # that it ends is told where it is over: a reader before must not know
            after = self._evidence(until + 1, *path)
            over = Interval(told, until)
            self._relations.append(
                Relation(
                    subject, predicate, other, over, until + 1, (after,), 1.0, Modality.FLASHBACK, "codex"
                )
            )

    def _check(
        self,
        subject: str,
        predicate: str,
        other: str,
        told: int,
        until: int | None,
        path: tuple[str | int, ...],
    ) -> None:
        if until is not None and until < told:
            raise self._file.error(f"it ends in chapter {until}, before it begins in {told}", *path)
        if self._kinds[subject] not in _PEOPLE:
            raise self._file.error(f"the subject of {predicate} is a character or a group", *path)
        kind = self._kinds[other]
        if predicate in _PLACES and kind is not EntityKind.LOCATION:
            raise self._file.error(f"{predicate} leads to a place: name one under places", *path)
        if predicate not in (*_PLACES, "OWNS", "LEAVES") and kind not in _PEOPLE:
            raise self._file.error(f"{predicate} leads to a character or a group", *path)
        if subject == other and predicate != "DIES":
            raise self._file.error(f"{predicate} cannot lead back to its own subject", *path)

    def _tell_life(self, entity: str, since: int, life: Life, verb: str, path: tuple[str | int, ...]) -> None:
        told = max(since, life.chapter or 0)
        cast: list[tuple[str, str]] = [("patient", entity)]
        if life.place:
            place = self._known(life.place, *path, "place")
            if self._kinds[place] is not EntityKind.LOCATION:
                raise self._file.error(f"{life.place!r} is no place", *path, "place")
            cast.append(("place", place))
        quote = self._evidence(told, *path)
        event = self._event("DIES" if verb == "die" else "DOES", tuple(cast), told, quote, verb=verb)
        if life.date:
            dated = self._evidence(told, *path, "date") if self._file.has(*path, "date") else quote
            self._times.append(TimeTold("date", life.date, told, dated, event=event))

    def _event(
        self, predicate: str, cast: tuple[tuple[str, str], ...], told: int, quote: Evidence, *, verb: str = ""
    ) -> str:
        start = told or Open.UNKNOWN
        end = Open.UNBOUNDED if PREDICATES[predicate].permanent else told
        event = f"codex-event-{len(self._events) + 1}"
        self._events.append(
            EventTold(event, predicate, cast, told, Interval(start, end), (quote,), verb=verb, origin="codex")
        )
        return event

    def _tell_trait(
        self, entity: str, since: int, aspect: str, written: str | int, path: tuple[str | int, ...]
    ) -> None:
        told = laid_down(aspect, str(written))
        if isinstance(told, Unreadable):
            raise self._file.error(told.problem, *path)
        quote = self._evidence(since, *path)
        self._facts.append(FactTold(entity, told.aspect, told.value, since, (quote,), origin="codex"))

    def _tell_rule(self, rule: Rule, number: int) -> None:
        path = ("rules", number)
        laws = [(kind, law) for kind in KINDS if (law := getattr(rule, kind)) is not None]
        if len(laws) > 1 or not (laws or rule.text):
            raise self._file.error("a rule is text, or one of never, only and always", *path)
        text = rule.text
        for kind, law in laws:
            who = self._bound(kind, law.who, (*path, kind, "who"))
            text = text or in_words(kind, law.who, law.does)
            since, until = rule.from_chapter or 0, rule.until_chapter
            quote = self._evidence(since, *path, kind)
            self._laws.append(LawTold(kind, who, law.does, since, until, (quote,)))
        self._add_rule(text, rule.from_chapter, rule.until_chapter, *path)

    def _bound(self, kind: str, names: list[str], path: tuple[str | int, ...]) -> tuple[str, ...]:
        """Whom a law is for: those named, and the members of the groups among them."""
        if [name.casefold() for name in names] == [ANYBODY]:
            if kind != "never":
                raise self._file.error(f"{kind!r} needs the names of those it is for", *path)
            return ()
        found = [self._known(name, *path) for name in names]
        for group in self._file.content.groups:
            if self._ids[group.name.casefold()] in found:
                found += [self._known(name, *path) for name in group.members]
        return tuple(sorted(dict.fromkeys(found)))

    def _add_rule(self, text: str, since: int | None, until: int | None, *path: str | int) -> None:
        first = since or 0
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
            raise self._file.error(f"{words!r} is no predicate: {hint}", *path)
        return found

    def _evidence(self, told: int, *path: str | int) -> Evidence:
        return Evidence.of(self._document, told, self._file.span(*path))
