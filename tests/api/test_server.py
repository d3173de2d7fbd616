import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import psutil
import pytest
from tests.api.api_client import ApiError, Client
from tests.api.conftest import FAKE_WORKER

from fabula.core.documents import document_from_text
from fabula.demo import story_text

# As `fabula serve ROOT --port 0` does it, with a worker that loads no models.
_SCRIPT = """
import sys
from pathlib import Path
from fabula.api.settings import ServerSettings
from fabula.cli.serve import server
settings = ServerSettings(Path(sys.argv[1]), worker=(sys.executable, "-c", sys.argv[2]))
server(settings, host="127.0.0.1", port=0).run()
"""


@contextmanager
def started(*command):
    """A server process and a client of it; killed at the end where it still runs."""
    process = subprocess.Popen([sys.executable, *map(str, command)], stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            found = re.search(r"http://[\d.]+:\d+", line)
            if found:
                break
        else:
            pytest.fail("the server did not start")
        with Client(found.group()) as client:
            yield process, client
    finally:
        process.kill()
        process.stderr.close()
        process.wait()


def whole(client, story="the-bloom-line"):
    """What a search and the graph of the story answer."""
    return (
        client.get(f"projects/{story}/search", q="Who lied about the letter?", k=5, mode="lexical"),
        client.get(f"projects/{story}/graph", as_of=6),
    )


def killed(process, until):
    """The server is killed; says whether its worker went with it."""
    workers = psutil.Process(process.pid).children()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return until(lambda: not any(one.is_running() and one.status() != "zombie" for one in workers))


def test_a_killed_server_leaves_nothing_half_done(root, until):
    command = ("-c", _SCRIPT, root, FAKE_WORKER)
    with started(*command) as (process, client):
        before = whole(client)
        job = client.ingest("slow-tale.txt", b"Once upon a time.", key="first")
        events = client.follow(job["id"])
        assert next(one for one in events if one.kind == "progress").data["total"] == 2
        waiting = client.ingest("tale.txt", b"Once upon a time.", key="second")
        assert killed(process, until)
    with started(*command) as (process, client):
        assert client.get(f"jobs/{job['id']}")["status"] in ("queued", "running")  # it goes on
        assert client.ingest("slow-tale.txt", b"Once upon a time.", key="first")["id"] == job["id"]
        client.send("POST", f"jobs/{job['id']}/cancel")
        with pytest.raises(ApiError) as refused:
            client.ingest("slow-tale.txt", b"Another time.", key="first")
        assert refused.value.status == 422
        assert [one.kind for one in client.follow(waiting["id"])][-1] == "done"
        assert client.get("jobs")["total"] == 2
        assert whole(client) == before
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (0, -signal.SIGTERM)


@pytest.mark.slow
def test_ingest_goes_on_where_a_kill_stopped_it(root, until):
    text = story_text()
    text = text[: document_from_text(text, id="x", title="x").chapter(5).heading.start].encode()
    command = ("-m", "fabula", "serve", root, "--port", "0")
    with started(*command) as (process, client):
        before = whole(client)
        job = client.ingest("second-story.md", text, key="first")
        read = (one.data for one in client.follow(job["id"]) if one.kind == "progress")
        next(one for one in read if one["stage"] == "read" and one["done"] > 0)
        assert killed(process, until)
    with started(*command) as (_, client):
        assert whole(client) == before
        assert client.ingest("second-story.md", text, key="first")["id"] == job["id"]
        last = list(client.follow(job["id"]))[-1]
        assert last.kind == "done"
        assert last.data["embedded"] == 0 and 0 < last.data["read"] < last.data["chapters"]
        ours, theirs = (
            client.get(f"projects/{id}/search", q="Who lied?", k=5, as_of=4)["passages"]
            for id in ("second-story", "the-bloom-line")
        )
        assert [one["text"] for one in ours] == [one["text"] for one in theirs]
        made = client.send("POST", "projects/second-story/embeddings/rebuild")
        assert list(client.follow(made["id"]))[-1].data["embedded"] == last.data["chapters"]
        client.send("DELETE", "projects/second-story")
        assert [one["id"] for one in client.get("projects")["items"]] == ["the-bloom-line"]
