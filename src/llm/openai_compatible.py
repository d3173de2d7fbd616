"""A language model behind an endpoint that speaks OpenAI's chat protocol, or Ollama's own.

From their references: OpenAI ``POST /chat/completions`` (server-sent events), Ollama ``POST /api/chat`` (a
JSON object a line). Ollama's OpenAI-compatible address takes no length of context and cuts what is longer.
"""

from __future__ import annotations

import random
import re
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Unpack

import httpx

from ..core.files.plain_json import parse_json
from ..core.interfaces import Asking as How
from ..core.types import Generation, Prompt
from ..errors import ModelRefused, ModelTransient, ModelUnusable
from .endpoint import (
    PAGE,
    AnswerTooLong,
    Endpoint,
    EndpointClient,
    Failure,
    Pace,
    connection_failure,
    error_failure,
    page_failure,
    read_key,
    shown_address,
    status_failure,
    unreadable,
)
from .request import (
    check_open,
    check_reply,
    check_room,
    check_whole,
    form_in_words,
    messages_of,
    sampling_of,
    schema_of,
    stop_mark,
    without_thoughts,
)


class BadPiece(Exception):  # noqa: N818 (never leaves this package)
    """A piece is not what the protocol says."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What one line of a stream brings. ``usage`` counts prompt and answer; ``error`` is what the endpoint
    says in place of an answer."""

    text: str = ""
    finish: str | None = None
    usage: tuple[int, int] | None = None
    error: object = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, as every protocol is told it."""

    model: str
    prompt: Prompt
    max_tokens: int
    temperature: float
    seed: int
    stop: Sequence[str]
    context_tokens: int


class OpenAIChat:
    """``form`` is the parameter that holds a schema, ``optional`` are those that an endpoint may not take;
    ``body`` leaves out those in ``without``, and has a schema in words then; ``read`` gives None for a line
    that bears nothing. vLLM, LM Studio, llama.cpp, KoboldCpp and most providers speak it."""

    form = "response_format"
    optional = frozenset({"max_tokens", "temperature", "seed", "stream_options", "response_format", "stop"})

    def url(self, base_url: str) -> str:
        return f"{base_url.rstrip('/')}/chat/completions"

    def body(self, asked: Asked, without: Collection[str]) -> dict[str, Any]:
        schema = {"name": "answer", "strict": True, "schema": schema_of(asked.prompt)}
        body = {
            "model": asked.model,
            "messages": messages_of(form_in_words(asked.prompt, self.form in without)),
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": asked.temperature,
            "seed": asked.seed,
            "max_completion_tokens" if "max_tokens" in without else "max_tokens": asked.max_tokens,
            self.form: {"type": "json_schema", "json_schema": schema} if asked.prompt.schema else None,
            "stop": None if asked.prompt.schema else list(asked.stop) or None,
        }
        return {name: value for name, value in body.items() if name not in without and value is not None}

    def read(self, line: str) -> Piece | None:
        name, _, value = line.partition(":")
        if name != "data" or value.strip() == "[DONE]":
            if line and name not in ("", "data", "event", "id", "retry"):
                raise _bad(line)
            return None
        told = _parsed(value)
        choices = told.get("choices")
        choice = _table(choices[0] if isinstance(choices, list) and choices else None)
        usage = _counts(told.get("usage"), "prompt_tokens", "completion_tokens")
        return _piece(told, choice.get("delta"), choice.get("finish_reason"), usage)


class OllamaChat:
    """With the length of context that the settings ask for, in every request. Thinking aloud is switched off:
    it would be spent from the answer's tokens."""

    form = "format"
    optional = frozenset({"format", "think"})

    def url(self, base_url: str) -> str:
        return f"{base_url.rstrip('/').removesuffix('/v1')}/api/chat"

    def body(self, asked: Asked, without: Collection[str]) -> dict[str, Any]:
        options: dict[str, Any] = {
            "num_ctx": asked.context_tokens,
            "num_predict": asked.max_tokens,
            "temperature": asked.temperature,
            "seed": asked.seed,
        }
        if asked.stop and not asked.prompt.schema:
            options["stop"] = list(asked.stop)
        body = {
            "model": asked.model,
            "messages": messages_of(form_in_words(asked.prompt, self.form in without)),
            "stream": True,
            "think": False,
            "options": options,
            self.form: schema_of(asked.prompt),
        }
        return {name: value for name, value in body.items() if name not in without and value is not None}

    def read(self, line: str) -> Piece | None:
        if not line.strip():
            return None
        told = _parsed(line)
        finish = (told.get("done_reason") or "stop") if told.get("done") is True else None
        return _piece(told, told.get("message"), finish, _counts(told, "prompt_eval_count", "eval_count"))


ChatWire = OpenAIChat | OllamaChat
CHAT_WIRES: Mapping[str, ChatWire] = {"openai": OpenAIChat(), "ollama": OllamaChat()}
"""By the provider's name in the settings."""


def _piece(told: Mapping[str, Any], message: object, finish: object, usage: tuple[int, int] | None) -> Piece:
    """Anything may come from an endpoint, so every shape is checked."""
    text, ends = _table(message).get("content"), finish if isinstance(finish, str) else None
    return Piece(text if isinstance(text, str) else "", ends, usage, told.get("error") or None)


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        return _table(parse_json(text))
    except ValueError:
        raise _bad(text) from None


def _bad(text: str) -> BadPiece:
    return BadPiece(" ".join(text.split())[:80])


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _counts(where: object, *names: str) -> tuple[int, int] | None:
    prompt, answer = (_table(where).get(name) for name in names)
    return (prompt, answer) if type(prompt) is int and type(answer) is int else None


OPENAI_URL, OLLAMA_URL = "https://api.openai.com/v1", "http://127.0.0.1:11434"
_MOST_BYTES = 64_000_000
_BYTES_PER_TOKEN = 3
_MOST_EMPTY = 3  # answers in a row
_NOT_TAKEN = re.compile(r"unsupported|not support|unknown|unrecognized", re.IGNORECASE)
_BAD_REQUEST = frozenset({400, 415, 422, 501})


class OpenAICompatibleGenerator:
    """``model`` as the endpoint calls it, which speaks the protocol ``wire``. The key is read from the
    environment variable ``api_key_env`` here, once, and never shown; without a name only OpenAI itself is
    sent one. ``json_schema`` says whether the endpoint holds answers to a schema: else, and where it refuses
    one, the schema stands in the prompt.

    ``timeout_s`` bounds the time without a byte, ``longest_s`` the whole answer, which may have 64 MB.
    Failures that may pass (429, 5xx, connection) are tried ``max_retries`` more times with exponential waits
    and jitter, or after what the endpoint asks for; never once text has come, since ``on_text`` cannot be
    taken back. A 429 holds back all requests, and ``tokens_per_minute`` (0: no bound) bounds them always.
    All tries of one call carry one Idempotency-Key, so that an endpoint that knows it bills once; an answer
    that came whole counts, however its connection ended. Safe in threads.

    Raises ModelMissing without a key for OpenAI itself; ConfigError for a ``base_url`` that is no http(s)
    address.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "",
        wire: Literal["openai", "ollama"] = "openai",
        api_key_env: str = "",
        context_tokens: int = 4096,
        timeout_s: float = 120.0,
        longest_s: float = 1800.0,
        max_retries: int = 4,
        concurrency: int = 4,
        stop: Sequence[str] = (),
        json_schema: bool = True,
        tokens_per_minute: int = 0,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        url = base_url or (OLLAMA_URL if wire == "ollama" else OPENAI_URL)
        variable = api_key_env or ("OPENAI_API_KEY" if url == OPENAI_URL else "")
        key = read_key(variable, required_by="OpenAI" if url == OPENAI_URL else "")
        where = shown_address(url, example="http://localhost:1234/v1")
        self._endpoint = Endpoint(model, where, variable, timeout_s)
        self._wire = CHAT_WIRES[wire]
        self._url = self._wire.url(url)
        self._client = EndpointClient(
            self._endpoint,
            url,
            key=key,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            most_bytes=_MOST_BYTES,
            longest_s=longest_s,
            max_retries=max_retries,
            sleep=sleep,
            jitter=jitter,
        )
        self._context_tokens = context_tokens
        self._concurrency = concurrency
        self._stop = tuple(stop)
        self._pace = Pace(str(self._endpoint), tokens_per_minute, sleep=sleep, clock=clock)
        self._unsupported = frozenset() if json_schema else frozenset({self._wire.form})
        self._empty = 0
        self._lock = threading.Lock()
        self._closed = False

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

    def generate(self, prompt: Prompt, **how: Unpack[How]) -> Generation:
        """An exception from ``on_text`` closes the stream and is raised as it is.

        ``settings`` say where the endpoint differs: ``tokens`` is ``"estimated"`` where it reports no
        usage, ``unsupported`` lists parameters that the model does not take and that were left out.
        Raises ModelRefused before any request where the prompt cannot fit (many endpoints would cut it
        silently), and for an empty, filtered or refused answer; ModelUnusable for an answer to a part of the
        prompt, and for nothing three times in a row; see ``endpoint`` for the rest.
        """
        max_tokens, temperature, seed = sampling_of(how)
        check_open(self._closed, self.name)
        shown = form_in_words(prompt, self._wire.form in self._unsupported)
        tokens = estimate_tokens(shown.system) + estimate_tokens(shown.user)
        check_room(tokens, max_tokens, self._context_tokens, counted="has an estimated")
        model, stop, context = self._endpoint.model, self._stop, self._context_tokens
        asked = Asked(model, prompt, max_tokens, temperature, seed, stop, context)
        started = time.perf_counter()
        reply = self._answered(asked, tokens, how.get("on_text"))
        if reply.usage:
            check_whole(shown, reply.usage[0], context, name=str(self._endpoint), remedy=self._remedy())
        text = self._said(reply)
        prompt_tokens, completion_tokens = reply.usage or (tokens, estimate_tokens(text))
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
        self._client.http.close()

    def _said(self, reply: _Reply) -> str:
        """The reply's text; too many empty ones in a row, and the model is given up."""
        with self._lock:
            self._empty = 0 if reply.text.strip() else self._empty + 1
            if self._empty >= _MOST_EMPTY:
                raise ModelUnusable(
                    f"{self._endpoint} answered with nothing {self._empty} times in a row: try it by "
                    "fabula model test, or choose another by fabula model"
                )
        return check_reply(reply.text, model=self.name, finish_reason=reply.finish_reason)

    def _remedy(self) -> str:
        if self._wire is CHAT_WIRES["ollama"]:
            return "set generator.context_tokens to what the model can hold (fabula model use does it)"
        if self._endpoint.where.endswith(":11434/v1"):
            return 'set generator.provider = "ollama", which asks it to read all (fabula model use does it)'
        return "load the model there with a longer context, or set generator.context_tokens to that number"

    def _answered(self, asked: Asked, tokens: int, on_text: Callable[[str], None] | None) -> _Reply:
        reply, left_out = _Reply(on_text), frozenset[str]()
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        most = tokens + asked.max_tokens

        def attempt() -> Failure | None:
            nonlocal reply, left_out
            while True:
                body = self._wire.body(asked, self._unsupported | left_out)
                self._pace.take(most)
                reply = _Reply(on_text)
                failure = self._attempt(body, headers, reply)
                self._pace.give_back(most - sum(reply.usage or (tokens, 0)))
                refused = self._refused(failure, body) if failure else frozenset[str]()
                if not refused:
                    return replace(failure, again=False) if failure and reply.pieces else failure
                left_out |= refused

        self._client.retrying(attempt, slow=self._pace.slow)
        self._unsupported |= left_out
        return reply

    def _attempt(self, body: dict[str, Any], headers: dict[str, str], reply: _Reply) -> Failure | None:
        """Fills the reply. What went wrong is returned; only what ``on_text`` raises is raised."""
        try:
            with self._client.http.stream("POST", self._url, json=body, headers=headers) as response:
                if response.status_code != 200:
                    response.read()
                    return status_failure(response, self._endpoint)
                for piece in self._pieces(response):
                    if isinstance(piece, Failure):
                        # what has come whole, and is paid for, is not asked for again
                        return reply.trouble(self._endpoint) if reply.is_whole else piece
                    reply.take(piece)
        except (httpx.HTTPError, httpx.InvalidURL, AnswerTooLong) as error:
            return connection_failure(error, self._endpoint)
        return reply.trouble(self._endpoint)

    def _pieces(self, response: httpx.Response) -> Iterator[Piece | Failure]:
        """The pieces of a stream, and a Failure as the last where something goes wrong."""
        try:
            if "html" in response.headers.get("content-type", ""):
                yield page_failure(self._endpoint)
                return
            for line in response.iter_lines():
                piece = self._wire.read(line)
                if piece is not None:
                    failed = piece.error is not None
                    yield error_failure(piece.error, self._endpoint) if failed else piece
        except BadPiece as bad:
            page = PAGE.match(str(bad))
            yield (
                page_failure(self._endpoint)
                if page
                else unreadable(f"cannot be read ({bad})", self._endpoint)
            )
        except (httpx.HTTPError, AnswerTooLong) as error:
            yield connection_failure(error, self._endpoint)

    def _refused(self, failure: Failure, body: dict[str, Any]) -> frozenset[str]:
        """What is left out of the next try: parameters that are refused by name; else the schema, where the
        request as it is was refused for no other reason that is known."""
        if failure.status not in _BAD_REQUEST:
            return frozenset()
        sent = self._wire.optional.intersection(body)
        named = sent.intersection(re.findall(r"\w+", failure.message))
        if named and _NOT_TAKEN.search(failure.message):
            return named
        return sent & {self._wire.form} if failure.kind is ModelUnusable else frozenset()


@dataclass(slots=True)
class _Reply:
    """What has come so far. ``pieces`` are those that were given on: thoughts before an answer are not."""

    on_text: Callable[[str], None] | None
    pieces: list[str] = field(default_factory=list)
    finish: str | None = None
    usage: tuple[int, int] | None = None
    held: str = ""

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

    def take(self, piece: Piece) -> None:
        self.usage, self.finish = piece.usage or self.usage, piece.finish or self.finish
        if not piece.text:
            return
        text: str | None = piece.text
        if not self.pieces:
            self.held += piece.text
            text = without_thoughts(self.held)
        if text:
            self.pieces.append(text)
            if self.on_text is not None:
                self.on_text(text)

    def trouble(self, endpoint: Endpoint) -> Failure | None:
        """A stream that ended may still not be an answer."""
        if self.finish is None:
            return Failure(
                ModelTransient, f"{endpoint} broke off in the middle of its answer: try again", True
            )
        if self.finish == "content_filter":
            return Failure(ModelRefused, f"the content filter of {endpoint} stopped the answer", False)
        if self.finish in ("tool_calls", "function_call"):
            return Failure(ModelRefused, f"{endpoint} called a tool instead of answering", False)
        return None


def estimate_tokens(text: str) -> int:
    """One token for every 3 bytes of UTF-8, rounded up.

    About 1.3 times too high on English novels (3.9 to 4.1 characters a token with SmolLM2's vocabulary),
    one token a character in Chinese or Japanese. Short lines full of odd names can come out too low.
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)
