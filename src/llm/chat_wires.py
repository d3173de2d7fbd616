"""What two chat protocols say and mean: OpenAI's and Ollama's own; no connection is made here.

From their references: OpenAI ``POST /chat/completions`` (server-sent events), Ollama ``POST /api/chat`` (a
JSON object a line). Ollama's OpenAI-compatible address takes no length of context and cuts what is longer.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..core.types import Prompt
from .request import form_in_words, messages_of, schema_of


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


class ChatWire(Protocol):
    """One protocol. ``form`` is the parameter that holds a schema, ``optional`` are those that an endpoint
    may not take."""

    form: str
    optional: frozenset[str]

    def url(self, base_url: str) -> str:
        """Where requests go."""
        ...

    def body(self, asked: Asked, without: Collection[str]) -> dict[str, Any]:
        """The request but for the parameters ``without``; a schema that may not be sent stands in words."""
        ...

    def read(self, line: str) -> Piece | None:
        """None where the line bears nothing. Raises BadPiece."""
        ...


class OpenAIChat:
    """Also spoken by vLLM, LM Studio, llama.cpp, KoboldCpp and most providers."""

    form = "response_format"
    optional = frozenset({"max_tokens", "temperature", "seed", "stream_options", "response_format", "stop"})

    def url(self, base_url: str) -> str:
        return f"{base_url.rstrip('/')}/chat/completions"

    def body(self, asked: Asked, without: Collection[str]) -> dict[str, Any]:
        length = "max_completion_tokens" if "max_tokens" in without else "max_tokens"
        body: dict[str, Any] = {
            "model": asked.model,
            "messages": messages_of(form_in_words(asked.prompt, self.form in without)),
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": asked.temperature,
            "seed": asked.seed,
            length: asked.max_tokens,
        }
        if asked.prompt.schema:
            form = {"name": "answer", "strict": True, "schema": schema_of(asked.prompt)}
            body[self.form] = {"type": "json_schema", "json_schema": form}
        elif asked.stop:
            body["stop"] = list(asked.stop)
        return {name: value for name, value in body.items() if name not in without}

    def read(self, line: str) -> Piece | None:
        name, _, value = line.partition(":")
        if name != "data" or value.strip() == "[DONE]":
            return None if not line or name in ("", "data", "event", "id", "retry") else _bad(line)
        told = _parsed(value)
        if told.get("error"):
            return Piece(error=told["error"])
        choices = told.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        choice = first if isinstance(first, Mapping) else {}
        delta, finish = choice.get("delta"), choice.get("finish_reason")
        text = delta.get("content") if isinstance(delta, Mapping) else None
        usage = told.get("usage")
        return Piece(
            text if isinstance(text, str) else "",
            finish if isinstance(finish, str) else None,
            _counts(usage, "prompt_tokens", "completion_tokens"),
        )


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
        body: dict[str, Any] = {
            "model": asked.model,
            "messages": messages_of(form_in_words(asked.prompt, self.form in without)),
            "stream": True,
            "think": False,
            "options": options,
        }
        if asked.prompt.schema:
            body[self.form] = schema_of(asked.prompt)
        elif asked.stop:
            options["stop"] = list(asked.stop)
        return {name: value for name, value in body.items() if name not in without}

    def read(self, line: str) -> Piece | None:
        if not line.strip():
            return None
        told = _parsed(line)
        if told.get("error"):
            return Piece(error=told["error"])
        message = told.get("message")
        text = message.get("content") if isinstance(message, Mapping) else None
        finish = str(told.get("done_reason") or "stop") if told.get("done") is True else None
        usage = _counts(told, "prompt_eval_count", "eval_count")
        return Piece(text if isinstance(text, str) else "", finish, usage)


CHAT_WIRES: Mapping[str, ChatWire] = {"openai": OpenAIChat(), "ollama": OllamaChat()}
"""By the provider's name in the settings."""


def _parsed(text: str) -> dict[str, Any]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return _bad(text)
    return told if isinstance(told, dict) else {}


def _bad(text: str) -> Any:
    raise BadPiece(" ".join(text.split())[:80])


def _counts(where: object, prompt: str, answer: str) -> tuple[int, int] | None:
    if not isinstance(where, Mapping):
        return None
    counts = where.get(prompt), where.get(answer)
    return counts if all(type(count) is int and count >= 0 for count in counts) else None  # type: ignore[return-value]
