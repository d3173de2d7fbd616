"""What joins two events: one causes the other, one comes before the other.

How two events lie in story time is told by these, in this order: a conjunction of time or reason between the
two clauses; what hangs on what (a complement, a participle, a relative clause); the aspects of both (see
``aspect_of``); and where nothing tells, the order of telling, which is the order of the story (Labov and
Waletzky 1967: narrative clauses are told in the order of what happened).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ...lexicon.verbs_and_nouns import ANSWERS_A_DEED
from ...model.chapter_reading import Cause, Happening, Order
from ...model.types import Modality
from ..clauses.arguments import FactCollector
from ..clauses.modality import MENTAL, REACTIONS, STATIVE, Aspect, aspect_of, clause_of
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word


class Lies(StrEnum):
    """Of the one told first, to the one told second; ``INCLUDES``: the second happens while it lasts."""

    BEFORE = "before"
    AFTER = "after"
    INCLUDES = "includes"
    INCLUDED = "is_included"


@dataclass(frozen=True, slots=True)
class Relative:
    """``by`` is what tells: ``"word"`` (a connective), ``"tense"``, ``"clause"`` (what hangs on what),
    ``"aspect"``, or ``"telling"``, nothing but the order of the text."""

    lies: Lies
    by: str


_BACKGROUND = frozenset({Aspect.STATE, Aspect.PROGRESS})
_CLAUSES = ("VERB", "AUX")
_PERCEIVING = frozenset(
    "see hear watch notice observe perceive feel find catch spy discover behold smell sight".split()
)
_COMPLEMENTS = frozenset("ccomp xcomp dobj acl advcl prep".split())
_STIRRING = frozenset({"at", "by", "with"})
_MOVING = frozenset("then afterwards afterward later next thereupon presently finally suddenly soon".split())
_NEXT = frozenset({"one", "next", "following"})
_SAYING = frozenset("say cry exclaim add reply remark observe answer ask call shout whisper beg".split())
_FINITE = ("VBD", "VBZ", "VBP")
_CLIMB = 5
_AFTER = frozenset({"after", "once"})
_UNTIL = frozenset({"before", "until", "till", "ere"})
_WHILE = frozenset({"while", "whilst", "whenever"})
_REASON = frozenset({"because", "since", "for"})
_WHEN = frozenset({"when"})


def lies(one: Word, other: Word) -> Relative:
    """How the event of token ``one`` lies to that of ``other``, told later in the text. Tokens of one
    document are also compared by syntax, those of two by tense and aspect alone."""
    if one.doc is other.doc and one.sent == other.sent:
        found = _joined(one, other) or _hanging(one, other)
        if found is not None:
            return found
    return _by_aspect(one, other)


def subordinator(verb: Word) -> str:
    """The conjunction that opens the adverbial clause of ``verb``, "as soon as" as one; empty for none."""
    if verb.dep_ != "advcl":
        return ""
    for child in verb.children:
        word = child.lower_
        if child.dep_ in ("mark", "advmod", "prep", "cc") and child.i < verb.i:
            if word in _AFTER | _UNTIL | _WHILE | _REASON | _WHEN:
                return str(word)
            if word == "as" and child.dep_ in ("mark", "advmod"):
                before = child.nbor(-1).lower_ if child.i else ""
                return {"soon": "as soon as", "long": "as long as"}.get(before, "as")
    return ""


def _above(verb: Word, target: Any) -> Word | None:
    """The clause that hangs on ``target`` (or on a clause joined with it) and holds ``verb``; itself at
    the most, None where ``target`` is not above."""
    node = verb
    for _ in range(_CLIMB):
        head = node.head
        if head is node or head.i == node.i:
            return None
        if head.i == target.i:
            return node
        node = head
    return None


def _joined(one: Word, other: Word) -> Relative | None:
    """By a conjunction of time or reason that makes one of the clauses hang on the other."""
    first, second = clause_of(one), clause_of(other)
    below = _subordinate(second, first)
    if below:
        found = _subordinate_last(below, one, other)
        return Relative(found, "word") if found else None
    below = _subordinate(first, second)
    if below:
        found = _subordinate_first(below, one)
        return Relative(found, "word") if found else None
    return None


def _subordinate(verb: Word, main: Any) -> str:
    """The conjunction by which the clause of ``verb`` hangs on that of ``main``, straight or joined, with
    the conjunction's clause on the side of ``verb``."""
    node = verb
    for _ in range(_CLIMB):
        word, head = subordinator(node), node.head
        if word:
            while head.pos_ not in _CLAUSES and head.head.i != head.i:  # "as soon as" hangs on "soon"
                head = head.head
            if (node.i < head.i) != (verb.i < main.i):  # "he fell, and when he rose, they laughed"
                return ""
            over = head
            while head.dep_ == "conj" and head.i not in (main.i, head.head.i):
                head = head.head
            below = _above(main, over)
            beside = below is not None and below.i != node.i
            return word if main.i in (head.i, over.i) or beside else ""
        if node.dep_ not in ("conj", "xcomp", "ccomp") or head.i in (node.i, main.i):
            return ""
        node = head
    return ""


def _subordinate_last(  # noqa: PLR0911 (a conjunction a line)
    word: str, one: Word, other: Word
) -> Lies | None:
    """``one`` is the main clause, ``other`` behind it the subordinate one."""
    if word in _UNTIL:
        return Lies.BEFORE
    if word in _AFTER or word == "as soon as":
        return Lies.AFTER
    background = aspect_of(one) in _BACKGROUND
    inside = aspect_of(other) in _BACKGROUND
    if word in _WHEN:
        if background or _about(one):
            return Lies.INCLUDES
        if _set_off(other):
            return Lies.BEFORE
        return Lies.INCLUDED if inside else Lies.AFTER
    if word in _WHILE or word in ("as", "as long as"):
        return Lies.INCLUDED
    if word in _REASON:
        return Lies.INCLUDED if inside else Lies.AFTER
    return None


def _subordinate_first(word: str, one: Word) -> Lies | None:
    """``one`` is the subordinate clause, before the main one."""
    if word in _UNTIL:
        return Lies.AFTER
    if word in _AFTER or word == "as soon as":
        return Lies.BEFORE
    if word in _WHILE or word == "as long as":
        return Lies.INCLUDES
    if word in _WHEN or word in _REASON:
        return Lies.INCLUDES if aspect_of(one) in _BACKGROUND else Lies.BEFORE
    return Lies.INCLUDES


def _set_off(token: Word) -> bool:
    """Like "he set out, when it began to rain": behind a comma "when" goes on with the story."""
    node = clause_of(token)
    while subordinator(node) == "" and node.head.i != node.i:
        node = node.head
    opens = next((child for child in node.children if child.lower_ in _WHEN), None)
    return opens is not None and opens.i > 0 and opens.nbor(-1).lower_ == ","


def _about(token: Word) -> bool:
    """Like "was about to leave", "was going to be killed"."""
    return token.lower_ in ("about", "going") and any(
        child.dep_ == "xcomp" or child.lower_ == "to" for child in token.children
    )


def _hanging(one: Word, other: Word) -> Relative | None:
    """By what hangs on what: complements, participles, relative clauses."""
    first, second = clause_of(one), clause_of(other)
    below = _above(second, first)
    if below is not None:
        found = _stirred(one, second) or _complement(one, below, other) or _trailing(other)
    else:
        over = _above(first, second)
        found = _leading(one, over) if over is not None else None
    return Relative(found, "clause") if found else None


def _stirred(one: Word, second: Any) -> Lies | None:
    """A feeling comes after what stirs it: "terrified at the sight", "annoyed at being asked"."""
    if one.lower_ not in REACTIONS or second.head.pos_ != "ADP":
        return None
    return Lies.AFTER if second.head.lower_ in _STIRRING and second.dep_ in ("pobj", "pcomp") else None


def _complement(one: Word, below: Any, other: Word) -> Lies | None:
    aspect = aspect_of(other)
    if aspect is Aspect.PERFECT:
        return Lies.AFTER
    second = clause_of(other)
    if one.lemma_.lower() in _PERCEIVING and below.dep_ in _COMPLEMENTS:
        return Lies.INCLUDED if second.tag_ == "VBG" or aspect in _BACKGROUND else None
    if below.dep_ == "ccomp" and aspect in _BACKGROUND:
        return Lies.INCLUDED
    return None


def _trailing(other: Word) -> Lies | None:
    """A participle or a relative clause behind the main verb."""
    second = clause_of(other)
    if second.dep_ == "advcl" and second.tag_ == "VBG" and _bare(second):
        return Lies.BEFORE if second.lemma_.lower() in _SAYING else Lies.INCLUDES
    if second.dep_ in ("advcl", "acl") and second.tag_ == "VBN" and aspect_of(other) is not Aspect.PERFECT:
        return Lies.INCLUDED
    if second.dep_ == "relcl" and aspect_of(other) in _BACKGROUND:
        return Lies.INCLUDED
    return None


def _leading(one: Word, over: Any) -> Lies | None:
    """A participle or a relative clause before the main verb; ``over`` hangs on that and holds it."""
    first, aspect = clause_of(one), aspect_of(one)
    if aspect is Aspect.PERFECT or (aspect is Aspect.REACTION and first.dep_ == "advcl"):
        return Lies.BEFORE
    if first.tag_ == "VBG" and first.dep_ in ("advcl", "acl", "csubj") and _bare(first):
        lasting = first.lemma_.lower() in STATIVE | MENTAL
        return Lies.INCLUDES if lasting else Lies.BEFORE
    if over.pos_ in ("NOUN", "PROPN", "PRON") and (aspect in _BACKGROUND or first.tag_ == "VBN"):
        return Lies.INCLUDES
    return None


def _bare(verb: Word) -> bool:
    return not verb.has("aux", "auxpass")


def _by_aspect(one: Word, other: Word) -> Relative:
    first, second = aspect_of(one), aspect_of(other)
    if second is Aspect.PERFECT and first is not Aspect.PERFECT:
        if _resumes(clause_of(other)):
            return Relative(Lies.BEFORE, "telling")
        return Relative(Lies.AFTER, "tense")
    if first is Aspect.PERFECT:
        return Relative(Lies.BEFORE, "tense" if second is not Aspect.PERFECT else "telling")
    if (first in _BACKGROUND or first is Aspect.REACTION) and not _moves_on(one, other):
        return Relative(Lies.INCLUDES, "aspect")
    return Relative(Lies.BEFORE, "word" if _moves_on(one, other) else "telling")


def _resumes(verb: Word) -> bool:
    """Like "when he had picked up his hands full, he ...": over by the time that comes next."""
    return bool(subordinator(verb)) and verb.i < verb.head.i


def _moves_on(one: Word, other: Word) -> bool:
    """Does a word between the two close what was going on ("one day", "at last", "then")?"""
    verb = clause_of(other)
    for node in (verb, verb.head):
        for child in node.children:
            if child.i <= one.i and child.doc is one.doc:
                continue
            if child.dep_ in ("advmod", "prep", "npadvmod") and child.lower_ in _MOVING:
                return bool(child.i < 2 or child.nbor(-2).lower_ != "now")  # "now and then"
            if child.dep_ == "npadvmod" and child.said() & _NEXT:
                return True
    return False


_CAME_ABOUT = frozenset({Modality.FACT, Modality.FLASHBACK, Modality.REPORTED})
_REASONS = {"because": 0.75, "for": 0.6, "since": 0.55}
_HENCE = {
    "therefore": 0.65,
    "consequently": 0.65,
    "hence": 0.55,
    "thus": 0.5,
    "accordingly": 0.55,
    "so": 0.55,
}
_OPENERS = frozenset({",", ";", ":", "and", "--", "—"})
_NOT_SO = frozenset("that as far long much many".split())
_RESULT = frozenset("result consequence account reason".split())
_MAKING = frozenset("make cause force compel induce drive lead oblige".split())
_ANSWER, _SO_THAT, _FOR_DOING, _FEAR, _MADE = 0.4, 0.7, 0.65, 0.5, 0.6
_REACH = 3  # happenings back that a verdict may answer
_SURE = {"word": 0.85, "clause": 0.7, "tense": 0.75}
_BACK = 2  # paragraphs
_AT_SHIFT = 0.8
_AT_SCENE = 0.75

_Key = tuple[int, int]


def read_causes(chapter: ParsedChapter, facts: FactCollector) -> Iterator[Cause]:
    """In order of the effects. A goal ("in order to") is no cause: it need not come about."""
    keys = sorted(facts.at)
    for position, key in enumerate(keys):
        paragraph = chapter.paragraphs[key[0]]
        verb = paragraph.doc[key[1]]
        before = keys[position - 1] if position else None
        found: dict[_Key, tuple[_Key, float]] = {}
        for effect, cause, sure in _told(paragraph, verb, key, before, facts):
            if effect != cause and effect in facts.at and cause in facts.at:
                found.setdefault(effect, (cause, sure))
        if not found:
            answered = _answered(facts, keys, position)
            if answered is not None:
                found[key] = (answered, _ANSWER)
        for effect, (cause, sure) in found.items():
            one, other = facts.at[effect], facts.at[cause]
            if one != other and facts.happenings[one].modality in _CAME_ABOUT:
                yield Cause(one, other, paragraph.sentence(verb).span, sure)


def _told(
    paragraph: ParsedParagraph, verb: Word, key: _Key, before: _Key | None, facts: FactCollector
) -> Iterator[tuple[_Key, _Key, float]]:
    """(effect, cause, confidence) as connectives at ``verb`` tell them; not all of them are happenings."""
    number = paragraph.number
    word = subordinator(verb)
    if word in _REASONS and _gives_reason(verb, word):
        yield _clause_key(number, verb.head), key, _REASONS[word]
    elif verb.dep_ == "pcomp" and verb.head.lower_ == "for" and _blamed(verb):
        yield (number, verb.head.head.i), key, _FOR_DOING
    elif _fear(verb):
        yield (number, verb.head.head.head.i), key, _FEAR
    if verb.dep_ in ("ccomp", "advcl") and _result_of(verb):
        yield key, _clause_key(number, verb.head), _SO_THAT
    if verb.dep_ in ("ccomp", "xcomp") and verb.head.lemma_.lower() in _MAKING and _this(verb.head):
        yield key, _made_by(number, verb.head, facts, before), _MADE
    if before is not None and before[0] == number:
        sure = _hence(paragraph, verb, before[1])
        if sure:
            yield key, before, sure


def _gives_reason(verb: Word, word: str) -> bool:
    """Not "waited for him to come", "had watched him since he came"."""
    if word == "for":
        return not any(child.tag_ == "TO" for child in verb.children)
    return word != "since" or aspect_of(verb.head) is not Aspect.PERFECT


def _blamed(verb: Word) -> bool:
    """Like "thanked her for saving him"; a bare "for doing" tells a purpose as often."""
    return verb.head.head.lemma_.lower() in ANSWERS_A_DEED


def _fear(verb: Word) -> bool:
    """Like "for fear of being seen", "for fear that he would be seen"."""
    noun = verb.head.head if verb.dep_ == "pcomp" and verb.head.lower_ == "of" else verb.head
    return bool(noun.lower_ == "fear" and noun.dep_ == "pobj" and noun.head.lower_ == "for")


def _result_of(verb: Word) -> bool:
    """Like "wept so bitterly that he fled"; a bare "so that" tells a purpose."""
    if "that" not in verb.said("mark"):
        return False
    head = verb.head
    measures = [child for child in head.children if child.i < verb.i]
    return any(
        child.lower_ in ("so", "such") or bool(child.said() & {"so", "such"}) for child in measures
    ) and not any(child.lower_ == "so" and child.i == verb.left_edge.i - 1 for child in measures)


def _clause_key(number: int, token: Word) -> _Key:
    node = token
    while node.pos_ not in ("VERB", "AUX") and node.head.i != node.i:
        node = node.head
    return number, node.i


def _this(making: Any) -> bool:
    """Is the subject of "made", "caused" what the clause before has told?"""
    return bool(making.said("nsubj") & {"which", "this", "that", "it"})


def _made_by(number: int, making: Any, facts: FactCollector, before: _Key | None) -> _Key:
    node = making
    while node.head.i != node.i:
        node = node.head
        if (number, node.i) in facts.at:
            return number, node.i
    return before if before is not None else (number, making.i)


def _hence(paragraph: ParsedParagraph, verb: Word, before: int) -> float:
    """How surely a word at the clause says that it follows from what the token ``before``, in the same
    sentence or the last, told; 0 for none. "So" counts within a sentence; at its head it only goes on."""
    here, there = paragraph.sentence(verb), paragraph.sentence(paragraph.words[before])
    if here.index - there.index > 1:
        return 0.0
    for child in verb.children:
        if child.i > verb.i:
            break
        word = child.lower_
        if child.i < before or child.dep_ not in ("advmod", "cc", "prep"):
            continue
        if word == "so":
            clause = here is there and child.nbor(-1).lower_ in _OPENERS
            if clause and child.nbor(1).lower_ not in _NOT_SO and child.nbor(1).pos_ != "AUX":
                return _HENCE[word]
        elif word in _HENCE:
            return _HENCE[word]
        elif child.dep_ == "prep" and word in ("as", "in", "on", "for") and _names_result(child):
            return _HENCE["therefore"]
    return 0.0


def _names_result(preposition: Word) -> bool:
    """Like "as a result", "in consequence", "for this reason", "on that account"; but not "of" something."""
    return any(
        child.dep_ == "pobj" and child.lower_ in _RESULT and not child.has("prep", "amod", "poss")
        for child in preposition.children
    )


def _answered(facts: FactCollector, keys: list[_Key], position: int) -> _Key | None:
    """The deed that a verdict answers: the last one before it that the one judged did."""
    verdict = facts.happenings[facts.at[keys[position]]]
    if verdict.verb not in ANSWERS_A_DEED or verdict.agent is None or verdict.patient is None:
        return None
    judged = facts.chapter.name(verdict.patient)
    for key in reversed(keys[max(0, position - _REACH) : position]):
        deed = facts.happenings[facts.at[key]]
        near = keys[position][0] == key[0]
        did = deed.agent is not None and facts.chapter.name(deed.agent) == judged
        if did and near and deed.modality.happened:
            return key
    return None


# --- before and after -------------------------------------------------------------------------------


def read_orders(chapter: ParsedChapter, facts: FactCollector) -> Iterator[Order]:
    """The orders that a word or a tense tells, in order of the text; what is told in the order in which it
    happened is not stored. Only of what happened, and not across direct speech."""
    told = [key for key in sorted(facts.at) if _counts(facts.happenings[facts.at[key]], chapter, key)]
    known = frozenset(told)
    seen: set[tuple[int, int]] = set()
    main: _Key | None = None  # the last happening told that is not a step back
    last: _Key | None = None
    for key in told:
        verb = chapter.paragraphs[key[0]].doc[key[1]]
        stepped = aspect_of(verb) is Aspect.PERFECT
        for other in _beside(verb, key, last, main, known):
            order = _order(chapter, facts, other, key)
            if order is not None and (order.earlier, order.later) not in seen:
                seen.update({(order.earlier, order.later), (order.later, order.earlier)})
                yield order
        last = key
        if not stepped and not chapter.scenes[chapter.paragraphs[key[0]].prose.scene].flashback:
            main = key


def _counts(happening: Happening, chapter: ParsedChapter, key: _Key) -> bool:
    paragraph = chapter.paragraphs[key[0]]
    return happening.modality.happened and not paragraph.spoken(paragraph.doc[key[1]])


def _beside(
    verb: Word, key: _Key, last: _Key | None, main: _Key | None, known: frozenset[_Key]
) -> list[_Key]:
    """What the event may be ordered to: its own head, the one told last, the last on the main line."""
    head = (key[0], verb.head.i)
    found = [head] if head in known and head != key else []
    return [*dict.fromkeys([*found, *(one for one in (last, main) if one is not None)])]


def _order(chapter: ParsedChapter, facts: FactCollector, one: _Key, other: _Key) -> Order | None:
    """What a word or tense tells of the two; None for nothing, or for one that lies within the other."""
    one, other = min(one, other), max(one, other)
    first, second = chapter.paragraphs[one[0]], chapter.paragraphs[other[0]]
    if second.number - first.number > _BACK and not _at_scene(chapter, first, second):
        return None
    found = _by_scene(chapter, first, second) or _by_shift(facts, first, second, one, other)
    if found is None:
        relative = lies(first.doc[one[1]], second.doc[other[1]])
        found = (relative.lies, _SURE.get(relative.by, 0.0))
    where, sure = found
    if where not in (Lies.BEFORE, Lies.AFTER) or not sure:
        return None
    early, late = (one, other) if where is Lies.BEFORE else (other, one)
    spans = (first.sentence(first.doc[one[1]]).span, second.sentence(second.doc[other[1]]).span)
    return Order(facts.at[early], facts.at[late], tuple(dict.fromkeys(spans)), sure)


def _at_scene(chapter: ParsedChapter, first: ParsedParagraph, second: ParsedParagraph) -> bool:
    return first.prose.scene != second.prose.scene and _by_scene(chapter, first, second) is not None


def _by_scene(
    chapter: ParsedChapter, first: ParsedParagraph, second: ParsedParagraph
) -> tuple[Lies, float] | None:
    """A flashback scene lies before the scene told before it, and before the one it leads back to."""
    one, other = chapter.scenes[first.prose.scene], chapter.scenes[second.prose.scene]
    if one.flashback == other.flashback:
        return None
    return (Lies.AFTER if other.flashback else Lies.BEFORE), _AT_SCENE


def _by_shift(
    facts: FactCollector, first: ParsedParagraph, second: ParsedParagraph, one: _Key, other: _Key
) -> tuple[Lies, float] | None:
    """A shift of time that opens the sentence: "The next morning", "Three years earlier"."""
    verb = second.doc[other[1]]
    sentence = second.sentence(verb)
    if first is second and first.sentence(first.doc[one[1]]) is sentence:
        return None
    opening = second.doc[sentence.start].idx
    for expression in facts.times(second):
        if expression.kind == "shift" and opening <= expression.start <= opening + 1:
            if expression.value.startswith("-"):
                return Lies.AFTER, _AT_SHIFT
            return None if expression.value == "P0D" else (Lies.BEFORE, _AT_SHIFT)
    return None
