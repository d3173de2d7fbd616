"""Vows and settled purposes, as goals: "swore that he would", "made a vow to", "was bent on finding", "to
find it: that was what she meant to do", "“Promise me that you will,” said A; and B promised".

Commissive words after Searle, "A classification of illocutionary acts" (1976), and the nouns that go with
"make", "take" and "give" for the same acts.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.chapter_reading import Goal
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..clauses.modality import modality_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..parsing.words import Word

__all__ = ["aim_of", "read_vows"]

_COMMITTING = frozenset(
    "vow swear pledge promise resolve determine undertake decide intend mean plan purpose engage".split()
)
_NOUNS = frozenset(
    "vow oath promise pledge word resolution resolve determination mind heart intention purpose aim "
    "object ambition design business task mission duty".split()
)
_SET = frozenset({"determined", "resolved", "bent", "set", "sworn", "pledged", "bound", "resolute", "intent"})
_RESTING = frozenset("rest sleep stop halt pause cease relent".split())
_TILL = frozenset({"until", "till"})
_WILL = frozenset("will would shall should 'll ’ll 'd ’d".split())
_ASKED = frozenset({"promise", "swear", "vow", "undertake"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_ENDING = frozenset({";", ":", "never", "not", "n't", "n’t"})
_FAR = 9  # words from the word that commits to the aim
_LINE = 6  # words of an aim, behind which a broken line ends it
_MOST = 20  # words of an aim
_SURE, _ASKED_SURE = 0.8, 0.7


def read_vows(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Goal]:
    """In order of the text, adopted goals only; out of narration, but for a promise that is asked for in
    speech and given in narration. The wording runs to the end of the aim's clause, at most 20 words."""
    for paragraph in chapter.paragraphs:
        for token in paragraph.words:
            lemma = token.lemma_.lower()
            if paragraph.spoken(token):
                continue
            known = lemma in _COMMITTING or lemma in _NOUNS or token.lower_ in _SET or lemma in _RESTING
            if known and (goal := _goal(chapter, paragraph, arguments, token)) is not None:
                yield goal


def aim_of(paragraph: ParsedParagraph, sentence: Sentence) -> str:
    """What a sentence that is known to tell a vow aims at: the longest of its "to find", "that he would find"
    and "until he had found", each to the end of its clause; empty where it has none."""
    aims = []
    for token in paragraph.tokens(sentence):
        if token.pos_ not in ("VERB", "AUX"):
            continue
        helped = any(c.tag_ == "TO" or c.lower_ in _WILL for c in token.children)
        until = any(c.lower_ in _TILL for c in token.children)
        if (token.tag_ == "VB" and helped and token.lemma_.lower() not in _COMMITTING) or until:
            aims.append(_wording(token))
    return max((each for each in aims if each), key=len, default="")


def _goal(
    chapter: ParsedChapter, paragraph: ParsedParagraph, arguments: Arguments, token: Word
) -> Goal | None:
    aim, sure = _aim(token), _SURE
    if aim is None:
        aim, sure = _asked_for(paragraph, token), _ASKED_SURE
    if aim is None:
        return None
    who = _who(paragraph, arguments, token)
    if who is None or not _meant(chapter, paragraph, token):
        return None
    wording = _wording(aim)
    return (
        Goal(who.mention, wording, "adopted", paragraph.sentence(token).span, round(sure * who.factor, 3))
        if wording
        else None
    )


def _meant(chapter: ParsedChapter, paragraph: ParsedParagraph, token: Word) -> bool:
    if token.lemma_.lower() in _RESTING:
        return True
    verb = token
    while verb.pos_ not in ("VERB", "AUX") and verb.head.i != verb.i:
        verb = verb.head
    return modality_of(chapter, paragraph, verb) in (Modality.FACT, Modality.FLASHBACK)


def _aim(token: Word) -> Word | None:
    """The verb of what is aimed at: "to find", "that he would find", "upon finding", "until he had found"."""
    lemma = token.lemma_.lower()
    if lemma in _RESTING:
        return _until(token)
    if token.pos_ in ("VERB", "AUX") or token.lower_ in _SET:
        fronted = _fronted(token)
        if fronted is not None:
            return fronted
    last = min(token.sent.end, token.i + _FAR)
    for word in token.doc[token.i + 1 : last]:
        if word.is_quote or word.lower_ in _ENDING:
            return None
        if word.pos_ == "VERB" and _below(word, token):
            if word.tag_ == "VB" and any(c.tag_ == "TO" or c.lower_ in _WILL for c in word.children):
                return word
            if word.tag_ == "VBG" and word.nbor(-1).lower_ in ("on", "upon", "of"):
                return word
    return None


def _below(verb: Word, token: Word) -> bool:
    """Does the aim hang on the word that commits, or on the verb of its phrase ("made a vow to find")?"""
    node = verb
    while node.head.i != node.i:
        node = node.head
        if node.i in (token.i, token.head.i):
            return True
        if node.pos_ == "VERB" and node.i > token.i:
            return False
    return False


def _until(token: Word) -> Word | None:
    if not any(child.dep_ == "neg" or child.lower_ == "never" for child in token.children):
        return None
    for child in token.children:
        if child.dep_ == "advcl" and any(c.lower_ in _TILL for c in child.children):
            return child
    return None


def _fronted(verb: Word) -> Word | None:
    """Like "To find it: that was what he meant to do"."""
    first = verb.sent[0]
    while first.i < verb.i and (first.is_quote or first.is_space):
        first = first.nbor(1)
    if first.lower_ != "to" or first.tag_ != "TO" or first.head.i >= verb.i:
        return None
    does = [c for c in verb.children if c.dep_ == "xcomp"]
    bare = not does or does[0].lemma_ in ("do", "accomplish", "achieve")
    return first.head if bare and first.head.tag_ == "VB" else None


def _asked_for(paragraph: ParsedParagraph, token: Word) -> Word | None:
    """What was asked for in speech before a bare "promised": "Promise me that you will find it"."""
    if token.lemma_.lower() not in _ASKED or token.tag_ not in ("VBD", "VBN"):
        return None
    if any(child.dep_ in ("ccomp", "xcomp", "dobj") and child.i > token.i for child in token.children):
        return None
    for word in paragraph.doc[: token.i]:
        if word.lemma_.lower() in _ASKED and paragraph.spoken(word):
            for verb in paragraph.doc[word.i + 1 : word.i + _FAR]:
                helped = any(c.tag_ == "TO" or c.lower_ in _WILL for c in verb.children)
                if verb.tag_ == "VB" and helped and paragraph.spoken(verb):
                    return verb
    return None


def _who(paragraph: ParsedParagraph, arguments: Arguments, token: Word) -> Reference | None:
    """Who is meant: the owner of the vow, else the subject of its clause."""
    node = token
    for _ in range(4):
        owners = [c for c in node.children if c.dep_ == "poss"] if node.pos_ == "NOUN" else []
        found = [r for c in owners for r in arguments.resolve(paragraph, c)]
        if not found and node.pos_ in ("VERB", "AUX", "ADJ"):
            found = arguments.subjects(paragraph, node)
        found = [one for one in found if arguments.kind(one) is EntityKind.CHARACTER]
        if len(found) == 1:
            return found[0]
        if found or node.head.i == node.i:
            return None
        if any(c.dep_ in _SUBJECTS for c in node.children) and node.pos_ != "NOUN":
            return None
        node = node.head
    return None


def _wording(verb: Word) -> str:
    doc, end = verb.doc, min(verb.sent.end, verb.i + _MOST)
    last = verb.i
    for token in doc[verb.i : end]:
        if (
            token.is_quote
            or token.lower_ in (",", ";", ":", "--", "—", ".")
            or (token.is_space and last > verb.i + _LINE)
        ):
            break
        last = token.i
    words = " ".join(doc[verb.i : last + 1].text.split())
    return words if last > verb.i else ""
