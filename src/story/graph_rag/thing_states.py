"""What is done to a thing that ends its use, what brings it back, and where it is used: clause by clause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Any

from ...core.types import Span
from ..extraction.clauses.arguments import Arguments
from ..extraction.clauses.modality import modality_of
from ..extraction.parsing.chapter import ParsedChapter, ParsedParagraph
from ..lexicon.verbs_and_nouns import BELIEF_VERBS, GOAL_VERBS, SAY_VERBS
from ..model.types import EntityKind, Modality

__all__ = ["Fresh", "Moment", "read_moments"]

# how a thing goes out of use → verbs that do it to their object; behind each its classes in Levin (1993)
_ENDS: dict[str, frozenset[str]] = {
    "eaten": frozenset("eat devour swallow consume drink gulp".split()),  # 39 ingesting
    "destroyed": frozenset(  # 44 destroy, 45.1 break, 23.3 disassemble
        """destroy smash shatter wreck demolish incinerate crush ruin shred disassemble dismantle annihilate
        obliterate burn""".split()
    ),
    "thrown away": frozenset("discard scrap junk spill dump drain".split()),  # 10.1 remove, 9.5 pour
    "given away": frozenset("sell donate".split()),  # 13.1 give
    "lost": frozenset("lose misplace forget".split()),
    "off": frozenset("unplug disconnect".split()),
    "emptied": frozenset({"empty"}),
    "shut": frozenset({"lock"}),
}
# (verb, particle) → how
_PHRASAL: MappingProxyType[tuple[str, str], str] = MappingProxyType(
    {
        ("throw", "away"): "thrown away", ("throw", "out"): "thrown away", ("toss", "out"): "thrown away",
        ("toss", "away"): "thrown away", ("blow", "up"): "destroyed", ("tear", "up"): "destroyed",
        ("rip", "up"): "destroyed", ("burn", "down"): "destroyed", ("take", "apart"): "destroyed",
        ("tear", "apart"): "destroyed", ("give", "away"): "given away",
        ("turn", "off"): "off", ("switch", "off"): "off", ("shut", "off"): "off", ("shut", "down"): "off",
        ("leave", "behind"): "lost", ("pour", "out"): "thrown away", ("eat", "up"): "eaten",
        ("finish", "off"): "eaten",
        ("turn", "on"): "on", ("switch", "on"): "on", ("plug", "in"): "on", ("pick", "up"): "back",
        ("take", "back"): "back", ("get", "back"): "back", ("put", "together"): "mended",
    }
)  # fmt: skip
_BINS = frozenset("trash dustbin bin garbage rubbish dumpster wastebasket toilet fire fireplace".split())
_PIECES = frozenset("piece shred bit half fragment ash".split())
_AWAY = frozenset("home house office school car".split())
_BACK: dict[str, frozenset[str]] = {
    "back": frozenset("find retrieve recover fetch return collect grab regain rescue locate".split()),
    "mended": frozenset("fix repair mend restore rebuild reassemble glue replace".split()),
    "opened": frozenset("unlock open".split()),
    "filled": frozenset("fill refill load".split()),
    "new": frozenset("buy purchase make bake cook borrow order rent acquire prepare".split()),
}
_UNUSABLE = frozenset("empty missing gone lost stolen broken destroyed ruined locked dead shattered".split())
_OUT_OF_ORDER = frozenset("broken ruined destroyed shattered".split())
# what one can do with a thing that is not there
_MIND = frozenset(
    """see look think remember regret miss want need search seek check notice watch clean sweep wipe mourn
    leave know like love hate blame describe draw forget avoid worry mop lose break dispose""".split()
) | SAY_VERBS | BELIEF_VERBS | frozenset(GOAL_VERBS)  # fmt: skip
_WORKING = frozenset(
    """use watch type log play print heat cook bake dry wash record listen write browse vacuum iron microwave
    toast blend start turn""".split()
)
_DAMAGING = frozenset(
    "cut chop saw hammer hit kick burn pound stomp bend tear rip throw toss kick bury".split()
)
_WITH = frozenset("with in on from into onto out inside off of".split())
_FRESH = frozenset("a an some another more new second other different extra fresh next spare".split())
_OVER = frozenset("fence wall cliff hedge edge bridge window side".split())
_ALL = frozenset("rest last remainder remaining".split())
_ASLEEP = frozenset("asleep unconscious".split())
_LATER = frozenset(
    """next later after morning day week month year hour minute afternoon evening until when while before once
    eventually finally tomorrow woke noise alarm""".split()
)
_PASSIVE = frozenset(
    "be have lie sleep dream snore rest stay remain seem feel hear need want love like".split()
)
# what a thing does by itself
_FAILING = {
    "break": "destroyed",
    "shatter": "destroyed",
    "explode": "destroyed",
    "die": "off",
    "crash": "off",
}
_FINISHING = frozenset("finish drink empty drain eat".split())
_POURING = frozenset("dump pour drain spill drink empty".split())
_VESSELS = frozenset(
    "bottle cup glass bowl plate can jar mug carton packet pot jug pitcher box bag container tin".split()
)
_DRAWING = frozenset("drink pour eat sip take get squeeze".split())
_THAT = frozenset("it them".split())
_ANY = frozenset("a an some".split())
_PARTS = frozenset("rest remainder remaining leftover half part peel core shell".split())


class Fresh(IntEnum):
    """Is it the thing spoken of before (KNOWN), some thing of the kind (ANY) or surely another one?"""

    KNOWN = 0
    ANY = 1
    OTHER = 2


@dataclass(frozen=True, slots=True)
class Moment:
    """``thing`` is a noun's lemma, ``marks`` the words that tell it from others of its kind (lower case),
    ``fresh`` says whether the text brings in another, ``whole`` that it speaks of all there were ("the last
    apple", "all the knives"); ``who`` does it.

    ``act`` is what becomes of it: ``"eaten"``, ``"destroyed"``, ``"thrown away"``, ``"given away"``,
    ``"lost"``, ``"off"``, ``"emptied"``, ``"shut"``, or ``"on"``, ``"back"``, ``"mended"``, ``"new"``,
    ``"filled"``, ``"opened"``; or how it serves: ``"used"``, ``"damaged"``, ``"run"`` (used while it must
    work), ``"drawn"`` (something is taken out of it). A person's moments stand under ``@`` and the name:
    ``"asleep"``, ``"awake"``, ``"acts"``.
    """

    thing: str
    marks: frozenset[str]
    fresh: Fresh
    whole: bool
    act: str
    who: tuple[str, ...]
    sentence: Span
    at: int


def read_moments(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Moment]:
    """In order of the text, out of narration alone and of what the text vouches for; with "could not find",
    "did not work" and the like, which say that a thing cannot be used."""
    for paragraph in chapter.paragraphs:
        for verb in paragraph.words:
            if verb.pos_ not in ("VERB", "AUX") or verb.dep_ in ("aux", "auxpass") or paragraph.spoken(verb):
                continue
            modality = modality_of(chapter, paragraph, verb)
            denied = modality is Modality.NEGATED
            if modality is None or not (denied or modality.happened):
                continue
            who = tuple(arguments.name(one) for one in arguments.subjects(paragraph, verb))
            sentence, at = paragraph.sentence(verb).span, paragraph.span(verb, verb).start
            for name in who if not denied else ():
                yield Moment(f"@{name}", frozenset(), Fresh.KNOWN, False, _waking(verb), who, sentence, at)
            if _unreal(verb) or (not who and verb.lemma_.lower() in _ENDS["lost"]):
                continue  # shirts lose their folds, too, but nobody loses them
            for found, act in _unmade(verb) if denied else _acts(verb):
                noun = _meant(found)
                if noun is None or _person(chapter, paragraph, noun):
                    continue
                thing, fresh = noun.lemma_.lower(), _fresh(noun) if noun is found else Fresh.KNOWN
                yield Moment(thing, _marks(noun), fresh, _whole(found), act, who, sentence, at)


def _unreal(verb: Any) -> bool:
    """In an infinitive that is itself a subject: "to eat it alone would be mean"."""
    node = verb
    while node.head is not node and node.dep_ in ("conj", "xcomp", "csubj"):
        if node.dep_ == "csubj":
            return True
        node = node.head
    return bool(node.dep_ == "csubj")


def _waking(verb: Any) -> str:
    """Does the clause put its subject to sleep, wake it, or have it act? Time that passes wakes."""
    lemma = verb.lemma_.lower()
    words = {c.lower_ for c in verb.children}
    if lemma in ("fall", "be", "lie") and words & _ASLEEP:
        return "asleep"
    if lemma in ("sleep", "faint", "doze") or (lemma == "pass" and "out" in words):
        return "asleep"
    to_bed = [n for c in verb.children if c.dep_ == "prep" and c.lower_ == "to" for n in _behind(c)]
    if lemma == "go" and any(n.lower_ in ("bed", "sleep") for n in to_bed):
        return "asleep"
    passed = any(t.lower_ in _LATER for t in verb.sent)
    if passed or lemma in ("wake", "awake", "awaken", "rise") or (lemma == "get" and "up" in words):
        return "awake"
    return "acts" if lemma not in _PASSIVE and not any(c.dep_ == "nsubjpass" for c in verb.children) else ""


def _unmade(verb: Any) -> Iterator[tuple[Any, str]]:
    lemma = verb.lemma_.lower()
    if lemma in ("find", "locate"):
        yield from ((noun, "lost") for noun in _slot(verb, "dobj"))
    elif lemma in ("work", "start", "run"):
        yield from ((noun, "off") for noun in _slot(verb, "nsubj"))


def _acts(verb: Any) -> Iterator[tuple[Any, str]]:
    lemma = verb.lemma_.lower()
    behind = [noun for c in verb.children if c.dep_ == "prt" for noun in _behind(c)]  # "put on" and its coat
    objects = [*_slot(verb, "dobj"), *_slot(verb, "nsubjpass"), *behind]
    particle = next((c.lower_ for c in verb.children if c.dep_ in ("prt", "advmod")), "")
    act = _PHRASAL.get((lemma, particle)) or next((a for a, v in _ENDS.items() if lemma in v), "")
    act = act or next((a for a, v in _BACK.items() if lemma in v), "") or _placed(verb, lemma)
    if act:
        yield from ((noun, act) for noun in objects)
    yield from _used_up(verb, lemma, objects)
    if lemma == "be":
        states = [c for c in verb.children if c.dep_ in ("acomp", "attr") and c.lower_ in _UNUSABLE]
        for state in states:
            act = {"dead": "off", "locked": "shut"}.get(state.lower_, "lost")
            act = "destroyed" if state.lower_ in _OUT_OF_ORDER else act
            act = "emptied" if state.lower_ == "empty" else act
            yield from ((noun, act) for noun in _slot(verb, "nsubj"))
        return
    if lemma in _FAILING and not objects:
        yield from ((noun, _FAILING[lemma]) for noun in _slot(verb, "nsubj"))
    if lemma == "run" and particle == "out":  # "ran out of ink"
        yield from (
            (noun, "eaten") for child in verb.children if child.dep_ == "prep" for noun in _behind(child)
        )
        return
    if lemma in _MIND and lemma not in _WORKING:
        return
    use = "damaged" if lemma in _DAMAGING else "run" if lemma in _WORKING else "used"
    if not act:
        yield from ((noun, use) for noun in objects)
    for child in verb.children:
        if child.dep_ == "prep" and child.lower_ in _WITH:
            drawn = child.lower_ in ("from", "out") and lemma in _DRAWING
            yield from ((noun, "drawn" if drawn else use) for noun in _behind(child))


def _used_up(verb: Any, lemma: str, objects: Sequence[Any]) -> Iterator[tuple[Any, str]]:
    """ "finished the bottle of water", "dumped all the water out of the bottle"."""
    if lemma in _FINISHING:
        for noun in objects:
            if noun.lemma_.lower() in _VESSELS:
                yield noun, "emptied"
                held = (n for c in noun.children if c.dep_ == "prep" and c.lower_ == "of" for n in _behind(c))
                yield from ((what, "eaten") for what in held)
    if lemma in _POURING and any(_whole(noun) for noun in objects):
        for child in [*verb.children, *(c for noun in objects for c in noun.children)]:
            if child.dep_ == "prep" and child.lower_ in ("from", "out"):
                yield from ((noun, "emptied") for noun in _behind(child))


def _placed(verb: Any, lemma: str) -> str:  # noqa: PLR0911 (a phrase a line)
    """ "threw it in the bin", "cut it into pieces", "left it at home"."""
    for child in verb.children:
        if child.dep_ not in ("prep", "dative"):
            continue
        behind = {noun.lemma_.lower() for noun in _behind(child)}
        if lemma in ("throw", "toss", "drop", "dump", "put") and behind & _BINS:
            return "thrown away"
        if lemma == "throw" and child.lower_ in ("out", "over") and behind & _OVER:
            return "thrown away"
        if lemma in ("cut", "break", "tear", "rip", "smash", "chop") and behind & (_PIECES - {"half"}):
            return "destroyed"
        if lemma in ("leave", "forget") and child.lower_ in ("at", "in") and behind & _AWAY:
            return "lost"
        if lemma == "give" and child.dep_ == "dative":
            return "given away"
        if lemma == "give" and child.lower_ == "to" and behind:
            return "given away"
    return ""


def _slot(verb: Any, slot: str) -> list[Any]:
    return [part for child in verb.children if child.dep_ == slot for part in (child, *child.conjuncts)]


def _behind(preposition: Any) -> list[Any]:
    found = []
    for child in preposition.children:
        if child.dep_ == "pobj":
            found += [child, *child.conjuncts]
        elif child.dep_ == "prep":  # "out of the box"
            found += _behind(child)
    return found


def _person(chapter: ParsedChapter, paragraph: ParsedParagraph, noun: Any) -> bool:
    number = paragraph.mention_of.get(noun.i)
    return number is not None and chapter.mentions[number].kind is EntityKind.CHARACTER


def _meant(noun: Any) -> Any | None:
    """The noun itself, of "the rest of the cake" the cake; behind "it" or "them" the last object or subject
    of that number before it in the sentence."""
    if noun.lower_ in _ALL | _PARTS:
        whole = [n for c in noun.children if c.dep_ == "prep" and c.lower_ == "of" for n in _behind(c)]
        return whole[0] if whole and noun.lower_ in _ALL else None
    if noun.pos_ in ("NOUN", "PROPN"):
        return noun
    if noun.lower_ not in _THAT:
        return None
    plural = noun.lower_ == "them"
    for token in reversed(noun.doc[noun.sent.start : noun.i]):
        if token.pos_ == "NOUN" and token.dep_ in ("dobj", "pobj", "nsubj", "nsubjpass", "conj"):
            return token if (token.tag_ == "NNS") == plural else None
    return None


def _marks(noun: Any) -> frozenset[str]:
    words = {c.lower_ for c in noun.children if c.dep_ in ("amod", "compound", "nummod")}
    return frozenset(words - _FRESH)


def _fresh(noun: Any) -> Fresh:
    """Another ("new", a part of it, one told to be broken), or some of the kind ("a", a bare plural)?"""
    opened = {c.lower_ for c in noun.children if c.dep_ in ("det", "amod", "nummod")}
    if opened & _FRESH - _ANY:
        return Fresh.OTHER
    bare = noun.tag_ == "NNS" and not any(c.dep_ in ("det", "poss") for c in noun.children)
    part = noun.dep_ == "pobj" and noun.head.lower_ == "of" and noun.head.head.lower_ in _PARTS
    told = any(c.dep_ == "amod" and (c.tag_ == "VBN" or c.lower_.endswith("ed")) for c in noun.children)
    if part or told:
        return Fresh.OTHER
    return Fresh.ANY if opened & _ANY or bare else Fresh.KNOWN


def _whole(noun: Any) -> bool:
    """Like "all the knives", "the last apple", "the rest of the cake"."""
    words = {child.lower_ for child in noun.children if child.dep_ in ("det", "predet", "amod")}
    return noun.lower_ in _ALL or bool(words & {"all", "last", "whole", "entire", "every"})
