"""What every system is given, the same reader behind a folder and the same embedding; and what it gives."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypedDict

import numpy as np

from fabula.config import Generator as GeneratorSettings
from fabula.core.embeddings import EmbeddingManager
from fabula.core.types import Prompt
from fabula.llm.folder import FolderGenerator

__all__ = ["AT_ONCE", "DIMENSION", "Edge", "Given", "Meter", "Reading", "Said"]

DIMENSION = 384
AT_ONCE = 64
_CONTEXT, _ANSWER = 200_000, 32_768


class Said(TypedDict):
    """An answer; ``cited`` are the quotes that the system gives with it beside its words."""

    text: str
    cited: list[str]


class Edge(TypedDict):
    """What a system holds of two: the names of each, and what it says of them."""

    a: list[str]
    b: list[str]
    says: str


class Reading(Protocol):
    """A system in a ``folder`` of its own; ``given`` answers and embeds."""

    def __init__(self, folder: Path, given: Given) -> None: ...

    async def index(self, texts: Sequence[str]) -> None: ...

    async def ask(self, question: str) -> Said: ...

    async def edges(self) -> list[Edge]: ...


@dataclass
class Meter:
    """Counts what :class:`FolderGenerator` is asked in this process, whoever asks, while ``phase`` lasts."""

    phase: str = "index"
    asked: dict[str, dict[str, int]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    waited: float = 0.0

    def install(self) -> None:
        generate = FolderGenerator.generate

        def counted(generator: FolderGenerator, prompt: Prompt, **how: Any) -> Any:
            before = time.thread_time()
            made = generate(generator, prompt, **how)
            self.waited += time.thread_time() - before
            key = str(dict(made.settings)["request"])
            if key not in self.keys:
                self.keys.add(key)
                counts = self.asked.setdefault(self.phase, {"requests": 0, "prompt": 0, "answer": 0})
                counts["requests"] += 1
                counts["prompt"] += len(prompt.system) + len(prompt.user)
                counts["answer"] += len(made.text)
            return made

        setattr(FolderGenerator, "generate", counted)  # noqa: B010 (a method cannot be assigned)

    @property
    def own_seconds(self) -> float:
        """Processor seconds so far but for those that waiting took."""
        return time.process_time() - self.waited


class Given:
    """``folder`` holds requests and answers; ``reader`` is the name of who answers."""

    def __init__(self, folder: Path, reader: str, *, timeout_s: float) -> None:
        self.folder, self.reader, self.timeout_s = folder, reader, timeout_s
        how: dict[str, Any] = {"timeout_s": timeout_s, "context_tokens": _CONTEXT, "concurrency": 1}
        told = GeneratorSettings(provider="folder", folder=str(folder), model=reader, **how)
        self._generator = FolderGenerator(told, settled_s=1.0)
        self._pool = ThreadPoolExecutor(AT_ONCE)
        self._embedder = EmbeddingManager(precision="fp32")
        self._known: dict[str, Any] = {}

    def complete(self, messages: Sequence[dict[str, str]], schema: str = "") -> str:
        """The answer to a chat; with a schema, which goes along, it is JSON."""
        system = "\n\n".join(one["content"] for one in messages if one["role"] == "system")
        turns = [one for one in messages if one["role"] != "system"]
        user = turns[0]["content"]
        if len(turns) > 1:  # examples, or a talk before
            user = "\n\n".join(f"[{one['role']}]\n{one['content']}" for one in turns) + "\n\n[assistant]"
        prompt = Prompt(system, user, "peer", schema)
        return self._generator.generate(prompt, max_tokens=_ANSWER).text

    async def answer(self, messages: Sequence[dict[str, str]], schema: str = "") -> str:
        """As :meth:`complete`, many at once."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self.complete, messages, schema)

    def embed(self, texts: Sequence[str]) -> Any:
        """Unit rows of all-MiniLM-L6-v2, float32."""
        for text in texts:
            if text not in self._known:
                self._known[text] = self._embedder.embed_query(text)
        return np.stack([self._known[text] for text in texts])
