"""A question, and what comes back: values only."""

from __future__ import annotations

from dataclasses import dataclass

from ..queries.router import Kind
from ..types import Evidence, Horizon, LeftOut, Note, Passage
from .grounding import AnswerSource, Citation, SentenceSupport

LEAST_BUDGET, MOST_BUDGET = 900, 6000
_MORE = 1.5  # for a question that is answered from all over the story


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """``budget`` bounds the sources and ``max_tokens`` the answer, in the generator's tokens; notes may take
    ``note_share`` of the budget. 0 is a third of what the model can read, :data:`LEAST_BUDGET` at least and
    :data:`MOST_BUDGET` at most; half as much again for a ``wide`` question. The model may ask for other
    passages ``searches`` times. Where nothing that a model wrote has support, or without a model, ``quotes``
    of the story's sentences answer; they are looked for in the first ``depth`` passages, and where the reader
    is less sure than ``least_confidence`` (0 to 1) that they do, the story does not say. A few words are
    shown as the answer where it is as sure as ``least_short`` that the first sentence answers. A question is
    understood by the last ``turns`` questions and answers of its conversation."""

    budget: int = 0
    note_share: float = 0.3
    max_tokens: int = 400
    temperature: float = 0.0
    seed: int = 0
    searches: int = 1
    turns: int = 3
    quotes: int = 3
    depth: int = 20
    least_confidence: float = 0.3
    least_short: float = 0.5

    def budget_of(self, context_tokens: int | None, *, wide: bool = False) -> int:
        """Tokens of the sources, of a model that can read so many; None: there is no model."""
        if self.budget or context_tokens is None:
            return self.budget or LEAST_BUDGET
        room = max(LEAST_BUDGET, min(MOST_BUDGET, context_tokens // 3))
        return int(room * _MORE) if wide and context_tokens >= 2 * room * _MORE else room


@dataclass(frozen=True, slots=True)
class Asked:
    """A question at a horizon. ``history`` holds earlier questions and their answers, latest last. ``wide``:
    what answers it may be told in many places (see :func:`..queries.router.asks_widely`)."""

    question: str
    horizon: Horizon
    history: tuple[tuple[str, str], ...] = ()
    k: int = 5
    wide: bool = False


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """What is known already, without a search: the answer in words, quotes of the text, the best first, and
    how probable it is, 0 to 1."""

    text: str
    evidence: tuple[Evidence, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Written:
    """What the story engine wrote, with what it was given and what the critic says of it."""

    text: str
    model: str
    passages: tuple[Passage, ...] = ()
    notes: tuple[Note, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer and what it stands on.

    ``route`` is the router's kind; ``reasons`` say why. ``grounded`` says that every sentence was checked and
    has support in its sources, ``supported`` which share of those that the model wrote had, 0 to 1; None
    where nothing was checked, as in a scene, or in the story's own sentences (``extractive``), which are
    quotes. ``told`` is False where the story so far does not answer. ``cached`` marks a kept answer;
    ``answers`` is the wording it was made for.
    ``short`` is the answer in a few of the story's words, where the reader is sure enough of them;
    ``confidence`` how probable it is, 0 to 1, that the sentence they stand in answers, or, without ``short``,
    that one of the quotes does; None where no reader was asked.
    ``seconds`` are by stage (retrieve, read, context, generate, check; kept).
    """

    question: str
    route: Kind
    text: str
    grounded: bool | None = None
    supported: float | None = None
    citations: tuple[Citation, ...] = ()
    sources: tuple[AnswerSource, ...] = ()
    sentences: tuple[SentenceSupport, ...] = ()
    passages: tuple[Passage, ...] = ()
    notes: tuple[Note, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()
    reasons: tuple[str, ...]
    told: bool
    extractive: bool = False
    cached: bool = False
    answers: str = ""
    model: str = ""
    seconds: tuple[tuple[str, float], ...] = ()
    short: str = ""
    confidence: float | None = None

    @property
    def is_unwritten(self) -> bool:
        """Was something to be written, and no model there to write it? Then ``text`` says so."""
        return self.route == "narrative" and not self.told and not self.passages

    @property
    def is_scene(self) -> bool:
        """Was a scene written, as was wished, rather than a question answered?"""
        return self.told and bool(self.model) and not self.extractive and not self.sources
