"""Plans one slip or control: whom it is about, which values, which wordings, and where they stand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .cast import Actor
from .inventions import Inventions
from .phrasings import Half, Phrasing, Variant
from .prose import Manner
from .spots import Draft, Spots
from .told_already import tells
from .wording import Person, filled

__all__ = ["Plan", "Planner"]

_MOST = 10  # slips and controls about one person in one book
_FROM, _UNTIL = 0.1, 0.55  # shares of the book in which the early side of a slip "far" apart may stand
_LATE_FROM = 0.3  # share of the book after which somebody new is nobody new any more
_NEAR = 40  # paragraphs that two sides of a slip in one chapter may be apart
_TRIES = 12  # casts tried before a variant is given up in this book


@dataclass(frozen=True, slots=True)
class Plan:
    """``canon`` is what the codex lays down about X: (name, gender, line, places)."""

    variant: Variant
    drafts: tuple[Draft, ...]
    characters: tuple[str, ...]
    source: str = "inserted"
    canon: tuple[str, str, str, tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class _Casting:
    actors: tuple[Actor, ...]  # X and Y, as far as they are of the novel
    persons: Mapping[str, Person]
    after: int = 0  # the last chapter in which somebody who dies is still about
    keys: frozenset[tuple[str, ...]] = field(default_factory=frozenset)


class Planner:
    """Plans for one book; what one plan takes (paragraphs, a person's aspect, a pair) no other gets."""

    def __init__(
        self,
        spots: Spots,
        inventions: Inventions,
        manner: Manner,
        rng: random.Random,
        half: Half,
        *,
        turns: Mapping[frozenset[str], Sequence[int]],
    ) -> None:
        """``turns`` are the chapters in which something turns a bond of two: no slip of theirs spans one."""
        self._turns = turns
        self._spots, self._inventions, self._manner = spots, inventions, manner
        self._rng, self._half = rng, half
        self._used: set[tuple[str, ...]] = set()
        self._load: Counter[str] = Counter()
        self._said: Counter[str] = Counter()  # wordings used: a fresh one is taken first
        self._chapters = len(spots.document.chapters)

    def plan(self, variant: Variant) -> Plan | None:
        """None where the book has no room for it."""
        for casting in self._castings(variant):
            plan = self._place(variant, casting)
            if plan is not None:
                self._used |= casting.keys
                self._load.update(plan.characters)
                return plan
        return None

    def act_again(self, variant: Variant, actor: Actor, told: int) -> Plan | None:
        """The late side alone of ``variant``, for somebody whose death the novel tells at chapter
        ``told``."""
        key = ("dies", actor.id)
        if key in self._used:
            return None
        casting = _Casting((), {"D": actor.person}, told, frozenset({key}))
        late = replace(variant, sides=tuple(side for side in variant.sides if side[0] == "late"))
        plan = self._place(late, casting)
        if plan is None:
            return None
        self._used.add(key)
        return replace(plan, variant=replace(variant, aspect="told death"), source="novel")

    # --- whom

    def _castings(self, variant: Variant) -> Iterator[_Casting]:
        if "D" in variant.cast:
            yield from self._dying()
            return
        invented = self._invented(variant)
        if "X" not in variant.cast:
            yield _Casting((), invented)
            return
        for actors in self._actors(variant):
            names = "XY"[: len(actors)]
            persons = {name: actor.person for name, actor in zip(names, actors, strict=True)}
            keys = self._keys(variant, actors)
            if not keys & self._used and all(self._load[actor.id] < _MOST for actor in actors):
                yield _Casting(actors, {**persons, **invented}, keys=keys)

    def _invented(self, variant: Variant) -> dict[str, Person]:
        if "N" not in variant.cast:
            return {}
        gender = variant.gender or self._rng.choice("fm")
        person = self._inventions.person(gender=gender, titled=variant.titled)
        return {"N": replace(person, name=person.parts["given"]) if variant.bare else person}

    def _actors(self, variant: Variant) -> Iterator[tuple[Actor, ...]]:
        text, aspect = self._spots.document.text, _looked_for(variant)
        pool = [
            actor
            for actor in self._spots.stage.actors
            if self._spots.count(actor.id) >= 2 and not tells(text, actor, aspect)
        ]
        weights = [self._spots.count(actor.id) ** 0.5 for actor in pool]
        narrator = self._spots.stage.narrator
        if narrator is not None and self._manner.past and _may_narrate(variant):
            pool.append(narrator)
            weights.append(max(weights, default=1.0))
        if "Y" in variant.cast:
            yield from self._pairs()
            return
        for _ in range(_TRIES if pool else 0):
            yield (self._rng.choices(pool, weights)[0],)

    def _pairs(self) -> Iterator[tuple[Actor, Actor]]:
        """Persons who are about together, the oftener the likelier, either first."""
        pairs = self._spots.pairs()
        while pairs:
            at = self._rng.choices(range(len(pairs)), [count for _, count in pairs])[0]
            one, other = pairs.pop(at)[0]
            yield (one, other) if self._rng.random() < 0.5 else (other, one)

    def _keys(self, variant: Variant, actors: Sequence[Actor]) -> frozenset[tuple[str, ...]]:
        ids = sorted(actor.id for actor in actors)
        if len(ids) == 2:
            return frozenset({("pair", *ids)})
        what = "place" if variant.family == "two_places_at_once" else variant.aspect
        keys = {(what, ids[0])}
        return frozenset(keys | {("codex", ids[0])} if variant.codex else keys)

    def _dying(self) -> Iterator[_Casting]:
        """Somebody whom the novel drops, or somebody made up."""
        leaving = [actor for actor in self._spots.stage.leaving if ("dies", actor.id) not in self._used]
        if leaving and self._rng.random() < 0.5:
            actor = self._rng.choice(leaving)
            yield _Casting((), {"D": actor.person}, actor.last, frozenset({("dies", actor.id)}))
        yield _Casting((), {"D": self._inventions.person()})

    # --- where and how

    def _place(self, variant: Variant, casting: _Casting) -> Plan | None:
        lists = self._wordings(variant, casting)
        spots = self._spots_of_sides(variant, casting, lists)
        if spots is None:
            return None
        values = self._values(variant, casting, {side: at for side, (at, _, _) in spots.items()})
        drafts = []
        for side, (at, phrasing, persons) in spots.items():
            own = {**values, "v": values.get(f"v {side}", values.get("v", ""))}
            self._said[phrasing.text] += 1
            words = filled(phrasing.text, _called(persons, side), own, self._manner)
            drafts.append(
                self._spots.draft(at, words, spoken=phrasing.spoken, side=side, phrasing=phrasing.id)
            )
        characters = [person.id for name, person in casting.persons.items()]
        source, canon = "inserted", None
        if variant.codex:
            person = casting.persons["X"]
            line = filled(variant.codex, casting.persons, values, self._manner)
            towns = (values["a"],) if "to:" in line else ()
            source, canon = "codex", (person.name, person.gender, line[0].lower() + line[1:], towns)
        elif variant.gap == "stage":
            source = "novel"
        elif len(drafts) == 1:
            source = "none"
        return Plan(variant, tuple(drafts), tuple(characters), source, canon)

    def _wordings(self, variant: Variant, casting: _Casting) -> dict[str, list[Phrasing]]:
        narrates = any(actor.narrates for actor in casting.actors)
        lists = {}
        swapped = variant.swap == "always" or (variant.swap == "True" and self._rng.random() < 0.5)
        for side, _ in variant.sides:
            other = {"early": "late", "late": "early"}.get(side, side) if swapped else side
            usable = [
                phrasing
                for phrasing in variant.phrasings(other, self._half)
                if (phrasing.first or not narrates) and not (phrasing.spoken and self._manner.dashes)
            ]
            shuffled = self._rng.sample(usable, len(usable))
            lists[side] = sorted(shuffled, key=lambda phrasing: self._said[phrasing.text])
        return lists

    def _spots_of_sides(
        self, variant: Variant, casting: _Casting, lists: Mapping[str, Sequence[Phrasing]]
    ) -> dict[str, tuple[int, Phrasing, Mapping[str, Person]]] | None:
        chosen: dict[str, tuple[int, Phrasing, Mapping[str, Person]]] = {}
        for side in ("early", "late", "turn"):
            if side not in lists:
                continue
            taken = {side: at for side, (at, _, _) in chosen.items()}
            candidates = [
                at
                for at in self._spots.of(casting.actors)
                if self._spots.chapter(at) > casting.after
                and all(abs(at - other) >= 3 for other in taken.values())
                and self._fits(variant, casting, side, at, taken, alone=len(lists) == 1)
            ]
            found = self._first_fit(candidates, lists[side], casting, [p.id for _, p, _ in chosen.values()])
            if found is None:
                return None
            chosen[side] = found
        return {side: chosen[side] for side in ("early", "turn", "late") if side in chosen}

    def _first_fit(
        self, candidates: list[int], wordings: Sequence[Phrasing], casting: _Casting, spoken_for: list[str]
    ) -> tuple[int, Phrasing, Mapping[str, Person]] | None:
        order = self._rng.sample(candidates, min(len(candidates), 30))
        digests = {taken.rsplit("/", 1)[1] for taken in spoken_for}
        for phrasing in wordings:
            if phrasing.id.rsplit("/", 1)[1] in digests:
                continue
            for at in order:
                if "W" not in phrasing.persons:
                    return at, phrasing, casting.persons
                bystander = self._spots.bystander(at, casting.actors)
                if bystander is not None:
                    return at, phrasing, {**casting.persons, "W": bystander.person}
        return None

    def _fits(
        self,
        variant: Variant,
        casting: _Casting,
        side: str,
        at: int,
        taken: Mapping[str, int],
        *,
        alone: bool,
    ) -> bool:
        chapter, chapters = self._spots.chapter(at), self._chapters
        if side == "turn":
            return taken["early"] < at < taken["late"]
        if alone:
            low = _LATE_FROM if variant.family == "never_introduced" else _FROM
            return low * chapters < chapter and (side == "late" or chapter <= _UNTIL * chapters + 1)
        if variant.gap == "near" and side == "late":
            return self._soon(variant, at, taken["early"])
        if variant.gap == "near":
            return not self._turned(variant, casting, chapter, chapter)
        if side == "early":  # somebody who dies may be about till late
            return casting.after > 0 or chapter <= _UNTIL * chapters + 1
        return self._later(variant, casting, chapter, self._spots.chapter(taken["early"]))

    def _later(self, variant: Variant, casting: _Casting, chapter: int, early: int) -> bool:
        apart = max(1, self._chapters // 10) if not casting.after else 1
        return chapter >= early + apart and not self._turned(variant, casting, early, chapter)

    def _turned(self, variant: Variant, casting: _Casting, early: int, late: int) -> bool:
        pair = frozenset(actor.id for actor in casting.actors)
        bond = variant.aspect == "warm and cold" and not variant.control
        return bond and any(early <= chapter <= late for chapter in self._turns.get(pair, ()))

    def _soon(self, variant: Variant, at: int, early: int) -> bool:
        if variant.control:
            return early + 6 < at and self._spots.chapter(at) <= self._spots.chapter(early) + 1
        return early < at <= early + _NEAR and self._spots.chapter(at) == self._spots.chapter(early)

    # --- values

    def _values(self, variant: Variant, casting: _Casting, spots: Mapping[str, int]) -> dict[str, str]:
        """Slots a, b, c, t, and v for either side, as ``v early``, ``v turn`` and ``v late``."""
        values = {"t": self._rng.choice(variant.times)} if variant.times else {}
        if variant.names:
            gender = casting.persons["N"].gender
            one, other = self._inventions.given_name(gender), self._inventions.given_name(gender)
            return {**values, **_two(one, other if variant.names == "two" else one)}
        if variant.places:
            chapters = {self._spots.chapter(at) for at in spots.values()}
            text = "".join(
                self._spots.document.chapter(number).body.of(self._spots.document.text) for number in chapters
            )
            towns = self._inventions.cities(variant.places, without=text)
            return {**values, **_two(towns[0], towns[-1])}
        if not variant.values:
            return values
        if variant.parts:
            group = variant.values[self._rng.choice(self._unused(variant))]
            self._used.add(("value", *group))
            return {**values, **dict(zip("abc", group, strict=False)), "v": group[0]}
        first, second = self._rng.sample(self._unused(variant), 2)
        if variant.falling:
            first, second = max(first, second), min(first, second)
        pick = [variant.values[first], variant.values[second]]
        if variant.by_gender:
            gender = casting.persons["N"].gender
            return {**values, **_two(*(group[0 if gender == "m" else 1] for group in pick))}
        return {**values, **_two(*(self._rng.choice(group) for group in pick))}

    def _unused(self, variant: Variant) -> list[int]:
        """The groups of values that no other plan has taken, all where too few are left."""
        fresh = [i for i, group in enumerate(variant.values) if ("value", *group) not in self._used]
        return fresh if len(fresh) >= 2 else list(range(len(variant.values)))


def _looked_for(variant: Variant) -> str:
    """The aspect of a person that the variant is about, controls too, whose own names tell the change."""
    named = {"dyed hair or a wig": "hair", "years pass": "age", "reported lie": "birthplace"}
    return named.get(variant.aspect, variant.aspect)


def _may_narrate(variant: Variant) -> bool:
    return variant.cast[0] == "X" and "Y" not in variant.cast and variant.gap == "far" and not variant.codex


def _called(persons: Mapping[str, Person], side: str) -> Mapping[str, Person]:
    """Where the death of somebody made up is told, the calling says who that was."""
    dead = persons.get("D")
    if dead is None or side != "early" or "calling" not in dead.parts:
        return persons
    return {**persons, "D": replace(dead, name=f"{dead.name} the {dead.parts['calling']}")}


def _two(early: str, late: str) -> dict[str, str]:
    return {"a": early, "b": late, "v early": early, "v late": late, "v turn": late}
