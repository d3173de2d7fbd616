"""Nouns that bind people: "X, Y's sister", "X was Y's enemy", "his sister X", "X and Y were friends";
and names that are one: "X's real name was Y"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ....core.types import Span
from ...lexicon.verbs_and_nouns import ARTEFACTS, KIN, PLURAL_BONDS
from ...model.calibration import calibrated
from ...model.chapter_reading import Identity, Statement
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..clauses.modality import likened, modality_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

__all__ = ["KinReader"]

_COPULAS = frozenset({"be", "become", "remain"})
_TRULY = frozenset("really actually".split())
_SHARED = frozenset({"our"})
_GONE = frozenset("late former old sworn ex".split())
_CALLED = frozenset({"named", "called"})
_SELDOM = frozenset("seldom rarely hardly scarcely".split())
# confidence: "his brother X"; "X, his brother"; "X was his brother"
BESIDE, APPOSED, COPULA = 0.9, 0.85, 0.88


@dataclass(slots=True)
class KinReader:
    chapter: ParsedChapter
    arguments: Arguments
    statements: list[Statement] = field(default_factory=list)
    identities: list[Identity] = field(default_factory=list)
    _told: set[tuple[str, int, int, Span]] = field(default_factory=set)

    def read(self) -> None:
        for paragraph in self.chapter.paragraphs:
            for token in paragraph.words:
                if token.lower_ in KIN and token.tag_ in ("NN", "NNP"):
                    self._kin(paragraph, token, token.lower_)
                elif token.tag_ == "NNS" and token.lemma_ in KIN:
                    self._kin(paragraph, token, token.lemma_)
                    if token.lemma_ in PLURAL_BONDS:
                        self._plural(paragraph, token)
                elif token.lower_ in ARTEFACTS:
                    self._owned(paragraph, token)
                if token.lemma_ == "be":
                    self._identity(paragraph, token)
                elif token.lower_ == "known":
                    self._known_as(paragraph, token)

    # --- kin ---------------------------------------------------------------------------------------

    def _kin(self, paragraph: ParsedParagraph, noun: Word, word: str) -> None:
        owners = list(self._owners(paragraph, noun))
        if not owners or self._in_law(noun) or likened(noun):
            return
        predicate, gender = KIN[word]
        for bearer, link, modality in self._bearers(paragraph, noun):
            told = self.chapter.mentions[bearer.mention].gender
            if gender and told and told != gender:
                continue
            for owner in owners:
                if word == noun.lower_:
                    self.arguments.kin.setdefault((self.arguments.name(owner), word), bearer.mention)
                born = ((bearer.mention, gender),) if gender else ()
                self._tell(paragraph, noun, predicate, (bearer, owner), modality, link, born)

    def _owners(self, paragraph: ParsedParagraph, noun: Word) -> Iterator[Reference]:
        """Whose brother: "Y's brother", "his brother", "the brother of Y", "Y had a brother"."""
        beside = [c for c in noun.head.children if c.i < noun.i] if noun.dep_ == "compound" else []
        if noun.dep_ == "dobj" and noun.head.lemma_ == "have":
            yield from self._people(self.arguments.subjects(paragraph, noun.head))
            return
        for child in (*beside, *noun.children):
            if child.dep_ == "poss" and child.lower_ not in _SHARED:
                yield from self._people(self.arguments.resolve(paragraph, child))
            elif child.dep_ == "prep" and child.lower_ == "of":
                for behind in child.children:
                    if behind.dep_ == "pobj":
                        yield from self._people(self.arguments.resolve(paragraph, behind))

    def _bearers(self, paragraph: ParsedParagraph, noun: Word) -> Iterator[tuple[Reference, float, Modality]]:
        """(who is the brother, confidence, modality): by apposition either way, or by "was"."""
        spoken = Modality.REPORTED if paragraph.spoken(noun) else Modality.FACT
        number = paragraph.mention_of.get(noun.i)
        if number is not None:
            return
        follower = noun.nbor(1) if noun.i + 1 < len(noun.doc) else noun
        yield from ((one, BESIDE, spoken) for one in self._named(paragraph, follower))
        for child in noun.children:
            if child.dep_ == "appos" and child is not follower and not _broken_off(child):
                yield from ((one, APPOSED, spoken) for one in self._all_named(paragraph, child, noun))
            elif child.dep_ == "acl" and child.lower_ in _CALLED:
                for name in child.children:
                    yield from ((one, APPOSED, spoken) for one in self._named(paragraph, name))
        head = noun.head
        if noun.dep_ == "compound" and head.i > noun.i and head.i - noun.i <= 3:
            yield from ((one, BESIDE, spoken) for one in self._named(paragraph, head))
        elif noun.dep_ == "appos":
            yield from ((one, APPOSED, spoken) for one in self._named(paragraph, head))
        elif noun.dep_ in ("attr", "nsubj") and head.lemma_ in _COPULAS:
            yield from self._equated(paragraph, noun, head)

    def _equated(
        self, paragraph: ParsedParagraph, noun: Word, verb: Word
    ) -> Iterator[tuple[Reference, float, Modality]]:
        """Like "X was Y's brother", "Y's brother was X"."""
        modality = modality_of(self.chapter, paragraph, verb)
        if modality is None:
            return
        if noun.dep_ == "attr":
            yield from (
                (one, COPULA, modality) for one in self._people(self.arguments.subjects(paragraph, verb))
            )
            return
        for child in verb.children:
            if child.dep_ == "attr":
                yield from ((one, COPULA, modality) for one in self._named(paragraph, child))

    def _all_named(self, paragraph: ParsedParagraph, token: Word, noun: Word) -> list[Reference]:
        """The name set beside the noun; all that are joined where it is a plural, and then two at least."""
        if noun.tag_ != "NNS":
            return self._named(paragraph, token)
        found = [one for each in (token, *token.conjuncts) for one in self._named(paragraph, each)]
        return found if len(found) > 1 else []

    def _named(self, paragraph: ParsedParagraph, token: Word) -> list[Reference]:
        number = paragraph.mention_of.get(token.i)
        return self._people([Reference(number)]) if number is not None else []

    def _people(self, references: list[Reference]) -> list[Reference]:
        return [one for one in references if self.arguments.kind(one) is EntityKind.CHARACTER]

    @staticmethod
    def _in_law(noun: Word) -> bool:
        """Like "brother-in-law", "half-sister", "foster-mother", "father figure": other bonds."""
        doc, i = noun.doc, noun.i
        return (i + 1 < len(doc) and doc[i + 1].text in ("-", "figure")) or (i > 0 and doc[i - 1].text == "-")

    def _plural(self, paragraph: ParsedParagraph, noun: Word) -> None:
        """Like "X and Y were friends", "X was friends with Y"."""
        head = noun.head
        if noun.dep_ != "attr" or head.lemma_ not in _COPULAS:
            return
        modality = modality_of(self.chapter, paragraph, head)
        if modality is None or any(child.dep_ == "poss" for child in noun.children):
            return
        if any(child.lower_ in _SELDOM for child in head.children):
            return
        people = self._people(self.arguments.subjects(paragraph, head))
        for node in (noun, head):
            for child in node.children:
                if child.dep_ == "prep" and child.lower_ in ("with", "of"):
                    others = self._people(self.arguments.slot(paragraph, node, f"prep:{child.lower_}"))
                    if not others:
                        return
                    people += others
        predicate = PLURAL_BONDS[noun.lemma_.lower()]
        if len(people) == 2:
            self._tell(paragraph, noun, predicate, (people[0], people[1]), modality, 0.85)

    def _owned(self, paragraph: ParsedParagraph, noun: Word) -> None:
        """Like "Elena's locket", where the thing is of a kind worth keeping track of."""
        number = paragraph.mention_of.get(noun.i)
        if number is None or self.chapter.mentions[number].kind is not EntityKind.OBJECT:
            return
        modality = Modality.REPORTED if paragraph.spoken(noun) else Modality.FACT
        for child in noun.children:
            if child.dep_ == "poss" and child.lower_ not in _SHARED:
                for owner in self._people(self.arguments.resolve(paragraph, child)):
                    self._tell(paragraph, noun, "OWNS", (owner, Reference(number)), modality, 0.8)

    def _tell(
        self,
        paragraph: ParsedParagraph,
        noun: Word,
        predicate: str,
        pair: tuple[Reference, Reference],
        modality: Modality,
        confidence: float,
        born: tuple[tuple[int, str], ...] = (),
    ) -> None:
        """``born`` is what the noun itself says of somebody's gender: a sister is a woman."""
        one, other = pair
        mentions = self.chapter.mentions
        if mentions[one.mention].surface.casefold() == mentions[other.mention].surface.casefold():
            return
        if any(child.lower_ in _GONE for child in noun.children):
            modality = Modality.FLASHBACK if modality is Modality.FACT else modality
        evidence = self.arguments.support(paragraph, noun, one, other)
        key = (predicate, one.mention, other.mention, evidence[0])
        if key in self._told:
            return
        self._told.add(key)
        sure = calibrated(predicate, round(confidence * one.factor * other.factor, 3))
        genders = born + tuple(gender for r in pair for gender in r.genders)
        self.statements.append(
            Statement(predicate, one.mention, other.mention, evidence, modality, sure, genders=genders)
        )

    # --- identity ----------------------------------------------------------------------------------

    def _identity(self, paragraph: ParsedParagraph, verb: Word) -> None:
        """Like "X was really Y", "X was none other than Y", "X's real name was Y". A bare "X was Y"
        is too often a mistake of the parser to merge two people for good."""
        subject = next((c for c in verb.children if c.dep_ == "nsubj"), None)
        if subject is None or modality_of(self.chapter, paragraph, verb) is not Modality.FACT:
            return
        words = {child.lower_ for child in verb.children}
        for child in verb.children:
            if child.dep_ not in ("attr", "acomp", "oprd"):
                continue
            named = self._named(paragraph, child)
            if subject.lower_ == "name" and any(c.lower_ in ("real", "true") for c in subject.children):
                owners = list(self._owners(paragraph, subject))
                self._same(paragraph, verb, owners, named, 0.9)
            elif words & _TRULY and self._named(paragraph, subject):
                self._same(paragraph, verb, self._named(paragraph, subject), named, 0.85)
            elif child.lower_ in ("none", "other"):
                behind = [r for t in child.subtree if t.dep_ == "pobj" for r in self._named(paragraph, t)]
                self._same(paragraph, verb, self._named(paragraph, subject), behind, 0.9)

    def _known_as(self, paragraph: ParsedParagraph, verb: Word) -> None:
        """Like "X, also known as Y", "X was known as Y"."""
        if paragraph.spoken(verb):
            return
        others = self.arguments.slot(paragraph, verb, "prep:as")
        ones = self._people(self.arguments.subjects(paragraph, verb))
        if verb.dep_ == "acl" and not ones:
            ones = self._named(paragraph, verb.head)
        self._same(paragraph, verb, ones, self._people(others), 0.85)

    def _same(
        self,
        paragraph: ParsedParagraph,
        verb: Word,
        ones: list[Reference],
        others: list[Reference],
        sure: float,
    ) -> None:
        if len(ones) == 1 and len(others) == 1 and ones[0].mention != others[0].mention:
            span = paragraph.sentence(verb).span
            sure = round(sure * ones[0].factor * others[0].factor, 3)
            self.identities.append(Identity(ones[0].mention, others[0].mention, span, sure))


def _broken_off(name: Word) -> bool:
    """Is it a dash that sets the name beside the noun: "with her father--Mr. Hale and his son"?"""
    first = name.left_edge.i
    return bool(first > 0 and name.doc[first - 1].text in ("--", "—", "–"))
