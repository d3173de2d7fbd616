import json
import logging
import time

import pytest
from starlette.testclient import TestClient

from fabula.api.app import create_app
from fabula.api.settings import ServerSettings
from fabula.core.embeddings import EmbeddingManager
from fabula.core.store.sqlite import ProjectStore
from fabula.packs.shelf import PackShelf

from .conftest import HERE, STORY, fill, operations, scripted
from .test_tokens import bearer, row

OWNER, OTHER, WRONG = "owners-token-4bf1c2d7", "others-token-9e0d31aa", "wrong-token-77aa01fe"
ASKED, _ = operations()  # test_leak sees to it that these are all
OPEN = {"/v1/health"}
LISTS = {("GET", "/v1/projects"), ("GET", "/v1/jobs"), ("GET", "/v1/packs")}
REFUSED = {("POST", "/v1/projects"): 403, ("GET", "/metrics"): 403}  # whether it is there or not


@pytest.fixture
def app(root, tmp_path, fake_worker):
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(row("owner", OWNER, [STORY, "tale", "kettle"]) + row("other", OTHER, ["another-book"]))
    PackShelf(root, EmbeddingManager).index("kettle", "k.json", b'[{"id": "1", "text": "A kettle."}]')
    return create_app(ServerSettings(root, tokens=tokens, opener=scripted(), worker=fake_worker))


@pytest.fixture
def filled(app, until):
    """A client, and what the owner made, by the name of its parameter."""
    with TestClient(app, base_url=HERE, headers=bearer(OWNER), raise_server_exceptions=False) as client:
        base = f"/v1/projects/{STORY}"
        found = client.get(f"{base}/search", params={"q": "letter", "mode": "lexical"}).json()
        rating = {"query": "letter", "chunk_id": found["passages"][0]["chunk_id"], "rating": 1.0}
        assert client.post(f"{base}/feedback", json=rating).is_success
        talk = {"question": "Who hated Barnaby Pellow?", "model": False, "conversation_id": "talk"}
        assert client.post(f"{base}/ask", json=talk).is_success
        made = client.post(f"{base}/corrections", json={"kind": "merge", "who": "Nat Crewe", "into": "Len"})
        assert made.is_success, made.text
        job = client.post("/v1/projects", files={"file": ("tale.txt", b"Once upon a time.")}).json()["id"]
        until(lambda: client.get(f"/v1/jobs/{job}").json()["status"] == "done")
        names = {"project_id": STORY, "job_id": job, "conversation_id": "talk", "pack_id": "kettle"}
        yield client, names | {"correction_id": made.json()["correction"]["id"]}, rating


def asked(client, method, path, names, rating, **more):
    """The operation as somebody would ask it who knows every name in it."""
    known = client.get("/v1/openapi.json").json()["paths"][path][method.lower()]
    more = fill(ASKED[method, path][0], {"CHARACTER": "Barnaby", "CHUNK": rating["chunk_id"]}) | more
    if "json" not in more and "requestBody" in known:
        text = ("tale-2.json", b"[]") if "packs" in path else ("tale-2.txt", b"Once upon a time.")
        more["files"] = {"file": text}
    return client.request(method, path.format(**names), **more)


def state(client):
    """All that the owner sees of what can be changed."""
    base = f"/v1/projects/{STORY}"
    own = ("", "/conversations", "/corrections", "/codex")
    paths = ("/v1/projects", "/v1/jobs", *(f"{base}{path}" for path in own))
    shown = [client.get(path).json() for path in paths]
    with ProjectStore.open(client.app.state.backend.library.root / STORY) as store:
        ratings = store.feedback().stamp()
    return json.dumps([shown, ratings])


def test_every_operation_is_closed_to_another_token(filled):
    client, names, rating = filled
    before = state(client)
    missing = {**names, "project_id": "no-such-book", "job_id": "0" * 16, "pack_id": "no-such-pack"}
    for method, path in ASKED:
        if path in OPEN:
            continue
        where = f"{method} {path}"
        for headers in ({"Authorization": ""}, bearer(WRONG)):
            assert asked(client, method, path, names, rating, headers=headers).status_code == 401, where
        theirs = asked(client, method, path, names, rating, headers=bearer(OTHER))
        if (method, path) in LISTS:
            assert theirs.json()["items"] == [] and theirs.json().get("total", 0) == 0, where
        else:
            assert theirs.status_code == REFUSED.get((method, path), 404), (where, theirs.text)
            assert theirs.headers["content-type"] == "application/problem+json", where
        for secret in (STORY, "Bloom", names["job_id"], "Barnaby", "letter"):
            assert secret not in theirs.text, where
        if "_id}" in path:  # and not a byte tells that it is there
            none = asked(client, method, path, missing, rating, headers=bearer(OTHER))
            assert (none.status_code, none.content) == (theirs.status_code, theirs.content), where
    for query in (f"project={STORY}", "status=done", "offset=0&limit=200"):
        assert client.get(f"/v1/jobs?{query}", headers=bearer(OTHER)).json()["items"] == []
    assert state(client) == before


def test_what_is_closed_to_others_is_open_to_its_owner(filled):
    """Else the test above would pass where nothing works at all."""
    client, names, rating = filled
    last = {("DELETE", "/v1/projects/{project_id}"), ("POST", "/v1/projects"), ("GET", "/metrics")}
    heavy = ("/compare", "/ask", "/recap")
    for method, path in ASKED:
        if (method, path) in last or path.endswith(heavy) or method == "DELETE":
            continue
        answer = asked(client, method, path, names, rating)
        assert answer.status_code not in (401, 403, 404), (method, path, answer.text)


def test_no_token_is_written_anywhere(filled, caplog, capfd):
    client, names, rating = filled
    caplog.set_level(logging.DEBUG)
    for name in list(logging.root.manager.loggerDict):
        logging.getLogger(name).setLevel(logging.NOTSET)

    def broken(*_):
        raise RuntimeError("nobody foresaw this")

    client.app.state.backend.jobs.__dict__["counts"] = broken  # an error with its whole trace in the log
    for method, path in ASKED:
        if method == "DELETE" and path == "/v1/projects/{project_id}":
            continue
        for headers in (bearer(OTHER), bearer(WRONG), {"Authorization": f"Basic {WRONG}"}):
            asked(client, method, path, names, rating, headers=headers)
        key = {"Idempotency-Key": "k"} if method == "POST" else {}
        if not path.endswith("/compare"):
            asked(client, method, path, names, rating, headers=bearer(OWNER) | key)
    time.sleep(0.1)
    assert "nobody foresaw this" in caplog.text and "Traceback" in caplog.text
    out, err = capfd.readouterr()
    root = client.app.state.backend.library.root
    server = b"".join(file.read_bytes() for file in (root / ".server").iterdir() if file.is_file())
    assert b"tale" in server
    told = client.get("/metrics", headers=bearer(OWNER)).text
    for token in (OWNER, OTHER, WRONG):
        for place, text in {"log": caplog.text, "out": out, "err": err, "metrics": told}.items():
            assert token not in text, place
        for record in caplog.records:
            assert token not in repr(record.__dict__)
        assert token.encode() not in server
