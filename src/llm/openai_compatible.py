"""A language model behind an endpoint that speaks OpenAI's chat protocol, or Ollama's own.

From their references: OpenAI ``POST /chat/completions`` (server-sent events), Ollama ``POST /api/chat`` (a
JSON object a line). Ollama's OpenAI-compatible address takes no length of context and cuts what is longer.
"""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import httpx

from ..config import Generator as Settings
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
    estimate_tokens,
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
    sampling_of,
    stop_mark,
    without_thoughts,
)

__all__ = ["OpenAICompatibleGenerator", "estimate_tokens"]

OPENAI_URL, OLLAMA_URL = "https://api.openai.com/v1", "http://127.0.0.1:11434"
_MOST_BYTES, _LONGEST_S = 64_000_000, 1800
_MOST_EMPTY = 3  # answers in a row
_NOT_TAKEN = re.compile(r"unsupported|not support|unknown|unrecognized", re.IGNORECASE)
_BAD_REQUEST = frozenset({400, 415, 422, 501})


class _BadPiece(Exception):  # noqa: N818 (never leaves this module)
    """A piece is not what the protocol says."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """One line of a stream. ``usage`` counts prompt and answer; ``error`` comes in place of an answer."""

    text: str = ""
    finish: str | None = None
    usage: tuple[int, int] | None = None
    error: object = None


class _OpenAI:
    """``form`` is the parameter that holds a schema, ``optional`` are those that an endpoint may not take;
    ``body`` has all of them; ``read`` gives None for a line that bears nothing. vLLM, LM Studio, llama.cpp,
    KoboldCpp and most providers speak it."""

    form = "response_format"
    optional = frozenset({"max_tokens", "temperature", "seed", "stream_options", "response_format", "stop"})

    def url(self, base_url: str) -> str:
        return f"{base_url.rstrip('/')}/chat/completions"

    def body(self, settings: Settings, schema: object, sampling: tuple[int, float, int]) -> dict[str, Any]:
        max_tokens, temperature, seed = sampling
        held = {"name": "answer", "strict": True, "schema": schema}
        return {
            "stream_options": {"include_usage": True},
            "temperature": temperature,
            "seed": seed,
            "max_tokens": max_tokens,
            self.form: {"type": "json_schema", "json_schema": held} if schema else None,
            "stop": None if schema else list(settings.stop) or None,
        }

    def read(self, line: str) -> _Piece | None:
        name, _, value = line.partition(":")
        if name != "data" or value.strip() == "[DONE]":
            if line and name not in ("", "data", "event", "id", "retry"):
                raise _bad(line)
            return None
        answer = _parsed(value)
        choices = answer.get("choices")
        choice = _table(choices[0] if isinstance(choices, list) and choices else None)
        usage = _counts(answer.get("usage"), "prompt_tokens", "completion_tokens")
        return _piece(answer, choice.get("delta"), choice.get("finish_reason"), usage)


class _Ollama:
    """With the length of context that the settings ask for, in every request. Thinking aloud is switched off:
    it would be spent from the answer's tokens."""

    form = "format"
    optional = frozenset({"format", "think"})

    def url(self, base_url: str) -> str:
        return f"{base_url.rstrip('/').removesuffix('/v1')}/api/chat"

    def body(self, settings: Settings, schema: object, sampling: tuple[int, float, int]) -> dict[str, Any]:
        max_tokens, temperature, seed = sampling
        options = {"num_predict": max_tokens, "temperature": temperature, "seed": seed}
        stop = {"stop": list(settings.stop)} if settings.stop and not schema else {}
        context = {"num_ctx": settings.context_tokens}
        return {"think": False, "options": context | options | stop, self.form: schema}

    def read(self, line: str) -> _Piece | None:
        if not line.strip():
            return None
        answer = _parsed(line)
        finish = (answer.get("done_reason") or "stop") if answer.get("done") is True else None
        usage = _counts(answer, "prompt_eval_count", "eval_count")
        return _piece(answer, answer.get("message"), finish, usage)


_OPENAI, _OLLAMA = _OpenAI(), _Ollama()


def _piece(
    answer: Mapping[str, Any], message: object, finish: object, usage: tuple[int, int] | None
) -> _Piece:
    """Anything may come from an endpoint, so every shape is checked."""
    text, ends = _table(message).get("content"), finish if isinstance(finish, str) else None
    return _Piece(text if isinstance(text, str) else "", ends, usage, answer.get("error") or None)


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        return _table(parse_json(text))
    except ValueError:
        raise _bad(text) from None


def _bad(text: str) -> _BadPiece:
    return _BadPiece(" ".join(text.split())[:80])


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _counts(where: object, *names: str) -> tuple[int, int] | None:
    prompt, answer = (_table(where).get(name) for name in names)
    return (prompt, answer) if type(prompt) is int and type(answer) is int else None


class OpenAICompatibleGenerator:
    """The model of ``settings``, of whose provider the protocol is. The key is read from the environment
    variable ``api_key_env`` here, once, and never shown; without a name only OpenAI itself is sent one.
    ``json_schema`` says whether the endpoint holds answers to a schema: else, and where it refuses one, the
    schema stands in the prompt. ``name`` is ``model@host/path``; which weights run under it, and whether
    calls beside each other change an answer, is up to the endpoint.

    ``timeout_s`` bounds the time without a byte, half an hour the whole answer, which may have 64 MB.
    Failures that may pass (429, 5xx, connection) are tried again (see :class:`.endpoint.EndpointClient`);
    never once text has come, since ``on_text`` cannot be taken back. A 429 holds back all requests, and a
    limit that it names bounds them from then on. All tries of one call carry one Idempotency-Key, so that an
    endpoint that knows it bills once; a whole answer counts, however its connection ended. Safe in threads.

    Raises ModelMissing without a key for OpenAI itself; ConfigError for a wrong ``base_url``."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._wire = _OLLAMA if settings.provider == "ollama" else _OPENAI
        url = settings.base_url or (OLLAMA_URL if self._wire is _OLLAMA else OPENAI_URL)
        variable = settings.api_key_env or ("OPENAI_API_KEY" if url == OPENAI_URL else "")
        key = read_key(variable, required_by="OpenAI" if url == OPENAI_URL else "")
        where = shown_address(url, example="http://localhost:1234/v1")
        self._endpoint = Endpoint(settings.model, where, variable, settings.timeout_s)
        self.name = f"{settings.model}@{where}{stop_mark(settings.stop)}"
        self.concurrency = settings.concurrency
        self.context_tokens = settings.context_tokens
        self._url = self._wire.url(url)
        self.client = EndpointClient(
            self._endpoint, url, key=key, most_bytes=_MOST_BYTES, longest_s=_LONGEST_S
        )
        self.pace = Pace(str(self._endpoint))
        self._unsupported = frozenset() if settings.json_schema else frozenset({self._wire.form})
        self._empty = 0
        self._lock = threading.Lock()
        self._closed = False

    def count_tokens(self, text: str) -> int:
        """An estimate that errs on the high side: see ``estimate_tokens``."""
        return estimate_tokens(text)

    def generate(self, prompt: Prompt, **how: Unpack[How]) -> Generation:
        """An exception from ``on_text`` closes the stream and is raised as it is.

        ``settings`` say where the endpoint differs: ``tokens`` is ``"estimated"`` where it reports no
        usage, ``unsupported`` lists parameters that the model does not take and that were left out.
        Raises ModelRefused before any request where the prompt cannot fit (many endpoints would cut it
        silently), and for an empty, filtered or refused answer; ModelUnusable for an answer to a part of the
        prompt, and for nothing three times in a row; see ``endpoint`` for the rest."""
        sampling = max_tokens, temperature, seed = sampling_of(how)
        check_open(self._closed, self.name)
        shown = form_in_words(prompt, self._wire.form in self._unsupported)
        tokens = estimate_tokens(shown.system) + estimate_tokens(shown.user)
        check_room(tokens, max_tokens, self.context_tokens, counted="has an estimated")
        started = time.perf_counter()
        reply = self._answered(prompt, sampling, tokens, how.get("on_text"))
        if reply.usage:
            name, remedy = str(self._endpoint), self._remedy()
            check_whole(shown, reply.usage[0], self.context_tokens, name=name, remedy=remedy)
        text = self._said(reply)
        settings: list[tuple[str, str | int | float]] = [
            ("max_tokens", max_tokens),
            ("seed", seed),
            ("temperature", temperature),
            ("tokens", "reported" if reply.usage else "estimated"),
        ]
        if self._unsupported:
            settings.append(("unsupported", " ".join(sorted(self._unsupported))))
        seconds, counts = time.perf_counter() - started, reply.usage or (tokens, estimate_tokens(text))
        return Generation(text, self.name, *counts, seconds, reply.finish_reason, tuple(settings))

    def close(self) -> None:
        """Closes the connections. Safe to call twice; generating afterwards raises ModelMissing."""
        self._closed = True
        self.client.http.close()

    def _said(self, reply: _Reply) -> str:
        """The reply's text; too many empty ones in a row, and the model is given up."""
        with self._lock:
            self._empty = 0 if reply.text.strip() else self._empty + 1
            if self._empty >= _MOST_EMPTY:
                raise ModelUnusable(
                    f"{self._endpoint} gave an empty answer {self._empty} times in a row: try "
                    f"fabula model test, or choose another with fabula model"
                )
        return check_reply(reply.text, model=self.name, finish_reason=reply.finish_reason)

    def _remedy(self) -> str:
        if self._wire is _OLLAMA:
            return "set generator.context_tokens to what the model can hold (fabula model use does it)"
        if self._endpoint.where.endswith(":11434/v1"):
            return 'set generator.provider = "ollama", which reads it all (fabula model use does it)'
        return "load the model there with a longer context, or set generator.context_tokens to that number"

    def _answered(
        self,
        prompt: Prompt,
        sampling: tuple[int, float, int],
        tokens: int,
        on_text: Callable[[str], None] | None,
    ) -> _Reply:
        reply, left_out = _Reply(on_text), frozenset[str]()
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        most = tokens + sampling[0]

        def attempt() -> Failure | None:
            nonlocal reply, left_out
            while True:
                body = self._body(prompt, sampling, self._unsupported | left_out)
                self.pace.take(most)
                reply = _Reply(on_text)
                failure = self._attempt(body, headers, reply)
                self.pace.give_back(most - sum(reply.usage or (tokens, 0)))
                refused = self._refused(failure, body) if failure else frozenset[str]()
                if not refused:
                    return replace(failure, again=False) if failure and reply.pieces else failure
                left_out |= refused

        self.client.retrying(attempt, slow=self.pace.slow)
        self._unsupported |= left_out
        return reply

    def _body(
        self, prompt: Prompt, sampling: tuple[int, float, int], without: Collection[str]
    ) -> dict[str, Any]:
        """All but the parameters in ``without``; a schema that is left out stands in the prompt, and
        ``max_tokens`` goes by its newer name."""
        more = self._wire.body(self._settings, json.loads(prompt.schema or "null"), sampling)
        if "max_tokens" in without:
            more["max_completion_tokens"] = sampling[0]
        shown = form_in_words(prompt, self._wire.form in without)
        said = (("system", shown.system), ("user", shown.user))
        messages = [{"role": role, "content": text} for role, text in said if text or role == "user"]
        body = {"model": self._settings.model, "messages": messages, "stream": True, **more}
        return {name: value for name, value in body.items() if name not in without and value is not None}

    def _attempt(self, body: dict[str, Any], headers: dict[str, str], reply: _Reply) -> Failure | None:
        """Fills the reply. What went wrong is returned; only what ``on_text`` raises is raised."""
        failure: Failure | None = None
        try:
            with self.client.http.stream("POST", self._url, json=body, headers=headers) as response:
                if response.status_code != 200:
                    response.read()
                    return status_failure(response, self._endpoint)
                if "html" in response.headers.get("content-type", ""):
                    return page_failure(self._endpoint)
                for piece in filter(None, map(self._wire.read, response.iter_lines())):
                    if piece.error is not None:
                        failure = error_failure(piece.error, self._endpoint)
                        break
                    reply.take(piece)
        except _BadPiece as bad:
            unread = unreadable(f"cannot be read ({bad})", self._endpoint)
            failure = page_failure(self._endpoint) if PAGE.match(str(bad)) else unread
        except (httpx.HTTPError, httpx.InvalidURL, AnswerTooLong) as error:
            failure = connection_failure(error, self._endpoint)
        # what has come whole, and is paid for, is not asked for again, though the connection broke after
        is_whole = reply.pieces and reply.finish in ("stop", "length")
        return failure if failure and not is_whole else reply.trouble(self._endpoint)

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
    def finish_reason(self) -> str:
        return "length" if self.finish == "length" else "stop"

    def take(self, piece: _Piece) -> None:
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
