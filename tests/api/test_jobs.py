from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient

from fabula.api.app import create_app
from fabula.api.jobs.registry import JobKind, Jobs, JobStatus, Sent
from fabula.api.problems import Problem
from fabula.api.settings import Limits, ServerSettings

from .conftest import HERE, told

JOB = "0" * 16


@pytest.fixture
def settings(tmp_path, fake_worker):
    return ServerSettings(tmp_path / "root", worker=fake_worker, limits=Limits(queued=2))


@pytest.fixture
def client(settings):
    with TestClient(create_app(settings), base_url=HERE) as made:
        yield made


def upload(client, name, content=b"Once upon a time.", **headers):
    return client.post("/v1/projects", files={"file": (name, content)}, headers=headers)


def status(client, job, *wanted):
    """Is the job at one of these, or at an end?"""
    return lambda: (
        client.get(f"/v1/jobs/{job}").json()["status"] in (wanted or ("done", "failed", "cancelled"))
    )


def events(client, job, **headers):
    answer = client.get(f"/v1/jobs/{job}/events", headers=headers)
    return [(int(one["id"]), one["event"], one["data"]) for one in told(answer)]


def test_a_job_is_followed_to_its_end_and_again_from_any_place(client, settings):
    answer = upload(client, "A Tale.txt")
    assert answer.status_code == 202
    job = answer.json()
    assert answer.headers["location"] == f"/v1/jobs/{job['id']}" and job["project"] == "a-tale"
    told = events(client, job["id"])
    assert [kind for _, kind, _ in told] == ["queued", "running", "progress", "progress", "done"]
    assert [number for number, _, _ in told] == [1, 2, 3, 4, 5]
    assert told[3][2] == {"stage": "embed", "done": 2, "total": 2}
    assert events(client, job["id"], **{"Last-Event-ID": "3"}) == told[3:]
    assert events(client, job["id"], **{"Last-Event-ID": "5"}) == []
    done = client.get(f"/v1/jobs/{job['id']}").json()
    assert done["status"] == "done" and done["report"]["words"] == 2 and done["problem"] is None
    assert not list((settings.root / ".server" / "uploads").iterdir())


@pytest.mark.parametrize(("name", "problem"), [("broken.txt", "not-a-story"), ("dying.txt", "worker-died")])
def test_a_job_that_fails_says_why(client, until, name, problem):
    job = upload(client, name).json()["id"]
    until(status(client, job))
    found = client.get(f"/v1/jobs/{job}").json()
    assert found["status"] == "failed"
    assert found["problem"]["type"] == f"urn:fabula:problem:{problem}"


def test_jobs_are_cancelled_while_they_wait_and_while_they_run(client, until):
    running = upload(client, "slow-one.txt").json()["id"]
    until(status(client, running, "running"))
    waiting = upload(client, "slow-two.txt").json()["id"]
    assert client.post(f"/v1/jobs/{waiting}/cancel").json()["status"] == "cancelled"
    assert client.post(f"/v1/jobs/{running}/cancel").status_code == 202
    until(status(client, running))
    assert [one["status"] for one in client.get("/v1/jobs").json()["items"]] == ["cancelled"] * 2
    assert client.post(f"/v1/jobs/{running}/cancel").status_code == 202  # asking twice changes nothing
    assert client.get("/v1/jobs?status=cancelled&limit=1").json()["next"] is not None


def test_two_file_names_are_never_one_project(client, until):
    first = upload(client, "slow Büch ☃.txt").json()
    assert first["project"] == "slow-buch"
    for other in ("slow Buch.txt", "slow-buch.txt", "Slow Büch ☃.txt", "slow Büch ☃.md"):
        refused = upload(client, other)
        assert refused.status_code == 409
        assert refused.json()["type"] == "urn:fabula:problem:name-taken"
        assert "slow Büch ☃.txt" in refused.json()["detail"]
    assert upload(client, "slow Büch ☃.txt").status_code == 202
    for job in client.get("/v1/jobs").json()["items"]:
        head = client.head(f"/v1/jobs/{job['id']}/events")
        assert (head.status_code, head.content) == (200, b"")
        client.post(f"/v1/jobs/{job['id']}/cancel")
    until(status(client, first["id"]))


def test_the_queue_has_an_end(client, settings, until):
    first = upload(client, "slow-0.txt").json()["id"]
    until(status(client, first, "running"))
    assert [upload(client, f"slow-{n}.txt").status_code for n in (1, 2, 3)] == [202, 202, 429]
    assert len(list((settings.root / ".server" / "uploads").iterdir())) == 3


def test_a_server_that_stops_lets_its_job_wait_for_the_next(settings, until):
    with TestClient(create_app(settings), base_url=HERE) as client:
        job = upload(client, "slow.txt").json()["id"]
        until(status(client, job, "running"))
    jobs = Jobs(settings.root / ".server" / "server.db", keep_days=1)
    assert jobs.get(job).status is JobStatus.QUEUED
    jobs.close()
    with TestClient(create_app(settings), base_url=HERE) as client:
        until(status(client, job, "running"))
        client.post(f"/v1/jobs/{job}/cancel")
        until(status(client, job))


@pytest.mark.parametrize(
    ("deaths", "cancelled", "end"),
    [(1, False, "done"), (2, False, "done"), (3, False, "failed"), (1, True, "cancelled")],
)
def test_what_ran_when_a_server_died_goes_on_unless_it_dies_each_time(
    settings, until, deaths, cancelled, end
):
    jobs = Jobs(settings.root / ".server" / "server.db", keep_days=1)
    jobs.add(JobKind.INGEST, "tale", {"name": "tale.txt"}, id=JOB)
    for death in range(deaths):
        if death:
            jobs.put_back(JOB)
        jobs.start_next()
    if cancelled:
        jobs.ask_to_end(JOB)
    jobs.close()
    uploads = settings.root / ".server" / "uploads"
    uploads.mkdir()
    for name in (JOB, "left-over"):
        (uploads / name).write_text("Once upon a time.")
    with TestClient(create_app(settings), base_url=HERE) as client:
        until(status(client, JOB))
        found = client.get(f"/v1/jobs/{JOB}").json()
        assert found["status"] == end == events(client, JOB)[-1][1]
        if end == "failed":
            assert found["problem"]["type"] == "urn:fabula:problem:interrupted"
        assert not list(uploads.iterdir())


def sent(owner="a", key="k", fingerprint="r"):
    return Sent(owner, key, fingerprint)


@pytest.fixture
def opened(tmp_path):
    """Opens the jobs of one file, at a second; they are closed at the end."""
    with ExitStack() as stack:

        def open_again(now=0.0):
            made = Jobs(tmp_path / "server.db", keep_days=1, clock=lambda: now)
            stack.callback(made.close)
            return made

        yield open_again


def test_old_jobs_are_forgotten_with_their_keys(opened):
    jobs = opened()
    done = jobs.add(JobKind.INGEST, "x", {}, sent=sent()).id
    waiting = jobs.add(JobKind.INGEST, "x", {}).id
    jobs.finish(done, JobStatus.DONE, {})
    again = opened(now=86_401.0)
    assert again.get(done) is None and again.get(waiting) is not None
    assert again.events(done) == []
    assert again.add(JobKind.INGEST, "x", {}, sent=sent(fingerprint="other")).id not in (done, waiting)


def test_the_same_request_under_a_key_is_the_job_of_the_first_time(opened):
    jobs = opened()
    first = jobs.add(JobKind.INGEST, "x", {}, sent=sent())
    for again in (jobs, opened()):  # also after a restart
        assert again.add(JobKind.INGEST, "x", {}, sent=sent()) == first
        with pytest.raises(Problem, match="another request"):
            again.add(JobKind.INGEST, "y", {}, sent=sent(fingerprint="other"))
    assert jobs.add(JobKind.INGEST, "x", {}, sent=sent(owner="b")).id != first.id
    assert len(jobs.listed()) == 2


def test_a_key_answers_where_the_queue_is_full_and_the_answer_says_so(client):
    slow = [upload(client, f"slow-{n}.txt", **{"Idempotency-Key": str(n)}) for n in range(4)]
    assert [one.status_code for one in slow][-1] == 429
    again = upload(client, "slow-1.txt", **{"Idempotency-Key": "1"})
    assert again.json()["id"] == slow[1].json()["id"] and again.headers["Idempotency-Replayed"] == "true"
    assert upload(client, "slow-5.txt", **{"Idempotency-Key": "1"}).status_code == 422


def test_what_is_over_stays_as_it_is(opened):
    jobs = opened()
    job = jobs.add(JobKind.INGEST, "x", {}).id
    jobs.finish(job, JobStatus.CANCELLED, None)
    jobs.finish(job, JobStatus.DONE, {"x": 1})
    assert jobs.get(job).status is JobStatus.CANCELLED
    assert [one.kind for one in jobs.events(job)] == ["queued", "cancelled"]
