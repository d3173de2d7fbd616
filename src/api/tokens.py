"""Bearer tokens: who may use which projects.

The file names tokens by their SHA-256, so that it gives nothing away::

    [[token]]
    name = "reading-group"
    sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    projects = ["the-bloom-line"]      # or ["*"] for all

``python -c "import hashlib,sys; print(hashlib.sha256(sys.argv[1].encode()).hexdigest())" TOKEN`` makes the
digest; a token should be random and 20 characters or longer, since the digest is not salted.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.files.toml import TomlError, load_toml
from ..errors import ConfigError

_DIGEST = re.compile(r"[0-9a-f]{64}")
_ALL = "*"


@dataclass(frozen=True, slots=True)
class Access:
    """Who asks, and which projects they may use (None: all)."""

    name: str
    projects: frozenset[str] | None = None

    def allows(self, project: str) -> bool:
        """May they use the project of that id?"""
        return self.projects is None or project in self.projects


EVERYBODY = Access("")


class Tokens:
    """The tokens of a server; compared in constant time."""

    def __init__(self, known: Sequence[tuple[str, Access]]) -> None:
        """``known`` are (SHA-256 in hex, access) pairs."""
        self._known = tuple((digest.encode(), access) for digest, access in known)

    @classmethod
    def load(cls, path: Path) -> Tokens:
        """Raises ConfigError, which names no digest, where the file cannot be read or holds no token."""
        try:
            rows = load_toml(path).get("token", [])
        except (OSError, TomlError) as error:
            raise ConfigError(f"the token file {path} cannot be read: {error}") from error
        if not isinstance(rows, list) or not rows:
            raise ConfigError(
                f"the token file {path} holds no [[token]]: add one with name, sha256, projects"
            )
        known = [_row(path, number, row) for number, row in enumerate(rows, 1)]
        if len({access.name for _, access in known}) < len(known):
            raise ConfigError(f"two tokens in {path} share a name: give each its own")
        return cls(known)

    def access(self, token: str) -> Access | None:
        """What the token opens; every token is looked at, whichever it is."""
        digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest().encode()
        found = None
        for known, access in self._known:
            if hmac.compare_digest(known, digest):
                found = access
        return found


def _row(path: Path, number: int, row: object) -> tuple[str, Access]:
    table = row if isinstance(row, dict) else {}
    name, digest, projects = table.get("name"), table.get("sha256"), table.get("projects")
    if not isinstance(name, str) or not name.strip():
        raise ConfigError(f"token {number} in {path} has no name: give it one")
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest.lower()):
        raise ConfigError(f"token {name!r} in {path} has no sha256 of 64 hex digits")
    if not isinstance(projects, list) or not all(isinstance(one, str) for one in projects):
        raise ConfigError(f'token {name!r} in {path} has no list of projects: name them, or write ["*"]')
    allowed = None if _ALL in projects else frozenset(projects)
    return digest.lower(), Access(name, allowed)
