"""What an answer may stand on: passages of a search, read for what answers, and notes of the graph."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from ...errors import ModelError
from ..interfaces import Generator
from ..types import Chunk, LeftOut, Note, Passage, Span
from .answer_reader import AnswerRead
from .answered import AnswerSettings, Asked, KnownAnswer
from .grounding import AnswerSource, numbered_sources

_LETTERS_A_TOKEN = 4  # where no model is at hand to count them
_TOKENS_A_PASSAGE = 100  # or more
_RRF = 60  # added to a rank (Cormack et al., 2009)


class Library(Protocol):
    """What is known of a story. Nothing that it gives was told after the horizon."""

    def passages(self, query: str, asked: Asked, *, lexical: bool) -> Sequence[Passage]:
        """At most ``asked.k``, best first; ``lexical`` asks for a search that needs no model."""

    def notes(self, question: str, asked: Asked) -> Sequence[Note]:
        """About those whom the question names, best first; each with quotes. Of a wide question the course
        of what they wanted, felt and did too."""

    def laid_down(self, question: str, asked: Asked) -> Sequence[Note]:
        """What the author lays down about the story, beside its text, that speaks of what is asked."""

    def weights(self, question: str, asked: Asked) -> Mapping[str, float]:
        """The question's index terms and how telling each is, 0 or more."""

    def people(self, text: str, asked: Asked) -> Sequence[tuple[str, str]]:
        """Whom the text names, in order, each with its gender: ``"f"``, ``"m"`` or ``""``."""

    def may_answer(self, question: str, asked: Asked) -> Callable[[Chunk, Span], bool] | None:
        """Which sentences of a chunk may answer; None where any may."""

    def known(self, question: str, asked: Asked) -> KnownAnswer | None:
        """What is known without a search."""

    def place(self, span: Span) -> str:
        """Where a part of the text is printed, as a source is called then; empty where that is not known."""


class Reader(Protocol):
    """Reads passages for the sentence that answers."""

    def read(
        self,
        question: str,
        passages: Sequence[str],
        /,
        *,
        may_answer: Callable[[int, Span], bool] | None = None,
    ) -> AnswerRead:
        """All sentences of the passages that may answer, best first. Raises ModelError where it cannot be
        loaded."""


@dataclass(slots=True)
class Gathered:
    """What is found on the way to an answer, by what, and what was noticed.

    ``generator`` says how much it can read and counts tokens; without one the sources are few.
    ``found`` is in the order of the search, ``ordered`` in that of the reader, which is in ``read``;
    ``passages`` are the first of it. ``searches`` are what was looked for beside the question, ``rounds`` how
    often the model asked for it. ``failed``: a model did, and what comes of it is not to be kept."""

    asked: Asked
    library: Library
    settings: AnswerSettings
    reader: Reader | None = None
    generator: Callable[[], Generator] | None = None
    notices: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    found: tuple[Passage, ...] = ()
    ordered: tuple[Passage, ...] = ()
    passages: tuple[Passage, ...] = ()
    notes: tuple[Note, ...] = ()
    sources: tuple[AnswerSource, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    read: AnswerRead | None = None
    searches: tuple[str, ...] = ()
    rounds: int = 0
    failed: bool = False
    is_silent: bool = False

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Adds the seconds of the block to those of the stage."""
        start = time.perf_counter()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start

    @property
    def budget(self) -> int:
        """Tokens of the sources."""
        reads = self.of_model(lambda model: model.context_tokens)
        return self.settings.budget_of(reads, wide=self.asked.wide)

    def of_model(self, what: Callable[[Generator], int]) -> int | None:
        """None where there is no model or it fails: the answer, which comes next, says so."""
        if self.generator is not None and not self.is_silent:
            try:
                return what(self.generator())
            except ModelError:
                self.is_silent = True
        return None


def gather(work: Gathered) -> None:
    """Passages, notes, and the sources made of them. Where the embedding model fails, words are searched
    for, where the reader does, the order is that of the search; notices say so. Of a wide question each
    whom it names is looked for too, and the best passage of each chapter comes before the next of any."""
    asked, library, by_model = work.asked, work.library, work.generator is not None
    with work.timed("retrieve"):
        work.found = work.ordered = _found(work, asked.question)
    if work.reader is not None:
        with work.timed("read"):
            _read(work, work.reader)
    with work.timed("context"):
        if by_model or work.read is None:  # the reader takes no notes
            work.notes = tuple(note for note in library.notes(asked.question, asked) if note.evidence)
        if asked.wide and by_model:
            _add(work, _sides(asked.question, library.people(asked.question, asked)))
        else:
            _number(work, work.ordered)
        if not by_model and work.read is not None:  # no source: it stands in no text of the story
            work.notes = tuple(library.laid_down(asked.question, asked))


def search_again(work: Gathered, searches: Sequence[str]) -> None:
    """Looks for the model's wordings too."""
    work.rounds += 1
    with work.timed("retrieve"):
        _add(work, searches)


def _add(work: Gathered, searches: Sequence[str]) -> None:
    """What stands near the top of several searches comes first (reciprocal rank fusion)."""
    work.searches = (*work.searches, *searches)
    worth: dict[str, float] = {}
    known: dict[str, Passage] = {}
    for passages in (work.ordered, *(_found(work, wording) for wording in work.searches)):
        for rank, passage in enumerate(passages):
            known.setdefault(passage.chunk.id, passage)
            worth[passage.chunk.id] = worth.get(passage.chunk.id, 0.0) + 1 / (_RRF + rank)
    ordered = [known[id_] for id_ in sorted(worth, key=lambda id_: -worth[id_])]
    _number(work, _spread(ordered) if work.asked.wide else ordered)


def _found(work: Gathered, wording: str) -> tuple[Passage, ...]:
    """As many passages as are read, or as the model's sources have room for."""
    room = 0 if work.generator is None else work.budget // _TOKENS_A_PASSAGE
    wide = replace(work.asked, k=max(work.asked.k, room, work.settings.depth if work.reader else 0))
    try:
        return tuple(work.library.passages(wording, wide, lexical=False))
    except ModelError as error:
        if not work.failed:
            work.notices.append(f"searched by words alone, since the embedding model failed: {error}")
        work.failed = True
        return tuple(work.library.passages(wording, wide, lexical=True))


def _read(work: Gathered, reader: Reader) -> None:
    """Orders the first passages by their best sentences; a model is shown more than are read."""
    question = work.asked.question
    try:
        chunks = [passage.chunk for passage in work.found[: max(work.asked.k, work.settings.depth)]]
        may = work.library.may_answer(question, work.asked)
        by_number = None if may is None else lambda number, span: may(chunks[number], span)
        work.read = reader.read(question, [chunk.text for chunk in chunks], may_answer=by_number)
    except ModelError as error:
        work.failed = True
        work.notices.append(f"the best sentences were chosen by words alone: {error}")
    else:
        order = (sentence.passage for sentence in work.read.sentences)
        work.ordered = tuple(work.found[i] for i in dict.fromkeys((*order, *range(len(work.found)))))


def _number(work: Gathered, ordered: Sequence[Passage]) -> None:
    """The sources: for a model what there is room for, else the first passages."""

    def count(text: str) -> int:
        found = work.of_model(lambda model: model.count_tokens(text))
        return len(text) // _LETTERS_A_TOKEN if found is None else found

    work.passages = tuple(ordered[: work.asked.k])
    work.sources, work.left_out = numbered_sources(
        work.passages if work.generator is None else ordered,
        work.notes,
        budget=work.budget,
        note_share=work.settings.note_share,
        count=count,
        place=work.library.place,
    )


def _sides(question: str, people: Sequence[tuple[str, str]]) -> list[str]:
    """The question of each of several people alone."""
    names = [name for name, _ in people]
    known = {word for name in names for word in name.split()}
    rest = " ".join(word for word in question.split() if re.split(r"\W", word)[0] not in known)
    return [f"{name} {rest}" for name in names] if len(names) > 1 else []


def _spread(passages: Sequence[Passage]) -> list[Passage]:
    """The first passage of every chapter, then the second of each."""
    seen: Counter[int] = Counter()
    rounds = []
    for passage in passages:
        rounds.append(seen[passage.chunk.chapter])
        seen[passage.chunk.chapter] += 1
    order = sorted(range(len(passages)), key=lambda at: rounds[at])
    return [passages[at] for at in order]
