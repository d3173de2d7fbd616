"""Relational terms ("half-brother", "boss"), whose they are, and bridging (Clark 1975): who "her boss" is,
where the text names him only later, or has named him already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...lexicon.verbs_and_nouns import HUMAN_VERBS, RELATIONAL, RelationalNoun
from ...model.predicates import PREDICATES
from ...model.types import EntityKind
from ..clauses.arguments import Arguments
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word
from ..pronouns import NOBODY, Reference

_SAME = frozenset("half great twin co pen foster school house class".split())
_OVER = frozenset("late former ex dead onetime deceased estranged".split())
_ROLES = frozenset("SERVED_BY SERVES TEACHES COLLEAGUE_OF RENTS_FROM PARTNER_OF".split())
_BETWEEN = frozenset("JJ JJR JJS CD VBN VBG RB HYPH NN NNP , IN".split())
_FAR = 5  # words between an owner and the noun


@dataclass(frozen=True, slots=True)
class Term:
    """``first`` and ``last`` are tokens; ``word`` is as it is written there, in the singular; ``ended`` by a
    prefix or an adjective as well."""

    first: int
    last: int
    word: str
    noun: RelationalNoun
    plural: bool
    ended: bool

    @property
    def is_over(self) -> bool:
        """Ended, of what can end."""
        return self.ended and not PREDICATES[self.noun.predicate].permanent


def term_at(token: Word) -> Term | None:
    """The term whose head noun is ``token``; None where there is none, or only a supposed one."""
    plural = (token.tag_ in ("NNS", "NNPS") and token.lower_ not in RELATIONAL) or token.lower_ == "couple"
    base = token.lemma_.lower() if plural else token.lower_
    if base not in RELATIONAL or token.tag_[:2] not in ("NN", "JJ", "PR", "VB"):
        return None
    first, last = _glued(token)
    before, behind = (
        [w.lower_ for w in token.doc[a:b]] for a, b in ((first, token.i), (token.i + 1, last + 1))
    )
    whole = "".join((*before, base, *behind))
    noun, ended = RELATIONAL.get(whole), False
    if noun is None and behind == ["-", "in", "-", "law"]:
        noun = RelationalNoun("IN_LAW_OF", False, RELATIONAL[base].gender, False)
    elif noun is None and not behind:
        noun, prefix = RELATIONAL[base], before[0]
        ended = prefix == "ex"
        if prefix == "step":
            noun = RelationalNoun("STEP_KIN_OF", False, noun.gender, False)
        elif prefix == "grand" or prefix not in _SAME | {"ex"}:
            return None
    if noun is None:
        return None
    told = {child.lower_ for child in token.children if child.i < token.i} | {
        word.lower_ for word in token.doc[max(0, first - 2) : first] if word.tag_ == "JJ"
    }
    if base == "mate" and "first" in told:
        noun = RELATIONAL["assistant"]
    ended = ended or noun.ended or bool(told & _OVER) or ("old" in told and noun.predicate in _ROLES)
    return Term(first, last, whole, noun, plural, ended)


def _glued(token: Word) -> tuple[int, int]:
    """The first and last token of what hyphens tie to the token."""
    doc, first, last = token.doc.words, token.i, token.i

    def tied(at: int) -> bool:
        """Does a hyphen stand there, without blanks on either side?"""
        hyphen = 0 < at < len(doc) - 1 and doc[at].text == "-"
        return hyphen and not (doc[at].whitespace_ or doc[at - 1].whitespace_)

    while tied(first - 1):
        first -= 2
    while tied(last + 1):
        last += 2
    return first, last


def owner_of(token: Word, term: Term) -> Word | None:
    """The word for whose it is: "his", the name before "'s", who stands behind "of" or "to"."""
    doc = token.doc.words
    for i in range(term.first - 1, max(-1, term.first - _FAR), -1):
        word = doc[i]
        if word.tag_ == "PRP$" or (word.lower_ == "her" and i == term.first - 1):
            return word
        if word.tag_ == "POS" or word.lower_ in ("'s", "’s"):
            return doc[i - 1] if i else None
        if word.tag_ not in _BETWEEN or (word.tag_ == "IN" and word.lower_ != "-"):
            break
    ways = ("of",) if term.plural else ("of", "to")  # "they are always children to me"
    for node in (token, doc[term.last]):
        for child in node.children:
            if child.dep_ == "prep" and child.lower_ in ways and child.i > term.first:
                return next(iter(child.by("pobj")), None)
    return None


WINDOW = 3  # sentences in which "they" were named
_LATER = 5  # sentences in which a nameless relative may be named
_INSIDE = frozenset("nsubj nsubjpass dobj dative pobj prep agent conj oprd".split())
_SAYING = frozenset("say tell ask reply answer add call".split())
_AFAR = frozenset("ring phone telephone call text email write bear".split())  # of whom somebody hears
_TOWARDS = frozenset("at to with".split())
_INTRODUCING = frozenset("speak talk meet ask know remember see tell".split())


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A relative spoken of, as yet without a name."""

    paragraph: ParsedParagraph
    token: Word
    term: Term
    owners: tuple[Reference, ...]


@dataclass(slots=True)
class NamedPlaces:
    """``names`` holds (sentence, paragraph, token, mention) of each name of a person, in text order."""

    chapter: ParsedChapter
    arguments: Arguments
    names: list[tuple[int, int, int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, chapter: ParsedChapter, arguments: Arguments) -> NamedPlaces:
        places = cls(chapter, arguments)
        places.names = sorted(places._each())
        return places

    def _each(self) -> Iterator[tuple[int, int, int, int]]:
        """(sentence, paragraph, token, mention) of each name of a person."""
        for paragraph in self.chapter.paragraphs:
            last = -1
            for i, number in sorted(paragraph.mention_of.items()):
                if number != last and self.chapter.mentions[number].kind is EntityKind.CHARACTER:
                    yield paragraph.sentence(paragraph.words[i]).index, paragraph.number, i, number
                last = number

    def who(self, mention: int) -> int:
        who = self.arguments.pronouns.cast.who
        return who[mention] if mention < len(who) else NOBODY - mention

    def bridge(self, each: Unnamed) -> list[tuple[Reference, Reference]]:
        """The first to be named anew after "her boss" is the boss, if the gender fits."""
        if each.token.head.lemma_ == "die":
            return []
        cast = self.arguments.pronouns.cast
        owners = {self.who(owner.mention) for owner in each.owners}
        at = each.paragraph.sentence(each.token).index
        place = (each.paragraph.number, each.token.i)
        found: list[Reference] = []
        seen = {self.who(number) for _, k, i, number in self.names if (k, i) < place}
        for sentence, k, i, number in self.names:
            if (k, i) < place or not at <= sentence <= at + _LATER:
                continue
            who, word = self.who(number), self.chapter.paragraphs[k].words[i]
            fits = cast.gender(who) in ("", each.term.noun.gender) or not each.term.noun.gender
            if who in seen | owners or number == self.chapter.narrator or each.token.is_ancestor(word):
                continue
            seen.add(who)
            if not fits or not self._comes_on(self.chapter.paragraphs[k], word, number):
                continue
            if not each.owners:  # "the two brothers"
                found.append(Reference(number))
            others = each.owners or (found[:1] if len(found) > 1 else ())
            if not others and len(found) < 2:
                continue
            return [(Reference(number), owner) for owner in others]
        return self._look_back(each, owners)

    def _look_back(self, each: Unnamed, owners: set[int]) -> list[tuple[Reference, Reference]]:
        """Who is called "Mum", or looked at or spoken to as "her daughter", may be named already: the only
        other one who was named of late, if the gender is known to fit."""
        noun, at = each.token, each.paragraph.sentence(each.token).index
        near = {
            self.who(number): number
            for sentence, k, i, number in self.names
            if at - WINDOW <= sentence <= at and (k, i) < (each.paragraph.number, noun.i)
        }
        others = {who: number for who, number in near.items() if who not in owners}
        verb = noun.head.head if noun.dep_ == "pobj" else noun.head
        met = (
            (noun.dep_ in ("dobj", "dative") or noun.head.lower_ in _TOWARDS)
            and verb.tag_ in ("VBD", "VBZ", "VBN")
            and verb.lemma_ in HUMAN_VERBS
        ) or (noun.dep_ == "nsubj" and verb.lemma_ in _SAYING and not each.paragraph.spoken(noun))
        if len(each.owners) != 1 or len(others) != 1 or not (met or each.paragraph.spoken(noun)):
            return []
        ((who, number),) = others.items()
        fits = self.arguments.pronouns.cast.gender(who) in ("", each.term.noun.gender)
        return [(Reference(number), each.owners[0])] if fits else []

    def _comes_on(self, paragraph: ParsedParagraph, word: Word, number: int) -> bool:
        """Does the name take part: as a subject or speaker, or called by name in speech?"""
        node = word
        while node.dep_ in ("compound", "conj") and node.head is not node:
            node = node.head
        utterances = self.arguments.dialogue.utterances
        named = node.dep_ == "attr" and any(c.lemma_ == "name" for c in node.head.children)
        if self.chapter.mentions[number].spoken:
            doc = paragraph.words
            before = doc[node.left_edge.i - 1].text if node.left_edge.i else ""
            after = doc[node.i + 1].text if node.i + 1 < len(doc) else ""
            set_off = (before == "," and after[:1] in ",.!?'’”") or (before in "'‘“\"" and after == ",")
            return (
                set_off or named or node.dep_ == "ROOT" or any(number in each.called for each in utterances)
            )
        speaks = any(each.tag is not None and each.tag.mention == number for each in utterances)
        owns = node.dep_ == "poss" and node.head.dep_ == "nsubj"
        return speaks or named or owns or node.dep_ in ("nsubj", "nsubjpass", "ROOT")


def is_there(paragraph: ParsedParagraph, token: Word) -> bool:
    """Is the relative on stage, so that the next to be named may be meant: does it do something in a main
    clause, or is something done to it there; in speech, is it somebody to meet?"""
    node = token
    while node.dep_ in _INSIDE and node.pos_ not in ("VERB", "AUX"):
        if node.lower_ in ("of", "for") and node.head.pos_ not in ("VERB", "AUX"):
            return False  # "provision for his wife"
        node = node.head
    if paragraph.spoken(token):
        own = "my" in token.said()
        return own and node.lemma_ in _INTRODUCING and token.dep_ not in ("nsubj", "attr")
    if node.lemma_ in _AFAR:
        return False
    told = node.dep_ in ("ROOT", "conj", "ccomp", "parataxis") or (
        node.dep_ == "advcl" and bool(node.said() & {"when", "as", "while"})
    )
    return told and node is not token and node.pos_ in ("VERB", "AUX")
