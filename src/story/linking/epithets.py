"""Whom a noun beside speech means: "said the old gentleman", "replied the Jew".

Such a noun is somebody who has a name, or, more often, nobody who has one; how near a name stands does not
tell which. The turns of the conversation do: who spoke two turns before or after mostly speaks again, who
spoke the turn before does not, and who was called by name answers. Counted over all turns of one chapter
that have the same noun, these make a logistic model, learned on novels of PDNC (Vishnubhotla et al. 2022) by
``experiments/run.py noun_speakers``, whose result file says how often it is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log1p
from types import MappingProxyType

from ..extraction.quotations.self_introduction import OWN_NAME
from ..extraction.quotations.turn_taking import Turn
from ..lexicon.person_nouns import PERSON_NOUNS
from ..model.chapter_reading import ChapterReading
from ..model.types import EntityKind, EntityMention
from ..names.alias_book import AliasBook
from .callings import is_calling, of_anybody
from .state import ToldChapter

__all__ = ["SURE", "WEIGHTS", "Epithet", "Scene", "epithet_mentions", "find_epithets", "signs"]

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "two_away": 1.97,
        "next_to": -1.92,
        "called_before": 1.75,
        "called_himself": -2.57,
        "called_after": 1.33,
        "named_here": -0.78,
        "gender": 0.77,
        "so_called": 0.51,
        "others": -0.16,
        "bias": -1.62,
    }
)
SURE = 0.8  # of who is meant, for the noun to be his and he to be a voice there
NEAR = 2  # paragraphs between two turns of one exchange
AROUND = 6  # turns to either side, whose speakers may be meant


@dataclass(frozen=True, slots=True)
class Epithet:
    """A ``phrase`` ("old gentleman") beside the speech of the ``turns`` (indices) of one chapter;
    ``chances`` says how likely each person is meant, 0 to 1 each, the likeliest first."""

    phrase: str
    turns: tuple[int, ...]
    chances: tuple[tuple[str, float], ...]

    @property
    def meant(self) -> tuple[str, float]:
        """Who most likely is, and how likely; ``("", 0.0)`` where nobody is in sight."""
        return self.chances[0] if self.chances else ("", 0.0)


@dataclass(slots=True)
class Scene:
    """A chapter's conversation: ``named[i]`` is who is named as the speaker of turn ``i``, be it by himself,
    None where nobody is; ``gender`` tells a person's, ``""`` where unknown; ``so_called`` who was told to be
    "the beadle"."""

    turns: Sequence[Turn]
    named: Sequence[str | None]
    gender: Callable[[str], str]
    so_called: Callable[[str], str | None]


def epithet_mentions(
    told: ToldChapter,
    reading: ChapterReading,
    epithets: Sequence[Epithet],
    ids: Sequence[str | None],
    book: AliasBook,
) -> Iterator[EntityMention]:
    """A mention for each noun beside speech that surely means somebody with a name and is no mention yet. Not
    for what anybody may be called ("the young man"), and for what is no calling ("the whelp") only where it
    comes twice: "said the meeting" is nobody."""
    taken = {mention.span.end for i, mention in enumerate(reading.mentions) if ids[i] is not None}
    for epithet in epithets:
        (who, _), role = epithet.meant, f"the {epithet.phrase}"
        if not _is_sure(epithet):
            continue
        for i in epithet.turns:
            noun = reading.quotations[i].noun
            if noun is not None and noun.end not in taken:
                yield EntityMention(
                    who, EntityKind.CHARACTER, role, told.number, told.evidence(noun), book.gender(who)
                )


def _is_sure(epithet: Epithet) -> bool:
    if epithet.meant[1] < SURE or of_anybody(epithet.phrase):
        return False
    return len(epithet.turns) > 1 or is_calling(epithet.phrase)


@dataclass(slots=True)
class _Signs:
    counts: dict[str, dict[str, int]] = field(default_factory=dict)

    def see(self, who: str, sign: str) -> None:
        own = self.counts.setdefault(who, {})
        own[sign] = own.get(sign, 0) + 1


def find_epithets(nouns: Mapping[int, str], scene: Scene) -> list[Epithet]:
    """``nouns`` holds the phrase of each turn that has one, by index. Costs a look at the turns around."""
    groups: dict[str, list[int]] = {}
    for turn in sorted(nouns):
        groups.setdefault(nouns[turn], []).append(turn)
    return [Epithet(phrase, tuple(turns), _chances(phrase, turns, scene)) for phrase, turns in groups.items()]


def signs(phrase: str, turns: Sequence[int], scene: Scene) -> dict[str, dict[str, float]]:
    """What speaks for and against each person in sight, by the names of ``WEIGHTS``."""
    seen = _Signs()
    for i in turns:
        _look_around(i, scene, seen)
    head = phrase.rpartition(" ")[2]
    gender = PERSON_NOUNS.get(head, "")
    so_called = {scene.so_called(f"the {head}"), scene.so_called(f"the {phrase}")}
    found: dict[str, dict[str, float]] = {}
    for who, counts in seen.counts.items():
        own = scene.gender(who)
        if gender and own and own != gender:
            continue
        found[who] = {
            **{sign: log1p(count) for sign, count in counts.items()},
            "gender": float(bool(gender) and own == gender),
            "so_called": float(who in so_called),
            "others": float(len(seen.counts) - 1),
            "bias": 1.0,
        }
    return found


def _chances(phrase: str, turns: Sequence[int], scene: Scene) -> tuple[tuple[str, float], ...]:
    chances = {
        who: 1 / (1 + exp(-sum(WEIGHTS.get(sign, 0.0) * value for sign, value in own.items())))
        for who, own in signs(phrase, turns, scene).items()
    }
    own = {who for i in turns if (who := scene.named[i]) in chances}
    if len(own) == 1:
        chances[own.pop()] = OWN_NAME
    ranked = sorted(chances.items(), key=lambda each: (-each[1], each[0]))
    return tuple((who, round(chance, 3)) for who, chance in ranked)


def _look_around(i: int, scene: Scene, seen: _Signs) -> None:
    turns, named = scene.turns, scene.named
    for step in (-1, 1):
        if not _exchange(turns, i, i + step):
            continue
        beside = named[i + step]
        if beside is not None:
            seen.see(beside, "next_to")
        if _exchange(turns, i + step, i + 2 * step) and (other := named[i + 2 * step]) is not None:
            seen.see(other, "two_away")
    if _exchange(turns, i, i - 1):
        for who in sorted(turns[i - 1].called):
            seen.see(who, "called_before")
    for who in sorted(turns[i].called):
        seen.see(who, "called_himself")
    for who in sorted(turns[i].named):
        seen.see(who, "named_here")
    if _exchange(turns, i, i + 1):
        for who in sorted(turns[i + 1].called):
            seen.see(who, "called_after")
    for k in range(max(0, i - AROUND), min(len(turns), i + AROUND + 1)):
        if (one := named[k]) is not None and turns[k].scene == turns[i].scene:
            seen.see(one, "about")


def _exchange(turns: Sequence[Turn], one: int, other: int) -> bool:
    """Are both turns there, of one scene and close upon each other?"""
    if min(one, other) < 0 or max(one, other) >= len(turns):
        return False
    first, second = turns[min(one, other)], turns[max(one, other)]
    return first.scene == second.scene and second.place - first.end <= NEAR
