"""Which names a web server answers to, and which pages may write to it.

A page at a name that its owner points at 127.0.0.1 is, to a browser, of the same origin as a server there
(DNS rebinding); and any page that is open may send forms to it (cross-site request forgery). So a server
answers only requests that name it by a name it knows, and takes writes from no page but its own and those
that are named.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITE = frozenset({"same-origin", "none"})  # none: what a person typed
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not let in; ``status`` and ``name`` are those of its problem detail."""

    status: int
    name: str
    detail: str


@dataclass(frozen=True, slots=True)
class Callers:
    """``names`` are the hosts that the server answers as, without ports; ``origins`` are those of other pages
    that may write (``https://notes.example``; ``*``: any)."""

    names: frozenset[str] = LOOPBACK
    origins: frozenset[str] = frozenset()

    def refusal(self, headers: Iterable[tuple[bytes, bytes]], method: str) -> Refusal | None:
        """None for a request that may come in. ``method`` is that of HTTP; anything but GET, HEAD and OPTIONS
        (a WebSocket too) may write."""
        found: dict[str, list[str]] = {}
        for name, value in headers:
            found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts = found.get("host", [])
        host = _split(f"//{hosts[0]}") if len(hosts) == 1 else None
        if host is None or _name(host) not in self.names:
            return Refusal(
                421,
                "unknown-host",
                "this server does not answer as that host: use 127.0.0.1, or start it with --host-name NAME",
            )
        if method not in _READING and not self._may_write(found, host):
            return Refusal(
                403,
                "foreign-origin",
                "pages of other origins may not do this here: call from the server's own address, "
                "or have the server started with that origin",
            )
        return None

    def _may_write(self, headers: Mapping[str, list[str]], host: SplitResult) -> bool:
        origins = headers.get("origin", [])
        if "*" in self.origins or (origins and all(one in self.origins for one in origins)):
            return True
        sites = headers.get("sec-fetch-site", [])
        return all(site in _OWN_SITE for site in sites) and all(_is_own(one, host) for one in origins)


def own_names(address: str, others: Iterable[str] = ()) -> frozenset[str]:
    """The names of a server that listens at ``address``: this machine's own, that address (unless it stands
    for all of them) and ``others``."""
    found = {name.strip().strip("[]").rstrip(".").lower() for name in (address, *others)}
    return LOOPBACK | frozenset(name for name in found if name and not _is_any(name))


def _split(text: str) -> SplitResult | None:
    try:
        found = urlsplit(text)
        found.port  # noqa: B018 (raises where it is no number)
    except ValueError:
        return None
    return found


def _name(host: SplitResult) -> str:
    """Empty for what is more than a name and a port."""
    if host.username is not None or host.path or host.query or host.fragment:
        return ""
    return (host.hostname or "").removesuffix(".")


def _is_own(origin: str, host: SplitResult) -> bool:
    page = _split(origin)
    if page is None or page.scheme not in _PORTS:
        return False
    usual = _PORTS[page.scheme]
    return (_name(page), page.port or usual) == (_name(host), host.port or usual)


def _is_any(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_unspecified
    except ValueError:
        return False
