"""Plain facts of somebody: where they were born and live, what they look like, do, cannot do, and have lost.

A word of ``fact_frames.tsv`` opens a frame; grammar says whom it is told of (``holders``).
"""

from __future__ import annotations

import re

from ....core.types import Span
from ...lexicon.verbs_and_nouns import KIN
from ...lexicon.words import BUILDS, FRAMES, PERSON_NOUNS, TRADES, Row, listed
from ...model.aspects import DEAD
from ...model.types import Fact
from ...names.lexicon import TITLES
from ...time.grammar import CALENDAR
from ..clauses.arguments import fits, is_passive
from ..draft import Draft
from ..mentions.name_census import ABSTRACT
from ..parsing.chapter import ParsedParagraph, Word
from ..pronouns import PRONOUNS, Reference
from .holders import DWELLING, HAVING, Held, Looks, behind, called, det, verb_over, works

_NAMING = frozenset("compound amod nummod nmod".split())
_LASTING = frozenset("aux neg nsubj cc conj punct mark ccomp advcl preconj".split())
_LEARNING = frozenset("learn know teach able unable".split())
_STATED = ("nsubj", "nsubjpass", "dobj")
_EATEN = ("eat", "touch")
_ANY = ("", "no", "a", "an", "any")
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_MOVING = frozenset("prep advmod prt advcl dobj conj".split())
_ORIGINALLY = frozenset("originally both all also".split())
_DOWN = ("into", "in", "down", "over", "through", "under")
_TRADE = re.compile(r"\w(?:ologist|ographer|wright|smith|monger|ician)$")
_MEASURES = frozenset("foot feet metre meter metres meters".split())
_EVER = re.compile(
    r"\b(?:(?:never|nothing)\b[^.!?]{0,40} else|never[^.!?]{0,30} another|all (?:his|her|my)(?: \w+)? life|"
    r"always (?:had|have|has)(?: been)?|(?:twenty|thirty|forty|fifty|[2-6]\d)(?:-\w+)? years)\b",
    re.IGNORECASE,
)
_AFTER = 240  # characters
_BESIDE = 8  # characters between "noon" and "on Tuesday"


def read_facts(draft: Draft) -> list[Fact[int, Span]]:
    """In order of the text; homes and places of birth that are named are told as statements as well."""
    reader = _Facts(draft)
    for paragraph in draft.chapter.paragraphs:
        reader.paragraph = paragraph
        for word in paragraph.words:
            reader.read(word)
        reader.ages()
    for told in draft.collected.happenings:
        if told.predicate in ("DIES", "KILLS") and told.patient is not None:
            life = (told.patient, "life", DEAD, told.evidence, told.modality, told.confidence, True)
            reader.found[Fact(*life, told.genders)] = None
    return sorted(reader.found, key=lambda fact: fact.evidence[0])


class _Facts(Looks):
    __slots__ = ("owned", "recent", "titled")

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.owned: dict[str, list[Reference]] = {}
        self.titled: set[str] = set()
        self.recent: tuple[ParsedParagraph, Word, list[Reference]] | None = None  # whose thing "it" may be

    def read(self, word: Word) -> None:
        for form in dict.fromkeys((word.lower_, word.lemma_.lower())):
            for row in FRAMES.get(form, ()):
                getattr(self, f"frame_{row[1]}")(word, row)
        noun = word.pos_ in ("NOUN", "PROPN", "ADJ")
        trade = word.lemma_.lower()
        known = trade in TRADES or trade in listed("trade") or _TRADE.search(trade) is not None
        if noun and (known or _as_what(word)):
            self._trade(word)
        if word.lower_ in BUILDS or word.lower_ in _MEASURES:
            self._tall(word)
        elif word.like_num:
            self._aged(word)
        if noun and (word.has("poss") or (word.dep_ == "dobj" and word.head.lemma_ in HAVING)):
            inner = [other for own in word.by("poss") for other in own.by("poss")]
            people = self.owner(word)[0] or (self.whom(inner[0]) if inner else [])
            self.owned[word.lemma_.lower()] = people
            if word.has("poss") and people and word.pos_ == "NOUN" and self._possession(word):
                self.recent = self.paragraph, word, people
        elif noun and det(word) == "the" and word.dep_ in _STATED and self._possession(word):
            own = self.recent is not None and self.recent[0] is self.paragraph and self.recent[2]
            self.recent = self.recent if own else (self.paragraph, word, [])  # who gives it away tells whose

    # --- where and what ----------------------------------------------------------------------------

    def frame_placed(self, word: Word, row: Row) -> None:
        """Born in, lived in, moved to, came from, a native of: places, and dates of birth."""
        lemma, _, aspect, ways = row
        used_to = word.head.lemma_ == "use" and word.dep_ == "xcomp"
        if used_to or (lemma == "bear" and word.tag_ != "VBN"):
            return
        ways_there = sum(child.lower_ not in _ORIGINALLY for child in word.by(*_MOVING))
        if lemma == "come" and ways_there > 1:
            return
        native = lemma == "native"
        held = self.bearer(word) if native else (self.subjects(word), word)
        verbs = [word, *(v for v in word.conjuncts if v.lemma_.lower() in ("raise", "breed"))]
        nouns = [n for verb in verbs for way in ways.split("/") for n in behind(verb, way)]
        if lemma == "bear":  # "born over a shop in Mombasa", "born in the spring of 1958"
            inside = [w for c in word.children if c.dep_ == "prep" for w in c.subtree if w.dep_ == "pobj"]
            nouns += [w for w in inside if w.head.lower_ in ("in", "at") and w not in nouns]
        if lemma in DWELLING and not nouns and "there" in word.said("advmod"):
            before = (w for w in reversed(word.sent) if w.i < word.i and w.pos_ == "PROPN")
            nouns = [w for w in before if w.dep_ == "pobj" and w.head.lower_ in ways.split("/")][:1]
        nouns = [self._town(noun) or noun for noun in nouns]
        nouns.sort(key=lambda noun: (noun.pos_ != "PROPN", noun.i))
        for noun in nouns if lemma == "bear" else ():
            year = _YEAR.search(" ".join(w.text for w in noun.subtree))
            if year or (self._timely(noun) and noun.lower_ not in listed("time") - CALENDAR):
                self.tell(word, held, "born", year[0] if year else _phrase(noun))
                break
        for noun in nouns:
            number = self.paragraph.mention_of.get(noun.i)
            place = Reference(number) if number is not None else None
            place = place if place is not None and fits(self.draft.arguments, place, "place") else None
            named = noun.pos_ == "PROPN" or (place is not None and det(noun) == "")
            homely = noun.lemma_.lower() in listed("dwelling") and lemma in ("move", "settle")
            known = noun.has("det", "poss", "compound", "nummod") and lemma in ("bear", *DWELLING)
            vague = noun.lower_ in listed("nowhere") or (not named and ABSTRACT.search(noun.lower_))
            if not (named or homely or known) or vague or det(noun) in ("this", "that") or self._timely(noun):
                continue
            newly = bool(word.said() & {"now", "since"})
            change = newly or lemma in ("move", "settle", "relocate", "emigrate", "retire")
            if lemma != "be":  # where somebody "is from" may be home or more
                self.tell(word, held, aspect, _phrase(noun, place=True), change=change)
            self._state(word, held, place, "LIVES_IN" if aspect == "home" else "COMES_FROM")
            return

    def _town(self, noun: Word) -> Word | None:
        """The town of a dwelling: "a flat above the shop in Leeds"."""
        inside = (w for w in noun.subtree if w.pos_ == "PROPN" and w.dep_ == "pobj" and w.head.lower_ == "in")
        return next(inside, None) if noun.lemma_.lower() in listed("dwelling") else None

    def frame_housed(self, verb: Word, _: Row) -> None:
        """ "Rented a flat in Leeds", "shared a house with Y in Leeds"."""
        brief = any(w.lower_ in ("for", "at", "as", "during") for w in verb.subtree)  # "for a week"
        for noun in verb.by("dobj") if verb.pos_ == "VERB" and not brief else ():
            own = noun.lemma_.lower() in listed("dwelling")
            towns = [self._town(noun), *(behind(verb, "in") if own else ())]
            self._dwells(verb, (self.subjects(verb), verb), towns)

    def frame_homed(self, noun: Word, _: Row) -> None:
        """ "His new flat was in Leeds", "her home is Leeds"."""
        verb = noun.head
        if noun.dep_ == "nsubj" and verb.lemma_ == "be" and noun.has("poss") and noun.said("amod") <= {"new"}:
            self._dwells(noun, (self.owner(noun)[0], verb), [*behind(verb, "in"), *verb.by("attr")])

    def _dwells(self, at: Word, held: Held, towns: list[Word | None]) -> None:
        for town in (one for one in towns if one is not None and one.pos_ == "PROPN"):
            number = self.paragraph.mention_of.get(town.i)
            place = None if number is None else Reference(number)
            if place is None or fits(self.draft.arguments, place, "place"):
                self.tell(at, held, "home", _phrase(town, place=True), change=True)
                self._state(at, held, place, "LIVES_IN")
                return

    def _state(self, at: Word, held: Held, place: Reference | None, predicate: str) -> None:
        """The same as a statement, which joins people to places."""
        statements = self.draft.collected.statements
        told = {one.evidence[0].start for one in statements if one.predicate == predicate and one.evidence}
        modality = self._modality(at, held[1] or verb_over(at), denied=False)
        if place is not None and modality is not None and self.paragraph.sentence(at).span.start not in told:
            for one in held[0]:
                if fits(self.draft.arguments, one, "person"):
                    self.draft.collected.tell(self.paragraph, at, predicate, (one, place), modality, 0.85)

    def frame_there(self, verb: Word, _: Row) -> None:
        """ "On Friday she was in Oslo": a place at a told time."""
        doc, times = verb.doc, []
        for one in self.draft.collected.times(self.paragraph):
            words = doc.covering(one.start, one.end) if one.kind == "date" else None
            exact = one.value[0] == "T" or one.value.count("-") > 1
            if words is None or not exact:
                continue
            opens = words[0].i - words[0].sent.start < 2
            if (opens or verb_over(words.root) is verb) and not _names_next(words[-1]):
                times.append(one)
        nouns = [noun for way in ("in", "at", "on") for noun in behind(verb, way)] if times else []
        for noun in nouns:
            known = noun.pos_ == "PROPN" or noun.has("det", "poss", "compound")
            vague = noun.lower_ in listed("nowhere") or ABSTRACT.search(noun.lower_)
            if known and not vague and not self._timely(noun):
                beside = [one for one in times if one.start - times[0].end < _BESIDE]
                when = self.paragraph.prose.text[times[0].start : beside[-1].end]
                held = (self.subjects(verb), verb)
                self.tell(verb, held, "where_at", _phrase(noun, place=True), when=when)
                return

    def _timely(self, noun: Word) -> bool:
        """Is it a time, not a place?"""
        start, end = noun.left_edge.idx, noun.idx + len(noun.text)
        times = self.draft.collected.times(self.paragraph)
        if any(one.start < end and start < one.end and noun.idx < one.end for one in times):
            return True
        return bool(_YEAR.fullmatch(noun.text)) or noun.lower_ in listed("time")

    def _trade(self, noun: Word) -> None:
        own = self.paragraph.mention_of.get(noun.i)
        if noun.dep_ == "compound" and own is not None and own == self.paragraph.mention_of.get(noun.head.i):
            if (name := self.draft.chapter.name(own)) not in self.titled:  # "Captain Hale", once a chapter
                self.titled.add(name)
                self.tell(noun, ([Reference(own)], None), "trade", noun.lower_)
            return
        people, verb = self.bearer(noun)
        beside = bool(called(noun) or noun.has("appos"))
        apart = noun.dep_ in ("nsubj", "dobj") and not beside
        owned = noun.has("poss") and not (beside or noun.dep_ == "appos")
        if owned or noun.dep_ == "compound" or apart or own in [p.mention for p in people]:
            return
        change = verb is not None and verb.lemma_.lower() in ("become", "retrain", "requalify", "turn")
        trade = _phrase(noun, parts={"compound"})
        self.tell(noun, (people, verb), "trade", trade, change=change, when=self._ever(noun))

    def frame_does(self, verb: Word, row: Row) -> None:
        """ "Taught chemistry", "drove a school bus", "ran the bakery": a habit that is a trade."""
        objects = verb.by("dobj")
        if verb.pos_ != "VERB" or is_passive(verb) or verb.has("dative", "xcomp", "ccomp", "prt"):
            return
        value, kind = "", row[3].split()[-1]
        if kind == "driver":
            fit = [o for o in objects if o.lower_ in listed("vehicle") and det(o) in ("a", "an")]
            value = f"{_phrase(fit[0], parts={'compound'})} driver" if fit else ""
        elif kind in ("business", "goods"):  # "runs the bakery", "works at the bank", "sells newspapers"
            ways = ("at", "in", "for", "on") if row[0] == "work" else ("",)
            for way, noun in [(w, n) for w in ways for n in (behind(verb, w) if w else objects)]:
                bare = noun.tag_ == "NNS" and not noun.has("det", "poss", "nummod")
                house = noun.lemma_.lower() in listed("business") and noun.has("det", "poss", "compound")
                if bare if kind == "goods" else house or (noun.lower_ == "place" and noun.has("compound")):
                    words = (row[3].split()[0], way, _phrase(noun, parts=_NAMING | {"det"}))
                    value = " ".join(filter(None, words))
                    break
        else:
            inside = [w for o in objects for w in o.subtree]
            people = any(w.i in self.paragraph.mention_of or w.lower_ in PRONOUNS or det(w) for w in inside)
            value = "" if people or not (objects or verb.has("prep")) else row[3]
        self.tell(verb, (self.subjects(verb), verb), "trade", value, sure=0.7, when=self._ever(verb))

    def _ever(self, word: Word) -> str:
        """Is it said, there or in the next sentence, to have been so for very long?"""
        start = self.paragraph.words[self.paragraph.sentence(word).start].idx
        return "always" if _EVER.search(word.doc.text, start, start + _AFTER) else ""

    # --- what somebody cannot have or do -------------------------------------------------------------

    def frame_allergic(self, word: Word, _: Row) -> None:
        owned = word.pos_ == "NOUN" or word.has("poss")  # "Ina's allergic", read as a possessive
        held = self.owner(word) if owned else self.bearer(word)
        for noun in behind(word, "to"):
            if noun.pos_ != "PROPN":
                self.tell(word, held, "allergy", _phrase(noun))

    def frame_skill(self, verb: Word, row: Row) -> None:
        """ "Could not swim", "had never learnt to drive"; not what somebody cannot do this once."""
        once = [
            c
            for c in verb.children
            if c.dep_ not in _LASTING
            and not (c.dep_ == "dobj" and det(c) == "")
            and not (c.dep_ == "npadvmod" and c.i < verb.i)  # "thirty years at sea, and could not swim"
            and det(c) != "a"  # "could not swim a stroke", "could not read, not a word"
        ]
        over, plain = verb.head, not once
        learnt = verb.dep_ == "xcomp" and over.lemma_.lower() in _LEARNING
        if not (plain or learnt) or (verb.tag_ != "VB" and not verb.said("aux") & {"could", "can", "ca"}):
            return
        shared = verb.dep_ == "conj" and over.lemma_.lower() in FRAMES
        teller = over if learnt or shared else verb
        able = learnt or bool(teller.said("aux") & {"could", "can", "ca"})
        denied = any(c.dep_ == "neg" or c.lower_ in ("never", "neither") for c in teller.children)
        if able and (denied or over.lower_ == "unable"):
            teller = verb_over(teller)
            held = (self.subjects(teller), teller)
            self.tell(verb, held, "cannot", row[0], denied=True)

    def frame_meat(self, noun: Word, row: Row) -> None:
        verb = noun.head
        never = verb.has("neg") or det(noun) == "no"
        if noun.dep_ == "dobj" and never and verb.lemma_ in _EATEN and det(noun) in _ANY:
            held = (self.subjects(verb), verb)
            self.tell(noun, held, "diet", row[3], denied=True)

    def frame_late(self, word: Word, _: Row) -> None:
        """The late X, X's widow, X's grave."""
        if word.lower_ == "late":
            named = word.dep_ == "amod" and word.i < word.head.i and word.head.lower_ not in TITLES
            named = named and not self._timely(word.head)  # "late one afternoon"
            who = word.head.lemma_.lower()  # "her late entrance", "a man, late forties" tell of nobody
            named = named and (word.head.pos_ == "PROPN" or who in KIN or who in PERSON_NOUNS)
            people = self.bearer(word)[0] if named else []  # "the late King": there is a new one
        elif word.pos_ == "VERB":
            held = word.by("dobj", "nsubjpass")
            held = [child for child in held if not child.lower_.endswith("self")]  # in his newspaper
            people = self.whom(held[0]) if held else []
            self.tell(word, (people, word), "life", DEAD, change=True)
            return
        else:
            goes_on = word.doc.words[word.i + 1 : word.i + 2]  # "his grave looks"
            owned = word.pos_ == "NOUN" and not any(w.pos_ in ("NOUN", "ADJ", "CCONJ") for w in goes_on)
            owned = owned and not word.has("compound")  # "his expression grave"
            owned = owned and (word.has("poss") or bool(behind(word, "of")))
            people = self.owner(word)[0] if owned else []
        self.tell(word, (people, None), "life", DEAD, sure=0.75)

    def frame_died(self, verb: Word, _: Row) -> None:
        """When, where and of what: "in October, of his heart"."""
        ways = [c for c in verb.by("prep") if c.lower_ in ("in", "on", "at", "of")]
        ways += [c for c in verb.by("npadvmod") if self._timely(c)]
        told = " ".join(w.text for way in ways for w in way.subtree if not w.is_punct)
        if verb.pos_ == "VERB" and verb.tag_ in ("VBD", "VBN") and not is_passive(verb):
            self.tell(verb, (self.subjects(verb), verb), "died", told.casefold())

    # --- things ------------------------------------------------------------------------------------

    def frame_thing(self, verb: Word, row: Row) -> None:
        """What becomes of somebody's thing: lost, broken, burnt, given away."""
        lemma, _, aspect, value = row
        state = value == "state" and verb.dep_ == "acomp"
        if not state and (verb.pos_ not in ("VERB", "AUX") or verb.dep_ == "amod"):
            return
        verb = verb.head if state else verb
        particles = verb.said("prt", "advmod")
        if aspect != "burnt" and particles & {"up", "in", "back", "off", "into", "out"}:
            return
        if value == "sunk" and not any(
            noun.lower_ in listed("water")
            for node, way in [*((verb, way) for way in _DOWN), *((c, "of") for c in verb.by("prep"))]
            for noun in behind(node, way)
        ):
            return
        if lemma == "give" and not ("away" in particles or verb.has("dative") or behind(verb, "to")):
            return
        objects = verb.by("dobj")
        subject = verb.by("nsubj", "nsubjpass")
        undergone = (
            subject if is_passive(verb) or (not objects and value in ("both", "sunk", "state")) else []
        )
        for noun in [each for one in (*objects, *undergone) for each in (one, *one.conjuncts)]:
            meant = self._meant(noun) if noun.lower_ in ("it", "them") else None
            if meant is not None:
                doing = [] if undergone or is_passive(verb) else self.subjects(verb)
                people = doing or meant[1] if aspect in ("lost", "given_away") else meant[1]
                self.tell(verb, (people, verb), aspect, _phrase(meant[0]))
                continue
            if not self._possession(noun):
                continue
            owners = noun.by("poss")
            name = noun.lemma_.lower()
            if (
                not owners
                and (name not in self.owned or not det(noun))
                and (det(noun) not in ("the", "that", "this") or undergone)
            ):
                continue
            inner = [other for owner in owners for other in owner.by("poss")]
            mine = [one for owner in (*owners, *inner) for one in self.whom(owner)][:1]
            agents, arguments = self.draft.arguments.agents(self.paragraph, verb), self.draft.arguments
            doing = agents if is_passive(verb) else [] if undergone else self.subjects(verb)
            doing = [one for one in doing if fits(arguments, one, "person")]
            known = mine or (self.owned.get(name, []) if not owners else [])
            people = doing or known if aspect in ("lost", "given_away") else known or doing
            self.tell(verb, (people, verb), aspect, _phrase(noun))

    def _meant(self, pronoun: Word) -> tuple[Word, list[Reference]] | None:
        """The thing of somebody's that "it" may be: named last, in the paragraph, two sentences ago at most;
        and whose it is."""
        if self.recent is None or self.recent[0] is not self.paragraph:
            return None
        _, thing, whose = self.recent
        since = self.paragraph.sentence(pronoun).index - self.paragraph.sentence(thing).index
        agrees = (thing.tag_ == "NNS") == (pronoun.lower_ == "them")
        return (thing, whose) if thing.i < pronoun.i and since <= 2 and agrees else None

    def _possession(self, noun: Word) -> bool:
        """May it be a thing that somebody has?"""
        number, name = self.paragraph.mention_of.get(noun.i), noun.lemma_.lower()
        if number is not None and fits(self.draft.arguments, Reference(number), "person"):
            return False
        if name in listed("no_thing") or name in KIN or name in PERSON_NOUNS or ABSTRACT.search(name):
            return False
        return noun.pos_ in ("NOUN", "PROPN") and name not in listed("body") | listed("bodily")


def _as_what(noun: Word) -> bool:
    """Is it what somebody works as, whatever that is: "as an ornithologist"?"""
    behind_as = noun.dep_ == "pobj" and noun.head.lower_ == "as" and det(noun) in ("a", "an")
    return behind_as and noun.left_edge.i == noun.head.i + 1 and works(verb_over(noun.head))


def _names_next(word: Word) -> bool:
    """Like the hour of "the four o'clock train"."""
    return word.head.i > word.i and word.head.pos_ in ("NOUN", "PROPN") and word.dep_ in _NAMING | {"poss"}


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
