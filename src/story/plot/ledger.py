"""The plot ledger: what a story plants so that its reader waits for it, and what has come of each.

A language model reads it chapter by chapter; what it says counts only with a quote from the text.

Of each chapter it is shown the text and the threads that are open by then, so that nothing told later can
reach what it says of an earlier one, and a book that grows keeps what was read. Whether a quote *means* what
the model says is not checked.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from ...core.files.toml import load_toml
from ...core.interfaces import Generator
from ...core.runtime.model_requests import ModelPlan
from ...core.text.sentences import sentences
from ...core.types import Chapter, Document, Evidence, Horizon, Prompt, Span
from ...errors import ModelRefused
from ..evidence.quote_finder import QuoteFinder
from ..evidence.untrusted import CLOSE, GUARD, OPEN, fence, neutralise, objects_in, one_line
from ..evidence.windows import text_windows

ThreadKind = Literal["promise", "threat", "secret", "object", "question", "goal", "omen"]
THREADS: tuple[ThreadKind, ...] = get_args(ThreadKind)
Step = Literal["planted", "advanced", "resolved"]
ThreadState = Literal["open", "advanced", "overdue", "resolved"]
STATES: tuple[ThreadState, ...] = get_args(ThreadState)

_PATIENCE, _LEAST = 3, 3
"""Overdue is what nothing was told of for more than a third of the chapters so far, and more than three."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A place where a thread is planted, moves on, or is settled."""

    step: Step
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Thread:
    """``what`` is the reader's own wording of what is waited for; the quotes of ``turns``, in order of
    telling, the planting first, are the story's. ``told`` is how many chapters the reader knows."""

    kind: ThreadKind
    what: str
    turns: tuple[Turn, ...]
    told: int

    @property
    def state(self) -> ThreadState:
        """Resolved for good once a turn says so."""
        last = self.turns[-1]
        if last.step == "resolved":
            return "resolved"
        silent = self.told - last.evidence.chapter
        if silent > max(_LEAST, self.told / _PATIENCE):
            return "overdue"
        return "advanced" if last.step == "advanced" else "open"


@dataclass(frozen=True, slots=True)
class Ledger:
    """As the ``model`` read it up to chapter ``told``, threads in order of planting. ``claimed`` counts the
    turns that it stated, ``dropped`` those that were left out, by reason."""

    model: str
    told: int
    threads: tuple[Thread, ...]
    claimed: int = 0
    dropped: tuple[tuple[str, int], ...] = ()


MOST_WORDS = 40  # of a quote
_WHAT = 160  # characters


@dataclass(frozen=True, slots=True)
class Claim:
    """A turn as a model states it; nothing in it is checked yet. ``thread`` is the number of a thread that it
    was shown, None for a new one, which has ``kind`` and ``what``; ``settled`` quotes where the same chapter
    settles it."""

    step: Step
    quote: str
    thread: int | None = None
    kind: ThreadKind = "question"
    what: str = ""
    settled: str = ""


@cache
def _texts() -> Mapping[str, str]:
    return load_toml(Path(__file__).with_suffix(".toml"))


def ledger_prompt(chapter: str, *, threads: Sequence[tuple[int, Thread]]) -> Prompt:
    """The prompt for a chapter, or a part of one, and the open threads by number. All of it is untrusted: it
    is neutralised and fenced, and the answer's form is a JSON schema."""
    told = "\n".join(
        f"{number}. {thread.kind}: {one_line(thread.what)} (“{one_line(thread.turns[0].evidence.quote)}”)"
        for number, thread in threads
    )
    material = f"[Story So Far]\n{told or '(no threads)'}\n\n[Draft]\n{neutralise(chapter).strip()}"
    texts = _texts()
    system = texts["system"].format(open=OPEN, close=CLOSE, most_words=MOST_WORDS)
    user, schema = texts["user"].format(material=fence(material)), json.dumps(json.loads(texts["schema"]))
    return Prompt(system=system, user=user, version=f"{texts['version']} {GUARD}", schema=schema)


def claims_of(answer: str) -> tuple[list[Claim], int]:
    """The claims in an answer, threads that move before new ones, and how many of its items are none. An
    answer that broke off, or that stands in other words, gives the items that are whole."""
    read = [_claim(item) for item in objects_in(answer)]
    claims = [claim for claim in read if claim is not None]
    claims.sort(key=lambda claim: claim.step == "planted")
    return claims, len(read) - len(claims)


def _claim(item: dict[str, Any]) -> Claim | None:
    quote, thread = item.get("quote"), item.get("thread")
    if not isinstance(quote, str) or not quote.strip():
        return None
    if isinstance(thread, int) and not isinstance(thread, bool):
        steps: dict[object, Step] = {"advanced": "advanced", "resolved": "resolved"}
        step = steps.get(item.get("step"))
        return Claim(step, quote, thread) if step else None
    kind, what, settled = item.get("kind"), item.get("what"), item.get("settled_quote")
    known: ThreadKind | None = next((one for one in THREADS if one == kind), None)
    if known is None or not isinstance(what, str) or not what.strip():
        return None
    end = settled if item.get("settled") is True and isinstance(settled, str) else ""
    return Claim("planted", quote, None, known, one_line(what)[:_WHAT], end)


ANSWER_TOKENS = 2048
SHOWN = 40
"""So many open threads are shown to the model at most, those of which something was told last."""
_LEAST_WORDS = 3  # a shorter quote stands in any text
_SLACK = 64  # tokens of the chat's own markup
_A_THREAD = 60  # tokens
_PARAGRAPH = re.compile(r"\n\s*\n")
_STRAIGHT = str.maketrans("‘’“”", "''\"\"")  # as models write them; no length changes


def read_ledger(
    document: Document,
    *,
    horizon: Horizon,
    generator: Generator,
    on_chapter: Callable[[int, int], None] | None = None,
) -> Ledger:
    """The threads told up to the horizon. Costs one call a chapter, one after another: each builds on those
    before. ``on_chapter`` hears how many chapters of how many are read. Raises ModelError; a part that the
    model refuses is counted and passed over, unless it refuses all of them."""
    chapters = _told(document, horizon)
    read = _Reading(document, generator)
    for done, chapter in enumerate(chapters, start=1):
        read.chapter(chapter.number, chapter.body)
        if on_chapter is not None:
            on_chapter(done, len(chapters))
    if read.refusals and len(read.refusals) == read.asked:
        raise read.refusals[0]
    told = chapters[-1].number if chapters else 0
    threads = tuple(Thread(one.kind, one.what, one.turns, told) for one in read.threads)
    read.dropped["parts that the model refused"] += len(read.refusals)
    dropped = tuple(sorted((+read.dropped).items()))
    return Ledger(generator.name, told, threads, read.claimed, dropped)


def ledger_plan(
    document: Document,
    *,
    horizon: Horizon,
    generator: Generator,
    is_answered: Callable[[Prompt, int], bool] = lambda *_: False,
) -> ModelPlan:
    """What :func:`read_ledger` will cost at most. ``is_answered`` says whether a prompt with an answer of
    that length was asked before; that chapter's answer is then asked for again, at no cost, to know what the
    next one is shown. Costs a count of tokens."""
    read, count = _Reading(document, generator), generator.count_tokens
    answered = due = tokens = 0
    for chapter in _told(document, horizon):
        for window in read.windows(chapter.body):
            prompt = read.prompt(window)
            if not due and is_answered(prompt, read.most):
                read.window(chapter.number, window)
                answered += 1
            else:
                due += 1
                waiting = 0 if read.threads else SHOWN * _A_THREAD // 2  # that are not planted yet
                tokens += count(prompt.system) + count(prompt.user) + waiting
    return ModelPlan(generator.name, due, answered, tokens, due * read.most)


def _told(document: Document, horizon: Horizon) -> list[Chapter]:
    return [chapter for chapter in document.chapters if horizon.admits(chapter.number)]


class _Reading:
    def __init__(self, document: Document, generator: Generator) -> None:
        self.threads: list[Thread] = []
        self.refusals: list[ModelRefused] = []
        self.asked = self.claimed = 0
        self.dropped = Counter[str]()
        self._document = document
        self._generator = generator
        self._finder = QuoteFinder(document.text.translate(_STRAIGHT))
        self.most = min(ANSWER_TOKENS, generator.context_tokens // 3)

    def chapter(self, number: int, body: Span) -> None:
        for window in self.windows(body):
            self.window(number, window)

    def prompt(self, window: Span) -> Prompt:
        return ledger_prompt(window.of(self._document.text), threads=self._open())

    def window(self, number: int, window: Span) -> None:
        """Reads a stretch of the document's text, of chapter ``number``."""
        shown = {place for place, _ in self._open()}
        self.asked += 1
        try:
            answer = self._generator.generate(self.prompt(window), max_tokens=self.most)
        except ModelRefused as error:
            self.refusals.append(error)
            return
        claims, odd = claims_of(answer.text)
        self.claimed += len(claims) + odd
        self.dropped["items in another form"] += odd
        for claim in claims:
            reason = self._keep(claim, number, window, shown)
            self.dropped[reason] += bool(reason)

    def _open(self) -> list[tuple[int, Thread]]:
        """By number from 1, in order of planting."""
        numbered = list(enumerate(self.threads, start=1))
        waiting = [one for one in numbered if one[1].turns[-1].step != "resolved"]
        latest = sorted(waiting, key=lambda one: (-one[1].turns[-1].evidence.span.start, one[0]))[:SHOWN]
        return sorted(latest, key=lambda one: one[0])

    def _keep(self, claim: Claim, chapter: int, window: Span, shown: set[int]) -> str:
        """Why it is dropped; empty where it is kept."""
        quote = self._quote(claim.quote, chapter, window)
        if isinstance(quote, str):
            return quote
        if claim.thread is not None:
            if claim.thread not in shown:
                return "threads that were not shown"
            self._turn(claim.thread, claim.step, quote)
            return ""
        if any(quote.span.overlaps(one.turns[0].evidence.span) for one in self.threads):
            return "threads planted twice"
        self.threads.append(Thread(claim.kind, claim.what, (Turn("planted", quote),), chapter))
        if claim.settled:
            end = self._quote(claim.settled, chapter, window)
            if isinstance(end, str):
                return end
            self._turn(len(self.threads), "resolved", end)
        return ""

    def _turn(self, number: int, step: Step, quote: Evidence) -> None:
        thread = self.threads[number - 1]
        if thread.turns[-1].step != "resolved":
            turns = (*thread.turns, Turn(step, quote))
            self.threads[number - 1] = Thread(thread.kind, thread.what, turns, quote.chapter)

    def _quote(self, told: str, chapter: int, window: Span) -> Evidence | str:
        if not _LEAST_WORDS <= len(told.split()) <= MOST_WORDS:
            return f"quotes of less than {_LEAST_WORDS} words or more than {MOST_WORDS}"
        found = self._finder.find(told.translate(_STRAIGHT), within=window)
        if found is None:
            return "quotes that do not stand in the text"
        if _PARAGRAPH.search(found.of(self._document.text)):
            return "quotes of more than one paragraph"
        return Evidence.of(self._document, chapter, found)

    def windows(self, body: Span) -> Sequence[Span]:
        """The chapter if it fits, else pieces of whole sentences; spans of the document."""
        count, text = self._generator.count_tokens, body.of(self._document.text)
        if not text.strip():
            return ()
        frame = ledger_prompt("", threads=())
        fixed = count(frame.system) + count(frame.user) + SHOWN * _A_THREAD + _SLACK
        room = max(200, self._generator.context_tokens - self.most - fixed)
        if count(text) <= room:
            return (body,)
        parts = text_windows(text, sentences(text), room=room, count=count)
        return tuple(Span(body.start + part.start, body.start + part.end) for part in parts)
