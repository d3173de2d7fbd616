import os
import random
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from tests.contracts.store_contract import document_of, publish
from tests.postgres_server import start_server

from fabula.core.store.postgres.store import PostgresStore
from fabula.core.store.postgres.target import Target
from fabula.core.types import Horizon
from fabula.errors import ProjectError

pytestmark = pytest.mark.postgres

FEW, MANY = 6, int(os.environ.get("FABULA_KILLS", "20"))
# One process has all loaded and makes a copy of itself for each client that is to be killed.
_WRITER = textwrap.dedent(r"""
    import os
    import sys
    from pathlib import Path
    from tests.contracts.rating_contract import rating_of
    from tests.contracts.store_contract import document_of, publish
    from fabula.core.store.conversations import KeptTurn
    from fabula.core.store.postgres.store import PostgresStore
    from fabula.core.store.postgres.target import Target

    def say(*what):
        os.write(1, (" ".join(map(str, what)) + "\n").encode())

    def write(first):
        with PostgresStore.create(Path(folder), Target(url, "b", pool=2)) as store:
            ratings, talk = store.feedback(), store.conversations()
            for n in range(first, 10**9):
                store.keep_work("unit", str(n), str(n).encode())
                say("work", n)
                ratings.add(rating_of(f"q{n}"))
                say("rating", n)
                talk.add("one", KeptTurn(f"q{n}", "", 1, True))
                say("turn", n)
                used = [("unit", str(i)) for i in range(n + 1)]
                document = document_of([f"{n} told in words"] * 5)
                publish(store, document, meta={"n": str(n)}, used=used, seed=n)
                say("publish", n)

    folder, url = sys.argv[1:]
    for line in sys.stdin:
        client = os.fork()
        if not client:
            write(int(line))
        say("client", client)
        os.waitpid(client, 0)
        say("end", 0)
""")


@pytest.mark.parametrize("kills", [FEW, pytest.param(MANY, marks=pytest.mark.thorough)])
def test_killed_clients_lose_nothing_that_they_acknowledged(database, tmp_path, kills):
    rng, acknowledged, first = random.Random(7), {}, 0
    command = [sys.executable, "-c", _WRITER, str(tmp_path / "p"), database]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(kills):
            count, pause = rng.randint(1, 10), rng.uniform(0, 0.05)
            for told, (_, client) in enumerate(_heard(process, first, acknowledged), 1):
                if client and told >= count:
                    count = 10**9  # it is killed once
                    time.sleep(pause)
                    os.kill(client, signal.SIGKILL)
            with PostgresStore.open(tmp_path / "p", Target(database, "b", pool=2)) as store:
                _check(store, acknowledged)
            first = max(map(max, acknowledged.values())) + 1
        process.stdin.close()
    assert set(acknowledged) == {"work", "rating", "turn", "publish"}


def _heard(process, first, acknowledged):
    """Has a client write from ``first`` on; what it says, until it ends, with the client's process."""
    process.stdin.write(f"{first}\n")
    process.stdin.flush()
    client = None
    while (line := process.stdout.readline()) and (said := line.split())[0] != "end":
        what, n = said[0], int(said[1])
        if what == "client":
            client = n
        else:
            acknowledged.setdefault(what, []).append(n)
            yield what, client


def _check(store, acknowledged):
    ratings = {one.query for one in store.feedback().recent(10**6, horizon=Horizon())}
    turns = {one.question for one in store.conversations().turns("one", horizon=Horizon())}
    assert {f"q{n}" for n in acknowledged.get("rating", [])} <= ratings
    assert {f"q{n}" for n in acknowledged.get("turn", [])} <= turns
    for n in acknowledged["work"]:
        assert store.work("unit", str(n)) == str(n).encode()
    if store.book() is None:
        assert "publish" not in acknowledged
        return
    n = int(store.meta("n"))
    assert n >= max(acknowledged.get("publish", [n]))
    document = store.document()
    assert document == document_of([f"{n} told in words"] * 5)
    index = store.index()
    index.verify()
    assert [chunk.text for chunk in index.chunks(document)] == [f"{n} told in words"] * 5
    assert _until_it_is_free(store)


def _until_it_is_free(store):
    for _ in range(100):
        try:
            with store.lock():
                return True
        except ProjectError:
            time.sleep(0.1)
    return False


@pytest.fixture
def server():
    made = start_server()
    yield made
    made.stop()
    made.remove()


def test_a_killed_server_comes_back_with_all_that_was_acknowledged(server, tmp_path):
    url = server.new_database()
    with PostgresStore.create(tmp_path / "p", Target(url, "b", pool=2)) as store:
        publish(store, document_of())
        for n in range(5):
            store.keep_work("unit", str(n), b"x")
        server.stop("immediate")
        with pytest.raises(ProjectError, match="cannot be used"):
            store.keep_work("unit", "lost", b"x")
        server.start()
        store.keep_work("unit", "after", b"x")
        assert all(store.work("unit", str(n)) == b"x" for n in (*range(5), "after"))
        assert store.document() == document_of()
        store.index().verify()


def test_a_synchronous_standby_has_all_that_was_acknowledged(server, tmp_path):
    url, acknowledged = server.new_database(), {}
    standby = server.standby()
    try:
        command = [sys.executable, "-c", _WRITER, str(tmp_path / "p"), url]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            for what, _ in _heard(process, 0, acknowledged):
                if len(acknowledged.get("publish", ())) == 3 and what == "work":
                    server.stop("immediate")
            process.stdin.close()
        standby.promote()
        promoted = url.replace(str(server.port), str(standby.port))
        with PostgresStore.open(tmp_path / "p", Target(promoted, "b", pool=2)) as store:
            _check(store, acknowledged)
            store.keep_work("unit", "after", b"x")
            assert store.work("unit", "after") == b"x"
    finally:
        standby.stop()
        standby.remove()
