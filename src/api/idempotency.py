"""Idempotency keys: the same request sent twice under one key is done once and answered twice.

As in the IETF draft *The Idempotency-Key HTTP Header Field*: the same key with another request is 422, with
one that is still being worked on 409. Only answers of success are kept; after an error the key is free.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from .jobs.registry import Ledger
from .problems import Raised

_KEEP = "UPDATE keys SET status = ?, headers = ?, body = ? WHERE owner = ? AND key = ?"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an operation answers: plain JSON data (None: no body)."""

    status: int
    data: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> Response:
        """The answer as it is sent: compact JSON in UTF-8, or no body where ``data`` is None."""
        if self.data is None:
            return Response(None, self.status, dict(self.headers))
        body = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))
        return Response(body, self.status, dict(self.headers), "application/json")


def fingerprint(*parts: object) -> str:
    """What makes two requests the same: operation and everything that was sent."""
    told = json.dumps(parts, ensure_ascii=True, sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()


class Repeats:
    """Keys by owner (the token's name), kept in the ledger for ``keep_days``."""

    def __init__(self, ledger: Ledger, *, keep_days: float, clock: Callable[[], float] = time.time) -> None:
        self._ledger = ledger
        self._keep = keep_days * 86_400
        self._clock = clock
        with ledger.writing() as db:  # what was under way when the server ended was not answered
            db.execute("DELETE FROM keys WHERE status IS NULL")

    def once(
        self,
        key: str | None,
        act: Callable[[], Answer],
        *,
        owner: str,
        request: str,
        atomic: bool = False,
    ) -> Answer:
        """``act()``'s answer, or the one it gave before under this key.

        ``request`` is the request's fingerprint. ``atomic`` runs ``act``, which should be quick, in the
        transaction that keeps its answer: what it writes to the ledger and the answer are kept both or
        neither.
        """
        if key is None:
            return act()
        one = owner, key
        kept = self._begin(owner, key, request)
        if kept is not None:
            return kept
        try:
            with self._ledger.writing() if atomic else nullcontext():
                answer = act()
                kept_as = answer.status, json.dumps(dict(answer.headers)), json.dumps(answer.data)
                with self._ledger.writing() as db:
                    db.execute(_KEEP, (*kept_as, *one))
                return answer
        except BaseException:
            with self._ledger.writing() as db:
                db.execute("DELETE FROM keys WHERE owner = ? AND key = ?", one)
            raise

    def _begin(self, owner: str, key: str, request: str) -> Answer | None:
        now = self._clock()
        with self._ledger.writing() as db:
            db.execute("DELETE FROM keys WHERE created < ? AND status IS NOT NULL", (now - self._keep,))
            row = db.execute("SELECT * FROM keys WHERE owner = ? AND key = ?", (owner, key)).fetchone()
            if row is None:
                db.execute(
                    "INSERT INTO keys (owner, key, fingerprint, created) VALUES (?, ?, ?, ?)",
                    (owner, key, request, now),
                )
                return None
        if row["fingerprint"] != request:
            detail = "this Idempotency-Key was sent with another request: take a new one"
            raise Raised(422, "key-used", detail)
        if row["status"] is None:
            detail = "the first request with this Idempotency-Key is not answered yet"
            raise Raised(409, "key-in-flight", detail, headers={"Retry-After": "1"})
        headers = {**json.loads(row["headers"]), "Idempotency-Replayed": "true"}
        return Answer(row["status"], json.loads(row["body"]), headers)
