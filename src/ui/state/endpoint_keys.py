"""Keys of model endpoints: kept in this process's environment, and nowhere else."""

from __future__ import annotations

import os
import re

from ...errors import UsageError

# Only what is plainly a key's name: no page may set PATH.
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,60}_API_KEY")
_LONGEST = 1000  # characters


def keep_key(name: str, value: str) -> None:
    """From now on, and until the app ends, ``value`` is in the variable ``name``. Raises UsageError for a
    name that is none of a key (capitals, ``_API_KEY`` at the end), or a value that cannot be one."""
    _check(name)
    key = value.strip()
    if not key or len(key) > _LONGEST or not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError("that does not look like a key: paste it as the provider shows it, in one piece")
    os.environ[name] = key


def forget_key(name: str) -> None:
    """Takes it out of the environment. Raises UsageError as :func:`keep_key`."""
    _check(name)
    os.environ.pop(name, None)


def has_key(name: str) -> bool:
    """Is there one? Its value is for the model alone."""
    return bool(os.environ.get(name))


def _check(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name[:80]!r} is not the name of a key: use capitals, and _API_KEY at the end")
