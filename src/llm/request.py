"""What every generator checks and says in the same way, whichever model stands behind it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from ..core.interfaces import Asking
from ..core.types import Prompt
from ..errors import ModelMissing, ModelRefused, ModelUnusable

_STOP = "+stop-"
_THINK, _THOUGHT = "<think>", "</think>"
_LEAST_CUT = 512  # tokens of the smallest context that is met

MAX_SEED = 2**31 - 1
"""Largest seed that every endpoint takes; llama.cpp reads 2**32 - 1 as "choose one at random"."""


def sampling_of(how: Asking) -> tuple[int, float, int]:
    """``max_tokens``, temperature and seed. Raises ModelRefused for one that is out of range."""
    max_tokens, temperature, seed = how["max_tokens"], how.get("temperature", 0.0), how.get("seed", 0)
    if max_tokens < 1:
        raise ModelRefused(f"max_tokens is {max_tokens}: ask for at least 1")
    if not 0.0 <= temperature <= 2.0:
        raise ModelRefused(f"the temperature is {temperature}: choose one from 0 to 2")
    if not 0 <= seed <= MAX_SEED:
        raise ModelRefused(f"the seed is {seed}: choose one from 0 to {MAX_SEED}")
    return max_tokens, temperature, seed


def say(how: Asking, *pieces: str) -> None:
    """Tells who listens of the pieces of an answer."""
    if (listen := how.get("on_text")) is not None:
        for piece in pieces:
            listen(piece)


def check_room(prompt_tokens: int, max_tokens: int, context_tokens: int, *, counted: str = "has") -> None:
    """Raises ModelRefused where prompt and completion together do not fit into the context.

    A model that is given too much either fails late or silently forgets the beginning."""
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


def form_in_words(prompt: Prompt, wanted: bool) -> Prompt:
    """Where ``wanted``, the prompt with its schema as text, for an endpoint that holds no answer to one."""
    if not (wanted and prompt.schema):
        return prompt
    form = f"Answer with one JSON object of this schema, and nothing else:\n{prompt.schema}"
    return replace(prompt, user=f"{prompt.user}\n\n{form}")


def check_whole(prompt: Prompt, tokens: int, context_tokens: int, *, name: str, remedy: str) -> None:
    """Raises ModelUnusable where the endpoint counts so few ``tokens`` that it has read but a part: less than
    one for 5 characters, or a power of two (as contexts are) at less than one for 4.4. An English novel has
    about 4 characters a token, and other texts have less; a run of white space counts as one."""
    letters = len(" ".join(f"{prompt.system} {prompt.user}".split()))
    full = tokens >= _LEAST_CUT and (tokens == context_tokens or tokens & (tokens - 1) == 0)
    if tokens < _LEAST_CUT or letters <= tokens * (4.4 if full else 5):
        return
    raise ModelUnusable(
        f"{name} read only the last {tokens:,} of about {round(letters / 4.2, -2):,.0f} tokens: {remedy}"
    )


def without_thoughts(text: str) -> str | None:
    """The text behind thoughts said aloud (``<think>…</think>``); None while the model may still think."""
    start = text.lstrip()
    if start.startswith(_THINK):
        _, end, rest = start.partition(_THOUGHT)
        return rest.lstrip() if end else None
    return None if start and _THINK.startswith(start) else text
