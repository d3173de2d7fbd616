"""Plain facts of somebody: who they were born, where they live, what they look like, do, cannot do and lost.

A word of ``fact_frames.tsv`` opens a frame; grammar says whom it is told of: the owner ("her brown eyes"), the
subject of the verb over it, the name it stands beside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ...lexicon.fact_frames import FRAMES, listed
from ...lexicon.person_nouns import PERSON_NOUNS
from ...lexicon.trait_words import BUILDS, EYE_COLOURS, HAIR_COLOURS, HANDS, TRADES
from ...lexicon.verbs_and_nouns import KIN
from ...model.aspects import DEAD
from ...model.chapter_reading import Fact
from ...model.types import EntityKind, Modality
from ...time.amounts import NUMBER, number_of
from ..clauses.arguments import is_passive
from ..clauses.fact_collector import FactCollector, fits
from ..clauses.modality import likened, modality_of
from ..coreference.pronouns import PRONOUNS, Reference
from ..draft import Draft
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word

__all__ = ["read_facts"]

_SURE = 0.85
_BECOMING = frozenset("become turn go grow dye bleach tint colour color shave".split())
_HAVING = frozenset("have get bear wear raise own possess keep".split())
_COLOUR_LINKS = frozenset("amod compound conj appos nmod npadvmod advmod acomp oprd attr".split())
_COMPLEMENTS = frozenset({"attr", "acomp", "oprd", "xcomp"})
_PART_OF_NAME = frozenset("compound amod nummod nmod".split())
_CHOSEN = frozenset("one youngest eldest oldest first last middle second third fourth fifth".split())
_LASTING = frozenset("aux neg nsubj cc conj punct mark ccomp advcl preconj".split())
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_HEIGHT = re.compile(rf"\b({NUMBER})[- ](?:foot|feet)(?:[- ]({NUMBER}))?(?![- ](?:high|long|away|deep))")
_AGED = re.compile(rf"\b(?:[Aa]t|,) ({NUMBER}),? |\b(?:(\w+)th|(\w+)ieth) birthday")
_PLAIN_AGE = range(3, 121)
Row = tuple[str, str, str, str]
Held = tuple[list[Reference], Word | None]
"""Whom it is told of, and the verb that tells it; None where it is taken as known ("her brown eyes")."""


def read_facts(draft: Draft) -> list[Fact]:
    """In order of the text; homes and places of birth that the text names are told as statements as well."""
    reader = _FactReader(draft)
    for paragraph in draft.chapter.paragraphs:
        for word in paragraph.words:
            reader.read(paragraph, word)
        reader.ages(paragraph)
    reader.deaths()
    return sorted(reader.found, key=lambda fact: fact.evidence[0])


@dataclass(slots=True)
class _FactReader:
    draft: Draft
    found: dict[Fact, None] = field(default_factory=dict)
    owned: dict[str, list[Reference]] = field(default_factory=dict)

    def read(self, paragraph: ParsedParagraph, word: Word) -> None:
        rows = FRAMES.get(word.lower_) or FRAMES.get(word.lemma_.lower(), ())
        for row in rows:
            _READERS[row[1]](self, paragraph, word, row)
        trade = word.lemma_.lower() if word.pos_ in ("NOUN", "PROPN", "ADJ") else ""
        if trade in TRADES or trade in listed("trade") or _behind_as(word):
            self._trade(paragraph, word)
        if word.lower_ in BUILDS and BUILDS[word.lower_][0] == "height":
            self._is(paragraph, word, ("", "is", "height", BUILDS[word.lower_][1]))
        if word.lower_ in ("foot", "feet"):
            self._tall(paragraph, word)
        if word.dep_ == "poss" and word.head.pos_ == "NOUN" and (owners := self._whom(paragraph, word)):
            self.owned[word.head.lemma_.lower()] = owners

    # --- telling -----------------------------------------------------------------------------------

    def tell(
        self,
        paragraph: ParsedParagraph,
        at: Word,
        held: Held,
        aspect: str,
        value: str,
        *,
        change: bool = False,
        when: str = "",
        sure: float = _SURE,
        denied: bool = False,
    ) -> None:
        """``denied``: it is the negation that tells it ("could not swim")."""
        people, verb = held
        arguments = self.draft.arguments
        people = [one for one in people if fits(arguments, one, "person")]
        modality = self._modality(paragraph, at, verb, denied) if people and value else None
        for one in people if modality is not None else ():
            evidence = arguments.support(paragraph, at, one)
            sureness = round(sure * one.factor, 3)
            self.found[
                Fact(
                    one.mention, aspect, value, evidence, modality, sureness, change, one.genders, when
                )
            ] = None

    def _modality(
        self, paragraph: ParsedParagraph, at: Word, verb: Word | None, denied: bool
    ) -> Modality | None:
        told = modality_of(self.draft.chapter, paragraph, verb if verb is not None else _verb_over(at))
        if verb is not None and not denied:
            return told
        if verb is not None and any(c.lower_ in ("if", "unless", "whether") for c in verb.children):
            return None
        if told in (None, Modality.NEGATED, Modality.PLANNED):
            asked = told is None and verb is not None and not paragraph.spoken(at)
            return None if asked else Modality.REPORTED if paragraph.spoken(at) else Modality.FACT
        return told

    # --- whom --------------------------------------------------------------------------------------

    def _whom(self, paragraph: ParsedParagraph, token: Word) -> list[Reference]:
        """Who is named; in direct speech a "she" is the last one named in it who may be."""
        found = self.draft.arguments.resolve(paragraph, token)
        gender = PRONOUNS.get(token.lower_)
        if found or gender is None or not paragraph.spoken(token):
            return found
        mentions = self.draft.chapter.mentions
        for i in range(token.i - 1, -1, -1):
            number = paragraph.mention_of.get(i)
            if number is not None and mentions[number].kind is EntityKind.CHARACTER:
                one = mentions[number]
                if paragraph.spoken(paragraph.words[i]) and (one.gender or one.hint or gender) == gender:
                    return [Reference(number, 0.8, gender)]
        return []

    def _subjects(self, paragraph: ParsedParagraph, verb: Word) -> list[Reference]:
        found = self.draft.arguments.subjects(paragraph, verb)
        own = [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")]
        return found or (self._whom(paragraph, own[0]) if own else [])

    def _owner(self, paragraph: ParsedParagraph, noun: Word) -> Held:  # noqa: PLR0911 (a frame a line)
        """Of what somebody has: "her eyes", "had eyes", "a man with eyes", "the eyes of X"."""
        while noun.dep_ == "conj" and noun.head.pos_ == "NOUN":
            noun = noun.head
        for child in noun.children:
            if child.dep_ == "poss" and (people := self._whom(paragraph, child)):
                return people, None
        head = noun.head
        if noun.dep_ == "dobj" and head.lemma_.lower() in _HAVING:
            return self._subjects(paragraph, head), head
        if any(child.dep_ == "poss" for child in noun.children):
            return [], None
        for child in noun.children:
            if child.dep_ == "prep" and child.lower_ == "of":
                for owner in child.children:
                    if people := self._whom(paragraph, owner):
                        return people, None
        if noun.dep_ == "pobj" and head.lower_ == "with":
            if head.head.pos_ in ("NOUN", "PROPN", "PRON"):
                return self._holder(paragraph, head.head)
            return self._subjects(paragraph, head.head), head.head
        return [], None

    def _holder(self, paragraph: ParsedParagraph, word: Word) -> Held:
        """Of what somebody is: "X was a nurse", "X, a nurse", "worked as a nurse", "a left-handed man"."""
        for _ in range(5):
            head = word.head
            if likened(word):
                break
            if word.dep_ in _COMPLEMENTS and (head.pos_ in ("AUX", "VERB")):
                return self._subjects(paragraph, head), head
            if word.i in paragraph.mention_of and fits(
                self.draft.arguments, Reference(paragraph.mention_of[word.i]), "person"
            ):
                return [Reference(paragraph.mention_of[word.i])], None
            if word.dep_ == "appos":
                people = self._whom(paragraph, head)
                return people, None
            if word.dep_ == "pobj" and head.lower_ == "as":
                verb = _verb_over(head)
                return (self._subjects(paragraph, verb), verb) if _works(verb) else ([], None)
            if word.dep_ in ("ROOT", "advcl", "ccomp", "conj", "acl", "relcl") and word.pos_ in ("VERB", "AUX"):
                return self._subjects(paragraph, word), word
            if head is word:
                break
            if word.dep_ in ("amod", "compound", "npadvmod", "advmod", "conj", "nmod"):
                word = head
                continue
            beside = [child for child in word.children if child.dep_ == "appos"]
            return (self._whom(paragraph, beside[0]) if beside else []), None
        return [], None

    # --- frames ------------------------------------------------------------------------------------

    def _coloured(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        """Eyes and hair: the colours beside them, and those that a verb gives them."""
        known = EYE_COLOURS if row[2] == "eyes" else HAIR_COLOURS
        head = noun.head
        if noun.lower_ == "eyed" or noun.lower_ == "haired":
            self.tell(paragraph, noun, self._holder(paragraph, noun), row[2], _colours(noun, known))
            return
        change = head.lemma_.lower() in _BECOMING
        owner = self._owner(paragraph, noun)
        if own := _colours(noun, known):
            self.tell(paragraph, noun, owner, row[2], own)
        if noun.dep_ in ("nsubj", "nsubjpass", "dobj") and (change or head.lemma_ == "be"):
            told = " ".join(filter(None, (_colours(c, known) for c in head.children if c.i > head.i and c is not noun)))
            self.tell(paragraph, noun, (owner[0], head), row[2], told, change=change)

    def _counted(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        """Brothers, sisters, children by their number; "an only child", "one of three sisters"."""
        if noun.dep_ == "conj" and noun.head.lemma_.lower() in FRAMES:
            return
        only = any(child.lower_ == "only" for child in noun.children)
        if noun.lemma_.lower() == "child" and only and not _has(noun, "poss"):
            self.tell(paragraph, noun, self._holder(paragraph, noun), "siblings", "0")
            return
        nouns = [noun, *(each for each in noun.conjuncts if each.lemma_.lower() in FRAMES)]
        numbers = [_number(each) for each in nouns]
        if noun.dep_ == "pobj" and noun.head.lower_ == "of" and noun.head.head.lower_ in _CHOSEN:
            if numbers[0]:
                held = self._holder(paragraph, noun.head.head)
                self.tell(paragraph, noun, held, "siblings", str(numbers[0] - 1))
            return
        people, verb = self._owner(paragraph, noun)
        if verb is not None and modality_of(self.draft.chapter, paragraph, verb) is Modality.NEGATED:
            if not any(number and number > 1 for number in numbers):
                self.tell(paragraph, noun, (people, verb), row[2], "0", denied=True)
        elif numbers[0] is not None and (numbers[0] != 1 or len(nouns) > 1):
            total = 0 if numbers[0] == 0 else sum(1 if n is None else n for n in numbers)
            self.tell(paragraph, noun, (people, verb), row[2], str(total))

    def _chosen(self, paragraph: ParsedParagraph, word: Word, row: Row) -> None:
        """ "The youngest of six"."""
        for child in word.children:
            if child.dep_ == "prep" and child.lower_ == "of":
                numbers = [number_of(c.lower_) for c in child.children if c.like_num and not c.children]
                if numbers and numbers[0]:
                    held = self._holder(paragraph, word)
                    self.tell(paragraph, word, held, "siblings", str(numbers[0] - 1))

    def _is(self, paragraph: ParsedParagraph, word: Word, row: Row) -> None:
        """An adjective or noun that says it all: vegetarian, left-handed, tall, allergic."""
        _, _, aspect, value = row
        held = self._holder(paragraph, word)
        if aspect == "hand" and value == "-":
            value = next((HANDS[c.lower_] for c in _near(word) if c.lower_ in HANDS), "")
        if aspect == "height" and (word.tag_ != "JJ" or _has(word, "prep")):
            return
        if aspect == "allergy":
            verb = word.head if word.dep_ == "dobj" else None
            if verb is not None:
                held = self._subjects(paragraph, verb), verb
            elif word.pos_ == "NOUN":
                held = self._owner(paragraph, word)
            for noun in _behind(word, "to"):
                self.tell(paragraph, word, held, aspect, _phrase(noun))
            return
        self.tell(paragraph, word, held, aspect, value)

    def _trade(self, paragraph: ParsedParagraph, noun: Word) -> None:
        if _has(noun, "poss") or noun.dep_ in ("nsubj", "compound", "dobj"):
            return
        held = self._holder(paragraph, noun)
        own = paragraph.mention_of.get(noun.i)
        if own is not None and own in {one.mention for one in held[0]}:
            return
        verb = held[1]
        change = verb is not None and verb.lemma_.lower() in ("become", "retrain", "requalify", "turn")
        self.tell(paragraph, noun, held, "trade", _phrase(noun, nouns=True), change=change)

    def _does(self, paragraph: ParsedParagraph, verb: Word, row: Row) -> None:
        """ "Taught chemistry", "drove a school bus": a habit that is a trade."""
        objects = [child for child in verb.children if child.dep_ == "dobj"]
        if verb.pos_ != "VERB" or _has(verb, "dative", "xcomp", "ccomp", "prt"):
            return
        if verb.lemma_ == "drive":
            fit = [o for o in objects if o.lower_ in listed("vehicle") and _det(o) in ("a", "an")]
            value = f"{_phrase(fit[0], nouns=True)} {row[3]}" if fit else ""
        else:
            people = any(o.lower_ in PRONOUNS or o.i in paragraph.mention_of or _det(o) for o in objects)
            value = "" if people or not (objects or _has(verb, "prep")) else row[3]
        self.tell(paragraph, verb, (self._subjects(paragraph, verb), verb), "trade", value, sure=0.7)

    def _placed(self, paragraph: ParsedParagraph, verb: Word, row: Row) -> None:
        """Born in, lived in, moved to, came from: places, and dates of birth."""
        _, _, aspect, ways = row
        held = self._subjects(paragraph, verb), verb
        if verb.lemma_ == "bear" and not is_passive(verb) and verb.tag_ != "VBN":
            return
        if verb.head.lemma_ == "use" and verb.dep_ == "xcomp":
            return
        verbs = [verb, *(v for v in verb.conjuncts if v.lemma_.lower() in ("raise", "breed", "educate"))]
        nouns = [n for v in verbs for way in ways.split("/") for n in _behind(v, way)]
        nouns.sort(key=lambda noun: noun.pos_ != "PROPN")
        for noun in nouns:
            if self._timely(paragraph, noun):
                if aspect == "birthplace":
                    year = _YEAR.search(" ".join(w.text for w in noun.subtree))
                    value = year[0] if year else _phrase(noun)
                    self.tell(paragraph, verb, held, "born", value)
                continue
            named = noun.pos_ == "PROPN" or self._location(paragraph, noun) is not None
            homely = noun.lemma_.lower() in listed("dwelling")
            known = bool(_det(noun) or _has(noun, "poss", "compound", "nummod"))
            if not (named or homely or (known and verb.lemma_ in ("live", "bear", "dwell", "reside"))):
                continue
            if noun.lower_ in listed("nowhere") or (row[0] in ("come", "be") and not named):
                continue
            change = row[0] in ("move", "settle", "relocate", "emigrate", "retire")
            self.tell(paragraph, verb, held, aspect, _phrase(noun, place=True), change=change)
            self._state(paragraph, verb, held, noun, "LIVES_IN" if aspect == "home" else "COMES_FROM")
            return

    def _state(self, paragraph: ParsedParagraph, verb: Word, held: Held, noun: Word, predicate: str) -> None:
        place = self._location(paragraph, noun)
        told = self.draft.tells("statements", of=frozenset({predicate}))
        modality = modality_of(self.draft.chapter, paragraph, verb)
        if place is None or modality is None or paragraph.sentence(verb).span.start in told:
            return
        for one in held[0]:
            if fits(self.draft.arguments, one, "person"):
                self.draft.collected.tell(paragraph, verb, predicate, (one, place), modality, 0.85)

    def _location(self, paragraph: ParsedParagraph, noun: Word) -> Reference | None:
        number = paragraph.mention_of.get(noun.i)
        place = Reference(number) if number is not None else None
        return place if place is not None and fits(self.draft.arguments, place, "place") else None

    def _timely(self, paragraph: ParsedParagraph, noun: Word) -> bool:
        """Is it a time, not a place?"""
        start, end = noun.left_edge.idx, noun.idx + len(noun.text)
        return any(
            one.start < end and start < one.end for one in self.draft.collected.times(paragraph)
        ) or bool(_YEAR.fullmatch(noun.text)) or noun.lower_ in listed("time")

    def _thing(self, paragraph: ParsedParagraph, verb: Word, row: Row) -> None:
        """What becomes of somebody's thing: lost, broken, burnt, given away."""
        aspect = row[2]
        if verb.pos_ not in ("VERB", "AUX") or verb.dep_ == "amod":
            return
        particles = {c.lower_ for c in verb.children if c.dep_ in ("prt", "advmod", "prep")}
        objects = [child for child in verb.children if child.dep_ == "dobj"]
        passive = is_passive(verb)
        subject = [c for c in verb.children if c.dep_ in ("nsubj", "nsubjpass")]
        undergone = subject if passive or (not objects and row[3] == "both") else []
        for noun in (*objects, *undergone):
            name, owners = noun.lemma_.lower(), [c for c in noun.children if c.dep_ == "poss"]
            if noun.pos_ not in ("NOUN", "PROPN") or name in listed("no_thing") | set(KIN) | set(PERSON_NOUNS):
                continue
            if name in listed("body") | listed("bodily") or noun.i in paragraph.mention_of or _ABSTRACT.search(name):
                continue
            if not owners and (_det(noun) not in ("the", "that", "this") or undergone) and name not in self.owned:
                continue
            if aspect == "given_away" and not (
                "away" in particles or row[0] != "give" or _has(verb, "dative") or "to" in particles
            ):
                continue
            if particles & {"up", "in", "back", "off", "into", "out"} and aspect in ("given_away", "broken"):
                continue
            mine = [one for owner in owners for one in self._whom(paragraph, owner)]
            inner = [one for o in owners for c in o.children if c.dep_ == "poss" for one in self._whom(paragraph, c)]
            doing = self._subjects(paragraph, verb) if not undergone else []
            doing = [one for one in doing if fits(self.draft.arguments, one, "person")]
            if undergone and passive:
                doing = self.draft.arguments.agents(paragraph, verb)
            known = self.owned.get(name, [])
            ranks = (doing, mine, inner, known) if aspect in ("lost", "given_away") else (mine, inner, doing, known)
            people = next((rank for rank in ranks if rank), [])
            self.tell(paragraph, verb, (people, verb), aspect, _phrase(noun))

    def _gone(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        """A part of the body that somebody no longer has."""
        head, people = noun.head, self._owner(paragraph, noun)[0]
        own = {child.lower_ for child in noun.children}
        verb = head if head.pos_ in ("VERB", "AUX") else None
        complement = {c.lower_ for c in head.children if c.dep_ in _COMPLEMENTS}
        lost = listed("lost_part")
        if verb is not None and noun.dep_ == "dobj" and verb.lemma_.lower() in ("lose", "miss", "leave"):
            if verb.lemma_ == "leave" and not (own & set(HANDS) and _has(noun, "poss")):
                return
            people = self._subjects(paragraph, verb) or people
        elif verb is not None and noun.dep_ in ("nsubj", "nsubjpass") and (
            complement & lost or verb.lower_ in ("ended", "amputated", "stopped", "missing")
        ):
            pass
        elif own & lost and people:
            verb = self._owner(paragraph, noun)[1]
        else:
            return
        side = next((HANDS[word] for word in sorted(own) if word in HANDS), "")
        count = next((c.lower_ for c in noun.children if c.dep_ == "nummod"), "")
        value = " ".join(filter(None, ("missing", count, side, noun.lower_)))
        self.tell(paragraph, noun, (people, verb), "mark", value)

    def _marked(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        """A scar or tattoo, and where on the body."""
        people, verb = self._owner(paragraph, noun)
        clause = [w for w in paragraph.tokens(paragraph.sentence(noun)) if w.lemma_.lower() in listed("body") | listed("bodily")]
        part = next((w for w in clause if w.i > noun.i), None)
        if not people:
            owners = [c for w in clause for c in w.children if c.dep_ == "poss"]
            people = next((found for c in owners if (found := self._whom(paragraph, c))), [])
            over = _verb_over(noun)
            verb = over if over.lemma_ == "have" else None
        side = next((HANDS[c.lower_] for c in part.children if c.lower_ in HANDS), "") if part else ""
        where = " ".join(filter(None, ("on" if part else "", side, part.lower_ if part else "")))
        self.tell(paragraph, noun, (people, verb), "mark", f"{row[0]} {where}".strip())

    def _cannot(self, paragraph: ParsedParagraph, verb: Word, row: Row) -> None:
        """ "Could not swim", "had never learnt to drive"; not what somebody cannot do this once."""
        over, plain = verb.head, {c.dep_ for c in verb.children} <= _LASTING
        learnt = verb.dep_ == "xcomp" and over.lemma_.lower() in ("learn", "know", "teach", "able", "unable")
        if verb.tag_ != "VB" or not (plain or learnt):
            return
        teller = over if learnt else verb
        if verb.dep_ == "conj" and over.lemma_.lower() in FRAMES:
            teller = over
        helped = any(c.dep_ == "aux" and c.lower_ in ("could", "can", "ca") for c in teller.children)
        if learnt and over.lower_ == "unable":
            self.tell(paragraph, verb, (self._subjects(paragraph, over), _verb_over(over)), "cannot", row[0])
        elif learnt or helped:
            told = modality_of(self.draft.chapter, paragraph, teller)
            no = any(c.dep_ == "neg" or c.lower_ in ("never", "neither") for c in teller.children)
            if no and told in (None, Modality.NEGATED, Modality.FLASHBACK):
                self.tell(paragraph, verb, (self._subjects(paragraph, teller), teller), "cannot", row[0], denied=True)

    def _no_meat(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        verb = noun.head
        no = any(c.dep_ == "neg" for c in verb.children)
        if noun.dep_ == "dobj" and no and verb.lemma_ in ("eat", "touch") and not _det(noun):
            self.tell(
                paragraph, noun, (self._subjects(paragraph, verb), verb), "diet", row[3], denied=True
            )

    def _wrote(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        """ "The pen in her right hand", "wrote with her left hand"."""
        side = next((HANDS[c.lower_] for c in noun.children if c.lower_ in HANDS), "")
        if not side or noun.dep_ != "pobj" or noun.head.lower_ not in ("in", "with"):
            return
        verb = _verb_over(noun)
        there = {w.lemma_.lower() for w in verb.subtree}
        if verb.lemma_.lower() in listed("writing") or there & listed("pen"):
            people = self._owner(paragraph, noun)[0] or self._subjects(paragraph, verb)
            self.tell(paragraph, noun, (people, verb), "hand", side, sure=0.65)

    def _tall(self, paragraph: ParsedParagraph, word: Word) -> None:
        found = _HEIGHT.search(" ".join(w.text for w in word.sent[max(0, word.i - word.sent.start - 3) :]))
        verb = _verb_over(word)
        if found and verb.lemma_ in ("be", "stand", "measure"):
            held = (self._subjects(paragraph, verb), verb)
            self.tell(paragraph, word, held, "height", found[0].casefold())

    def _late(self, paragraph: ParsedParagraph, word: Word, row: Row) -> None:
        """The late X, X's widow, X's grave."""
        if word.lower_ == "late":
            number = paragraph.mention_of.get(word.head.i) if word.dep_ == "amod" else None
            people = [Reference(number)] if number is not None and word.i < word.head.i else []
        else:
            people = self._owner(paragraph, word)[0] if not word.dep_ == "dobj" or _has(word, "poss") else []
            people = [one for one in people if not one.gender or row[3] != "widow"]
        self.tell(paragraph, word, (people, None), "life", DEAD, sure=0.75)

    def _there(self, paragraph: ParsedParagraph, verb: Word, row: Row) -> None:
        """ "On Friday she was in Oslo": a place at a told time."""
        sentence = paragraph.sentence(verb)
        low, high = verb.doc[sentence.start].idx, verb.doc[sentence.end - 1].idx
        times = [
            one
            for one in self.draft.collected.times(paragraph)
            if one.kind == "date" and low <= one.start <= high and ("T" in one.value or one.value[-2:-1] in "-W")
        ]
        if not times or not _has(verb, "prep"):
            return
        for way in ("in", "at", "on"):
            for noun in _behind(verb, way):
                if self._timely(paragraph, noun) or noun.lower_ in listed("nowhere"):
                    continue
                when = paragraph.prose.text[times[0].start : times[-1].end]
                held = self._subjects(paragraph, verb), verb
                self.tell(paragraph, verb, held, "where_at", _phrase(noun, place=True), when=when)
                return

    # --- ages and deaths, which others read ----------------------------------------------------------

    def ages(self, paragraph: ParsedParagraph) -> None:
        marks = {mark.evidence: mark for mark in self.draft.get("times") if mark.kind == "age"}
        for one in self.draft.collected.times(paragraph):
            mark = marks.get(paragraph.prose.span(one.start, one.end)) if "age" in one.kind else None
            stretch = paragraph.doc.covering(one.start, one.end) if mark else None
            if mark is None or stretch is None or mark.character is None or one.value[-1] != "Y":
                continue
            verb = stretch.root if stretch.root.pos_ in ("VERB", "AUX") else None
            change = bool(verb is not None and verb.lemma_ == "turn")
            held = [Reference(mark.character)], verb
            self.tell(paragraph, stretch[0], held, "age", one.value[1:-1], change=change)

    def deaths(self) -> None:
        """Those that clauses told."""
        for told in self.draft.collected.happenings:
            if told.predicate in ("DIES", "KILLS") and told.patient is not None:
                fact = Fact(
                    told.patient, "life", DEAD, told.evidence, told.modality, told.confidence, True, told.genders
                )
                self.found[fact] = None


_ABSTRACT = re.compile(r"(?:tion|sion|ness|ity|ance|ence|ship|hood|dom|ment)$")


def _has(word: Word, *deps: str) -> bool:
    return any(child.dep_ in deps for child in word.children)


def _det(noun: Word) -> str:
    return next((child.lower_ for child in noun.children if child.dep_ == "det"), "")


def _near(word: Word) -> Iterator[Word]:
    """The word's neighbours within a hyphen: "left" of "left-handed"."""
    return (word.doc[i] for i in range(max(0, word.i - 2), word.i))


def _behind(word: Word, preposition: str) -> list[Word]:
    found = [
        noun
        for child in word.children
        if child.dep_ in ("prep", "dative", "agent") and child.lower_ == preposition
        for noun in child.children
        if noun.dep_ == "pobj"
    ]
    if preposition == "to":  # "allergic to shellfish", read as a verb
        found += [c for c in word.children if c.dep_ == "xcomp" and _has(c, "aux") and c.tag_ == "VB"]
    return [each for noun in found for each in (noun, *noun.conjuncts)]


def _verb_over(word: Word) -> Word:
    while word.head is not word and (word.pos_ not in ("VERB", "AUX") or word.dep_ in ("amod", "aux")):
        word = word.head
    return word


def _works(verb: Word) -> bool:
    return verb.lemma_.lower() in listed("works_as")


def _behind_as(word: Word) -> bool:
    at_work = word.dep_ == "pobj" and word.head.lower_ == "as" and _works(_verb_over(word.head))
    return at_work and word.pos_ == "NOUN" and _det(word) in ("a", "an")


def _colours(word: Word, known: Mapping[str, str]) -> str:
    """The colour words at a word, and at what says more of it; in order."""
    if word.lower_ in ("eyed", "haired"):
        found = [w for w in _near(word) if w.lower_ in known]
    else:
        found, todo = [], [word]
        for each in todo:
            found += [each] if each.lower_ in known else []
            todo += [c for c in each.children if c.dep_ in _COLOUR_LINKS and c.pos_ not in ("VERB", "AUX")]
    return " ".join(w.lower_ for w in sorted(found, key=lambda w: w.i))


def _number(noun: Word) -> int | None:
    for child in noun.children:
        if child.dep_ == "nummod":
            return number_of(child.lower_)
        if child.dep_ == "det" and child.lower_ == "no":
            return 0
    return None


def _phrase(noun: Word, *, place: bool = False, nouns: bool = False) -> str:
    """The noun with the words that name it; of a place also whose or what it is ("of Slip Lane")."""
    parts = _PART_OF_NAME if not nouns else {"compound"}
    words = [c for c in noun.children if c.dep_ in parts and c.i < noun.i]
    words += [w for c in noun.children if c.dep_ == "poss" and c.pos_ != "PRON" for w in c.subtree]
    words = [w for w in words if w.dep_ != "poss" or w.pos_ != "PRON"] + [noun]
    if place:
        for child in noun.children:
            if child.dep_ == "prep" and child.lower_ in ("of", "on", "in", "at"):
                words += [w for w in child.subtree if w.i - noun.i < 6]
    words.sort(key=lambda word: word.i)
    return "".join(w.text + w.whitespace_ for w in words).strip().casefold()


_READERS: Mapping[str, Callable[[_FactReader, ParsedParagraph, Word, Row], None]] = MappingProxyType(
    {
        "coloured": _FactReader._coloured,
        "counted": _FactReader._counted,
        "chosen": _FactReader._chosen,
        "is": _FactReader._is,
        "does": _FactReader._does,
        "placed": _FactReader._placed,
        "thing": _FactReader._thing,
        "body": _FactReader._gone,
        "hand": _FactReader._wrote,
        "mark": _FactReader._marked,
        "skill": _FactReader._cannot,
        "meat": _FactReader._no_meat,
        "late": _FactReader._late,
        "there": _FactReader._there,
    }
)
