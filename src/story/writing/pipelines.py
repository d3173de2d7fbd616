"""The three pipelines as values, and how one of them writes: draft, check, at most one revision.

A draft is read while it is being written: what is finished is parsed, so that only the end is left to do.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from ...core.interfaces import Generator
from ...core.types import Generation, Prompt
from ...errors import ModelError
from ..model.findings import CheckReport, Violation
from .context import StoryContext
from .prompts import continuation, revision

Feed = Callable[[str], None]
"""Takes the next piece of one streamed text."""

Feeds = Callable[[], Feed]
"""Opens a feed for a text that is about to come."""

_BLANK = re.compile(r"(?<![ \t\r])(?:[ \t\r]*+\n){2,}")


def unheard() -> Feed:
    """A feed that nobody listens to."""
    return lambda _: None


class ReadAhead:
    """Calls ``parse`` with finished paragraphs, in a thread of its own, one call at a time.

    The paragraph is the unit, not the sentence: where a sentence ends is for the parser to say, which looks
    at the whole paragraph, and a parse made of less would not be that of the finished chapter. What
    ``parse`` raises is dropped: whoever reads the whole text meets it again. At the end what was not begun
    is forgotten; nothing has to wait for it, since the reader parses what it does not find.
    """

    def __init__(self, parse: Callable[[str], None]) -> None:
        self._parse = parse
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="read-ahead")

    def feed(self) -> Feed:
        """A feed for one text. Each paragraph is handed on once, as soon as a blank line follows it."""
        rest = ""

        def listen(piece: str) -> None:
            nonlocal rest
            rest += piece
            gaps = list(_BLANK.finditer(rest)) if "\n" in piece else []
            if gaps:
                done, rest = rest[: gaps[-1].start()], rest[gaps[-1].end() :]
                if done.strip():
                    self._pool.submit(self._parse, done)

        return listen

    def __enter__(self) -> ReadAhead:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


STAGES = ("retrieve", "context", "generate", "check", "revise")
SUPPLIED = "supplied"  # the model and the prompt's version of a text that was written elsewhere
# What a chat template may put round system and user text, in tokens.
TEMPLATE_TOKENS = 32
_SURE = 0.5
_FINDINGS = 3


class DraftChecker(Protocol):
    """The critic, bound to the source graph at the horizon. It sees a text and nothing else."""

    def check(self, text: str, /) -> CheckReport:
        """The findings in the text, read as what comes next. Raises ModelError where it cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What a pipeline may use.

    ``note_share`` (0 to 1) is the part of the budget, after the scene, that notes may take before passages;
    room that passages leave goes to the remaining notes. ``revises``: its draft is revised once where the
    critic finds violations. ``states`` keeps the notes on how characters fare. ``recent`` takes the story's
    latest text, as much as fits, in place of scene and search: what a long context without retrieval holds.
    Without ``scene`` the end of the last chapter is not given. Without ``horizon`` it reads the whole story,
    later chapters too: to show what that changes, and never for anything else.
    """

    name: str
    passages: bool
    notes: bool
    revises: bool = False
    note_share: float = 0.0
    states: bool = True
    recent: bool = False
    scene: bool = True
    horizon: bool = True


STANDARD = Pipeline("standard", passages=True, notes=False)
GRAPH = Pipeline("graph", passages=False, notes=True, note_share=1.0)
FUSED = Pipeline("fused", passages=True, notes=True, revises=True, note_share=0.7)
PIPELINES = (STANDARD, GRAPH, FUSED)
NO_STATES = Pipeline("fused, no states", True, True, revises=True, note_share=0.7, states=False)
NO_REVISION = Pipeline("fused, no revision", True, True, note_share=0.7)
NO_HORIZON = Pipeline("fused, no horizon", True, True, revises=True, note_share=0.7, horizon=False)
RECENT = Pipeline("latest text", passages=False, notes=False, recent=True, scene=False)
NO_CONTEXT = Pipeline("no context", passages=False, notes=False, scene=False)
ABLATIONS = (NO_STATES, NO_REVISION, NO_HORIZON, RECENT, NO_CONTEXT)


@dataclass(frozen=True, slots=True)
class Sampling:
    """Generation settings, the same for every pipeline. ``max_tokens`` bounds one completion;
    ``wishes`` are the author's, of style and language, in words."""

    max_tokens: int = 220
    temperature: float = 0.0
    seed: int = 0
    wishes: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """One text and what the critic said of it. ``check`` is None where the check itself failed."""

    prompt: Prompt
    generation: Generation
    check: CheckReport | None


@dataclass(frozen=True, slots=True)
class Written:
    """The drafts of one pipeline, first one first; ``kept`` is the index of the one that counts.

    ``error`` says what failed, empty where nothing did; ``notice`` what else a reader should know.
    """

    drafts: tuple[Draft, ...] = ()
    kept: int = 0
    error: str = ""
    notice: str = ""


class Stopwatch:
    """Seconds by stage, from a clock that can be set. Stages may be entered again; times add up."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the seconds that the block takes to the stage, also where it raises."""
        start = self._clock()
        try:
            yield
        finally:
            self.add(name, self._clock() - start)

    def add(self, name: str, seconds: float) -> None:
        """Adds seconds that were measured elsewhere."""
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds

    @property
    def seconds(self) -> tuple[tuple[str, float], ...]:
        """(stage, seconds) pairs in the order of ``STAGES``; stages that were not entered are absent."""
        return tuple((name, self._seconds[name]) for name in STAGES if name in self._seconds)


@dataclass(frozen=True)
class Desk:
    """A generator and a checker with one pipeline's clock and listener.

    ``gate`` keeps the checker to one thread; waiting for it counts as no stage's time. ``tell(stage, text)``
    is called with an empty text when a stage starts and with each piece of streamed text; ``feeds`` opens a
    feed for each draft, which gets the pieces too.
    """

    generator: Generator
    checker: DraftChecker
    sampling: Sampling
    watch: Stopwatch
    gate: threading.Lock
    tell: Callable[[str, str], None]
    feeds: Feeds = unheard

    def generate(self, prompt: Prompt, stage: str) -> Generation:
        """Raises ModelError."""
        feed = self.feeds()

        def listen(piece: str) -> None:
            if piece:
                feed(piece)
                self.tell(stage, piece)

        self.tell(stage, "")
        with self.watch.stage(stage):
            return self.generator.generate(
                prompt,
                max_tokens=self.sampling.max_tokens,
                temperature=self.sampling.temperature,
                seed=self.sampling.seed,
                on_text=listen,
            )

    def check(self, text: str) -> CheckReport:
        """Raises ModelError."""
        self.tell("check", "")
        with self.gate, self.watch.stage("check"):
            return self.checker.check(text)

    def fits(self, prompt: Prompt) -> bool:
        """Is there room for the prompt and its answer?"""
        used = self.generator.count_tokens(f"{prompt.system}\n{prompt.user}")
        return used + self.sampling.max_tokens + TEMPLATE_TOKENS <= self.generator.context_tokens


def write(instruction: str, *, context: StoryContext, revises: bool, desk: Desk) -> Written:
    """Drafts, checks and, where ``revises`` and violations were found that count, revises once.

    The revision is kept only if it has fewer of them than the first draft; both are returned. A
    ModelError costs no more than the step it came from and is reported in ``Written.error``.
    """
    prompt = continuation(instruction, context=context.text, wishes=desk.sampling.wishes)
    try:
        generation = desk.generate(prompt, "generate")
    except ModelError as error:
        return Written(error=str(error))
    try:
        first = Draft(prompt, generation, desk.check(generation.text))
    except ModelError as error:
        return Written((Draft(prompt, generation, None),), error=f"the check failed: {error}")
    if not revises or not _worth_revising(first):
        return Written((first,))
    return _revised(instruction, context=context, first=first, desk=desk)


def _worth_revising(draft: Draft) -> list[Violation]:
    """The findings that are surer than not: for others a writer does not change a text."""
    found = draft.check.counted if draft.check else ()
    return [violation for violation in found if violation.confidence >= _SURE]


def _revised(instruction: str, *, context: StoryContext, first: Draft, desk: Desk) -> Written:
    found = _worth_revising(first)
    listed = []
    for one in found[:_FINDINGS]:
        quote = f' The story says: "{one.evidence[0].quote}"' if one.evidence else ""
        listed.append(f"{one.message}{quote} {one.suggestion}".strip())
    prompt = revision(
        instruction,
        context=context.text,
        draft=first.generation.text,
        findings=listed,
        wishes=desk.sampling.wishes,
    )
    if not desk.fits(prompt):
        return Written((first,), notice="not revised: the revision prompt does not fit the model's context")
    try:
        generation = desk.generate(prompt, "revise")
        second = Draft(prompt, generation, desk.check(generation.text))
    except ModelError as error:
        return Written((first,), error=f"the revision failed, the first draft stands: {error}")
    left = len(_worth_revising(second)) if second.check else len(found)
    kept = 1 if left < len(found) else 0
    verdict = "kept" if kept else "dropped"
    return Written(
        (first, second), kept, notice=f"revised once: {len(found)} violations, then {left}; {verdict}"
    )
