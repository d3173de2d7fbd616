"""What it takes to reach an endpoint: its address as it may be shown, its key, and how long to wait between
two tries."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from ..callers import LOOPBACK
from ..errors import ConfigError, ModelMissing
from .http_failures import Failure

_FIRST_WAIT_S, _LONGEST_WAIT_S, _LONGEST_ASKED_S = 0.5, 30.0, 60.0


def read_key(variable: str, *, required_by: str = "") -> str:
    """The key that the environment variable holds, ``""`` for none. Raises ModelMissing where there is none
    and ``required_by``, the provider's name, is given, and where it holds what no key can."""
    key = os.environ.get(variable, "").strip() if variable else ""
    if required_by and not key:
        raise ModelMissing(
            f"{required_by} needs a key: set {variable or 'api_key_env, and the variable it names'}"
        )
    if not (key.isascii() and key.isprintable()):
        raise ModelMissing(f"{variable} holds no key but other characters: set it again")
    return key


def shown_address(url: str, *, example: str) -> str:
    """Host, port and path: an address may carry a password. Raises ConfigError where it is no http(s)
    address, with ``example`` as one that is."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise ConfigError(f"base_url is no http(s) address: write it as {example}")
    return parts.netloc.rpartition("@")[2] + parts.path.rstrip("/")


def is_own_machine(url: str) -> bool:
    """Whether the address is this machine's: a proxy from the environment must not stand between the two."""
    return urlsplit(url).hostname in LOOPBACK


def wait_before_next(failure: Failure, tries: int, *, most: int, jitter: float) -> float | None:
    """Seconds before the next try, None for none: 0.5, 1, 2 … 30 s, each times 0.5 to 1 by ``jitter`` in
    [0, 1]; or what the endpoint asks for, where that is a minute or less."""
    if not failure.again or tries >= most:
        return None
    if failure.wait_s is not None:
        return failure.wait_s if failure.wait_s <= _LONGEST_ASKED_S else None
    return min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2.0 ** min(tries, 16)) * (0.5 + jitter / 2)
