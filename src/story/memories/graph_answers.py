"""Question answering over the story graph: who stands how to whom, who, where and how old somebody is.

A question is answered here only where all of its words are accounted for: a question word, one or two names,
and one word that carries a predicate (the verbs, bond nouns and adjectives that are read in the text too).
Everything else is left to the reader of passages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ...core.answering.answered import KnownAnswer
from ...core.types import Evidence
from ..bible import Bible, bible
from ..graph_rag.views.story_view import StoryView
from ..graph_rag.views.ties import LIKELY, ORIGIN, ending, shown_relations
from ..graph_rag.views.timeline import act_of, holds_when_told, homes, is_over, stays
from ..lexicon.verbs_and_nouns import ADJECTIVES, KIN, VERBS, verb_lemma
from ..model.predicates import PREDICATES, SURE_ENOUGH
from ..model.types import CODEX_ID, EntityKind, Modality, Relation
from ..writing.graph_notes import SURE, names_in
from .memory import profile_of

_TOKEN = re.compile(r"\{\d\}|['’]s\b|[^\W\d_]+")
_NAME = re.compile(r"\{\d\}")
_BE = frozenset("is are was were been being".split())
_DO = frozenset("do does did has have had".split())
_PAST = frozenset("did was were had".split())
_SMALL = frozenset("the a an of to with in by at from and s".split()) | _BE | _DO
_HOME = 0.5  # the least confidence of a home: one told later counts, though a pronoun tells it
_PLACE = 0.9  # the least confidence of a place that rules read: "popular in Chicago" is less
_SHARED = frozenset({"KIN_OF", "KNOWS", "SERVES", "SERVED_BY", "LOVES"})  # one predicate for unlike nouns
_COLOURED = {f"{word} {aspect}": aspect for word in ("color", "colour") for aspect in ("eyes", "hair")}
_ASPECTS = {"old": "age"} | _COLOURED
_ENDS = frozenset({"die", "died", "killed"})
_MOST, _QUOTES = 5, 3


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question in the graph's terms: ``words`` in order with names as ``{0}``, ``content`` those that carry
    the meaning, ``names`` entity ids."""

    words: Sequence[str]
    content: Sequence[str]
    names: Sequence[str]

    @property
    def opens(self) -> str:
        return self.words[0] if self.words else ""


def graph_answer(
    question: str, view: StoryView, laid_down: Callable[[StoryView], Bible] = bible
) -> KnownAnswer | None:
    """The answer as the graph has it at the view's horizon, with quotes of the story; None where it has none
    or the question asks for more than one predicate can say. ``laid_down`` makes the bible of a view."""
    asked = _read(question, view)
    if asked.opens in ("who", "whom", "whose") and len(asked.names) == 1:
        if "when" in asked.content:
            return _company(asked, view)
        return _bonds(asked, view) if asked.content else _profile(asked.names[0], view, laid_down)
    if asked.opens == "where" and len(asked.names) == 1:
        return _whereabouts(asked, view)
    if asked.opens in ("how", "what") and len(asked.names) == 1:
        return _fact(asked, view)
    if len(asked.names) == 2 and asked.opens in _BE | _DO:
        return _bonds(asked, view)
    return None


def _read(question: str, view: StoryView) -> _Asked:
    found = names_in(question, view)
    names = list(dict.fromkeys(entity.id for _, entity in found))
    text = question
    for span, entity in reversed(found):
        text = f"{text[: span.start]}{{{names.index(entity.id)}}}{text[span.end :]}"
    words = [word.casefold() for word in _TOKEN.findall(text)]
    if words[:1] in (["and"], ["but"], ["so"]):
        words = words[1:]
    rest = words[1:]
    content = [w for w in rest if w not in _SMALL and not _NAME.fullmatch(w) and w not in ("'s", "’s")]
    return _Asked(words, content, names)


# --- bonds and deeds -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sense:
    """What a word says: its predicates, and whether the asked-for stands at their subject."""

    predicates: frozenset[str]
    subject_wanted: bool
    gender: str = ""
    noun: str = ""


def _bonds(asked: _Asked, view: StoryView) -> KnownAnswer | None:
    senses = [(word, sense) for word in asked.content if (sense := _sense(word, asked)) is not None]
    if not senses or "not" in asked.words or "t" in asked.words:
        return None
    word, sense = senses[-1]
    more = [one for one in asked.content if one != word]
    who = asked.names[0]
    others = {one: _other(one, who, sense, view) for one in _told(view, who)}
    wanted = view.resolve(asked.names[1]) if len(asked.names) == 2 else ""
    found = [one for one, other in others.items() if other and wanted in ("", other)]
    found = [one for one in found if _says(one, [*more, *filter(None, [sense.noun])])]
    held = [one for one in found if not is_over(one)]
    is_past = bool(_PAST & set(asked.words)) or (word.endswith("ed") and not _BE & set(asked.words))
    found = found if is_past else held or found
    found.sort(key=lambda one: (-one.confidence, -one.told, one.subject, one.object))
    ends = {view.name(others[one]): "" if held else ending(one) for one in reversed(found)}
    text = ", ".join(f"{name}{'' if is_past else over}" for name, over in list(ends.items())[::-1][:_MOST])
    if found and wanted:
        over = ends[view.name(wanted)]
        text = f"yes{over}" if is_past or not over else f"no longer{over}"
    quotes = [quote for one in found for quote in _best(one, word, view)]
    sure = max((one.confidence for one in found), default=0.0)
    return _known(text, quotes, sure) if found else None


def _sense(word: str, asked: _Asked) -> _Sense | None:
    for noun in (word, word.removesuffix("s"), word.removesuffix("ies") + "y", word[:-3] + "fe"):
        if noun in KIN:
            predicate, gender = KIN[noun]
            strict = noun if predicate in _SHARED else ""
            wanted = asked.opens != "whose" and len(asked.names) != 2
            return _Sense(frozenset({predicate}), wanted, gender, strict)
    leads = asked.words.index("{0}") < asked.words.index(word)
    for behind in asked.words:
        if (word, behind) in ADJECTIVES:
            return _Sense(frozenset({ADJECTIVES[word, behind][0]}), not leads)
    predicates = frozenset(
        rule.predicate
        for rule in VERBS.get(verb_lemma(word, word), ())
        if rule.target == "person" and not (rule.particle or rule.noun or rule.unable)
        if rule.slot in ("dobj", "dative") or rule.slot.removeprefix("prep:") in asked.words
    )
    predicates |= {"MARRIED_TO"} if "MARRIES" in predicates else set()
    passive = bool(_BE & set(asked.words)) and "by" in asked.words
    return _Sense(predicates, leads == passive) if predicates else None


def _told(view: StoryView, who: str) -> list[Relation]:
    """What stands between somebody and others, and what they did to each other, as far as it is sure."""
    ties, others = shown_relations(view, who)
    found = [one for one in ties if one.confidence >= (LIKELY if one.origin == ORIGIN else SURE_ENOUGH)]
    found += [one for one in others if one.confidence >= SURE_ENOUGH]
    found += [
        Relation(a, event.predicate, b, event.holds, event.told, event.evidence, event.confidence)
        for event in view.events(who)
        if event.confidence >= SURE
        for a, b in act_of(view, event).pairs
    ]
    return found


def _other(told: Relation, who: str, sense: _Sense, view: StoryView) -> str:
    """Whom it tells of beside ``who``, where it says what is asked; else empty."""
    one, row = view.resolve(who), PREDICATES[told.predicate]
    ways = [(told.predicate, told.subject, told.object)]
    if row.inverse:
        ways.append((row.inverse, told.object, told.subject))
    if row.symmetric:
        ways.append((told.predicate, told.object, told.subject))
    for predicate, subject, object_ in ways:
        asked, known = (subject, object_) if sense.subject_wanted else (object_, subject)
        if predicate in sense.predicates and known == one:
            bearer = view.entity(subject)
            fits = bearer is not None and (not sense.gender or bearer.gender in ("", sense.gender))
            if fits and view.entity(asked) is not None:
                return asked
    return ""


def _says(told: Relation, words: Iterable[str]) -> bool:
    """Do these words, or their beginnings, stand in its quotes?"""
    text = " ".join(quote.quote.casefold() for quote in told.evidence)
    return all(_stem(word) in text for word in words)


def _best(told: Relation, word: str, view: StoryView) -> list[Evidence]:
    """The sentence that tells it, and of the quotes beside it the one that says it most plainly: with the
    names of both and the word that was asked."""
    wanted = [_called(view, told.subject), _called(view, told.object), [word]]

    def plainness(quote: Evidence) -> int:
        text = quote.quote.casefold()
        return sum(any(_stem(one) in text for one in words) for words in wanted)

    first, *more = told.evidence
    if is_over(told) and holds_when_told(told):  # first what tells the end
        return [*more[:1], first]
    return [first, *sorted(more, key=lambda quote: -plainness(quote))[:1]]


def _called(view: StoryView, who: str) -> list[str]:
    entity = view.entity(who)
    names = (entity.name, *entity.aliases) if entity is not None else ()
    return [part.casefold() for name in names for part in name.split() if part[0].isupper()]


def _stem(word: str) -> str:
    return word[: max(3, len(word) - 2)]


# --- places, scenes, persons ---------------------------------------------------------------------


def _whereabouts(asked: _Asked, view: StoryView) -> KnownAnswer | None:
    """Where somebody is told to be last, to live, or to come from."""
    who = view.resolve(asked.names[0])
    verbs = " ".join(verb_lemma(word, word) for word in asked.content if word != "now")
    predicate = {"": "LOCATED_AT", "live": "LIVES_IN", "come": "COMES_FROM"}.get(verbs)
    if predicate is None or (not verbs and not _BE & set(asked.words)):
        return None
    told = view.relations(who, predicate=predicate)
    found = [one for one in told if one.subject == who and view.entity(one.object)]
    if predicate == "LIVES_IN":
        found = list(filter(holds_when_told, homes(view, who)))
    if not verbs:
        names = _called(view, who)
        there = (one for one in stays(view) if one.subject == who)
        found += [one for one in there if any(name in one.evidence[0].quote.casefold() for name in names)]
    least = {"rules": _HOME if predicate == "LIVES_IN" else _PLACE}
    sure = (one for one in found if one.confidence >= least.get(one.origin, SURE_ENOUGH))
    latest = max(sure, key=view.place, default=None)
    return None if latest is None else _known(view.name(latest.object), latest.evidence, latest.confidence)


def _fact(asked: _Asked, view: StoryView) -> KnownAnswer | None:
    """The age, the colour of eyes or hair as it was told last, of the time of the telling."""
    aspect = _ASPECTS.get(" ".join(sorted(asked.content)))
    told = [
        one
        for one in view.facts(view.resolve(asked.names[0]))
        if one.aspect == aspect and one.modality is Modality.FACT and one.confidence >= SURE_ENOUGH
    ]
    latest = max(told, key=view.place, default=None)
    if latest is None:
        return None
    years = " years old" if latest.aspect == "age" else ""
    return _known(latest.value + years, latest.evidence, latest.confidence)


def _company(asked: _Asked, view: StoryView) -> KnownAnswer | None:
    """Who was on stage where somebody died."""
    who = view.resolve(asked.names[0])
    ends = (event for event in view.events(who) if event.predicate in ("DIES", "KILLS"))
    death = next((event for event in ends if ("patient", who) in event.participants), None)
    if death is None or "with" not in asked.words or not _ENDS & set(asked.content):
        return None
    end = death.evidence[0].span.start
    scenes = [one for one in view.on_stage(death.told) if one.evidence.span.start <= end]
    last = max((one.scene for one in scenes), default=-1)
    people = {entity.id for entity in view.entities(EntityKind.CHARACTER)} - {who}
    there = [one for one in scenes if one.scene == last and one.entity in people]
    names = [view.name(one.entity) for one in there][:_MOST]
    sure = min((one.confidence for one in there), default=0.0)
    return _known(", ".join(names), [one.evidence for one in there], sure)


def _profile(who: str, view: StoryView, laid_down: Callable[[StoryView], Bible]) -> KnownAnswer | None:
    """What is known of somebody, where that is more than a name."""
    entity = view.entity(who)
    if entity is None or entity.kind is not EntityKind.CHARACTER:
        return None
    known = profile_of(entity, laid_down(view))
    if len(known.evidence) < 2:
        return None
    first, *more = known.evidence  # where the name stands, and what tells of its bearer
    return _known(known.text, more, SURE_ENOUGH) or _known(known.text, [first], SURE_ENOUGH)


def _known(text: str, quotes: Iterable[Evidence], confidence: float) -> KnownAnswer | None:
    """None without a quote of the story itself: what a codex says alone is shown as its word."""
    own = tuple(dict.fromkeys(quote for quote in quotes if quote.document_id != CODEX_ID))[:_QUOTES]
    return KnownAnswer(text, own, confidence) if own and text else None
