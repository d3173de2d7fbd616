import io
import threading
import time
import zipfile

import pytest

from fabula.api.settings import Limits, ServerSettings

from . import conftest
from .conftest import application, changed, endless, scripted, serving

BASE = "/v1/projects/the-bloom-line"


def told(answer):
    return [(one["event"], one["data"]) for one in conftest.told(answer)]


def test_an_answer_is_told_in_pieces(reader):
    asked = {"question": "Who lied about the letter?", "model": False}
    streamed = told(reader.post(f"{BASE}/ask?as_of=6", json=asked | {"stream": True}))
    assert [kind for kind, _ in streamed][:2] == ["started", "text"]
    kind, last = streamed[-1]
    assert kind == "done"
    assert "".join(data for kind, data in streamed if kind == "text") == last["text"]
    assert last == reader.post(f"{BASE}/ask?as_of=6", json=asked).json() | {"cached": last["cached"]}


MADE_UP = "The capital of Peru is Lima. Ambrose Keating hated Barnaby Pellow [1]. Napoleon lies by the sea."


def test_nothing_unchecked_leaves(library):
    asked = {"question": "Who hated Barnaby Pellow?", "model": True}
    with application(library, opener=scripted([MADE_UP, MADE_UP, "Lima is a city in Peru."])) as client:
        answer = client.post(f"{BASE}/ask?as_of=3", json=asked | {"stream": True})
        other = client.post(f"{BASE}/ask?as_of=2", json=asked | {"stream": True})
        plain = client.post(f"{BASE}/ask?as_of=1", json=asked)
    streamed = told(answer)
    assert [data for kind, data in streamed if kind == "text"] == [
        "Ambrose Keating hated Barnaby Pellow. [1]"
    ]
    assert streamed[-1][1]["grounded"] is True
    assert "Lima" not in answer.text + other.text + plain.text
    assert plain.json()["extractive"] and plain.json()["supported"] is None


def test_a_comparison_is_told_stage_by_stage(library):
    with application(library, opener=scripted()) as client:
        body = {"prompt": "They meet on the stairs.", "pipelines": ["standard", "fused"]}
        streamed = told(client.post(f"{BASE}/compare?as_of=5", json=body))
    assert streamed[0] == ("started", {})
    stages = [(data["pipeline"], data["stage"]) for kind, data in streamed if kind == "stage"]
    assert {name for name, _ in stages} == {"standard", "fused"}
    kind, report = streamed[-1]
    assert kind == "done" and report["schema"] == "fabula.comparison/1"
    drafts = {one["pipeline"]: one["drafts"][-1] for one in report["facts"]["pipelines"]}
    assert set(drafts) == {"standard", "fused"}
    for name in drafts:
        pieces = [data["text"] for kind, data in streamed if kind == "text" and data["pipeline"] == name]
        assert "".join(pieces)


@pytest.mark.parametrize("path", ["/ask", "/compare"])
def test_what_cannot_begin_is_a_problem_and_no_stream(reader, path):
    body = {"question": "x", "stream": True} if "ask" in path else {"prompt": "x"}
    answer = reader.post(f"{BASE}{path}?as_of=99", json=body)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_what_fails_on_the_way_ends_the_stream_with_a_problem(library):
    def broken(*_, **__):
        raise RuntimeError(f"secret of {library}")

    with application(library, opener=changed(lambda project: setattr(project, "ask", broken))) as client:
        streamed = told(client.post(f"{BASE}/ask", json={"question": "x", "stream": True}))
        plain = client.post(f"{BASE}/ask", json={"question": "x"})
    assert [kind for kind, _ in streamed] == ["started", "problem"]
    assert streamed[-1][1]["status"] == plain.status_code == 500
    assert "secret" not in plain.text and "secret" not in str(streamed)


def test_whoever_hangs_up_ends_the_work(library, until):
    ended, pieces = threading.Event(), []
    with serving(ServerSettings(library, opener=endless(ended, pieces))) as client:
        events = client.ask_streaming("the-bloom-line", "Who?")
        assert [next(events).kind for _ in range(3)] == ["started", "text", "text"]
        assert not ended.is_set()
        events.close()
        assert ended.wait(60)
        known = len(pieces)
        time.sleep(0.1)
        assert len(pieces) == known


def test_a_wiki_is_sent_while_it_is_made(library):
    seen = threading.Event()

    def waiting(project):
        bible = project.bible
        project.bible = lambda as_of=None: bible(as_of) if as_of != 3 or seen.wait(10) else None

    with (
        serving(ServerSettings(library, opener=changed(waiting))) as client,
        client.stream("GET", "projects/the-bloom-line/bible", params={"format": "wiki"}) as answer,
    ):
        pieces = answer.iter_raw()
        first = next(pieces)
        seen.set()
        made = zipfile.ZipFile(io.BytesIO(first + b"".join(pieces))).namelist()
    assert "chapter-001.html" in str(first) and made[2:4] == ["chapter-003.html", "chapter-004.html"]
    assert made[-3:] == ["index.html", "wiki.css", "wiki.js"]


def test_heavy_work_is_bounded(library):
    inside, go = threading.Event(), threading.Event()

    def wait(project):
        ask = project.ask

        def slow(*args, **how):
            inside.set()
            go.wait(60)
            return ask(*args, **how)

        project.ask = slow

    asked = {"question": "Who?", "model": False}
    with application(library, opener=changed(wait), limits=Limits(heavy=1)) as client:
        codes = []
        thread = threading.Thread(
            target=lambda: codes.append(client.post(f"{BASE}/ask", json=asked).status_code)
        )
        thread.start()
        assert inside.wait(60)
        busy = client.post(f"{BASE}/ask", json=asked)
        light = client.get(f"{BASE}/search?q=letter&mode=lexical")
        go.set()
        thread.join()
    assert busy.status_code == 429 and busy.headers["retry-after"] == "5"
    assert light.status_code == 200 and codes == [200]
