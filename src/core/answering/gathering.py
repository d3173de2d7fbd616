"""What an answer may stand on: passages of a search, read for what answers, and notes of the graph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from ...errors import ModelError
from ..interfaces import Generator
from ..types import Chunk, LeftOut, Note, Passage, Span
from .answer_reader import AnswerRead
from .answered import AnswerSettings, Asked
from .grounding import AnswerSource, numbered_sources

_LETTERS_A_TOKEN = 4  # where no model is at hand to count them
_TOKENS_A_PASSAGE = 100  # or more
_RRF = 60  # added to a rank (Cormack et al., 2009)


class Library(Protocol):
    """What is known of a story. Nothing that it gives was told after the horizon."""

    def passages(self, query: str, asked: Asked, *, lexical: bool) -> Sequence[Passage]:
        """At most ``asked.k``, best first; ``lexical`` asks for a search that needs no model."""
        ...

    def notes(self, question: str, asked: Asked) -> Sequence[Note]:
        """About those whom the question names, best first; each with quotes. Of a wide question the course
        of what they wanted, felt and did too."""
        ...

    def laid_down(self, question: str, asked: Asked) -> Sequence[Note]:
        """What the author lays down about the story, beside its text, that speaks of what is asked."""
        ...

    def weights(self, question: str, asked: Asked) -> Mapping[str, float]:
        """The question's index terms and how telling each is, 0 or more."""
        ...

    def people(self, text: str, asked: Asked) -> Sequence[tuple[str, str]]:
        """Whom the text names, in order, each with its gender: ``"f"``, ``"m"`` or ``""``."""
        ...

    def may_answer(self, question: str, asked: Asked) -> Callable[[Chunk, Span], bool] | None:
        """Which sentences of a chunk may answer; None where any may."""
        ...


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
        ...


@dataclass(slots=True)
class Gathered:
    """What is found on the way to an answer, and what was noticed.

    ``found`` is in the order of the search, ``ordered`` in that of the reader, which is in ``read``;
    ``passages`` are the first of it. ``searches`` are what was looked for beside the question, ``rounds`` how
    often the model asked for it. ``failed``: a model did, and what comes of it is not to be kept."""

    asked: Asked
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


class Gatherer:
    """``generator`` says how much it can read and counts tokens; without one the sources are few. ``place``
    says where a part of the text is printed, as a source is called then."""

    def __init__(
        self,
        library: Library,
        reader: Reader | None,
        generator: Callable[[], Generator] | None,
        settings: AnswerSettings,
        clock: Callable[[], float],
        place: Callable[[Span], str] = lambda _: "",
    ) -> None:
        self._library = library
        self._place = place
        self._reader = reader
        self._generator = generator
        self._settings = settings
        self._clock = clock
        self._silent = False

    def gather(self, asked: Asked) -> Gathered:
        """Passages, notes, and the sources made of them. Where the embedding model fails, words are searched
        for, where the reader does, the order is that of the search; notices say so. Of a wide question each
        whom it names is looked for too, and the best passage of each chapter comes before the next of any."""
        work = Gathered(asked)
        start = self._clock()
        work.found = work.ordered = self._found(work, asked.question)
        work.seconds["retrieve"] = self._clock() - start
        if self._reader is not None:
            self._read(work, asked.question, self._reader)
        start = self._clock()
        if self._generator is not None or work.read is None:  # the reader takes no notes
            work.notes = tuple(note for note in self._library.notes(asked.question, asked) if note.evidence)
        if asked.wide and self._generator is not None:
            self._add(work, _sides(asked.question, self._library.people(asked.question, asked)))
        else:
            self._number(work, work.ordered)
        if self._generator is None and work.read is not None:  # no source: it stands in no text of the story
            work.notes = tuple(self._library.laid_down(asked.question, asked))
        work.seconds["context"] = self._clock() - start
        return work

    def search_again(self, work: Gathered, searches: Sequence[str]) -> None:
        """Looks for the model's wordings too."""
        start = self._clock()
        work.rounds += 1
        self._add(work, searches)
        work.seconds["retrieve"] += self._clock() - start

    def _add(self, work: Gathered, searches: Sequence[str]) -> None:
        """What stands near the top of several searches comes first (reciprocal rank fusion)."""
        work.searches = (*work.searches, *searches)
        worth: dict[str, float] = {}
        known: dict[str, Passage] = {}
        for passages in (work.ordered, *(self._found(work, wording) for wording in work.searches)):
            for rank, passage in enumerate(passages):
                known.setdefault(passage.chunk.id, passage)
                worth[passage.chunk.id] = worth.get(passage.chunk.id, 0.0) + 1 / (_RRF + rank)
        ordered = [known[id_] for id_ in sorted(worth, key=lambda id_: -worth[id_])]
        self._number(work, _spread(ordered) if work.asked.wide else ordered)

    def _found(self, work: Gathered, wording: str) -> tuple[Passage, ...]:
        wide = replace(work.asked, k=self._width(work.asked))
        try:
            return tuple(self._library.passages(wording, wide, lexical=False))
        except ModelError as error:
            if not work.failed:
                work.notices.append(f"searched by words alone, since the embedding model failed: {error}")
            work.failed = True
            return tuple(self._library.passages(wording, wide, lexical=True))

    def _read(self, work: Gathered, query: str, reader: Reader) -> None:
        """Orders the first passages by their best sentences; a model is shown more than are read."""
        start = self._clock()
        try:
            most = max(work.asked.k, self._settings.depth)
            chunks = [passage.chunk for passage in work.found[:most]]
            may = self._library.may_answer(query, work.asked)
            by_number = None if may is None else lambda number, span: may(chunks[number], span)
            work.read = reader.read(query, [chunk.text for chunk in chunks], may_answer=by_number)
        except ModelError as error:
            work.failed = True
            work.notices.append(f"the best sentences were chosen by words alone: {error}")
        else:
            order = (sentence.passage for sentence in work.read.sentences)
            work.ordered = tuple(work.found[i] for i in dict.fromkeys((*order, *range(len(work.found)))))
        work.seconds["read"] = self._clock() - start

    def _width(self, asked: Asked) -> int:
        """So many passages are looked for: as many as are read, or as the model's sources have room for."""
        room = 0 if self._generator is None else self._budget(asked) // _TOKENS_A_PASSAGE
        return max(asked.k, room, 0 if self._reader is None else self._settings.depth)

    def _budget(self, asked: Asked) -> int:
        reads = self._of_model(lambda model: model.context_tokens)
        return self._settings.budget_of(reads, wide=asked.wide)

    def _number(self, work: Gathered, ordered: Sequence[Passage]) -> None:
        """The sources: for a model what there is room for, else the first passages."""
        work.passages = tuple(ordered[: work.asked.k])
        work.sources, work.left_out = numbered_sources(
            work.passages if self._generator is None else ordered,
            work.notes,
            budget=self._budget(work.asked),
            note_share=self._settings.note_share,
            count=self._counted,
            place=self._place,
        )

    def _counted(self, text: str) -> int:
        found = self._of_model(lambda model: model.count_tokens(text))
        return len(text) // _LETTERS_A_TOKEN if found is None else found

    def _of_model(self, what: Callable[[Generator], int]) -> int | None:
        """None where there is no model or it fails: the answer, which comes next, says so."""
        if self._generator is not None and not self._silent:
            try:
                return what(self._generator())
            except ModelError:
                self._silent = True
        return None


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
