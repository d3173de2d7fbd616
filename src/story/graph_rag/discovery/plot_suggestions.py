"""Where a story could go on: what somebody wants and has not got, and what is unresolved between people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from ....core.types import Evidence
from ...model.types import EntityKind
from ..arcs.goals import active_goals
from ..arcs.measures import faded
from ..views.acts import Act, acts
from ..views.story_view import StoryView
from .links import Link, quotes_of
from .tension import COLD_ACTS, Tension
from .who_knows import who_could_know

__all__ = ["PlotSuggestion", "suggest"]

MOST_PEOPLE = 30
MOST_SECRETS = 12
EACH = 4
KNOWS = 0.25
GOAL_HALF_LIFE = 10.0  # chapters
_HIDDEN = frozenset({"KILLS", "BETRAYS", "DECEIVES", "STEALS_FROM"})
_DONE = {"KILLS": "killed", "BETRAYS": "betrayed", "DECEIVES": "deceived", "STEALS_FROM": "stole from"}
_DONE |= {"ATTACKS": "attacked"}


@dataclass(frozen=True, slots=True)
class PlotSuggestion:
    """``kind`` is ``"goal"``, ``"divided loyalty"``, ``"hostility"``, ``"wrong"``, ``"unreturned love"`` or
    ``"secret"``. ``wording`` is a plain sentence, with the names of the horizon; ``weight`` 0 to 1 is how
    much those it concerns are spoken of, times the confidence in what it stands on (a goal's halved every
    ten chapters since it was told)."""

    kind: str
    entities: tuple[str, ...]
    wording: str
    weight: float
    evidence: tuple[Evidence, ...]

    def sentence(self, _view: StoryView) -> str:
        """The ``wording``: its names are those of the horizon already."""
        return self.wording


class _Chain(Protocol):
    """A finding over links: a conflict triangle or an implied hostility."""

    @property
    def links(self) -> tuple[Link, ...]: ...

    @property
    def confidence(self) -> float: ...


class Triangle(_Chain, Protocol):
    @property
    def one(self) -> str: ...

    @property
    def between(self) -> str: ...

    @property
    def other(self) -> str: ...


class Hostility(_Chain, Protocol):
    @property
    def one(self) -> str: ...

    @property
    def through(self) -> str: ...

    @property
    def other(self) -> str: ...


def suggest(
    view: StoryView,
    state: Tension,
    *,
    triangles: Iterable[Triangle],
    hostilities: Iterable[Hostility],
    min_confidence: float,
    limit: int,
) -> tuple[PlotSuggestion, ...]:
    """At most ``limit``, four of a kind, the weightiest first, ties by kind and people. Concerns only the
    thirty most mentioned characters that live."""
    weights = _weights(view)
    found = [
        *_goals(view, weights, min_confidence),
        *_loyalties(view, weights, triangles),
        *_hostilities(view, weights, hostilities),
        *_wrongs(view, weights, min_confidence),
        *_loves(view, weights, state),
        *_secrets(view, weights, state, min_confidence),
    ]
    found.sort(key=lambda one: (-one.weight, one.kind, one.entities, one.wording))
    kept: list[PlotSuggestion] = []
    for one in found:
        if sum(other.kind == one.kind for other in kept) < EACH and one.weight > 0:
            kept.append(one)
    return tuple(kept[:limit])


def _weights(view: StoryView) -> Mapping[str, float]:
    dead = {who for act in acts(view) for who in act.dead}
    people = [one for one in view.entities(EntityKind.CHARACTER) if one.id not in dead][:MOST_PEOPLE]
    most = people[0].mentions if people else 1
    return {one.id: one.mentions / most for one in people}


def _goals(view: StoryView, weights: Mapping[str, float], sure: float) -> Iterator[PlotSuggestion]:
    now = max((mention.told for mention in view.log.mentions), default=0)
    for one, weight in weights.items():
        told = sorted(view.states(one, "goal"), key=view.place)
        for goal in active_goals(goal for goal in told if goal.confidence >= sure):
            sentence = (
                f"{view.name(one)} set out to {goal.value} (ch. {goal.told}), and nothing has come of it "
                "yet: let it be reached, or fail."
            )
            age = faded(goal.confidence, chapters=now - goal.told, half_life=GOAL_HALF_LIFE)
            yield PlotSuggestion("goal", (one,), sentence, weight * age, (goal.evidence,))


def _loyalties(
    view: StoryView, weights: Mapping[str, float], triangles: Iterable[Triangle]
) -> Iterator[PlotSuggestion]:
    for each in triangles:
        people = (each.between, each.one, each.other)
        between, one, other = map(view.name, people)
        sentence = f"{between} is close to both {one} and {other}, who are at odds: make {between} choose."
        yield _of_links("divided loyalty", people, sentence, each, weights)


def _hostilities(
    view: StoryView, weights: Mapping[str, float], hostilities: Iterable[Hostility]
) -> Iterator[PlotSuggestion]:
    for each in hostilities:
        people = (each.one, each.other, each.through)
        one, other, through = map(view.name, people)
        sentence = f"{one} stands by {through}, who is at odds with {other}: let {one} and {other} meet."
        yield _of_links("hostility", people, sentence, each, weights)


def _of_links(
    kind: str, people: tuple[str, ...], sentence: str, each: _Chain, weights: Mapping[str, float]
) -> PlotSuggestion:
    weight = _mean(weights, people) * each.confidence
    return PlotSuggestion(kind, people, sentence, weight, quotes_of(each.links))


def _wrongs(view: StoryView, weights: Mapping[str, float], sure: float) -> Iterator[PlotSuggestion]:
    """The last attack, betrayal or theft between two that was neither forgiven nor returned since."""
    open_: dict[tuple[str, str], Act] = {}
    for act in acts(view):
        if act.record.confidence < sure or act.flashback:
            continue
        for agent in act.agents:
            for patient in act.patients:
                if act.predicate == "FORGIVES" or act.predicate in COLD_ACTS:
                    open_.pop((patient, agent), None)
                if act.predicate in COLD_ACTS and agent != patient:
                    open_[agent, patient] = act
    for (agent, patient), act in open_.items():
        if agent in weights and patient in weights:
            sentence = (
                f"{view.name(agent)} {_DONE[act.predicate]} {view.name(patient)} (ch. {act.record.told}), "
                "which is neither forgiven nor paid back: let it be one or the other."
            )
            weight = _mean(weights, (agent, patient)) * act.record.confidence
            yield PlotSuggestion("wrong", (agent, patient), sentence, weight, act.record.evidence)


def _loves(view: StoryView, weights: Mapping[str, float], state: Tension) -> Iterator[PlotSuggestion]:
    for (one, other), link in state.warm.items():
        if link.predicate != "LOVES" or one not in weights or other not in weights:
            continue
        lover, loved = link.subject, link.object
        if lover in state.warm_to.get(loved, ()):
            continue
        sentence = (
            f"{view.name(lover)} loves {view.name(loved)} (ch. {link.told}), and how {view.name(loved)} "
            "feels is not told: let it come out."
        )
        weight = _mean(weights, (lover, loved)) * link.confidence
        yield PlotSuggestion("unreturned love", (lover, loved), sentence, weight, link.evidence)


def _secrets(
    view: StoryView, weights: Mapping[str, float], state: Tension, sure: float
) -> Iterator[PlotSuggestion]:
    """What was done to somebody, of which one who is warm to them can hardly know."""
    grave = [
        event
        for event in view.events()
        if event.predicate in _HIDDEN and event.confidence >= sure and len(event.participants) > 1
    ]
    towards: dict[str, list[str]] = {}
    for one, others in sorted(state.warm_to.items()):
        for other in others:
            towards.setdefault(other, []).append(one)
    for event in grave[-MOST_SECRETS:]:
        doer, sufferer = (
            next((who for role, who in event.participants if role == wanted), "")
            for wanted in ("agent", "patient")
        )
        friends = [one for one in towards.get(sufferer, ()) if one in weights and one != doer]
        if not (doer and sufferer and friends):
            continue
        known = {one.entity for one in who_could_know(view, event.id) if one.certainty >= KNOWS}
        for friend in friends:
            if friend not in known:
                sentence = (
                    f"{view.name(doer)} {_DONE[event.predicate]} {view.name(sufferer)} (ch. {event.told}), "
                    f"and nothing told so far would let {view.name(friend)} know: let it come out."
                )
                weight = _mean(weights, (doer, friend)) * event.confidence
                people = (friend, doer, sufferer)
                yield PlotSuggestion("secret", people, sentence, weight, event.evidence)


def _mean(weights: Mapping[str, float], people: Iterable[str]) -> float:
    found = [weights.get(one, 0.0) for one in people]
    return sum(found) / len(found)
