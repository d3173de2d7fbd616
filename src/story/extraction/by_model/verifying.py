"""What a model says of a chapter, held against its text: a quote must stand there, and so must every name.

Quotes are found as :mod:`...evidence.quote_finder` finds them, and shown as the text has them. That a quote
*means* what the model says is not checked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....core.text.sentences import sentences
from ....core.types import Span
from ...evidence.quote_finder import QuoteFinder, Tier
from ...lexicon.emotions import EMOTIONS
from ...lexicon.verbs_and_nouns import KIN
from ...lexicon.words import CLAUSE_WORDS
from ...model.aspects import ASPECTS, DEAD
from ...model.chapter_reading import (
    Called,
    ChapterReading,
    Goal,
    Happening,
    Identity,
    KnownName,
    Mention,
    Mood,
    ReaderFailure,
    Statement,
    ToldBefore,
)
from ...model.predicates import PREDICATES, SURE_ENOUGH
from ...model.types import EntityKind, Fact, Knowing, Modality, Presence, ThreadStep
from ...names.person_record import PersonName, whose
from ...prose import scenes_of
from ..mentions.narrator import CALLED
from .answer import (
    BORN,
    EVENTS,
    KINDS,
    REALIS,
    RELATIONS,
    WANTS,
    Bond,
    ChapterAnswer,
    Event,
    Heart,
    Item,
    Knows,
    Laid,
    Named,
    Stage,
    Thread,
)

MODEL_CONFIDENCE = SURE_ENOUGH
"""Enough to be shown, which is what a model is asked for; how often it is right depends on the model."""
LEAST_WORDS, MOST_WORDS = 3, 60  # of a quote; a shorter one stands in any text
NO_QUOTE = "quotes that are not in the text"
_THE_WORLD = frozenset({"the world", "world", "the story", ""})
_PRONOUNS = CLAUSE_WORDS.listed("pronoun")
_PRONOUNS_OF = {
    EntityKind.LOCATION: frozenset({"it", "its"}),
    EntityKind.OBJECT: frozenset({"it", "its", "they", "them", "their"}),
}
_NO_NAME = _PRONOUNS - {"i"} | frozenset({"someone", "somebody", "nobody", "everyone", "everybody"})
_ARTICLES = frozenset({"a", "an", "the"})
_WHOSE = frozenset("our your his her their its".split())
_WHERE = frozenset("in at on from near by under above behind beside".split())
_HOMES = {"home": "LIVES_IN", "birthplace": "COMES_FROM"}  # aspects whose value may be a named place
_PARAGRAPH = re.compile(r"\n\s*\n")
_WORD = re.compile(r"[^\W_]+")
_VERB = re.compile(r"is|was|has|does|goes|\w+[^su\W]s")  # of the third person
_STRAIGHT = str.maketrans("‘’“”", "''\"\"")
_NARRATOR = "the narrator"
_PRESENT = 0.9  # sure enough to be on stage


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item that was not kept: of which list, what it said, and why."""

    reason: str
    part: str
    said: str


class _Unfounded(Exception):  # noqa: N818 (never leaves this module)
    """Why an item is not kept."""


class Verifier:
    """Holds the answers about one chapter against its text. ``before`` are the names that may be meant where
    the chapter has only a pronoun."""

    def __init__(self, text: str, before: ToldBefore) -> None:
        self.claimed = 0
        self.left_out: list[LeftOut] = []
        self.tiers = Counter[Tier]()
        self._text = text
        self._finder = QuoteFinder(text)
        self._sentences = sentences(text)
        self._starts = [sentence.start for sentence in self._sentences]
        self._scenes = scenes_of(text)
        self._known = {_key(one): each for each in before.names for one in (each.name, *each.also)}
        self._kinds: dict[str, EntityKind] = {}
        self._also: dict[str, list[str]] = defaultdict(list)
        self._longer = [_bare(n) for each in before.names for n in (each.name, *each.also) if " " in n]
        self._stands: dict[str, list[Span]] = {}
        self._mentions: list[Mention] = []
        self._at: dict[Span, int] = {}
        self._found: dict[str, list[Any]] = defaultdict(list)
        self._seen: set[tuple[object, ...]] = set()
        self._quotes: dict[tuple[str, Span], tuple[Span, Tier] | None] = {}

    def missing(self, answer: ChapterAnswer, window: Span) -> list[str]:
        """The quotes of an answer that do not stand in the part it is about, once each."""
        quotes = dict.fromkeys(item.quote for _, item in _items(answer))
        return [
            quote
            for quote in quotes
            if len(quote.split()) >= LEAST_WORDS and self._place(quote, window) is None
        ]

    def take(self, answer: ChapterAnswer, window: Span, again: Mapping[str, str]) -> None:
        """Keeps of an answer what stands up. ``again`` has quotes that were asked for once more."""
        for each in answer.named:
            for name in (each.name, *each.also):
                self._kinds.setdefault(_key(name), KINDS[each.kind])
            self._also[_key(each.name)] += [also for also in each.also if not _is_kin_word(also)]
            self._longer += [_bare(name) for name in (each.name, *each.also) if " " in name.strip()]
        for part, item in _items(answer):
            self.claimed += 1
            try:
                self._keep(part, item, self._quote(item.quote, window, again))
            except _Unfounded as reason:
                self.left_out.append(LeftOut(str(reason), part, item.model_dump_json()))
        self._stage(answer.scenes, window)

    def odd(self, count: int) -> None:
        """So many items of an answer had another form."""
        self.claimed += count
        self.left_out += [LeftOut("items in another form", "", "")] * count

    # --- quotes ------------------------------------------------------------------------------------

    def _place(self, quote: str, window: Span) -> tuple[Span, Tier] | None:
        key = (quote, window)
        if key not in self._quotes:
            self._quotes[key] = self._finder.place(quote, within=window)
        return self._quotes[key]

    def _quote(self, told: str, window: Span, again: Mapping[str, str]) -> Span:
        if not LEAST_WORDS <= len(told.split()) <= MOST_WORDS:
            raise _Unfounded(f"quotes of less than {LEAST_WORDS} words or more than {MOST_WORDS}")
        placed = self._place(told, window) or self._place(again.get(told, ""), window)
        if placed is None:
            raise _Unfounded(NO_QUOTE)
        span, tier = placed
        if _PARAGRAPH.search(span.of(self._text)):
            raise _Unfounded("quotes of more than one paragraph")
        self.tiers[tier] += 1
        return span

    # --- names -------------------------------------------------------------------------------------

    def _who(self, name: str, quote: Span, kind: EntityKind = EntityKind.CHARACTER) -> int:
        """The mention, by its number."""
        found = self._named(name, quote, kind)
        if found is None:
            raise _Unfounded("names that are not in the text")
        return found

    def _named(
        self, told: str, quote: Span, kind: EntityKind = EntityKind.CHARACTER, *, as_said: bool = False
    ) -> int | None:
        """Where the name, another name of the same one or a part of it (but ``as_said``) stands: in the
        quote, else the last time before it, else after. Where none of them does, one that is known is meant
        by a pronoun of the quote, somebody nameless by the noun in it."""
        name = " ".join(told.translate(_STRAIGHT).split())
        key = _key(name)
        if not key or key in _NO_NAME:
            return None
        known = self._known.get(key) if not as_said else None
        kind = self._kinds.get(key) or (known.kind if known is not None else kind)
        if name.split(maxsplit=1)[0].casefold() in _WHOSE:
            return None
        name = f"I's {name[3:]}" if name[:3].casefold() == "my " else name
        if any(whose(name)):
            return self._relative(*whose(name), quote, kind)
        also = [*self._also.get(key, ()), *((known.name, *known.also) if known is not None else ())]
        also = [each for each in also if not _is_kin_word(each)]
        first = "" if as_said else _bare(name).split(maxsplit=1)[0]
        is_given = first[:1].isupper() and not PersonName.parse(f"{first} X").title
        given = [first] if is_given else []
        for forms in ([_bare(form) for form in (name, *also)], given, self._bearer(name) if given else []):
            places = [place for form in dict.fromkeys(forms) for place in self._places(form)]
            places = [place for place in places if not self._in_another(place, forms)]
            if (place := _nearest(places, quote)) is not None:
                surface, place = self._surface(place, name, kind), self._head(place, kind)
                fuller = name if set(surface.split()) < set(name.split()) else ""
                return self._mention(place, surface, kind, fuller)
        return self._pronoun(known, quote) if known is not None else None

    def _bearer(self, given: str) -> list[str]:
        """The one full name that begins so, where there is but one: "Dev" is short for "Dev Ranganathan"."""
        full = {longer for longer in self._longer if longer.split()[0] == given}
        return list(full) if len(full) == 1 else []

    def _in_another(self, place: Span, forms: Sequence[str]) -> bool:
        """Is it a part of a longer name that is none of these: "Reddy" in "Maxine Reddy"?"""
        if not place.of(self._text)[:1].isupper():
            return False
        others = [longer for longer in dict.fromkeys(self._longer) if longer not in forms]
        return any(span.contains(place) and span != place for each in others for span in self._places(each))

    def _surface(self, place: Span, name: str, kind: EntityKind) -> str:
        """What stands there, where it is a name; else the name that it stands for."""
        found = " ".join(place.of(self._text).split())
        if _is_name(found) or (kind is EntityKind.OBJECT and _key(name) == found.casefold()):
            return found
        bare = _bare(name)
        return f"the {bare}" if bare == bare.casefold() and kind is not EntityKind.OBJECT else bare

    def _head(self, place: Span, kind: EntityKind) -> Span:
        """Of a phrase the first word in small letters, so that a name in it stays another's mention."""
        told = place.of(self._text)
        if _is_name(told) and not (kind is EntityKind.OBJECT and _is_phrase(told)):
            return place
        words = (Span(*found.span()) for found in _WORD.finditer(self._text, place.start, place.end))
        return next(
            (
                word
                for word in words
                if word.of(self._text) not in _ARTICLES and word.of(self._text)[0].islower() and len(word) > 1
            ),
            place,
        )

    def _relative(self, owner: str, noun: str, quote: Span, kind: EntityKind) -> int | None:
        narrator = owner.casefold() in ("i", _NARRATOR)
        at = next(self._finder.find_name(noun, within=quote, any_case=True), None)
        if at is None and (place := _nearest(self._places(f"{owner}'s {noun}"), quote)) is not None:
            at = self._head(place, kind)
        if at is None or not (narrator or self._named(owner, quote) is not None):
            return None
        return self._mention(at, f"{_NARRATOR if narrator else owner}'s {noun}", kind)

    def _places(self, form: str) -> list[Span]:
        if form not in self._stands:
            found = list(self._finder.find_name(form, any_case=form != "I"))
            if not found and "'" in form:
                found = list(self._finder.find_name(form.replace("'", "’"), any_case=True))
            self._stands[form] = found
        return self._stands[form]

    def _pronoun(self, known: KnownName, quote: Span) -> int | None:
        """A pronoun of the quote that no other name has taken yet."""
        fitting = _PRONOUNS_OF.get(known.kind, _PRONOUNS)
        for found in _WORD.finditer(self._text, quote.start, quote.end):
            span = Span(*found.span())
            free = span not in self._at or self._mentions[self._at[span]].surface == known.name
            if found[0].casefold() in fitting and free:
                return self._mention(span, known.name, known.kind)
        return None

    def _mention(self, span: Span, surface: str, kind: EntityKind, meant: str = "") -> int:
        if span not in self._at:
            scene = max(0, bisect_right([each.span.start for each in self._scenes], span.start) - 1)
            strong = not surface.startswith("the ") or kind is EntityKind.OBJECT
            self._at[span] = len(self._mentions)
            sentence = self._sentence(span)
            self._mentions.append(Mention(span, surface, kind, "", scene, sentence, strong, meant=meant))
        return self._at[span]

    def _sentence(self, span: Span) -> Span:
        return self._sentences[max(0, bisect_right(self._starts, span.start) - 1)]

    def _evidence(self, quote: Span, *names: int | None) -> tuple[Span, ...]:
        """The quote, and for each name outside it the sentence that has it."""
        spans = [self._mentions[name].span for name in names if name is not None]
        outside = [self._sentence(span) for span in spans if not quote.contains(span)]
        return tuple(dict.fromkeys((quote, *outside)))

    # --- items -------------------------------------------------------------------------------------

    def _keep(self, part: str, item: Item, quote: Span) -> None:
        key = (type(item), quote, *(str(value) for name, value in item if name != "quote"))
        if key not in self._seen:
            self._seen.add(key)
            getattr(self, f"_keep_{part}")(item, quote)

    def _keep_named(self, item: Named, quote: Span) -> None:
        kind = KINDS[item.kind]
        one = self._who(item.name, quote, kind)
        if item.role:
            self._fact(one, "role", item.role, quote, Modality.FACT)
        called = []
        for also in item.also:
            try:
                self._join(one, item.name, also, quote, kind)
                called.append(also)
            except _Unfounded as reason:
                if not _is_part(PersonName.parse(also).surname or also, item.name):
                    self.claimed += 1
                    self.left_out.append(LeftOut(str(reason), "named", f"{item.name}, also {also}"))
        self._found["cast"].append(Called(item.name, quote, tuple(called), kind))

    def _join(self, one: int, name: str, also: str, quote: Span, kind: EntityKind) -> None:
        """Notes that ``also`` is another name of the ``one`` who was found by either."""
        person = kind is EntityKind.CHARACTER
        if person and not any(whose(also)) and (not _is_name(also) or _is_kin_word(also)):
            raise _Unfounded("other names that are none, or kin words")
        other = self._named(also, quote, kind, as_said=True)
        if other is None and _key(also) not in self._known and not _is_part(also, name):
            raise _Unfounded("other names that are not in the text")
        if one == other:  # which of the two stands there?
            one = self._named(name, quote, kind, as_said=True) or one
        names = [name, also]
        if other not in (None, one):
            names = [self._mentions[each].surface for each in (one, other)]
        told_by = "I" in names and not any(each.startswith("the ") for each in names)
        if person and not (told_by or any(whose(also)) or _may_be_one(*names)):
            raise _Unfounded("other names that could be somebody else's")
        if person and other is not None and other != one:
            sure = CALLED if told_by else MODEL_CONFIDENCE
            self._found["identities"].append(Identity(one, other, quote, sure))

    def _keep_relations(self, item: Bond, quote: Span) -> None:
        predicate, forth = RELATIONS[item.type]
        a, b = self._who(item.a, quote), self._who(item.b, quote)
        if self._mentions[a].surface.casefold() == self._mentions[b].surface.casefold():
            raise _Unfounded("relations of one to itself")
        one, other = (a, b) if forth else (b, a)
        modality = Modality.REPORTED if item.status == "believed" else Modality.FACT
        if item.status in ("ends", "ended before") and not PREDICATES[predicate].permanent:
            modality = Modality.FLASHBACK
        told = (self._evidence(quote, one, other), modality, MODEL_CONFIDENCE)
        over, mirrored = modality is Modality.FLASHBACK, PREDICATES[predicate].symmetric
        word = "" if mirrored and "-" not in item.word else item.word.casefold()  # whose it is is not said
        self._found["statements"].append(
            Statement(predicate, one, other, *told, origin="model", ended=over, word=word)
        )

    def _keep_events(self, item: Event, quote: Span) -> None:
        predicate, modality = EVENTS[item.type], REALIS[item.realis]
        agent = self._who(item.who, quote) if item.who else None
        patient = self._named(item.whom, quote) if item.whom else None
        if predicate == "DIES" or item.type == BORN:
            agent, patient = None, patient if agent is None else agent
        patient = None if patient == agent else patient
        if agent is None and patient is None:
            raise _Unfounded("events of nobody whose name stands in the text")
        place = self._named(item.place, quote, EntityKind.LOCATION) if item.place else None
        verb = "bear" if item.type == BORN else ""
        told = (self._evidence(quote, agent, patient), modality, MODEL_CONFIDENCE, item.when, verb)
        key = item.key and modality is Modality.FACT
        if patient is not None and predicate in ("DIES", "KILLS") and modality.happened:
            life = (patient, "life", DEAD, told[0], modality, MODEL_CONFIDENCE)
            self._found["facts"].append(Fact(*life, change=True, origin="model"))
        self._found["happenings"].append(
            Happening(
                predicate,
                agent,
                patient,
                place,
                *told,
                origin="model",
                what=self._with_subject(item),
                key=key,
            )
        )

    def _with_subject(self, item: Event) -> str:
        """What happens, behind the name of who does it where it names nobody: "sells the house"."""
        first = item.what.partition(" ")[0]
        names = " ".join((item.who, *self._also.get(_key(item.who), ()))).casefold().split()
        named = not _ARTICLES.isdisjoint((first,)) or set(_WORD.findall(item.what.casefold())) & set(names)
        if not item.who or item.who == "I" or not first.islower() or named:
            return item.what
        return f"{item.who}{'' if _VERB.fullmatch(first) else ':'} {item.what}"

    def _keep_facts(self, item: Laid, quote: Span) -> None:
        thing = item.about == item.about.casefold() or _is_phrase(item.about)
        kind = EntityKind.OBJECT if thing else EntityKind.CHARACTER
        who = None if item.about.casefold() in _THE_WORLD else self._who(item.about, quote, kind)
        modality = REALIS[item.realis]
        self._fact(who, item.aspect, item.value, quote, modality, item.when)
        if item.aspect in _HOMES and who is not None:
            place = self._named(item.value, quote, EntityKind.LOCATION)
            if place is not None and place != who and self._mentions[place].surface[:1].isupper():
                told = (self._evidence(quote, who), modality, MODEL_CONFIDENCE)
                self._found["statements"].append(
                    Statement(_HOMES[item.aspect], who, place, *told, origin="model")
                )

    def _fact(
        self, who: int | None, aspect: str, value: str, quote: Span, modality: Modality, when: str = ""
    ) -> None:
        if not value.strip(" ."):
            raise _Unfounded("facts without a value")
        told = (self._evidence(quote, who), modality, MODEL_CONFIDENCE)
        value = value.strip(" .")
        value = value if ASPECTS[aspect].kind == "words" else value.casefold()
        fact = Fact(who, aspect, value, *told, when=when, origin="model")
        self._found["facts"].append(fact)

    def _keep_knowing(self, item: Knows, quote: Span) -> None:
        who = self._who(item.who, quote)
        other = self._named(item.other, quote) if item.other else None
        told = (self._evidence(quote, who, other), Modality.FACT, MODEL_CONFIDENCE)
        whom = None if other == who else other
        self._found["knowings"].append(Knowing(who, item.does, item.what, whom, *told))

    def _keep_threads(self, item: Thread, quote: Span) -> None:
        who = self._named(item.who, quote) if item.who else None
        told = (self._evidence(quote, who), MODEL_CONFIDENCE)
        self._found["threads"].append(ThreadStep(item.kind, item.what, item.step, who, *told))

    def _keep_hearts(self, item: Heart, quote: Span) -> None:
        who = self._who(item.who, quote)
        if item.feeling:
            felt = EMOTIONS[item.feeling]
            mood = Mood(who, felt.name, felt.valence, felt.arousal, quote, MODEL_CONFIDENCE)
            self._found["moods"].append(mood)
        if item.wants:
            turn = WANTS.get(item.turn, "adopted")
            self._found["goals"].append(Goal(who, item.wants, turn, quote, MODEL_CONFIDENCE))

    def _stage(self, scenes: Sequence[Stage], window: Span) -> None:
        """Who is there: whoever is named in the scene's stretch of the text, at the place that it names."""
        placed = [(found[0], scene) for scene in scenes if (found := self._place(scene.quote, window))]
        placed.sort(key=lambda pair: pair[0].start)
        ends = (*(quote.start for quote, _ in placed[1:]), window.end)
        for (quote, scene), end in zip(placed, ends, strict=False):
            stretch = Span(quote.start, max(end, quote.end))
            place = self._named(scene.place, quote, EntityKind.LOCATION) if scene.place else None
            where = self._sentence(self._mentions[place].span) if place is not None else None
            for name in scene.who:
                who = self._named(name, stretch)
                if who is not None and stretch.contains(self._mentions[who].span):
                    told = self._mentions[who]
                    self._found["presences"].append(
                        Presence(who, told.scene, place, told.sentence, _PRESENT, where)
                    )

    def reading(self, failures: tuple[ReaderFailure, ...]) -> ChapterReading:
        """All that stood up, in order of the text."""
        cast = tuple(self._found.pop("cast", ()))
        tables = {name: tuple(sorted(found, key=_place_of)) for name, found in self._found.items()}
        whole = ChapterReading(
            tuple(self._mentions), scenes=self._scenes, failures=failures, by_model=True, cast=cast, **tables
        )
        in_order = sorted(range(len(self._mentions)), key=lambda number: self._mentions[number].span)
        return whole.renumbered({old: new for new, old in enumerate(in_order)})


def _items(answer: ChapterAnswer) -> Iterator[tuple[str, Item]]:
    """All but the scenes, which are no claims; names first, since others are said of them."""
    for part in ("named", "relations", "events", "facts", "knowing", "threads", "hearts"):
        for item in getattr(answer, part):
            yield part, item


def _key(name: str) -> str:
    return " ".join(name.translate(_STRAIGHT).casefold().split()).removeprefix("the ")


def _bare(name: str) -> str:
    return name[4:] if name[:4].casefold() == "the " else name


def _is_part(name: str, whole: str) -> bool:
    """Is it the same name, or a part of it, which the names themselves tell?"""
    return set(_key(name).split()) <= set(_key(whole).split())


def _is_kin_word(name: str) -> bool:
    """Whom one calls Mum is another's daughter."""
    return name.casefold() in KIN


def _is_name(name: str) -> bool:
    """Is it more than what somebody is called by others: "my brother", "The tall woman"?"""
    words = name.split()
    return bool(words) and words[-1][:1].isupper() and words[0].casefold() not in _WHOSE | {"my", "a", "an"}


def _is_phrase(name: str) -> bool:
    """A thing or somebody by where they are: "the house in Ferry Lane"."""
    first, *others = _bare(name).split() or [""]
    return first == first.casefold() and not _WHERE.isdisjoint(others)


def _nearest(places: Sequence[Span], quote: Span) -> Span | None:
    """In the quote, else the last before it, else the first behind it."""
    inside = [place for place in places if quote.contains(place)]
    before = sorted(place for place in places if place.start < quote.start)
    return next(iter(inside), None) or next(iter(before[-1:]), None) or min(places, default=None)


def _place_of(record: Any) -> tuple[int, int]:
    span = record.evidence[0] if isinstance(record.evidence, tuple) else record.evidence
    return (span.start, span.end)


def _may_be_one(one: str, other: str) -> bool:
    """Could the two names be joined? Others are "the captain" too in a later chapter, and a whole family
    shares a surname, which the names themselves tell."""
    if any(name.startswith("the ") for name in (one, other)):
        return False
    parsed = PersonName.parse(one), PersonName.parse(other)
    if parsed[0].generation != parsed[1].generation:
        return False
    surnames = [name.surname or name.bare for name in parsed]
    if not (surnames[0] == surnames[1] and any(name.surname for name in parsed)):
        return True
    return all(name.given for name in parsed) and parsed[0].given[0] == parsed[1].given[0]
