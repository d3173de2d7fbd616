import contextlib
import socket
import time

import pytest

from fabula.api.settings import Limits, ServerSettings

from .conftest import STORY, serving

HEAD = f"POST /v1/projects/{STORY}/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
WHOLE = b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LIMITS = Limits(head_s=0.5, body_s=0.5, body_rate=1000, connections=40)


@pytest.fixture(scope="module")
def port(library):
    with serving(ServerSettings(library, limits=LIMITS)) as client:
        yield int(client._http.base_url.port)


@contextlib.contextmanager
def lines(port, count, sent):
    made = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(count)]
    try:
        for line in made:
            line.sendall(sent)
        yield made
    finally:
        for line in made:
            line.close()


def heard(line):
    """All that the server says until it closes; fails where it does not."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := line.recv(65536):
            said += piece
    return said


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET /v1/hea", HEAD.encode(), f"{HEAD}Content-Length: 900\r\n\r\n{{".encode(), WHOLE + b"GET /"],
    ids=["nothing", "a line", "headers", "a body", "a second head"],
)
def test_what_is_half_sent_ends(port, sent):
    with lines(port, 10, sent) as made:
        with lines(port, 1, WHOLE) as [other]:
            assert other.recv(12) == b"HTTP/1.1 200"  # they hold nobody up
        answers = [heard(line) for line in made]
    for said in answers:
        assert b"urn:fabula:problem:too-slow" in said or sent.startswith(WHOLE)


def test_a_slow_body_ends_and_a_steady_one_does_not(port):
    with lines(port, 2, f"{HEAD}Content-Length: 2000\r\n\r\n".encode()) as (slow, steady):
        ended, started = False, time.monotonic()
        for _ in range(20):
            steady.sendall(b" " * 99)
            if not ended:
                try:
                    slow.sendall(b" ")
                except OSError:
                    ended = True
            time.sleep(0.05)
        assert time.monotonic() - started > 0.9
        with contextlib.suppress(OSError):
            assert b" 408 " in heard(slow)
        steady.sendall(b" " * 20)
        assert steady.recv(12) == b"HTTP/1.1 400"


def test_a_line_that_is_used_again_is_not_cut(port):
    with lines(port, 1, WHOLE) as [line]:
        for _ in range(4):
            said = b""
            while not said.endswith(b"}"):
                said += line.recv(65536)
            assert said.startswith(b"HTTP/1.1 200")
            time.sleep(0.3)
            line.sendall(WHOLE)


def test_there_are_not_endlessly_many(port):
    with lines(port, LIMITS.connections, b"GET"):
        time.sleep(0.1)
        with lines(port, 1, b"") as [one_more]:
            assert b"urn:fabula:problem:too-many-connections" in heard(one_more)
    time.sleep(0.2)
    with lines(port, 1, WHOLE) as [line]:
        assert line.recv(65536).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("size", [33, 70, 300])
def test_a_head_is_not_larger_than_it_may_be(port, size):
    sent = WHOLE[:-2] + b"X-Big: " + b"a" * size * 1024 + b"\r\n\r\n"
    with lines(port, 1, b"") as [line]:
        with contextlib.suppress(OSError):
            line.sendall(sent)
        with contextlib.suppress(ConnectionResetError):
            assert line.recv(12) in (b"HTTP/1.1 431", b"HTTP/1.1 400")
