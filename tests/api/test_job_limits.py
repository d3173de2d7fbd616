import os
import sys
import threading
import time

import pytest
from tests.stories.book_files import endless_pdf
from tests.tables import values

from fabula.api.jobs.limits import JobLimits
from fabula.api.jobs.worker import work
from fabula.api.settings import Limits, ServerSettings
from fabula.core.runtime.memory_limits import lacks_memory

from . import conftest
from .conftest import STORY, application, changed, endless, scripted, told

# Loops, sleeps or holds memory as its order's name says.
GREEDY = """
import json, sys, time
order = json.loads(sys.stdin.readline())
say = lambda message: print(json.dumps(message), flush=True)
if "spins" in order["name"]:
    while True:
        pass
if "sleeps" in order["name"]:
    time.sleep(600)
if "holds" in order["name"]:
    held = bytearray(300_000_000)
    held[::4096] = b"x" * len(held[::4096])
    say({"progress": {"stage": "embed", "done": int(order["budget"] // 1e6), "total": 1}})
    sys.stdin.read()
"""


def serving(tmp_path, limits):
    return application(tmp_path / "root", worker=(sys.executable, "-c", GREEDY), limits=Limits(job=limits))


def problem_of(client, job, until, seconds=60):
    """That with which the job fails."""
    until(lambda: client.get(f"/v1/jobs/{job}").json()["status"] == "failed", seconds=seconds)
    return client.get(f"/v1/jobs/{job}").json()["problem"]


def begun(client, name):
    return client.post("/v1/projects", files={"file": (name, b"Once upon a time.")}).json()["id"]


@pytest.mark.parametrize(("name", "limits", "reason"), values(__file__, "job_limits.tsv"))
def test_a_job_that_passes_its_limit_fails_and_the_next_one_runs(tmp_path, until, name, limits, reason):
    with serving(tmp_path, JobLimits(**limits)) as client:
        first, second = begun(client, name), begun(client, "other.txt")
        problem, other = (problem_of(client, job, until) for job in (first, second))
    assert problem["type"] == "urn:fabula:problem:job-limit"
    assert problem["detail"].startswith(f"failed: job limit: {reason}: ")
    assert other["type"] == "urn:fabula:problem:worker-died"


@pytest.mark.slow
def test_the_real_worker_that_lacks_memory_says_so(tmp_path, until):
    limits = Limits(job=JobLimits(memory_mb=256))  # less than its models need
    with application(tmp_path / "root", limits=limits) as client:
        text = "# One\n\n" + "Ada met Wilf at the mill, and she told him of her brother. " * 500
        job = client.post("/v1/projects", files={"file": ("tale.md", text.encode())}).json()["id"]
        problem = problem_of(client, job, until, seconds=120)
    assert problem["type"] == "urn:fabula:problem:job-limit", problem
    assert "256 MB" in problem["detail"]


@pytest.mark.parametrize(("error", "lacks"), values(__file__, "errors_that_lack_memory.tsv"))
def test_torch_has_no_class_of_its_own_for_it(error, lacks):
    assert lacks_memory(RuntimeError(error)) == lacks_memory(ValueError(error)) == lacks


def test_a_server_and_its_worker_live_on_one_budget(tmp_path, until):
    with serving(tmp_path, JobLimits()) as client:
        backend = client.app.state.backend
        monitor = backend.shelf.monitor
        alone = monitor.resident()
        job = begun(client, "holds.txt")

        def passed_on():
            return [one.data["done"] for one in backend.jobs.events(job) if one.kind == "progress"]

        # the worker is told the server's budget, not its own
        assert until(passed_on, seconds=60) == [int(monitor.budget // 1e6)]
        assert monitor.resident() - alone > 290_000_000
        metrics = client.get("/metrics").text
        client.post(f"/v1/jobs/{job}/cancel")
        until(lambda: client.get(f"/v1/jobs/{job}").json()["status"] == "cancelled")
        assert monitor.resident() - alone < 200_000_000
    for kind in ("acted", "failed", "helpless", "refused"):
        assert f'fabula_memory_guard{{kind="{kind}"}} 0.0' in metrics


def test_the_worker_counts_the_server_too(tmp_path, monkeypatch):
    """What both use is above the budget, what the worker uses is not: it takes no new work."""
    told = []
    used = {os.getpid(): 60}
    monkeypatch.setattr("fabula.core.runtime.memory_monitor.used_memory", lambda pid: used.get(pid, 50))
    (tmp_path / "sent").write_text("Once upon a time.")
    order = {"kind": "ingest", "root": str(tmp_path / "root"), "budget": 100}
    work(order | {"name": "a.txt", "file": str(tmp_path / "sent")}, told.append)
    assert told[-1]["problem"]["type"] == "urn:fabula:problem:memory-short"
    assert not (tmp_path / "root").exists()


def test_a_worker_that_is_given_no_memory_says_so(monkeypatch):
    told = []
    monkeypatch.setattr("fabula.api.jobs.worker._report", lambda *_: bytearray(1 << 62))
    work({}, told.append)
    assert told[-1]["problem"]["type"] == "urn:fabula:problem:memory-short"


BASE = f"/v1/projects/{STORY}"


def test_an_answer_that_is_streamed_for_too_long_ends_with_a_problem(library):
    ended = threading.Event()
    with application(library, opener=endless(ended, []), limits=Limits(stream_s=0.5)) as client:
        streamed = told(client.post(f"{BASE}/ask", json={"question": "x", "stream": True}))
        assert ended.wait(60)
    kinds = [one["event"] for one in streamed]
    assert kinds[0] == "started" and "text" in kinds
    assert kinds[-1] == "problem" and kinds.count("problem") == 1
    problem = streamed[-1]["data"]
    assert problem["type"] == "urn:fabula:problem:stream-limit" and "0.5 s" in problem["detail"]


def test_an_answer_that_never_begins_is_a_problem_and_no_stream(library):
    opener = changed(lambda _: time.sleep(3))
    with application(library, opener=opener, limits=Limits(stream_s=0.5)) as client:
        answer = client.post(f"{BASE}/ask", json={"question": "x", "stream": True})
    assert answer.status_code == 503
    assert answer.json()["type"] == "urn:fabula:problem:stream-limit"


def test_new_work_is_refused_and_taken_again(library):
    with application(library, opener=scripted()) as client:
        assert client.get(f"{BASE}/search?q=letter&mode=lexical").status_code == 200
        monitor = client.app.state.backend.shelf.monitor
        budget, monitor.budget = monitor.budget, 1
        monitor.check()
        for path, body in (("search?q=letter&mode=lexical", None), ("search?q=letter", None), ("check", {})):
            refused = client.request("GET" if body is None else "POST", f"{BASE}/{path}", json=body)
            assert refused.status_code == 503, path
            assert refused.headers["content-type"] == "application/problem+json"
            assert int(refused.headers["retry-after"]) > 0
            assert refused.json()["type"] == "urn:fabula:problem:memory-short"
            assert "memory.budget_gb" in refused.json()["detail"]
        monitor.budget = budget
        monitor.check()
        assert client.get(f"{BASE}/search?q=letter").status_code == 200


@pytest.mark.slow
def test_searches_are_answered_while_hostile_documents_are_read(root, until):
    (root / "fabula.toml").write_text("[documents]\nseconds = 1\n")
    content = endless_pdf()
    with conftest.serving(ServerSettings(root), timeout_s=30) as client:
        client.get(f"projects/{STORY}/search", q="letter", mode="lexical")
        jobs = [client.ingest(f"endless-{n}.pdf", content) for n in range(2)]
        asked = 0
        while any(client.get(f"jobs/{one['id']}")["status"] in ("queued", "running") for one in jobs):
            assert client.get(f"projects/{STORY}/search", q="letter", mode="lexical")["passages"]
            asked += 1
            time.sleep(0.02)
        ended = [client.get(f"jobs/{one['id']}") for one in jobs]
    assert asked > 10
    for n, job in enumerate(ended):
        assert job["status"] == "failed"
        assert job["problem"]["type"] == "urn:fabula:problem:not-a-story"
        assert job["problem"]["detail"].startswith(f"endless-{n}.pdf takes more than 1 s to read")
