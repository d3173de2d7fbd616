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
def test_no_connection_to_another_machine_and_no_datagram(host):
    with pytest.raises(BLOCKED, match="without a network"):
        socket.create_connection((host, 80), timeout=1)
    with socket.socket(type=socket.SOCK_DGRAM) as sender, pytest.raises(BLOCKED, match="without a network"):
        sender.sendto(b"x", (host, 53))
    with socket.create_server(("127.0.0.1", 0)) as server:  # this machine is allowed
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=5).close()
