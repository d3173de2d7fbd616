"""Who stands where in a clause: its subjects and objects, found through conjunctions, passives and gaps; and
what a clause says, written down: statements for what lasts, happenings for what takes place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ....core.types import Span
from ...lexicon.verbs_and_nouns import KIN, LOCATIVE, NEGATED_AS, OBJECT_CONTROL
from ...model.chapter_reading import Happening, Statement
from ...model.predicates import PREDICATES, calibrated
from ...model.types import PEOPLE, EntityKind, Modality
from ...time.grammar import TimeExpression, time_expressions
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word
from ..pronouns import PRONOUNS, PronounReader, Reference
from ..quotations.dialogue import Dialogue

_SUBJECTS = ("nsubj", "nsubjpass")
_RELATIVES = frozenset({"who", "that", "which", "whom"})
_SPEAKER = frozenset("i me my myself".split())
_HEARER = frozenset("you your yourself".split())
_CLOSED = re.compile(r"’(?!\w)|”")
_DEPTH = 4
MANY = 4  # "A, B, C, D and E" is a list of guests, not a clause about each of them


def is_passive(verb: Word) -> bool:
    """The verb of "was killed", and the bare participle of "killed by X" behind a noun."""
    return verb.has("nsubjpass", "auxpass") or (verb.dep_ == "acl" and verb.tag_ == "VBN")


@dataclass(frozen=True, slots=True)
class Arguments:
    """``kin`` remembers who was said to be whose brother, by the owner's name and the word for it."""

    chapter: ParsedChapter
    pronouns: PronounReader
    dialogue: Dialogue
    kin: dict[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def of(cls, chapter: ParsedChapter, pronouns: PronounReader) -> Arguments:
        bare = cls(chapter, pronouns, Dialogue(chapter))

        def resolve(paragraph: ParsedParagraph, token: Word) -> tuple[int, float] | None:
            meant = bare.single(paragraph, token)
            return (meant.mention, meant.factor) if meant is not None else None

        return cls(chapter, pronouns, Dialogue.of(chapter, pronouns, resolve))

    def subjects(self, paragraph: ParsedParagraph, verb: Word) -> list[Reference]:
        """The grammatical subjects of a verb, an unspoken one taken from the clause above it."""
        token = self.subject_word(verb)
        return self.resolve(paragraph, token) if token is not None else self._just_before(paragraph, verb)

    def _just_before(self, paragraph: ParsedParagraph, verb: Word) -> list[Reference]:
        """Who is named right before a verb to which the parser gives no subject, and those joined to it."""
        first = min((c.i for c in verb.children if c.dep_ in ("aux", "auxpass", "neg")), default=verb.i)
        before = next((w for w in reversed(paragraph.words[:first]) if not w.is_punct), verb)
        named = before.sent is verb.sent and before.i in paragraph.mention_of
        if not named or not self._person(paragraph, before):
            return []
        first_named = before.conjuncts[0] if before.dep_ == "conj" else before
        return [Reference(one.mention, 0.9) for one in self.resolve(paragraph, first_named)]

    def agents(self, paragraph: ParsedParagraph, verb: Word) -> list[Reference]:
        """Behind "by" of a passive."""
        return next((self._behind(paragraph, child) for child in verb.by("agent")), [])

    def slot(  # noqa: PLR0911 (a frame a line)
        self, paragraph: ParsedParagraph, verb: Word, slot: str
    ) -> list[Reference]:
        """What stands in a slot of a VerbRule."""
        if slot.startswith("prep:"):
            wanted = slot[5:]
            for child in verb.children:
                if child.dep_ in ("prep", "dative") and child.lower_ == wanted:
                    return self._behind(paragraph, child)
            held = (noun for each in verb.by("dobj", "prep") for noun in each.subtree if wanted == "from")
            nouns = (noun for noun in held if noun.dep_ == "prep" and noun.lower_ == wanted)
            found = (self._behind(paragraph, noun) for noun in nouns)
            return next((each for each in found if each), [])  # "rented the rooms from Tom"
        for child in verb.children:
            if child.dep_ == slot and child.pos_ != "ADP":
                if slot == "dobj" and child.lower_ in _RELATIVES and verb.dep_ == "relcl":
                    return self.resolve(paragraph, verb.head)
                return self.resolve(paragraph, child)
            if slot == "dative" and child.dep_ == "dative":
                return self._behind(paragraph, child)
        objects = verb.by("dobj")
        if slot == "dative" and len(objects) == 2:  # "gave Elena the ring", both taken for objects
            return self.resolve(paragraph, objects[0])
        return []

    def resolve(self, paragraph: ParsedParagraph, token: Word) -> list[Reference]:
        """The people, places and things that a noun phrase names, "X and Y" giving both."""
        found: list[Reference] = []
        for part in (token, *token.conjuncts) if token.dep_ != "conj" else (token,):
            one = self.single(paragraph, part)
            if one is not None and one.mention not in {reference.mention for reference in found}:
                found.extend(self._couple(one))
        return found if len(found) < MANY else []

    def _couple(self, reference: Reference) -> list[Reference]:
        """Both of "Mr. and Mrs. Bennet": the mention before spans this one as well."""
        number, mentions = reference.mention, self.chapter.mentions
        if number > 0 and mentions[number - 1].span.contains(mentions[number].span):
            return [Reference(number - 1, reference.factor), reference]
        return [reference]

    def single(self, paragraph: ParsedParagraph, token: Word) -> Reference | None:
        """What one head word names: a name, a pronoun, or a noun with a name set beside it."""
        number = paragraph.mention_of.get(token.i)
        if number is not None:
            return Reference(number)
        personal = token.lower_ in PRONOUNS or token.lower_ in _SPEAKER or token.lower_ in _HEARER
        if personal and _quoted_within(paragraph, token):
            return None
        if token.lower_ in PRONOUNS:
            spoken = paragraph.spoken(token)
            return (self._spoken_of if spoken else self.pronouns.resolve)(paragraph, token)
        if token.lower_ in _SPEAKER or token.lower_ in _HEARER:
            return self._in_speech(paragraph, token)
        if token.lower_ in KIN:
            return self._relative(paragraph, token)
        return self._set_beside(paragraph, token) if token.pos_ == "NOUN" else None

    def _spoken_of(self, paragraph: ParsedParagraph, token: Word) -> Reference | None:
        """Whom a "she" in direct speech means: the last one named in it who may be; else who is most in mind
        and does not speak."""
        gender = PRONOUNS[token.lower_]
        for before in reversed(paragraph.words[: token.i]):
            number = paragraph.mention_of.get(before.i)
            if number is not None and self._person(paragraph, before) and paragraph.spoken(before):
                mention = self.chapter.mentions[number]
                if gender in (mention.gender or mention.hint or gender):
                    return Reference(number, 0.8, gender)
        speech, who = self.dialogue.speech(paragraph, token), self.pronouns.cast.who
        present = {who[one[0]] for one in (speech.speaker, speech.hearer) if one is not None}
        others = [one for one in self.pronouns.near(paragraph, gender) if who[one[0]] not in present]
        sure = speech.speaker is not None and len(others) == 1
        return Reference(others[0][0], 0.7, gender) if sure else None

    def _in_speech(self, paragraph: ParsedParagraph, token: Word) -> Reference | None:
        """Who says "I", or is told "you", inside direct speech; outside it "I" is the narrator."""
        if not paragraph.spoken(token):
            narrator = self.chapter.narrator
            return Reference(narrator) if narrator is not None and token.lower_ in _SPEAKER else None
        speech = self.dialogue.speech(paragraph, token)
        meant = speech.speaker if token.lower_ in _SPEAKER else speech.hearer
        return Reference(meant[0], round(meant[1], 3)) if meant is not None else None

    def _relative(self, paragraph: ParsedParagraph, noun: Word) -> Reference | None:
        """Like "her brother", where the chapter has told who that is; or with his name set beside it."""
        if (beside := self._set_beside(paragraph, noun)) is not None:
            return beside
        for child in noun.children:
            owner = self.single(paragraph, child) if child.dep_ == "poss" else None
            if owner is not None:
                number = self.kin.get((self.name(owner), noun.lower_))
                return Reference(number, round(0.9 * owner.factor, 3)) if number is not None else None
        return None

    def _set_beside(self, paragraph: ParsedParagraph, noun: Word) -> Reference | None:
        """The name beside a noun: "her brother, Tom", "a dentist called Tom"."""
        called = (c for each in noun.children if each.lower_ in ("called", "named") for c in each.children)
        for child in (*noun.children, *called):
            number = paragraph.mention_of.get(child.i)
            if child.dep_ in ("appos", "oprd") and number is not None and self._person(paragraph, child):
                return Reference(number, 0.9)
        return None

    def name(self, reference: Reference) -> str:
        """The name as it is written there, case folded."""
        return self.chapter.name(reference.mention)

    def support(
        self, paragraph: ParsedParagraph, token: Word, *references: Reference | None
    ) -> tuple[Span, ...]:
        """The sentence of ``token``, then those that name whom its pronouns mean; no span twice."""
        spans = [paragraph.sentence(token).span]
        for reference in references:
            if reference is not None:
                sentence = self.chapter.mentions[reference.mention].sentence
                if sentence not in spans:
                    spans.append(sentence)
        return tuple(spans)

    def kind(self, reference: Reference) -> EntityKind:
        return self.chapter.mentions[reference.mention].kind

    def _person(self, paragraph: ParsedParagraph, token: Word) -> bool:
        return self.chapter.mentions[paragraph.mention_of[token.i]].kind is EntityKind.CHARACTER

    def _behind(self, paragraph: ParsedParagraph, preposition: Word) -> list[Reference]:
        return next((self.resolve(paragraph, child) for child in preposition.by("pobj")), [])

    @staticmethod
    def subject_word(verb: Word) -> Word | None:  # noqa: PLR0911 (one gap a branch)
        """The head word of the subject, an unspoken one taken from the clause above."""
        node = verb
        for _ in range(_DEPTH):
            own = _own_subject(node)
            if own is not None:
                return node.head if own.lower_ in _RELATIVES and node.dep_ == "relcl" else own
            head = node.head
            if head is node:
                return None
            if node.dep_ in ("xcomp", "ccomp"):
                if head.lemma_ in OBJECT_CONTROL:
                    controlled = head.by("dobj", "dative")
                    if controlled:
                        return controlled[-1]
                node = head  # "wanted to go", "was told to go"
            elif node.dep_ in ("acomp", "aux"):  # "was glad to go"
                node = head
            elif node.dep_ == "acl" and head.pos_ in ("NOUN", "PROPN"):
                return head
            elif node.dep_ in ("conj", "advcl"):
                if head.pos_ not in ("VERB", "AUX"):
                    return None
                node = head
            else:
                return None
        return None


def _quoted_within(paragraph: ParsedParagraph, token: Word) -> bool:
    """Does it stand in what somebody tells in speech that another said: “She told me, ‘I am your aunt’”?"""
    before = paragraph.prose.text[: token.idx]
    outer, mark, inner = before.rpartition("‘")
    return bool(mark) and "“" in outer and _CLOSED.search(inner) is None


def _own_subject(verb: Word) -> Word | None:
    """The subject that hangs on the verb, or on its helper ("X had never in her life seen it")."""
    nodes = (verb, *verb.by("aux", "auxpass"))
    return next((subject for node in nodes for subject in node.by(*_SUBJECTS)), None)


LEAST_SURE = 0.35  # what is less sure than this is not said
_SOON = 5  # happenings between a blow and the death that it brings
_DATING = frozenset({"date", "shift"})
_TARGETS = {
    "person": PEOPLE,
    "place": frozenset({EntityKind.LOCATION}),
    "thing": frozenset({EntityKind.OBJECT, EntityKind.LOCATION}),
}


def fits(arguments: Arguments, reference: Reference, target: str) -> bool:
    return arguments.kind(reference) in _TARGETS[target]


@dataclass(slots=True)
class FactCollector:
    """Collects statements and happenings; ``at`` gives the happening that a verb told, by paragraph and
    token."""

    chapter: ParsedChapter
    arguments: Arguments
    statements: list[Statement] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    at: dict[tuple[int, int], int] = field(default_factory=dict)
    _times: dict[int, tuple[TimeExpression, ...]] = field(default_factory=dict)

    def times(self, paragraph: ParsedParagraph) -> tuple[TimeExpression, ...]:
        """The expressions of time in a paragraph, by offsets in its text; read once."""
        if paragraph.number not in self._times:
            self._times[paragraph.number] = time_expressions(paragraph.prose.text)
        return self._times[paragraph.number]

    def in_text_order(self) -> None:
        """Sorts the happenings by where their verbs stand. Call it before anything holds their numbers."""
        places = [told.at or told.evidence[0] for told in self.happenings]
        order = sorted(range(len(places)), key=lambda i: (places[i], i))
        new = {old: position for position, old in enumerate(order)}
        self.happenings[:] = [self.happenings[old] for old in order]
        self.at.update({key: new[old] for key, old in self.at.items()})

    def tell(
        self,
        paragraph: ParsedParagraph,
        verb: Word,
        predicate: str,
        pair: tuple[Reference | None, Reference | None],
        modality: Modality,
        confidence: float,
    ) -> None:
        one, other = pair
        names = [self.chapter.name(reference.mention) for reference in pair if reference is not None]
        if len(names) > len(set(names)):
            return
        for reference in (one, other):
            confidence *= reference.factor if reference is not None else 1.0
        if modality is Modality.NEGATED and predicate in NEGATED_AS:
            predicate, modality = NEGATED_AS[predicate], Modality.FACT
        confidence = round(confidence, 3)
        if confidence < LEAST_SURE:
            return
        evidence = self.arguments.support(paragraph, verb, one, other)
        hint = self._when(paragraph, verb)
        genders = tuple(gender for r in pair if r is not None for gender in r.genders)
        if not PREDICATES[predicate].lasting:
            agent, patient = (reference.mention if reference else None for reference in pair)
            place = self.place(paragraph, verb)
            how = evidence, modality, confidence, hint
            at = verb.lemma_.lower(), paragraph.span(verb, verb), genders
            self._happen(paragraph, verb, Happening(predicate, agent, patient, place, *how, *at))
        elif one is not None and other is not None:
            sure = calibrated(predicate, confidence)
            self.statements.append(
                Statement(predicate, one.mention, other.mention, evidence, modality, sure, hint, genders)
            )

    def _when(self, paragraph: ParsedParagraph, verb: Word) -> str:
        """The time phrase of the verb's sentence in its own words, the nearest to the verb where there are
        several; empty for none."""
        found = self.times(paragraph)
        if not found:
            return ""
        sentence = paragraph.sentence(verb)
        doc = paragraph.doc
        low, last = doc[sentence.start].idx, doc[sentence.end - 1]
        near = [
            (abs(each.start - verb.idx), each.start, each.end)
            for each in found
            if each.kind in _DATING and low <= each.start and each.end <= last.idx + len(last)
        ]
        if not near:
            return ""
        _, start, end = min(near)
        return paragraph.prose.text[start:end]

    def _happen(self, paragraph: ParsedParagraph, verb: Word, told: Happening) -> None:
        key = (paragraph.number, verb.i)
        last = self.happenings[self.at[key]] if key in self.at else None
        if last is not None and all(
            getattr(last, name) == getattr(told, name) for name in ("predicate", "agent", "patient")
        ):
            return
        self.at[key] = len(self.happenings)
        self.happenings.append(told)
        who = self.arguments.pronouns.cast.who
        for blow in self.happenings[-_SOON:] if told.predicate == "DIES" and told.agent is None else ():
            hit = blow.predicate == "ATTACKS" and blow.agent is not None and blow.patient is not None
            if hit and told.patient is not None and who[blow.patient or 0] == who[told.patient]:
                both = tuple(dict.fromkeys((*told.evidence, *blow.evidence)))
                self.happenings.append(replace(told, predicate="KILLS", agent=blow.agent, evidence=both))
        taker = {"GIVES_TO": told.patient, "STEALS_FROM": told.agent}.get(told.predicate)
        if taker is not None:
            for thing in self.arguments.slot(paragraph, verb, "dobj"):
                if self.arguments.kind(thing) is EntityKind.OBJECT:
                    how = told.evidence, told.modality, told.confidence, told.when
                    self.statements.append(Statement("OWNS", taker, thing.mention, *how))

    def place(self, paragraph: ParsedParagraph, verb: Word) -> int | None:
        """The named place where it happens: "in X" or "at X" on the verb itself."""
        for child in verb.children:
            if child.dep_ == "prep" and child.lower_ in LOCATIVE:
                for reference in self.arguments.slot(paragraph, verb, f"prep:{child.lower_}"):
                    if fits(self.arguments, reference, "place"):
                        return reference.mention
        return None
