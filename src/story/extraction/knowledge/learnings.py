"""Who comes to know what, and from whom."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.chapter_reading import Learning
from ...model.types import EntityKind
from ..clauses.arguments import Arguments, is_passive
from ..clauses.fact_collector import FactCollector
from ..clauses.modality import modality_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

__all__ = ["read_learnings", "words_of"]

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
# the subject comes to know what the clause says, and how surely the verb tells so
_LEARNING = {
    "learn": 0.85, "discover": 0.85, "realise": 0.8, "realize": 0.8, "overhear": 0.85, "perceive": 0.7,
    "hear": 0.75, "notice": 0.65, "read": 0.7, "find": 0.65, "discern": 0.65, "ascertain": 0.8, "gather": 0.6,
    "understand": 0.55, "see": 0.55, "recognise": 0.65, "recognize": 0.65,
}  # fmt: skip
# the object (or the one behind "to") comes to know it from the subject
_TELLING = {
    "tell": 0.85, "inform": 0.9, "notify": 0.9, "warn": 0.75, "assure": 0.65, "remind": 0.5, "advise": 0.5,
    "acquaint": 0.8, "apprise": 0.85, "show": 0.6, "teach": 0.6,
}  # fmt: skip
_TO = {
    "reveal": 0.85, "confess": 0.8, "admit": 0.75, "disclose": 0.85, "explain": 0.75, "announce": 0.75,
    "mention": 0.7, "report": 0.75, "confide": 0.8, "say": 0.7, "declare": 0.6, "write": 0.7,
}  # fmt: skip
_VERBS = frozenset({*_LEARNING, *_TELLING, *_TO})
_NEWS = frozenset("learn hear tell inform read warn apprise".split())  # "of" or "about" something
_OUT = frozenset({"find"})
_QUESTIONS = frozenset("what who whom whose where when why how which whether if".split())
_LEAST, _MOST = 2, 60  # words of a content; of a question one more
_ABOUT = 0.75  # what is named and not told in a clause


def read_learnings(chapter: ParsedChapter, arguments: Arguments, facts: FactCollector) -> Iterator[Learning]:
    """In order of the text, out of narration only. ``content`` is the clause without its "that"; a thing
    learnt of ("heard of the marriage") is in the text's words too, less surely."""
    for paragraph in chapter.paragraphs:
        quotes = paragraph.prose.quotes
        for token in paragraph.words:
            if token.pos_ != "VERB" or token.lemma_.lower() not in _VERBS:
                continue
            if not (quotes and paragraph.spoken(token)):
                yield from _learnt(paragraph, token, arguments, facts)


def _learnt(
    paragraph: ParsedParagraph, verb: Word, arguments: Arguments, facts: FactCollector
) -> Iterator[Learning]:
    lemma = verb.lemma_.lower()
    clause = _clause(verb, lemma)
    content = clause if clause is not None else _news(verb, lemma)
    if content is None or any(c.dep_ == "dobj" and c.lower_ == "nothing" for c in verb.children):
        return
    words = words_of(paragraph, content)
    if not words:
        return
    learners, sources, sure = _parties(paragraph, verb, lemma, arguments)
    modality = modality_of(facts.chapter, paragraph, verb) if learners else None
    if modality is None:
        return
    source = sources[0] if len(sources) == 1 else None
    happening = facts.at.get((paragraph.number, clause.i)) if clause is not None else None
    for learner in learners:
        evidence = arguments.support(paragraph, verb, learner, source)
        factor = learner.factor * (source.factor if source else 1.0) * (1.0 if clause is not None else _ABOUT)
        yield Learning(
            learner.mention,
            words,
            source.mention if source else None,
            evidence,
            modality,
            round(sure * factor, 3),
            happening,
        )


def _clause(verb: Word, lemma: str) -> Word | None:
    """The clause that says what is learnt; None for speech set beside the verb and for "see him come"."""
    for child in verb.children:
        if child.dep_ != "ccomp" or child.i < verb.i:
            continue
        opens = child.left_edge
        linked = any(c.dep_ == "mark" and c.lower_ == "that" for c in child.children)
        asked = opens.lower_ in _QUESTIONS or (opens.i > 0 and opens.nbor(-1).lower_ in _QUESTIONS)
        finite = child.tag_ in ("VBD", "VBZ", "VBP") or any(
            c.dep_ in ("aux", "auxpass") and c.tag_ != "TO" for c in child.children
        )
        if not finite or (lemma in ("say", "write", "declare", "see") and not (linked or asked)):
            continue
        if lemma in _OUT and not (linked or asked or _particle(verb)):
            continue
        return child
    return None


def _particle(verb: Word) -> bool:
    return any(child.dep_ in ("prt", "advmod") and child.lower_ == "out" for child in verb.children)


def _news(verb: Word, lemma: str) -> Word | None:
    """Like "heard of the marriage", "informed her of his death", "found out the secret"."""
    if lemma not in _NEWS:
        return None
    behind: list[Word] = [
        c for child in verb.children if child.dep_ == "dobj" for c in child.children
    ]  # "told X of Y"
    for child in [*verb.children, *(behind if lemma in _TELLING else ())]:
        if child.dep_ == "prep" and child.lower_ in ("of", "about"):
            told = (c for c in child.children if c.dep_ == "pobj" and c.pos_ == "NOUN" and _told_of(c))
            found: Word | None = next(told, None)
            if found is not None:
                return found
    return None


def _told_of(noun: Word) -> bool:
    """A particular thing: with "the", "his" or somebody's name before it."""
    return any(child.dep_ in ("det", "poss") for child in noun.children)


def words_of(paragraph: ParsedParagraph, head: Word) -> str:
    """The words of a clause or phrase, in the text's order, without its "that"; empty where they are too few
    or too many, or run into direct speech."""
    first, last = head.left_edge.i, head.right_edge.i
    doc = paragraph.doc
    if doc[first].lower_ == "that" and doc[first].head.i == head.i and head.pos_ in ("VERB", "AUX"):
        first += 1
    while last > first and doc[last].is_punct:
        last -= 1
    while first < last and doc[first].is_punct:
        first += 1
    asked = doc[first].lower_ in _QUESTIONS
    if (
        not _LEAST + asked <= last - first + 1 <= _MOST
        or paragraph.spoken(doc[first])
        or paragraph.spoken(doc[last])
    ):
        return ""
    end = doc[last].idx + len(doc[last])
    return paragraph.prose.text[doc[first].idx : end]


def _parties(
    paragraph: ParsedParagraph, verb: Word, lemma: str, arguments: Arguments
) -> tuple[list[Reference], list[Reference], float]:
    """Who comes to know, from whom, and how surely the verb says so."""
    subjects = _people(arguments, arguments.subjects(paragraph, verb))
    if lemma in _LEARNING:
        if is_passive(verb):
            return [], [], 0.0
        sources = _people(arguments, arguments.slot(paragraph, verb, "prep:from"))
        return subjects, sources, _LEARNING[lemma]
    if lemma in _TELLING:
        if is_passive(verb):
            return subjects, _people(arguments, arguments.agents(paragraph, verb)), _TELLING[lemma]
        told = arguments.slot(paragraph, verb, "dobj") or arguments.slot(paragraph, verb, "dative")
        return _people(arguments, told), subjects, _TELLING[lemma]
    hearers = arguments.slot(paragraph, verb, "prep:to") or arguments.slot(paragraph, verb, "dative")
    return ([] if is_passive(verb) else _people(arguments, hearers)), subjects, _TO[lemma]


def _people(arguments: Arguments, references: list[Reference]) -> list[Reference]:
    return [one for one in references if arguments.kind(one) in _PEOPLE]
