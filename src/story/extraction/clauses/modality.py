"""How the text vouches for a clause: as fact, denied, planned, imagined, reported, or told from before.

And how a clause lies in time by its own form. Narrative time moves with events in the simple past; states and
what is going on are the background they happen against (Kamp and Rohrer 1983; Dowty 1986, "The effects of
aspectual class on the temporal structure of discourse"), and a past perfect steps back behind the time told
(Reichenbach 1947).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from ...lexicon.verbs_and_nouns import (
    BELIEF_VERBS,
    DREAM_WORDS,
    FACT_GOVERNORS,
    GOAL_VERBS,
    NEGATIVE_GOVERNORS,
    SAY_VERBS,
)
from ...lexicon.words import CLAUSE_WORDS
from ...model.types import Modality
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word


class Aspect(StrEnum):
    """``EVENT`` moves the story on. ``STATE`` and ``PROGRESS`` are background. ``REACTION`` is a state that
    begins with what was told just before ("was terrified"). ``PERFECT`` lies behind the time told."""

    EVENT = "event"
    STATE = "state"
    PROGRESS = "progress"
    REACTION = "reaction"
    PERFECT = "perfect"


# verbs of being, having, feeling and standing somewhere (Vendler 1957's states; Levin 1993, classes 31.2,
# 47.1, 47.6 and 47.8)
STATIVE = CLAUSE_WORDS.listed("stative")


# adjectives and participles of feelings that something just told has stirred
REACTIONS = CLAUSE_WORDS.listed("reaction")
_ONSET = frozenset("soon then presently instantly immediately suddenly at last finally so now".split())
_HABIT = frozenset({"would", "used"})
_BE = frozenset("was were is are am been be being 's 're 'm".split())
_HAD = frozenset({"had", "'d"})


def clause_of(token: Word) -> Word:
    """The verb whose clause the token heads or completes: of "was afraid" the "was", else itself."""
    if token.pos_ not in ("VERB", "AUX") and token.dep_ in ("acomp", "attr", "oprd", "prep", "advmod"):
        head = token.head
        if head.pos_ in ("VERB", "AUX"):
            return head
    return token


def aspect_of(token: Word) -> Aspect:  # noqa: PLR0911 (an aspect a line)
    """The aspect of the clause or phrase that ``token`` heads; an adjective alone is a STATE."""
    verb = clause_of(token)
    helpers = verb.said("aux", "auxpass")
    if "having" in helpers or (helpers & _HAD and verb.tag_ in ("VBN", "VBD")):
        return Aspect.PERFECT
    if token.lower_ in REACTIONS:
        return Aspect.REACTION
    if token.pos_ == "NOUN" and verb is token:
        return Aspect.EVENT  # what is told as an event by a noun: "a dispute arose", "caught sight of"
    if verb.tag_ == "VBG" and helpers & _BE:
        return Aspect.PROGRESS
    if helpers & _HABIT or verb.has("neg"):
        return Aspect.STATE
    if verb.lemma_.lower() in STATIVE or verb.pos_ not in ("VERB", "AUX"):
        return Aspect.EVENT if _begins(verb) or _begins(token) else Aspect.STATE
    return Aspect.EVENT


def _begins(verb: Word) -> bool:
    """Like "was soon out of sight": an adverb makes the beginning of a state of it."""
    return bool(verb.said("advmod") & _ONSET)


_UNREAL_AUX = frozenset("would could might may shall should will must can ought 'll 'd wo ca".split())
_UNREAL_MARKS = frozenset("if unless lest whether though".split())
_NEVER = frozenset("never hardly scarcely neither nor".split())
_FICTIONS = CLAUSE_WORDS.listed("fiction")
# an adverbial clause of time or reason is vouched for, whatever is wished in the main clause
_FREE = frozenset("because since when after as while".split())
_NOT_QUITE = frozenset("almost nearly half practically virtually".split())
_STILL = frozenset("always ever long".split())
_JUST = frozenset("just now".split())
_ARRIVALS = frozenset("arrive reach return come go enter move settle emigrate relocate".split())
_UP = frozenset({"xcomp", "ccomp", "advcl", "conj", "acl", "relcl", "pcomp", "prep", "parataxis"})
_CLAUSES = ("VERB", "AUX")
_CLOSING = frozenset({'"', "'", "”", "’", " ", "''", "»"})
_DEPTH = 6
_NEAR = 6  # words
_NOT = frozenset({"not", "n't", "n’t", "never"})
_HOWEVER = frozenset({"until", "till", "long"})
# what follows with "to" came about (Karttunen 1971, "Implicative verbs"), or is told as if it had
_IMPLICATIVE = CLAUSE_WORDS.listed("implicative")
_STIRRED = CLAUSE_WORDS.listed("stirred")
# "the fact that", "the misfortune to"
_FACT_NOUNS = CLAUSE_WORDS.listed("fact_noun")
_OPINION_NOUNS = CLAUSE_WORDS.listed("opinion_noun")
_REPORT_NOUNS = CLAUSE_WORDS.listed("report_noun")
# what follows with "that" is so, even where they are denied (Kiparsky and Kiparsky 1970, "Fact")
_FACTIVE = CLAUSE_WORDS.listed("factive")
_SENSING = frozenset({"feel", "hear"})
_CONTENT = frozenset("that if whether lest how why where what who when".split())
_THOUGHT = SAY_VERBS | BELIEF_VERBS | DREAM_WORDS


def modality_of(chapter: ParsedChapter, paragraph: ParsedParagraph, verb: Word) -> Modality | None:
    """The modality of the clause that ``verb`` heads; None for questions and commands, which vouch for
    nothing at all, and for what direct speech denies. What it plans or imagines is PLANNED or IMAGINED, all
    else in it REPORTED. Denial counts before plan."""
    if _asked(paragraph, verb):
        return None
    if paragraph.spoken(verb):
        return _spoken(paragraph, verb)
    own = _clause(verb)
    if own is None:
        own = _governed(paragraph, verb)
    if own is None and _shares(verb):
        own = modality_of(chapter, paragraph, verb.head)
    if own is not None:
        return own
    before = chapter.scenes[paragraph.prose.scene].flashback or _past_perfect(verb)
    return Modality.FLASHBACK if before else Modality.FACT


def likened(noun: Word) -> bool:
    """Is somebody only compared to what the noun says: "like an older sister", "practically his brother",
    "more a mother than a boss"?"""
    above = noun.head
    if noun.dep_ == "pobj" and above.dep_ == "prep" and above.lower_ in ("like", "as"):
        return above.head.lower_ != "nothing"  # "there is nothing like an aunt"
    compared = "than" in noun.said("prep")
    before = (noun.doc[i].lower_ for i in range(noun.left_edge.i, noun.i))
    return compared or any(word in _NOT_QUITE and word != "half" for word in before)  # half-brothers are kin


def _asked(paragraph: ParsedParagraph, verb: Word) -> bool:
    """Does the verb's sentence end as a question, and not with one that somebody asks in it?"""
    doc, last = paragraph.doc, paragraph.sentence(verb).end - 1
    while last > verb.i and doc[last].lower_ in _CLOSING:
        last -= 1
    mark = doc[last]
    return "?" in mark.lower_ and paragraph.spoken(mark) == paragraph.spoken(verb)


def _spoken(paragraph: ParsedParagraph, verb: Word) -> Modality | None:
    own = _clause(verb) or _governed(paragraph, verb)
    if own is None and _shares(verb):
        own = _clause(verb.head) or _governed(paragraph, verb.head)
    if own is Modality.NEGATED:
        return None
    return own if own in (Modality.PLANNED, Modality.IMAGINED) else Modality.REPORTED


def negated(verb: Word) -> bool:
    """Is the clause denied by its own words: not, never, no longer, no object, nobody as subject? "Not until"
    and "not long before" deny nothing."""
    if verb.dep_ == "conj" and _or_else(verb):  # "never trust you, or love you"
        return _denied(verb.head)
    return _denied(verb) and not verb.said("prep", "mark", "advmod") & _HOWEVER


def _or_else(verb: Word) -> bool:
    own = verb.has("nsubj", "nsubjpass")
    return not own and bool(verb.head.said("cc") & {"or", "nor"})


def _denied_between(helper: Any, verb: Word) -> bool:
    """Like "had never been seen", "had never in his life seen", wherever the parser hangs the word."""
    doc = verb.doc
    return any(
        doc[i].lower_ in _NOT and not _quoted_between(doc[i], verb)
        for i in range(helper.i + 1, min(verb.i, helper.i + _NEAR))
    )


def _quoted_between(word: Word, verb: Word) -> bool:
    """Like "'He did not!' roared X"."""
    doc, low, high = verb.doc, min(word.i, verb.i), max(word.i, verb.i)
    return any(doc[i].is_quote for i in range(low + 1, high))


def _denied(verb: Word) -> bool:
    for child in verb.children:
        if child.dep_ == "neg" or (child.dep_ == "advmod" and child.lower_ in _NEVER):
            return not _quoted_between(child, verb)
        if child.dep_ == "advmod" and child.lower_ == "longer":
            return True
        if child.dep_ in ("aux", "auxpass") and _denied_between(child, verb):
            return True
        if child.dep_ in ("preconj", "cc") and child.lower_ in ("neither", "nor") and child.i < verb.i:
            return True
        if child.dep_ in ("dobj", "attr", "nsubj", "nsubjpass") and (
            child.lower_ in ("nobody", "nothing", "none", "neither") or "no" in child.said()
        ):
            return True
    return False


def _clause(verb: Word) -> Modality | None:  # noqa: PLR0911 (a sign a line)
    """What the clause says by itself: its negation, its auxiliaries, its conjunction."""
    if negated(verb):
        return Modality.NEGATED
    unreal = False
    for child in verb.children:
        word = child.lower_
        if child.dep_ == "advmod" and word in _NOT_QUITE:  # "was almost killed" did not come about
            return Modality.IMAGINED
        if child.dep_ == "prep" and word == "in" and any(c.lemma_ in _FICTIONS for c in child.children):
            return Modality.IMAGINED  # "in the play she was married to him"
        had = word == "'d" and verb.tag_ == "VBN"
        wished = child.dep_ == "auxpass" and word == "were" and _is_one(verb)
        if wished or (child.dep_ == "aux" and word in _UNREAL_AUX and not had):
            unreal = True
        elif (
            child.dep_ == "mark"
            and word in _UNREAL_MARKS
            and not (word == "though" and child.doc.words[max(0, child.i - 1)].lower_ != "as")  # "as though"
        ):
            return Modality.IMAGINED
        elif child.dep_ == "advcl" and "if" in child.said("mark"):
            unreal = unreal or "as" not in child.said()
    if unreal or (verb.lower_ == "were" and _is_one(verb)):  # "if only he were"
        return Modality.PLANNED
    if verb.tag_ == "VB" and any(c.tag_ == "TO" for c in verb.children):
        if verb.dep_ in ("advcl", "relcl"):
            return Modality.PLANNED
        if verb.dep_ == "acl" and verb.head.lemma_.lower() not in _FACT_NOUNS:
            return Modality.PLANNED
    return None


def _is_one(verb: Word) -> bool:
    """Is one person the subject, of whom a plain "were" is not told as a fact?"""
    return bool(verb.said("nsubj", "nsubjpass") & {"he", "she", "it", "i"})


def _governed(  # noqa: PLR0911 (a way up a line)
    paragraph: ParsedParagraph, verb: Word
) -> Modality | None:
    """What the clauses above say: a verb of saying, believing, dreaming, planning or failing over it."""
    node = verb
    for _ in range(_DEPTH):
        if node.dep_ not in _UP or node.head is node:
            return None
        head, link = node.head, node.dep_
        if _speech_between(paragraph, node, head) or (link == "ccomp" and _set_beside(paragraph, node)):
            return None
        if link in ("xcomp", "ccomp", "pcomp", "acl", "relcl") and head.pos_ in (
            *_CLAUSES,
            "ADJ",
            "NOUN",
            "ADP",
        ):
            found = _over(head, node, link)
            if found is not None:
                return found
        if link in ("xcomp", "ccomp", "advcl", "relcl") and head.pos_ in _CLAUSES:
            above = _clause(head) if link not in ("relcl", "advcl") else None
            content = link == "ccomp" and head.lemma_ in _FACTIVE and "that" in node.said("mark")
            if above is Modality.NEGATED and content:
                return None
            if above is not None:
                return above
            if link == "advcl" and node.said("mark", "advmod") & _FREE:
                return None
        node = head
    return None


def _speech_between(paragraph: ParsedParagraph, clause: Word, head: Word) -> bool:
    """Does direct speech part the two? Then neither governs the other, whatever the parser thinks."""
    low, high = sorted((clause.idx, head.idx))
    return any(
        low < end and start < high and not (start <= low and high < end)
        for start, end in paragraph.prose.quotes
    )


def _set_beside(paragraph: ParsedParagraph, clause: Word) -> bool:
    """A clause before its head and without conjunction is one of its own ("He came; she had not slept"),
    but for what somebody says or thinks ("he was lost, she thought"); one with another conjunction than
    "that" is no content."""
    marks = clause.said("mark")
    if marks:
        return not marks & _CONTENT
    if clause.i > clause.head.i:
        return False
    if clause.head.lemma_.lower() not in _THOUGHT or paragraph.prose.quotes:
        return True
    doc = clause.doc
    return any(doc[i].lower_ in (";", "and") for i in range(clause.right_edge.i, clause.head.i))


def _over(head: Word, clause: Word, link: str) -> Modality | None:  # noqa: PLR0911, PLR0912 (a table in words)
    lemma = head.lemma_.lower()
    if lemma == "go" and head.tag_ == "VBG" and link == "xcomp":  # "going to marry"
        return Modality.PLANNED
    if lemma in DREAM_WORDS and not (lemma == "wish" and link == "xcomp"):
        return Modality.IMAGINED
    if lemma in NEGATIVE_GOVERNORS:
        return Modality.NEGATED if link in ("xcomp", "pcomp") else None
    if link == "ccomp":
        if head.lower_ == "afraid":
            return Modality.IMAGINED
        bare = clause.tag_ in ("VBN", "VBG", "VB", "VBP") and not clause.has("aux", "auxpass")
        if lemma in _SENSING and bare:
            return None  # "felt himself lifted", "heard him say it"
        if lemma in SAY_VERBS:
            return Modality.REPORTED
        if lemma == "lie":
            return Modality.IMAGINED
        if lemma == "be":  # "her first thought was that she had been betrayed"
            subjects = (child.lemma_.lower() for child in head.children if child.dep_ == "nsubj")
            return next((_under_noun(noun, clause) for noun in subjects), None)
        if lemma in GOAL_VERBS and head.pos_ in _CLAUSES and lemma not in BELIEF_VERBS:
            return Modality.PLANNED
        return Modality.IMAGINED if lemma in BELIEF_VERBS else None
    if link == "xcomp":
        real = lemma in FACT_GOVERNORS or lemma in _IMPLICATIVE or head.lower_ in _STIRRED
        return None if real else Modality.PLANNED
    if head.pos_ == "NOUN" and (link == "acl" or (link == "relcl" and _content_of(clause, lemma))):
        return _under_noun(lemma, clause)
    if link == "pcomp" and head.lower_ in ("of", "without", "from", "about", "against", "for"):
        return Modality.PLANNED
    return None


def _content_of(clause: Word, noun: str) -> bool:
    """Like "a rumour that Elena came", which the parser takes for a relative clause, not "that he heard"."""
    return noun in _OPINION_NOUNS | _REPORT_NOUNS and any(
        child.lower_ == "that" and child.dep_ not in ("dobj", "nsubj", "nsubjpass")
        for child in clause.children
    )


def _under_noun(noun: str, clause: Word) -> Modality | None:
    """Like "the fact that he came", "the hope that", "a plan to"."""
    if noun in _FACT_NOUNS:
        return None
    if clause.tag_ in ("VB", "VBG") or any(child.tag_ == "TO" for child in clause.children):
        return Modality.PLANNED if clause.tag_ == "VB" else None
    if noun in _OPINION_NOUNS:
        return Modality.IMAGINED
    return Modality.REPORTED if noun in _REPORT_NOUNS else None


def _shares(verb: Word) -> bool:
    """Does the second of two joined verbs live by the first one's auxiliaries and governor?"""
    if verb.dep_ != "conj" or verb.head is verb or verb.head.pos_ not in _CLAUSES:
        return False
    if verb.has("nsubj", "nsubjpass"):
        return False
    if verb.tag_ in ("VBD", "VBZ", "VBP"):
        return False
    return not negated(verb.head) or bool(verb.head.said() & {"or", "nor"})


def _past_perfect(verb: Word) -> bool:
    """Told as "had killed", but not "had just", "had always", "had been rivals since", which are true now,
    nor an arrival, whose outcome is."""
    if not (verb.said("aux") & {"had", "'d"}):
        return False
    still = verb.said("advmod") & (_STILL | _JUST) or "since" in verb.said("prep", "mark")
    still = still or (verb.tag_ == "VBG" and "for" in verb.said("prep"))  # "had been living there for a year"
    return not still and verb.lemma_ not in _ARRIVALS
