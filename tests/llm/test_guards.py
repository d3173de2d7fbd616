import socket

import pytest

from fabula.core.types import Prompt
from fabula.llm.local import LocalGenerator

BLOCKED = pytest.fail.Exception


def test_no_local_model_without_the_marker():
    generator = LocalGenerator()
    with pytest.raises(BLOCKED, match="local_model"):
        generator.generate(Prompt("", "Hello.", "v1"), max_tokens=4)


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "model.example.com"])
def test_no_connection_to_another_machine(host):
    with pytest.raises(BLOCKED, match="without a network"):
        socket.create_connection((host, 80), timeout=1)


def test_no_datagram_to_another_machine():
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
        pytest.raises(BLOCKED, match="without a network"),
    ):
        sender.sendto(b"x", ("192.0.2.1", 53))


def test_this_machine_is_allowed():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=5).close()
