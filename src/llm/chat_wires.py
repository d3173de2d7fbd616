"""What two chat protocols say and mean: OpenAI's and Ollama's own; no connection is made here.

From their references: OpenAI ``POST /chat/completions`` (server-sent events), Ollama ``POST /api/chat`` (a
JSON object a line). Ollama's OpenAI-compatible address takes no length of context and cuts what is longer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.files.plain_json import parse_json
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
