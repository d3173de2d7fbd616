"""A weighty act out of nowhere: nothing told before it could have moved anyone to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from ....core.types import Evidence
from ...graph_rag.views.acts import Act, act_of, acts
from ...graph_rag.views.story_view import Place, StoryView
from ...model.findings import Severity, Violation
from ...model.predicates import PREDICATES
from ...model.types import EntityKind, EventTold, Modality, Relation
from ..background.avowals import says_so
from ..background.harm_before import HARM, PLAY, echoed, hostile_before
from ..seams.rule import Fact

__all__ = ["WEIGHTY", "OrphanedEvent"]

WEIGHTY: Mapping[str, str] = MappingProxyType(
    {
        "KILLS": "killing",
        "DIES": "death",
        "ATTACKS": "attack",
        "BETRAYS": "betrayal",
        "STEALS_FROM": "theft",
        "MARRIES": "marriage",
    }
)
"""Events that a reader expects to have been led up to, and the noun for each."""


_REASON = re.compile(
    r"\b(?:because|in order to|so that|out of (?:\w+ )?(?:spite|jealousy|revenge|malice|hatred|pity|love|"
    r"fear|envy|anger|greed|rage|fury|vengeance|despair|kindness|mercy|pride)|in revenge|(?:madden|enrag|"
    r"goad|provok|infuriat|exasperat|incens|irritat)\w+ (?:\w+ )?(?:by|at|with|beyond)|stung (?:by|to)|"
    r"driven (?:mad|wild|to it|by|beyond)|in (?:self-defen[cs]e|return for|reprisal|his own defence)|in a "
    r"(?:rage|fury|passion|frenzy) (?:at|over|with|because)|to (?:punish|avenge|revenge|pay (?:him|her) "
    r"(?:out|back))|for having|(?:that|this) (?:is|was) for (?:your|his|her|my|what)|who had (?:\w+ "
    r")?(?:betrayed|wronged|injured|deceived|insulted|ruined|robbed|cheated) (?:him|her|them|me)|for "
    r"(?:fear|love|revenge|money|the sake)|die[ds]? (?:\w+ ){0,2}(?:of|from|in (?:childbirth|child-bed))|"
    r"carried off by)\b|"
    r"[,;:] (?:for|since|as) (?:he|she|they|it|the \w+|(?-i:[A-Z])\w+) (?:had|was|were|would|could|did)\b",
    re.IGNORECASE,
)


_TRIED = re.compile(
    r"\b(?:tried|attempted|endeavou?red|sought) to \w+|\battempt(?:ed)? (?:on|upon|to)\b", re.IGNORECASE
)
_TAKING = frozenset("take get have receive draw fetch".split())


@dataclass(frozen=True, slots=True)
class OrphanedEvent:
    """A weighty event (``WEIGHTY``) with no CAUSED_BY edge and no earlier fact that could motivate it.

    It asks very little of a story, so that it stays quiet on well-made ones. It looks only at events (not
    relations) told as FACT (harm also where the one who did it says so, as a flashback: "had pushed him
    over", or as tried: "has tried to poison me"; not what is handed over: "took the parcel from") with
    ``min_confidence`` (of harm: ``sure_harm``) or more, whose people (two at least, or the one who DIES)
    are characters that the story has already shown in ``established`` earlier chapters, so never in the
    first one, and a stranger may do what he likes. And any one of these accounts for the event:

    - a cause of it, told anywhere up to the horizon, or in its own sentence ("died of", "for fear of");
    - any relation or event between the same two that is told before it, whatever its sign (where it
      was only planned, feared or reported too), or told as a flashback at any time; harm (``HARM``) is
      accounted for by nothing friendly, only by what is hostile or a plan of just this, and by a leave or a
      harsh word only where told in its chapter or the one before;
    - for harm: anything hostile around it (``around`` characters) that has to do with one of them, since a
      fight is told in more than one sentence, and any harm between the two told later;
    - a goal of one of them told before it (not for harm);
    - a third with whom one of them has a bond of any sign or kin, and with whom the other has a
      bond or a signed act, all told before;
    - for DIES: anything done to the dying one before, or a low feeling (valence below 0) of theirs.

    Harm in play (``harm_before.PLAY``: laughing, with flowers or paper) is none. Assumes that who took part
    is right. Cannot see motives that are only implied (a quarrel shown in dialogue alone), so its finding is
    a hint: severity INFO.
    """

    name: ClassVar[str] = "orphaned_event"
    severity: ClassVar[Severity] = Severity.INFO

    min_confidence: float = 0.5
    sure_harm: float = 0.55
    established: int = 1
    around: int = 600

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        caused = {cause.effect for cause in view.causes()}
        for event, people in self._weighty(view, only_document):
            reason = _REASON.search(event.evidence[0].line) is not None
            if event.id in caused or reason or PLAY.search(event.evidence[0].line):
                continue
            act = act_of(view, event)
            if event.predicate in HARM:
                accounted = hostile_before(view, act, people) or echoed(view, act, people, around=self.around)
            else:
                accounted = _motivated(view, act, people)
            if not accounted:
                yield self._violation(view, event, people)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Weighty events among established characters."""
        return frozenset(event for event, _ in self._weighty(view, only_document))

    def _weighty(self, view: StoryView, document: str | None) -> Iterator[tuple[EventTold, tuple[str, ...]]]:
        for event in view.events(happened=False):
            if (
                event.predicate in WEIGHTY
                and not _handed_over(event)
                and _told(view, event)
                and event.confidence >= (self.sure_harm if event.predicate in HARM else self.min_confidence)
                and event.evidence
                and document in (None, event.evidence[0].document_id)
            ):
                act = act_of(view, event)
                people = tuple(dict.fromkeys((*act.agents, *act.patients)))
                enough = len(people) >= 2 or (event.predicate == "DIES" and people)
                if enough and all(self._known(view, one, event.told) for one in people):
                    yield event, people

    def _known(self, view: StoryView, who: str, told: int) -> bool:
        entity = view.entity(who)
        if entity is None or entity.kind is not EntityKind.CHARACTER:
            return False
        shown = sum(who in view.presence(chapter) for chapter in range(entity.first_appearance, told))
        return shown >= self.established

    def _violation(self, view: StoryView, event: EventTold, people: tuple[str, ...]) -> Violation:
        noun = WEIGHTY[event.predicate]
        names = " and ".join(view.name(one) for one in people)
        known = (view.entity(one) for one in people)
        introduced: list[Evidence] = [entity.evidence[0] for entity in known if entity]
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=f"The {noun} in chapter {event.told} ({names}) comes out of nothing told before.",
            entities=tuple(sorted(people)),
            evidence=(*dict.fromkeys(sorted(introduced, key=view.place)), *event.evidence[:1]),
            suggestion=f"Prepare the {noun}: a motive, a quarrel, a plan or a cause told before it.",
            unless=(
                "a cause of it is told, or an earlier relation, event or goal of theirs that could "
                "lead to it, if only through somebody both know"
            ),
        )


def _handed_over(event: EventTold) -> bool:
    """Like "took the parcel from Anna": a theft only where other words say so."""
    return event.predicate == "STEALS_FROM" and event.verb in _TAKING


def _told(view: StoryView, event: EventTold) -> bool:
    """As a fact, or by the one who did it ("I have sold his secret"), or of late ("had pushed him "
    "over")."""
    if event.modality is Modality.FACT:
        return True
    if event.predicate not in HARM or not event.evidence:
        return False
    if event.modality is Modality.FLASHBACK:
        return True
    if event.modality is Modality.PLANNED and _TRIED.search(event.evidence[0].line):
        return True
    doers = (who for role, who in event.participants if role == "agent")
    return event.modality is Modality.REPORTED and any(says_so(view, who, event.evidence[0]) for who in doers)


def _motivated(view: StoryView, act: Act, people: tuple[str, ...]) -> bool:
    before = act.place
    if any(
        goal.valence > 0 and view.place(goal) < before for one in people for goal in view.states(one, "goal")
    ):
        return True
    if act.predicate == "DIES" and any(_failing(view, one, before) for one in act.dead):
        return True
    return any(
        _dealings(view, one, other, before) or _through_third(view, one, other, before)
        for index, one in enumerate(people)
        for other in people[index + 1 :]
    )


def _failing(view: StoryView, who: str, before: Place) -> bool:
    suffered = any(who in act.patients and act.place < before for act in acts(view, who))
    low = any(state.valence < 0 and view.place(state) < before for state in view.states(who, "emotion"))
    return suffered or low


def _dealings(view: StoryView, one: str, other: str, before: Place) -> bool:
    """Is anything between the two told before, or told as a flashback at any time?"""
    relations = (
        relation
        for relation in view.relations(one, happened=False)
        if other in (relation.subject, relation.object)
    )
    events = (
        event
        for event in view.events(one, happened=False)
        if other in (entity for _, entity in event.participants)
    )
    told: Iterator[Relation | EventTold] = (record for group in (relations, events) for record in group)
    return any(view.place(record) < before or record.modality is Modality.FLASHBACK for record in told)


def _through_third(view: StoryView, one: str, other: str, before: Place) -> bool:
    ties, other_ties = _tied(view, one, before), _tied(view, other, before)
    thirds = (ties & (other_ties | _dealt(view, other, before))) | (other_ties & _dealt(view, one, before))
    return bool(thirds - {one, other})


def _dealt(view: StoryView, who: str, before: Place) -> set[str]:
    """Those to whom ``who`` did, or from whom ``who`` had, good or harm."""
    return {
        person
        for act in acts(view, who)
        if act.place < before and act.predicate in PREDICATES and PREDICATES[act.predicate].sign
        for person in (*act.agents, *act.patients)
    }


def _tied(view: StoryView, who: str, before: Place) -> set[str]:
    """Those with whom ``who`` has a lasting bond, of either sign, or kinship."""
    return {
        end
        for relation in view.relations(who)
        if view.place(relation) < before and _ties(relation.predicate)
        for end in (relation.subject, relation.object)
    }


def _ties(predicate: str) -> bool:
    row = PREDICATES[predicate]
    return row.lasting and (row.sign != 0 or (row.permanent and predicate != "COMES_FROM"))
