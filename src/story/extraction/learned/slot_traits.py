"""Looks, hands and families that a sentence tells in words of its own, where no construction and no set
phrase is known: each of ``learned.slot_candidates`` that ``slot_scorer`` finds told of one of the people in
it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...model.chapter_reading import Trait
from ...model.trait_values import Stay
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..parsing.chapter import ParsedChapter
from ..patterns.masking import Masked, masked, readings, text_of
from ..presence.durations import LENGTH
from ..presence.sighting_wordings import the_place
from ..presence.stays import goes_on
from ..traits.changes import called_a_lie, denied_behind, turned
from .scorer import LinearScorer, slot_scorer
from .slot_candidates import PLACE, candidates

__all__ = ["UNREAL", "Told", "read_slots", "slot_words", "told_of"]

UNREAL = re.compile(
    r"\b(?:if|whether|as though|as if|would be|wish\w*|dream\w*|dreamt|pretend\w*|might|would have|"
    r"suppos\w*|imagin\w*|almost|nearly|perhaps|rumou?r\w*|hop(?:e|ed|es|ing)|fear(?:s|ed|ing)?)\b|\?"
)
_SURE = 0.72
_LEAST = 0.6  # of a pronoun's factor
_LONGEST = 500
_MOST = 4  # people in a sentence
_MARGIN = 0.3  # by which the score of one value, and of one person, has to pass that of the next
_SISTERS, _BROTHERS = re.compile(r"\bsisters?\b"), re.compile(r"\bbrothers?\b")
_KIN = frozenset({"children", "siblings"})
_COUNTS = tuple(f"count:{kin}" for kin in "child son daughter sibling brother sister".split())


@dataclass(frozen=True, slots=True)
class Told:
    """A candidate that is told of the person numbered ``who``; ``score`` is how far above what it takes."""

    kind: str
    value: str
    who: int
    score: float


def read_slots(chapter: ParsedChapter, arguments: Arguments, told: Iterable[Trait]) -> Iterator[Trait]:
    """In order of the text; none in a sentence that tells that aspect by ``told`` (but for "two or more"), in
    a dream or a letter, and none of what is asked, feared, wished or called false."""
    exact = (trait for trait in told if not trait.value.endswith("+"))
    known = frozenset((trait.aspect, span.start) for trait in exact for span in trait.evidence)
    starts = {aspect: sorted(start for each, start in known if each == aspect) for aspect, _ in known}
    for paragraph in chapter.paragraphs:
        if chapter.scenes[paragraph.prose.scene].dream or paragraph.prose.letter:
            continue
        for sentence in paragraph.sentences:
            text = text_of(paragraph, sentence)
            words = text.lower()
            if len(text) > _LONGEST or UNREAL.search(words):
                continue
            place = the_place(chapter, paragraph, sentence) if LENGTH.search(words) else None
            if place is None and next(candidates(words), None) is None:
                continue
            if denied_behind(text) or called_a_lie(text):
                continue
            seen = masked(chapter, arguments, paragraph, sentence)
            for each in told_of(seen, place):
                aspect = _aspect(each.kind, words)
                own = _COUNTS if aspect.startswith("count:") else (aspect,)
                if any(
                    sentence.span.start <= at < sentence.span.end
                    for name in own
                    for at in starts.get(name, ())
                ):
                    continue
                if aspect == "stay" and goes_on(slot_words(seen, place)):
                    continue
                reference = seen.people[each.who]
                person = chapter.mentions[reference.mention].kind is EntityKind.CHARACTER
                if not person or reference.factor < _LEAST:
                    continue
                spoken = any(paragraph.spoken(token) for token in paragraph.tokens(sentence))
                yield Trait(
                    reference.mention,
                    aspect,
                    str(Stay(float(each.value), place.casefold()))
                    if place and aspect == "stay"
                    else each.value,
                    (sentence.span,),
                    Modality.REPORTED if spoken else Modality.FACT,
                    round(_SURE * reference.factor, 3),
                    turned(aspect, each.value, text),
                    reference.genders,
                )


def slot_words(seen: Masked, place: str | None) -> str:
    """The masked words in which candidates are looked for, ``PLACE`` for the one place."""
    words = readings(seen.words)[0]
    return words.replace(place.lower().replace("’", "'"), PLACE) if place else words


def told_of(seen: Masked, place: str | None = None, scorer: LinearScorer | None = None) -> tuple[Told, ...]:
    """What a masked sentence tells of its people, one value a kind at the most: that of the best score, where
    no other value or person comes near it; of children and of brothers or sisters, not both."""
    if not 0 < len(seen.people) <= _MOST:
        return ()
    model = scorer or slot_scorer()
    scored: dict[str, list[tuple[float, str, int]]] = {}
    for each in candidates(slot_words(seen, place)):
        for who in range(len(seen.people)):
            score = model.score(each.kind, each.words, who)
            scored.setdefault(each.kind, []).append((score, each.value, who))
    found = []
    for kind, all_of in scored.items():
        (score, value, who), *rest = sorted(all_of, reverse=True)
        rival = max((s for s, other, person in rest if (other, person) != (value, who)), default=-99.0)
        if score >= 0 and score - rival >= _MARGIN:
            found.append(Told(kind, value, who, round(score, 3)))
    kin = max((each for each in found if each.kind in _KIN), key=lambda each: each.score, default=None)
    return tuple(each for each in found if each.kind not in _KIN or each == kin)


def _aspect(kind: str, words: str) -> str:
    if kind == "children":
        return "count:child"
    if kind != "siblings":
        return kind
    sisters, brothers = _SISTERS.search(words), _BROTHERS.search(words)
    if bool(sisters) == bool(brothers):
        return "count:sibling"
    return "count:sister" if sisters else "count:brother"
