"""What characters feel and want: moods by emotion words near their subject, goals by verbs of wanting."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ..lexicon.emotions import CONTRARY, EMOTION_WORDS, EMOTIONS, mood_of, tone, valence_of
from ..lexicon.verbs_and_nouns import GIVE_UP, GOAL_VERBS, REACHED
from ..lexicon.words import CLAUSE_WORDS, listed
from ..model.chapter_reading import Goal, Mood
from ..model.types import EntityKind, Modality
from .clauses.arguments import Arguments
from .clauses.modality import modality_of, negated
from .parsing.chapter import ParsedChapter, ParsedParagraph, Sentence, Word
from .pronouns import Reference

_LINKS = frozenset("be feel look seem grow become appear sound get remain turn fall".split())
_FILL = frozenset("fill overcome seize overwhelm consume stricken grip".split())
_AUXILIARY = frozenset({"aux", "auxpass"})
_BEFORE = frozenset({"compound", "amod", "nummod", "poss", "det"})
_AIMS = frozenset({"xcomp", "ccomp", "pcomp", "conj", "dobj", "pobj", "attr", "advcl"})
_TRYING = frozenset("try attempt seek hope".split())
_DREAMS = frozenset("dream goal aim ambition hope wish plan purpose intention mission idea thought".split())
_WINNING = frozenset("win pass get land earn achieve gain reach secure".split())
_LOSING = MappingProxyType({"lose": "win", "fail": "pass", "miss": "win", "flunk": "pass", "forfeit": "win"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_LONGING = frozenset({("dream", "of"), ("hope", "for"), ("long", "for"), ("yearn", "for"), ("wish", "for")})
_DANGLING = CLAUSE_WORDS.listed("dangling")
_VERBAL = frozenset({"VBD", "VBZ", "VBP"})
_NAMING = frozenset({"NOUN", "PROPN"})
_SLIGHT = frozenset("see hear go come know do say tell speak look stay get have be".split())
MAX_GOAL_WORDS = 14
TONE = 0.4  # confidence in a mood that only the tone of a sentence shows


@dataclass(slots=True)
class InnerLifeReader:
    chapter: ParsedChapter
    arguments: Arguments
    moods: list[Mood] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    _wanted: set[tuple[str, str, str]] = field(default_factory=set)
    _last: dict[str, str] = field(default_factory=dict)

    def read(self) -> None:
        for paragraph in self.chapter.paragraphs:
            for token in paragraph.words:
                emotion = EMOTION_WORDS.get(token.lower_)
                if emotion is not None and not paragraph.spoken(token):
                    self._mood(paragraph, token, emotion)
                if token.dep_ in _AIMS:
                    self._goal(paragraph, token)
                if not paragraph.spoken(token) and token.pos_ in ("VERB", "AUX"):
                    self._outcome(paragraph, token)
            for sentence in paragraph.sentences:
                self._tone(paragraph, sentence)
        self.goals.sort(key=lambda goal: goal.evidence)

    # --- moods -------------------------------------------------------------------------------------

    def _mood(self, paragraph: ParsedParagraph, word: Word, emotion: str) -> None:
        verb, sure = self._experience(word)
        if verb is None:
            return
        people = [r for r in self.arguments.subjects(paragraph, verb) if self._person(r)]
        modality = modality_of(self.chapter, paragraph, verb) if people else None
        if modality not in (Modality.FACT, Modality.NEGATED):
            return
        named = emotion
        most = bool(word.said() & {"so", "more", "such"})  # "had never been so happy"
        if (modality is Modality.NEGATED or negated(word)) and not most:
            named = CONTRARY.get(emotion, "")
            if not named:
                return
        sentence = paragraph.sentence(word)
        valence = valence_of(named, tone(paragraph.tokens(sentence).text))
        for one in people:
            confidence = round(sure * one.factor * (0.7 if named != emotion else 1.0), 3)
            mood = Mood(one.mention, named, valence, EMOTIONS[named].arousal, sentence.span, confidence)
            if mood not in self.moods[-4:]:
                self.moods.append(mood)

    def _tone(self, paragraph: ParsedParagraph, sentence: Sentence) -> None:
        """The tone of what somebody says, or of a sentence whose one subject somebody is: weak evidence,
        but there is much of it."""
        words = paragraph.tokens(sentence)
        felt = tone(words.text)
        named = mood_of(felt)
        lost = any(goal.evidence == sentence.span and goal.turn == "failed" for goal in self.goals)
        if not named or (felt > 0 and lost):  # "lost the prize" has a good word in it
            return
        who = self._whose(paragraph, words.root)
        if who is not None:
            valence, arousal = round(felt / 2, 3), EMOTIONS[named].arousal
            mood = Mood(who[0], named, valence, arousal, sentence.span, round(TONE * who[1], 3))
            if not any(other.character == who[0] and other.evidence == sentence.span for other in self.moods):
                self.moods.append(mood)

    def _whose(self, paragraph: ParsedParagraph, root: Word) -> tuple[int, float] | None:
        if paragraph.spoken(root):
            return self.arguments.dialogue.speech(paragraph).speaker
        people = [r for r in self.arguments.subjects(paragraph, root) if self._person(r)]
        if len(people) != 1 or modality_of(self.chapter, paragraph, root) is not Modality.FACT:
            return None
        return people[0].mention, people[0].factor

    def _experience(self, word: Word) -> tuple[Any | None, float]:  # noqa: PLR0911 (one frame a line)
        """(the verb whose subject feels it, confidence): "was happy", "wept", "filled with joy"."""
        head = word.head
        if word.tag_ in _VERBAL and word.pos_ == "VERB":
            person_object = word.has("dobj") and word.lemma_ in ("alarm", "disgust", "rage")
            return (None, 0.0) if person_object else (word, 0.8)
        if word.dep_ in ("acomp", "oprd", "attr") and head.lemma_ in _LINKS:
            return head, 0.9
        if word.tag_ == "VBN" and word.has("auxpass"):
            return word, 0.85
        if word.dep_ == "advmod" and head.pos_ == "VERB":
            return head, 0.75
        if word.dep_ == "pobj" and head.lower_ in ("with", "by", "in") and head.head.lemma_ in (*_FILL, "be"):
            return head.head, 0.75
        if word.dep_ == "dobj" and head.lemma_ == "feel":
            return head, 0.85
        if word.dep_ == "conj" and head.dep_ in ("acomp", "advmod", "oprd") and head is not word:
            return self._experience(head) if head.pos_ == word.pos_ else (None, 0.0)
        return None, 0.0

    # --- goals -------------------------------------------------------------------------------------

    def _goal(self, paragraph: ParsedParagraph, aim: Word) -> None:
        """An aim, a verb or a noun, under a verb that takes it up, gives it up or reaches it."""
        first = aim
        while first.dep_ == "conj" and first.head.tag_[:2] == aim.tag_[:2]:  # "to win the race and find her"
            first = first.head
        governor = first.head.head if first.dep_ in ("pcomp", "pobj") else first.head
        if governor.lemma_ in _TRYING and governor.dep_ in ("xcomp", "pcomp") and first is not governor:
            first, governor = governor, governor.head if governor.dep_ == "xcomp" else governor.head.head
        wrapper = aim.lemma_ in _TRYING and aim.has("xcomp")
        turn, sure = ("", 0.0) if wrapper else _turn(governor, first)
        modality = modality_of(self.chapter, paragraph, governor) if turn else None
        spoken = paragraph.spoken(governor) and not governor.said("nsubj") & {"i", "we"}
        if modality is None or not (modality.happened or (modality is Modality.REPORTED and not spoken)):
            return
        people = self._wanting(paragraph, governor)
        if len(people) == 1 and (turn != "adopted" or _says_much(aim)):
            self._told(paragraph, aim, people[0], self._wording(aim), turn, sure)

    def _wanting(self, paragraph: ParsedParagraph, governor: Word) -> list[Reference]:
        """Who has the goal: the subject, or whose dream it is that "was to open a shop"."""
        nouns = [child for child in governor.children if child.lemma_ in _DREAMS and child.dep_ == "nsubj"]
        owners = [child for noun in nouns for child in noun.children if child.dep_ == "poss"]
        found = (
            self.arguments.resolve(paragraph, owners[0])
            if owners
            else self.arguments.subjects(paragraph, _cleft(governor) or governor)
        )
        return [one for one in found if self._person(one)]

    def _outcome(self, paragraph: ParsedParagraph, verb: Word) -> None:
        """Won, lost, passed, failed, never became: what came of it tells the goal."""
        lemma = verb.lemma_.lower()
        objects = [c for c in verb.children if c.dep_ in ("dobj", "attr") and c.pos_ in _NAMING]
        modality = modality_of(self.chapter, paragraph, verb) if objects or lemma == "give" else None
        denied = modality is Modality.NEGATED
        given = lemma == "give" and "up" in verb.said() and verb.said("dobj") <= {"it", "that"}
        for one in self.arguments.subjects(paragraph, verb) if given and verb.dep_ != "advcl" else ():
            if (goal := self._last.get(self.arguments.name(one))) and not denied and self._person(one):
                span = paragraph.sentence(verb).span
                self.goals.append(Goal(one.mention, goal, "failed", span, round(0.75 * one.factor, 3)))
        if not objects or not (denied or (modality is not None and modality.happened)):
            return
        people = [one for one in self.arguments.subjects(paragraph, verb) if self._person(one)]
        for one in people if len(people) == 1 else ():
            for noun in (objects[0], *objects[0].conjuncts):
                wanted = (self.arguments.name(one), lemma, noun.lemma_.lower()) in self._wanted
                contest = noun.lemma_.lower() in listed("contest")
                if lemma in _LOSING and contest and not denied:
                    turn, word = "failed", _LOSING[lemma]
                elif wanted or (contest and lemma in _WINNING) or (lemma == "become" and denied):
                    turn, word = ("failed" if denied else "reached"), lemma
                else:
                    continue
                self._told(paragraph, verb, one, f"{word} {self._wording(noun)}", turn, 0.75)

    def _told(
        self, paragraph: ParsedParagraph, at: Word, who: Reference, wording: str, turn: str, sure: float
    ) -> None:
        name = self.arguments.name(who)
        if turn == "failed" and at.lemma_.lower() in _DREAMS:  # "gave up the idea"
            wording = self._last.get(name, wording)
        elif turn == "adopted":
            self._last[name] = wording
        if wording:
            span = paragraph.sentence(at).span
            self.goals.append(Goal(who.mention, wording, turn, span, round(sure * who.factor, 3)))
            if turn == "adopted":
                things = [c.lemma_.lower() for c in at.children if c.dep_ in ("dobj", "attr")]
                self._wanted |= {(name, at.lemma_.lower(), thing) for thing in things}

    @staticmethod
    def _wording(verb: Word) -> str:
        """From the verb to the end of its own phrase, before the next clause mark; at most 14 words."""
        words: list[Word] = []
        inside = set(verb.subtree)
        inside -= {token for child in verb.children if child.dep_ == "conj" for token in child.subtree}
        own = (c.i for c in verb.children if c.dep_ in _AUXILIARY | _BEFORE and c.tag_ != "TO")
        for token in verb.doc[min((*own, verb.i)) : verb.sent.end]:
            text = token.text
            if token not in inside or text[0] in ';:—"“”' or text[:2] == "--" or len(words) == MAX_GOAL_WORDS:
                break
            if text == "," and words:
                break
            words.append(token)
        while words and words[-1].lower_ in _DANGLING:
            words.pop()
        return verb.doc[words[0].i : words[-1].i + 1].text.strip(" ,.;") if words else ""

    def _person(self, reference: Reference) -> bool:
        return self.arguments.kind(reference) is EntityKind.CHARACTER


def _turn(governor: Word, aim: Word) -> tuple[str, float]:
    """What the verb (or adjective) over an aim says of it, and how surely; "" for nothing."""
    lemma, particles = governor.lemma_.lower(), {c.lower_ for c in governor.children if c.dep_ != "dobj"}
    noun = aim.dep_ in ("dobj", "pobj")
    behind = aim.head.lower_ if aim.dep_ in ("pcomp", "pobj") else ""
    nameless = noun and (aim.pos_ not in _NAMING or aim.lemma_ == "thing" or aim.ent_type_ == "PERSON")
    others = any(c.dep_ in _SUBJECTS for c in aim.children)
    if nameless or others or governor.pos_ not in ("VERB", "ADJ", "AUX"):
        return "", 0.0
    infinitive = any(c.tag_ == "TO" for c in aim.children)
    if aim.dep_ == "advcl" or (lemma == "set" and "out" in particles):
        return ("adopted", 0.7) if lemma == "set" and "out" in particles and infinitive else ("", 0.0)
    if lemma in GIVE_UP or (lemma == "give" and "up" in particles):
        given = aim.dep_ == "dobj" and "to" not in particles  # not "gave up her seat to an old man"
        named = infinitive or aim.tag_ == "VBG" or given or (behind == "on" and not governor.has("dobj"))
        return ("failed", 0.8) if named and (lemma != "fail" or infinitive) else ("", 0.0)
    if lemma in REACHED and not noun and (infinitive or aim.dep_ == "pcomp"):
        return "reached", 0.7
    sure = _wanted(governor, aim, behind, infinitive)
    return ("adopted", sure) if sure else ("", 0.0)


def _wanted(governor: Word, aim: Word, behind: str, infinitive: bool) -> float:
    """How surely the governor says that the aim is wanted; 0 for not at all."""
    lemma = governor.lemma_.lower()
    if lemma == "go" and governor.tag_ == "VBG" and aim.dep_ == "xcomp" and infinitive:
        return 0.65  # "was going to find him"
    if lemma in GOAL_VERBS and aim.dep_ == "xcomp" and infinitive:
        return GOAL_VERBS[lemma]
    sought = lemma in ("want", "seek") and aim.dep_ == "dobj" and any(c.dep_ in _BEFORE for c in aim.children)
    noun = aim.dep_ in ("dobj", "pobj")
    if sought or ((lemma, behind) in _LONGING and (aim.tag_ == "VBG" or (noun and lemma != "dream"))):
        return 0.65
    dreamt = any(c.lemma_ in _DREAMS and c.dep_ == "nsubj" for c in governor.children)
    told = infinitive and (dreamt or aim.dep_ == "xcomp")
    told = (told or aim.dep_ == "attr") and (dreamt or _cleft(governor) is not None)
    return 0.8 if lemma == "be" and told else 0.0


def _cleft(governor: Word) -> Word | None:
    """The "wanted" of "what X wanted was", "all X wanted was", "X wanted one thing, which was"."""
    clauses = governor.by("csubj")
    clauses += [
        c for each in governor.children if each.dep_ == "nsubj" for c in each.children if c.dep_ == "relcl"
    ]
    clauses += [governor.head.head] if governor.dep_ == "relcl" and governor.head.dep_ == "dobj" else []
    return next((c for c in clauses if c.lemma_.lower() in GOAL_VERBS), None)


def _says_much(verb: Word) -> bool:
    """Does the aim say something by itself: "find his brother", "flee"; not "see", "fetch it"?"""
    inside = list(verb.subtree)
    if any(token.pos_ in _NAMING for token in inside):
        return True
    objects = verb.has("dobj", "dative", "ccomp")
    return not objects and verb.lemma_.lower() not in _SLIGHT
