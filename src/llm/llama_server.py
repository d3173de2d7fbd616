"""llama.cpp's own server, inside this process, for one model file and one request at a time.

Everything that could change a number between two runs is switched off; each was seen to change
outputs when on: reuse of an earlier prompt's cache (other batch shapes), flash attention (outputs
depended on the thread count), more than one slot (batch shapes again).
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..errors import ModelError, ModelMissing, ModelRefused, ModelTransient

SAMPLING_VERSION = "prose/1"
# Greedy decoding of a small model loops, and recites its prompt. The repetition penalty (Keskar et al. 2019,
# "CTRL") looks back a page; DRY (as in llama.cpp) makes it dear to go on with any run of tokens that stood
# before, in the prompt too, from the sixth token on, so names and phrases stay free.
_SAMPLING = {
    "top_k": 40,
    "top_p": 0.95,
    "min_p": 0.05,
    "repeat_penalty": 1.15,
    "repeat_last_n": 128,
    "dry_multiplier": 0.8,
    "dry_base": 1.75,
    "dry_allowed_length": 5,
    "cache_prompt": False,
}
# An answer in JSON repeats its keys and brackets, so nothing may make that dear.
_JSON_SAMPLING = {"top_k": 40, "top_p": 0.95, "min_p": 0.05, "cache_prompt": False}
# What opens a fence or a label: prose needs none of it, and a small model copies the layout of its prompt.
_BARRED = ("<", "<<", " <", " <<", "[", "[[", " [")
_RELEASE_S = 5.0
_HTTP_TIMEOUT_S = 60.0


@dataclass(slots=True)
class _Handle:
    """What must outlive the LlamaServer object for its release: the native server and who uses it."""

    server: Any
    busy: threading.RLock
    closing: threading.Event
    has_run: bool = False


class LlamaServer:
    """Loads the model at construction (about half a second for 100 MB, once the file is cached).

    Takes calls from any thread; completions wait for one another, ``tokenize`` waits for none.
    The native server listens on a random loopback port with a random key: it alone can tokenize.
    Raises ModelMissing where llama.cpp is not installed or cannot load the file."""

    def __init__(self, path: Path, *, context_tokens: int, threads: int) -> None:
        # Waiting threads that spin cost a factor of 3 to 40 on busy cores. The library reads the
        # variable when it is loaded, so it is set right before, unless the user has set it.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        try:
            import xllamacpp
        except ImportError as error:
            raise ModelMissing("the local model needs llama.cpp's bindings: pip install xllamacpp") from error
        self._key = secrets.token_hex(16)
        self._bars: list[int] | None = None
        params = _params(xllamacpp, path, context_tokens, threads)
        params.api_keys = [self._key]
        try:
            server = xllamacpp.Server(params)
        except RuntimeError as error:
            raise ModelMissing(
                f"llama.cpp cannot load {path}: check that it is a complete GGUF file, and that "
                f"there is enough memory"
            ) from error
        address = urlsplit(server.listening_address)
        self._address = (address.hostname or "127.0.0.1", address.port or 80)
        self._handle = _Handle(server, threading.RLock(), threading.Event())
        # Also runs at interpreter exit, while daemon threads can still finish their last token.
        self._finalizer = weakref.finalize(self, _release, self._handle)

    def tokenize(self, text: str, *, special: bool, start: bool = False) -> list[int]:
        """Token ids. ``special`` reads control markers such as ``<|im_end|>`` as control tokens;
        ``start`` adds what the model wants before the first token. Takes 1 to 2 ms."""
        body = {"content": text, "parse_special": special, "add_special": start}
        return [int(token) for token in self._post("/tokenize", body)["tokens"]]

    def render(self, messages: list[dict[str, str]]) -> str:
        """The messages through the model's own chat template, up to where its answer begins.

        Raises ModelRefused where the template does not take these roles."""
        # Thinking aloud is not prose; some templates write today's date unless they are given one.
        options = {"enable_thinking": False, "date_string": "1 Jan 2025"}
        body = {"messages": messages, "chat_template_kwargs": options}
        return str(self._post("/apply-template", body)["prompt"])

    def complete(
        self,
        prompt: list[int],
        *,
        sampling: tuple[int, float, int],
        on_text: Callable[[str], None] | None,
        schema: str = "",
        stop: Sequence[str] = (),
    ) -> tuple[str, Mapping[str, Any]]:
        """Streams the continuation of ``prompt`` by ``sampling`` (most tokens, temperature, seed), as JSON by
        ``schema`` (a JSON schema as text) where one is given, else up to the first of ``stop``. Gives the
        text and the last chunk of the stream, which says how it ended and counts tokens. An exception from
        ``on_text`` stops the model and is raised here. Raises ModelRefused, ModelTransient."""
        how: dict[str, Any] = dict(zip(("max_tokens", "temperature", "seed"), sampling, strict=True))
        if schema:
            how |= {**_JSON_SAMPLING, "json_schema": json.loads(schema)}
        else:
            last = {"dry_penalty_last_n": len(prompt) + sampling[0]}
            how |= {**_SAMPLING, **last, "logit_bias": self._barred()}
            how |= {"stop": list(stop)} if stop else {}
        reader = _Reader(on_text, self._handle.closing)
        with self._handle.busy:
            if self._handle.server is None:
                raise ModelMissing("the local model was closed: make a new generator")
            self._handle.server.handle_completions({"prompt": prompt, "stream": True, **how}, reader)
            self._handle.has_run = True
        return reader.result()

    def _barred(self) -> list[list[int | bool]]:
        """The tokens that may not come, as llama.cpp wants them: (token, false)."""
        if self._bars is None:
            single = [self.tokenize(text, special=False) for text in _BARRED]
            self._bars = sorted({ids[0] for ids in single if len(ids) == 1})
        return [[token, False] for token in self._bars]

    def close(self) -> None:
        """Stops a running completion after its next token and frees the model. Safe to call twice."""
        self._finalizer()

    def _post(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        connection = http.client.HTTPConnection(*self._address, timeout=_HTTP_TIMEOUT_S)
        try:
            connection.request("POST", path, json.dumps(body), headers)
            answer: dict[str, Any] = json.loads(connection.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ModelTransient(f"llama.cpp did not answer {path}: {error}") from error
        finally:
            connection.close()
        if "error" in answer:
            raise _model_error(answer["error"])
        return answer


class _Reader:
    """The callback for a stream: called in the caller's own thread, True stops the model.

    The bindings swallow exceptions of a callback, so they are kept and raised by ``result``."""

    def __init__(self, on_text: Callable[[str], None] | None, closing: threading.Event) -> None:
        self._on_text = on_text
        self._closing = closing
        self._pieces: list[str] = []
        self._last: dict[str, Any] = {}
        self._failure: BaseException | None = None

    def __call__(self, chunk: dict[str, Any]) -> bool:
        try:
            self._read(chunk)
        except BaseException as error:  # noqa: BLE001 (raised again by result, also KeyboardInterrupt)
            self._failure = error
        return self._failure is not None

    def _read(self, chunk: dict[str, Any]) -> None:
        if self._closing.is_set():
            raise ModelTransient("the local model was closed while it was writing")
        if "error" in chunk:
            raise _model_error(chunk["error"])
        self._last = chunk
        piece = "".join(choice["text"] for choice in chunk["choices"])
        if piece:
            self._pieces.append(piece)
            if self._on_text is not None:
                self._on_text(piece)

    def result(self) -> tuple[str, Mapping[str, Any]]:
        if self._failure is not None:
            raise self._failure
        if not self._last or self._last["choices"][0]["finish_reason"] is None:
            raise ModelTransient("llama.cpp stopped without saying why: try again")
        return "".join(self._pieces), self._last


def _params(xllamacpp: Any, path: Path, context_tokens: int, threads: int) -> Any:
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.verbosity = -1
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.cache_prompt = False
    params.cache_ram_mib = 0  # its default keeps up to 8 GiB of old prompts
    params.n_ctx_checkpoints = 0
    params.warmup = False
    params.ui = False
    params.endpoint_slots = False
    params.n_threads_http = 2
    return params


def _model_error(error: Mapping[str, Any]) -> ModelError:
    """llama.cpp's error object: a code below 500 is about the request, the rest about the server."""
    code = int(error.get("code", 500))
    kind = ModelRefused if code < 500 else ModelTransient
    return kind(f"llama.cpp answered {code} {error.get('type', '')}: {error.get('message', error)}")


def _release(handle: _Handle) -> None:
    handle.closing.set()
    # A model in the middle of a long prompt cannot be stopped: then the process ends without waiting.
    if handle.busy.acquire(timeout=_RELEASE_S):
        try:
            if not handle.has_run:  # a server whose loop has not begun yet waits for ever when it is ended
                handle.server.handle_completions({"prompt": [1], "max_tokens": 1}, lambda _: False)
            handle.server = None
        finally:
            handle.busy.release()
