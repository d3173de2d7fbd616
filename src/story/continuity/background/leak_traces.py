"""What somebody says, shows to know or does: the traces that a matter leaves, for
``rules.knowledge_leak``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ....core.types import Evidence
from ...graph_rag.views.story_view import Place, StoryView
from ...model.types import EntityKind, EventTold, KnowledgeTold, Modality, QuotationTold
from .word_traces import stems_of

__all__ = ["KNOWING", "Trace", "concepts", "doubted", "matter_of", "traces_of"]

_SENTENCE = re.compile(r"[^.!?]+[.!?]*")
_UNSURE = re.compile(
    r"\b(?:if|suppose|perhaps|maybe|might|may|could|would|should|wonder|guess|fancy|imagine|suspect|think|"
    r"believe|hear|heard|told|tell|says?|said|rumou?rs?|hope|wish|never|nobody|no|not|learn\w*|"
    r"read|saw|seen|see|want|find\w*|promise\w*|seek\w*|search\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_TAKEN_FOR_GRANTED = re.compile(
    r"\W*(?:and |but )?(?:what(?! if)|why|how|where|when|which|whose)\b", re.IGNORECASE
)
_ASIDE = re.compile(r"\b(?:when|since|after|while|because|before) (?:you|he|she|they)\b", re.IGNORECASE)
_ASKED_OF = re.compile(
    r"\b(?:tell|telling) (?:me|us|him|her) (?:about|of|how|why|when|where)\b", re.IGNORECASE
)
_UNKNOWING = re.compile(r"\b(?:not|never|nothing|little|no)\b|n['’]t\b|\?", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;:—]+")
KNOWING = frozenset(
    """know remember mention recall speak remind thank congratulate refer allude blame reproach accuse
    confront tease mock taunt""".split()
)
_SHOWN, _SURE, _BROKEN = 0.35, 0.7, 3
_PRESUMED = re.compile(
    r"\b(?:should|ought|need|could|might)(?: not|n[’']t| never)? (?:to )?have\b|\bno more\b|\bnot? (?:deny|"
    r"doubt|care|"
    r"mind|forget|forgotten)\b|\bnever (?:forget|forgive)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(r"\b(?:not|never|no|nobody)\b|n[’']t\b", re.IGNORECASE)
_HEARING = re.compile(
    r"\b(?:hear|heard|told|tells?|learn\w*|read|reads|find|finds|found|discover\w*|overhear\w*|overheard|"
    r"saw|seen|see|notice\w*|realis\w*|realiz\w*|surpris\w*|astonish\w*|wonder\w*|suspect\w*|guess\w*|if|"
    r"whether|would|might|could|may|perhaps|dream\w*|never|not|no|nothing|without|search\w*|seek\w*|sought|"
    r"asked?)\b|"
    r"n[’']t\b",
    re.IGNORECASE,
)
_IN_SPITE = re.compile(
    r"\b(?:al)?though [^,;]{0,40}\b(?:never|not|nobody|no one|none)\b[^,;]{0,30}\b(?:told|inform\w*|let into|"
    r"heard|shown)\b|\b(?:yet|nevertheless|nonetheless|all the same|for all that|and here|"
    r"strange|surprised|surprising|startled|it struck|remarkable|remarked|puzzled|how should|how came)\b|"
    r"\bwhom? (?:[\w’']+ ){0,6}(?:never|not|nobody|no one|none|nothing|ignorance|ignorant|in the dark)\b|"
    r"\b(?:nobody|no one|none) (?:ever )?having\b|, (?:who was )?never (?:having been )?told\b|"
    r"[,;] but (?!nobody|no one|none|never|not)",
    re.IGNORECASE,
)
_SPEECH = re.compile('[“”"?]')
# words for one matter: a secret is seldom betrayed in the words that told it
_ALIKE = (
    "child daughter son boy girl baby infant foundling bastard",
    "prison gaol jail gaoler convict penitentiary penal cell imprison transport felon",
    "marry marriage wedding wed bride bridegroom husband wife married wives husbands engage engagement "
    "betroth "
    "betrothal betrothed",
    "die death dead dying died perish grave bury buried funeral mourning",
    "kill murder murderer slay slain slew",
    "stage actress actor theatre",
    "steal theft thief thieves rob robbery robber stolen",
    "burn fire burnt arson ablaze",
    "forge forgery forger",
    "drown drowned",
    "father papa parent sire",
    "mother mamma mama",
    "will testament heir heiress inherit inheritance legacy bequeath",
    "letter note epistle correspondence",
    "ruin bankrupt bankruptcy insolvent",
    "ill illness sick sickness disease dying consumption",
    "mad madness insane lunatic asylum",
    "drink drunk drunkard drunken",
    "debt debts owe creditor",
    "poison poisoned arsenic",
    "sell sold sale",
    "money fortune gold savings pounds guineas sovereigns",
    "sail ship voyage vessel",
    "doctor physician surgeon",
    "gamble gaming cards dice",
    "love lover loves",
    "pawn pawnbroker pawnshop",
    "desert deserter desertion",
    "hang gallows hanged",
    "jewel necklace pearls diamonds diamond ring",
)


def _concepts() -> dict[str, str]:
    found: dict[str, str] = {}
    for row in _ALIKE:
        stems = [stem for word in row.split() for stem in sorted(stems_of(word))]
        for stem in stems:
            found.setdefault(stem, stems[0])
    return found


_CONCEPTS = _concepts()


@dataclass(frozen=True, slots=True)
class Trace:
    """What somebody says, knows or does at ``place``; ``said`` is the sentence. ``plain``: no deed, and said
    by one who surely says it."""

    who: str
    place: Place
    said: str
    evidence: Evidence
    record: QuotationTold | EventTold | KnowledgeTold
    plain: bool = True


def matter_of(text: str) -> frozenset[str]:
    """The stems of a text's telling words, those for one matter as one ("gaol" and "prison")."""
    return concepts(stems_of(text))


def concepts(stems: Iterable[str]) -> frozenset[str]:
    """The same stems, those for one matter as one."""
    return frozenset(_CONCEPTS.get(stem, stem) for stem in stems)


def doubted(said: str, shared: frozenset[str], *, denied: bool = False) -> bool:
    """Is the matter asked, doubted, denied or told as heard, in the clauses that have its words? Of a matter
    that is itself ``denied`` ("was not his child") a denial is none."""
    plain = _PRESUMED.sub("", _ASKED_OF.sub("", said))
    plain = _DENIAL.sub("", plain) if denied else plain
    clauses = [clause for clause in _CLAUSES.split(plain) if shared & matter_of(clause)]
    return any(_UNSURE.search(clause) for clause in clauses)


def traces_of(view: StoryView, least: float, document: str | None = None) -> Iterator[Trace]:
    """In no order: speech (of speakers sure by ``least``), what is told to another, and what people do."""
    people = frozenset(one.id for one in view.entities(EntityKind.CHARACTER))
    for quotation in view.quotations():
        sure = quotation.speaker in people and quotation.confidence >= least
        if sure and document in (None, quotation.evidence[0].document_id):
            yield from _spoken(view, quotation)
    for item in view.knowledge():
        who = item.source or ""  # whoever tells it to another knows it
        told = not item.kept and who in people and item.evidence and item.confidence >= _SHOWN
        here = item.evidence and document in (None, item.evidence[0].document_id)
        if told and item.modality.happened and here:
            yield Trace(who, view.place(item.evidence[0]), item.content, item.evidence[0], item)
        elif here and _known_in_spite(item):
            quote = item.evidence[0]
            yield Trace(item.entity, view.place(quote), quote.line, quote, item)
    for event in view.events(untyped=True):
        if event.evidence and document in (None, event.evidence[0].document_id):
            yield from _done(view, event, people)


def _known_in_spite(item: KnowledgeTold) -> bool:
    """Is it said beside that somebody was never told, that they show to know: "nobody had told him that the
    box was empty; yet he did not look inside"?"""
    unaware = item.kept and item.modality is Modality.NEGATED
    return unaware and _IN_SPITE.search(item.evidence[0].line) is not None


def _spoken(view: StoryView, quotation: QuotationTold) -> Iterator[Trace]:
    plain = quotation.confidence >= _SURE
    pieces = quotation.evidence[: quotation.pieces]
    told = [(piece.line, piece) for piece in pieces]
    if 1 < len(pieces) <= _BROKEN:  # "Which was worse," said he, "the prison or the ship?"
        told.append((" ".join(piece.line for piece in pieces), pieces[-1]))
    for text, piece in told:
        for sentence in _SENTENCE.findall(text):
            said = _granted(sentence)
            if said:
                yield Trace(str(quotation.speaker), view.place(piece), said, piece, quotation, plain)


def _done(view: StoryView, event: EventTold, people: frozenset[str]) -> Iterator[Trace]:
    quote, knows = event.evidence[0], event.verb in KNOWING
    if event.modality is not Modality.FACT or not (knows or _SPEECH.search(quote.line) is None):
        return
    if (_UNKNOWING if knows else _HEARING).search(quote.line):
        return
    for role, who in event.participants:
        if role == "agent" and who in people:
            yield Trace(who, view.place(quote), quote.line, quote, event, knows)


def _granted(sentence: str) -> str:
    """What a sentence of speech takes to be so: of a question the part behind "when you", else nothing."""
    if not sentence.rstrip().endswith("?") or _TAKEN_FOR_GRANTED.match(sentence):
        return sentence
    aside = _ASIDE.search(sentence)
    return sentence[aside.start() :] if aside is not None else ""
