"""Bonds, wrongs, vows, secrets and absences that a sentence tells in words of its own, where no
construction and no set phrase is known: whatever ``learned.scorer`` finds told of the people in it.

One look at the words of a sentence decides whether it is weighed at all (``_ANY``); what is asked, dreamt or
only supposed is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

from ...model.chapter_reading import Learning, Trait
from ...model.predicates import PREDICATES
from ...model.trait_values import AWAY, NOW, SIGHTED, VOW
from ...model.types import EntityKind, Modality
from ..bonds.passing import passing
from ..bonds.wordings import BONDS
from ..clauses.arguments import Arguments
from ..clauses.fact_collector import FactCollector
from ..coreference.pronouns import Reference
from ..goals.vows import aim_of
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..parsing.words import Word
from ..patterns.masking import Masked, masked, readings, text_of
from ..patterns.told_trait import told_trait
from ..presence.sighting_wordings import the_place
from ..traits.changes import called_a_lie, denied_behind
from .features import features, plain_words
from .scorer import LinearScorer, sentence_scorer

__all__ = [
    "ANY",
    "KINDS",
    "PAIRS",
    "WRONGS",
    "SentenceFact",
    "SentenceReader",
    "facts_of",
    "may_tell",
    "pairs_of",
    "unreal",
]

KINDS = ("warm", "cold", "deed", "vow", "secret", "away")
"""What is told: ``warm`` and ``cold`` are bonds to another, ``deed`` is a grave wrong done to another,
``away`` is to be elsewhere at the moment."""
ANY = "any"
"""Of the model: whether a sentence is about one of these at all."""
PAIRS = frozenset({"warm", "cold"})
"""Told of two people; who suffers a ``deed`` is the only other one of the sentence."""
WRONGS = frozenset(
    name
    for name, row in PREDICATES.items()
    if row.turning and row.sign < 0 and name not in ("LEAVES", "INSULTS", "THREATENS")
)
"""Wrongs that a story has to account for."""
_FAIR, _SURE, _SURER, _CLEAR = 0.6, 0.72, 0.85, 0.4  # one step more from that score on
_LEAST = 0.75  # of a pronoun's factor
_SHORTEST, _LONGEST = 7, 400  # words, characters
_MOST, _TWO = 4, 2  # people in a sentence
_MARGIN = 0.3  # by which the score of the one told of has to pass that of the next
_SUPPOSED = re.compile(
    r"\b(?:whether|as though|as if|wish\w*|dream\w*|dreamt|pretend\w*|suppos\w*|imagin\w*|perhaps|"
    r"rumou?r\w*)\b|\?"
)
_UNREAL = re.compile(
    _SUPPOSED.pattern + r"|\b(?:if|would be|might|would have|almost|nearly|seem\w*|hop(?:e|ed|es|ing)|"
    r"fear(?:s|ed|ing)?)\b"
)
_MEANT = frozenset({"warm", "cold", "vow"})  # these are often told by what somebody would do
_TURNS = re.compile(
    r"\b(?:reconcil\w*|made (?:it|things|all) up|made (?:their )?peace|shook hands|shake hands|friends again|"
    r"hatchet|fell out|fallen out|(?<!never )(?<!not )(?<!cannot )(?<!never be )(?<!not be )forg[ai]v\w*)\b"
)  # a bond that turns is for the rules
_FEELING = r"(?:lov|hat|lik|detest|loath|ador|trust|despis|abhor)(?:e|ed|es|ing|s)?"
_NO_BOND = re.compile(
    rf"\b{_FEELING} (?:the|an?|it|this|that|to|every|all|no)\b|"
    rf"(?:\b(?:never|not|nor|longer|neither)|n't) (?:\w+ )?{_FEELING}\b"
)  # "loved the garden where", "never hated"
_NOT_SWORN = re.compile(
    r"\b(?:refus\w*|declin\w*|nobody|no one|release[ds]?|kept (?:his|her|my) (?:word|vow|promise))\b"
)
_SPOKEN_OF = re.compile(
    r"\b(?:spoke|speak|speaking|mention\w*|ask(?:s|ed)|let (?:fall|slip)|referred|allud\w*|talk\w*|hear\w*|"
    r"knew|know\w*|rumou?r\w*)\b"
)
_DATED = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|(?:in|of) (?:march|may)|april|june|"
    r"july|august|september|october|november|december|noon|midday|midnight|o'clock|yesterday|ago)\b"
)
_LOVE = re.compile(r"\b(?:lov\w+|ador\w+|heart\w*|dear\w*|belov\w+|worship\w*|idol\w*|devot\w+|marr\w+)\b")
_TRUST = re.compile(r"\b(?:dis|mis)?(?:trust\w*)\b|\b(?:suspi\w+|believ\w+|faith|rel(?:y|ied) on)\b")
_FOE = re.compile(r"\b(?:enem\w+|foes?|feud|enmity|quarrel\w*|war)\b")
_THEFT = re.compile(
    r"\b(?:st[eo]l\w*|rob(?:s|bed|bing|bery)?|pocket\w*|purloin\w*|swindl\w*|cheat\w*|embezzl\w*|"
    r"defraud\w*|plunder\w*|pawned|filch\w*|money|purse|savings)\b"
)
_BETRAYAL = re.compile(
    r"\b(?:betray\w*|inform\w*|denounc\w*|sold|forg(?:e|ed|ery|ing)|letters?|slander\w*|lie[sd]?|told|"
    r"secrets?|accus\w*|evidence|police|magistrates?|name|will|deceiv\w*|seduc\w*|abandon\w*|ruin\w*|"
    r"desert\w*|blackmail\w*|perjur\w*|swore)\b"
)


@dataclass(frozen=True, slots=True)
class SentenceFact:
    """``who`` and ``other`` number the people of the masked sentence; ``score`` is how far above what it
    takes."""

    kind: str
    who: int
    other: int | None
    score: float


def may_tell(text: str, scorer: LinearScorer | None = None) -> bool:
    """Is a sentence, as it is written, about anything of ``KINDS`` by its words alone?"""
    model = scorer or sentence_scorer()
    return len(text) <= _LONGEST and model.weigh(plain_words(text), (ANY,))[ANY] >= 0


def unreal(kind: str, words: str) -> bool:
    """Is it asked, dreamt or only supposed, by these masked words?"""
    return (_SUPPOSED if kind in _MEANT else _UNREAL).search(words) is not None


def pairs_of(kind: str, people: int) -> Iterator[tuple[int, int | None]]:
    """All of whom a sentence with so many people may tell it."""
    if kind in PAIRS:
        yield from permutations(range(people), 2)
    else:
        yield from ((who, None) for who in range(people))


def facts_of(seen: Masked, scorer: LinearScorer | None = None) -> tuple[SentenceFact, ...]:
    """What a masked sentence tells of its people, each kind once at the most: of those whose score is best,
    where nobody else comes near it; not both love and hatred."""
    if not 0 < len(seen.people) <= _MOST:
        return ()
    model = scorer or sentence_scorer()
    words = readings(seen.words)[0]
    if len(words.split()) < _SHORTEST:
        return ()
    kinds = tuple(each for each in KINDS if not unreal(each, words))
    scored: dict[str, list[tuple[float, int, int | None]]] = {}
    for pair in (False, True):
        own = tuple(each for each in kinds if (each in PAIRS) == pair)
        for who, other in pairs_of(own[0], len(seen.people)) if own else ():
            for kind, score in model.weigh(features(words, who, other), own).items():
                scored.setdefault(kind, []).append((score, who, other))
    found = []
    for kind, all_of in scored.items():
        (score, who, other), *rest = sorted(all_of, key=lambda each: -each[0])
        rivals = [each for each, one, _ in rest if one != who or kind in PAIRS]
        if score < 0 or score - max(rivals, default=-99.0) < _MARGIN:
            continue
        if kind == "deed":
            if len(seen.people) != _TWO or score < _CLEAR:
                continue
            other = 1 - who
        found.append(SentenceFact(kind, who, other, round(score, 3)))
    bonds = sum(each.kind in PAIRS for each in found)
    return tuple(each for each in found if not _misplaced(each, words, bonds))


def _misplaced(fact: SentenceFact, words: str, bonds: int) -> bool:
    """Is it among the words that make it something else: love and hatred at once, a bond that turns, a wrong
    that is spoken of, a promise refused?"""
    if fact.kind in PAIRS:
        turns = passing(words) or _TURNS.search(words) or _NO_BOND.search(words)
        return bonds > 1 or bool(turns)
    if fact.kind == "deed":
        return _SPOKEN_OF.search(words) is not None
    return fact.kind == "vow" and _NOT_SWORN.search(words) is not None


@dataclass(frozen=True, slots=True)
class _Found:
    paragraph: ParsedParagraph
    sentence: Sentence
    seen: Masked
    fact: SentenceFact

    @property
    def who(self) -> Reference:
        return self.seen.people[self.fact.who]


class SentenceReader:
    """Of one chapter. What rules read in a sentence goes first: each method leaves out the sentences of what
    it is given as known."""

    def __init__(self, chapter: ParsedChapter, arguments: Arguments) -> None:
        self._chapter, self._arguments = chapter, arguments
        self._found = tuple(self._look())

    def _look(self) -> Iterator[_Found]:
        chapter = self._chapter
        for paragraph in chapter.paragraphs:
            dreamt = chapter.scenes[paragraph.prose.scene].dream
            if not paragraph.mention_of or paragraph.prose.letter or dreamt:
                continue
            for sentence in paragraph.sentences:
                text = text_of(paragraph, sentence)
                if not may_tell(text) or denied_behind(text) or called_a_lie(text):
                    continue
                seen = masked(chapter, self._arguments, paragraph, sentence)
                for fact in facts_of(seen):
                    people = [seen.people[each] for each in (fact.who, fact.other) if each is not None]
                    if all(self._person(each) for each in people):
                        yield _Found(paragraph, sentence, seen, fact)

    def _person(self, reference: Reference) -> bool:
        kind = self._chapter.mentions[reference.mention].kind
        return kind is EntityKind.CHARACTER and reference.factor >= _LEAST

    def _of(self, *kinds: str, known: frozenset[int]) -> Iterator[_Found]:
        """``known`` holds where the sentences begin in which such a thing is read already."""
        for each in self._found:
            if each.fact.kind in kinds and each.sentence.span.start not in known:
                yield each

    def tell(self, facts: FactCollector, *, bonds: frozenset[int], deeds: frozenset[int]) -> None:
        """Adds bonds and wrongs, one a sentence."""
        for each in self._of("warm", "cold", known=bonds):
            self._tell(facts, each, _bond(each), each.paragraph.words[each.seen.opens])
        for each in self._of("deed", known=deeds):
            spoken = self._modality(each) is Modality.REPORTED
            if spoken and not self._own_words(each):
                continue  # hearsay
            verb = _verb(each, facts)
            if verb is not None:
                self._tell(facts, each, _deed(each), verb)

    def _tell(self, facts: FactCollector, each: _Found, predicate: str, word: Word) -> None:
        other = each.seen.people[each.fact.other] if each.fact.other is not None else None
        sure = _SURE if each.fact.score >= _CLEAR or predicate not in BONDS else _FAIR
        facts.tell(each.paragraph, word, predicate, (each.who, other), self._modality(each), sure)

    def _modality(self, each: _Found) -> Modality:
        if any(each.paragraph.spoken(token) for token in each.paragraph.tokens(each.sentence)):
            return Modality.REPORTED
        flashback = self._chapter.scenes[each.paragraph.prose.scene].flashback
        return Modality.FLASHBACK if flashback else Modality.FACT

    def _own_words(self, each: _Found) -> bool:
        speaker = self._arguments.dialogue.speech(each.paragraph).speaker
        who = self._arguments.pronouns.cast.who
        return speaker is not None and who[speaker[0]] == who[each.who.mention]

    def traits(self, known: Iterable[Trait]) -> Iterator[Trait]:
        """Vows (aspect ``VOW``, the aim as value) and absences."""
        told = {(each.aspect, span.start) for each in known for span in each.evidence}
        for each in self._of("away", known=frozenset(start for aspect, start in told if aspect == SIGHTED)):
            place = the_place(self._chapter, each.paragraph, each.sentence)
            if place is not None and not _DATED.search(each.seen.words):
                moment = NOW if self._modality(each) is Modality.FACT else AWAY
                yield self._trait(each, SIGHTED, f"{moment}@{place.casefold()}")
        for each in self._of("vow", known=frozenset()):
            aim = aim_of(each.paragraph, each.sentence)
            if aim:
                yield self._trait(each, VOW, aim)

    def _trait(self, each: _Found, aspect: str, value: str) -> Trait:
        sure = round((_SURER if each.fact.score >= _CLEAR else _SURE) * each.who.factor, 3)
        return told_trait(each.paragraph, each.sentence, each.who, aspect, value, sure=sure)

    def learnings(self, *, known: frozenset[int]) -> Iterator[Learning]:
        """What its keepers keep to themselves, out of narration; the content is the sentence."""
        for each in self._of("secret", known=known):
            if self._modality(each) is not Modality.REPORTED:
                text = each.paragraph.tokens(each.sentence).text.strip()
                sure = round(_SURE * each.who.factor, 3)
                span = each.sentence.span
                yield Learning(each.who.mention, text, None, (span,), Modality.FACT, sure, kept=True)


def _bond(each: _Found) -> str:
    words, warm = each.seen.words, each.fact.kind == "warm"
    if _TRUST.search(words) and not _LOVE.search(words):
        return "TRUSTS" if warm else "DISTRUSTS"
    if warm:
        return "LOVES" if _LOVE.search(words) else "FRIEND_OF"
    return "ENEMY_OF" if _FOE.search(words) else "HATES"


def _deed(each: _Found) -> str:
    words = each.seen.words
    if _THEFT.search(words):
        return "STEALS_FROM"
    return "BETRAYS" if _BETRAYAL.search(words) else "ATTACKS"


def _verb(each: _Found, facts: FactCollector) -> Word | None:
    """A verb of the sentence, one that has told nothing yet if there is such."""
    tokens = each.paragraph.tokens(each.sentence)
    verbs = [token for token in tokens if token.pos_ == "VERB"]
    fresh = [token for token in verbs if (each.paragraph.number, token.i) not in facts.at]
    return next(iter(fresh or verbs), None)
