"""All that goes between a page and the machines it talks to, kept so that a test can look through it."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

HERE = ("127.0.0.1", "localhost", "[::1]", "::1")
NO_MACHINE = ("data", "blob", "about", "chrome-error", "devtools")


@dataclass
class Traffic:
    """``outside`` are the addresses on other machines that were asked for; ``received`` are the bodies and
    websocket frames that came, static files of Streamlit left out; ``sent`` is how many frames went out."""

    outside: list[str] = field(default_factory=list)
    received: list[bytes] = field(default_factory=list)
    sent: int = 0

    def watch(self, page):
        page.on("request", lambda request: self._judge(request.url))
        page.on("response", self._answered)
        page.on("websocket", self._socket)
        return page

    def holds(self, word):
        """Did the word come to the browser, in any frame or body? Case does not matter."""
        wanted = word.casefold().encode()
        return any(wanted in body.lower() for body in self.received)

    def _answered(self, response):
        if "/static/" in response.url or response.request.resource_type in ("script", "font", "stylesheet"):
            return
        try:
            self.received.append(response.body())
        except Exception:  # a redirect, or a page that was left, has no body  # noqa: BLE001
            return

    def _socket(self, socket):
        self._judge(socket.url)
        socket.on("framereceived", lambda payload: self.received.append(_bytes(payload)))
        socket.on("framesent", self._count)

    def _count(self, _):
        self.sent += 1

    def _judge(self, url):
        parts = urlsplit(url)
        if parts.scheme not in NO_MACHINE and parts.hostname not in HERE:
            self.outside.append(url)


def _bytes(payload):
    return payload.encode() if isinstance(payload, str) else payload
