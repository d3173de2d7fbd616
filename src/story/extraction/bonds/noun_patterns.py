"""Bonds told by a turn of phrase: "had no enemy like Y", "an old enmity lay between X and Y", "felt nothing
but dislike for Y", "there was nobody whom X so detested as Y", "had never liked Y"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from types import MappingProxyType

from ...lexicon.verb_rules import VERBS
from ...model.types import Modality
from ..clauses.arguments import Arguments
from ..clauses.fact_collector import FactCollector, fits
from ..clauses.modality import modality_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

__all__ = ["read_bond_shapes"]

_SIDES = MappingProxyType(
    dict.fromkeys("friend ally confidant supporter".split(), "FRIEND_OF")
    | dict.fromkeys("enemy foe adversary antagonist".split(), "ENEMY_OF")
)
_MUTUAL = MappingProxyType(
    dict.fromkeys(
        "enmity feud hatred hostility animosity antagonism rancour rancor vendetta".split(), "ENEMY_OF"
    )
    | dict.fromkeys("friendship amity affection fondness comradeship alliance".split(), "FRIEND_OF")
)
_FELT = MappingProxyType(
    dict.fromkeys("love affection tenderness devotion fondness adoration attachment".split(), "LOVES")
    | dict.fromkeys(
        "dislike hatred contempt aversion loathing detestation disgust hate scorn".split(), "HATES"
    )
    | dict.fromkeys("distrust mistrust".split(), "DISTRUSTS")
)
_FEELING = frozenset("feel have bear entertain cherish nurse conceive harbour harbor show know".split())
_BEING = frozenset("be lie exist stand subsist reign remain grow spring arise".split())
_NOBODY = frozenset("nobody none noone one man woman person soul creature being".split())
_BONDS = frozenset({"LOVES", "HATES", "TRUSTS", "DISTRUSTS", "ADMIRES", "FEARS"})
_PREPOSITIONS = frozenset({"for", "of", "to", "towards", "toward"})
_SURE = 0.8
Pair = tuple[str, list[Reference], list[Reference], bool]


def read_bond_shapes(chapter: ParsedChapter, arguments: Arguments, facts: FactCollector) -> None:
    """Adds the statements to ``facts``; out of narration only."""
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of:
            continue
        for token in paragraph.words:
            if token.pos_ not in ("NOUN", "VERB", "PROPN") or paragraph.spoken(token):
                continue
            for predicate, ones, others, surely in _shapes(paragraph, arguments, token):
                modality = Modality.FACT if surely else modality_of(chapter, paragraph, token)
                people = product(_people(arguments, ones), _people(arguments, others))
                for one, other in people if modality is not None else ():
                    if one.mention != other.mention:
                        facts.tell(
                            paragraph, token, predicate, (one, other), modality or Modality.FACT, _SURE
                        )


def _people(arguments: Arguments, found: list[Reference]) -> list[Reference]:
    return [one for one in found if fits(arguments, one, "person")]


def _shapes(paragraph: ParsedParagraph, arguments: Arguments, token: Word) -> Iterator[Pair]:
    lemma = token.lemma_.lower()
    if lemma in _SIDES and token.dep_ == "dobj" and token.head.lemma_ == "have":
        yield from _no_such(paragraph, arguments, token, _SIDES[lemma])
    if lemma in _MUTUAL:
        yield from _between(paragraph, arguments, token, _MUTUAL[lemma])
    if lemma in _FELT and token.pos_ == "NOUN":
        yield from _felt(paragraph, arguments, token, _FELT[lemma])
    if token.dep_ == "relcl" and token.head.lower_ in _NOBODY:
        yield from _more_than_all(paragraph, arguments, token)
    if (
        lemma in ("like", "care")
        and token.pos_ == "VERB"
        and any(c.lower_ == "never" for c in token.children)
    ):
        slot = "dobj" if lemma == "like" else "prep:for"
        yield "HATES", arguments.subjects(paragraph, token), arguments.slot(paragraph, token, slot), True


def _no_such(paragraph: ParsedParagraph, arguments: Arguments, noun: Word, predicate: str) -> Iterator[Pair]:
    """Like "had no enemy like Y", "had no better friend than Y"."""
    if not any(c.lower_ in ("no", "never") for holder in (noun, noun.head) for c in holder.children):
        return
    for word in paragraph.doc[noun.i + 1 : min(noun.sent.end, noun.i + 5)]:
        if word.lower_ in ("like", "than", "but", "save"):
            behind = [c for c in word.children if c.dep_ == "pobj"] or list(
                paragraph.doc[word.i + 1 : word.i + 3]
            )
            others = [r for c in behind if (r := arguments.single(paragraph, c)) is not None][:1]
            yield predicate, arguments.subjects(paragraph, noun.head), others, True
            return


def _between(paragraph: ParsedParagraph, arguments: Arguments, noun: Word, predicate: str) -> Iterator[Pair]:
    """Like "an old enmity lay between X and Y"."""
    verb = noun.head
    for holder in (noun, verb):
        for child in holder.children:
            if child.lower_ == "between" and (holder is noun or verb.lemma_.lower() in _BEING):
                both = [
                    r for c in child.children if c.dep_ == "pobj" for r in arguments.resolve(paragraph, c)
                ]
                if len(both) == 2 and not any(c.lower_ in ("no", "end") for c in noun.children):
                    yield predicate, both[:1], both[1:], False


def _felt(paragraph: ParsedParagraph, arguments: Arguments, noun: Word, predicate: str) -> Iterator[Pair]:
    """Like "had felt nothing but dislike for Y"."""
    but = noun.head if noun.dep_ == "pobj" and noun.head.lower_ in ("but", "except", "save") else None
    if but is None:
        return
    verb = but.head
    while verb.pos_ != "VERB" and verb.head.i != verb.i:
        verb = verb.head
    near = {t.lower_ for t in paragraph.doc[max(0, but.i - 2) : but.i]}
    if verb.lemma_.lower() not in _FEELING or not near & {"nothing", "anything"}:
        return
    for holder in (noun, but, verb):
        for child in holder.children:
            if child.dep_ == "prep" and child.lower_ in _PREPOSITIONS and child.i > noun.i:
                others = [
                    r for c in child.children if c.dep_ == "pobj" for r in arguments.resolve(paragraph, c)
                ]
                yield predicate, arguments.subjects(paragraph, verb), others, True
                return


def _more_than_all(paragraph: ParsedParagraph, arguments: Arguments, verb: Word) -> Iterator[Pair]:
    """Like "there was nobody whom X so detested as Y", "no one whom he loved as he loved Y"."""
    doc, noun = paragraph.doc, verb.head
    none = noun.lower_ in ("nobody", "none", "noone") or doc[noun.left_edge.i].lower_ in ("no", "not")
    predicates = {rule.predicate for rule in VERBS.get(verb.lemma_.lower(), ()) if rule.plain} & _BONDS
    subjects = [c for c in verb.children if c.dep_ == "nsubj" and c.lower_ not in ("who", "that")]
    if not none or not predicates or not subjects:
        return
    for word in doc[verb.i + 1 : min(verb.sent.end, verb.i + 6)]:
        if word.lower_ in ("less", "least", "worse"):
            return
        if word.lower_ in ("as", "than"):
            named = (arguments.single(paragraph, w) for w in doc[word.i + 1 : min(verb.sent.end, word.i + 5)])
            ones = arguments.resolve(paragraph, subjects[0])
            mine = {one.mention for one in ones} | {arguments.name(one) for one in ones}
            others = [r for r in named if r is not None and not {r.mention, arguments.name(r)} & mine][:1]
            yield min(predicates), ones, others, True
            return
