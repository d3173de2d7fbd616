import hashlib

import pytest
from tests.llm.chat_server import ChatServer, answer
from tests.tables import values

from fabula.api.settings import ServerSettings, Tokens
from fabula.errors import ConfigError

from .conftest import STORY, application, serving

BASE = f"/v1/projects/{STORY}"


def row(name, token, projects):
    digest = hashlib.sha256(token.encode()).hexdigest()
    listed = ", ".join(f'"{one}"' for one in projects)
    return f'[[token]]\nname = "{name}"\nsha256 = "{digest}"\nprojects = [{listed}]\n'


@pytest.fixture(scope="module")
def guarded(library, tmp_path_factory):
    file = tmp_path_factory.mktemp("tokens") / "tokens.toml"
    file.write_text(row("all", "open-sesame", ["*"]) + row("other", "other-token", ["another-book"]))
    with application(library, tokens=file) as client:
        yield client


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def test_without_a_token_only_health_readiness_and_description_are_told(guarded):
    for path in ("/v1/health", "/v1/openapi.json"):
        assert guarded.get(path).status_code == 200
    for path in ("/v1/projects", BASE, "/metrics", "/v1/nothing"):
        answer = guarded.get(path)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["type"] == "urn:fabula:problem:no-token"


@pytest.mark.parametrize("given", ["Bearer wrong", "Basic open-sesame", "open-sesame", "Bearer", "bearer  "])
def test_a_wrong_token_opens_nothing(guarded, given):
    assert guarded.get("/v1/projects", headers={"Authorization": given}).status_code == 401


def test_a_body_is_not_read_before_the_token(guarded):
    assert guarded.post("/v1/projects", content=b"x" * 30_000_000).status_code == 401


def test_the_description_asks_for_a_token_where_there_are_some(guarded, reader):
    told = guarded.get("/v1/openapi.json").json()
    assert told["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}
    assert told["paths"]["/v1/projects"]["get"]["security"] == [{"token": []}]
    assert "security" not in told["paths"]["/v1/health"]["get"]
    assert "securitySchemes" not in reader.get("/v1/openapi.json").json()["components"]


@pytest.mark.parametrize(("text", "says"), values(__file__, "damaged_token_files.tsv"))
def test_a_damaged_token_file_is_refused(tmp_path, text, says):
    file = tmp_path / "tokens.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=says):
        Tokens.load(file)


def test_digests_may_be_written_in_capitals(tmp_path):
    file = tmp_path / "tokens.toml"
    digest = hashlib.sha256(b"secret").hexdigest()
    file.write_text(row("a", "secret", ["book"]).replace(digest, digest.upper()))
    access = Tokens.load(file).access("secret")
    assert access.name == "a" and access.allows("book") and not access.allows("other")
    assert Tokens.load(file).access("Secret") is None


def test_the_counts_of_all_are_for_a_token_of_all(guarded):
    guarded.get(f"{BASE}/search?q=letter", headers=bearer("open-sesame"))
    assert guarded.get("/metrics", headers=bearer("other-token")).status_code == 403
    whole = guarded.get("/metrics", headers=bearer("open-sesame")).text
    assert "search" in whole and "fabula_memory_bytes" in whole and 'status="401"' in whole


EVIL = {"Origin": "https://evil.example"}
PAGES = [EVIL, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}]


@pytest.fixture(scope="module")
def local(library):
    with application(library, host_names=("books.example",)) as client:
        yield client


@pytest.mark.parametrize("path", ["/v1/projects", f"{BASE}/search?q=letter", "/metrics"])
def test_a_borrowed_name_reads_nothing(local, path):
    refused = local.get(path, headers={"Host": "rebound.example:8000"})
    assert refused.status_code == 421
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["type"] == "urn:fabula:problem:unknown-host"
    assert STORY not in refused.text
    assert local.get(path, headers={"Host": "books.example"}).status_code == 200


@pytest.mark.parametrize(("path", "sent"), values(__file__, "writes_of_others.tsv"))
@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_others_writes_nothing(local, path, sent, page):
    refused = local.post(path, **{**sent, "headers": {**sent.get("headers", {}), **page}})
    assert refused.status_code == 403
    assert refused.json()["type"] == "urn:fabula:problem:foreign-origin"
    assert local.get("/v1/jobs").json()["total"] == 0


@pytest.mark.parametrize(("path",), values(__file__, "paths_that_may_ask_a_model.tsv"))
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
    page = {"Origin": "https://notes.example", "Sec-Fetch-Site": "cross-site"}
    with application(library, origins=("https://notes.example",)) as client:
        before = {**page, "Access-Control-Request-Method": "DELETE"}
        assert client.options("/v1/projects", headers=before).status_code == 200
        asked = client.delete(f"{BASE}/conversations/none", headers=page)
        assert asked.json()["type"] == "urn:fabula:problem:no-such-conversation"
        assert asked.headers["access-control-allow-origin"] == "https://notes.example"


def test_the_running_server_knows_its_names(library):
    with serving(ServerSettings(library)) as client:
        http = client._http
        assert http.get("/v1/projects").status_code == 200
        assert http.get("/v1/projects", headers={"Host": "rebound.example"}).status_code == 421
        own = {"Origin": str(http.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
        assert http.delete(f"{BASE}/conversations/none", headers=own).status_code == 404


@pytest.fixture
def listener():
    with ChatServer(lambda _: answer("Nothing.")) as server:
        yield server


@pytest.mark.parametrize("place", ["the project", "the library"])
def test_nothing_goes_where_a_folder_says(root, listener, place):
    folder = root / STORY if place == "the project" else root
    (folder / "fabula.toml").write_text(
        f'[generator]\nprovider = "openai"\nmodel = "m"\nbase_url = "{listener.url}"\n'
    )
    with application(root) as client:
        found = client.get(f"{BASE}/search?q=letter&mode=lexical")
        asked = client.post(f"{BASE}/ask", json={"question": "Who lied?", "model": True})
        written = client.post(f"{BASE}/compare", json={"prompt": "They meet."})
    assert found.status_code == 200 and "fabula trust" in found.json()["notices"][0]
    for refused in (asked, written):
        assert refused.status_code == 403
        assert refused.json()["type"] == "urn:fabula:problem:untrusted-settings"
        assert "fabula trust" in refused.json()["detail"]
    assert listener.url not in found.text + asked.text + written.text
    assert listener.requests == []
