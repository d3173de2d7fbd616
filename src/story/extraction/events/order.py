"""Temporal relations between events: which happened before which, by conjunctions, tense and shifts of time.

How two events lie in story time is told by these, in this order: a conjunction of time or reason between the
two clauses; a clause that leads in to another; the aspects of both (see ``aspect_of``); and where nothing
tells, the order of telling, which is the order of the story (Labov and Waletzky 1967: narrative clauses are
told in the order of what happened).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from ....core.types import Span
from ...model.types import Order
from ..clauses.arguments import FactCollector
from ..clauses.modality import Aspect, aspect_of, clause_of
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word


class Lies(StrEnum):
    """Of the one told first, to the one told second; ``INCLUDES``: the second happens while it lasts."""

    BEFORE = "before"
    AFTER = "after"
    INCLUDES = "includes"
    INCLUDED = "is_included"


@dataclass(frozen=True, slots=True)
class Relative:
    """``by`` is what tells: ``"word"`` (a connective), ``"clause"`` (what hangs on what), ``"tense"``,
    ``"aspect"``, or ``"telling"``, nothing but the order of the text."""

    lies: Lies
    by: str


_BACKGROUND = frozenset({Aspect.STATE, Aspect.PROGRESS})
_MOVING = frozenset("then afterwards afterward later next thereupon presently finally suddenly soon".split())
_NEXT = frozenset({"one", "next", "following"})
_CLIMB = 5
# conjunction → how the main clause lies to the clause that it opens
_CONJUNCTIONS = MappingProxyType(
    dict.fromkeys("before until till ere".split(), Lies.BEFORE)
    | dict.fromkeys(("after", "once", "as soon as", "when", "because", "since", "for"), Lies.AFTER)
    | dict.fromkeys(("while", "whilst", "whenever", "as", "as long as"), Lies.INCLUDED)
)
_OPEN = frozenset({"when", "because", "since", "for"})  # a lasting clause behind these goes on beside
_OPPOSITE = ((Lies.BEFORE, Lies.AFTER), (Lies.INCLUDES, Lies.INCLUDED))
_TURNED = MappingProxyType(dict((*_OPPOSITE, *(pair[::-1] for pair in _OPPOSITE))))


def lies(one: Word, other: Word) -> Relative:
    """How the event of token ``one`` lies to that of ``other``, told later in the text. Tokens of one
    document are also compared by syntax, those of two by tense and aspect alone."""
    if one.doc is other.doc and one.sent == other.sent:
        found = _joined(one, other) or _joined(other, one) or _leading(one, other)
        if found is not None:
            return found
    return _by_aspect(one, other)


def subordinator(verb: Word) -> str:
    """The conjunction that opens the adverbial clause of ``verb``, "as soon as" as one; empty for none."""
    if verb.dep_ != "advcl":
        return ""
    for child in verb.children:
        if child.dep_ in ("mark", "advmod", "prep", "cc") and child.i < verb.i:
            word = child.lower_
            if word == "as" and child.i:
                word = {"soon": "as soon as", "long": "as long as"}.get(child.nbor(-1).lower_, word)
            if word in _CONJUNCTIONS:
                return word
    return ""


def _joined(main: Word, below: Word) -> Relative | None:
    """By a conjunction that makes the clause of ``below`` hang on that of ``main``; of whichever is told
    first to the other."""
    over, node = clause_of(main), clause_of(below)
    for _ in range(_CLIMB):
        word, head = subordinator(node), node.head
        while word and head.pos_ not in ("VERB", "AUX") and head.head is not head:
            head = head.head  # "as soon as" hangs on "soon"
        while word and head.dep_ == "conj" and head is not over:
            head = head.head  # "he rose and left when she came"
        if word:
            found = _told_by(word, over, below) if head is over else None
            return Relative(found if over.i < node.i else _TURNED[found], "word") if found else None
        if node.dep_ not in ("conj", "xcomp", "ccomp") or head in (over, node):
            return None
        node = head
    return None


def _told_by(word: str, main: Word, below: Word) -> Lies | None:
    if word == "when" and main.i < below.i and aspect_of(main) in _BACKGROUND:
        return Lies.INCLUDES
    return Lies.INCLUDED if word in _OPEN and aspect_of(below) in _BACKGROUND else _CONJUNCTIONS[word]


def _leading(one: Word, other: Word) -> Relative | None:
    """Like "having eaten, he ran", "seeing her, he ran": what leads in to the main clause is over by then;
    what hangs on behind it ("he jumped, taking her along") goes on beside it."""
    first, second = clause_of(one), clause_of(other)
    if second.head is first and second.tag_ == "VBG" and not second.has("aux", "auxpass"):
        return Relative(Lies.INCLUDES, "clause")
    if first.dep_ != "advcl" or first.head is not second:
        return None
    bare = first.tag_ == "VBG" and not first.has("aux", "auxpass") and aspect_of(one) is not Aspect.STATE
    return Relative(Lies.BEFORE, "clause") if bare or aspect_of(one) is Aspect.PERFECT else None


def _by_aspect(one: Word, other: Word) -> Relative:
    first, second = aspect_of(one), aspect_of(other)
    verb = clause_of(other)
    if second is Aspect.PERFECT and first is not Aspect.PERFECT:
        resumes = bool(subordinator(verb)) and verb.i < verb.head.i  # "when he had slept, he ..."
        return Relative(Lies.BEFORE, "telling") if resumes else Relative(Lies.AFTER, "tense")
    if first is Aspect.PERFECT:
        return Relative(Lies.BEFORE, "tense" if second is not Aspect.PERFECT else "telling")
    if _moves_on(one, verb):
        return Relative(Lies.BEFORE, "word")
    lasting = first in _BACKGROUND or first is Aspect.REACTION
    return Relative(Lies.INCLUDES, "aspect") if lasting else Relative(Lies.BEFORE, "telling")


def _moves_on(one: Word, verb: Word) -> bool:
    """Does a word between the two close what was going on ("one day", "at last", "then")?"""
    for child in (*verb.children, *verb.head.children):
        if child.i <= one.i and child.doc is one.doc:
            continue
        if child.dep_ in ("advmod", "prep", "npadvmod") and child.lower_ in _MOVING:
            return bool(child.i < 2 or child.nbor(-2).lower_ != "now")  # "now and then"
        if child.dep_ == "npadvmod" and child.said() & _NEXT:
            return True
    return False


_SURE = {"word": 0.85, "clause": 0.7, "tense": 0.75}  # confidence, by what tells
_SHIFT, _SCENE = 0.8, 0.75
_BACK = 2  # paragraphs

_Key = tuple[int, int]


def read_orders(chapter: ParsedChapter, facts: FactCollector) -> Iterator[Order[int, Span]]:
    """The orders that a word or a tense tells, in order of the text; what is told in the order in which it
    happened is not stored. Only of what happened, and not across direct speech."""
    seen: set[_Key] = set()
    main: _Key | None = None  # the last happening told that is not a step back
    last: _Key | None = None
    for key in sorted(facts.at):
        paragraph = chapter.paragraphs[key[0]]
        verb = paragraph.doc[key[1]]
        if not facts.happenings[facts.at[key]].modality.happened or paragraph.spoken(verb):
            continue
        above = (key[0], verb.head.i)
        for other in dict.fromkeys((above if above in facts.at and above != key else None, last, main)):
            order = _order(chapter, facts, other, key) if other is not None else None
            if order is not None and (order.earlier, order.later) not in seen:
                seen.update({(order.earlier, order.later), (order.later, order.earlier)})
                yield order
        last = key
        if aspect_of(verb) is not Aspect.PERFECT and not chapter.scenes[paragraph.prose.scene].flashback:
            main = key


def _order(chapter: ParsedChapter, facts: FactCollector, one: _Key, other: _Key) -> Order[int, Span] | None:
    """What a word or tense tells of the two; None for nothing, or for one that lies within the other."""
    one, other = min(one, other), max(one, other)
    first, second = chapter.paragraphs[one[0]], chapter.paragraphs[other[0]]
    found = _by_scene(chapter, first, second)
    if found is None and second.number - first.number <= _BACK:
        found = _by_shift(facts, first, second, one, other)
        if found is None:
            relative = lies(first.doc[one[1]], second.doc[other[1]])
            found = (relative.lies, _SURE.get(relative.by, 0.0))
    where, sure = found or (Lies.BEFORE, 0.0)
    if where not in (Lies.BEFORE, Lies.AFTER) or not sure:
        return None
    early, late = (one, other) if where is Lies.BEFORE else (other, one)
    spans = (first.sentence(first.doc[one[1]]).span, second.sentence(second.doc[other[1]]).span)
    return Order(facts.at[early], facts.at[late], tuple(dict.fromkeys(spans)), sure)


def _by_scene(
    chapter: ParsedChapter, first: ParsedParagraph, second: ParsedParagraph
) -> tuple[Lies, float] | None:
    """A flashback scene lies before the scene told before it, and before the one it leads back to."""
    one, other = chapter.scenes[first.prose.scene], chapter.scenes[second.prose.scene]
    if one.flashback == other.flashback:
        return None
    return (Lies.AFTER if other.flashback else Lies.BEFORE), _SCENE


def _by_shift(
    facts: FactCollector, first: ParsedParagraph, second: ParsedParagraph, one: _Key, other: _Key
) -> tuple[Lies, float] | None:
    """A shift of time that opens the sentence: "The next morning", "Three years earlier"."""
    sentence = second.sentence(second.doc[other[1]])
    if first is second and first.sentence(first.doc[one[1]]) is sentence:
        return None
    opening = second.doc[sentence.start].idx
    for expression in facts.times(second):
        if expression.kind == "shift" and opening <= expression.start <= opening + 1:
            if expression.value.startswith("-"):
                return Lies.AFTER, _SHIFT
            return None if expression.value == "P0D" else (Lies.BEFORE, _SHIFT)
    return None
