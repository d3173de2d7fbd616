"""Plain relations: who is whose brother, boss, neighbour, in the frames in which English says it.

"Y's brother X", "X, Y's brother", "X was Y's brother", "X and Y were brothers", "the two brothers", "Mum" in
speech; and "her boss did not look up", where the next to be named is the boss (bridging: Clark 1975).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations, product

from ....core.types import Span
from ...lexicon.verbs_and_nouns import ARTEFACTS, KIN_OF_KIN
from ...model.chapter_reading import Mention, Statement
from ...model.predicates import FAMILY, PREDICATES, calibrated
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..clauses.modality import likened, modality_of
from ..mentions.name_words import KIN_NAMES
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word
from ..pronouns import PRONOUNS, Reference
from .bridging import WINDOW, NamedPlaces, Term, Unnamed, is_there, owner_of, term_at
from .holders import det, verb_over

_COPULAS = frozenset("be become remain stay".split())
_TELLING = frozenset("say tell explain add answer reply write mention".split())
_SPENT = frozenset("year month week decade day time life".split())
_GONE = frozenset("late dead former".split())
_BOTH = frozenset("they them both their themselves".split())
_OURS = frozenset("we us our ourselves".split())
# "engaged to", "married to", "divorced from": word → predicate, is it over, prepositions
_BOUND = {
    "engaged": ("ENGAGED_TO", False, "to"),
    "betrothed": ("ENGAGED_TO", False, "to"),
    "married": ("MARRIED_TO", False, "to"),
    "divorced": ("MARRIED_TO", True, "from"),
    "related": ("KIN_OF", False, "to"),
}
_ONCE = frozenset("once formerly previously longer anymore".split())
_LASTING = frozenset("since for always ever long already still now".split())
_SELDOM = frozenset("seldom rarely hardly scarcely".split())
_PAIRED = (["mr", "mrs"], ["lord", "lady"], ["sir", "lady"], ["monsieur", "madame"])
# confidence: "his brother X"; "X, his brother"; "X was his brother"; "Mum!"; "his brother" … "X said"
BESIDE, APPOSED, COPULA, ADDRESS, BRIDGED, NAMELESS = 0.9, 0.85, 0.88, 0.75, 0.62, 0.7
_Bearer = tuple[Reference, float, Modality, bool]


@dataclass(slots=True)
class RelationReader:
    """Goes through the chapter; what it finds lies in ``statements``. Nameless relatives of whom a relation
    is told are added to the chapter's mentions ("Nora's mother")."""

    chapter: ParsedChapter
    arguments: Arguments
    statements: list[Statement] = field(default_factory=list)
    _open: list[Unnamed] = field(default_factory=list)
    _told: set[tuple[str, int, int]] = field(default_factory=set)
    _places: NamedPlaces = field(init=False)
    paragraph: ParsedParagraph = field(init=False)

    def read(self) -> list[Statement]:
        """Who is what to whom by nouns, in plain frames."""
        self._places = NamedPlaces.of(self.chapter, self.arguments)
        for paragraph in self.chapter.paragraphs:
            self.paragraph = paragraph
            for token in paragraph.words:
                if token.lower_ in _BOUND:
                    self._bound(token)
                elif token.lower_ in ("together", "door", "same"):
                    self._side_by_side(token)
                elif token.lemma_ in ("belong", "marry"):
                    self._by_verb(token)
                elif (term := term_at(token)) is not None:
                    self._term(token, term)
                elif token.lower_ in ARTEFACTS:
                    self._owned(token)
            self._couples()
        for each in self._open:
            owners = {self._places.who(owner.mention) for owner in each.owners}
            ends = [(p, {self._places.who(a), self._places.who(b)}) for p, a, b in self._told]
            if not owners or not any(p == each.term.noun.predicate and owners & who for p, who in ends):
                self.paragraph = each.paragraph
                pairs, sure = self._places.bridge(each), BRIDGED
                if not pairs and each.owners:
                    pairs, sure = self._unnamed(each), NAMELESS
                for pair in pairs:
                    self._tell(each.token, each.term, pair, sure, Modality.FACT, False)
        return self.statements

    # --- who ---------------------------------------------------------------------------------------

    def _people(self, token: Word | None) -> list[Reference]:
        if token is None:
            return []
        if token.lower_ in _BOTH | _OURS:
            return self._both(token)
        found = self.arguments.resolve(self.paragraph, token)
        return [one for one in found if self.arguments.kind(one) in (EntityKind.CHARACTER, EntityKind.GROUP)]

    def _subjects(self, verb: Word) -> list[Reference]:
        word = self.arguments.subject_word(verb)
        return self._people(word) if word is not None else self.arguments.subjects(self.paragraph, verb)

    def _both(self, token: Word) -> list[Reference]:
        """Whom "they" or "the two brothers" means: the last two names joined by "and", or the only two named
        of late; with "we" the narrator and who was named last."""
        sentence = self.paragraph.sentence(token)
        at = sentence.index
        near = [
            (number, k, i)
            for sentence, k, i, number in self._places.names
            if at - WINDOW <= sentence <= at and (k, i) < (self.paragraph.number, token.i)
        ]
        who: dict[int, int] = {}
        for number, k, i in near:
            word = self.chapter.paragraphs[k].words[i]
            if word.dep_ == "conj" and (other := self.chapter.paragraphs[k].mention_of.get(word.head.i)):
                who[self._places.who(other)] = other
            who[self._places.who(number)] = number
        own = self.chapter.narrator
        if token.lower_ in _OURS and own is not None:
            others = [number for key, number in who.items() if key != self._places.who(own)]
            return [Reference(own), Reference(others[-1], 0.8)] if len(others) == 1 else []
        return [Reference(number, 0.9) for number in who.values()] if len(who) == 2 else []

    def _behind(self, node: Word, preposition: str) -> list[Reference]:
        return self.arguments.slot(self.paragraph, node, f"prep:{preposition}")

    def _here(self, token: Word) -> list[Reference]:
        """The person named at the token, and those joined to it by "and"."""
        found = []
        for each in (token, *token.conjuncts):
            number = self.paragraph.mention_of.get(each.i)
            if number is not None and self.chapter.mentions[number].kind is not EntityKind.LOCATION:
                found.append(Reference(number))
        return found

    # --- nouns -------------------------------------------------------------------------------------

    def _term(self, token: Word, term: Term) -> None:
        if self._address(token, term):
            return
        if self._is_name(token):
            self._titled(token, term)
            return
        if likened(token):
            self._taken_on(token, term)
            return
        term = self._composed(token, term)
        owners = self._owners(token, term)
        bearers = self._bearers(token, term)
        if not owners:
            if owner_of(token, term) is None:
                self._pair(token, term, bearers)
            return
        for bearer, confidence, modality, over in bearers:
            for owner in owners:
                self._tell(token, term, (bearer, owner), confidence, modality, over)
        if not bearers and not term.plural and is_there(self.paragraph, token):
            self._wait(token, term, owners)

    def _composed(self, token: Word, term: Term) -> Term:
        """ "Her mother's brother", where the mother has no name: the brother is an uncle."""
        inner = owner_of(token, term)
        over = term_at(inner) if inner is not None and not self._people(inner) else None
        found = KIN_OF_KIN.get((over.noun.predicate, term.noun.predicate)) if over is not None else None
        if over is None or found is None or over.last >= term.first or over.plural:
            return term
        noun = replace(term.noun, predicate=found[0], turned=found[1])
        return replace(term, first=over.first, word=f"{over.word}'s {term.word}", noun=noun)

    def _wait(self, token: Word, term: Term, owners: list[Reference]) -> None:
        if not any(child.lower_ in _GONE or child.dep_ == "case" for child in token.children):
            self._open.append(
                Unnamed(self.paragraph, token, term, tuple(owners))
            )  # not "it had been his father's"

    def _is_name(self, token: Word) -> bool:
        """Is the noun a title or part of a name: "Uncle Bob", "Captain Hale"?"""
        number = self.paragraph.mention_of.get(token.i)
        return number is not None and self.chapter.mentions[number].strong

    def _titled(self, token: Word, term: Term) -> None:
        """Like "her Uncle Bob", of whom the title says it."""
        bearer = Reference(self.paragraph.mention_of[token.i])
        owners = [child for child in token.head.children if child.dep_ == "poss" and child.i < token.i]
        if token.dep_ == "compound" and owners:
            for owner in self._people(owners[0]):
                self._tell(token, term, (bearer, owner), APPOSED, Modality.FACT, False)

    def _owners(self, token: Word, term: Term) -> list[Reference]:
        word = owner_of(token, term)
        if word is None and token.dep_ == "dobj" and token.head.lemma_ in ("have", "get"):
            return self.arguments.subjects(self.paragraph, token.head)
        if word is None and token.head.lower_ == "with" and det(token) in ("a", "an"):
            return self.arguments.subjects(self.paragraph, verb_over(token))
        found = self._people(word)
        if not found and word is not None and word.lower_ == "their" and term.noun.predicate == "CHILD_OF":
            wed = [told for told in self.statements if told.predicate in ("MARRIED_TO", "PARTNER_OF")]
            found = [Reference(one, 0.9) for told in wed[-1:] for one in (told.subject, told.object)]
        return found

    def _bearers(self, token: Word, term: Term) -> list[_Bearer]:
        """(who it is, confidence, modality, is it over): by apposition either way, or by "was"."""
        doc = self.paragraph.words
        after = doc[term.last + 1] if term.last + 1 < len(doc) else token
        called_to = "your" in token.said() and after.text == ","  # "your mother, Joanne"
        beside = self._here(after) if doc[term.last].whitespace_ else []
        called = self.paragraph.spoken(token) and det(token) in ("a", "an")  # "I have a son, Mr. Hale"
        called = called or called_to or token.dep_ in ("attr", "conj")
        if after.text == "," and term.last + 2 < len(doc) and not called:
            beside = self._set_off(doc[term.last + 2])
        if beside:
            return [(one, BESIDE, Modality.FACT, False) for one in (beside if term.plural else beside[:1])]
        apposed = [one for child in token.children if not called_to for one in self._apposed(child)]
        head, verb = token.head, _copula(token)
        equated: list[_Bearer] = []
        if token.dep_ == "appos" and token.has("conj"):  # "Mr. Pett, his father, and a number of bottles"
            pass
        elif token.dep_ == "appos" and _set_apart(token, term):
            apposed += self._here(head) if term.plural else self._here(head)[:1]
        elif verb is not None:
            equated = self._equated(token, term, verb)
        elif token.dep_ == "nsubjpass" and head.lower_ in ("called", "named"):
            apposed += [one for child in head.by("oprd") for one in self._here(child)]
        else:
            apposed += self._before(token, term)
        return [*((one, APPOSED, Modality.FACT, False) for one in apposed), *equated]

    def _apposed(self, child: Word) -> list[Reference]:
        """Who is named beside the noun by what hangs on it: "her sister, Anna", "a boy called Tom"."""
        if child.i and self.paragraph.words[child.left_edge.i - 1].text in ("--", "—", "–"):
            return []
        if child.dep_ == "acl" and child.lower_ in ("named", "called"):
            return [one for each in child.children for one in self._here(each)]
        if child.dep_ != "appos" or child.has("case"):  # "a nurse (not Anna's one)"
            return []
        other = self.arguments.single(self.paragraph, child)  # "a potter called Jens"
        return self._here(child) or ([other] if other is not None else [])

    def _set_off(self, word: Word) -> list[Reference]:
        """The name at ``word`` where marks set it off on both sides: "her sister, Anna,"."""
        number = self.paragraph.mention_of.get(word.i)
        if number is None or self.chapter.mentions[number].kind is not EntityKind.CHARACTER:
            return []
        end = word.i
        while end < len(self.paragraph.words) and self.paragraph.mention_of.get(end) == number:
            end += 1
        closed = end >= len(self.paragraph.words) or self.paragraph.words[end].text[0] in ",.;:!?—–-)'’\"”"
        return [Reference(number)] if closed and self.paragraph.words[end - 1].dep_ != "conj" else []

    def _before(self, token: Word, term: Term) -> list[Reference]:
        """The name before a comma where the noun phrase stands between two: "X, Y's brother, left"."""
        owner = owner_of(token, term)
        start = min(owner.left_edge.i, term.first) if owner is not None else term.first
        doc = self.paragraph.words
        end = max(term.last, token.right_edge.i if token.i < len(doc) else 0)
        closes = end + 1 < len(doc) and doc[end + 1].text in (",", ".", ";", "—", "–")
        if start < 2 or doc[start - 1].text != "," or not closes or token.dep_ in ("nsubj", "dobj"):
            return []
        number = self.paragraph.mention_of.get(start - 2)
        return [Reference(number)] if number is not None and owner is not None else []

    def _equated(self, token: Word, term: Term, verb: Word) -> list[_Bearer]:
        """Like "X was Y's brother", "Y's brother was X"."""
        standing = self._standing(verb)
        if standing is None:
            return []
        people: list[Reference] = []
        if token.dep_ in ("nsubj", "nsubjpass"):
            for child in verb.by("attr"):
                named = self._here(child)
                if not named and child.pos_ == "NOUN":  # "her boss was a dry woman named Ann"
                    named = self.arguments.resolve(self.paragraph, child)
                people += named[:1]
            return [(one, COPULA, *standing) for one in people]
        subject = self.arguments.subject_word(verb)
        people = self._people(subject)
        if not people and subject is not None and not term.plural and standing[0] is Modality.FACT:
            spoken = self.paragraph.spoken(subject)
            if subject.lower_ in ("it", "that", "there", "this") or (spoken and subject.lower_ in PRONOUNS):
                self._wait(token, term, self._owners(token, term))
            elif subject.tag_ == "NN" or (subject.tag_ == "PRP" and not spoken):
                people = self._nameless(token, term)
        return [(one, COPULA, *standing) for one in people]

    def _standing(self, verb: Word) -> tuple[Modality, bool] | None:
        """(modality, is it over) of what a clause says of two: "had once been", "used to be", "no longer"."""
        modality = modality_of(self.chapter, self.paragraph, verb)
        words = {each.lower_ for each in verb.subtree if each.head is verb or each.head.head is verb}
        if modality is None or words & _SELDOM:
            return None
        said = verb.head.lemma_ in _TELLING and not verb.said() & {"if", "whether"}
        if modality is Modality.REPORTED and (said or self.paragraph.spoken(verb)):
            modality = Modality.FACT  # what people say of their own is believed, as long as nothing denies it
        if modality is Modality.NEGATED:
            return (Modality.FACT, True) if words & {"longer", "anymore"} else (modality, False)
        used = verb.head.lemma_ == "use" and verb.dep_ == "xcomp"
        had = bool(verb.said("aux") & {"had", "'d"}) and not words & _LASTING
        flashback = self.chapter.scenes[self.paragraph.prose.scene].flashback
        if modality in (Modality.FLASHBACK, Modality.PLANNED) and (used or not flashback):
            modality = Modality.FACT if used or modality is Modality.FLASHBACK else modality
        return modality, used or had or bool(words & _ONCE)

    def _taken_on(self, token: Word, term: Term) -> None:
        """Like "worked as Y's secretary", "hired X as her nurse", which compare nobody."""
        verb = token.head.head
        owners = self._owners(token, term)
        if token.head.lower_ != "as" or not owners:
            return
        modality = modality_of(self.chapter, self.paragraph, verb)
        if verb.lemma_ in ("work", "serve"):
            people = self.arguments.subjects(self.paragraph, verb)
        elif verb.lemma_ in ("hire", "employ", "engage"):
            people = self.arguments.slot(self.paragraph, verb, "dobj")
        else:
            return
        for pair in product(people, owners) if modality is not None else ():
            self._tell(token, term, pair, COPULA, modality or Modality.FACT, False)

    def _pair(self, token: Word, term: Term, bearers: list[_Bearer]) -> None:
        """Like "X and Y were brothers", "the brothers X and Y", "the two brothers", "friends with Y"."""
        if not PREDICATES[term.noun.predicate].symmetric:
            return
        modality, over = Modality.FACT, False
        verb = _copula(token)
        if token.head.lemma_ == "bear":  # "the twins were born"
            return
        if verb is not None and token.dep_ not in ("nsubj", "nsubjpass"):
            standing = self._standing(verb)
            if standing is None:
                return
            modality, over = standing
            people = [bearer for bearer, *_ in bearers] or self._subjects(verb)
            for node in (token, verb):
                people = [*people, *self._behind(node, "with")]
        elif len(bearers) >= 2:
            people = [bearer for bearer, *_ in bearers]
        elif term.plural and not (bearers or token.has("prep")) and token.said() & {"the", "two", "both"}:
            people = self._both(token)
            if not people:
                self._wait(token, term, [])
        else:
            return
        if term.plural and 2 <= len(people) <= 4:
            for pair in combinations(people, 2):
                self._tell(token, term, pair, 0.85, modality, over)

    def _address(self, token: Word, term: Term) -> bool:
        """Like "Mum" called out in speech: the hearer is the speaker's mother."""
        doc = self.paragraph.words
        if token.lower_ not in KIN_NAMES or not self.paragraph.spoken(token) or term.first != term.last:
            return False
        before = doc[token.i - 1].text if token.i else ""
        after = doc[token.i + 1].text if token.i + 1 < len(doc) else ""
        if owner_of(token, term) is not None or before[-1:].isalnum() or any(map(str.isalnum, after)):
            return False
        speech = self.arguments.dialogue.speech(self.paragraph, token)
        if speech.speaker is None:
            return True
        speaker = Reference(*speech.speaker)
        gender, number = KIN_NAMES[token.lower_], self.paragraph.mention_of.get(token.i)
        heard = Reference(*speech.hearer) if speech.hearer is not None else None
        heard = Reference(number) if number is not None and self._is_name(token) else heard
        cast = self.arguments.pronouns.cast
        if heard is not None and cast.gender(self._places.who(heard.mention)) in ("", gender):
            self._tell(token, term, (heard, speaker), ADDRESS, Modality.FACT, False)
        else:
            self._wait(token, term, [speaker])
        return True

    # --- other frames ------------------------------------------------------------------------------

    def _bound(self, word: Word) -> None:
        """Like "X was engaged to Y", "they got married", "X and Y were divorced"."""
        verb = word if word.dep_ in ("ROOT", "conj", "ccomp", "relcl", "advcl") else word.head
        over_now = word.lower_ == "divorced" and word.has("dobj")
        helped = verb is word and (over_now or word.has("auxpass", "aux"))
        if not helped and (
            word.dep_ not in ("acomp", "attr", "oprd") or verb.lemma_ not in _COPULAS | {"get"}
        ):
            return
        predicate, over, preposition = _BOUND[word.lower_]
        standing = self._standing(verb)
        others: list[Reference] | None = None
        for node in (word, verb):
            for child in node.children:
                if child.dep_ == "prep" and child.lower_ == preposition:
                    others = self._behind(node, preposition)
                elif child.dep_ == "dobj":
                    if word.lower_ != "divorced":
                        return
                    others = self._people(child)
        subject = self.arguments.subject_word(verb)
        both = verb.dep_ == "advcl" and subject is not None and subject.lower_ in _BOTH | _OURS
        if standing is None or both:  # "when they were married"
            return
        people = self._subjects(verb)
        for pair in combinations(people, 2) if others is None else product(people, others):
            self._state(word, predicate, pair, 0.88, standing[0], ended=over or standing[1])

    def _side_by_side(self, word: Word) -> None:
        """Like "X and Y worked together" or "in the same lab", "had been together for years", "X lived next
        door to Y"."""
        verb, predicate = verb_over(word), "COLLEAGUE_OF"
        if word.lower_ == "door":
            predicate = "NEIGHBOUR_OF"
            if "next" not in word.said():
                return
        elif verb.lemma_ == "be" and word.lower_ == "together":
            ways = verb.said("prep")
            predicate = "PARTNER_OF"
            if not (ways <= {"for", "since"} and (ways or verb.has("npadvmod"))):
                return
        elif verb.lemma_ == "live" and word.lower_ == "together":
            predicate = "PARTNER_OF"
            if not verb.said("prep") & {"for", "since"} or word.head is not verb:
                return
        elif verb.lemma_ != "work":
            return
        standing = self._standing(verb)
        ones = self._subjects(verb) if verb.lemma_ in ("work", "live", "be") else []
        if not ones or standing is None:
            return
        others = [*self._behind(word, "to"), *self._behind(verb, "to")]
        for pair in product(ones, others) if word.lower_ == "door" else combinations(ones, 2):
            self._state(word, predicate, pair, 0.85, standing[0], ended=standing[1])

    def _by_verb(self, verb: Word) -> None:
        """Like "the dog belonged to X", "X asked Y to marry him", and Y says yes."""
        people, others, predicate = self._subjects(verb), self._behind(verb, "to"), "OWNS"
        if verb.lemma_ == "belong":
            word = self.arguments.subject_word(verb)
            people, others = others, self.arguments.resolve(self.paragraph, word) if word is not None else []
        elif verb.dep_ in ("xcomp", "ccomp") and verb.head.lemma_ in ("ask", "beg") and verb.tag_ == "VB":
            end = self.paragraph.sentence(verb).end
            said = {word.lower_ for word in self.paragraph.words[verb.i : end + 40]}
            predicate, verb = "ENGAGED_TO", verb.head
            people, others = self._subjects(verb), self.arguments.slot(self.paragraph, verb, "dobj")
            others = others if "yes" in said else []
        else:
            return
        modality, over = self._standing(verb) or (None, False)
        for pair in product(people, others) if modality is not None else ():
            self._state(verb, predicate, pair, 0.85, modality or Modality.FACT, ended=over)

    def _owned(self, noun: Word) -> None:
        """Like "Elena's locket", where the thing is of a kind worth keeping track of."""
        number = self.paragraph.mention_of.get(noun.i)
        if number is None or self.chapter.mentions[number].kind is not EntityKind.OBJECT:
            return
        owners = [child for child in noun.by("poss") if child.lower_ not in _OURS | _BOTH]
        for owner in (one for child in owners for one in self._people(child)):
            pair = (owner, Reference(number))
            self._state(noun, "OWNS", pair, 0.8, self._vouched(noun), ended=False)

    def _couples(self) -> None:
        """Like "Mr. and Mrs. Hale", which is one phrase and two mentions."""
        mentions = self.chapter.mentions
        for i, number in self.paragraph.mention_of.items():
            one, other = mentions[number - 1], mentions[number]
            if number and one.span.contains(other.span):
                titles = [each.surface.casefold().split()[0].rstrip(".") for each in (one, other)]
                if titles in _PAIRED:
                    pair = (Reference(number - 1), Reference(number))
                    token = self.paragraph.words[i]
                    self._state(token, "MARRIED_TO", pair, 0.85, self._vouched(token), ended=False)

    def _nameless(self, token: Word, term: Term) -> list[Reference]:
        """A mention of its own for "Nora's mother", of whom the text tells no more; none for a pronoun."""
        owners = self._owners(token, term)
        if len(owners) != 1 or self.arguments.kind(owners[0]) is not EntityKind.CHARACTER:
            return []
        owner = self.chapter.mentions[owners[0].mention].surface
        surface = f"{'the narrator' if owner == 'I' else owner}'s {term.word}"
        span = self.paragraph.span(self.paragraph.words[term.first], self.paragraph.words[term.last])
        sentence = self.paragraph.sentence(token).span
        kind, gender = EntityKind.CHARACTER, term.noun.gender
        scene = self.paragraph.prose.scene
        self.chapter.mentions.append(Mention(span, surface, kind, gender, scene, sentence, strong=True))
        return [Reference(len(self.chapter.mentions) - 1)]

    def _unnamed(self, each: Unnamed) -> list[tuple[Reference, Reference]]:
        """ "Nora's mother came in", whom no name follows: a person of her own, where Nora is named there."""
        owner = owner_of(each.token, each.term)
        named = owner is not None and owner.i in self.paragraph.mention_of
        if not named or each.token.dep_ not in ("nsubj", "nsubjpass") or each.term.plural:
            return []
        return [(one, each.owners[0]) for one in self._nameless(each.token, each.term)]

    # --- telling -----------------------------------------------------------------------------------

    def _tell(
        self,
        token: Word,
        term: Term,
        pair: tuple[Reference, Reference],
        confidence: float,
        modality: Modality,
        over: bool,
    ) -> None:
        """The bearer and the other, as the noun has it."""
        noun, (bearer, owner) = term.noun, pair
        if self.arguments.kind(bearer) is EntityKind.CHARACTER and not noun.turned:
            key = (self.arguments.name(owner), token.lower_)
            self.arguments.kin.setdefault(key, bearer.mention)
        born = ((bearer.mention, noun.gender),) if noun.gender else ()
        ordered, word = ((owner, bearer), "") if noun.turned else (pair, term.word)
        self._state(
            token, noun.predicate, ordered, confidence, modality,
            ended=term.is_over or (over and not PREDICATES[noun.predicate].permanent), born=born, word=word,
        )  # fmt: skip

    def _state(
        self,
        token: Word,
        predicate: str,
        pair: tuple[Reference, Reference],
        confidence: float,
        modality: Modality,
        ended: bool,
        born: tuple[tuple[int, str], ...] = (),
        word: str = "",
    ) -> None:
        one, other = pair
        mentions = self.chapter.mentions
        same = self._places.who(one.mention) == self._places.who(other.mention)
        if same and predicate not in FAMILY:  # "Miss Alice Vane was Miss Vane's sister"
            return
        if self.chapter.name(one.mention) == self.chapter.name(other.mention):
            return
        key = (predicate, one.mention, other.mention)
        wed = {("MARRIED_TO", one.mention, other.mention), ("MARRIED_TO", other.mention, one.mention)}
        if key in self._told or (wed & self._told and PREDICATES[predicate].permanent):
            return  # "X had been married to his sister"
        self._told.add(key)
        for reference in pair:
            if not mentions[reference.mention].strong:
                mentions[reference.mention] = replace(mentions[reference.mention], strong=True)
        evidence: tuple[Span, ...] = self.arguments.support(self.paragraph, token, one, other)
        sure = calibrated(predicate, round(confidence * one.factor * other.factor, 3))
        genders = born + tuple(gender for r in pair for gender in r.genders)
        told = Statement(predicate, one.mention, other.mention, evidence, modality, sure, genders=genders)
        self.statements.append(replace(told, ended=ended, word=word))

    def _vouched(self, token: Word) -> Modality:
        return Modality.REPORTED if self.paragraph.spoken(token) else Modality.FACT


def _set_apart(token: Word, term: Term) -> bool:
    """Does a mark part the noun phrase from what it stands beside?"""
    owner = owner_of(token, term)
    start = min(term.first, owner.left_edge.i) if owner is not None else term.first
    doc = token.doc.words
    return any(word.is_punct for word in doc[token.head.i + 1 : max(start, token.left_edge.i) + 1])


def _copula(token: Word) -> Word | None:
    """The "was" that the noun stands beside, as subject or as what is said of it: "was one of Y's sons"."""
    node = token.head.head if token.dep_ == "pobj" and token.head.head.lower_ == "one" else token
    while node.dep_ == "conj" and node.head.dep_ in ("attr", "conj"):
        node = node.head
    if node.dep_ in ("attr", "nsubj", "oprd") and node.head.lemma_ in _COPULAS:
        return node.head
    if node.dep_ == "dobj" and node.head.lower_ == "sworn" and node.head.has("auxpass"):
        return node.head
    return None
