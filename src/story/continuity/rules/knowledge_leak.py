"""Somebody speaks of what was kept from them: a secret out of the mouth of one whom nobody told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from ...graph_rag.views.story_view import Place, StoryView
from ...model.findings import Severity, Violation
from ...model.types import EntityKind, KnowledgeTold, Modality, QuotationTold
from ..background.leak_traces import KNOWING, Trace, concepts, doubted, matter_of, traces_of
from ..background.word_traces import WordTraces, stems_of
from ..seams.rule import Fact

__all__ = ["KnowledgeLeak"]

_ALL_TOLD = re.compile(
    r"\b(?:t[eo]ll?(?:d|s|ing)?|explain\w*|confess\w*|relat(?:e|ed|es|ing)|reveal\w*|confid\w+|learn\w*)\b"
    r"[^.;!?]{0,40}\b(?:everything|all|the (?:whole |entire )?(?:truth|secret|story|affair|history))\b",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"\b(?:(?:must|shall|should|is|are|was) (?:never|not)|hid(?:e|es|den|ing)?|conceal\w*|keep\w*|kept|"
    r"withh[eo]ld\w*|told|tell\w*|secret\w*)\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"\b(?:(?:told|tell|breathed|confided|confessed|spoke\w*|said)\b[^.;]{0,40}\b"
    r"(?:nobody|no one|none|not a soul)|"
    r"(?:never|not)\b[^.;]{0,40}\b(?:anybody|anyone|any one|a soul|a living))\b",
    re.IGNORECASE,
)
_SOLE = re.compile(r"\b(?:but|except|save|besides|only|sole|alone)\b", re.IGNORECASE)
_SHARE, _LEAST, _FEW, _SHORT = 0.25, 2, 4, 8
_SHOWN = 0.35
_CUES = stems_of(
    """word syllable hint whisper breath secret secrecy conceal hide dark ignorance ignorant unaware suspect
    suspicion idea notion inkling learn discover guess dream soul ear reach breathe agree confide knowledge
    know
    aware news silence"""
)
_NEVER_LEARNT = re.compile(
    r"\b(?:never\b[^.;]{0,20}\b(?:learn\w*|know\w*|heard|been told|told|suspected|guessed|discovered)|"
    r"(?:nobody|no one|none|no man|no woman)\b[^.;]{0,30}\b(?:told|tell|inform\w*|undeceive\w*|"
    r"enlighten\w*)|"
    r"(?:not|n[’']t)\b[^.;]{0,12}\b(?:know|suspect|guess|dream)|knew nothing|no (?:idea|notion|"
    r"suspicion))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|no)\b", re.IGNORECASE)
_OUT_OF_SIGHT = re.compile(
    r"\b(?:sun|moon|stars?|shore|house|ship|hill|view|valley|river|sea|face)\b[^.;]{0,50}\b(?:hid|hidden|"
    r"concealed)\b",
    re.IGNORECASE,
)
_PAGE = 1500  # characters
_OFTEN = 3  # chapters in which one speaks of it: then they have come to know it somewhere


@dataclass(frozen=True, slots=True)
class _Secret:
    """``unaware`` is who does not know; None: all who were not there. ``keys`` tell the matter;
    ``names`` are those of them that are parts of names, ``telling`` those that the story seldom uses,
    ``rare`` those that it hardly ever does."""

    told: KnowledgeTold
    unaware: str | None
    keys: frozenset[str]
    names: frozenset[str]
    telling: frozenset[str]
    rare: frozenset[str]
    place: Place
    denied: bool


@dataclass(frozen=True, slots=True)
class _Word:
    """What somebody could have heard at ``place``, from whom; ``everything``: they are told all."""

    place: Place
    stems: frozenset[str]
    tellers: frozenset[str]
    everything: bool
    direct: bool


@dataclass(frozen=True, slots=True)
class KnowledgeLeak:
    """A secret that the text marks as kept (``KnowledgeTold.kept``: told nobody, hidden from her, she knew
    nothing of it), of which the one who does not know speaks afterwards, or is said to know, as of a fact,
    or on which they act.

    The secret is recognised by its telling words (``WordTraces``), words for one matter taken as one
    (``leak_traces.matter_of``: gaol and prison): a sentence with two of them or more, and a quarter of
    them at the least; one told by a single rare word, where little else is said; or, of a secret of few
    words that somebody keeps, few words of what is said to be known with one rare word of it. A deed, and
    speech of which it is not sure whose it is, tells only of a secret that is kept on purpose and told in
    few words. It is no leak

    - where the sentence asks, doubts, denies, or tells how the speaker heard of it;
    - after any telling that could carry the matter to the one who does not know: something they learn, are
      told, or take part in that has two of its words (a rare one among them, where it has such), or talk
      with such words in a chapter that names them, or one who keeps it "tells everything" (of a secret with
      no known keeper: anybody, in a sentence with one of its words);
    - where the one who was told nothing (of a secret kept from all) is on stage in the chapter that tells
      it, or is part of the matter;
    - where they speak of it in three chapters or more: then they know it, however they came to;
    - more than ``reach`` chapters after it, where the text tells only that they did not know, not that it
      was kept from them.

    Assumes that speakers are right (``min_confidence``). Cannot see a secret told in other words than it is
    betrayed in, secrets that the text does not mark, and what is passed on between scenes.
    """

    name: ClassVar[str] = "knowledge_leak"
    severity: ClassVar[Severity] = Severity.WARNING

    min_confidence: float = 0.4
    speaker_confidence: float = 0.4
    reach: int = 1

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        if only_document is not None and not any(self._betrayed(view, only_document)):
            return
        for secret, traces in self._betrayed(view):
            told = [trace for trace in traces if only_document in (None, trace.evidence.document_id)]
            if told and len({trace.place[0] for trace in traces}) < _OFTEN:
                yield self._violation(view, secret, told[0])

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """What those speak of, after the secret, from whom one is kept."""
        keepers = {
            secret.unaware: secret.place for secret in _secrets(view, WordTraces(view), self.min_confidence)
        }
        return frozenset(
            trace.record
            for trace in traces_of(view, self.speaker_confidence, only_document)
            if trace.who in keepers and trace.place > keepers[trace.who]
        )

    def _betrayed(
        self, view: StoryView, document: str | None = None
    ) -> Iterator[tuple[_Secret, list[Trace]]]:
        """Every secret with what one person says of it, in order of telling; in ``document`` alone where one
        is given, which costs as much as that is long."""
        words = WordTraces(view)
        secrets = list(_secrets(view, words, self.min_confidence))
        by_word: dict[str, list[Trace]] = {}
        for trace in traces_of(view, self.speaker_confidence, document) if secrets else ():
            for word in matter_of(trace.said):
                by_word.setdefault(word, []).append(trace)
        heard: _Heard | None = None
        for secret in secrets:
            near = dict.fromkeys(trace for key in sorted(secret.keys) for trace in by_word.get(key, ()))
            found: dict[str, list[Trace]] = {}
            for trace in near:
                if self._betrays(view, secret, trace):
                    heard = heard or _Heard(view)
                    if not heard.before(secret, trace):
                        found.setdefault(trace.who, []).append(trace)
            for who in sorted(found):
                yield secret, sorted(found[who], key=lambda trace: (trace.place, trace.said))

    def _betrays(  # noqa: PLR0911 (a reason a line)
        self, view: StoryView, secret: _Secret, trace: Trace
    ) -> bool:
        itself = any(quote.span.overlaps(trace.evidence.span) for quote in secret.told.evidence)
        if itself or trace.place <= secret.place or secret.unaware not in (None, trace.who):
            return False
        said = matter_of(trace.said)
        shared = secret.keys & said
        if not trace.plain and not _telling_deed(secret, shared):
            return False
        if len(secret.keys) == 1:  # told by one word, a rare one: only where nothing much else is said
            quoted = isinstance(trace.record, QuotationTold) and not _doubts(secret, trace, shared)
            most = _FEW if isinstance(trace.record, KnowledgeTold) else _LEAST if quoted else 0
            named = shared and len(said) <= most
            return bool(named) and secret.unaware == trace.who
        alone = len(shared) == 1 and shared <= secret.rare and secret.unaware == trace.who
        if alone and isinstance(trace.record, KnowledgeTold) and secret.told.source is not None:
            return max(len(said), len(secret.keys)) <= _FEW
        if len(shared) < max(_LEAST, _SHARE * len(secret.keys)) or not shared & secret.telling:
            return False
        spoken = isinstance(trace.record, QuotationTold)
        if spoken and (shared.isdisjoint(secret.rare) or _doubts(secret, trace, shared)):
            return False
        if secret.unaware is None:
            return not _party(view, secret, trace.who)
        lasting = (
            secret.told.source is not None or _meant(secret.told) or len(shared - secret.names) >= _LEAST
        )
        return lasting or trace.place[0] - secret.place[0] <= self.reach

    def _violation(self, view: StoryView, secret: _Secret, trace: Trace) -> Violation:
        who = view.name(trace.who)
        kept = (
            f"is kept from {who}"
            if secret.unaware
            else f"is told to nobody by {view.name(secret.told.entity)}"
        )
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=(
                f"In chapter {secret.place[0]} it {kept}: {_short(secret.told.content)}. In chapter "
                f"{trace.place[0]} {who} speaks of it, and nobody is shown to have told."
            ),
            entities=tuple(sorted({trace.who, secret.told.entity})),
            evidence=(secret.told.evidence[0], trace.evidence),
            suggestion=f"Show how {who} comes to know of it before, or let somebody else say this.",
            unless=f"{who} is told of it, or learns, sees or overhears it, between the two quotes",
        )


def _telling_deed(secret: _Secret, shared: frozenset[str]) -> bool:
    """Do the shared words of a deed (or of an unsure speaker) tell enough of a secret that is kept on
    purpose, and told in few words?"""
    meant = secret.told.source is not None or _meant(secret.told)
    enough = len(shared - secret.names) >= _LEAST and not shared.isdisjoint(secret.rare)
    return meant and enough and len(secret.keys) <= _SHORT


def _doubts(secret: _Secret, trace: Trace, shared: frozenset[str]) -> bool:
    return doubted(trace.said, shared, denied=secret.denied)


def _secrets(view: StoryView, traces: WordTraces, least: float) -> Iterator[_Secret]:
    names = stems_of(
        " ".join(name for one in view.entities(EntityKind.CHARACTER) for name in (one.name, *one.aliases))
    )
    kept = {(item.entity, item.evidence[0]) for item in view.knowledge() if item.kept and item.evidence}
    for item in view.knowledge():
        if (
            not (item.kept or (_unlearnt(item) and (item.entity, item.evidence[0]) not in kept))
            or not item.evidence
            or item.confidence < least
            or _OUT_OF_SIGHT.search(item.evidence[0].line)
        ):
            continue
        people = {item.entity, *((item.source,) if item.source else ())}
        keys = traces.keys(item.content, without=people)
        keys = (keys - _CUES) or keys
        if len(keys) == 1 and not keys & names:  # told by one word with what the story says all the time
            keys |= traces.common(stems_of(item.content)) - names
        unaware = item.entity if item.modality is Modality.NEGATED else None
        alone = len(keys) == 1 and unaware is not None and all(traces.rare(key) for key in keys - names)
        if len(keys) >= _LEAST or (alone and not keys & names):
            telling = keys - traces.common(keys)
            rare = frozenset(key for key in telling - names if traces.rare(key))
            yield _Secret(
                item,
                unaware,
                concepts(keys),
                concepts(keys & names),
                concepts(telling),
                concepts(rare),
                view.place(item.evidence[0]),
                _DENIED.search(item.content) is not None,
            )


def _unlearnt(item: KnowledgeTold) -> bool:
    """Like "had never learned that his uncle had been hanged"."""
    never = item.evidence and item.modality is Modality.NEGATED
    return bool(never and _NEVER_LEARNT.search(item.evidence[0].line))


class _Heard:
    """What could have carried a matter to somebody, by person."""

    def __init__(self, view: StoryView) -> None:
        self._told: dict[str, list[_Word]] = {}
        for item in view.knowledge():
            if not item.kept and item.modality.happened and item.evidence:
                source = (item.source,) if item.source else ()
                self._add((item.entity,), view.place(item.evidence[0]), item.evidence[0].line, source)
        for event in view.events(untyped=True):
            if event.evidence and event.verb not in KNOWING:
                people = [who for role, who in event.participants if role != "place"]
                self._add(people, view.place(event.evidence[0]), event.evidence[0].line, people)
        for quotation in view.quotations():
            said = " ".join(piece.line for piece in quotation.evidence[: quotation.pieces])
            near = view.presence(quotation.told)
            people = sorted({*quotation.hearers, *near} - {quotation.speaker or ""})
            self._add(people, view.place(quotation), said, (quotation.speaker or "",), quotation.hearers)

    def _add(
        self,
        people: Iterable[str],
        place: Place,
        text: str,
        tellers: Iterable[str],
        hearers: Iterable[str] | None = None,
    ) -> None:
        words, everything = matter_of(text), _ALL_TOLD.search(text) is not None
        sources, told = frozenset(tellers), None if hearers is None else frozenset(hearers)
        for who in people:
            direct = told is None or who in told
            self._told.setdefault(who, []).append(_Word(place, words, sources, everything and direct, direct))

    def before(self, secret: _Secret, trace: Trace) -> bool:
        """Has anything with a word of the matter come to the one who speaks of it, after it was kept? Or has
        one who keeps it told them "everything"?"""
        told = secret.told
        keepers = frozenset({told.source} if told.source else {told.entity} if secret.unaware is None else ())
        return any(
            secret.place < word.place < trace.place
            and (self._carries(word, secret) or (word.everything and self._of_it(word, secret, keepers)))
            for word in self._told.get(trace.who, ())
        )

    def _of_it(self, word: _Word, secret: _Secret, keepers: frozenset[str]) -> bool:
        """Is "everything" told by one who keeps the secret, or, where nobody is named so, told of it?"""
        return bool(keepers & word.tellers) if keepers else not word.stems.isdisjoint(secret.keys)

    def _carries(self, word: _Word, secret: _Secret) -> bool:
        """Two words of the matter, one of them telling, and a rare one where it has such; out of the mouth of
        one who keeps it, one rare word is enough for who is spoken to."""
        shared, told = word.stems & secret.keys, secret.told
        if shared.isdisjoint(secret.telling):
            return False
        if len(secret.keys) == 1:
            return True
        if len(shared) >= _LEAST:
            return not secret.rare or not shared.isdisjoint(secret.rare)
        keeper = told.source or (told.entity if secret.unaware is None else None)
        return word.direct and keeper in word.tellers and not shared.isdisjoint(secret.rare)


def _party(view: StoryView, secret: _Secret, who: str) -> bool:
    """Is it their own secret, or were they there, or is it about them?"""
    quote = secret.told.evidence[0].line
    if who == secret.told.entity:
        return True
    if _SOLE.search(quote) is None:
        there = (
            _beside(view, secret, who) if _NOBODY.search(quote) else who in _on_stage(view, secret.place[0])
        )
        if there:
            return True
    entity = view.entity(who)
    names = stems_of(" ".join((entity.name, *entity.aliases))) if entity else frozenset()
    return bool(names & stems_of(secret.told.content))


def _beside(view: StoryView, secret: _Secret, who: str) -> bool:
    """Does he speak or act within a page of where it is told?"""
    told = [view.place(each) for each in view.quotations(who)]
    told += [view.place(each) for each in view.events(who, untyped=True) if each.evidence]
    return any(place[:2] == secret.place[:2] and abs(place[2] - secret.place[2]) <= _PAGE for place in told)


def _on_stage(view: StoryView, chapter: int) -> frozenset[str]:
    return frozenset(presence.entity for presence in view.on_stage(chapter))


def _meant(item: KnowledgeTold) -> bool:
    """Does the text say that somebody means it to stay unknown?"""
    return _MEANT.search(item.evidence[0].line) is not None


def _short(words: str) -> str:
    said = " ".join(words.split()).strip(" “”\"'‘’.,;")
    return said if len(said) <= 90 else said[:90].rsplit(" ", 1)[0] + " …"
