"""A vow that the story forgets: nobody keeps it, breaks it, or speaks of it again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import ClassVar

from ....core.types import Evidence
from ...graph_rag.views.story_view import Place, StoryView
from ...model.findings import Severity, Violation
from ...model.trait_values import VOW
from ...model.types import EntityKind, EventTold, Modality, QuotationTold
from ..background.word_traces import WordTraces, stems_of
from ..seams.rule import Fact

__all__ = ["AbandonedGoal"]

_MEANT = frozenset({Modality.FACT, Modality.FLASHBACK, Modality.PLANNED})
_VOW = re.compile(
    r"\b(?:vow(?:ed|s)|swor[en]|pledged|promise[ds]|took an oath|made a (?:\w+ )?vow|"
    r"gave (?:his|her) (?:word|oath))\b"
    r"(?P<aim>[^.;!?]+)",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"\bI (?:do |solemnly |hereby )?(?:vow|swear|pledge|have sworn|give you my (?:word|oath))\b"
    r"(?P<aim>[^.;!?]+)",
    re.IGNORECASE,
)
_AIM = re.compile(
    r"(?:[^,]*,)?(?:\s*[\w’'-]+){0,6}?\s*(?:\b(?:to|would|will|shall|should)\b|['’](?:d|"
    r"ll)\b)",
    re.IGNORECASE,
)
_KEPT_BY_SILENCE = re.compile(
    r"\b(?:never|not|no|nothing|nobody|none|always|secrecy|secret|silence)\b|n['’]t\b", re.IGNORECASE
)
_TO_BE = re.compile(r"\s*(?:\w+ ){0,2}to be\b", re.IGNORECASE)
_SOON = re.compile(
    r"\b(?:to-?morrow|to-?night|next (?:day|morning)|directly|at once|presently|soon|in an hour|by and "
    r"by)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:vow\w*|swor[en]|swear\w*|oaths?|pledge\w*|promise[ds]?|gave (?:his|her|my|their) word|"
    r"gave (?:\w+ ){1,4}(?:his|her|my) (?:solemn )?(?:word|oath|promise)|"
    r"(?:not|never|neither|nor) (?:\w+ ){0,2}(?:rest|sleep|stop|halt|pause|cease|relent|die|marry|peace|"
    r"smile|shave)\b)",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r"\b(?:determin\w+|resol(?:ve|ut)\w*|bent|made up (?:his|her|my) mind|set (?:his|her|my) (?:mind|"
    r"heart)|intend\w*|intention|purpose[ds]?|meant|means?|mission|object|aim|ambition|undert\w+|decided|"
    r"planned|(?:set|bound) (?:himself|herself|myself)|devoted|dedicated|heart was|task|errand|nothing "
    r"(?:should|would|could|shall|was to)|whatever it|told (?:him|her)self|declared|announced|nothing "
    r"would|mind upon|pledge\w*|"
    r"(?:one|only) thought|thought of nothing|solemnly|took (?:it )?(?:up)?on (?:him|her|my)self)\b",
    re.IGNORECASE,
)
# aims that take more than an hour (finding out, winning back, putting right), of something particular
_QUEST = re.compile(
    r"(?:find|found|discover|seek|trace|track|hunt|unmask|expose|unearth|solve|recover|regain|reclaim|"
    r"retrieve|restore|rebuild|avenge|revenge|punish|ruin|destroy|kill|hang|rescue|save|free|release|"
    r"deliver|prove|clear|repay|redeem|vindicate|overthrow|uncover|detect|identify|bring|win|raise|right|"
    r"undo|learn|build|have|see|pay (?:back|off)|buy back|humble|stand against)(?:ing)?(?: (?:out|down|up|"
    r"back))? (?:the|this|that|those|his|her|its|my|our|their|who\w*|what|where|"
    r"why|how|whether|every|all|(?-i:[A-Z]\w+))\b",
    re.IGNORECASE,
)
_TAKING = re.compile(
    r"\bI (?:will|shall|mean to|intend to|am (?:determined|resolved|going) to)\b(?P<aim>[^.;!?]+)|"
    r"\bI[’']ll\b(?P<short>[^.;!?]+)|\b(?P<fate>(?:the|that|this|his|her) [^.;!?,]+ shall [^.;!?]+)|"
    r"\b(?:mind to|determined to|resolved to|owe it to \w+(?: \w+)? to|swear to|bound to) (?P<to>[^.;!?]+)",
    re.IGNORECASE,
)
_WHATEVER = re.compile(
    r"\b(?:if|though) it (?:takes?|costs?|is|should|be|were|kills?|was)\b|\bso help me\b|\bmark my words\b|"
    r"\bas (?:God|Heaven) is my (?:witness|judge)\b|\b(?:up)?on my (?:soul|honou?r|oath)\b|\b(?:the last "
    r"thing I|the rest of my (?:life|days)|till my dying|with my last|before I die|(?<!long )as I (?:live|"
    r"hope|stand)|as sure as|you have my (?:word|hand|oath|promise)|take my word|my mind is made up|made "
    r"up my mind|I owe it to|nothing (?:shall|will|on earth|can)|(?:some|one) day|sooner or later|wherever "
    r"(?:he|she|they|it)|(?:never|not) rest|if I have to|if I must|by (?:God|heaven|all that)|I am "
    r"(?:determined|resolved|bound)|all my (?:life|days)|there(?:’s|'s| is) my hand|cost (?:me "
    r")?what it may|come what may|live or die)\b",
    re.IGNORECASE,
)
_PLEDGED = re.compile(
    r"\bbefore I(?:[’']m| am) |\bbefore the year\b|\bif need be\b|\balive or dead\b|\bdead or alive\b|\bor "
    r"my name\b|\bor (?:I[’']ll|I will|I shall) (?:resign|die|perish|hang|drown)\b|\bto the last (?:penny|"
    r"shilling|farthing)\b|\bevery (?:acre|penny|shilling|farthing|stone|stick)\b|\bhold me to\b|\bas "
    r"there is a God\b|\bI promise (?:it|you)\b|\bmy (?:\w+ )?(?:oath|word)\b|\bhear me\b|\bremember "
    r"(?:this|what I say)\b|\bwith (?:my|these) own\b|\bmy life on\b|"
    r"\bnever rest\b|\bmy witness\b|\bin the dock\b|\byou shall see\b",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"\b(?:never|not|n[’']t) (?:\w+ )?(?:rest|sleep|stop|die|marry|give up|shave|"
    r"drink)\b[^.;!?]{0,30}\b(?:till|until) "
    r"(?P<aim>[^.;!?]+)",
    re.IGNORECASE,
)
# said plainly: meant, and of what takes more than an hour
_MEANING = re.compile(
    r"\bI (?:mean|intend|am determined|am resolved|have resolved|have determined|have made up my mind) to "
    r"(?P<aim>(?:find (?:out )?(?:who|what|where|why|the)|prove|avenge|unmask|expose|recover|regain|"
    r"reclaim|rebuild|repay|clear|hunt|trace|redeem|vindicate|restore|win back|buy back|pay back|bring \w+ "
    r"to)\b[^.;!?]+)|\bI (?:will|shall) (?P<will>(?:prove|avenge|unmask|expose|recover|regain|reclaim|"
    r"rebuild|repay|hunt|redeem|"
    r"vindicate|win back|buy back|pay back|clear (?:his|her|my|our)) (?!you\b)[^.;!?]+)",
    re.IGNORECASE,
)
# these go with any remark as well; then only what is a quest is meant
_SEVERAL = re.compile(
    r"\b(?:(?:some|one) day|sooner or later|wherever|nothing|if I (?:have to|must)|by (?:God|"
    r"heaven))\b",
    re.I,
)
_NOBODY = re.compile(r"\b(?:dream\w*|dreamt|nobody|no one|refus\w+)\b", re.IGNORECASE)
_LEAST = 2
_SELDOM, _SELDOM_SHARE = 3, 0.002  # sentences of the log with a word


@dataclass(frozen=True, slots=True)
class _Vow:
    """``keys`` are the telling words of the aim among all its ``words``."""

    who: str
    aim: str
    keys: frozenset[str]
    words: frozenset[str]
    place: Place
    quote: Evidence
    record: EventTold | QuotationTold | None


@dataclass(frozen=True, slots=True)
class AbandonedGoal:
    """A vow, oath, pledge or promise to do something, by a major character, of which nothing in the rest of a
    finished story has the telling words: neither that it was kept, nor broken, nor thought of.

    Only of a story as a whole (a view without horizon), never of a draft; only where the vow is told before
    the last ``rest`` of the chapters and who made it is named in ``shown`` chapters after it. What is said in
    direct speech counts as "I swear" and the like, or "I will" with "if it takes the rest of my life", or,
    of a quest, with a lesser pledge ("alive or dead") or as plainly meant ("I mean to find out who"). So
    does a settled purpose (resolved, bent on, meant to) to find out, win back or put right something
    particular. A vow that is kept by doing nothing (never, not, silence), one to be something and one for the
    hour is left out. It is taken up again by any later sentence of the log (an event, a bond, a feeling,
    something said or learnt) with three of its telling words, or two and one of them seldom met with; words
    that the story uses all the time count where all of the aim is there, or three with one seldom met with.

    Assumes that a story speaks of what matters in the same words. Cannot see sentences that extraction took
    nothing from, nor that a vow was kept under another name. A hint: INFO.
    """

    name: ClassVar[str] = "abandoned_goal"
    severity: ClassVar[Severity] = Severity.INFO

    rest: float = 0.2
    shown: int = 3

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        vows = list(self._vows(view, only_document))
        if not vows:
            return
        later = sorted(_sentences(view), key=lambda told: told[0])
        for vow in vows:
            if not _taken_up(vow, later):
                yield self._violation(view, vow)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """The vows."""
        vows = self._vows(view, only_document)
        return frozenset(vow.record for vow in vows if vow.record is not None)

    def _vows(self, view: StoryView, document: str | None) -> Iterator[_Vow]:
        if document is not None or view.horizon.chapter is not None:
            return
        last = max((mention.told for mention in view.log.mentions), default=0)
        until = last - max(2.0, self.rest * last)
        traces = WordTraces(view)
        seen: set[tuple[str, Evidence]] = set()
        told: list[tuple[str, Evidence, str, EventTold | QuotationTold | None]] = [*_narrated(view)]
        told += [*_spoken(view), *_settled(view), *_told_otherwise(view)]
        for who, quote, aim, record in told:
            if quote.chapter > until or any(one == who and _meet(quote, other) for one, other in seen):
                continue
            if not self._major(view, who, quote.chapter, last):
                continue
            keys = traces.keys(aim, without=(who,))
            if (
                len(keys) < _LEAST and isinstance(record, QuotationTold) and _QUEST.search(aim)
            ):  # told in the rest of the speech
                said = " ".join(piece.line for piece in record.evidence[: record.pieces])
                keys = traces.keys(said, without=(who,))
            wanted = not _KEPT_BY_SILENCE.search(aim) and not _SOON.search(aim) and not _TO_BE.match(aim)
            if wanted and len(keys) >= _LEAST:
                seen.add((who, quote))
                said = " ".join(aim.split()).strip(" ,“”\"'")
                yield _Vow(who, said, keys, stems_of(said) | keys, view.place(quote), quote, record)

    def _major(self, view: StoryView, who: str, told: int, last: int) -> bool:
        entity = view.entity(who)
        if entity is None or entity.kind is not EntityKind.CHARACTER:
            return False
        return sum(entity.id in view.presence(chapter) for chapter in range(told + 1, last + 1)) >= self.shown

    def _violation(self, view: StoryView, vow: _Vow) -> Violation:
        name = view.name(vow.who)
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=f"{name} vows in chapter {vow.place[0]}: “{vow.aim}”; the story never comes back to it.",
            entities=(vow.who,),
            evidence=(vow.quote,),
            suggestion="Let it be kept, broken or given up, or take the vow out.",
            unless="the story comes back to it in other words",
        )


def _meet(one: Evidence, other: Evidence) -> bool:
    return one.document_id == other.document_id and one.span.overlaps(other.span)


def _narrated(view: StoryView) -> Iterator[tuple[str, Evidence, str, EventTold]]:
    """Of every sentence that tells a vow, once, who is named before the word and does, or means to do,
    something in it."""
    seen: set[Evidence] = set()
    for event in view.events(happened=False, untyped=True):
        agents = [who for role, who in event.participants if role == "agent"]
        if event.modality not in _MEANT or len(agents) != 1 or not event.evidence:
            continue
        quote = event.evidence[0]
        found = _VOW.search(quote.line) if quote not in seen else None
        if (
            found is not None
            and not _NOBODY.search(quote.line[: found.start()])
            and _AIM.match(found["aim"])
            and _named(view, agents[0], quote.line[: found.start()])
        ):
            seen.add(quote)
            yield agents[0], quote, found["aim"], event


def _named(view: StoryView, who: str, text: str) -> bool:
    entity = view.entity(who)
    return entity is not None and any(name in text for name in (entity.name, *entity.aliases))


def _spoken(view: StoryView) -> Iterator[tuple[str, Evidence, str, QuotationTold]]:
    for quotation in view.quotations():
        pieces = quotation.evidence[: quotation.pieces]
        said = " ".join(piece.line for piece in pieces)
        sworn = _WHATEVER.search(said) is not None
        pledged = not sworn and _PLEDGED.search(said) is not None
        for piece in pieces:
            found = _SPOKEN.search(piece.line)
            aim = found["aim"] if found is not None and _AIM.match(found["aim"]) else ""
            if not aim and (sworn or pledged) and (taking := _TAKING.search(piece.line)):
                aim = taking["aim"] or taking["short"] or taking["fate"] or taking["to"]
                if (pledged or _SEVERAL.search(piece.line)) and not _QUEST.search(aim):
                    aim = ""
                if until := _UNTIL.search(piece.line):
                    aim = until["aim"]
            if not aim and (found := _MEANING.search(piece.line)):
                aim = found["aim"] or found["will"]
            if aim and quotation.speaker is not None:
                yield quotation.speaker, piece, aim, quotation


def _settled(view: StoryView) -> Iterator[tuple[str, Evidence, str, None]]:
    """The goals of the log that were sworn to, or that are quests."""
    for person in view.entities(EntityKind.CHARACTER):
        for state in view.states(person.id, "goal"):
            quote = state.evidence.line
            sworn = _LASTING.search(quote) is not None
            quest = _SETTLED.search(quote) and _QUEST.search(state.value)
            denied = re.search(rf"\b(?:never|not) (?:to )?{re.escape(state.value.split()[0])}\b", quote)
            if state.valence == 1 and (sworn or quest) and not denied and not state.value.startswith("be "):
                yield person.id, state.evidence, state.value, None


def _told_otherwise(view: StoryView) -> Iterator[tuple[str, Evidence, str, None]]:
    """Vows in words of their own (``learned.sentence_facts``)."""
    for trait in view.traits():
        if trait.aspect == VOW and trait.evidence:
            yield trait.entity, trait.evidence[0], trait.value, None


def _sentences(view: StoryView) -> Iterator[tuple[Place, frozenset[str]]]:
    """All that the log quotes, each quote once."""
    seen: set[Evidence] = set()
    for table in fields(view.log):
        for record in getattr(view.log, table.name):
            quotes = record.evidence if isinstance(record.evidence, tuple) else (record.evidence,)
            for quote in (*quotes, getattr(record, "sentence", None)):
                if quote is not None and quote not in seen and len(quote.quote) > len("a word"):
                    seen.add(quote)
                    yield view.place(quote), stems_of(quote.quote)


def _taken_up(vow: _Vow, later: list[tuple[Place, frozenset[str]]]) -> bool:
    """Has a later sentence three of its telling words, or two and one of them seldom met with in the story;
    or three of all its words, one of them a telling one that is seldom met with, or these all?"""
    end = (vow.place[0], vow.place[1], vow.quote.span.end)
    most = max(_SELDOM, _SELDOM_SHARE * len(later))
    seldom = frozenset(key for key in vow.keys if sum(key in stems for _, stems in later) <= most)
    for place, stems in later:
        shared = vow.keys & stems
        if place <= end or not shared:
            continue
        rare, met = not seldom.isdisjoint(shared), vow.words & stems
        if len(shared) > _LEAST or (len(shared) == _LEAST and rare):
            return True
        if len(met) > _LEAST and (rare or met == vow.words):
            return True
    return False
