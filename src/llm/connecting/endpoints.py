"""Which endpoints there are, which of them answer on this machine, and what they serve.

Nothing is asked before somebody wants to know. Servers are looked for on this machine alone and are sent no
key; a provider is asked for its models, with its key, when somebody chooses it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ...core.files.toml import load_toml
from ...core.types import Call
from ...errors import ModelError, ModelUnusable
from ..endpoint import KEY_HEADERS, Endpoint, EndpointClient, read_key, shown_address
from ..usage import PriceTable, public_context

_LOOK_S, _ASK_S = 0.25, 20.0
_MOST_BYTES = 8_000_000
_MOST_MODELS, _LONGEST_NAME, _MOST_TOKENS = 1000, 200, 2**24
_IN_LIST = ("max_model_len", "max_context_length", "context_length", "context_window")
_WRITES_NOTHING = re.compile(r"embed|whisper|tts|rerank|moderation|dall-e|transcri", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EndpointKind:
    """A row of ``endpoints.toml``. ``name`` is what somebody types, empty where it is the address."""

    name: str
    title: str
    base_url: str
    key: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)
    most_context: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str | int | bool] = field(default_factory=dict)

    @property
    def is_here(self) -> bool:
        """Is it a server on this machine, which is looked for?"""
        return not self.key

    def named(self, model: str) -> str:
        """What somebody types to have this model of it; all of it for an empty one."""
        parts = (self.name, "/", model) if self.name else (model, "@", self.base_url)
        return "".join(parts) if model else self.name or self.base_url


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be used; an empty ``model`` stands for all of a provider's, which was not asked yet.
    ``context_tokens`` is 0 where nobody says it, ``prices`` are dollars for a million tokens in and out."""

    kind: EndpointKind
    model: str = ""
    context_tokens: int = 0
    prices: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """What somebody types to have it."""
        return self.kind.named(self.model)

    @property
    def settings(self) -> dict[str, str | int | bool]:
        """Of the section ``generator``: no key is among them."""
        url = self.kind.base_url
        given: dict[str, str | int | bool] = {"provider": "openai", **self.kind.settings}
        if given["provider"] == "ollama":
            url = url.removesuffix("/v1")
        given |= {"model": self.model, "base_url": url}
        if self.kind.key:
            given["api_key_env"] = self.kind.key
        if self.context_tokens:
            given["context_tokens"] = min(self.context_tokens, self.kind.most_context or _MOST_TOKENS)
        return given


@cache
def endpoint_kinds() -> Mapping[str, EndpointKind]:
    """All, by name, in the order of the table."""
    table = load_toml(Path(__file__).with_name("endpoints.toml"))
    return {name: EndpointKind(name, **row) for name, row in table.items()}


def look() -> tuple[Offer, ...]:
    """What servers on this machine serve, asked side by side, a quarter of a second each; then the providers
    whose key is in the environment. Who does not answer is left out."""
    kinds = endpoint_kinds().values()
    here = [kind for kind in kinds if kind.is_here]

    def offered(kind: EndpointKind) -> tuple[Offer, ...]:
        with suppress(ModelError):
            return offers_of(kind, timeout_s=_LOOK_S)
        return ()

    with ThreadPoolExecutor(len(here)) as pool:
        found = list(pool.map(offered, here))
    keyed = (Offer(kind) for kind in kinds if kind.key and os.environ.get(kind.key, "").strip())
    return (*(offer for offers in found for offer in offers), *keyed)


def offers_of(kind: EndpointKind, *, timeout_s: float = _ASK_S) -> tuple[Offer, ...]:
    """The models of an endpoint, those that have a public price first. Raises ModelError."""
    told = _fetch(kind, f"{kind.base_url}/models", timeout_s=timeout_s)
    entries = told.get("data") if isinstance(told, Mapping) else None
    if not isinstance(entries, list):
        raise ModelUnusable(f"{kind.title} at {kind.base_url} lists no models: is that its address?")
    offers = [_offer(kind, one, timeout_s) for one in entries[:_MOST_MODELS] if _serves_text(one)]
    return tuple(sorted(offers, key=lambda offer: offer.prices is None))


def server_at(address: str) -> EndpointKind:
    """A server of somebody's own at ``http(s)://host[:port][/v1]``, which is sent no key. It counts as of the
    kind that uses the same port on this machine. Raises ConfigError for any other address."""
    where = shown_address(address, example="http://host:11434/v1")
    base = address.rstrip("/") if "/" in where else f"{address.rstrip('/')}/v1"
    port = urlsplit(base).port
    here = (kind for kind in endpoint_kinds().values() if kind.is_here)
    known = next((kind for kind in here if urlsplit(kind.base_url).port == port), EndpointKind("", "", ""))
    return replace(known, name="", title=known.title or "The server", base_url=base)


def context_in_use(base_url: str, model: str) -> int:
    """The context with which Ollama holds the model now; 0 where it does not say. Raises ModelError."""
    kind = EndpointKind("ollama", "Ollama", base_url)
    told = _fetch(kind, _beside(kind, "/api/ps"), timeout_s=_ASK_S)
    return _number(_entry_of(model, told), ("context_length",))


def _serves_text(entry: object) -> bool:
    name = entry.get("id") if isinstance(entry, Mapping) else None
    return isinstance(name, str) and 0 < len(name) < _LONGEST_NAME and not _WRITES_NOTHING.search(name)


def _offer(kind: EndpointKind, entry: Mapping[str, Any], timeout_s: float) -> Offer:
    model = str(entry["id"]).removeprefix("models/")
    if kind.is_here:
        return Offer(kind, model, _number(entry, _IN_LIST) or _asked_context(kind, model, timeout_s))
    where = f"{model}@{kind.base_url.removeprefix('https://')}"
    each = [PriceTable().cost(Call(where, *tokens, 0.0)) for tokens in ((10**6, 0), (0, 10**6))]
    prices = (each[0], each[1]) if each[0] is not None and each[1] else None
    context = _number(entry, _IN_LIST) or public_context(model, kind.base_url) or 0
    return Offer(kind, model, context, prices)


def _asked_context(kind: EndpointKind, model: str, timeout_s: float) -> int:
    if not kind.context:
        return 0
    body = {"model": model} if kind.context.get("post") else None
    try:
        told = _fetch(kind, _beside(kind, kind.context["path"]), timeout_s=timeout_s, body=body)
    except ModelError:
        return 0
    return _number(_entry_of(model, told), kind.context["names"])


def _entry_of(model: str, told: object) -> object:
    """What an answer says of the model, where it is a list of models; else all of it."""
    lists = [told.get(name) for name in ("data", "models")] if isinstance(told, Mapping) else []
    entries = next((one for one in lists if isinstance(one, list)), None)
    if entries is None:
        return told
    held = (one for one in entries if isinstance(one, Mapping))
    return next((one for one in held if model in (one.get("id"), one.get("name"))), {})


def _number(told: object, names: Sequence[str]) -> int:
    """The first sound number under one of these names, at any depth (``llama.context_length`` too)."""
    if not isinstance(told, Mapping):
        return 0
    for name in names:
        for key, value in told.items():
            if str(key).rpartition(".")[2] == name and type(value) is int and 0 < value <= _MOST_TOKENS:
                return value
    return next((found for value in told.values() if (found := _number(value, names))), 0)


def _beside(kind: EndpointKind, path: str) -> str:
    parts = urlsplit(kind.base_url)
    return f"{parts.scheme}://{parts.netloc}{path}"


def _fetch(kind: EndpointKind, url: str, *, timeout_s: float, body: Mapping[str, str] | None = None) -> Any:
    key = read_key(kind.key, required_by=kind.title if kind.key else "")
    where = shown_address(url, example="http://host/v1")
    client = EndpointClient(
        Endpoint(kind.title, where, kind.key, timeout_s),
        url,
        key=key,
        headers=kind.headers or KEY_HEADERS,
        most_bytes=_MOST_BYTES,
        longest_s=10 * timeout_s,
    )
    client.retries = 0
    with client.http:
        return client.fetch(url, body)
