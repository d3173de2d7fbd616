"""Questions to a project: its search, graph and models behind one door."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypedDict

from ..core.answering.answered import AnswerSettings, Asked, KnownAnswer, Written
from ..core.answering.checked_answer import Fence
from ..core.answering.grounding import telling_terms
from ..core.rag_system import KeptAnswers, answer
from ..core.search import Mode
from ..core.text.tokenizing import Tokenizer
from ..core.types import Chunk, Horizon, Note, Passage, Span
from ..errors import ModelError, UsageError
from ..story.bible import canon_notes
from ..story.evidence.untrusted import GUARD, neutralise
from ..story.graph_rag.views.story_view import StoryView
from ..story.graph_rag.views.timeline import acts
from ..story.memories.graph_answers import graph_answer
from ..story.model.types import EntityKind, StoryEntity
from ..story.names.lexicon import TITLES
from ..story.passages.filter import SearchFilter
from ..story.writing.graph_notes import cast_of, course_notes, graph_notes, names_in
from ..story.writing.pipelines import FUSED
from ..story.writing.prompts import NOT_TOLD
from ..story.writing.story_so_far import ASKED, READ, Recap, RecapLine, story_so_far
from .recalling import recall_memories
from .searching import suggest_names

if TYPE_CHECKING:
    from ..core.answering.answered import Answered
    from ..story.writing.prompts import Length
    from .parts import OpenProject


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
        at = sentence.moved(chunk.span.start)
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


_MOST_NOTES = 12
_NEAR = 0.3  # the cosine from which on the codex is shown to a model that answers
_SURELY = 0.5  # the cosine from which on a rule is shown to a reader who asked


class AskHow(TypedDict, total=False):
    """What :func:`ask` takes beside the question."""

    k: int | None
    as_of: int | None
    wanted: SearchFilter | None
    history: Sequence[tuple[str, str]]
    conversation: str | None
    model: bool | None
    on_text: Callable[[str], None] | None


def ask(
    project: OpenProject,
    question: str,
    *,
    k: int | None = None,
    as_of: int | None = None,
    wanted: SearchFilter | None = None,
    history: Sequence[tuple[str, str]] = (),
    conversation: str | None = None,
    model: bool | None = None,
    on_text: Callable[[str], None] | None = None,
) -> Answered:
    """An answer with its sources: see :meth:`..engine.Project.ask`."""
    writes = project.config.model_answers if model is None else model
    sought = project.question(question, k, as_of=as_of, wanted=wanted)
    before = tuple(history)
    if conversation is not None:
        kept = project.conversations.turns(conversation, horizon=sought.horizon)
        before = (*((turn.question, turn.answer) for turn in kept), *before)
    asked = Asked(question, sought.horizon, before, k=sought.k)
    scope = f"{project.question_searcher.scope(sought)}\n{project.config.generator.model_dump_json()}"
    answered = answer(
        asked,
        _ProjectLibrary(project, wanted),
        generator=(lambda: project.generator) if writes else None,
        fence=Fence(neutralise, GUARD),
        not_told=NOT_TOLD,
        reader=project.answer_reader,
        storyteller=partial(_write_scene, project),
        settings=_settings(project),
        kept=KeptAnswers(project.answers, project.embedder.embed_query, scope),
        on_text=on_text,
    )
    hints = suggest_names(sought, project.lexical, project.view)
    answered = replace(answered, notices=(*answered.notices, *hints))
    if project.printed is not None:  # a quote is closer to its lines than its passage
        cited = (replace(one, label=project.place(one.span) or one.label) for one in answered.citations)
        answered = replace(answered, citations=tuple(cited))
    if wanted is not None and wanted.known_to and not (answered.told or answered.is_unwritten):
        answered = replace(answered, text=f"As far as the story tells, {wanted.known_to} cannot know.")
    if conversation is not None:
        from ..core.store.conversations import KeptTurn

        known = sought.horizon.chapter or len(project.document.chapters)  # a book may grow
        turn = KeptTurn(question, answered.text, known, answered.told)
        project.conversations.add(conversation, turn)
    return answered


def recap(
    project: OpenProject,
    *,
    length: Length = "medium",
    as_of: int | None = None,
    model: bool | None = None,
    on_text: Callable[[str], None] | None = None,
    on_chapter: Callable[[int, int], None] | None = None,
) -> Recap:
    """The story so far, each line with its quotes, as far as it is narrated up to ``as_of``. With ``model``
    (by default as ``answering.model`` says) the language model writes it, and what has no support in the
    story is left out; ``on_text`` gets what it writes once that was checked. ``on_chapter`` hears of each
    chapter that was read, and of how many there are: it takes about a tenth of a second each. Raises
    MemoryBudgetError."""

    def found(chapter: int) -> Sequence[Passage]:
        wanted = SearchFilter(chapters=(chapter, chapter))
        for mode in ("semantic", "lexical"):
            asked = project.question(ASKED, READ, as_of=chapter, mode=mode, wanted=wanted)
            try:
                return project.question_searcher(asked).passages
            except ModelError:  # of the embedding model
                continue
        return ()

    writes = project.config.model_answers if model is None else model
    view = project.view(as_of)
    waiting = [
        RecapLine(one.turns[0].evidence.chapter, f"{one.kind}: {one.what}", (one.turns[-1].evidence,))
        for one in project.threads(as_of)
        if one.state != "resolved"
    ]
    with project.monitor.work():
        return story_so_far(
            project.horizon(as_of).chapter or len(project.document.chapters),
            found,
            known=[one for one in view.events(untyped=True) if one.key and one.what],
            waiting=waiting,
            reader=project.answer_reader,
            length=length,
            settings=_settings(project),
            generator=(lambda: project.generator) if writes else None,
            on_text=on_text,
            on_chapter=on_chapter,
        )


def rate_answer(project: OpenProject, answered: Answered, rating: float, *, as_of: int | None) -> int:
    """Keeps how well an answer served, 0 (useless) to 1 (just right), as that of the passages it quotes; how
    many of them there are. Those that the search no longer gives for its question are left out."""
    question = answered.answers or answered.question
    sought = project.question(question, None, as_of=as_of)
    kept = 0
    for chunk in dict.fromkeys(one.chunk_id for one in answered.citations if one.chunk_id):
        with suppress(UsageError):
            project.searcher.rate(sought, chunk, rating)
            kept += 1
    return kept


def _settings(project: OpenProject) -> AnswerSettings:
    return AnswerSettings(**project.config.answering.model_dump(exclude={"model"}))


@dataclass(frozen=True, slots=True)
class _ProjectLibrary:
    """The project's own search and graph, as :func:`..core.rag_system.answer` asks for them."""

    project: OpenProject
    wanted: SearchFilter | None

    def passages(self, query: str, asked: Asked, *, lexical: bool) -> Sequence[Passage]:
        as_of = asked.horizon.chapter
        mode: Mode = "lexical" if lexical else "hybrid"
        question = self.project.question(query, asked.k, as_of=as_of, mode=mode, wanted=self.wanted)
        return self.project.question_searcher(question).passages

    def notes(self, question: str, asked: Asked) -> Sequence[Note]:
        """Where the question names somebody; a filter is about passages, and leaves notes as they are."""
        view = self.project.view(asked.horizon.chapter)
        document, codex = self.project.document, self.project.codex
        chapter = len(document.chapters) if asked.horizon.chapter is None else asked.horizon.chapter
        cast = cast_of(question, view=view, chapter=chapter)
        laid_down = self._laid_down(question, asked, _NEAR)
        if not cast.named:
            return laid_down
        placed = graph_notes(
            cast,
            view=view,
            chapter=chapter,
            canon=codex.constraints(Horizon(chapter)) if codex is not None else (),
            lines=canon_notes(self.project.bible_of(view), (*cast.characters, *cast.places), most=40),
        )
        graph = [one.note for one in placed[:_MOST_NOTES]]
        graph += course_notes(cast, view) if asked.wide else []
        return list({note.text: note for note in reversed((*laid_down, *graph))}.values())[::-1]

    def laid_down(self, question: str, asked: Asked) -> Sequence[Note]:
        return self._laid_down(question, asked, _SURELY)

    def _laid_down(self, question: str, asked: Asked, least: float) -> list[Note]:
        """Rules and descriptions of the codex that speak of what is asked: they are near to it, or hold all
        of its telling words."""
        if self.project.codex is None:
            return []
        found = recall_memories(self.project, question, "codex", as_of=asked.horizon.chapter)
        terms = Tokenizer()
        wanted = telling_terms(terms, question)
        kinds = {"rule": "constraint", "description": "character", "fact": "character"}
        return [
            Note(kinds[one.memory.kind], one.memory.text, (), one.memory.evidence)
            for one in found
            if one.score >= least or (wanted and wanted <= telling_terms(terms, one.memory.text))
        ]

    def people(self, text: str, asked: Asked) -> Sequence[tuple[str, str]]:
        view = self.project.view(asked.horizon.chapter)
        chapter = asked.horizon.chapter or len(self.project.document.chapters)
        theirs = persons_of(text, view)
        if theirs is not None:
            return [(one.name, one.gender) for one in theirs]
        cast = cast_of(text, view=view, chapter=chapter)
        known = [view.entity(who) for who in cast.characters] if cast.named else []
        return [(one.name, one.gender) for one in known if one is not None]

    def may_answer(self, question: str, asked: Asked) -> Callable[[Chunk, Span], bool] | None:
        return may_tell(question, self.project.view(asked.horizon.chapter))

    def known(self, question: str, asked: Asked) -> KnownAnswer | None:
        """What the graph answers; a filter is about passages, which the graph knows nothing of."""
        if self.wanted is not None and not self.wanted.is_empty:
            return None
        return graph_answer(question, self.project.view(asked.horizon.chapter), self.project.bible_of)

    def place(self, span: Span) -> str:
        return self.project.place(span)

    def weights(self, question: str, asked: Asked) -> Mapping[str, float]:
        limit = self.project.search_index.limit(asked.horizon)
        found = self.project.lexical.statistics(question, limit=limit)
        return {one.term: one.idf for one in found if one.df}


def _write_scene(
    project: OpenProject, wish: str, *, horizon: Horizon, on_text: Callable[[str], None] | None
) -> Written:
    """By the fused pipeline, revised at most once, so that its text comes whole."""
    from .comparing import compare  # what reads chapters comes with it, and a question needs none of that

    report = compare(project, wish, chapter=horizon.chapter, pipelines=(FUSED,), seed=None, on_event=None)
    result = report.results[0]
    context = result.context.context if result.context else None
    made = result.generation
    text = made.text if made else ""
    if on_text is not None and text:
        on_text(text)
    said = [one for one in (result.error, result.notice) if one]
    said += [f"the critic objects: {violation.message}" for violation in result.violations]
    shown = {name: getattr(context, name) for name in ("passages", "notes", "left_out")} if context else {}
    return Written(text, made.model if made else "", notices=tuple(said), **shown)
