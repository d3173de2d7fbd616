import pytest
from starlette.testclient import TestClient

from fabula.api.app import create_app
from fabula.api.settings import ServerSettings

from .conftest import HERE, STORY, scripted, serving

PATH = f"/v1/projects/{STORY}/corrections"


@pytest.fixture
def client(root):
    with TestClient(create_app(ServerSettings(root, opener=scripted())), base_url=HERE) as made:
        yield made


def shown(client, as_of=None):
    asked = {"min_confidence": 1.0, "limit": 1000} | ({"as_of": as_of} if as_of else {})
    return {node["name"] for node in client.get(f"/v1/projects/{STORY}/graph", params=asked).json()["nodes"]}


def test_one_is_added_listed_and_taken_back(client):
    before = shown(client)
    body = {"kind": "rename", "who": "Nat Crewe", "to": "Nathaniel", "from_chapter": 6}
    first = client.post(PATH, json=body, headers={"Idempotency-Key": "one"})
    assert first.status_code == 201, first.text
    assert first.json()["words"][0].startswith("Nat Crewe (")
    again = client.post(PATH, json=body, headers={"Idempotency-Key": "one"})
    assert again.content == first.content and again.headers["Idempotency-Replayed"] == "true"
    assert client.post(PATH, json=body).status_code == 422  # it stands there already
    assert "Nathaniel" in shown(client) and "Nathaniel" not in shown(client, 5)
    [listed] = client.get(PATH).json()["corrections"]
    assert listed == first.json()["correction"]
    assert client.get(PATH, params={"as_of": 5}).json()["corrections"] == []
    assert client.delete(f"{PATH}/{listed['id']}").status_code == 204
    gone = client.delete(f"{PATH}/{listed['id']}")
    assert (gone.status_code, gone.json()["type"]) == (404, "urn:fabula:problem:no-such-correction")
    assert shown(client) == before


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"kind": "merge", "who": "Nat Crewe"}, 422, "merge needs into"),
        ({"kind": "merge", "who": "Nat Crewe", "into": "Quillon"}, 422, "called 'Quillon'"),
        ({"kind": "marry", "who": "Nat Crewe"}, 422, "kind"),
        ({"kind": "rename", "who": "Nat Crewe", "to": "a\x1bb", "from_chapter": 1}, 422, "is no name"),
        ({"kind": "rename", "who": "Nat Crewe", "to": "X", "as_of": 3}, 422, "as_of"),
    ],
)
def test_what_is_refused(client, body, status, said):
    answer = client.post(PATH, json=body)
    assert (answer.status_code, said in answer.json()["detail"]) == (status, True), answer.text
    assert client.get(PATH).json()["corrections"] == []


def test_no_such_chapter_and_no_such_story(client):
    body = {"kind": "rename", "who": "Nat Crewe", "to": "Nathaniel", "from_chapter": 1}
    assert client.post(PATH, params={"as_of": 99}, json=body).status_code == 404
    assert client.get("/v1/projects/none/corrections").status_code == 404
    assert client.delete("/v1/projects/none/corrections/01234567").status_code == 404


def test_the_client(root):
    with serving(ServerSettings(root, opener=scripted())) as client:
        made = client.correct(STORY, {"kind": "merge", "who": "Nat Crewe", "into": "Barnaby Pellow"})
        assert client.corrections(STORY)["corrections"] == [made["correction"]]
        client.take_back(STORY, made["correction"]["id"])
        assert client.corrections(STORY, as_of=5) == {"as_of": 5, "corrections": []}
