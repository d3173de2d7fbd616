"""A language model behind an OpenAI-compatible chat endpoint: OpenAI, Ollama, Gemini, vLLM, LM Studio."""

from __future__ import annotations

import random
import re
import time
import uuid
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ..core.types import Generation, Prompt
from ..errors import ModelMissing, ModelRefused, ModelTransient
from .bounded_http import bound
from .endpoint import is_own_machine, read_key, shown_address, wait_before_next
from .openai_errors import AnswerTooLong, Endpoint, Failure, classify
from .request import (
    check_open,
    check_reply,
    check_room,
    check_sampling,
    messages_of,
    response_format,
    stop_mark,
)

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI_URL = "https://api.openai.com/v1"
_MOST_BYTES = 64_000_000
_BYTES_PER_TOKEN = 3
_NOT_TAKEN = re.compile(r"unsupported|not support|unknown|unrecognized", re.IGNORECASE)
_QUOTED = re.compile(r"['\"`](\w+)['\"`]")
_OPTIONAL = ("max_tokens", "temperature", "seed", "stream_options", "response_format", "stop")


class OpenAICompatibleGenerator:
    """``model`` as the endpoint calls it. The key is read from the environment variable ``api_key_env``
    here, once, and never shown; an endpoint that needs none gets a placeholder.

    ``timeout_s`` bounds the time without a byte, ``longest_s`` the whole answer, which may have 64 MB.
    Failures that may pass (429, 5xx, connection) are tried ``max_retries`` more times with exponential waits
    and jitter, or after what the endpoint asks for; never once text has come, since ``on_text`` cannot be
    taken back. All tries of one call carry one Idempotency-Key, so that an endpoint that knows it bills once;
    an answer that came whole counts, however its connection ended. Safe in threads.

    Raises ModelMissing without the openai package, or without a key for OpenAI itself; ConfigError for
    a ``base_url`` that is no http(s) address.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "",
        api_key_env: str = "OPENAI_API_KEY",
        context_tokens: int = 4096,
        timeout_s: float = 120.0,
        longest_s: float = 1800.0,
        max_retries: int = 4,
        concurrency: int = 4,
        stop: Sequence[str] = (),
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        url = base_url or OPENAI_URL
        self._key = read_key(api_key_env, required_by="" if base_url else "OpenAI")
        where = shown_address(url, example="http://localhost:11434/v1")
        self._endpoint = Endpoint(model, where, api_key_env, timeout_s)
        self._client = _client(url, self._key, timeout_s, longest_s)
        self._context_tokens = context_tokens
        self._concurrency = concurrency
        self._stop = tuple(stop)
        self._max_retries = max_retries
        self._sleep, self._jitter = sleep, jitter
        self._unsupported: frozenset[str] = frozenset()
        self._closed = False

    def __repr__(self) -> str:
        return f"OpenAICompatibleGenerator({self.name!r}, context_tokens={self._context_tokens})"

    @property
    def name(self) -> str:
        """``model@host/path``. Which weights the endpoint runs under that name, only it knows."""
        return f"{self._endpoint.model}@{self._endpoint.where}{stop_mark(self._stop)}"

    @property
    def concurrency(self) -> int:
        """As set. Whether calls beside each other change an answer is up to the endpoint."""
        return self._concurrency

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    def count_tokens(self, text: str) -> int:
        """An estimate that errs on the high side: see ``estimate_tokens``."""
        return estimate_tokens(text)

    def generate(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = 0,
        on_text: Callable[[str], None] | None = None,
    ) -> Generation:
        """An exception from ``on_text`` closes the stream and is raised as it is.

        ``settings`` say where the endpoint differs: ``tokens`` is ``"estimated"`` where it reports no
        usage, ``unsupported`` lists parameters that the model does not take and that were left out.
        Raises ModelRefused before any request where the prompt cannot fit (many endpoints would cut it
        silently), and for an empty, filtered or refused answer; see ``openai_errors`` for the rest.
        """
        check_sampling(max_tokens=max_tokens, temperature=temperature, seed=seed)
        check_open(self._closed, self.name)
        asked = estimate_tokens(prompt.system) + estimate_tokens(prompt.user)
        check_room(asked, max_tokens, self._context_tokens, counted="has an estimated")
        body = self._body(prompt, max_tokens=max_tokens, temperature=temperature, seed=seed)
        started = time.perf_counter()
        reply = self._retrying(body, on_text)
        text = check_reply(reply.text, model=self.name, finish_reason=reply.finish_reason)
        prompt_tokens, completion_tokens = reply.usage or (asked, estimate_tokens(text))
        settings: list[tuple[str, str | int | float]] = [
            ("max_tokens", max_tokens),
            ("seed", seed),
            ("temperature", temperature),
            ("tokens", "reported" if reply.usage else "estimated"),
        ]
        if self._unsupported:
            settings.append(("unsupported", " ".join(sorted(self._unsupported))))
        return Generation(
            text=text,
            model=self.name,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            seconds=time.perf_counter() - started,
            finish_reason=reply.finish_reason,
            settings=tuple(settings),
        )

    def close(self) -> None:
        """Closes the connections. Safe to call twice; generating afterwards raises ModelMissing."""
        self._closed = True
        self._client.close()

    def _body(self, prompt: Prompt, **sampling: float) -> dict[str, Any]:
        form: dict[str, Any] = {}
        if prompt.schema:
            form["response_format"] = response_format(prompt)
        elif self._stop:
            form["stop"] = list(self._stop)
        return {
            "model": self._endpoint.model,
            "messages": messages_of(prompt),
            "stream_options": {"include_usage": True},
            "extra_headers": {"Idempotency-Key": uuid.uuid4().hex},
            **form,
            **sampling,
        }

    def _retrying(self, body: dict[str, Any], on_text: Callable[[str], None] | None) -> _Reply:
        tries = 0
        while True:
            reply = _Reply()
            failure = self._attempt(self._adapted(body), reply, on_text)
            if failure is None:
                return reply
            if self._learns(failure):
                continue
            wait = wait_before_next(failure, tries, most=self._max_retries, jitter=self._jitter())
            if reply.pieces or wait is None:
                made = f" after {tries + 1} tries" if tries else ""
                raise failure.kind(self._scrubbed(failure.message) + made)
            tries += 1
            self._sleep(wait)

    def _attempt(
        self, body: dict[str, Any], reply: _Reply, on_text: Callable[[str], None] | None
    ) -> Failure | None:
        """Fills the reply. What went wrong is returned; only what ``on_text`` raises is raised."""
        chunks = _chunks(self._client, body, self._endpoint)
        try:
            for chunk in chunks:
                if isinstance(chunk, Failure):
                    # what has come whole, and is paid for, is not asked for again
                    return reply.trouble(self.name) if reply.is_whole else chunk
                if (piece := reply.take(chunk)) and on_text is not None:
                    on_text(piece)
        finally:
            chunks.close()
        return reply.trouble(self.name)

    def _learns(self, failure: Failure) -> bool:
        """Newer models refuse some parameters by name: leave those out from then on."""
        if failure.kind is not ModelRefused or not _NOT_TAKEN.search(failure.message):
            return False
        quoted = set(_QUOTED.findall(failure.message))
        named = quoted.intersection(_OPTIONAL) - self._unsupported
        self._unsupported |= named
        return bool(named)

    def _adapted(self, body: dict[str, Any]) -> dict[str, Any]:
        adapted = {name: value for name, value in body.items() if name not in self._unsupported}
        if "max_tokens" in self._unsupported:
            adapted["max_completion_tokens"] = body["max_tokens"]
        return adapted

    def _scrubbed(self, message: str) -> str:
        return message.replace(self._key, "***") if self._key else message


@dataclass(slots=True)
class _Reply:
    """What has come so far. Anything may come from an endpoint, so every shape is checked."""

    pieces: list[str] = field(default_factory=list)
    finish: str | None = None
    usage: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def is_whole(self) -> bool:
        """Has the endpoint said that it is done, though the connection may have broken after?"""
        return bool(self.pieces) and self.finish in ("stop", "length")

    @property
    def finish_reason(self) -> str:
        return "length" if self.finish == "length" else "stop"

    def take(self, chunk: Any) -> str:
        """The text of one chunk, ``""`` where it has none."""
        usage = getattr(chunk, "usage", None)
        counts = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
        if isinstance(counts[0], int) and isinstance(counts[1], int):
            self.usage = (counts[0], counts[1])
        choices = getattr(chunk, "choices", None)
        if not isinstance(choices, list) or not choices:
            return ""
        finish = getattr(choices[0], "finish_reason", None)
        self.finish = finish if isinstance(finish, str) else self.finish
        piece = getattr(getattr(choices[0], "delta", None), "content", None)
        if not isinstance(piece, str) or not piece:
            return ""
        self.pieces.append(piece)
        return piece

    def trouble(self, model: str) -> Failure | None:
        """A stream that ended may still not be an answer."""
        if self.finish is None:
            return Failure(ModelTransient, f"{model} broke off in the middle of its answer: try again", True)
        if self.finish == "content_filter":
            return Failure(ModelRefused, f"the content filter of {model} stopped the answer", False)
        if self.finish in ("tool_calls", "function_call"):
            return Failure(ModelRefused, f"{model} called a tool instead of answering", False)
        return None


def _chunks(client: OpenAI, body: dict[str, Any], endpoint: Endpoint) -> Generator[Any, None, None]:
    """The chunks of one request, and a Failure as the last where something goes wrong."""
    import openai

    try:
        with client.chat.completions.create(**body, stream=True) as stream:
            yield from stream
    except (openai.OpenAIError, AnswerTooLong, ValueError, TypeError, AttributeError) as error:
        yield classify(error, endpoint)


def estimate_tokens(text: str) -> int:
    """One token for every 3 bytes of UTF-8, rounded up.

    About 1.3 times too high on English novels (3.9 to 4.1 characters a token with SmolLM2's vocabulary),
    one token a character in Chinese or Japanese. Short lines full of odd names can come out too low.
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


def _client(url: str, key: str, timeout_s: float, longest_s: float) -> OpenAI:
    try:
        import openai
    except ImportError as error:
        raise ModelMissing("this provider needs the openai package: pip install openai") from error
    return openai.OpenAI(
        base_url=url,
        api_key=key or "none",
        timeout=timeout_s,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(
            trust_env=not is_own_machine(url),
            timeout=timeout_s,
            event_hooks={"response": [partial(bound, most_bytes=_MOST_BYTES, longest_s=longest_s)]},
        ),
    )
