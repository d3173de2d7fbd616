"""What characters feel and want: moods by emotion words near their subject, goals by verbs of wanting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...lexicon.emotions import CONTRARY, EMOTION_WORDS, EMOTIONS, mood_of, tone, valence_of
from ...lexicon.verbs_and_nouns import GIVE_UP, GOAL_VERBS, REACHED
from ...model.chapter_reading import Goal, Mood
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..clauses.modality import modality_of, negated
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..parsing.words import Word

__all__ = ["InnerLifeReader"]

_LINKS = frozenset("be feel look seem grow become appear sound get remain turn fall".split())
_FILL = frozenset("fill overcome seize overwhelm consume stricken grip".split())
_AUXILIARY = frozenset({"aux", "auxpass"})
_DANGLING = frozenset(
    "when where while that which who whom whose as than if because and or but of to the a an".split()
)
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

    def read(self) -> None:
        for paragraph in self.chapter.paragraphs:
            for token in paragraph.words:
                emotion = EMOTION_WORDS.get(token.lower_)
                if emotion is not None and not paragraph.spoken(token):
                    self._mood(paragraph, token, emotion)
                if token.dep_ in ("xcomp", "ccomp", "pcomp") and not paragraph.spoken(token):
                    self._goal(paragraph, token)
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
        if modality is None or modality not in (Modality.FACT, Modality.NEGATED):
            return
        named = emotion
        if modality is Modality.NEGATED or negated(word):
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
        if not named:
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
            person_object = any(c.dep_ == "dobj" for c in word.children) and word.lemma_ in (
                "alarm",
                "disgust",
                "rage",
            )
            return (None, 0.0) if person_object else (word, 0.8)
        if word.dep_ in ("acomp", "oprd", "attr") and head.lemma_ in _LINKS:
            return head, 0.9
        if word.tag_ == "VBN" and any(c.dep_ == "auxpass" for c in word.children):
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

    def _goal(self, paragraph: ParsedParagraph, verb: Word) -> None:
        governor = verb.head.head if verb.dep_ == "pcomp" else verb.head
        turn, sure = self._turn(governor, verb)
        if not turn:
            return
        people = [r for r in self.arguments.subjects(paragraph, governor) if self._person(r)]
        if len(people) != 1 or modality_of(self.chapter, paragraph, governor) is not Modality.FACT:
            return
        wording = self._wording(verb)
        if wording and (turn != "adopted" or _says_much(verb)):
            span = paragraph.sentence(verb).span
            self.goals.append(Goal(people[0].mention, wording, turn, span, round(sure * people[0].factor, 3)))

    @staticmethod
    def _turn(governor: Word, verb: Word) -> tuple[str, float]:
        lemma = governor.lemma_.lower()
        if governor.pos_ not in ("VERB", "ADJ") or (
            verb.dep_ != "pcomp" and not any(c.tag_ == "TO" for c in verb.children)
        ):
            return "", 0.0
        if any(c.dep_ in ("nsubj", "nsubjpass") for c in verb.children):
            return "", 0.0
        if lemma in GIVE_UP:
            return "failed", 0.8
        if lemma in REACHED:
            return "reached", 0.7
        if verb.dep_ == "xcomp" and lemma in GOAL_VERBS:
            return "adopted", GOAL_VERBS[lemma]
        return "", 0.0

    @staticmethod
    def _wording(verb: Word) -> str:
        """From the verb to the end of its own phrase, before the next clause mark; at most 14 words."""
        words: list[Word] = []
        inside = set(verb.subtree)
        first = min((c.i for c in verb.children if c.dep_ in _AUXILIARY and c.tag_ != "TO"), default=verb.i)
        for token in verb.doc[min(first, verb.i) : verb.sent.end]:
            text = token.text
            if token not in inside or text[0] in ';:—"“”' or text[:2] == "--" or len(words) == MAX_GOAL_WORDS:
                break
            if token.text == "," and words:
                break
            words.append(token)
        while words and words[-1].lower_ in _DANGLING:
            words.pop()
        if not words:
            return ""
        return str(verb.doc[words[0].i : words[-1].i + 1].text).strip(" ,.;")

    def _person(self, reference: Reference) -> bool:
        return self.arguments.kind(reference) is EntityKind.CHARACTER


def _says_much(verb: Word) -> bool:
    """Does the aim say something by itself: "find his brother", "flee"; not "see", "fetch it"?"""
    inside = list(verb.subtree)
    if any(token.pos_ in _NAMING for token in inside):
        return True
    objects = any(child.dep_ in ("dobj", "dative", "ccomp") for child in verb.children)
    return not objects and verb.lemma_.lower() not in _SLIGHT
