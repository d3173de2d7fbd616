"""Whose birth or death a sentence tells: that of another is no answer to "How did Ann die?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ..core.types import Chunk, Span
from ..story.graph_rag.views.story_view import StoryView
from ..story.graph_rag.views.timeline import acts
from ..story.memories.graph_answers import graph_answer
from ..story.model.types import EntityKind, StoryEntity
from ..story.names.lexicon import TITLES
from ..story.writing.graph_notes import names_in

_BIRTH = r"\b(?:born|birth|old|buried|live)\b"
_END = r"(?:die[ds]?|dead|killed|murdered|executed|born|buried|live)\b"
_ASKS_OF_ONE = re.compile(
    r"(?:(?:and|but|so)\s+)?(?:(?:of\s+)?(?:how|when|where|why|what|who)\s+)?"
    rf"(?:(?:did|does|has|had|is|was|were)\s+@\s+(?:\w+\s+)?{_END}(?!.*\bby\b)|@\s+{_END}|{_END}\s+@|old\s+\w+\s+@"
    r"|(?:\w+\s+){0,4}@['’]s?\s+(?:\w+\s+)?(?:birth|death)\b)",
    re.IGNORECASE,
)
_THEIRS = re.compile(r"['’]s?\s+(?!birth|death|life|age)\w+")
_CAPITALISED = re.compile(r"\b(?![a-z])[^\W\d_]{2,}")
_OF_GENDER = {
    "m": re.compile(r"(?i)\b(?:he|him|his|mr)\b"),
    "f": re.compile(r"(?i)\b(?:she|hers?|mrs|miss)\b"),
}


def may_tell(question: str, view: StoryView) -> Callable[[Chunk, Span], bool] | None:
    """Of a question that asks for one person's birth, age, home or death: may a sentence of a chunk tell it?
    Not one that names others alone, has words of the other gender alone, or is the quote of another's death.
    None for any other question."""
    found = names_in(question, view)
    if len({entity.id for _, entity in found}) != 1:
        return None
    span, who = found[0]
    end, theirs = span.end, _THEIRS.match(question, span.end)
    if theirs:
        known = persons_of(question[span.start : theirs.end()], view)
        if not known:
            return None
        who, end = known[0], theirs.end()
    if not _ASKS_OF_ONE.match(f"{question[: span.start]}@{question[end:]}".lstrip(" \"'“¿")):
        return None
    people = view.entities(EntityKind.CHARACTER)
    own = _words((who.name, *who.aliases))
    others = _words(name for one in people if one.id != who.id for name in (one.name, *one.aliases))
    deaths = [] if re.search(_BIRTH, question, re.IGNORECASE) else [act for act in acts(view) if act.dead]
    told = [(quote, who.id in act.dead) for act in deaths for quote in act.record.evidence[:1]]
    alike, unlike = _OF_GENDER.get(who.gender), _OF_GENDER.get({"m": "f", "f": "m"}.get(who.gender, ""))

    def may(chunk: Chunk, sentence: Span) -> bool:
        at = Span(chunk.span.start + sentence.start, chunk.span.start + sentence.end)
        its = {
            is_own
            for quote, is_own in told
            if quote.document_id == chunk.document_id and quote.span.overlaps(at)
        }
        if its:
            return True in its
        text = sentence.of(chunk.text)
        said = _words([text])
        if said & (own - others):
            return True
        other_gender = alike and unlike and unlike.search(text) and not alike.search(text)
        return not other_gender and not said & (others - own)

    return may


def persons_of(text: str, view: StoryView) -> list[StoryEntity] | None:
    """Who "Ann's husband" is, where the story tells of one; None for a text that is no such words."""
    found = names_in(text, view)
    if not found or found[0][0].start or not _THEIRS.fullmatch(text, found[0][0].end):
        return None
    known = graph_answer(f"Who is {text}?", view)
    theirs = view.find(known.text) if known is not None else None
    return [] if theirs is None else [theirs]


def _words(names: Iterable[str]) -> set[str]:
    found = (word.casefold() for name in names for word in _CAPITALISED.findall(name))
    return {word for word in found if word not in TITLES}
