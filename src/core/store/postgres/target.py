"""The place of a book on a PostgreSQL server, as settings name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

VectorIndexKind = Literal["exact", "hnsw", "ivfflat"]

_ALLOWED = frozenset(
    "host port service sslmode sslrootcert sslcert sslkey sslcrl target_session_attrs channel_binding".split()
)
_PASSWORD = "leave the password out: it is read from PGPASSWORD, ~/.pgpass or a service file"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Target:
    """``url`` as in ``postgresql://host/database``; ``book`` is the key of the project's rows.

    ``pool`` connections are kept by a process for all books of a ``url``; ``statement_timeout_s`` bounds
    each statement but those that publish an index."""

    url: str
    book: str
    vector_index: VectorIndexKind = "exact"
    half_precision: bool = False
    pool: int = 5
    statement_timeout_s: float = 30.0


def url_problem(url: str) -> str:
    """What is wrong with the address of a server; empty where it may be used."""
    try:
        parts = urlsplit(url)
        password, _ = parts.password, parts.port
    except ValueError:
        return "this is no address: write postgresql://host/database"
    if parts.scheme not in ("postgresql", "postgres"):
        return "only postgresql://host/database is a store: leave it empty to keep projects in their folders"
    asked = {key.lower() for key, _ in parse_qsl(parts.query, keep_blank_values=True)}
    if password is not None or any("password" in key for key in asked):
        return _PASSWORD
    if unknown := sorted(asked - _ALLOWED):
        return f"{unknown[0][:40]} cannot be set here; known are {', '.join(sorted(_ALLOWED))}"
    return ""
