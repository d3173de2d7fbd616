"""The story bible: what a story has laid down up to a horizon, entry by entry, each line with its quotes.

It is made of the view alone, and of what the author lays down that is valid by then, so that nothing told
later can be in it. It shows what is sure enough, and it does not care who read it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ..core.answering.grounding import telling_terms
from ..core.text.tokenizing import Tokenizer
from ..core.types import Evidence, Note
from .graph_rag.arc_moves import goal_fates
from .graph_rag.views.ties import LIKELY, ORIGIN, ending, shown_relations
from .graph_rag.views.timeline import act_of, stays
from .lexicon.emotions import TONE_MOODS
from .model.aspects import ASPECTS, fact_of, holds
from .model.predicates import PREDICATES, SURE_ENOUGH
from .model.types import CODEX_ID, WORLD, EntityKind, FactTold, Modality, Relation, StoryEntity, gathered
from .plot.ledger import Thread, threads_of
from .writing.context import PlacedNote
from .writing.graph_notes import latest_quotes

if TYPE_CHECKING:
    from ..core.interfaces import Vectors
    from .graph_rag.views.story_view import StoryView
    from .model.types import EventTold, KnowingTold

AUTHOR, TEXT, SPEECH = "the author", "the text", "a character"
"""Who says so: the codex, the narration, or somebody in the story of what never changes."""

SECTIONS = {
    EntityKind.CHARACTER.value: "People",
    EntityKind.GROUP.value: "Groups",
    EntityKind.LOCATION.value: "Places",
    EntityKind.OBJECT.value: "Things",
    EntityKind.EVENT.value: "Things",
    WORLD: "The world",
}
_OPEN, _SETTLED = "Open threads", "Settled threads"
_KINDS = ("description", "fact", "relation", "event", "knowledge", "goal", "feeling", "whereabouts")
_LASTING = dict.fromkeys(("description", "fact", "relation", "law"), 1.0) | {"date": 0.5, "event": 0.4}
_GRAVE = 0.7  # an event that turns a story as much is told without being marked as a key one
_SLIGHT = frozenset({"KNOWS", "APPEARS_WITH"})
_FATES = {"open": "", "reached": "; reached", "lost": "; given up"}
_MOST_QUOTES = 3
_RRF = 60
_DATE = re.compile(r"\d{4}|XXXX-\d\d-\d\d$")
_STATES = ("overdue", "open", "advanced", "resolved")


@dataclass(frozen=True, slots=True)
class Line:
    """A short sentence: what is laid down, told in ``chapter`` (0: before the story), with its quotes.

    ``sure`` is 0 to 1, ``says`` one of :data:`AUTHOR`, :data:`TEXT` and :data:`SPEECH`, ``about`` the ids of
    those it speaks of, ``kind`` what sort of thing it says; ``over``: it does not hold any more. ``row`` is
    the aspect or predicate behind it, ``origin`` who read it (as on a Relation); both may be empty.
    """

    text: str
    chapter: int
    evidence: tuple[Evidence, ...]
    sure: float
    kind: str
    says: str = TEXT
    about: tuple[str, ...] = ()
    over: bool = False
    row: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A person, place, thing, the world or a thread. ``kind`` is that of the entity, of the thread, or
    ``"world"``; ``first`` the first chapter; ``state`` that of a thread, else empty. Of the lines of one
    sort what holds stands first, then what was told last."""

    id: str
    name: str
    kind: str
    also: tuple[str, ...]
    first: int
    lines: tuple[Line, ...]
    evidence: tuple[Evidence, ...] = ()
    state: str = ""

    @property
    def section(self) -> str:
        """The heading that it stands under."""
        return SECTIONS.get(self.kind, _SETTLED if self.state == "resolved" else _OPEN)

    @property
    def names(self) -> frozenset[str]:
        """All that it goes by, in small letters."""
        return frozenset(name.casefold() for name in (self.id, self.name, *self.also))


@dataclass(frozen=True, slots=True)
class Bible:
    """At chapter ``as_of`` (None: the whole story): people, groups, places and things, the most mentioned
    first, then the world, then threads, those still open first."""

    as_of: int | None
    entries: tuple[Entry, ...]

    def about(self, name: str) -> tuple[Entry, ...]:
        """The entries of that name, whole; else those whose name begins with it or holds it as a word."""
        said = name.casefold().strip()
        whole = tuple(one for one in self.entries if said in one.names)
        return whole or tuple(one for one in self.entries if any(f" {said}" in f" {n}" for n in one.names))

    def entry(self, id: str) -> Entry | None:
        """The entry of an entity; None where nothing is laid down of it."""
        return next((one for one in self.entries if one.id == id), None)


def bible(
    view: StoryView,
    *,
    told: int | None = None,
    descriptions: Iterable[tuple[str, str, Evidence]] = (),
    rules: Iterable[Note] = (),
    whole: bool = False,
) -> Bible:
    """What is laid down at the view's horizon; ``told`` is how many chapters the whole story has. ``whole``:
    with every event that a language model read, not only those that turn the story, and each telling of a
    bond that is over.
    ``descriptions`` (id, words, quote) and ``rules`` are the author's (see ``codex.codex``): what is not
    valid yet is left out. Deterministic; costs the relations of the view once."""
    author = gathered((line.about[0], line) for line in _described(view, descriptions))
    knowings = (one for one in view.knowings() if one.modality.happened and one.confidence >= SURE_ENOUGH)
    ends = [(end, line) for line in (*_relations(view, whole), *_whereabouts(view)) for end in line.about]
    between = gathered((*ends, *((one.entity, _knowing(view, one)) for one in knowings)))
    entries = []
    for entity in sorted(view.entities(), key=lambda one: list(SECTIONS).index(one.kind.value)):
        of_one = (*author.get(entity.id, ()), *_own(view, entity, whole), *between.get(entity.id, ()))
        if lines := _merged(of_one):
            also = tuple(alias for alias in entity.aliases if alias != entity.name)
            kind, first, named = entity.kind.value, entity.first_appearance, entity.evidence[:1]
            entries.append(Entry(entity.id, entity.name, kind, also, first, lines, named))
    laid_down = (
        Line(one.text.rstrip("."), one.evidence[0].chapter, one.evidence, 1.0, "law", AUTHOR)
        for one in rules
        if view.horizon.admits(one.evidence[0].chapter)
    )
    if world := _merged((*laid_down, *_facts(view, WORLD, ""), *_dates(view))):
        entries.append(Entry(WORLD, SECTIONS[WORLD], WORLD, (), min(one.chapter for one in world), world))
    told = view.horizon.chapter or told or max((one.told for one in view.log.mentions), default=0)
    threads = sorted(threads_of(view, told), key=lambda one: _STATES.index(one.state))
    entries += [_of_thread(number, one, view) for number, one in enumerate(threads, start=1)]
    return Bible(view.horizon.chapter, tuple(entries))


def canon_lines(
    bible: Bible,
    names: Iterable[str],
    told: Sequence[str] = (),
    *,
    most_tokens: int,
    count: Callable[[str], int],
    likeness: Callable[[Sequence[str]], Sequence[float]] | None = None,
) -> list[Line]:
    """The lines that a passage might contradict, the likeliest first, as many as fit into ``most_tokens``.

    ``names`` are names or ids of whoever and whatever stands in the passage, ``told`` its sentences; without
    any, only lines about these and the world's laws count. Lines are ranked by what they say (facts and
    bonds before what passes) and whether they are about those named; by the rare words that they share with
    one of the sentences; and by their ``likeness`` to the passage. The ranks are put together by reciprocal
    rank fusion (Cormack et al. 2009). Ties keep the order of the bible; a line that does not fit gives way to
    shorter ones.
    """
    said = {name.casefold() for name in names}
    ids = {one.id for one in bible.entries if not said.isdisjoint(one.names)}
    weights: dict[Line, float] = {}
    for entry in bible.entries:
        for line in entry.lines:
            mine = len(ids.intersection(line.about)) or entry.id in ids
            if told or mine or line.kind == "law":
                weight = _LASTING.get(line.kind, 0.0) + 0.3 * mine + 2 * (line.says == AUTHOR)
                weights.setdefault(line, weight)
    orders: list[Mapping[Line, float]] = [weights]
    if told:
        orders.append(_shared_words(list(weights), told))
    if likeness is not None and weights:
        orders.append(dict(zip(weights, likeness([line.text for line in weights]), strict=True)))
    fused = dict.fromkeys(weights, 0.0)
    for by in orders:
        ranks: dict[float, int] = {}  # equal ones share the first
        for rank, score in enumerate(sorted(by.values(), reverse=True)):
            ranks.setdefault(score, rank)
        fused = {line: sum_ + 1 / (_RRF + ranks[by[line]]) for line, sum_ in fused.items()}
    chosen, used = [], 0
    for line in sorted(weights, key=lambda line: -fused[line]):
        cost = count(f"- {line.text}.\n")
        if used + cost <= most_tokens:
            used += cost
            chosen.append(line)
    return chosen


def grouped(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Those about one together, in order of the first, and as they were told."""
    order = {line.about[:1]: place for place, line in reversed(list(enumerate(lines)))}
    return tuple(sorted(lines, key=lambda line: (order[line.about[:1]], line.chapter)))


def under_names(lines: Sequence[Line], name_of: Callable[[str], str]) -> list[str]:
    """Lines that are ``grouped``, numbered, below the name of whom they are about and without it; each with
    the chapter that tells it."""
    shown, last = [], ""
    for number, line in enumerate(lines, start=1):
        name = name_of(line.about[0]) if line.about else SECTIONS[WORLD]
        shown += [f"{name}:"] if name != last else []
        last, text = name, line.text.removeprefix(name).lstrip(" :")
        shown.append(f"{number}. {text} ({line.chapter or AUTHOR})")
    return shown


def _shared_words(lines: Sequence[Line], told: Sequence[str]) -> dict[Line, float]:
    """Of each line the weight of the words that it shares with the sentence that shares most, the rarer among
    the lines the heavier, over the root of the weight of all its words."""
    tokenizer = Tokenizer()
    words = [sorted(telling_terms(tokenizer, line.text)) for line in lines]
    rarity = {word: log(1 + len(lines) / n) for word, n in Counter(w for of in words for w in of).items()}
    places = gathered(
        (word, place) for place, sentence in enumerate(told) for word in telling_terms(tokenizer, sentence)
    )
    found = {}
    for line, own in zip(lines, words, strict=True):
        shared: dict[int, float] = {}
        for word in own:
            for place in places.get(word, ()):
                shared[place] = shared.get(place, 0.0) + rarity[word]
        found[line] = max(shared.values(), default=0.0) / sqrt(1 + sum(rarity[word] for word in own))
    return found


class Nearness:
    """Of texts the greatest cosine (-1 to 1) to one of the sentences of a passage. ``embed`` makes vectors of
    unit length, which are kept."""

    def __init__(self, embed: Callable[[Sequence[str]], Vectors]) -> None:
        self._embed = embed
        self._vectors: dict[str, Vectors] = {}

    def __call__(self, texts: Sequence[str], told: Sequence[str]) -> Sequence[float]:
        new = [text for text in dict.fromkeys((*texts, *told)) if text not in self._vectors]
        self._vectors |= dict(zip(new, self._embed(new), strict=True)) if new else {}
        lines, sides = (np.stack([self._vectors[text] for text in of]) for of in (texts, told))
        return [float(one) for one in (lines @ sides.T).max(axis=1)]


def canon_notes(
    bible: Bible,
    names: Sequence[str],
    told: Sequence[str] = (),
    *,
    likeness: Callable[[Sequence[str]], Sequence[float]] | None = None,
    most: int = 200,
) -> tuple[PlacedNote, ...]:
    """At most ``most`` lines that bear on a scene with these, of which ``told`` tells (see ``canon_lines``),
    as notes for a writer: [Character Info] where they speak of people first, else [World]."""
    people = {one.id for one in bible.entries if one.kind == EntityKind.CHARACTER.value}
    names_of = {one.id: one.name for one in bible.entries}
    lines = canon_lines(bible, names, told, most_tokens=most, count=lambda _: 1, likeness=likeness)
    placed = []
    for line in lines:
        if line.kind in ("law", "goal", "feeling"):  # said as constraints, and as how they are now
            continue
        note = Note("relation" if len(line.about) > 1 else "character", said(line), line.about, line.evidence)
        section = "Character Info" if line.about and line.about[0] in people else "World"
        head = names_of.get(line.about[0], "") if line.about else ""
        text = line.text[len(head) :] if line.text.casefold().startswith(head.casefold()) else line.text
        placed.append(PlacedNote(section, note, head, text.lstrip(" :")))
    return tuple(placed)


def said(line: Line) -> str:
    """The line as a sentence, with the chapter of the text that tells it."""
    return f"{line.text}." if line.says == AUTHOR else f"{line.text} (ch. {line.chapter})."


# --- lines about one ----------------------------------------------------------------------------------------


def _own(view: StoryView, entity: StoryEntity, whole: bool) -> Iterator[Line]:
    name = entity.name
    events = [one for one in view.events(entity.id, untyped=True) if _turns(one, whole)]
    is_dead = any(entity.id in act_of(view, one).dead for one in events)
    yield from _facts(view, entity.id, name, without="life" if is_dead else "")
    for event in events:
        who = tuple(dict.fromkeys(one for _, one in event.participants))
        text = event.what.rstrip(".") or _event_words(view, event)
        given = (_upper(text), event.told, event.evidence, event.confidence, "event", _says(event), who)
        yield Line(*given, row=event.predicate, origin=event.origin)
    goals = [one for one in view.states(entity.id, "goal") if one.confidence >= SURE_ENOUGH]
    for fate in goal_fates(goals):
        turns = [one for one in (fate.adopted, fate.ended) if one is not None]
        ended = f" (chapter {fate.ended.told})" if fate.ended and fate.adopted else ""
        verb = "wants" if fate.ended is None else "wanted"
        text = f"{name} {verb} {turns[0].value}{_FATES[fate.name]}{ended}"
        quotes = tuple(one.evidence for one in turns)
        yield Line(text, turns[0].told, quotes, turns[0].confidence, "goal", about=(entity.id,))
    feelings = [one for one in view.states(entity.id, "emotion") if one.confidence >= SURE_ENOUGH]
    for last in [one for one in feelings if one.value not in TONE_MOODS][-1:]:
        text = f"{name} feels {last.value}"
        yield Line(text, last.told, (last.evidence,), last.confidence, "feeling", about=(entity.id,))


def _described(view: StoryView, descriptions: Iterable[tuple[str, str, Evidence]]) -> Iterator[Line]:
    for one, words, quote in descriptions:
        if view.horizon.admits(quote.chapter):
            text, about = f"{view.name(one)}: {words.rstrip('.')}", (view.resolve(one),)
            yield Line(text, quote.chapter, (quote,), 1.0, "description", AUTHOR, about)


def _turns(event: EventTold, whole: bool) -> bool:
    """Is it one of those that a story is told by, and sure enough?"""
    grave = event.key or event.origin == CODEX_ID or PREDICATES[event.predicate].gravity >= _GRAVE
    grave = grave or (whole and bool(event.what))
    return grave and event.modality.happened and event.confidence >= SURE_ENOUGH


def _event_words(view: StoryView, event: EventTold) -> str:
    roles = gathered((role, view.name(who)) for role, who in event.participants)
    agent, patient, place = (", ".join(roles.get(role, ())) for role in ("agent", "patient", "place"))
    if event.predicate == "DIES" or not agent:
        agent, patient = patient or agent, ""
    phrase = event.verb if event.predicate == "DOES" and event.verb else PREDICATES[event.predicate].phrase
    words = " ".join(part for part in (agent, "is born" if phrase == "bear" else phrase, patient) if part)
    return f"{words} at {place}" if place else words


def _facts(view: StoryView, entity: str, name: str, *, without: str = "") -> Iterator[Line]:
    known = view.entity(entity)
    is_person = known is not None and known.kind is EntityKind.CHARACTER
    facts = (one for one in view.facts(entity) if holds(one) and one.confidence >= SURE_ENOUGH)
    for aspect, told in gathered((one.aspect, one) for one in facts if one.aspect != without).items():
        row = ASPECTS.get(aspect)
        single = row is not None and row.single
        values = _values(told, single=single)
        changed = single and (not ASPECTS[aspect].constant or any(one.change for one in values[0]))
        earlier, shown = (values[1:], values[:1]) if changed else ([], values)
        shown = shown[:1] if aspect == "role" else shown  # what somebody is, chapter by chapter
        whens = [AUTHOR if one[0].origin == CODEX_ID else f"chapter {one[0].told}" for one in earlier]
        was = ", ".join(f"{_value(view, one[0])} ({when})" for one, when in zip(earlier, whens, strict=True))
        for number, tellings in enumerate(shown):
            best = next((one for one in tellings if one.origin == CODEX_ID), tellings[0])
            words = fact_of(name, replace(best, value=_value(view, best)), person=is_person)
            when = f" ({best.when})" if best.when else ""
            text = (
                _upper(words.removeprefix(": ").strip())
                + when
                + (f"; was {was}" if was and not number else "")
            )
            told_of = [one for value in (tellings, *(() if number else earlier)) for one in value[:2]]
            quotes = tuple(quote for one in told_of for quote in one.evidence)
            sure, kind = max(one.confidence for one in tellings), "law" if aspect == "law" else "fact"
            given = (text, tellings[0].told, quotes, sure, kind, _says(best), (entity,))
            yield Line(*given, row=aspect, origin=best.origin)


def _values(told: Sequence[FactTold], *, single: bool) -> list[list[FactTold]]:
    """The tellings of each value, the value that was told last first. Of what has one value at a time the
    author's word stands, unless the story tells after it how that changed."""
    word = next((one for one in reversed(told) if single and one.origin == CODEX_ID), None)
    values: dict[str, list[FactTold]] = {}
    for one in sorted(told, key=lambda one: single and one.modality is Modality.FLASHBACK, reverse=True):
        key = one.value.casefold()
        turned = word is not None and one.change and one.told >= word.told
        if word is None or turned or one.origin == CODEX_ID or key == word.value.casefold():
            values[key] = [*values.pop(key, []), one]
    return list(reversed(values.values()))


def _value(view: StoryView, fact: FactTold) -> str:
    """The value, a place by its name."""
    row = ASPECTS.get(fact.aspect)
    return fact.value if row is None or row.kind != "place" else view.place_name(fact.value)


def _dates(view: StoryView) -> Iterator[Line]:
    """Days and years of the calendar, in the words of the text."""
    for time in view.times():
        if time.kind == "date" and _DATE.match(time.value):
            quote = time.sentence or time.evidence
            yield Line(_upper(time.evidence.line), time.told, (quote,), SURE_ENOUGH, "date")


def _knowing(view: StoryView, each: KnowingTold) -> Line:
    way = "to" if each.verb in ("tells", "lies about") else "from"
    other = f" ({way} {view.name(each.other)})" if each.other else ""
    about = (each.entity, *((each.other,) if each.other else ()))
    text = f"{view.name(each.entity)} {each.verb}: {each.what}{other}"
    return Line(text, each.told, each.evidence, each.confidence, "knowledge", about=about)


# --- lines about two ----------------------------------------------------------------------------------------


def _relations(view: StoryView, whole: bool) -> Iterator[Line]:
    """How two stand to each other: ties as far as they are likely and no language model has read how the two
    stand, all else that lasts as far as it is sure. What is over says until when. That two merely know each
    other is not said."""
    ties, others = shown_relations(view, least_confidence=SURE_ENOUGH, once=not whole)
    read = {frozenset((one.subject, one.object)) for one in (*ties, *others) if "model" in one.origin}
    for one in (*ties, *others):
        slight = one.predicate in _SLIGHT and one.origin != CODEX_ID
        weighed = one.origin == ORIGIN
        unlikely = weighed and (one.confidence < LIKELY or frozenset((one.subject, one.object)) in read)
        moves = one.predicate == "LOCATED_AT" and one.origin != CODEX_ID  # see ``_whereabouts``
        if slight or unlikely or moves or not PREDICATES[one.predicate].lasting:
            continue
        over, about = ending(one), (one.subject, one.object)
        told = (_worded(view, one) + over, one.told, one.evidence, one.confidence, "relation", _says(one))
        yield Line(*told, about, bool(over), one.predicate, one.origin)


def _worded(view: StoryView, one: Relation) -> str:
    """With the text's own word for it: Ann is the half-sister of Tom."""
    if one.word:
        return f"{view.name(one.subject)} is the {one.word} of {view.name(one.object)}"
    return view.worded(one.subject, one.predicate, one.object)


def _whereabouts(view: StoryView) -> Iterator[Line]:
    """Who was where, and in which chapters."""
    moves = (one for one in view.relations(predicate="LOCATED_AT") if one.origin != CODEX_ID)
    sure = (one for one in (*stays(view), *moves) if one.confidence >= SURE_ENOUGH)
    for about, told in gathered(((one.subject, one.object), one) for one in sure).items():
        chapters = sorted({one.told for one in told})
        when = f"chapter{'s' if len(chapters) > 1 else ''} {', '.join(map(str, chapters))}"
        text = f"{view.name(about[0])} is at {view.name(about[1])} in {when}"
        quotes = latest_quotes([quote for one in told for quote in one.evidence])
        best = max(one.confidence for one in told)
        yield Line(text, chapters[-1], quotes, best, "whereabouts", about=about)


# --- threads, and how lines come together -------------------------------------------------------------------


def _of_thread(number: int, thread: Thread, view: StoryView) -> Entry:
    whose = (thread.whose,) if thread.whose else ()
    lines = tuple(
        Line(f"{turn.step}: {turn.what}", turn.evidence.chapter, (turn.evidence,), 1.0, "thread", TEXT, whose)
        for turn in thread.turns
    )
    also = tuple(view.name(one) for one in whose)
    return Entry(
        f"thread-{number}", _upper(thread.what), thread.kind, also, lines[0].chapter, lines, (), thread.state
    )


def _says(record: FactTold | Relation | EventTold) -> str:
    if record.origin == CODEX_ID:
        return AUTHOR
    return SPEECH if record.modality is Modality.REPORTED else TEXT


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _merged(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The same sentence once, with all its quotes, the last ones first told: by kind, then the author's word,
    then what holds before what is over, then the latest told."""
    by_text: dict[str, Line] = {}
    for line in lines:
        known = by_text.get(line.text.casefold(), line)
        quotes = tuple(dict.fromkeys((*known.evidence, *line.evidence)))[:_MOST_QUOTES]
        says = AUTHOR if AUTHOR in (known.says, line.says) else known.says
        sure, chapter = max(known.sure, line.sure), min(known.chapter, line.chapter)
        by_text[line.text.casefold()] = replace(known, evidence=quotes, says=says, sure=sure, chapter=chapter)
    ranks = {kind: rank for rank, kind in enumerate(_KINDS)}

    def order(line: Line) -> tuple[object, ...]:
        return ranks.get(line.kind, len(ranks)), line.says != AUTHOR, line.over, -line.chapter

    return tuple(sorted(by_text.values(), key=order))
