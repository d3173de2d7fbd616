"""A library with the demo story, served inside this process, or at a port of this machine."""

import io
import json
import shutil
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient
from tests.api.api_client import Client
from tests.copies import copy_unasked
from tests.scripted import ScriptedGenerator
from tests.stories.answering import replier
from tests.stories.examples import rows

from fabula.api.app import create_app
from fabula.api.settings import ServerSettings
from fabula.cli.serve import server
from fabula.engine import Project

STORY = "the-bloom-line"
HERE = "http://127.0.0.1"
OPERATIONS = Path(__file__).with_name("operations.tsv")

IDLE_WORKER = (sys.executable, "-c", "import sys; sys.stdin.read()")

# Reads its order, says what the order's name tells it to say, and ends: a worker without models.
FAKE_WORKER = """
import json, sys, time
order = json.loads(sys.stdin.readline())
say = lambda message: print(json.dumps(message), flush=True)
say({"progress": {"stage": "embed", "done": 0, "total": 2}})
if "slow" in order["name"]:
    sys.stdin.read()
elif "broken" in order["name"]:
    say({"problem": {"type": "urn:fabula:problem:not-a-story", "title": "t", "status": 422, "detail": "d"}})
elif "dying" not in order["name"]:
    say({"progress": {"stage": "embed", "done": 2, "total": 2}})
    counts = dict.fromkeys(["chapters", "words", "chunks", "embedded", "embedded_chunks", "read"], 2)
    say({"report": {"title": "T", **counts, "seconds": {}}})
"""


SAID = ("He hates her. He loves her. Nothing was said on the way home.",) * 6


def scripted(replies=SAID, *, chosen=False):
    """Opens projects whose language model gives these replies; ``chosen``: not the packaged one."""
    tables = [{"generator": {"provider": "openai", "model": "m"}}] if chosen else []

    def opened(folder, *, settings=()):
        project = Project.open(folder, settings=[*settings, *tables])
        reply = replies if callable(replies) else replier(*replies)
        project.__dict__["generator"] = ScriptedGenerator(reply)
        return project

    return opened


def changed(change):
    """Opens projects as ``change`` leaves them."""

    def opened(folder, *, settings=()):
        project = scripted()(folder, settings=settings)
        change(project)
        return project

    return opened


def endless(ended, pieces):
    """Opens projects that answer without end; ``ended`` is set where the answer is ended all the same."""

    def ask(*_, on_text, **__):
        try:
            while True:
                pieces.append("word ")
                on_text("word ")
                time.sleep(0.01)
        finally:
            ended.set()

    return changed(lambda project: setattr(project, "ask", ask))


def application(root, **settings):
    """A client of an application in this process."""
    return TestClient(create_app(ServerSettings(root, **settings)), base_url=HERE)


def operations():
    """Of each operation, by method and path, the requests to ask it with, and why it tells nothing of a story
    up to a horizon ("" where it does)."""
    asked, why = {}, {}
    for method, path, reason, request in rows(OPERATIONS):
        operation = method, path.replace("P", "/v1/projects/{project_id}", 1)
        asked.setdefault(operation, []).append(request)
        why[operation] = reason.strip("-")
    return asked, why


def fill(request, words):
    """The request with these words put in."""
    for word, value in words.items():
        request = request.replace(word, value)
    return json.loads(request)


@pytest.fixture(scope="session")
def library(demo_project, tmp_path_factory):
    """A root that holds the demo story; read it, do not write to it."""
    root = tmp_path_factory.mktemp("library")
    shutil.copytree(demo_project, root / STORY)
    return root


def painted(colour, *, size=(8, 6)):
    """A PNG of one colour."""
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def root(demo_project, tmp_path):
    """A root that holds the demo story, to be written to."""
    (tmp_path / "library").mkdir()
    copy_unasked(demo_project, tmp_path / "library" / STORY)
    return tmp_path / "library"


@pytest.fixture(scope="session")
def reader(library):
    """A client of an application in this process, for reading."""
    with application(library, opener=scripted()) as client:
        yield client


@pytest.fixture
def client(root):
    """The same, to write to."""
    with application(root, opener=scripted()) as made:
        yield made


@pytest.fixture
def fake_worker():
    """The command of a worker that loads no models; what it does hangs on the name of the file."""
    return (sys.executable, "-c", FAKE_WORKER)


def told(answer):
    """The events of a stream, in order, each by its lines; what it tells as plain data."""
    blocks = [dict(line.split(": ", 1) for line in b.split("\n")) for b in answer.text.split("\n\n") if b]
    return [block | {"data": json.loads(block["data"])} for block in blocks]


@contextmanager
def serving(settings, **how):
    """A client of the application at a port of this machine, in a thread."""
    running = server(settings, host="127.0.0.1", port=0)
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        while not running.started:
            time.sleep(0.005)
            assert thread.is_alive()
        port = running.servers[0].sockets[0].getsockname()[1]
        with Client(f"http://127.0.0.1:{port}", **how) as client:
            yield client
    finally:
        running.should_exit = True
        thread.join()


@pytest.fixture
def until():
    """Waits for something to hold, seconds at most."""

    def wait(holds, seconds=60.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = holds()
            if found:
                return found
            time.sleep(0.01)
        raise AssertionError("it never came to hold")

    return wait


class _QuickJudge:
    """In place of the trained judge, which reads some hundred pairs a second."""

    version = "quick"

    def odds(self, pairs, *, on_done=None):
        return [len(set(a.split()) & set(b.split())) - 5.0 for a, b in pairs]


@pytest.fixture(autouse=True, scope="session")
def _quick_judge():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fabula.story.continuity.suspects.pair_judge.packaged_judge", _QuickJudge)
        yield
