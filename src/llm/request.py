"""What every generator checks and says in the same way, whichever model stands behind it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from ..core.types import Prompt
from ..errors import ModelMissing, ModelRefused

_STOP = "+stop-"

MAX_SEED = 2**31 - 1
"""Largest seed that every endpoint takes; llama.cpp reads 2**32 - 1 as "choose one at random"."""


def check_sampling(*, max_tokens: int, temperature: float, seed: int) -> None:
    """Raises ModelRefused for ``max_tokens`` below 1, a temperature or a seed out of range."""
    if max_tokens < 1:
        raise ModelRefused(f"max_tokens is {max_tokens}: ask for at least 1")
    if not 0.0 <= temperature <= 2.0:
        raise ModelRefused(f"the temperature is {temperature}: choose one from 0 to 2")
    if not 0 <= seed <= MAX_SEED:
        raise ModelRefused(f"the seed is {seed}: choose one from 0 to {MAX_SEED}")


def check_room(prompt_tokens: int, max_tokens: int, context_tokens: int, *, counted: str = "has") -> None:
    """Raises ModelRefused where prompt and completion together do not fit into the context.

    A model that is given too much either fails late or silently forgets the beginning.
    """
    if prompt_tokens + max_tokens > context_tokens:
        raise ModelRefused(
            f"the prompt {counted} {prompt_tokens} tokens and {max_tokens} more are asked for, but the"
            f" context holds {context_tokens}: shorten the prompt, ask for fewer, or raise context_tokens"
        )


def check_reply(text: str, *, model: str, finish_reason: str) -> str:
    """The text. Raises ModelRefused where there is nothing in it but white space."""
    if not text.strip():
        spent = " (max_tokens was spent before the first word)" if finish_reason == "length" else ""
        raise ModelRefused(f"{model} answered with an empty text{spent}: change the prompt or the model")
    return text


def check_open(closed: bool, model: str) -> None:
    """Raises ModelMissing where the generator was closed."""
    if closed:
        raise ModelMissing(f"the generator for {model} was closed: make a new one")


def stop_mark(stop: Sequence[str]) -> str:
    """What a generator's name gets, so that answers which end elsewhere are told apart; empty without."""
    return _STOP + hashlib.sha256("\0".join(stop).encode()).hexdigest()[:8] if stop else ""


def without_stop(name: str) -> str:
    """A generator's name without the mark of its stop sequences: prices do not hang on them."""
    return name.partition(_STOP)[0]


def cut_at(text: str, stop: Sequence[str]) -> str:
    """The text up to the first of these."""
    return text[: min([text.find(each) for each in stop if each in text], default=len(text))]


def messages_of(prompt: Prompt) -> list[dict[str, str]]:
    """The prompt as chat messages; an empty system text makes no message."""
    system = [{"role": "system", "content": prompt.system}] if prompt.system else []
    return [*system, {"role": "user", "content": prompt.user}]


def response_format(prompt: Prompt) -> dict[str, Any]:
    """The prompt's schema as OpenAI's chat API wants it ("Structured outputs"); llama.cpp's server, vLLM,
    Ollama and LM Studio read the same. Bounds on lengths are left out: strict mode refuses them."""
    schema = _unbounded(json.loads(prompt.schema))
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def _unbounded(schema: Any) -> Any:
    if isinstance(schema, dict):
        kept = {key: value for key, value in schema.items() if key not in ("maxLength", "maxItems")}
        return {key: _unbounded(value) for key, value in kept.items()}
    return [_unbounded(item) for item in schema] if isinstance(schema, list) else schema
