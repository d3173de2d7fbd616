"""The client against a server at a port of this machine; feedback and its keys on the way."""

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from fabula.api.client import ApiError
from fabula.api.clients.connection import _parsed
from fabula.api.settings import ServerSettings

from .conftest import STORY, scripted, serving

MODES = ("hybrid", "semantic", "lexical")


@pytest.fixture(scope="module")
def client(demo_project, tmp_path_factory):
    root = tmp_path_factory.mktemp("library")
    shutil.copytree(demo_project, root / STORY)
    with serving(ServerSettings(root, opener=scripted())) as made:
        yield made


def test_it_reads_everything(client):
    assert client.health()["status"] == "ok" and client.ready()["ready"]
    assert [one["id"] for one in client.projects()] == [STORY]
    assert len(client.project(STORY, as_of=4)["chapters"]) == 4
    assert client.embeddings(STORY)["current"]
    found = client.search(STORY, "the letter", as_of=5, k=3, chapters="2-4")
    assert {one["chapter"] for one in found["passages"]} <= {2, 3, 4}
    name = client.graph(STORY, as_of=5, limit=1)["nodes"][0]["name"]
    assert client.arcs(STORY, [name], as_of=5)["arcs"][0]["name"] == name
    assert client.timeline(STORY, entity=name)["events"]
    assert client.recap(STORY, length="short", as_of=5)["lines"][0]["quotes"]
    assert len(client.suspects(STORY, limit=3, as_of=5)["pairs"]) == 3
    assert len(client.impact(STORY, "a queen bee inside his shirt", limit=3, as_of=5)["places"]) == 3
    assert "findings" in client.check(STORY, as_of=5)
    assert "findings" in client.check(STORY, draft="He was dead.")
    assert client.ask(STORY, "Who hated Barnaby Pellow?", model=False)["citations"]
    assert list(client.ask_streaming(STORY, "Who lied?", model=False))[-1].kind == "done"
    assert list(client.compare(STORY, "On the stairs.", as_of=5, pipelines=["standard"]))[-1].kind == "done"
    assert client.score(STORY, {"mine": "He sat down."}, prompt="On the stairs.")["facts"]
    assert list(client.jobs()) == []
    assert "fabula_requests_total" in client.metrics()


def test_problems_are_errors(client):
    with pytest.raises(ApiError, match="no such project") as missing:
        client.project("nobody")
    assert missing.value.status == 404 and missing.value.type == "urn:fabula:problem:no-such-project"
    with pytest.raises(ApiError) as late:
        next(client.compare(STORY, "x", as_of=99))
    assert late.value.status == 404


def test_a_rating_is_kept_once_under_a_key_and_moves_later_searches(client):
    query = "Who lied about the letter?"
    before = client.search(STORY, query, k=5)
    chunk = before["passages"][0]["chunk_id"]
    first = client.rate(STORY, query, chunk, 1.0, key="one")
    assert client.rate(STORY, query, chunk, 1.0, key="one") == first
    with pytest.raises(ApiError) as other:
        client.rate(STORY, query, chunk, 0.0, key="one")
    assert other.value.status == 422
    with pytest.raises(ApiError) as unknown:
        client.rate(STORY, query, "0" * 16, 1.0)
    assert unknown.value.status == 422
    for n in range(30):  # what the semantic index has first is right, what the lexical one has is not
        shown = client.search(STORY, query, k=5)["passages"][n % 5]
        rank = {one["retriever"]: one["rank"] for one in shown["shares"]}
        good = rank.get("semantic", 99) < rank.get("lexical", 99)
        client.rate(STORY, query, shown["chunk_id"], float(good), key=f"rating-{n}")
    after = client.search(STORY, query, k=5)
    assert after["weights"]["reasons"] != before["weights"]["reasons"]
    client.forget_ratings(STORY)
    assert client.search(STORY, query, k=5) == before


def test_events_are_read_as_they_are_written():
    lines = [
        "id: 3",
        "event: progress",
        'data: {"a": ": b"}',
        "",
        ": quiet",
        "",
        "event: done",
        "data: 1",
        "",
    ]
    assert [(one.kind, one.data, one.id) for one in _parsed(lines)] == [
        ("progress", {"a": ": b"}, 3),
        ("done", 1, 3),
    ]


def test_many_at_once_are_answered_as_one_at_a_time(client):
    asked = [
        (f"{word} letter", mode, n) for word in ("who", "train", "tea") for mode in MODES for n in (3, 9)
    ]

    def search(one):
        query, mode, as_of = one
        return client.search(STORY, query, mode=mode, as_of=as_of, k=5)

    alone = [search(one) for one in asked]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(search, asked * 5))
    assert together == alone * 5
