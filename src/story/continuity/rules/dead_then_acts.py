"""The dead who walk: somebody is told to be dead, and later acts or speaks as if nothing had happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.types import Evidence
from ...graph_rag.views.story_view import Place, StoryView
from ...model.findings import Severity, Violation
from ...model.trait_values import ALIVE, DEAD, LIFE
from ...model.types import CODEX_ID, EntityKind, EventTold, Modality, TraitTold
from ..background.life_signs import LifeSign, Namings, life_signs
from ..background.per_view import once
from ..seams.rule import Fact

__all__ = ["DeadThenActs"]


_SAID = re.compile('["“”‘]')
_DOUBTED = re.compile(
    r"\b(?:perhaps|maybe|if|may|might|must|would|could|wish\w*|think|thought|believe[ds]?|suppose[ds]?|"
    r"fear\w*|hear|heard|they say|people say|report\w*|rumou?r\w*|as good as|not|never|dream\w*|unless|till|"
    r"until)\b|n['’]t\b|\?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Death:
    """One telling of a death: how much it weighs (1 is certain) and whether a dying is told."""

    place: Place
    told: int
    evidence: Evidence
    weight: float
    dying: bool
    record: TraitTold | EventTold


@dataclass(frozen=True, slots=True)
class DeadThenActs:
    """A death that is certain by then, and afterwards an act or word of the same person, both by name.

    *Certain* is a death told as fact by the narration with ``min_confidence`` or more, or several less
    sure tellings in different sentences that weigh as much together: a sentence of the narration that leaves
    room for doubt half as much, direct speech less; what is told with ``told`` or more, or said outright, of
    somebody who is named no more than ``few`` times afterwards is believed. Who is named only by a calling
    ("the captain"), or by a name that another bears too (father and son), is left alone, in the death and in
    the act.

    *An act* is a bodily act told as fact, or direct speech that the narration gives to him, in a sentence
    that names him and has no word of memory, dream, ghosts or earlier times, at least ``apart`` characters
    after the death.

    Silent about anybody of whom it is told after the death that he is alive, and of whom a dying is told
    again after the act (the first was told ahead of its time, or misread). Who acts on in more than
    ``most_chapters`` chapters was perhaps never dead: WARNING.

    Assumes that linking is right. Cannot see a death that is only implied, acts that only a pronoun tells, a
    stretch told out of order with no sign of it, nor a namesake whom linking took for the same. Severity
    ERROR, but for those who live on.
    """

    name: ClassVar[str] = "dead_then_acts"
    severity: ClassVar[Severity] = Severity.ERROR

    min_confidence: float = 0.8
    told: float = 0.6
    apart: int = 300
    most_chapters: int = 2
    few: int = 4
    most_acts: int = 6

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        namings = once(Namings, view)
        deaths = self._deaths(view, namings)
        alive = _alive(view)
        signs: dict[str, list[LifeSign]] = {}
        starts = {who: tellings[0].place for who, tellings in deaths.items()}
        for sign in life_signs(view, starts, namings):
            signs.setdefault(sign.entity, []).append(sign)
        for who in sorted(signs):
            found = [
                (death, sign)
                for sign in signs[who]
                if (death := self._certain(deaths[who], sign)) is not None
            ]
            if not found or alive.get(who, (0, 0, 0)) > starts[who]:
                continue
            if _dies_again(deaths[who], found):
                continue
            lives_on = len({sign.told for _, sign in found}) > self.most_chapters
            drafted = [pair for pair in found if only_document in (None, pair[1].evidence.document_id)]
            if drafted:
                yield self._violation(view, who, drafted, lives_on=lives_on)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Acts and words of those whose death is told anywhere."""
        namings = once(Namings, view)
        dead = dict.fromkeys(self._deaths(view, namings), (0, 0, -1))
        return frozenset(sign.record for sign in life_signs(view, dead, namings, document=only_document))

    def _deaths(self, view: StoryView, namings: Namings) -> dict[str, list[_Death]]:
        """Every telling of each person's death that names him alone, in order of telling."""
        found: dict[str, list[_Death]] = {}
        for trait in view.traits():
            if trait.aspect == LIFE and trait.value == DEAD and trait.evidence:
                self._tell(view, trait, trait.entity, trait.change, found, namings)
        for event in view.events():
            if event.predicate in ("DIES", "KILLS") and event.evidence and event.origin != "rules":
                for role, who in event.participants:
                    if role == "patient":
                        self._tell(view, event, who, True, found, namings)
        for tellings in found.values():
            tellings.sort(key=lambda death: (death.place, -death.weight))
        return found

    def _tell(
        self,
        view: StoryView,
        record: TraitTold | EventTold,
        who: str,
        dying: bool,
        found: dict[str, list[_Death]],
        namings: Namings,
    ) -> None:
        entity, quote = view.entity(who), record.evidence[0]
        if entity is None or entity.kind is not EntityKind.CHARACTER:
            return
        if record.origin == CODEX_ID:  # certain, and of nobody else
            found.setdefault(who, []).append(
                _Death(view.place(quote), record.told, quote, 1.0, dying, record)
            )
            return
        weight = self._weight(record)
        if weight < 1.0 and self._plain_word(view, record, who):
            weight = 1.0
        surface = namings.within(who, quote)
        if weight and surface and namings.alone(who, surface):
            place = view.place(quote)
            found.setdefault(who, []).append(_Death(place, record.told, quote, weight, dying, record))

    def _weight(self, record: TraitTold | EventTold) -> float:
        if record.modality is Modality.REPORTED:
            return 0.4 if record.confidence >= self.min_confidence else 0.2
        if not record.modality.happened:
            return 0.0
        if record.confidence >= self.min_confidence:
            return 1.0
        return 0.5 if record.confidence >= 0.5 else 0.0

    def _plain_word(self, view: StoryView, record: TraitTold | EventTold, who: str) -> bool:
        """Is it told outright, and of somebody of whom little is told afterwards? Those whose death is only
        reported and who return are figures that a story has much to tell of."""
        quote = record.evidence[0]
        said = record.modality is Modality.REPORTED
        if said and (record.confidence < self.min_confidence or not _SAID.search(quote.line)):
            return False
        if record.confidence < self.told or not (said or record.modality.happened):
            return False
        if _DOUBTED.search(quote.line):
            return False
        place = view.place(quote)
        after = [
            mention
            for mention in view.log.mentions
            if view.resolve(mention.entity) == who and view.place(mention) > place
        ]
        return len(after) <= self.few

    def _certain(self, tellings: list[_Death], sign: LifeSign) -> _Death | None:
        """The surest telling before the act, the codex's own if there is one, where all before it make the
        death certain."""
        before: dict[tuple[str, int], _Death] = {}
        for death in tellings:
            if death.place < sign.place and self._apart(death.evidence, sign.evidence):
                key = (death.evidence.document_id, death.evidence.span.start)
                if key not in before or before[key].weight < death.weight:
                    before[key] = death
        if sum(death.weight for death in before.values()) < 1.0:
            return None
        return max(before.values(), key=lambda death: (death.weight, death.record.origin == CODEX_ID))

    def _apart(self, death: Evidence, act: Evidence) -> bool:
        if death.document_id != act.document_id:
            return True
        return act.span.start - death.span.end >= self.apart

    def _violation(
        self, view: StoryView, who: str, found: list[tuple[_Death, LifeSign]], *, lives_on: bool
    ) -> Violation:
        """The death, then every act told after it, the plainest first: one that somebody can explain must
        not hide one that nobody can."""
        name = view.name(who)
        death = min(found, key=lambda pair: pair[1].place)[0]
        acts = list(dict.fromkeys(sign for _, sign in sorted(found, key=_plainest)))[: self.most_acts]
        chapters = sorted({sign.told for sign in acts})
        return Violation(
            rule=self.name,
            severity=Severity.WARNING if lives_on else self.severity,
            message=f"{name} is dead (chapter {death.told}), yet acts or speaks in {_listed(chapters)}.",
            entities=(who,),
            evidence=tuple(dict.fromkeys((death.evidence, *(sign.evidence for sign in acts)))),
            suggestion=f"Give it to somebody else, tell it before the death, or let {name} live.",
            unless=(
                f"all of it is remembered, dreamt or told from before, the death proves false, "
                f"or another bears the name {name}"
            ),
        )


def _plainest(pair: tuple[_Death, LifeSign]) -> tuple[float, int, Place]:
    """What is told most surely, in the fewest words, and first."""
    sign = pair[1]
    return -sign.record.confidence, len(sign.evidence.quote), sign.place


def _listed(chapters: list[int]) -> str:
    numbers = [str(number) for number in chapters]
    if len(numbers) == 1:
        return f"chapter {numbers[0]}"
    return f"chapters {', '.join(numbers[:-1])} and {numbers[-1]}"


def _alive(view: StoryView) -> dict[str, Place]:
    """Where each is last told to be alive, in whatever voice."""
    return {
        trait.entity: view.place(trait.evidence[0])
        for trait in view.traits()
        if trait.aspect == LIFE and trait.value == ALIVE and trait.evidence
    }


def _dies_again(tellings: list[_Death], found: list[tuple[_Death, LifeSign]]) -> bool:
    last = max(sign.place for _, sign in found)
    return any(death.dying and death.weight >= 0.5 and death.place > last for death in tellings)
