import contextlib
import socket
import time

import pytest

from fabula.api.settings import Limits, ServerSettings

from .conftest import STORY, serving

HEAD = f"POST /v1/projects/{STORY}/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
WHOLE = b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HASTY = Limits(head_s=2, body_s=2, body_rate=100)
FEW = Limits(connections=40)


@pytest.fixture(scope="module")
def port(library):
    with serving(ServerSettings(library, limits=HASTY)) as client:
        yield int(client._http.base_url.port)


@contextlib.contextmanager
def lines(port, count, sent):
    made = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(count)]
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


BODY = f"{HEAD}Content-Length: 900\r\n\r\n{{".encode()


def test_what_is_half_sent_ends(port):
    halves = [b"", b"GET /v1/hea", HEAD.encode(), BODY, WHOLE + b"GET /"]
    with contextlib.ExitStack() as stack:
        made = [(sent, stack.enter_context(lines(port, 10, sent))) for sent in halves]
        with lines(port, 1, WHOLE) as [other]:
            assert other.recv(12) == b"HTTP/1.1 200"  # they hold nobody up
        for sent, ten in made:
            for said in map(heard, ten):
                assert b"urn:fabula:problem:too-slow" in said or sent.startswith(WHOLE)


def test_a_slow_body_ends_and_a_steady_one_does_not(port):
    with lines(port, 2, f"{HEAD}Content-Length: 2000\r\n\r\n".encode()) as (slow, steady):
        ended, started = False, time.monotonic()
        steady.sendall(b" " * 500)
        for _ in range(60):
            steady.sendall(b" " * 24)
            if not ended:
                try:
                    slow.sendall(b" ")
                except OSError:
                    ended = True
            time.sleep(0.05)
        assert time.monotonic() - started > HASTY.body_s
        with contextlib.suppress(OSError):
            assert b" 408 " in heard(slow)
        steady.sendall(b" " * 60)
        assert steady.recv(12) == b"HTTP/1.1 400"


def test_a_line_that_is_used_again_is_not_cut(port):
    with lines(port, 1, WHOLE) as [line]:
        for _ in range(4):  # longer in all than one head may take
            said = b""
            while not said.endswith(b"}"):
                said += line.recv(65536)
            assert said.startswith(b"HTTP/1.1 200")
            time.sleep(0.3 * HASTY.head_s)
            line.sendall(WHOLE)


def test_there_are_not_endlessly_many(library, until):
    def answered(sent):
        with lines(few, 1, sent) as [one]:
            return heard(one) if not sent else one.recv(65536)

    with serving(ServerSettings(library, limits=FEW)) as client:
        few = int(client._http.base_url.port)
        with lines(few, FEW.connections, b"GET"):
            assert b"urn:fabula:problem:too-many-connections" in answered(b"")
        assert until(lambda: answered(WHOLE).startswith(b"HTTP/1.1 200"))


@pytest.mark.parametrize("size", [33, 70, 300])
def test_a_head_is_not_larger_than_it_may_be(port, size):
    sent = WHOLE[:-2] + b"X-Big: " + b"a" * size * 1024 + b"\r\n\r\n"
    with lines(port, 1, b"") as [line]:
        with contextlib.suppress(OSError):
            line.sendall(sent)
        with contextlib.suppress(ConnectionResetError):
            assert line.recv(12) in (b"HTTP/1.1 431", b"HTTP/1.1 400")
