"""Answers kept in a file: a run can be played again, by anybody, without the model or its key."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Unpack

from ..core.files.plain_json import parse_json
from ..core.interfaces import Asking, Generator
from ..core.types import Generation, Prompt
from ..errors import ConfigError, ModelMissing
from .request import check_open, say

_SCHEMA = 1
_PIECE = re.compile(r"\s*\S+|\s+$")
_TABLES = Path(__file__).with_name("answers.sql")


class RecordedGenerator:
    """Answers out of the file where it holds them, else asks the model that ``make`` gives and keeps what it
    said before returning it. With ``make`` None what is not in the file raises ModelMissing.

    The key of an answer is the whole request (system and user text, schema, template version, length,
    temperature, seed) with the model's name, which holds its version. Token counts are kept too, so that
    contexts come out the same without the model. One file holds one model: another raises ConfigError. Keys
    of endpoints are never part of a request, so none is kept. What ``is_outdated`` is asked for again.
    ``lent``: the model is left open at the end. Safe in threads and between processes."""

    def __init__(
        self,
        path: Path,
        make: Callable[[], Generator] | None,
        *,
        lent: bool = False,
        is_outdated: Callable[[Generation], bool] = lambda _: False,
    ) -> None:
        if make is None and not path.is_file():
            raise ModelMissing(f"there is no recording {path}: record one first, or name the right file")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"there can be no recording {path} ({error.strerror or error}): name another file"
            ) from error
        self._path = path
        self._make, self._lent, self._is_outdated = make, lent, is_outdated
        self._inner: Generator | None = None
        self._lock = threading.RLock()
        self._gates: dict[str, AbstractContextManager[Any]] = {}
        self._closed = False
        try:
            self._db = sqlite3.connect(path, check_same_thread=False, timeout=30, isolation_level=None)
            with ExitStack() as failing:
                failing.callback(self.close)
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=FULL")
                self._db.executescript(_TABLES.read_text(encoding="utf-8"))
                about = self._settle()
                failing.pop_all()
        except sqlite3.DatabaseError as error:
            raise ConfigError(f"{path} is not a recording ({error}): name another file") from error
        self.name = about["name"]
        self.concurrency, self.context_tokens = int(about["concurrency"]), int(about["context_tokens"])

    def _settle(self) -> dict[str, str]:
        """What the file says of its model; what it does not say yet, the model is asked."""
        found = dict(self._db.execute("SELECT what, value FROM about"))
        if "schema" in found and found["schema"] != str(_SCHEMA):
            raise ConfigError(f"{self._path} is a recording of schema {found['schema']}, not {_SCHEMA}")
        if self._make is None:
            if "name" not in found:
                raise ModelMissing(f"the recording {self._path} is empty: record a run first")
            if not all(found.get(what, "").isdecimal() for what in ("context_tokens", "concurrency")):
                raise self._damage(ValueError("what it says of its model is no number"))
            return found
        inner = self._model()
        told = {
            "schema": str(_SCHEMA),
            "name": inner.name,
            "context_tokens": str(inner.context_tokens),
            "concurrency": str(inner.concurrency),
        }
        if found.get("name", inner.name) != inner.name:
            raise ConfigError(
                f"{self._path} holds answers of {found['name']}, not of {inner.name}: name another file"
            )
        self._db.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", list(told.items()))
        return told

    def _model(self) -> Generator:
        if self._inner is None:
            if self._make is None:
                raise ModelMissing("nothing but the recording is to be asked")
            self._inner = self._make()
        return self._inner

    def count_tokens(self, text: str) -> int:
        """As the model counts; each count is kept. Raises ModelMissing for a text that was not counted before
        where the model may not be asked."""
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        with self._lock, self._undamaged():
            row = self._db.execute("SELECT tokens FROM counts WHERE text = ?", (key,)).fetchone()
            if row is not None:
                return int(row[0])
            if self._make is None:
                raise self._missing("a count of tokens")
            tokens = self._model().count_tokens(text)
            self._db.execute("INSERT OR IGNORE INTO counts VALUES (?, ?)", (key, tokens))
        return tokens

    def generate(self, prompt: Prompt, **how: Unpack[Asking]) -> Generation:
        """As the model would; a kept answer comes at once, word by word, with the seconds it once took. Where
        two threads ask the same at the same time, one asks the model and the other waits for its answer; two
        processes may both ask, and the first answer kept is given later."""
        check_open(self._closed, self.name)
        sampling = {"temperature": how.get("temperature", 0.0), "seed": how.get("seed", 0)}
        key, told = _request(self.name, prompt, max_tokens=how["max_tokens"], **sampling)
        with self._lock:
            gate = self._gates.setdefault(key, threading.RLock())  # one a request, so that it is asked once
        with gate:
            kept = self._kept(key)
            if kept is None:
                if self._make is None:
                    raise self._missing("an answer to this request")
                made = self._model().generate(prompt, **how)
                with self._lock, self._undamaged():
                    row = (key, told, json.dumps(asdict(made), sort_keys=True, ensure_ascii=True))
                    self._db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?)", row)
                return made
        say(how, *_PIECE.findall(kept.text))
        return kept

    def holds(self, prompt: Prompt, max_tokens: int, *, temperature: float = 0.0, seed: int = 0) -> bool:
        """Is there an answer to this request, so that the model will not be asked?"""
        key = _request(self.name, prompt, max_tokens=max_tokens, temperature=temperature, seed=seed)[0]
        return self._kept(key) is not None

    def _kept(self, key: str) -> Generation | None:
        with self._lock, self._undamaged():
            row = self._db.execute("SELECT answer FROM answers WHERE request = ?", (key,)).fetchone()
        try:
            fields = None if row is None else parse_json(row[0])
            if fields is not None:
                fields["settings"] = tuple(map(tuple, fields["settings"]))
            kept = None if fields is None else Generation(**fields)
        except (ValueError, KeyError, TypeError) as error:
            raise self._damage(error) from error
        if kept is not None and self._is_outdated(kept):
            with self._lock, self._undamaged():
                self._db.execute("DELETE FROM answers WHERE request = ?", (key,))
            return None
        return kept

    @contextmanager
    def _undamaged(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise self._damage(error) from error

    def _damage(self, error: Exception) -> ConfigError:
        return ConfigError(
            f"the recording {self._path} is damaged ({error}): put back a copy, or move it away "
            "and record again"
        )

    def _missing(self, what: str) -> ModelMissing:
        return ModelMissing(
            f"the recording {self._path} does not have {what}: it was made with another text, "
            "settings or version; record again, or allow the model to be asked"
        )

    def close(self) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                self._db.close()
                if self._inner is not None and not self._lent:
                    self._inner.close()


def _request(model: str, prompt: Prompt, **sampling: float) -> tuple[str, str]:
    asked = {
        "model": model,
        "system": prompt.system,
        "user": prompt.user,
        "version": prompt.version,
        "schema": prompt.schema,
        **sampling,
    }
    told = json.dumps(asked, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(told.encode()).hexdigest(), told
