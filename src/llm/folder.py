"""A generator that anybody can answer: each request is a file in a folder, and so is its answer.

For a person, or for a model that has no API. What was answered stays: a run that is broken off, or that gave
up waiting, finds it when it asks again.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from pathlib import Path
from typing import Unpack

from ..config import Generator as Settings
from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json
from ..core.interfaces import Asking
from ..core.types import Generation, Prompt
from ..errors import ConfigError, ModelRefused, ModelTransient
from .request import check_open, check_reply, check_room, cut_at, sampling_of, say, stop_mark

REQUESTS, ANSWERS = "requests", "answers"
_SCHEMA = 1
_TOKEN = re.compile(r"\s*(?:\w+|[^\w\s])|\s+\Z")
_HOW = """Each file {requests}/KEY.md is a request to a language model; KEY.json beside it holds the same for
programs. Answer it from its own text alone: write the answer, and nothing else, into {answers}/KEY.txt, best
into another file first that you then move there. Who waits for it reads it as soon as it has stopped growing.
"""


class FolderGenerator:
    """Writes ``FOLDER/requests/KEY.md`` (to read), ``KEY.json`` (to parse); awaits
    ``FOLDER/answers/KEY.txt``.

    ``KEY`` is a digest of the whole request with ``model``, the name of who answers: the same request is
    asked once, and an answer that is there already is given at once. An answer counts when it is not empty
    and has not changed for ``settled_s`` seconds. A token is a word or a mark; an answer in prose is cut at
    ``max_tokens`` of them, one that has a schema is given whole. Safe in threads and between processes.

    Raises ConfigError without a folder or a model's name, ModelTransient after ``timeout_s`` seconds (the
    request stays), ModelRefused for an answer that is no UTF-8, or no JSON where there is a schema."""

    settled_s = 0.5

    def __init__(self, told: Settings) -> None:
        if not (told.folder and told.model.strip()):
            raise ConfigError(
                "provider folder needs generator.folder, where requests and answers lie, and "
                "generator.model, the name of the one that answers"
            )
        self._folder = folder = Path(told.folder)
        self._timeout, self._stop = told.timeout_s, told.stop
        self._model = told.model.strip()
        self.name = f"folder:{self._model}{stop_mark(told.stop)}"
        self.concurrency, self.context_tokens = told.concurrency, told.context_tokens
        self._closing = threading.Event()
        self._asked: dict[str, None] = {}
        for part in (REQUESTS, ANSWERS):
            (folder / part).mkdir(parents=True, exist_ok=True)
        replace_file(folder / "README.txt", _HOW.format(requests=REQUESTS, answers=ANSWERS))

    def count_tokens(self, text: str) -> int:
        """Words and marks."""
        return sum(not piece.isspace() for piece in _TOKEN.findall(text))

    def generate(self, prompt: Prompt, **how: Unpack[Asking]) -> Generation:
        """The answer as it was put there; ``seconds`` are those that the wait took."""
        check_open(self._closing.is_set(), self.name)
        max_tokens, temperature, seed = sampling_of(how)
        tokens = self.count_tokens(prompt.system) + self.count_tokens(prompt.user)
        check_room(tokens, max_tokens, self.context_tokens)
        started = time.monotonic()
        key = self._ask(prompt, max_tokens=max_tokens, temperature=temperature, seed=seed)
        self._asked[key] = None
        told = self._await(self._folder / ANSWERS / f"{key}.txt", key, started)
        told = told if prompt.schema else cut_at(told, self._stop)
        pieces = _TOKEN.findall(check_reply(told, model=self.name, finish_reason="stop").strip())
        finish = "stop"
        if prompt.schema:
            try:
                parse_json("".join(pieces))
            except ValueError as error:
                raise ModelRefused(
                    f"the answer to request {key} is not JSON ({error}), which its schema asks for: fix "
                    f"{self._folder / ANSWERS / key}.txt"
                ) from error
        elif len(pieces) > max_tokens:
            pieces, finish = pieces[:max_tokens], "length"
        say(how, *pieces)
        sampled = ("max_tokens", max_tokens), ("temperature", temperature), ("seed", seed)
        settings = (*sampled, ("request", key))
        return Generation(
            "".join(pieces), self.name, tokens, len(pieces), time.monotonic() - started, finish, settings
        )

    def close(self) -> None:
        """Whoever waits gives up."""
        self._closing.set()

    def _ask(self, prompt: Prompt, *, max_tokens: int, temperature: float, seed: int) -> str:
        request = {
            "schema_version": _SCHEMA,
            "model": self._model,
            "version": prompt.version,
            "system": prompt.system,
            "user": prompt.user,
            "json_schema": prompt.schema,
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": seed,
        }
        text = json.dumps(request, sort_keys=True, ensure_ascii=True, indent=1)
        key = hashlib.sha256(text.encode()).hexdigest()[:16]
        asked = self._folder / REQUESTS / f"{key}.json"
        if not asked.is_file():
            replace_file(asked.with_suffix(".md"), _page(key, prompt, max_tokens))
            replace_file(asked, text + "\n")
        return key

    def _await(self, answer: Path, key: str, started: float) -> str:
        seen: tuple[int, int] | None = None
        since = 0.0
        while not self._closing.is_set():
            now = _signs(answer)
            if now is not None and now != seen:
                seen, since = now, time.monotonic()
                if time.time_ns() - now[1] > 1e9 * self.settled_s:  # it lay there before anybody looked
                    return self._read(answer)
            elif now is not None and time.monotonic() - since >= self.settled_s:
                return self._read(answer)
            waited = time.monotonic() - started
            if waited >= self._timeout:
                missing = [one for one in list(self._asked) if _signs(answer.with_stem(one)) is None]
                which, where = f"request {key} has", str(answer)
                if len(missing) > 1:
                    which, where = f"requests {', '.join(missing)} have", f"{answer.parent}/KEY.txt for each"
                raise ModelTransient(
                    f"{which} no answer after {waited:.0f} s: put one into {where} and run this again, or "
                    "raise generator.timeout_s"
                )
            self._closing.wait(min(0.1, self.settled_s / 2))
        raise ModelTransient(f"request {key} was abandoned before it was answered")

    def _read(self, answer: Path) -> str:
        try:
            return answer.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise ModelRefused(f"the answer {answer} cannot be read ({error}): write it as UTF-8") from error


def is_outdated(folder: Path, kept: Generation) -> bool:
    """Has the answer that lies in ``folder`` been corrected since it was ``kept``?"""
    try:
        told = (folder / ANSWERS / f"{dict(kept.settings)['request']}.txt").read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, KeyError):
        return False
    return bool(told.strip()) and not " ".join(told.split()).startswith(" ".join(kept.text.split()))


def _signs(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if found.st_size else None


def _page(key: str, prompt: Prompt, max_tokens: int) -> str:
    parts = [f"# Request {key}", f"At most {max_tokens} words and marks, into `{ANSWERS}/{key}.txt`."]
    if prompt.schema:
        parts[1] = f"One JSON value by the schema below, into `{ANSWERS}/{key}.txt`."
        parts += ["## Schema of the answer", prompt.schema]
    if prompt.system:
        parts += ["## Instructions", prompt.system]
    return "\n\n".join([*parts, "## Text", prompt.user]) + "\n"
