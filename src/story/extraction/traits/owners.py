"""Of whom a trait is told: who has the eyes, who the girl with the red hair is, and how the text vouches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...lexicon.person_nouns import PERSON_NOUNS
from ...lexicon.verbs_and_nouns import KIN
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..clauses.assent import assenting
from ..clauses.modality import modality_of
from ..coreference.pronouns import PRONOUNS, Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

__all__ = ["Owner", "Owners"]

_SUBJECTS = ("nsubj", "nsubjpass")
_CLAUSES = ("VERB", "AUX")
_OWNING = frozenset("have possess".split())
_GRANTING = frozenset("bless endow gift burden".split())
_MOVING = frozenset("raise lift turn lower drop open close shut fix narrow roll toss shake".split())
_RELATIVES = frozenset({"who", "that", "which"})
_COPULAS = frozenset({"be", "become", "remain"})
_POINTING = frozenset({"det", "poss", "nummod"})
# how surely: possessive; "of X"; "has"; "with", on a noun; "with", on a verb; the absolute "eyes ablaze"
ASIDE_NAME, WORN = 0.85, 0.8
OWN, OF, HAS, WITH, ASIDE, ABSOLUTE = 0.95, 0.9, 0.95, 0.85, 0.65, 0.75
_MASSES = frozenset("pair head shock mass mop lock strand curl tress wisp coil braid crown wealth".split())
_ABOUT_THE_HEAD = frozenset(
    """brow brows forehead face shoulder shoulders neck cheek cheeks head hat cap bonnet hood collar temples
    back lashes spectacles eyebrows veil kerchief shawl""".split()
)
_DEPTH = 3
_CLIMB = 5
_SEEING = frozenset(
    """notice see observe remark perceive mark watch look meet note find discern glance gaze stare study
    regard consider catch""".split()
)
_BACK = 150  # words looked back for the one whom a pronoun means
CALLED = 0.85
_HEARERS = frozenset({"you", "your", "yours"})
CLEAR, LIKELY, UNCLEAR = 0.85, 0.75, 0.6
_LIKENING = frozenset({"for", "as", "like"})
_NAMELESS = frozenset("latter former somebody someone".split())


@dataclass(frozen=True, slots=True)
class Owner:
    """Who is meant, how the text vouches for it, and how surely (0 to 1)."""

    reference: Reference
    modality: Modality
    sure: float


@dataclass(frozen=True, slots=True)
class Owners:
    chapter: ParsedChapter
    arguments: Arguments

    def where_told(self, paragraph: ParsedParagraph, token: Word) -> Modality:
        """How the text vouches for what a phrase takes for granted: "her grey eyes" are grey, whatever is
        asked, denied or wished of them."""
        scene = self.chapter.scenes[paragraph.prose.scene]
        if scene.dream:
            return Modality.IMAGINED
        if paragraph.spoken(token) or paragraph.prose.letter:
            return Modality.REPORTED
        return Modality.FLASHBACK if scene.flashback else Modality.FACT

    def of_part(self, paragraph: ParsedParagraph, noun: Word) -> Owner | None:
        """Whose eyes, hair or brothers the noun names: by possessive, "of", "has", "with", or because the
        words stand beside who has them."""
        part, noun = noun, _whole(noun)
        for child in noun.children:
            if child.dep_ == "poss":
                if noun.dep_ == "dobj" and noun.head.lemma_ in _OWNING and child.lower_ in KIN:
                    return self.subject(paragraph, noun.head, HAS)  # "had her mother's grey eyes"
                meant = self._relative(paragraph, noun) if child.lower_ == "whose" else None
                return self._taken(paragraph, noun, meant or self._single(paragraph, child), OWN)
        if noun.dep_ == "dobj" and noun.head.lemma_ in _OWNING:
            return self.subject(paragraph, noun.head, HAS)
        for child in noun.children:
            if child.dep_ == "prep" and child.lower_ == "of":
                for behind in child.children:
                    if behind.dep_ == "pobj" and behind.i != part.i:
                        return self._taken(paragraph, noun, self._single(paragraph, behind), OF)
        return self._by_clause(paragraph, noun)

    def _by_clause(  # noqa: PLR0911 (a construction a branch)
        self, paragraph: ParsedParagraph, noun: Word
    ) -> Owner | None:
        head, bare = noun.head, not any(child.dep_ in _POINTING for child in noun.children)
        if noun.dep_ == "conj" and head.pos_ == "NOUN" and noun.i != head.i:
            return self.of_part(paragraph, head)  # "had dark eyes and red hair"
        if noun.dep_ == "dobj" and (head.lemma_ in _OWNING or (bare and head.lemma_ in _MOVING)):
            return self.subject(paragraph, head, HAS)
        if noun.dep_ == "pobj" and head.lower_ == "with":
            above = head.head
            if above.pos_ in _CLAUSES and above.lemma_ in _COPULAS:
                attribute = [c for c in above.children if c.dep_ == "attr"]
                return self.subject(paragraph, above, WITH) if attribute else None
            if above.pos_ in _CLAUSES:
                return self.subject(paragraph, above, HAS if above.lemma_ in _GRANTING else ASIDE)
            return self.described(paragraph, above, WITH)
        if bare and noun.dep_ == "nsubj" and head.tag_ in ("VBG", "VBN") and head.dep_ == "advcl":
            return self.subject(paragraph, head.head, ABSOLUTE)
        if bare and noun.dep_ == "nsubj" and noun.left_edge.i > 0 and noun.left_edge.nbor(-1).text == ",":
            before = next((c for c in head.children if c.dep_ == "ccomp" and c.i < noun.i), None)
            if before is not None:  # "Elena glanced up, grey eyes narrowed"
                return self.granted(paragraph, noun, self.subject(paragraph, before, ABSOLUTE))
        if noun.dep_ == "nsubj" and head.pos_ == "VERB":
            clauses = [child for child in noun.children if child.dep_ == "relcl"]
            return self._wearing(paragraph, noun, clauses[0] if clauses else head)
        return None

    def _wearing(self, paragraph: ParsedParagraph, noun: Word, verb: Word) -> Owner | None:
        """Like "a pair of blue eyes looked out from under her hat", "the black hair that fell over Anna's
        brow"."""
        for word in verb.subtree:
            if word.i > noun.i and word.dep_ == "poss" and word.head.lower_ in _ABOUT_THE_HEAD:
                return self._taken(paragraph, noun, self._single(paragraph, word), WORN)
        return None

    def subject(self, paragraph: ParsedParagraph, verb: Word, sure: float) -> Owner | None:
        """The one who is the subject of the clause, vouched for as the clause is."""
        modality = modality_of(self.chapter, paragraph, verb)
        own = next((c for c in verb.children if c.dep_ in _SUBJECTS), None)
        if modality is None:
            return self._granted_answer(paragraph, verb, own, sure)
        if own is not None and own.lower_ in _RELATIVES and verb.dep_ == "relcl":
            found = self.described(paragraph, verb.head, sure)
            return Owner(found.reference, modality, found.sure) if found is not None else None
        people = [r for r in self.arguments.subjects(paragraph, verb) if self._person(r)]
        if not people and own is not None and own.lower_ in PRONOUNS:
            near = self._by_name(paragraph, own)
            people = [near] if near is not None else []
        if not people and own is not None and own.lower_ in _HEARERS:
            called = self._called(paragraph, own)
            people = [called] if called is not None and self._person(called) else []
        if len(people) != 1:
            return None
        meant: Reference | None = people[0]
        if own is not None and own.lower_ in PRONOUNS and not paragraph.spoken(own):
            meant = self._weighed(paragraph, own, people[0])
        if meant is None:
            return None
        return Owner(meant, modality, round(sure * meant.factor, 3))

    def _granted_answer(
        self, paragraph: ParsedParagraph, verb: Word, own: Any | None, sure: float
    ) -> Owner | None:
        """Who is asked whether it is so and answers that it is."""
        if own is None or not paragraph.spoken(verb):
            return None
        who = assenting(self.arguments, paragraph, verb)
        if who is None or own.lower_ not in _HEARERS:
            return None
        return Owner(who, Modality.REPORTED, round(sure * who.factor, 3))

    def meant(self, paragraph: ParsedParagraph, token: Word) -> Reference | None:
        """The one person whom a name or a pronoun of the third person means."""
        return self._single(paragraph, token)

    def described(
        self, paragraph: ParsedParagraph, noun: Word, sure: float = OWN, depth: int = _DEPTH
    ) -> Owner | None:
        """Who the noun phrase is about: the one it names, the one beside whom it is set ("Anna, a girl with
        grey eyes"), or of whom a clause says it ("Anna was a girl with grey eyes")."""
        if depth == 0:
            return None
        meant = self._single(paragraph, noun)
        if meant is not None:
            return self._taken(paragraph, noun, meant, sure)
        head = noun.head
        if noun.dep_ in ("attr", "acomp") and head.lemma_ in _COPULAS:
            return self.subject(paragraph, head, sure)
        if noun.dep_ in ("appos", "conj") and noun.i > head.i and noun.pos_ in ("NOUN", "ADJ"):
            return self.described(paragraph, head, round(0.95 * sure, 3), depth - 1)
        return None

    def of_adjective(  # noqa: PLR0911 (a construction a branch)
        self, paragraph: ParsedParagraph, word: Word, sure: float = OWN
    ) -> Owner | None:
        """Whom an adjective describes: "blue-eyed Anna", "Anna was tall", "Anna, tall and thin, came"."""
        head = word.head
        if any(child.dep_ in _SUBJECTS for child in word.children):  # taken for a verb: "was lame"
            return self.subject(paragraph, word, sure)
        if word.dep_ == "conj" and head.i != word.i and head.pos_ in ("ADJ", "NOUN", "VERB"):
            if head.dep_ in ("acomp", "amod", "oprd", "appos", "conj"):
                return self.of_adjective(paragraph, head, sure)
            return None
        if word.dep_ == "conj" and head.pos_ == "PROPN" and word.pos_ == "ADJ":
            return self.described(paragraph, head, ASIDE_NAME)  # "Marcus, brown-haired and restless,"
        if word.dep_ in ("advcl", "acl", "advmod") and head.pos_ == "VERB" and word.pos_ == "ADJ":
            found = self.subject(paragraph, head, ASIDE_NAME)  # "Grey-eyed and grave, Anna stood there"
            return self.granted(paragraph, word, found)
        if word.dep_ in ("acomp", "oprd") and head.lemma_ in _COPULAS:
            return self.subject(paragraph, head, sure)
        if word.dep_ in ("amod", "appos", "acl", "compound", "nmod") and head.pos_ in ("NOUN", "PROPN"):
            return self.described(paragraph, head, sure)
        return None

    def granted(self, paragraph: ParsedParagraph, token: Word, found: Owner | None) -> Owner | None:
        """The same one, vouched for as what a phrase takes for granted is."""
        if found is None:
            return None
        return Owner(found.reference, self.where_told(paragraph, token), found.sure)

    def _relative(self, paragraph: ParsedParagraph, noun: Word) -> Reference | None:
        """The one of "Anna, whose eyes were grey"."""
        node = noun
        for _ in range(_DEPTH):
            if node.dep_ == "relcl":
                found = self.described(paragraph, node.head)
                return found.reference if found is not None else None
            node = node.head
        return None

    def _single(self, paragraph: ParsedParagraph, token: Word) -> Reference | None:
        if token.dep_ != "conj" and any(c.pos_ in ("NOUN", "PROPN", "PRON") for c in token.conjuncts):
            return None  # "Anna's and Tom's eyes"
        meant = self.arguments.single(paragraph, token)
        if token.lower_ in PRONOUNS and not paragraph.spoken(token):
            return self._weighed(paragraph, token, meant)
        if meant is None and token.lower_ in PRONOUNS:
            return self._by_name(paragraph, token)
        if meant is None and token.lower_ in _HEARERS:
            meant = self._called(paragraph, token)
        return meant if meant is not None and self._person(meant) else None

    def _called(self, paragraph: ParsedParagraph, token: Word) -> Reference | None:
        """Whom the speech calls by name: "You have blue eyes, Anna"."""
        doc, found = paragraph.doc, set()
        for i, number in paragraph.mention_of.items():
            last = i + 1 >= len(doc) or paragraph.mention_of.get(i + 1) != number
            first = paragraph.mention_of.get(i - 1) != number
            if paragraph.spoken(doc[i]) and first and last and i > 0 and i + 1 < len(doc):
                set_off = doc[i - 1].text == "," and not doc[i + 1].text[0].isalpha()
                if set_off and self._person(Reference(number)):
                    found.add(number)
        spoken = paragraph.spoken(token)
        return Reference(found.pop(), CALLED) if spoken and len(found) == 1 else None

    def _weighed(self, paragraph: ParsedParagraph, token: Word, meant: Reference | None) -> Reference | None:
        """Whom a pronoun of the narration means: the only one of its gender who is named in its sentence
        before it, or in the sentence before. Else what was read already counts more where nobody else of the
        gender is named since, and less where somebody is."""
        near = self._by_name(paragraph, token)
        if near is not None:
            return near
        if meant is None or not self._person(meant):
            return None
        clear = self._clear(paragraph, token, meant)
        factor = max(meant.factor, CLEAR) if clear else min(meant.factor, UNCLEAR)
        return Reference(meant.mention, factor, meant.gender)

    def _near(self, paragraph: ParsedParagraph, token: Word) -> tuple[int, float] | None:
        """The only one of the pronoun's gender who is named before it, in its voice, and how surely: in its
        sentence or the one before (in speech: anywhere before), less so in its sentence alone. Whoever sees,
        meets or notices what is "his" is another ("Tom saw how brown his eyes were")."""
        cast, own = self.arguments.pronouns.cast, paragraph.sentence(token)
        seers = {paragraph.mention_of.get(seer.i) for seer in _seers(token)}
        found = self._named_before(paragraph, token)
        if found is None:
            return None
        if len({cast.who[n] for n in found}) > 1:
            found = {n: i for n, i in found.items() if n not in seers}
        sure = CLEAR
        if len({cast.who[n] for n in found}) > 1:
            found, sure = {n: i for n, i in found.items() if i >= own.start}, LIKELY
        people = {cast.who[n]: n for n in found}
        return (next(iter(people.values())), sure) if len(people) == 1 else None

    def _named_before(self, paragraph: ParsedParagraph, token: Word) -> dict[int, int] | None:
        """Mention → where it stands; None where somebody nameless, or of the other voice, may be meant."""
        cast, gender = self.arguments.pronouns.cast, PRONOUNS[token.lower_]
        own, voice = paragraph.sentence(token).index, paragraph.spoken(token)
        here = [s for s in paragraph.sentences if (0 if voice else own - 1) <= s.index <= own]
        found: dict[int, int] = {}
        for i in range(here[0].start if here else token.i, token.i):
            word, number = paragraph.words[i], paragraph.mention_of.get(i)
            if voice and not paragraph.spoken(word):
                continue
            if number is None:
                if _rival(word, gender):
                    return None
                continue
            if self.chapter.mentions[number].kind is not EntityKind.CHARACTER:
                continue
            if cast.gender(cast.who[number]) in ("", gender):
                if paragraph.spoken(word) != voice:
                    return None
                found[number] = i
        return found

    def _by_name(self, paragraph: ParsedParagraph, token: Word) -> Reference | None:
        near = self._near(paragraph, token)
        return Reference(near[0], near[1], PRONOUNS[token.lower_]) if near is not None else None

    def _clear(self, paragraph: ParsedParagraph, token: Word, meant: Reference) -> bool:
        cast, gender = self.arguments.pronouns.cast, PRONOUNS[token.lower_]
        who, left = cast.who[meant.mention], _BACK
        number, last = paragraph.number, token.i - 1
        while number >= 0 and left > 0:
            here = self.chapter.paragraphs[number]
            for i in range(last, max(-1, last - left), -1):
                other = here.mention_of.get(i)
                if other is not None:
                    if cast.who[other] == who:
                        return True
                    rival = self.chapter.mentions[other].kind is EntityKind.CHARACTER
                    if rival and cast.gender(cast.who[other]) in ("", gender):
                        return False
                elif _rival(here.doc[i], gender):
                    return False
            left -= last + 1
            number -= 1
            last = len(self.chapter.paragraphs[number].doc) - 1 if number >= 0 else 0
        return False

    def _taken(
        self, paragraph: ParsedParagraph, token: Word, meant: Reference | None, sure: float
    ) -> Owner | None:
        if meant is None:
            return None
        return Owner(meant, self.where_told(paragraph, token), round(sure * meant.factor, 3))

    def _person(self, reference: Reference) -> bool:
        return self.arguments.kind(reference) is EntityKind.CHARACTER


def _rival(word: Word, gender: str) -> bool:
    """A nameless person whom the pronoun may mean: "the latter", "the old woman", "his sister", or somebody
    whose name the reading did not take for one."""
    if word.lower_ in _NAMELESS or (word.tag_ == "NNP" and word.dep_ in _SUBJECTS):
        return True
    told = PERSON_NOUNS.get(word.lower_)
    if word.dep_ == "pobj" and word.head.lower_ in _LIKENING:  # "for a schoolmaster he keeps late hours"
        return False
    return told is not None and told in ("", gender) and word.dep_ not in ("attr", "appos", "compound")


def _seers(possessive: Any) -> list[Word]:
    """The subjects of the verbs of seeing above a possessive."""
    node, found = possessive.head, []
    for _ in range(_CLIMB):
        if node.head.i == node.i:
            break
        if node.head.lemma_ in _SEEING and node.dep_ in ("ccomp", "dobj", "pobj", "prep"):
            found += [child for child in node.head.children if child.dep_ in _SUBJECTS]
        node = node.head
    return found


def _whole(noun: Word) -> Word:
    """The pair of "a pair of blue eyes", "a head of red hair"."""
    of = noun.head
    if noun.dep_ == "pobj" and of.lower_ == "of" and of.head.lower_ in _MASSES:
        return of.head
    return noun
