"""Plain facts of somebody: where they were born and live, what they look like, do, cannot do, and have lost.

A word of ``fact_frames.tsv`` opens a frame; grammar says whom it is told of (``holders``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from ...lexicon.fact_frames import FRAMES, Row, listed
from ...lexicon.person_nouns import PERSON_NOUNS
from ...lexicon.trait_words import BUILDS, EYE_COLOURS, HAIR_COLOURS, TRADES
from ...lexicon.verbs_and_nouns import KIN
from ...model.aspects import DEAD
from ...model.chapter_reading import Fact, Goal
from ...model.types import Modality
from ...time.amounts import NUMBER, number_of
from ...time.rules import CALENDAR
from ..clauses.arguments import is_passive
from ..clauses.dying import is_literal_death
from ..clauses.fact_collector import fits
from ..clauses.modality import modality_of
from ..coreference.pronouns import PRONOUNS, Reference
from ..draft import Draft
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from .holders import HAVING, Held, Holders, behind, det, has, neighbours, side_of, verb_over, works

__all__ = ["read_facts"]

_BECOMING = frozenset("become turn go grow dye bleach tint colour color shave".split())
_COLOUR_LINKS = frozenset("amod compound conj appos nmod npadvmod advmod acomp oprd attr".split())
_NAMING = frozenset("compound amod nummod nmod".split())
_LASTING = frozenset("aux neg nsubj cc conj punct mark ccomp advcl preconj".split())
_LEARNING = frozenset("learn know teach able unable".split())
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_HEIGHT = re.compile(
    rf"\b({NUMBER})[- ](?:foot|feet)(?:[- ]({NUMBER}))?\b(?! (?:away|from|off|high|deep|long|apart|of)\b)"
)
_ABSTRACT = re.compile(r"(?:tion|sion|ness|ity|ance|ence|ship|hood|dom|ment)$")
_STAYING = frozenset("be become turn stay remain go".split())
_MOVING = frozenset("prep advmod prt advcl dobj conj".split())
_ORIGINALLY = frozenset("originally both all also".split())
_DOWN = ("into", "in", "down", "over", "through", "under")
_BESIDE = 8  # characters between "noon" and "on Tuesday"
_AGES = range(3, 121)


def read_facts(draft: Draft) -> list[Fact]:
    """In order of the text; homes and places of birth that are named are told as statements as well."""
    reader = _Facts(draft)
    for paragraph in draft.chapter.paragraphs:
        for word in paragraph.words:
            reader.read(paragraph, word)
        reader.ages(paragraph)
    for told in draft.collected.happenings:
        if told.predicate in ("DIES", "KILLS") and told.patient is not None:
            life = (told.patient, "life", DEAD, told.evidence, told.modality, told.confidence, True)
            reader.found[Fact(*life, told.genders)] = None
    found = sorted(reader.found, key=lambda fact: fact.evidence[0])
    ruined = (fact for fact in found if fact.aspect == "burnt" and fact.modality.happened)
    draft.add(
        "goals",
        [
            Goal(fact.character, fact.value, "failed", fact.evidence[0], fact.confidence)
            for fact in ruined
            if fact.value.split()[-1] in listed("venture") | listed("dwelling")
        ],
    )
    return found


class _Facts(Holders):
    __slots__ = ("owned",)

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.owned: dict[str, list[Reference]] = {}

    def read(self, paragraph: ParsedParagraph, word: Word) -> None:
        for form in dict.fromkeys((word.lower_, word.lemma_.lower())):
            for row in FRAMES.get(form, ()):
                _READERS[row[1]](self, paragraph, word, row)
        noun = word.pos_ in ("NOUN", "PROPN", "ADJ")
        if noun and (word.lemma_.lower() in TRADES or word.lemma_.lower() in listed("trade")):
            self._trade(paragraph, word)
        elif noun and word.dep_ == "pobj" and word.head.lower_ == "as" and det(word) in ("a", "an"):
            self._trade_at_work(paragraph, word)
        if word.lower_ in BUILDS and BUILDS[word.lower_][0] == "height":
            person = word.dep_ != "amod" or word.head.lemma_.lower() in PERSON_NOUNS
            if word.tag_ == "JJ" and person and not has(word, "prep", "npadvmod", "nummod"):
                self.tell(paragraph, word, self.bearer(paragraph, word), *BUILDS[word.lower_])
        elif word.lower_ in ("foot", "feet"):
            self._tall(paragraph, word)
        elif word.like_num or word.lower_ == "birthday":
            self._aged(paragraph, word)
        if noun and (has(word, "poss") or (word.dep_ == "dobj" and word.head.lemma_ in HAVING)):
            self.owned[word.lemma_.lower()] = self.owner(paragraph, word)[0]

    # --- looks -------------------------------------------------------------------------------------

    def _coloured(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        """Eyes and hair: the colours beside them, and those that a verb gives them."""
        known, head = (EYE_COLOURS if row[2] == "eyes" else HAIR_COLOURS), noun.head
        if noun.lower_ in ("eyed", "haired"):
            colour = " ".join(w.lower_ for w in neighbours(noun) if w.lower_ in known)
            self.tell(paragraph, noun, self.bearer(paragraph, noun), row[2], colour)
            return
        change = head.lemma_.lower() in _BECOMING
        people, verb = self.owner(paragraph, noun)
        new = any(child.lower_ == "new" for child in noun.children)
        self.tell(paragraph, noun, (people, verb), row[2], _colours([noun], known), change=new)
        if noun.dep_ in ("nsubj", "nsubjpass", "dobj") and (change or head.lemma_ == "be"):
            told = _colours([c for c in head.children if c.i > head.i and c is not noun], known)
            self.tell(paragraph, noun, (people, head), row[2], told, change=change)

    def _trade_at_work(self, paragraph: ParsedParagraph, word: Word) -> None:
        """ "Worked as a stoker", where the list of trades does not know it."""
        if word.left_edge.i == word.head.i + 1 and works(verb_over(word.head)):
            self._trade(paragraph, word)

    def _tall(self, paragraph: ParsedParagraph, word: Word) -> None:
        found = _HEIGHT.search(word.doc.text, max(0, word.idx - 16))
        verb = verb_over(word)
        told = word.dep_ != "pobj" and verb.lemma_ in ("be", "stand", "measure") and not behind(word, "of")
        if told and found and found.start() < word.idx:
            held = (self.subjects(paragraph, verb), verb)
            self.tell(paragraph, word, held, "height", found[0].casefold())

    def _is(self, paragraph: ParsedParagraph, word: Word, row: Row) -> None:
        """An adjective or noun that says it all: vegetarian, left-handed."""
        value = side_of(neighbours(word)) if row[2] == "hand" and row[3] == "-" else row[3]
        people, verb = self.bearer(paragraph, word)
        if verb is None or verb.lemma_ in _STAYING or row[2] == "hand":
            self.tell(paragraph, word, (people, verb), row[2], value)

    def _wrote(self, paragraph: ParsedParagraph, noun: Word, _row: Row) -> None:
        """ "The pen in her right hand", "wrote with her left hand"."""
        side, verb = side_of(noun.children), verb_over(noun)
        if side and noun.dep_ == "pobj" and noun.head.lower_ in ("in", "with"):
            there = {w.lemma_.lower() for w in verb.subtree}
            if verb.lemma_.lower() in listed("writing") or there & listed("pen"):
                people = self.owner(paragraph, noun)[0] or self.subjects(paragraph, verb)
                self.tell(paragraph, noun, (people, verb), "hand", side, sure=0.65)

    def _gone(self, paragraph: ParsedParagraph, noun: Word, _row: Row) -> None:
        """A part of the body that somebody no longer has."""
        verb = noun.head if noun.head.pos_ in ("VERB", "AUX") else None
        people, having = self.owner(paragraph, noun)
        own, lost = {child.lower_ for child in noun.children}, listed("lost_part")
        if verb is not None and noun.dep_ == "dobj" and verb.lemma_.lower() in ("lose", "miss", "leave"):
            if verb.lemma_ == "leave" and not (side_of(noun.children) and has(noun, "poss")):
                return
            people = self.subjects(paragraph, verb) or people
        elif verb is not None and noun.dep_ in ("nsubj", "nsubjpass"):
            ends = [child for child in verb.children if child.dep_ in ("acomp", "attr", "oprd")]
            complements = {w.lower_ for end in ends for w in (end, *end.children)} - {"one", "only"}
            if not complements & lost and verb.lower_ not in ("ended", "amputated", "stopped", "missing"):
                return
        elif own & lost and people and (own & lost - {"one", "only"} or (having and having.lemma_ == "have")):
            verb = having
        else:
            return
        count = next((c.lower_ for c in noun.children if c.dep_ == "nummod"), "")
        value = " ".join(filter(None, ("missing", count, side_of(noun.children), noun.lower_)))
        self.tell(paragraph, noun, (people, verb), "mark", value)

    def _marked(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        """A scar or tattoo, and where on the body."""
        people, verb = self.owner(paragraph, noun)
        body = listed("body") | listed("bodily")
        parts = [w for w in paragraph.tokens(paragraph.sentence(noun)) if w.lemma_.lower() in body]
        owners = [c for w in parts for c in w.children if c.dep_ == "poss"] if not people else []
        people = people or next((found for c in owners if (found := self.whom(paragraph, c))), [])
        part = next((w for w in parts if w.i > noun.i), None)
        where = f"on {side_of(part.children)} {part.lower_}" if part is not None else ""
        self.tell(paragraph, noun, (people, verb), "mark", " ".join(f"{row[0]} {where}".split()))

    # --- ages, family ------------------------------------------------------------------------------

    def ages(self, paragraph: ParsedParagraph) -> None:
        """Ages that the grammar of time finds: "a girl of nine", "aged forty", "forty years old"."""
        marks = {mark.evidence: mark.character for mark in self.draft.get("times") if mark.kind == "age"}
        for one in self.draft.collected.times(paragraph):
            who = marks.get(paragraph.prose.span(one.start, one.end))
            words = paragraph.doc.covering(one.start, one.end)
            if one.kind == "age" and who is not None and words and one.value[-1] == "Y":
                self.tell(paragraph, words[0], ([Reference(who)], None), "age", one.value[1:-1])

    def _aged(self, paragraph: ParsedParagraph, word: Word) -> None:
        """A bare number: "was forty-one", "turned forty", "X, 41,", "at eighty X", "her fortieth"."""
        head, doc = word.head, word.doc.words
        years = number_of("".join(w.text for w in doc[word.left_edge.i : word.i + 1]))
        held: Held = [], None
        change = head.lemma_ == "turn"
        if word.lower_ == "birthday":
            ordinal = next((c.lower_ for c in word.children if c.dep_ == "amod"), "")
            years = number_of(re.sub(r"ieth$", "y", ordinal)) or number_of(re.sub(r"th$", "", ordinal))
            held = self.owner(paragraph, word)
        elif has(word, "prep", "amod") or (word.i + 1 < len(doc) and doc[word.i + 1].pos_ in ("NOUN", "SYM")):
            return
        elif head.lemma_ in ("be", "turn") and word.dep_ in ("attr", "acomp", "dobj", "oprd", "npadvmod"):
            held = self.subjects(paragraph, head), head
        elif word.dep_ == "pobj" and head.lower_ == "at" and head.head.pos_ in ("VERB", "AUX"):
            held = (self.subjects(paragraph, head.head) if years and years > 24 else []), head.head
        elif 1 < word.i < len(doc) - 1 and doc[word.i - 1].text == doc[word.i + 1].text == ",":
            held = self.bearer(paragraph, doc[word.i - 2])
        if years in _AGES:
            self.tell(paragraph, word, held, "age", str(years), change=change)

    def _counted(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        """Brothers, sisters, children by their number; "an only child", "one of three sisters"."""
        if noun.dep_ == "conj" and noun.head.lemma_.lower() in FRAMES:
            return
        if (
            noun.lemma_ == "child"
            and not has(noun, "poss")
            and any(c.lower_ == "only" for c in noun.children)
        ):
            self.tell(paragraph, noun, self.bearer(paragraph, noun), "siblings", "0")
            return
        whole = noun.lemma_ in ("child", "kid", "sibling")
        nouns = [noun, *(n for n in noun.conjuncts if n.lemma_.lower() in FRAMES and not whole)]
        numbers = [_number(each) for each in nouns]
        if noun.dep_ == "pobj" and noun.head.lower_ == "of" and not has(noun, "poss"):
            return  # the number of which one is one: ``_chosen``
        people, verb = self.owner(paragraph, noun)
        first, total = numbers[0], sum(n or 0 for n in numbers)
        if verb is not None and modality_of(self.draft.chapter, paragraph, verb) is Modality.NEGATED:
            if not first:
                self.tell(paragraph, noun, (people, verb), row[2], "0", denied=True)
        elif first is not None and (first > 1 or (row[3] == "kin" and (first != 1 or len(nouns) > 1))):
            self.tell(paragraph, noun, (people, verb), row[2], str(total if first else 0))
        elif (
            has(noun, "poss")
            and noun.is_lower
            and row[3] == "kin"
            and not (_hyphened(noun) or paragraph.spoken(noun))
        ):
            told = {(fact.character, fact.aspect) for fact in self.found}
            people = [one for one in people if (one.mention, row[2]) not in told]
            self.tell(paragraph, noun, (people, None), row[2], "some", sure=0.6)

    def _chosen(self, paragraph: ParsedParagraph, word: Word, _row: Row) -> None:
        """ "The youngest of six", "one of three sisters"."""
        for noun in behind(word, "of"):
            bare = noun.like_num and not noun.children and word.lower_ != "one"
            kin = noun.lemma_.lower() in ("brother", "sister", "child", "sibling", "son", "daughter")
            number = number_of(noun.lower_) if bare else _number(noun) if kin else None
            if number:
                self.tell(paragraph, word, self.bearer(paragraph, word), "siblings", str(number - 1))

    # --- where and what ----------------------------------------------------------------------------

    def _placed(self, paragraph: ParsedParagraph, word: Word, row: Row) -> None:
        """Born in, lived in, moved to, came from, a native of: places, and dates of birth."""
        lemma, _, aspect, ways = row
        used_to = word.head.lemma_ == "use" and word.dep_ == "xcomp"
        if used_to or (lemma == "bear" and word.tag_ != "VBN"):
            return
        if (
            lemma == "come"
            and sum(c.dep_ in _MOVING and c.lower_ not in _ORIGINALLY for c in word.children) > 1
        ):
            return
        native = lemma == "native"
        held = self.bearer(paragraph, word) if native else (self.subjects(paragraph, word), word)
        verbs = [word, *(v for v in word.conjuncts if v.lemma_.lower() in ("raise", "breed"))]
        nouns = [n for verb in verbs for way in ways.split("/") for n in behind(verb, way)]
        nouns += [
            n for noun in nouns for n in behind(noun, "in") if lemma == "bear" and self._timely(paragraph, n)
        ]
        nouns.sort(key=lambda noun: noun.pos_ != "PROPN")
        for noun in nouns if lemma == "bear" else ():
            year = _YEAR.search(" ".join(w.text for w in noun.subtree))
            if year or (self._timely(paragraph, noun) and noun.lower_ not in listed("time") - CALENDAR):
                self.tell(paragraph, word, held, "born", year[0] if year else _phrase(noun))
                break
        for noun in nouns:
            place = self._location(paragraph, noun)
            named = noun.pos_ == "PROPN" or (place is not None and det(noun) == "")
            homely = noun.lemma_.lower() in listed("dwelling") and lemma in ("move", "settle")
            known = has(noun, "det", "poss", "compound", "nummod") and lemma in (
                "live",
                "bear",
                "reside",
                "dwell",
            )
            if (
                not (named or homely or known)
                or noun.lower_ in listed("nowhere")
                or self._timely(paragraph, noun)
            ):
                continue
            change = lemma in ("move", "settle", "relocate", "emigrate", "retire")
            if lemma != "be":  # where somebody "is from" may be home or more
                self.tell(paragraph, word, held, aspect, _phrase(noun, place=True), change=change)
            self._state(paragraph, word, held, place, "LIVES_IN" if aspect == "home" else "COMES_FROM")
            return

    def _state(
        self, paragraph: ParsedParagraph, at: Word, held: Held, place: Reference | None, predicate: str
    ) -> None:
        """The same as a statement, which joins people to places."""
        told = self.draft.tells("statements", of=frozenset({predicate}))
        modality = modality_of(self.draft.chapter, paragraph, held[1] or verb_over(at))
        if place is not None and modality is not None and paragraph.sentence(at).span.start not in told:
            for one in held[0]:
                if fits(self.draft.arguments, one, "person"):
                    self.draft.collected.tell(paragraph, at, predicate, (one, place), modality, 0.85)

    def _there(self, paragraph: ParsedParagraph, verb: Word, _row: Row) -> None:
        """ "On Friday she was in Oslo": a place at a told time."""
        sentence = paragraph.sentence(verb)
        low, high = verb.doc[sentence.start].idx, verb.doc[sentence.end - 1].idx
        times = [
            one
            for one in self.draft.collected.times(paragraph)
            if one.kind == "date"
            and low <= one.start <= high
            and (one.value[0] == "T" or one.value.count("-") > 1)
        ]
        nouns = [noun for way in ("in", "at", "on") for noun in behind(verb, way)] if times else []
        for noun in nouns:
            known = noun.pos_ == "PROPN" or has(noun, "det", "poss", "compound")
            vague = noun.lower_ in listed("nowhere") or _ABSTRACT.search(noun.lower_)
            if known and not vague and not self._timely(paragraph, noun):
                beside = [one for one in times if one.start - times[0].end < _BESIDE]
                when = paragraph.prose.text[times[0].start : beside[-1].end]
                held = (self.subjects(paragraph, verb), verb)
                self.tell(paragraph, verb, held, "where_at", _phrase(noun, place=True), when=when)
                return

    def _location(self, paragraph: ParsedParagraph, noun: Word) -> Reference | None:
        number = paragraph.mention_of.get(noun.i)
        place = Reference(number) if number is not None else None
        return place if place is not None and fits(self.draft.arguments, place, "place") else None

    def _timely(self, paragraph: ParsedParagraph, noun: Word) -> bool:
        """Is it a time, not a place?"""
        start, end = noun.left_edge.idx, noun.idx + len(noun.text)
        times = self.draft.collected.times(paragraph)
        if any(one.start < end and start < one.end and noun.idx < one.end for one in times):
            return True
        return bool(_YEAR.fullmatch(noun.text)) or noun.lower_ in listed("time")

    def _trade(self, paragraph: ParsedParagraph, noun: Word) -> None:
        people, verb = self.bearer(paragraph, noun)
        own = paragraph.mention_of.get(noun.i)
        if (
            has(noun, "poss")
            or noun.dep_ in ("nsubj", "compound", "dobj")
            or own in [p.mention for p in people]
        ):
            return
        change = verb is not None and verb.lemma_.lower() in ("become", "retrain", "requalify", "turn")
        self.tell(paragraph, noun, (people, verb), "trade", _phrase(noun, parts={"compound"}), change=change)

    def _does(self, paragraph: ParsedParagraph, verb: Word, row: Row) -> None:
        """ "Taught chemistry", "drove a school bus": a habit that is a trade."""
        objects = [child for child in verb.children if child.dep_ == "dobj"]
        if verb.pos_ != "VERB" or has(verb, "dative", "xcomp", "ccomp", "prt"):
            return
        if row[0] == "drive":
            fit = [o for o in objects if o.lower_ in listed("vehicle") and det(o) in ("a", "an")]
            value = f"{_phrase(fit[0], parts={'compound'})} {row[3]}" if fit else ""
        else:
            inside = [w for o in objects for w in o.subtree]
            people = any(w.i in paragraph.mention_of or w.lower_ in PRONOUNS or det(w) for w in inside)
            value = "" if people or not (objects or has(verb, "prep")) else row[3]
        self.tell(paragraph, verb, (self.subjects(paragraph, verb), verb), "trade", value, sure=0.7)

    # --- what somebody cannot have or do -------------------------------------------------------------

    def _allergic(self, paragraph: ParsedParagraph, word: Word, _row: Row) -> None:
        held = self.owner(paragraph, word) if word.pos_ == "NOUN" else self.bearer(paragraph, word)
        for noun in behind(word, "to"):
            if noun.pos_ != "PROPN":
                self.tell(paragraph, word, held, "allergy", _phrase(noun))

    def _cannot(self, paragraph: ParsedParagraph, verb: Word, row: Row) -> None:
        """ "Could not swim", "had never learnt to drive"; not what somebody cannot do this once."""
        once = [
            c
            for c in verb.children
            if c.dep_ not in _LASTING and not (c.dep_ == "dobj" and det(c) in ("a", ""))
        ]
        over, plain = verb.head, not once
        learnt = verb.dep_ == "xcomp" and over.lemma_.lower() in _LEARNING
        if verb.tag_ != "VB" or not (plain or learnt):
            return
        shared = verb.dep_ == "conj" and over.lemma_.lower() in FRAMES
        teller = over if learnt or shared else verb
        able = learnt or any(c.dep_ == "aux" and c.lower_ in ("could", "can", "ca") for c in teller.children)
        denied = any(c.dep_ == "neg" or c.lower_ in ("never", "neither") for c in teller.children)
        if able and (denied or over.lower_ == "unable"):
            teller = verb_over(teller)
            held = (self.subjects(paragraph, teller), teller)
            self.tell(paragraph, verb, held, "cannot", row[0], denied=True)

    def _no_meat(self, paragraph: ParsedParagraph, noun: Word, row: Row) -> None:
        verb = noun.head
        if noun.dep_ == "dobj" and has(verb, "neg") and verb.lemma_ in ("eat", "touch") and not det(noun):
            held = (self.subjects(paragraph, verb), verb)
            self.tell(paragraph, noun, held, "diet", row[3], denied=True)

    def _late(self, paragraph: ParsedParagraph, word: Word, _row: Row) -> None:
        """The late X, X's widow, X's grave."""
        if word.lower_ == "late":
            people = self.bearer(paragraph, word)[0] if word.dep_ == "amod" and word.i < word.head.i else []
        elif word.pos_ == "VERB":
            held = [child for child in word.children if child.dep_ in ("dobj", "nsubjpass")]
            literal = bool(held) and (held[0].dep_ == "dobj" or is_literal_death(word))
            people = self.whom(paragraph, held[0]) if literal else []
            self.tell(paragraph, word, (people, word), "life", DEAD, change=True)
            return
        else:
            people = self.owner(paragraph, word)[0] if has(word, "poss") or behind(word, "of") else []
        self.tell(paragraph, word, (people, None), "life", DEAD, sure=0.75)

    # --- things ------------------------------------------------------------------------------------

    def _thing(self, paragraph: ParsedParagraph, verb: Word, row: Row) -> None:
        """What becomes of somebody's thing: lost, broken, burnt, given away."""
        lemma, _, aspect, value = row
        state = value == "state" and verb.dep_ == "acomp"
        if not state and (verb.pos_ not in ("VERB", "AUX") or verb.dep_ == "amod"):
            return
        verb = verb.head if state else verb
        particles = {c.lower_ for c in verb.children if c.dep_ in ("prt", "advmod")}
        if aspect != "burnt" and particles & {"up", "in", "back", "off", "into", "out"}:
            return
        if value == "sunk" and not any(
            noun.lower_ in listed("water") for way in _DOWN for noun in behind(verb, way)
        ):
            return
        if lemma == "give" and not ("away" in particles or has(verb, "dative") or behind(verb, "to")):
            return
        objects = [child for child in verb.children if child.dep_ == "dobj"]
        subject = [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")]
        undergone = subject if is_passive(verb) or (not objects and value in ("both", "sunk")) else []
        for noun in [each for one in (*objects, *undergone) for each in (one, *one.conjuncts)]:
            if not self._possession(paragraph, noun):
                continue
            owners = [child for child in noun.children if child.dep_ == "poss"]
            name = noun.lemma_.lower()
            if (
                not owners
                and (name not in self.owned or not det(noun))
                and (det(noun) not in ("the", "that", "this") or undergone)
            ):
                continue
            inner = [c for owner in owners for c in owner.children if c.dep_ == "poss"]
            mine = [one for owner in (*owners, *inner) for one in self.whom(paragraph, owner)][:1]
            agents, arguments = self.draft.arguments.agents(paragraph, verb), self.draft.arguments
            doing = agents if is_passive(verb) else [] if undergone else self.subjects(paragraph, verb)
            doing = [one for one in doing if fits(arguments, one, "person")]
            known = mine or (self.owned.get(name, []) if not owners else [])
            people = doing or known if aspect in ("lost", "given_away") else known or doing
            self.tell(paragraph, verb, (people, verb), aspect, _phrase(noun))

    def _possession(self, paragraph: ParsedParagraph, noun: Word) -> bool:
        """May it be a thing that somebody has?"""
        number, name = paragraph.mention_of.get(noun.i), noun.lemma_.lower()
        if number is not None and fits(self.draft.arguments, Reference(number), "person"):
            return False
        if name in listed("no_thing") or name in KIN or name in PERSON_NOUNS or _ABSTRACT.search(name):
            return False
        return noun.pos_ in ("NOUN", "PROPN") and name not in listed("body") | listed("bodily")


def _colours(words: list[Word], known: Mapping[str, str]) -> str:
    """The colours among the words and what says more of them; in order, each once."""
    found, todo = [], list(words)
    for each in todo:
        found += [each] if each.lower_ in known else []
        todo += [c for c in each.children if c.dep_ in _COLOUR_LINKS and c.pos_ not in ("VERB", "AUX")]
    return " ".join(dict.fromkeys(w.lower_ for w in sorted(found, key=lambda w: w.i)))


def _hyphened(noun: Word) -> bool:
    """Like "brother-in-law", "half-sister"."""
    words = noun.doc.words
    return any(words[i].text == "-" for i in (noun.i - 1, noun.i + 1) if 0 <= i < len(words))


def _number(noun: Word) -> int | None:
    """How many; 0 for "no" and "not one", 1 for "a" behind others, None where it is not said."""
    for child in noun.children:
        if child.lower_ in ("no", "not"):
            return 0
        if child.dep_ == "nummod":
            before = child.i and child.nbor(-1).lower_ == "not"
            return 0 if before else number_of(child.lower_)
    return 1 if noun.dep_ == "conj" and det(noun) in ("a", "an") else None


def _phrase(noun: Word, *, place: bool = False, parts: set[str] | frozenset[str] = _NAMING) -> str:
    """The noun with the words that name it; of a place also where it is ("of Slip Lane")."""
    words = [c for c in noun.children if c.dep_ in parts and c.i < noun.i]
    for child in noun.children:
        if child.dep_ == "poss" and child.pos_ == "NOUN":  # "her mother's watch"
            words += [child, *(c for c in child.children if c.tag_ == "POS")]
        if place and child.dep_ == "prep" and child.lower_ in ("of", "on", "in", "at"):
            words += [w for w in child.subtree if w.i - noun.i < 6]
    words = sorted([*words, noun], key=lambda word: word.i)
    return "".join(w.text + w.whitespace_ for w in words).strip().casefold()


_READERS: Mapping[str, Callable[[_Facts, ParsedParagraph, Word, Row], None]] = MappingProxyType(
    {
        "allergic": _Facts._allergic,
        "body": _Facts._gone,
        "chosen": _Facts._chosen,
        "coloured": _Facts._coloured,
        "counted": _Facts._counted,
        "does": _Facts._does,
        "hand": _Facts._wrote,
        "is": _Facts._is,
        "late": _Facts._late,
        "mark": _Facts._marked,
        "meat": _Facts._no_meat,
        "placed": _Facts._placed,
        "skill": _Facts._cannot,
        "there": _Facts._there,
        "thing": _Facts._thing,
    }
)
