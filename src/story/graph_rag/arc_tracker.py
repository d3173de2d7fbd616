"""How characters change: their state at the end of each chapter, and the moves between."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...core.types import Evidence, Horizon
from ...errors import HorizonError
from ..lexicon.emotions import EMOTIONS, TONE_MOODS
from ..model.predicates import PREDICATES
from ..model.types import CharacterState, Modality, Relation, StateTold, Transition
from . import arc_moves as moves
from .views.story_view import Place, StoryView
from .views.timeline import Act, acts

WORTH_SAYING = 0.1


class _Told(NamedTuple):
    """Everything told of one character, each in order of telling."""

    emotions: tuple[StateTold, ...]
    goals: tuple[StateTold, ...]
    places: tuple[StateTold, ...]
    relations: tuple[Relation, ...]
    acts: tuple[Act, ...]


class DynamicArcTracker:
    """States and arcs of characters, each from what is told up to its own chapter.

    A state at chapter c is the same from any view that reaches c. Between two merges of ids all views
    resolve alike, so one view serves all chapters of the stretch, and what is told later is left out.
    Answers are kept: asking again costs nothing.
    """

    def __init__(self, view: StoryView) -> None:
        self._view = view
        self._merges = tuple(sorted({merge.told for merge in view.log.merges}))
        self._bases: dict[int | None, StoryView] = {}
        self._told: dict[tuple[int | None, str], _Told] = {}
        self._arcs: dict[str, tuple[tuple[CharacterState, ...], tuple[Transition, ...]]] = {}

    def state(self, entity: str, chapter: int) -> CharacterState:
        """The character at the end of the chapter; empty where nothing is told by then.

        An emotion is the one told with most confidence in the last chapter that tells any, among those of
        the sign of the mean valence there (valence and arousal are these means; a mood that only a tone shows
        counts where no other is told), halved
        every two chapters and gone after four: then it is ``""``.
        Goals are the active ones; the location is the last told, None once it is left. Raises HorizonError
        for a chapter beyond the view's horizon.
        """
        limit = self._view.horizon.chapter
        if chapter < 0 or (limit is not None and chapter > limit):
            raise HorizonError(f"no state at chapter {chapter}: this view reaches from 0 to chapter {limit}")
        past = [state for state in self.arc(entity) if state.chapter <= chapter]
        if past and past[-1].chapter == chapter:
            return past[-1]
        return replace(self._reading(entity, chapter), arc_phase=past[-1].arc_phase if past else "setup")

    def arc(self, entity: str) -> tuple[CharacterState, ...]:
        """Its states at the chapters that mention it, under whatever id it was known by there."""
        return self._arc(entity)[0]

    def transitions(self, entity: str) -> tuple[Transition, ...]:
        """The moves between neighbouring states of its arc (see ``magnitude`` and ``direction``).

        Reasons name people by id, since names may change with the horizon.
        """
        return self._arc(entity)[1]

    def _arc(self, entity: str) -> tuple[tuple[CharacterState, ...], tuple[Transition, ...]]:
        if entity not in self._arcs:
            states: list[CharacterState] = []
            steps: list[Transition] = []
            phase = "setup"
            for chapter in sorted({mention.told for mention in self._view.log.mentions}):
                base = self._base(chapter)
                if base.resolve(entity) not in base.presence(chapter):
                    continue
                state = self._reading(entity, chapter)
                if states:
                    steps.append(self._move(entity, states[-1], state))
                extent, kind = (steps[-1].magnitude, steps[-1].kind) if steps else (0.0, "steady")
                down = "fall" if kind == "break" else kind
                phase = moves.next_phase(phase, valence=state.valence, extent=extent, kind=down)
                states.append(replace(state, arc_phase=phase))
            self._arcs[entity] = tuple(states), tuple(steps)
        return self._arcs[entity]

    def _base(self, chapter: int) -> StoryView:
        """The farthest view in which ids resolve as they do at the chapter."""
        after = next((told for told in self._merges if told > chapter), None)
        if after not in self._bases:
            self._bases[after] = self._view if after is None else self._view.as_of(Horizon(after - 1))
        return self._bases[after]

    def _all_told(self, entity: str, chapter: int) -> _Told:
        base = self._base(chapter)
        known = base.resolve(entity)
        key = (base.horizon.chapter, known)
        if key not in self._told:
            felt, wanted, been = (
                tuple(sorted(base.states(known, aspect), key=base.place))
                for aspect in ("emotion", "goal", "location")
            )
            relations = tuple(sorted(base.relations(known), key=base.place))
            self._told[key] = _Told(felt, wanted, been, relations, acts(base, known))
        told = self._told[key]
        felt, wanted, been = (tuple(one for one in some if one.told <= chapter) for some in told[:3])
        relations = tuple(relation for relation in told.relations if relation.told <= chapter)
        happened = tuple(act for act in told.acts if act.record.told <= chapter)
        return _Told(felt, wanted, been, relations, happened)

    def _reading(self, entity: str, chapter: int) -> CharacterState:
        """The state but for its phase."""
        base = self._base(chapter)
        known = base.resolve(entity)
        told = self._all_told(entity, chapter)
        emotion, valence, arousal, felt = _emotion(told.emotions, chapter)
        fates = moves.goal_fates(told.goals)
        goals = [fate.adopted for fate in fates if fate.adopted is not None and fate.ended is None]
        bonds = [relation for relation in told.relations if PREDICATES[relation.predicate].lasting]
        stands = moves.strengths(base, known, bonds=bonds, happened=told.acts, chapter=chapter)
        location, seen = _location(base, known, told)
        quotes = [*felt, *(goal.evidence for goal in goals), *seen]
        quotes += [quote for _, behind in stands for quote in behind]
        return CharacterState(
            entity=known,
            chapter=chapter,
            emotional_state=emotion,
            valence=valence,
            arousal=arousal,
            active_goals=tuple(goal.value for goal in goals),
            relationships=tuple(strength for strength, _ in stands),
            location=location,
            arc_phase="setup",
            evidence=tuple(sorted(dict.fromkeys(quotes), key=lambda quote: (base.place(quote), quote.span))),
        )

    def _move(self, entity: str, before: CharacterState, after: CharacterState) -> Transition:
        told = self._all_told(entity, after.chapter)
        news = [goal for goal in told.goals if goal.told > before.chapter]
        moved, goals = moves.goal_moves(news, before=len(before.active_goals))
        stood = {one.entity: one.strength for one in before.relationships}
        stands = {one.entity: one.strength for one in after.relationships}
        relations = moves.mean_change(stood, stands)
        deeds = moves.deed_change(after.entity, told.acts, since=before.chapter)
        valence = after.valence - before.valence
        arousal = after.arousal - before.arousal
        extent = moves.magnitude(
            valence=valence, arousal=arousal, goals=moved, relations=relations, deeds=deeds
        )
        fortune = moves.direction(extent, valence=valence, goals=goals, relations=relations)
        bond = moves.greatest_change(stood, stands)
        kind = moves.kind_of(fortune, extent, valence=valence, goals=goals, bond=bond, deeds=deeds)
        reasons = _reasons(before, after, news, stood, stands, deeds)
        return Transition(after.entity, before.chapter, after.chapter, extent, kind, reasons)


def _emotion(told: Sequence[StateTold], chapter: int) -> tuple[str, float, float, tuple[Evidence, ...]]:
    last = told[-1].told if told else 0
    if not told or chapter - last > moves.EMOTION_MEMORY:
        return "", 0.0, 0.0, ()
    felt = [state for state in told if state.told == last]
    felt = [state for state in felt if state.value not in TONE_MOODS] or felt
    since = chapter - last
    valence = _mean((state.valence, state.confidence) for state in felt)
    weights: dict[str, float] = {}
    for state in reversed(felt):
        if state.valence * valence >= 0:  # the word has to fit the number beside it
            weights[state.value] = weights.get(state.value, 0.0) + state.confidence
    name = max(weights, key=weights.__getitem__)
    known = ((EMOTIONS.get(state.value), state) for state in felt)
    arousal = _mean((one.arousal if one else min(1.0, abs(s.valence)), s.confidence) for one, s in known)
    valence, arousal = (
        moves.faded(each, chapters=since, half_life=moves.EMOTION_HALF_LIFE) for each in (valence, arousal)
    )
    return name, valence, arousal, tuple(state.evidence for state in felt)


def _mean(weighted: Iterable[tuple[float, float]]) -> float:
    pairs = list(weighted)
    total = math.fsum(weight for _, weight in pairs)
    return math.fsum(value * weight for value, weight in pairs) / total if total > 0 else 0.0


def _location(base: StoryView, entity: str, told: _Told) -> tuple[str | None, tuple[Evidence, ...]]:
    stays: list[tuple[Place, str, tuple[Evidence, ...]]] = [
        (base.place(state), state.value, (state.evidence,)) for state in told.places
    ]
    there = (one for one in told.relations if one.predicate == "LOCATED_AT" and one.subject == entity)
    stays += [(base.place(one), one.object, one.evidence) for one in there if one.modality is Modality.FACT]
    if not stays:
        return None, ()
    place, location, quotes = max(stays, key=lambda stay: stay[:2])
    went = (act for act in told.acts if act.predicate == "LEAVES" and act.place > place and not act.flashback)
    left = any(entity in act.agents and location in (*act.places, *act.patients) for act in went)
    return (None, ()) if left else (location, quotes)


def _reasons(
    before: CharacterState,
    after: CharacterState,
    goals: Sequence[StateTold],
    stood: dict[str, float],
    stands: dict[str, float],
    deeds: float,
) -> tuple[str, ...]:
    reasons = []
    if (before.emotional_state, before.valence) != (after.emotional_state, after.valence):
        reasons.append(
            f"{before.emotional_state or 'unknown'} ({before.valence:+.2f}) to "
            f"{after.emotional_state or 'unknown'} ({after.valence:+.2f})"
        )
    for goal in goals:
        done = "goal lost" if goal.valence < 0 else "goal reached" if goal.valence >= 2 else "goal adopted"
        reasons.append(f"{done}: {goal.value}")
    for other in sorted(stood.keys() | stands.keys()):
        change = stands.get(other, 0.0) - stood.get(other, 0.0)
        if abs(change) >= WORTH_SAYING:
            reasons.append(f"stands to {other} by {change:+.2f}")
    if abs(deeds) >= WORTH_SAYING:
        reasons.append(f"acts by others {'better' if deeds > 0 else 'worse'} than before ({deeds:+.2f})")
    return tuple(reasons)
