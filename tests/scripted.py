"""A generator that says what it was told to: for tests."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Unpack

from fabula.core.interfaces import Asking
from fabula.core.types import Generation, Prompt
from fabula.errors import ModelRefused
from fabula.llm.request import check_open, check_reply, check_room, cut_at, sampling_of, say, stop_mark

_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """One call as it came in."""

    prompt: Prompt
    max_tokens: int
    temperature: float
    seed: int


class ScriptedGenerator:
    """``replies`` are given out in order, or computed from the prompt. An exception among them is raised
    in its turn. A token is a word or a punctuation mark; a reply is cut at ``max_tokens`` of them.

    Raises ModelRefused at the call after the last reply. Safe in threads; takes no time.
    """

    def __init__(
        self,
        replies: Sequence[str | Exception] | Callable[[Prompt], str | Exception],
        *,
        name: str = "scripted",
        context_tokens: int = 4096,
        concurrency: int = 1,
        stop: Sequence[str] = (),
    ) -> None:
        self._replies = replies if callable(replies) else tuple(replies)
        self._name = name + stop_mark(stop)
        self._stop = tuple(stop)
        self._context_tokens = context_tokens
        self._concurrency = concurrency
        self._lock = threading.Lock()
        self._calls: list[ScriptedCall] = []
        self._closed = False

    @property
    def name(self) -> str:
        return self._name

    @property
    def concurrency(self) -> int:
        """As given. Replies in order go to whoever calls first, so more than 1 suits a function only."""
        return self._concurrency

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    @property
    def calls(self) -> tuple[ScriptedCall, ...]:
        """Every call that got as far as a reply, in order."""
        return tuple(self._calls)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """The prompts of :attr:`calls`, in order."""
        return tuple(call.prompt for call in self._calls)

    def count_tokens(self, text: str) -> int:
        return len(_TOKEN.findall(text))

    def generate(self, prompt: Prompt, **how: Unpack[Asking]) -> Generation:
        """Streams word by word. ``seconds`` is 0, so that dry runs compare byte for byte."""
        max_tokens, temperature, seed = sampling_of(how)
        check_open(self._closed, self._name)
        prompt_tokens = self.count_tokens(prompt.system) + self.count_tokens(prompt.user)
        check_room(prompt_tokens, max_tokens, self._context_tokens)
        reply = self._next(ScriptedCall(prompt, max_tokens, temperature, seed))
        reply = reply if prompt.schema else cut_at(reply, self._stop)
        text, reason = self._cut(reply, max_tokens)
        check_reply(text, model=self._name, finish_reason=reason)
        say(how, *re.findall(r"\s*\S+|\s+$", text))
        return Generation(
            text=text,
            model=self._name,
            prompt_tokens=prompt_tokens,
            completion_tokens=self.count_tokens(text),
            seconds=0.0,
            finish_reason=reason,
            settings=(("max_tokens", max_tokens), ("seed", seed), ("temperature", temperature)),
        )

    def close(self) -> None:
        self._closed = True

    def _next(self, call: ScriptedCall) -> str:
        with self._lock:
            turn = len(self._calls)
            self._calls.append(call)
        if callable(self._replies):
            reply = self._replies(call.prompt)
        elif turn < len(self._replies):
            reply = self._replies[turn]
        else:
            raise ModelRefused(f"the script holds {len(self._replies)} replies and this is call {turn + 1}")
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _cut(self, reply: str, max_tokens: int) -> tuple[str, str]:
        ends = [match.end() for match in _TOKEN.finditer(reply)]
        if len(ends) <= max_tokens:
            return reply, "stop"
        return reply[: ends[max_tokens - 1]], "length"
