"""A generator that says what it was told to: for tests."""

import re
import threading
from collections import namedtuple

from fabula.core.types import Generation
from fabula.errors import ModelRefused
from fabula.llm.request import check_open, check_reply, check_room, cut_at, sampling_of, say, stop_mark

_TOKEN = re.compile(r"\w+|[^\w\s]")
ScriptedCall = namedtuple("ScriptedCall", "prompt max_tokens temperature seed")


class ScriptedGenerator:
    """``replies`` are given out in order, or computed from the prompt by a function, which a ``concurrency``
    above 1 needs. An exception among them is raised in its turn. A token is a word or a punctuation mark; a
    reply is cut at ``max_tokens`` of them. ``calls`` are those that got as far as a reply, in order.

    Raises ModelRefused at the call after the last reply. Safe in threads; takes no time.
    """

    name = "scripted"

    def __init__(self, replies, *, name="", context_tokens=4096, concurrency=1, stop=()):
        self._replies = replies if callable(replies) else tuple(replies)
        self.name, self._stop = (name or self.name) + stop_mark(stop), tuple(stop)
        self.context_tokens, self.concurrency = context_tokens, concurrency
        self._lock, self._calls, self._closed = threading.Lock(), [], False

    @property
    def calls(self):
        return tuple(self._calls)

    @property
    def prompts(self):
        """The prompts of :attr:`calls`, in order."""
        return tuple(call.prompt for call in self._calls)

    def count_tokens(self, text):
        return len(_TOKEN.findall(text))

    def generate(self, prompt, **how):
        """Streams word by word. ``seconds`` is 0, so that dry runs compare byte for byte."""
        max_tokens, temperature, seed = sampling_of(how)
        check_open(self._closed, self.name)
        prompt_tokens = self.count_tokens(prompt.system) + self.count_tokens(prompt.user)
        check_room(prompt_tokens, max_tokens, self.context_tokens)
        reply = self._next(ScriptedCall(prompt, max_tokens, temperature, seed))
        reply = reply if prompt.schema else cut_at(reply, self._stop)
        ends = [match.end() for match in _TOKEN.finditer(reply)]
        text, reason = (
            (reply[: ends[max_tokens - 1]], "length") if len(ends) > max_tokens else (reply, "stop")
        )
        check_reply(text, model=self.name, finish_reason=reason)
        say(how, *re.findall(r"\s*\S+|\s+$", text))
        sampling = (("max_tokens", max_tokens), ("seed", seed), ("temperature", temperature))
        return Generation(text, self.name, prompt_tokens, self.count_tokens(text), 0.0, reason, sampling)

    def close(self):
        self._closed = True

    def _next(self, call):
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
