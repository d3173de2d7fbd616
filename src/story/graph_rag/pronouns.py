"""Who "he" and "she" are: the nearest person of the same scene who fits, or nobody where two fit as well."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..types import EntityKind
from .parsed import ParsedChapter, ParsedParagraph

__all__ = ["PRONOUNS", "PronounReader", "Reference"]

PRONOUNS = {
    "he": "m",
    "him": "m",
    "his": "m",
    "himself": "m",
    "she": "f",
    "her": "f",
    "hers": "f",
    "herself": "f",
}
REACH = 2  # sentences back
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
ALONE, SUBJECT, FAR = 0.85, 0.75, 0.85
LEAST = 0.5


@dataclass(frozen=True, slots=True)
class Reference:
    """Which mention is meant, a factor (0 to 1) for the confidence of what is said of it, and the gender
    that a pronoun gave it, empty where it is named."""

    mention: int
    factor: float = 1.0
    gender: str = ""


@dataclass(slots=True)
class _Named:
    mention: int
    name: str
    subject: bool
    order: int
    factor: float = 1.0


@dataclass(slots=True)
class PronounReader:
    """Answers for one chapter. Names inside direct speech are no antecedents of narration."""

    chapter: ParsedChapter
    _named: dict[int, list[_Named]] = field(default_factory=dict)
    _gender: dict[str, str] = field(default_factory=dict)
    _scene: dict[int, int] = field(default_factory=dict)
    _known: dict[tuple[int, int], Reference | None] = field(default_factory=dict)

    @classmethod
    def of(cls, chapter: ParsedChapter) -> PronounReader:
        reader = cls(chapter)
        hints: dict[str, dict[str, int]] = {}
        for mention in chapter.mentions:
            if mention.gender:
                reader._gender.setdefault(_name(mention.surface), mention.gender)
        for paragraph, sentence in chapter.sentences():
            reader._scene[sentence.index] = paragraph.prose.scene
            reader._note(paragraph, sentence.index, paragraph.tokens(sentence), hints)
        for name, votes in hints.items():
            total = votes.get("m", 0) + votes.get("f", 0)
            best = max("mf", key=lambda gender: votes.get(gender, 0))
            if total >= 2 and votes[best] >= 0.8 * total:
                reader._gender.setdefault(name, best)
        reader._chain()
        return reader

    def _chain(self) -> None:
        """In order of the text, each pronoun that is understood keeps whom it means in mind for the next."""
        for paragraph, sentence in self.chapter.sentences():
            for token in paragraph.tokens(sentence):
                meant = self.resolve(paragraph, token) if token.lower_ in PRONOUNS else None
                if meant is None or token.dep_ == "poss":
                    continue
                name = _name(self.chapter.mentions[meant.mention].surface)
                subject = token.dep_ in _SUBJECTS
                self._named[sentence.index].append(
                    _Named(meant.mention, name, subject, token.i, meant.factor)
                )

    def _note(
        self, paragraph: ParsedParagraph, index: int, tokens: Any, hints: dict[str, dict[str, int]]
    ) -> None:
        named: list[_Named] = []
        for token in tokens:
            number = paragraph.mention_of.get(token.i)
            inside = token.dep_ == "compound" and paragraph.mention_of.get(token.head.i) == number
            if number is None or inside:
                continue
            mention = self.chapter.mentions[number]
            if mention.kind is not EntityKind.CHARACTER or paragraph.spoken(token) or token.dep_ == "poss":
                continue
            subject = token.dep_ in _SUBJECTS
            named.append(_Named(number, _name(mention.surface), subject, token.i))
            if subject:
                self._hint(token, named[-1].name, hints)
        self._named[index] = named

    @staticmethod
    def _hint(token: Any, name: str, hints: dict[str, dict[str, int]]) -> None:
        """Like "Elena shook her head": a possessive on the verb's own object speaks of the subject."""
        for child in token.head.children:
            if child.dep_ != "dobj":
                continue
            for owner in child.children:
                gender = PRONOUNS.get(owner.lower_) if owner.dep_ == "poss" else None
                if gender:
                    votes = hints.setdefault(name, {})
                    votes[gender] = votes.get(gender, 0) + 1

    def resolve(self, paragraph: ParsedParagraph, token: Any) -> Reference | None:
        """Who the pronoun ``token`` of the narration means; None where it is unclear."""
        gender = PRONOUNS.get(token.lower_)
        if gender is None or paragraph.spoken(token):
            return None
        key = (paragraph.number, token.i)
        if key not in self._known:
            self._known[key] = self._search(paragraph, token, gender)
        return self._known[key]

    def _search(self, paragraph: ParsedParagraph, token: Any, gender: str) -> Reference | None:
        here = paragraph.sentence(token).index
        scene = self._scene[here]
        barred = self._co_argument(paragraph, token)
        for back in range(REACH + 1):
            index = here - back
            if index not in self._named or self._scene[index] != scene:
                break
            fits = [
                named
                for named in self._named[index]
                if (back or named.order < token.i) and self._fits(named, gender) and named.name != barred
            ]
            if fits:
                meant = self._choose(fits, token, back)
                return replace(meant, gender=gender) if meant is not None else None
        return None

    def _choose(self, fits: list[_Named], token: Any, back: int) -> Reference | None:
        """The only one who fits; of several, the only subject, and that for a subject or possessive alone."""
        distance = FAR ** max(0, back - 1)
        if len({named.name for named in fits}) == 1:
            sure = any(self._gender.get(named.name) for named in fits)
            return self._meant(fits[-1], ALONE if sure else SUBJECT, distance)
        subjects = {named.name: named for named in fits if named.subject}
        if len(subjects) == 1 and (token.dep_ in _SUBJECTS or token.dep_ == "poss"):
            (named,) = subjects.values()
            return self._meant(named, SUBJECT, distance)
        return None

    @staticmethod
    def _meant(named: _Named, sure: float, distance: float) -> Reference | None:
        """A pronoun read through another pronoun is as sure as that one, less a tenth; below a half none."""
        factor = sure if named.factor == 1.0 else min(sure, 0.9 * named.factor)
        factor = round(factor * distance, 3)
        return Reference(named.mention, factor) if factor >= LEAST else None

    def _fits(self, named: _Named, gender: str) -> bool:
        return self._gender.get(named.name, gender) == gender

    def _co_argument(self, paragraph: ParsedParagraph, token: Any) -> str:
        """An object is never its own clause's subject: "Elizabeth saw her"."""
        if token.dep_ in _SUBJECTS or token.dep_ == "poss" or token.lower_.endswith("self"):
            return ""
        verb = token.head if token.head.pos_ in ("VERB", "AUX") else token.head.head
        for child in verb.children:
            if child.dep_ not in _SUBJECTS:
                continue
            number = paragraph.mention_of.get(child.i)
            if number is None and child.lower_ in PRONOUNS:
                meant = self.resolve(paragraph, child)
                number = meant.mention if meant else None
            if number is not None:
                return _name(self.chapter.mentions[number].surface)
        return ""


def _name(surface: str) -> str:
    return surface.casefold()
