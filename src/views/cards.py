"""Character, place and plot cards: what a writer pins up of each entry of the story bible, in parts.

A card is shorter and stricter than its entry: what the rules of the offline reader read in a single sentence
is too often wrong to be said of somebody, so it is left out but for ages, deaths, bonds and whereabouts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..story.bible import AUTHOR, SECTIONS, Bible, Entry, Line
from ..story.graph_rag.views.story_view import StoryView
from ..story.graph_rag.views.ties import ORIGIN
from ..story.graph_rag.views.timeline import deaths_of
from ..story.model.types import CODEX_ID, EntityKind, EventTold, StoryEntity, gathered
from .quotes import QuoteShown, quotes_shown, told_quotes
from .times import event_label
from .wording import as_written
from .world import is_told

_OFFLINE = frozenset({"age", "born", "life", "DIES", "KILLS"})  # read well enough without a model
_FACTS = {"home": "Where"} | dict.fromkeys(("age", "born", "died", "life"), "Age")
_FACTS |= dict.fromkeys(("looks", "eyes", "hair", "height", "hand", "mark"), "Looks")
_PARTS = {"description": "The author says", "relation": "Bonds", "knowledge": "Knows", "goal": "Wants"}
_PARTS |= {"event": "Turns", "whereabouts": "Where", "law": "Laws", "date": "Dates", "thread": "Steps"}
_KIN = ("MARRIED_TO", "PARENT_OF", "CHILD_OF", "SIBLING_OF", "AUNT_OR_UNCLE_OF", "GRANDPARENT_OF")
_DEAR = ("LOVES", "ENGAGED_TO", "PARTNER_OF", "FRIEND_OF", "ENEMY_OF", "HATES", "RIVAL_OF", "TRUSTS")
_FIRST = (*_KIN, *_DEAR)  # bonds by weight
_ORDER = ("The author says", "Bonds", "Age", "Looks", "Wants", "Knows", "Turns", "Where", "Also")


@dataclass(frozen=True, slots=True)
class SaidShown:
    """A sentence, the quotes that it stands on, and where it is told; ``over``: it holds no longer;
    ``weighed``: no sentence says it, it was weighed over the places where two meet. Of a bond of two people
    ``pair`` are their ids."""

    text: str
    place: str
    quotes: tuple[QuoteShown, ...]
    over: bool = False
    weighed: bool = False
    pair: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class CardShown:
    """Somebody, a place, a thing, the world or a thread. ``who`` says it in one line, ``now`` what has become
    of that by the horizon (or empty); ``fate`` is the death, where one is told; ``parts`` are titles with
    their sentences. ``mentions`` is 0 where nothing is named."""

    id: str
    name: str
    kind: str
    section: str
    also: tuple[str, ...]
    first: int
    mentions: int
    who: str
    now: str
    fate: SaidShown | None
    parts: tuple[tuple[str, tuple[SaidShown, ...]], ...]

    @property
    def names(self) -> str:
        """All that it goes by, in small letters, one a line."""
        return "\n".join((self.name, *self.also)).casefold()


@dataclass(frozen=True, slots=True)
class CardsShown:
    """Cards by section, the most mentioned first; ``by_model``: a language model has read the story."""

    cards: tuple[CardShown, ...]
    by_model: bool


def read_by_model(view: StoryView) -> bool:
    """Has a language model read something of the story up to the horizon?"""
    log = view.log
    return any("model" in one.origin for of in (log.events, log.relations, log.facts) for one in of)


def trusted(bible: Bible, *, by_model: bool) -> Bible:
    """The bible without what the offline reader takes from a single sentence, but for ages, deaths, bonds and
    whereabouts."""
    entries = (
        replace(one, lines=tuple(line for line in one.lines if _stands(line, by_model)))
        for one in bible.entries
    )
    return replace(bible, entries=tuple(one for one in entries if one.lines))


def cards_at(view: StoryView, bible: Bible) -> CardsShown:
    """A card for everybody and everything named; ``bible`` is of the same view. Costs one pass over meetings
    and events."""
    by_model = read_by_model(view)
    entries = {one.id: one for one in as_written(trusted(bible, by_model=by_model), view).entries}
    company, dead = company_of(view), deaths_of(view)
    cards = [
        _of_entity(view, one, entries.pop(one.id, None), company[one.id], dead.get(one.id))
        for one in view.entities()
        if one.kind is not EntityKind.EVENT
    ]
    cards.sort(key=lambda one: list(SECTIONS.values()).index(one.section))  # stable: the most mentioned first
    return CardsShown((*cards, *map(_of_entry, entries.values())), by_model)


def _stands(line: Line, by_model: bool) -> bool:
    if line.says == AUTHOR or "model" in line.origin or line.kind in ("knowledge", "thread", "date", "law"):
        return True
    if line.kind in ("fact", "event"):
        return line.row in _OFFLINE
    if line.kind == "relation":
        return line.row != "OWNS" and is_told(line.row, line.origin, line.sure)
    return by_model if line.kind in ("goal", "feeling") else True


def company_of(view: StoryView) -> Mapping[str, Counter[str]]:
    """Of each id, how often others are met."""
    met: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in view.log.pairs:
        one, other = view.resolve(pair.one), view.resolve(pair.other)
        for end, mate in ((one, other), (other, one)):
            met[end][mate] += sum(pair.meetings)
    return met


def _of_entity(
    view: StoryView,
    entity: StoryEntity,
    entry: Entry | None,
    company: Counter[str],
    death: EventTold | None,
) -> CardShown:
    roles = [
        one.value
        for one in view.facts(entity.id)
        if one.aspect == "role" and ("model" in one.origin or one.origin == CODEX_ID)
    ]
    who, now = (roles[0], roles[-1]) if roles else ("", "")
    if not who and company:
        mates = [view.name(one) for one, _ in company.most_common(3) if one != entity.id][:2]
        who = f"most often seen with {' and '.join(mates)}" if mates else ""
    fate = None
    if death is not None:
        said = event_label(view, death)
        fate = SaidShown(said, f"ch. {death.told}", quotes_shown(death.evidence))
    also = tuple(one for one in entity.aliases if one not in (entity.name, "I"))
    return CardShown(
        *(entity.id, entity.name, entity.kind.value, SECTIONS[entity.kind.value], also),
        *(entity.first_appearance, entity.mentions, _capital(who), _capital(now) if now != who else ""),
        fate,
        _parts(entry.lines if entry is not None else (), entity.name),
    )


def _of_entry(entry: Entry) -> CardShown:
    """The world, and threads."""
    whose = f" of {entry.also[0]}" if entry.also else ""
    who = f"{entry.kind}{whose}, {entry.state}" if entry.state else ""
    given = (entry.id, entry.name, entry.kind, entry.section, entry.also, entry.first, 0, _capital(who), "")
    return CardShown(*given, None, _parts(entry.lines, entry.name))


def _parts(lines: Iterable[Line], name: str) -> tuple[tuple[str, tuple[SaidShown, ...]], ...]:
    shown = [one for one in lines if one.kind != "feeling" and one.row != "role"]
    closer = {frozenset(one.about) for one in shown if one.row in _KIN}
    shown = [one for one in shown if one.row != "KIN_OF" or frozenset(one.about) not in closer]
    if any(one.row == "home" for one in shown):  # it tells the homes before, too
        shown = [one for one in shown if one.row != "LIVES_IN"]
    shown.sort(key=lambda one: (one.over, _FIRST.index(one.row) if one.row in _FIRST else len(_FIRST)))
    told = gathered((_part(line), line) for line in shown)
    ranked = sorted(told, key=lambda part: _ORDER.index(part) if part in _ORDER else len(_ORDER))
    return tuple((part, tuple(_said(line, name) for line in told[part])) for part in ranked)


def _part(line: Line) -> str:
    if line.kind == "fact":
        return _FACTS.get(line.row, "Also")
    return _PARTS.get(line.kind, "Also")


def _said(line: Line, name: str) -> SaidShown:
    place = AUTHOR if line.says == AUTHOR else f"ch. {line.chapter}"
    text = line.text
    if line.kind in ("fact", "goal", "knowledge", "whereabouts"):
        text = text.removeprefix(name).removeprefix(":").strip().removeprefix("looks: ")
        if line.row == "hand" and text.removesuffix("-handed") not in ("is left", "is right"):
            text = text.removeprefix("is ").removesuffix("-handed")
    quotes, weighed = quotes_shown(told_quotes(line)), line.origin == ORIGIN
    pair = (line.about[0], line.about[1]) if line.kind == "relation" and len(line.about) == 2 else None
    return SaidShown(_capital(text), place, quotes, line.over, weighed, pair)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
