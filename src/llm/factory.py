"""From settings to a generator. Nothing else in the package needs to know which kinds there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..core.interfaces import Generator
from ..core.types import Prompt
from ..errors import ConfigError
from .folder import NEEDED, FolderGenerator
from .local import LocalGenerator
from .openai_compatible import OpenAICompatibleGenerator
from .scripted import DRY_RUN_REPLY, ScriptedGenerator

PROVIDERS = ("local", "openai", "ollama", "folder", "scripted")


@dataclass(frozen=True, slots=True)
class GeneratorSettings:
    """``provider`` is one of PROVIDERS. ``model`` empty means the provider's default, which only
    ``local`` and ``scripted`` have. ``threads`` 0 means the physical cores, at most 4.

    ``base_url``, ``api_key_env`` (a variable's name, never a key), ``max_retries``, ``json_schema`` and
    ``tokens_per_minute`` are for ``openai`` and ``ollama`` alone, ``timeout_s`` and ``concurrency`` for them
    and for ``folder``, whose requests lie in ``folder``
    (see :class:`~.folder.FolderGenerator`) and whose ``model`` is the name of who answers. Prose ends before
    the first of ``stop``, and the generator's name bears a mark of them. Raises ConfigError for a value out
    of range.
    """

    provider: Literal["local", "openai", "ollama", "folder", "scripted"] = "local"
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""
    context_tokens: int = 4096
    threads: int = 0
    timeout_s: float = 120.0
    max_retries: int = 4
    concurrency: int = 4
    json_schema: bool = True
    tokens_per_minute: int = 0
    folder: str = ""
    stop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.provider not in PROVIDERS:
            raise ConfigError(f"no provider {self.provider!r}: choose one of {', '.join(PROVIDERS)}")
        if self.provider in ("openai", "ollama") and not self.model:
            raise ConfigError(f"provider {self.provider} needs a model: name one that the endpoint serves")
        if self.provider == "folder" and not (self.folder and self.model.strip()):
            raise ConfigError(NEEDED)
        lowest = (("context_tokens", 1), ("threads", 0), ("max_retries", 0), ("concurrency", 1))
        for name, least in lowest:
            if getattr(self, name) < least:
                raise ConfigError(f"{name} is {getattr(self, name)}: give at least {least}")
        if not self.timeout_s > 0:
            raise ConfigError(f"timeout_s is {self.timeout_s}: give seconds above 0")


def make_generator(settings: GeneratorSettings, *, replies: Sequence[str] | None = None) -> Generator:
    """A closed set: PROVIDERS. ``replies`` are for ``scripted``, which without them
    answers every prompt with DRY_RUN_REPLY.

    Raises ModelMissing where the model, its package or its key is not there.
    """
    if settings.provider == "local":
        return LocalGenerator(
            settings.model,
            context_tokens=settings.context_tokens,
            threads=settings.threads,
            stop=settings.stop,
        )
    if settings.provider == "openai" or settings.provider == "ollama":  # noqa: PLR1714 (mypy narrows it)
        return OpenAICompatibleGenerator(
            settings.model,
            wire=settings.provider,
            base_url=settings.base_url,
            api_key_env=settings.api_key_env,
            context_tokens=settings.context_tokens,
            timeout_s=settings.timeout_s,
            max_retries=settings.max_retries,
            concurrency=settings.concurrency,
            stop=settings.stop,
            json_schema=settings.json_schema,
            tokens_per_minute=settings.tokens_per_minute,
        )
    if settings.provider == "folder":
        return FolderGenerator(
            Path(settings.folder) if settings.folder else None,
            settings.model,
            timeout_s=settings.timeout_s,
            context_tokens=settings.context_tokens,
            concurrency=settings.concurrency,
            stop=settings.stop,
        )
    return ScriptedGenerator(
        _dry if replies is None else replies,
        name=settings.model or "scripted",
        context_tokens=settings.context_tokens,
        stop=settings.stop,
    )


def _dry(prompt: Prompt) -> str:  # noqa: ARG001 (the same for every prompt)
    return DRY_RUN_REPLY
