import shutil
from pathlib import Path

import pytest
from starlette.concurrency import run_in_threadpool
from tests.stories.examples import rows
from tests.tables import values

from fabula.api.routes import search
from fabula.demo import story_text

from .conftest import STORY, application

BASE = "/v1/projects/the-bloom-line"


def quotes(value):
    """Everything in an answer that says where it stands: (start, end, text)."""
    if isinstance(value, dict):
        if {"start", "end", "text"} <= value.keys() and not value.get("draft"):
            yield value["start"], value["end"], value["text"]
        for item in value.values():
            yield from quotes(item)
    elif isinstance(value, list):
        for item in value:
            yield from quotes(item)


@pytest.mark.parametrize(
    ("path", "least"),
    [("/search?q=letter&k=5", 5), ("/graph", 20), ("/arcs", 20), ("/timeline?limit=50", 50)],
)
def test_what_is_quoted_stands_in_the_text(reader, path, least):
    answer = reader.get(BASE + path)
    assert answer.status_code == 200
    text = story_text()
    found = list(quotes(answer.json()))
    assert len(found) >= least
    assert all(text[start:end] == quote for start, end, quote in found)


def test_an_answer_carries_its_quotes(reader):
    asked = {"question": "Who hated Barnaby Pellow?", "model": False}
    answer = reader.post(f"{BASE}/ask?as_of=6", json=asked).json()
    assert answer["extractive"] and answer["citations"]
    text = story_text()
    assert all(text[start:end] == quote for start, end, quote in quotes(answer))
    assert all(one["quote"]["chapter"] <= 6 for one in answer["citations"])
    scores = {one["chunk_id"]: one["score"] for one in answer["passages"]}
    assert all(one["score"] == scores.get(one["chunk_id"]) for one in answer["citations"])
    assert any(one["score"] for one in answer["citations"])


def test_a_project_at_a_horizon_and_pages_of_projects(reader):
    whole = reader.get(BASE).json()
    part = reader.get(f"{BASE}?as_of=3").json()
    assert [one["number"] for one in part["chapters"]] == [1, 2, 3]
    assert part["chapters"] == whole["chapters"][:3]
    assert part["words"] == sum(one["words"] for one in part["chapters"]) < whole["words"]
    page = reader.get("/v1/projects?limit=1").json()
    assert page == {"items": [{"id": "the-bloom-line", "title": "The Bloom Line"}], "total": 1, "next": None}
    beyond = reader.get("/v1/projects?offset=5&limit=1").json()
    assert beyond["items"] == [] and beyond["next"] is None


def test_searches_take_all_that_the_command_line_takes(reader):
    asked = {"q": "the letter", "k": 3, "mode": "lexical", "chapters": "2-5", "without_chapters": [3]}
    some = reader.get(f"{BASE}/search", params=asked | {"min_importance": 2, "as_of": 7}).json()
    assert {one["chapter"] for one in some["passages"]} <= {2, 4, 5}
    assert all([s["retriever"] for s in one["shares"]] == ["lexical"] for one in some["passages"])
    weighed = reader.get(f"{BASE}/search", params={"q": "the letter", "semantic_weight": 0.0}).json()
    assert weighed["weights"] is None


def test_the_critic_checks_a_draft(reader):
    draft = "Harriet Pellow was dead. Harriet Pellow walked into the office and asked for tea."
    found = reader.post(f"{BASE}/check", json={"draft": draft}).json()
    assert found["words"] == 14
    for finding in found["findings"]:
        for side in finding["sides"]:
            quote = side["quote"]
            source = draft if quote["draft"] else story_text()
            assert source[quote["start"] : quote["end"]] == quote["text"]


@pytest.mark.parametrize(("method", "path", "status", "name"), rows(Path(__file__).with_name("problems.tsv")))
def test_every_error_is_a_problem(reader, method, path, status, name):
    answer = reader.request(method, path.replace("~", BASE))
    assert answer.status_code == int(status)
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["type"] == f"urn:fabula:problem:{name}"
    assert problem["status"] == int(status) and problem["title"] and problem["detail"]
    assert "validator" not in answer.text
    if path in ("~/bible?format=character-card", "~/bible?format=wiki&about=Barnaby"):
        assert [one["where"] for one in problem["errors"]] == ["query.about"]
    if status == "405":
        assert answer.headers["allow"] == "GET, HEAD"


def test_all_methods_of_a_path_are_allowed(reader):
    assert reader.put("/v1/projects").headers["allow"] == "GET, HEAD, POST"
    assert reader.patch(BASE).headers["allow"] == "DELETE, GET, HEAD"


HEADS = {
    200: "/v1/health /v1/openapi.json /v1/projects /v1/jobs /v1/packs /metrics ~ ~/graph?as_of=3 "
    "~/search?q=letter&mode=lexical",
    422: "~/search",
    405: "~/ask",
    404: "/v1/projects/nobody /nowhere",
}


@pytest.mark.parametrize(("path", "status"), [(path, one) for one in HEADS for path in HEADS[one].split()])
def test_head_answers_as_get_does_without_a_body(reader, path, status):
    path = path.replace("~", BASE)
    seen, head = reader.get(path), reader.head(path)
    assert (head.status_code, head.content) == (seen.status_code, b"")
    assert head.status_code == status
    changing = {"content-length"} if path in ("/metrics",) else set()
    left = [{k: v for k, v in one.headers.items() if k not in changing} for one in (seen, head)]
    assert left[0] == left[1]


def test_the_server_says_how_it_is_and_nothing_of_queries(reader, caplog):
    assert reader.get("/v1/health").json()["status"] == "ok"
    assert all(reader.get("/v1/health").json()["checks"].values())
    with caplog.at_level("INFO", logger="fabula.api.access"):
        reader.get(f"{BASE}/search?q=secret-words&as_of=2")
    assert "/v1/projects/{project_id}/search 200" in caplog.text
    text = reader.get("/metrics").text
    route = 'route="/v1/projects/{project_id}/search",status="200"'
    assert any(route in line for line in text.splitlines())
    assert "fabula_open_projects 1.0" in text and 'fabula_memory_bytes{kind="resident"}' in text
    assert "secret-words" not in text + caplog.text


def test_null_is_as_good_as_nothing_in_a_body(reader):
    bodies = ({"k": None, "model": False}, {"model": False})
    said = [reader.post(f"{BASE}/ask", json={"question": "Who lied?", **body}) for body in bodies]
    assert [one.status_code for one in said] == [200, 200]
    assert said[0].json()["text"] == said[1].json()["text"]


@pytest.mark.parametrize(("body",), values(__file__, "bodies_refused.tsv"))
def test_a_body_is_taken_as_it_is_described(reader, body):
    assert reader.post(f"{BASE}/ask", json={"question": "x", **body}).status_code == 422
    if body.get("k") in (0, 101, "x", 1.5):
        assert reader.get(f"{BASE}/search", params={"q": "x", **body}).status_code == 422


def test_a_filter_stands_in_a_body_too(reader):
    wanted = {"chapters": "2-5", "tones": ["tense", "sad"], "scene_types": ["dialogue"], "min_importance": 2}
    asked = {"question": "Who lied?", "model": False, "filter": wanted}
    answer = reader.post(f"{BASE}/ask", json=asked)
    assert answer.status_code == 200
    assert {one["chapter"] for one in answer.json()["passages"]} <= {2, 3, 4, 5}


def test_a_story_that_is_damaged_is_503_and_stays_in_the_list(root):
    shutil.copytree(root / STORY, root / "broken")
    (root / "broken" / "fabula.db").write_bytes(b"no database at all" * 100)
    with application(root) as client:
        last = client.get("/v1/projects").json()["items"][-1]
        assert last["id"] == "broken" and "its files are damaged" in last["problem"]
        for path in ("", "/search?q=letter", "/graph"):
            found = client.get(f"/v1/projects/broken{path}")
            assert found.status_code == 503 and "its files are damaged" in found.json()["detail"]
            assert str(root) not in found.text
        assert client.get("/v1/projects/none-such").status_code == 404


def test_a_search_of_words_in_an_open_index_waits_for_no_thread(reader, monkeypatch):
    handed = []

    async def noted(endpoint, *given):
        handed.append(given[0].q)
        return await run_in_threadpool(endpoint, *given)

    def ask(**more):
        handed.clear()
        answer = reader.get(f"{BASE}/search", params={"q": "the letter", **more})
        assert answer.status_code == 200
        return answer.content, len(handed)

    at_once = ask(mode="lexical")[0]  # opens it
    monkeypatch.setattr(search, "run_in_threadpool", noted)
    assert ask(mode="lexical") == (at_once, 0)
    for more in ({}, {"q": "the letter " * 40, "mode": "lexical"}, {"mode": "lexical", "min_importance": 3}):
        assert ask(**more)[1] == 1
    monkeypatch.setattr(search, "_is_instant", lambda *_: False)
    assert ask(mode="lexical") == (at_once, 1)


@pytest.mark.parametrize(("path", "body"), values(__file__, "whole_numbers.tsv"))
def test_a_whole_number_is_one_however_it_is_written(reader, path, body):
    """To JSON Schema 2.0 is an integer."""
    answer = reader.post(f"/v1/projects/the-bloom-line/{path}", json=body)
    assert answer.status_code == 200, answer.text
    broken = {**body, "k" if path == "ask" else "seed": 2.5}
    assert reader.post(f"/v1/projects/the-bloom-line/{path}", json=broken).status_code == 422
