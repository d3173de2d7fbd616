import pytest
from starlette.testclient import TestClient

from fabula.api.app import create_app
from fabula.api.settings import ServerSettings

from .conftest import STORY, serving

EVIL = {"Origin": "https://evil.example"}
PAGES = [EVIL, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}]


@pytest.fixture(scope="module")
def local(library):
    settings = ServerSettings(library, host_names=("books.example",))
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8000") as client:
        yield client


@pytest.mark.parametrize("path", ["/v1/projects", f"/v1/projects/{STORY}/search?q=letter", "/metrics"])
def test_a_borrowed_name_reads_nothing(local, path):
    refused = local.get(path, headers={"Host": "rebound.example:8000"})
    assert refused.status_code == 421
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["type"] == "urn:fabula:problem:unknown-host"
    assert STORY not in refused.text
    assert local.get(path, headers={"Host": "books.example"}).status_code == 200


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/v1/projects", {"files": {"file": (f"{STORY}.md", b"Another book.")}}),
        ("/v1/demo", {"content": b"", "headers": {"Content-Type": "text/plain"}}),
        (f"/v1/projects/{STORY}/embeddings/rebuild", {}),
        (f"/v1/projects/{STORY}/ask", {"json": {"question": "Who?"}}),
    ],
)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_others_writes_nothing(local, path, sent, page):
    refused = local.post(path, **{**sent, "headers": {**sent.get("headers", {}), **page}})
    assert refused.status_code == 403
    assert refused.json()["type"] == "urn:fabula:problem:foreign-origin"
    assert local.get("/v1/jobs").json()["total"] == 0


@pytest.mark.parametrize(
    "path",
    [
        f"/v1/projects/{STORY}/ledger",
        f"/v1/projects/{STORY}/recap?model=true",
        f"/v1/projects/{STORY}/search?q=letter",
        f"/v1/projects/{STORY}/suspects",
        "/v1/search?q=letter",
        "/v1/packs/warranty/ask?q=letter",
    ],
)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_others_asks_no_model(local, path, page):
    for method in ("GET", "HEAD"):
        assert local.request(method, path, headers=page).status_code == 403
    assert local.get("/v1/health", headers=page).status_code == 200


def test_a_page_of_others_is_not_let_read_the_answer(local):
    read = local.get("/v1/projects", headers=EVIL)
    assert not [name for name in read.headers if name.startswith("access-control")]
    asked = local.options("/v1/projects", headers=EVIL | {"Access-Control-Request-Method": "POST"})
    assert asked.status_code >= 400 or not asked.headers.get("access-control-allow-origin")


def test_a_page_that_was_named_may_write(library):
    settings = ServerSettings(library, origins=("https://notes.example",))
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        page = {"Origin": "https://notes.example", "Sec-Fetch-Site": "cross-site"}
        before = {**page, "Access-Control-Request-Method": "DELETE"}
        assert client.options("/v1/projects", headers=before).status_code == 200
        asked = client.delete(f"/v1/projects/{STORY}/feedback", headers=page)
        assert asked.status_code == 204
        assert asked.headers["access-control-allow-origin"] == "https://notes.example"


def test_the_running_server_knows_its_names(library):
    with serving(ServerSettings(library)) as client:
        http = client._http
        assert http.get("/v1/projects").status_code == 200
        assert http.get("/v1/projects", headers={"Host": "rebound.example"}).status_code == 421
        own = {"Origin": str(http.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
        assert http.delete(f"/v1/projects/{STORY}/feedback", headers=own).status_code == 204
