"""Direct speech, who speaks and to whom: by the words beside the speech, by name called, and by turns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....core.types import Span
from ...lexicon.verbs_and_nouns import RELATIONAL
from ...lexicon.words import PERSON_NOUNS
from ...model.chapter_reading import Quotation, Voice
from ...model.types import EntityKind
from ..mentions.name_words import KIN_NAMES, bare_kin
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word, Words
from ..pronouns import NOBODY, PRONOUNS, ChapterCast, PronounReader
from .speech_tags import SPEAKERS, Tag, TagFinder
from .turn_taking import Turn, around, take_turns

_OPENS = frozenset({'"', "“", "‘", "'", ".", "!", "?"})
_CLOSES = frozenset({'"', "”", "’", "'", ".", "!", "?", ";", "--", "—"})
_CRIES = frozenset("oh o ah yes no well dear poor but and so now why come my".split())


def called_in(chapter: ParsedChapter, paragraph: ParsedParagraph, start: int, end: int) -> tuple[int, ...]:
    """The mentions that stand set apart by marks within the speech ``[start, end)`` (characters of the
    paragraph), in order of the text."""
    found: dict[int, None] = {}
    doc = paragraph.doc
    for i, number in paragraph.mention_of.items():
        token = doc[i]
        if not start <= token.idx < end or chapter.mentions[number].kind is not EntityKind.CHARACTER:
            continue
        if number not in found and _set_apart(paragraph, number, i, end - start):
            found[number] = None
    return tuple(found)


def _set_apart(paragraph: ParsedParagraph, number: int, i: int, length: int) -> bool:
    """Between marks on both sides, one of them a comma, and in no list: neither joined nor apposed."""
    doc, end = paragraph.doc, i + 1
    if end < len(doc) and paragraph.mention_of.get(end) == number:
        return False  # asked once a name, at its last word
    start = i
    while start > 0 and paragraph.mention_of.get(start - 1) == number:
        start -= 1
    before = _mark(doc, start - 1)
    if before in _CRIES and start > 1:  # "my dear Anne", "Oh Anne!"
        left = start - 1
        while left > 0 and doc[left - 1].lower_ in _CRIES:
            left -= 1
        before = _mark(doc, left - 1)
    after = _mark(doc, end)
    if _apposed(doc[i]) or _listed(doc, end):
        return False
    if before in ("‘", "'") and any(mark in paragraph.prose.text for mark in ('"', "“")):
        return False  # what somebody else said, quoted in the speech
    opens, closes = before in _OPENS, after in _CLOSES
    if opens and after in ("?", "!") and before not in (".", "!", "?"):
        return length > 2 * len(doc[start:end].text) + 6  # "Gatsby?" asks, "Daisy! Daisy!" is a cry
    return (before == "," and (closes or after == ",")) or (opens and after in (",", "!"))


def _apposed(token: Word) -> bool:
    """Does the name tell more of a noun: "my brother, Tom"? In "let us be friends, Tom" it does not."""
    if token.dep_ != "appos":
        return False
    head = token.head
    return head.pos_ == "PROPN" or head.has("det", "poss")


def _mark(doc: Words, i: int) -> str:
    return str(doc[i].lower_) if 0 <= i < len(doc) else '"'


def _listed(doc: Words, end: int) -> bool:
    """Like "Anne, Diana and Ruby": an "and" close by, with another name behind it."""
    if doc[end - 1].dep_ == "conj" and doc[end - 1].head.pos_ == "PROPN":
        return True
    return any(other.pos_ == "PROPN" for other in doc[end - 1].conjuncts)


Resolve = Callable[[ParsedParagraph, Any], "tuple[int, float] | None"]

NAMED, NAMED_ACT = 0.97, 0.85  # tag with a verb of saying; with another
PRONOUN, NOUN = 0.9, 0.25
DEED, LATER_DEED, SEEN = 0.6, 0.25, 0.05  # who acts in the speech's paragraph, first, later; is named there
LED, MENTIONED = 0.3, 0.06  # in the paragraph before: who acts last; who is named
IN_MIND = 0.2
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_SPOKEN_END = re.compile(r"[.,!?;:—-][\"'”’»]*\Z")
_FIRST = frozenset({"i"})


@dataclass(slots=True)
class Utterance:
    """``last`` is the paragraph where it ends. ``stretches`` are its pieces as (paragraph, start, end),
    characters of the paragraph's text; ``gender`` that of the pronoun or noun in the tag."""

    paragraph: ParsedParagraph
    last: ParsedParagraph
    stretches: list[tuple[ParsedParagraph, int, int]]
    tag: Tag | None = None
    voices: list[Voice] = field(default_factory=list)
    called: list[int] = field(default_factory=list)
    named: list[int] = field(default_factory=list)
    gender: str = ""
    kind: str = "implicit"

    @property
    def pieces(self) -> tuple[Span, ...]:
        return tuple(paragraph.prose.span(start, end) for paragraph, start, end in self.stretches)

    @property
    def nameless(self) -> bool:
        """Does a noun say who speaks, of whom no more is known: "urged the daughters"?"""
        noun = self.tag is not None and self.tag.mention is None and self.tag.word not in SPEAKERS
        return noun and all(voice.confidence <= NOUN for voice in self.voices)

    def holds(self, paragraph: ParsedParagraph, word: Word) -> bool:
        """Does the word stand in it?"""
        return any(where is paragraph and start <= word.idx < end for where, start, end in self.stretches)


@dataclass(slots=True)
class UtteranceFinder:
    """Pieces of one paragraph are one utterance unless their tags name different people; speech left unclosed
    at a paragraph's end goes on in the next one."""

    chapter: ParsedChapter
    pronouns: PronounReader
    resolve: Resolve
    found: list[Utterance] = field(default_factory=list)

    def find(self) -> list[Utterance]:
        """In order of the text."""
        before: ParsedParagraph | None = None
        for paragraph in self.chapter.paragraphs:
            if paragraph.prose.quotes:
                self._paragraph(paragraph, before)
            before = paragraph
        for utterance in self.found:
            self._voice(utterance)
            self._hear(utterance)
        return self.found

    def _paragraph(self, paragraph: ParsedParagraph, before: ParsedParagraph | None) -> None:
        text = paragraph.prose.text
        quotes = [quote for quote in paragraph.prose.quotes if _is_speech(text, *quote)]
        if not quotes:
            return
        finder = TagFinder.of(self.chapter, paragraph)
        current: Utterance | None = None
        if before is not None and before.prose.unclosed and quotes[0][0] == 0 and self.found:
            last = self.found[-1]
            current = last if last.last is before else None
        taken = 0
        for k, (start, end) in enumerate(quotes):
            limit = quotes[k + 1][0] if k + 1 < len(quotes) else len(text)
            tag = finder.after(end, limit)
            if tag is None and (current is None or taken == 0 or _apart(text, taken, start)):
                tag = finder.before(start, taken)
            if tag is None and k == 0 and start <= 1 and before is not None and current is None:
                tag = self._led(before)
            if current is None or (tag is not None and self._differs(current, tag)):
                current = Utterance(paragraph, paragraph, [])
                self.found.append(current)
            current.stretches.append((paragraph, start, end))
            current.last = paragraph
            current.tag = current.tag or tag
            taken = end

    def _where(self, utterance: Utterance, tag: Tag) -> ParsedParagraph:
        if tag.subject.doc is utterance.paragraph.doc:
            return utterance.paragraph
        return self.chapter.paragraphs[utterance.paragraph.number - 1]

    def _differs(self, utterance: Utterance, tag: Tag) -> bool:
        own = utterance.tag
        if own is None:
            return False
        if own.mention is not None and tag.mention is not None:
            who = self.pronouns.cast.who
            return who[own.mention] != who[tag.mention]
        if own.mention is None and tag.mention is None:
            return own.word != tag.word and own.subject is not tag.subject
        pronoun, named = (own, tag.mention) if own.mention is None else (tag, own.mention)
        cast = self.pronouns.cast
        gender = cast.gender(cast.who[named]) if named is not None else ""
        asked = PRONOUNS.get(pronoun.word) or PERSON_NOUNS.get(pronoun.word, "")
        return bool(gender and asked and gender != asked)

    def _led(self, before: ParsedParagraph) -> Tag | None:
        """The end of the paragraph before leads to the speech: "Then she said:", "At last Anne spoke."."""
        text = before.prose.text
        if before.prose.spoken(len(text) - 1):
            return None
        finder = TagFinder.of(self.chapter, before)
        begin = max((end for _, end in before.prose.quotes), default=0)
        if begin and text[-1] in ".!?":
            return None
        tag = finder.before(len(text) + 1, begin, closing=True)
        return tag if tag is not None and (tag.plain or text[-1] not in ".!?") else None

    # --- who may be speaking -----------------------------------------------------------------------

    def _voice(self, utterance: Utterance) -> None:
        paragraph, tag = utterance.paragraph, utterance.tag
        before = self.chapter.paragraphs[paragraph.number - 1] if paragraph.number else None
        if tag is not None:
            self._tagged(utterance, tag)
            if utterance.kind == "explicit":
                return
        else:
            self._beside(utterance, paragraph)
            if before is not None and not before.prose.quotes:
                self._before(utterance, before)
        for number, share in self.pronouns.near(paragraph, utterance.gender):
            self._add(utterance, number, IN_MIND * share, utterance.gender)

    def _tagged(self, utterance: Utterance, tag: Tag) -> None:
        paragraph = self._where(utterance, tag)
        span = _around(paragraph, tag)
        if tag.mention is not None:
            utterance.kind = "explicit"
            self._add(utterance, tag.mention, NAMED if tag.plain else NAMED_ACT, "", span)
            return
        utterance.kind = "anaphoric"
        narrator = self.chapter.narrator
        if tag.word in _FIRST:
            if narrator is not None:
                self._add(utterance, narrator, NAMED, "", span)
            return
        if tag.word in PRONOUNS:
            utterance.gender = PRONOUNS[tag.word]
            for number, share in self.pronouns.choices(paragraph, tag.subject):
                self._add(utterance, number, PRONOUN * share, utterance.gender, span)
            return
        if tag.word in KIN_NAMES and bare_kin(tag.subject):  # "Mother said": see ``_of_kin``
            utterance.kind = "explicit"
            return
        meant = self.resolve(paragraph, tag.subject)
        if meant is not None:
            self._add(utterance, meant[0], NAMED_ACT * meant[1], "", span)
            return
        utterance.gender = PERSON_NOUNS.get(tag.word, "")
        for number, share in self.pronouns.near(paragraph, utterance.gender):
            self._add(utterance, number, NOUN * share, utterance.gender, span)

    def _beside(self, utterance: Utterance, paragraph: ParsedParagraph) -> None:
        """Who does something in the narration of the same paragraph, and who is named there."""
        deeds = 0
        for number, share, gender, subject in self._people(paragraph):
            if subject:
                weight = DEED if deeds == 0 else LATER_DEED
                deeds += 1
            else:
                weight = SEEN
            self._add(utterance, number, weight * share, gender)

    def _before(self, utterance: Utterance, before: ParsedParagraph) -> None:
        """Who acts last in the narration before, and who is named there."""
        people = list(self._people(before))[-6:]
        acting = [k for k, each in enumerate(people) if each[3]]
        for k, (number, share, gender, _) in enumerate(people):
            weight = LED if acting and k == acting[-1] else MENTIONED
            self._add(utterance, number, weight * share, gender)

    def _people(self, paragraph: ParsedParagraph) -> Iterator[tuple[int, float, str, bool]]:
        """(mention, share, gender of a pronoun, is it a subject) for the persons of the narration."""
        doc, cast = paragraph.doc, self.pronouns.cast
        seen: set[int] = set()
        for i, token in enumerate(doc):
            number = paragraph.mention_of.get(i)
            gender, share = "", 1.0
            if number is None:
                word = token.lower_
                if word not in PRONOUNS:
                    continue
                meant = self.pronouns.resolve(paragraph, token)
                if meant is None:
                    continue
                number, share, gender = meant.mention, meant.factor, meant.gender
            elif number in seen or self.chapter.mentions[number].kind is not EntityKind.CHARACTER:
                continue
            if cast.who[number] == NOBODY or paragraph.spoken(token):
                continue
            if token.dep_ == "compound" and paragraph.mention_of.get(token.head.i) == number:
                continue
            seen.add(number)
            yield number, share, gender, token.dep_ in _SUBJECTS

    def _add(
        self, utterance: Utterance, number: int, confidence: float, gender: str, span: Span | None = None
    ) -> None:
        confidence = round(confidence, 3)
        if confidence < 0.01:
            return
        sentence = self.chapter.mentions[number].sentence
        evidence = (sentence,) if span is None or span == sentence else (span, sentence)
        if span is not None and sentence.contains(span):
            evidence = (span,)
        utterance.voices.append(Voice(number, confidence, evidence, gender))

    def _hear(self, utterance: Utterance) -> None:
        for paragraph, start, end in utterance.stretches:
            called = called_in(self.chapter, paragraph, start, end)
            utterance.called.extend(called)
            for i, number in paragraph.mention_of.items():
                if number not in called and start <= paragraph.words[i].idx < end:
                    utterance.named.append(number)


def _apart(text: str, end: int, start: int) -> bool:
    """Is what stands between two pieces of speech a sentence of its own, or more than one?"""
    said, narration = text[:end].rstrip("\"'”’» "), text[end:start].strip()
    return (said[-1:] in (".", "!", "?", "—") and narration[:1].isupper()) or ". " in narration


def _around(paragraph: ParsedParagraph, tag: Tag) -> Span:
    first, last = sorted((tag.subject, tag.verb), key=lambda token: token.i)
    return paragraph.span(first, last)


def _is_speech(text: str, start: int, end: int) -> bool:
    """Not a word or title set between marks within narration ("the so-called "Inn" was shut")."""
    inner = text[start:end]
    if start == 0 or _SPOKEN_END.search(inner) or inner.count(" ") >= 4:
        return True
    lead = text[:start].rstrip()
    return not lead or lead[-1] in ",:.!?—-\"”’'"


LEAST = 0.5  # of a speaker's probability, for what is said through him
TURN = 0.7
CALLED = 0.9  # the confidence of a hearer whose name is called; others have less
MOST = 10


@dataclass(frozen=True, slots=True)
class Speech:
    """``speaker`` and ``hearer`` are mentions with a factor (0 to 1) for what is said through them; ``verb``
    is the verb of saying, None where the speaker is known by turns alone; ``called``: the hearer's name
    is called out in the speech."""

    speaker: tuple[int, float] | None = None
    hearer: tuple[int, float] | None = None
    verb: Word | None = None
    called: bool = False


@dataclass(slots=True)
class Dialogue:
    """One answer a paragraph; in one with two speakers, an answer for each word that is said."""

    chapter: ParsedChapter
    utterances: list[Utterance] = field(default_factory=list)
    _speeches: dict[int, list[tuple[Utterance, Speech]]] = field(default_factory=dict)

    @classmethod
    def of(cls, chapter: ParsedChapter, pronouns: PronounReader, resolve: Resolve) -> Dialogue:
        """``resolve`` says whom a noun outside the speech means. What the turns tell of pronouns beside
        speech is told to ``pronouns``."""
        dialogue = cls(chapter, UtteranceFinder(chapter, pronouns, resolve).find())
        cast = pronouns.cast
        ranked = take_turns([_turn(each, cast) for each in dialogue.utterances])
        meant = [
            _meant(dialogue.utterances, i, ranks, cast)
            if ranks and ranks[0][1] >= LEAST and not dialogue.utterances[i].nameless
            else None
            for i, ranks in enumerate(ranked)
        ]
        dialogue._tell(meant, cast)
        tags, speakers = {}, {}
        for utterance, speaker in zip(dialogue.utterances, meant, strict=True):
            if speaker is None:
                continue
            number = utterance.paragraph.number
            if utterance.tag is not None and utterance.tag.word in PRONOUNS:
                tags[number, utterance.tag.subject.i] = speaker
            elif utterance.tag is None or utterance.tag.mention is None:
                speakers[number] = speaker
        pronouns.hear(tags, speakers)
        return dialogue

    def speech(self, paragraph: ParsedParagraph, word: Word | None = None) -> Speech:
        """The paragraph's only speech; where it has several, that which holds the word, or an empty one."""
        found = self._speeches.get(paragraph.number, [])
        if len(found) > 1 and word is not None:
            found = [(utterance, speech) for utterance, speech in found if utterance.holds(paragraph, word)]
        return found[0][1] if len(found) == 1 else Speech()

    def _tell(self, meant: list[tuple[int, float] | None], cast: ChapterCast) -> None:
        for i, utterance in enumerate(self.utterances):
            speaker = meant[i]
            who = cast.who[speaker[0]] if speaker else NOBODY
            own = [number for number in utterance.called if cast.who[number] != who]
            hearer: tuple[int, float] | None = None
            if len({cast.who[number] for number in own}) == 1:
                hearer = own[0], CALLED
            elif not own:
                hearer = self._other(i, meant, who, cast)
            verb = utterance.tag.verb if utterance.tag is not None and utterance.tag.plain else None
            speech = Speech(speaker, hearer, verb, bool(own) and hearer is not None)
            for number in {utterance.paragraph.number, utterance.last.number}:
                self._speeches.setdefault(number, []).append((self.utterances[i], speech))

    def _other(
        self, i: int, meant: list[tuple[int, float] | None], who: int, cast: ChapterCast
    ) -> tuple[int, float] | None:
        """Who spoke just before, as a rule, is spoken to."""
        if i == 0 or self.utterances[i].paragraph.number - self.utterances[i - 1].last.number > 1:
            return None
        last = meant[i - 1]
        if who == NOBODY or last is None or cast.who[last[0]] == who:
            return None
        return last[0], round(TURN * last[1], 3)


def _turn(utterance: Utterance, cast: ChapterCast) -> Turn:
    voices: dict[int, float] = {}
    for voice in utterance.voices:
        who = cast.who[voice.mention]
        known = cast.gender(who)
        if who != NOBODY and not (voice.gender and known and known != voice.gender):
            voices[who] = 1 - (1 - voices.get(who, 0.0)) * (1 - voice.confidence)
    other = {"f": "m", "m": "f"}.get(utterance.gender, "?")
    unknown = utterance.kind == "explicit" and not utterance.voices
    barred = frozenset(who for who in set(cast.who) if unknown or cast.gender(who) == other)
    return Turn(
        utterance.paragraph.number,
        utterance.last.number,
        utterance.paragraph.prose.scene,
        voices,
        frozenset(cast.who[number] for number in utterance.called) - {NOBODY},
        frozenset(cast.who[number] for number in utterance.named) - {NOBODY},
        barred,
    )


def _meant(
    utterances: list[Utterance], i: int, ranks: list[tuple[Any, float]], cast: ChapterCast
) -> tuple[int, float]:
    """The mention that stands for the likeliest speaker: of this turn, else of the nearest one around."""
    who, sure = ranks[0]
    for k in around(i, len(utterances)):
        for voice in utterances[k].voices:
            if cast.who[voice.mention] == who:
                return voice.mention, sure
    return next(n for n, other in enumerate(cast.who) if other == who), sure


def read_quotations(
    chapter: ParsedChapter, dialogue: Dialogue, kin: Mapping[tuple[str, str], int]
) -> Iterator[Quotation]:
    """Every utterance in order of the text. Speakers are weighed by what is said beside the speech alone:
    the turns of the conversation are for the linker, who knows which names are one person's. ``kin`` is that
    of ``Arguments``."""
    for utterance in dialogue.utterances:
        if utterance.kind == "explicit" and utterance.tag is not None and not utterance.voices:
            utterance.voices.extend(_of_kin(chapter, utterance.tag, kin))
        speech = dialogue.speech(utterance.paragraph)
        hearers = [Voice(number, CALLED, _sentence(chapter, number)) for number in utterance.called]
        if speech.hearer is not None and not speech.called:
            number, sure = speech.hearer
            hearers.append(Voice(number, min(sure, CALLED - 0.1), _sentence(chapter, number)))
        speakers = _ranked(utterance)
        yield Quotation(utterance.pieces, speakers, tuple(hearers), utterance.kind)


def _of_kin(chapter: ParsedChapter, tag: Tag, kin: Mapping[tuple[str, str], int]) -> list[Voice]:
    """Whom "Mother said" means: the mother of the narrator, else the only one that the chapter knows."""
    noun, narrated = RELATIONAL.get(tag.word), chapter.narrator is not None
    known = [(owner, number) for (owner, word), number in kin.items() if RELATIONAL.get(word) == noun]
    found = {number for owner, number in known if owner == "i" or not narrated}
    return [Voice(number, NAMED_ACT, _sentence(chapter, number)) for number in found if len(found) == 1]


def _ranked(utterance: Utterance) -> tuple[Voice, ...]:
    best: dict[int, Voice] = {}
    for voice in utterance.voices:
        known = best.get(voice.mention)
        if known is None or voice.confidence > known.confidence:
            best[voice.mention] = voice
    return tuple(sorted(best.values(), key=lambda voice: (-voice.confidence, voice.mention))[:MOST])


def _sentence(chapter: ParsedChapter, number: int) -> tuple[Span, ...]:
    return (chapter.mentions[number].sentence,)
