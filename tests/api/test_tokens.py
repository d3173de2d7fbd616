import hashlib

import pytest

from fabula.api.settings import Tokens
from fabula.errors import ConfigError

from .conftest import application


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
    for path in ("/v1/health", "/v1/ready", "/v1/openapi.json"):
        assert guarded.get(path).status_code == 200
    for path in ("/v1/projects", "/v1/projects/the-bloom-line", "/metrics", "/v1/nothing"):
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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no"),
        ("[[token]]\n", "has no name"),
        ('[[token]]\nname = "a"\nsha256 = "abc"\nprojects = []\n', "64 hex digits"),
        (f'[[token]]\nname = "a"\nsha256 = "{"0" * 64}"\n', "list of projects"),
        (row("a", "x", []) + row("a", "y", []), "share a name"),
        ("token = [", "cannot be read"),
    ],
)
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


def test_a_token_is_told_the_counts_of_its_own(guarded):
    guarded.get("/v1/projects/the-bloom-line/search?q=letter", headers=bearer("open-sesame"))
    guarded.get("/v1/jobs", headers=bearer("other-token"))
    own = guarded.get("/metrics", headers=bearer("other-token")).text
    whole = guarded.get("/metrics", headers=bearer("open-sesame")).text
    assert 'route="/v1/jobs"' in own and "fabula_jobs{" in own
    assert "search" not in own and 'status="401"' not in own
    assert not any(name in own for name in ("memory", "open_projects", "cache"))
    assert "search" in whole and "fabula_memory_bytes" in whole and 'status="401"' in whole
