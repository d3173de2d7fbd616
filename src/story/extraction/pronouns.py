"""Who "he" and "she" are: the person most in mind who fits, or nobody where two are nearly as much so.

Everybody named gets a weight by grammatical role, subjects most, which fades from sentence to sentence and
grows with each mention (salience: Lappin and Leass 1994, "An algorithm for pronominal anaphora resolution");
whoever was a subject in the same sentence or the last is ahead (Grosz, Joshi and Weinstein 1995,
"Centering").
Gender is told by title, given name, or the chapter's own clear pronouns. Nameless persons ("the old man") are
in the running as well: where one of them wins, nobody is meant that has a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..lexicon.words import PERSON_NOUNS
from ..model.chapter_reading import Mention
from ..model.types import EntityKind, followed
from ..names.alias_book import AliasBook
from .parsing.chapter import ParsedChapter, ParsedParagraph, Word

NOBODY = -1


@dataclass(slots=True)
class ChapterCast:
    """``who[i]`` is a number for whom mention ``i`` names, ``NOBODY`` where it is no person."""

    who: list[int] = field(default_factory=list)
    _gender: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, mentions: Iterable[Mention]) -> ChapterCast:
        book, known, merged = AliasBook(), {}, {}
        drafts: list[str] = []
        told: dict[str, str] = {}
        for i, mention in enumerate(mentions):
            if mention.kind is not EntityKind.CHARACTER:
                drafts.append("")
                continue
            key = (mention.surface, mention.gender)
            if key not in known:
                found = book.resolve(mention.surface, mention.gender, fresh_id=str(i))
                if found.merged:
                    merged[found.merged] = found.id
                known[key] = found.id
            drafts.append(known[key])
            if mention.gender:
                told.setdefault(known[key], mention.gender)
            if mention.hint:
                book.hint(known[key], mention.hint)
        numbers: dict[str, int] = {}
        cast = cls()
        for draft in drafts:
            root = followed(merged, draft)
            cast.who.append(numbers.setdefault(root, len(numbers)) if root else NOBODY)
        for draft, number in zip(drafts, cast.who, strict=True):
            if draft and (gender := told.get(draft) or book.roster.gender(draft)):
                cast._gender.setdefault(number, gender)
        return cast

    def gender(self, who: int) -> str:
        """``"f"``, ``"m"``, or ``""`` where the chapter does not tell."""
        return self._gender.get(who, "")

    def learn(self, who: int, gender: str) -> None:
        """Keeps a gender that the chapter's pronouns tell; a name or title that tells one goes before."""
        self._gender.setdefault(who, gender)


PRONOUNS = dict.fromkeys("he him his himself".split(), "m") | dict.fromkeys(
    "she her hers herself".split(), "f"
)
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_ROLES = {"nsubj": 1.0, "nsubjpass": 1.0, "agent": 0.8, "dobj": 0.6, "dative": 0.5, "poss": 0.4, "ROOT": 0.6}
_OTHER_ROLE = 0.4
_ASIDE = frozenset({"attr", "appos", "npadvmod", "compound"})
FADE = 0.6  # a sentence
KEPT = 0.7  # of what is left of the weight, when somebody is mentioned again
IN_SPEECH = 0.05  # of a name that is only spoken of
NAMELESS = 0.75  # of a name's weight
UNKNOWN_GENDER = 0.4
BOUND = 1.5  # "his" and the subject of its own clause
LED_HERE, LED_HERE_OBJECT = 2.0, 2.5  # a name that was a subject earlier in the sentence
LED_LAST = 1.5  # "he" and who was a subject in the sentence before
NOISE = 0.05
LEAST, LEAST_OBJECT = 0.45, 0.65  # share of all who are in mind, for "he" and "his", for "him"
LEAD = 0.9  # of the best weight, that the next may have at most
AHEAD = 2.0  # sentences to a name that comes after its pronoun
LOOKED_BACK = 0.7
FAINT = 0.01
FORGOTTEN = 0.00001


@dataclass(frozen=True, slots=True)
class Reference:
    """Which mention is meant, a factor (0 to 1) for the confidence of what is said of it, and the gender
    that a pronoun gave it, empty where it is named."""

    mention: int
    factor: float = 1.0
    gender: str = ""

    @property
    def genders(self) -> tuple[tuple[int, str], ...]:
        """What must hold for it to be right, as a Statement wants it."""
        return ((self.mention, self.gender),) if self.gender else ()


@dataclass(slots=True)
class _Sight:
    """A name, pronoun or noun for a person, at token ``i``; ``clock`` counts sentences, dialogue less."""

    paragraph: ParsedParagraph
    i: int
    clock: float
    role: float
    gender: str = ""
    mention: int | None = None
    noun: str = ""


@dataclass(slots=True)
class _Actor:
    weight: float
    clock: float
    mention: int | None
    gender: str = ""
    seen: bool = False
    led: float = -1.0  # the clock of the sentence whose subject it last was

    def now(self, clock: float) -> float:
        return float(self.weight * FADE ** (clock - self.clock))


Key = int | str


@dataclass(slots=True)
class PronounReader:
    """Answers for one chapter. ``cast`` says which names are one person's."""

    chapter: ParsedChapter
    cast: ChapterCast = field(default_factory=ChapterCast)
    _sights: list[_Sight] = field(default_factory=list)
    _bar: dict[int, float] = field(default_factory=dict)
    _known: dict[tuple[int, int], Reference | None] = field(default_factory=dict)
    _choices: dict[tuple[int, int], tuple[tuple[int, float], ...]] = field(default_factory=dict)
    _near: dict[int, tuple[tuple[int, float], ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, chapter: ParsedChapter) -> PronounReader:
        reader = cls(chapter, ChapterCast.of(chapter.mentions))
        reader._sights = list(reader._look())
        reader._learn(reader._follow({}, {}))
        reader._follow({}, {})
        return reader

    def resolve(self, paragraph: ParsedParagraph, token: Word) -> Reference | None:
        """Who the pronoun ``token`` of the narration means; None where it is unclear."""
        return self._known.get((paragraph.number, token.i))

    def choices(self, paragraph: ParsedParagraph, token: Word) -> tuple[tuple[int, float], ...]:
        """All whom the pronoun may mean, as (mention, share of 1), the likeliest first."""
        return self._choices.get((paragraph.number, token.i), ())

    def near(self, paragraph: ParsedParagraph, gender: str = "") -> tuple[tuple[int, float], ...]:
        """Who is in mind where the paragraph begins, as (mention, share of 1); only those who can be of the
        gender, where one is given."""
        found = self._near.get(paragraph.number, ())
        if not gender:
            return found
        cast = self.cast
        return tuple(each for each in found if cast.gender(cast.who[each[0]]) in ("", gender))

    def hear(
        self, tags: Mapping[tuple[int, int], tuple[int, float]], speakers: Mapping[int, tuple[int, float]]
    ) -> None:
        """Reads again, knowing from the dialogue whom a pronoun beside speech means, by (paragraph, token),
        and who speaks in a paragraph, each as (mention, confidence)."""
        self._follow(tags, speakers)

    # --- looking -----------------------------------------------------------------------------------

    def _look(self) -> Iterator[_Sight]:
        clock, scene = 0.0, 0
        for paragraph in self.chapter.paragraphs:
            clock += 0.5
            if paragraph.prose.scene != scene:
                scene, clock = paragraph.prose.scene, clock + 4.0
            self._bar[paragraph.number] = clock
            words = [token.lower_ for token in paragraph.doc]
            seen: set[int] = set()
            for sentence in paragraph.sentences:
                heard = paragraph.prose.spoken(paragraph.words[sentence.start].idx)
                clock += 0.2 if heard else 1.0
                for i in range(sentence.start, sentence.end):
                    word = words[i]
                    number = paragraph.mention_of.get(i)
                    if number is not None:
                        if number not in seen and (sight := self._name(paragraph, i, number, clock)):
                            seen.add(number)
                            yield sight
                    elif word in PRONOUNS:
                        token = paragraph.words[i]
                        if not paragraph.spoken(token):
                            yield _Sight(paragraph, i, clock, _role(token), PRONOUNS[word])
                    elif word in PERSON_NOUNS and (sight := self._noun(paragraph, i, word, clock)):
                        yield sight

    def _name(self, paragraph: ParsedParagraph, i: int, number: int, clock: float) -> _Sight | None:
        mention = self.chapter.mentions[number]
        if mention.kind is not EntityKind.CHARACTER:
            return None
        token = paragraph.words[i]
        if token.dep_ == "compound" and paragraph.mention_of.get(token.head.i) == number:
            return None
        role = _role(token) * (IN_SPEECH if mention.spoken else 1.0)
        return _Sight(paragraph, i, clock, role, "", number)

    @staticmethod
    def _noun(paragraph: ParsedParagraph, i: int, word: str, clock: float) -> _Sight | None:
        token = paragraph.words[i]
        if token.dep_ in _ASIDE or paragraph.spoken(token) or token.tag_ not in ("NN", "NNP"):
            return None
        return _Sight(paragraph, i, clock, NAMELESS * _role(token), PERSON_NOUNS[word], None, word)

    # --- following ---------------------------------------------------------------------------------

    def _follow(
        self, tags: Mapping[tuple[int, int], tuple[int, float]], speakers: Mapping[int, tuple[int, float]]
    ) -> dict[int, dict[str, int]]:
        """Goes through the chapter once; returns votes for the gender of whoever has none."""
        actors: dict[Key, _Actor] = {}
        votes: dict[int, dict[str, int]] = {}
        at = -1
        waiting: list[_Sight] = []
        for sight in self._sights:
            while at < sight.paragraph.number:
                if at in speakers:
                    number, sure = speakers[at]
                    self._note(actors, self.cast.who[number], number, 0.6 * sure, self._bar[at] + 1.0)
                    actors[self.cast.who[number]].seen = True
                at += 1
                self._near[at] = self._in_mind(actors, self._bar[at])
            if sight.mention is not None:
                who = self.cast.who[sight.mention]
                if waiting and who not in actors and sight.role == _ROLES["nsubj"]:
                    waiting = self._look_back(waiting, sight, who)
                self._note(actors, who, sight.mention, sight.role, sight.clock)
                actors[who].seen |= not self.chapter.mentions[sight.mention].spoken
                if sight.role == _ROLES["nsubj"]:
                    actors[who].led = sight.clock
            elif sight.noun:
                self._note(actors, sight.noun, None, sight.role, sight.clock, sight.gender)
            else:
                fits = self._read(sight, actors, votes, tags.get((sight.paragraph.number, sight.i)))
                if not fits:
                    waiting.append(sight)
        for later in range(at + 1, len(self.chapter.paragraphs)):
            self._near[later] = self._in_mind(actors, self._bar[later])
        return votes

    def _look_back(self, waiting: list[_Sight], name: _Sight, who: int) -> list[_Sight]:
        """Cataphora: pronouns that nobody before fitted mean who is named next, if he fits; returns the
        others."""
        left = []
        for sight in waiting:
            if self.cast.gender(who) in ("", sight.gender) and name.clock - sight.clock <= AHEAD:
                meant = Reference(name.mention or 0, LOOKED_BACK, sight.gender)
                self._known[sight.paragraph.number, sight.i] = meant
            else:
                left.append(sight)
        return left

    @staticmethod
    def _note(
        actors: dict[Key, _Actor], key: Key, mention: int | None, role: float, clock: float, gender: str = ""
    ) -> None:
        actor = actors.get(key)
        if actor is None:
            actors[key] = _Actor(role, clock, mention, gender)
            return
        actor.weight, actor.clock = KEPT * actor.now(clock) + role, clock
        if mention is not None:
            actor.mention = mention

    def _in_mind(self, actors: dict[Key, _Actor], clock: float) -> tuple[tuple[int, float], ...]:
        for who in [who for who, actor in actors.items() if actor.now(clock) < FORGOTTEN]:
            del actors[who]
        found = [
            (actor.mention, weight)
            for actor in actors.values()
            if actor.mention is not None and actor.seen and (weight := actor.now(clock)) > FAINT / 10
        ]
        total = sum(weight for _, weight in found)
        found.sort(key=lambda each: (-each[1], each[0]))
        return tuple((mention, round(weight / total, 3)) for mention, weight in found[:5])

    def _read(
        self,
        sight: _Sight,
        actors: dict[Key, _Actor],
        votes: dict[int, dict[str, int]],
        tag: tuple[int, float] | None,
    ) -> bool:
        """False where nobody who is in mind fits."""
        key = (sight.paragraph.number, sight.i)
        token = sight.paragraph.words[sight.i]
        if tag is not None:
            number, sure = tag
            self._known[key] = Reference(number, round(sure, 3), sight.gender)
            self._note(actors, self.cast.who[number], number, sight.role * sure, sight.clock)
            return True
        barred, bound = self._clause(sight.paragraph, token)
        weights = self._weigh(sight, actors, barred, bound)
        total = sum(weights.values()) + NOISE
        ranked = sorted(weights.items(), key=lambda each: (-each[1], str(each[0])))
        self._choices[key] = tuple(
            (meant, round(weight / total, 3))
            for who, weight in ranked[:5]
            if (meant := actors[who].mention) is not None
        )
        self._known[key] = None
        if not ranked:
            return False
        who, weight = ranked[0]
        actor, share = actors[who], weight / total
        if len(ranked) > 1 and ranked[1][1] > LEAD * weight:
            share = 0.0
        free = token.dep_ in _SUBJECTS or token.dep_ == "poss" or who == bound
        if actor.mention is not None and share >= (LEAST if free else LEAST_OBJECT):
            self._known[key] = Reference(actor.mention, round(min(0.95, share), 3), sight.gender)
            if isinstance(who, int) and not self.cast.gender(who) and share > 0.7:
                tally = votes.setdefault(who, {})
                tally[sight.gender] = tally.get(sight.gender, 0) + 1
        if share >= 0.4:
            self._note(actors, who, actor.mention, sight.role * share, sight.clock)
        return True

    def _weigh(self, sight: _Sight, actors: dict[Key, _Actor], barred: Key, bound: Key) -> dict[Key, float]:
        weights: dict[Key, float] = {}
        own_voice = self.cast.who[self.chapter.narrator] if self.chapter.narrator is not None else NOBODY
        for who, actor in actors.items():
            weight = actor.now(sight.clock)
            if weight < FAINT or who in (barred, own_voice):  # who says "I" is no "she"
                continue
            own = self.cast.gender(who) if isinstance(who, int) else actor.gender
            if own and own != sight.gender:
                continue
            weight *= _leading(sight, actor) * (1.0 if own else UNKNOWN_GENDER)
            weights[who] = weight * (BOUND if who == bound else 1.0)
        return weights

    def _clause(self, paragraph: ParsedParagraph, token: Word) -> tuple[Key, Key]:
        """Whom the pronoun cannot mean and whom it is likely to: an object is never its own clause's subject
        ("Elizabeth saw her", "he hated Tom"), a reflexive always is, a possessive often."""
        if token.dep_ in _SUBJECTS:
            objects = (c for c in token.head.children if c.dep_ in ("dobj", "dative", "attr", "agent"))
            named = (paragraph.mention_of.get(each.i) for each in objects)
            return next((self.cast.who[n] for n in named if n is not None), NOBODY), NOBODY
        subject: Key = NOBODY
        verb = token.head
        for _ in range(4):
            shares = verb.dep_ == "conj" and not verb.has(*_SUBJECTS)  # "knew her and was her friend"
            if (verb.pos_ in ("VERB", "AUX") and not shares) or verb.head is verb:
                break
            verb = verb.head
        for child in verb.children:
            if child.dep_ in _SUBJECTS and child.i < token.i:
                number = paragraph.mention_of.get(child.i)
                if number is None and child.lower_ in PRONOUNS:
                    meant = self._known.get((paragraph.number, child.i))
                    number = meant.mention if meant else None
                if number is not None:
                    subject = self.cast.who[number]
                elif child.lower_ in PERSON_NOUNS:
                    subject = child.lower_
        if token.dep_ == "poss":
            beside = self._beside(paragraph, token.head)
            if beside is not None:  # "Tom, his brother, left", "his brother Tom left"
                return self.cast.who[beside], NOBODY
            if token.head.dep_ == "attr":  # "Tom was his brother"
                return subject, NOBODY
        misread = (
            token.lower_ == "her" and token.nbor(1).tag_ == "NN" if token.i + 1 < len(token.doc) else False
        )
        if token.dep_ == "poss" or misread or token.lower_.endswith("self"):
            return NOBODY, subject
        return subject, NOBODY

    @staticmethod
    def _beside(paragraph: ParsedParagraph, noun: Word) -> int | None:
        """The mention of the name that stands in apposition to the noun, on either side of it."""
        near = [each for each in noun.children if each.dep_ == "appos"]
        if noun.dep_ in ("appos", "compound"):
            near.append(noun.head)
        numbers = (paragraph.mention_of.get(each.i) for each in near)
        return next((number for number in numbers if number is not None), None)

    def _learn(self, votes: dict[int, dict[str, int]]) -> None:
        for who, tally in votes.items():
            total, best = sum(tally.values()), max("fm", key=lambda gender: tally.get(gender, 0))
            if total >= 2 and tally[best] >= 0.8 * total:
                self.cast.learn(who, best)


def _leading(sight: _Sight, actor: _Actor) -> float:
    """What it is worth to have been a subject of late."""
    subject = sight.role == _ROLES["nsubj"]
    if actor.led == sight.clock:
        return LED_HERE if subject else LED_HERE_OBJECT
    return LED_LAST if subject and actor.led == sight.clock - 1.0 else 1.0


def _role(token: Word) -> float:
    node = token
    while node.dep_ in ("conj", "appos") and node.head is not node:
        node = node.head
    return _ROLES.get(node.dep_, _OTHER_ROLE)
