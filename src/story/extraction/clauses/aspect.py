"""How a clause lies in time by its own form: an event, a state, something going on, something over before.

Narrative time moves with events in the simple past; states and what is going on are the background they
happen against (Kamp and Rohrer 1983; Dowty 1986, "The effects of aspectual class on the temporal structure
of discourse"), and a past perfect steps back behind the time told (Reichenbach 1947).
"""

from __future__ import annotations

from enum import StrEnum

from ...lexicon.words import CLAUSE_WORDS
from ..parsing.words import Word


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

# of these, what goes on in a mind
MENTAL = CLAUSE_WORDS.listed("mental")

# adjectives and participles of feelings that something just told has stirred
REACTIONS = CLAUSE_WORDS.listed("reaction")
_ONSET = frozenset("soon then presently instantly immediately suddenly at last finally so now".split())
_HABIT = frozenset({"would", "used"})
_BE = frozenset("was were is are am been be being 's 're 'm".split())
_HAD = frozenset({"had", "'d"})
TIMES = CLAUSE_WORDS.listed("span")
_AHEAD = frozenset("before until till ere".split())
_BEHIND = frozenset("after since".split())


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


def dates_another(verb: Word) -> bool:
    """Does the clause only say when something else is: "the night that he died", "before he died"? Whether
    that is over at the time told, it leaves open; not so "since the night that he died", nor what was over
    before ("had gone before he died")."""
    head = verb.head
    if verb.dep_ in ("relcl", "acl", "ccomp") and head.lemma_.lower() in TIMES:
        return not (head.dep_ == "pobj" and head.head.lower_ in _BEHIND)
    if _named_time(verb):
        return True
    if verb.dep_ == "pcomp":
        return head.lower_ in _AHEAD and aspect_of(head.head) is not Aspect.PERFECT
    marked = bool(verb.said("mark", "advmod") & _AHEAD)
    return verb.dep_ == "advcl" and marked and aspect_of(head) is not Aspect.PERFECT


def _named_time(verb: Word) -> bool:
    """Like "the year he turned six", which the parser takes for a clause of its own."""
    own = next(iter(verb.by("nsubj", "nsubjpass")), None)
    first = own.left_edge.i if own is not None else 0
    if first == 0:
        return False
    time = verb.doc[first - 1]
    definite = "the" in time.said()
    return definite and time.dep_ in ("npadvmod", "attr") and time.lemma_.lower() in TIMES
