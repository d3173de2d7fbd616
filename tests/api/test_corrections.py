import pytest
from tests.tables import values

from .conftest import STORY

PATH = f"/v1/projects/{STORY}/corrections"


def shown(client, as_of=None):
    asked = {"min_confidence": 1.0, "limit": 1000} | ({"as_of": as_of} if as_of else {})
    return {node["name"] for node in client.get(f"/v1/projects/{STORY}/graph", params=asked).json()["nodes"]}


def test_one_is_added_listed_and_taken_back(client):
    before = shown(client)
    body = {"kind": "rename", "who": "Nat Crewe", "to": "Nathaniel", "from_chapter": 6}
    first = client.post(PATH, json=body)
    assert first.status_code == 201, first.text
    assert first.json()["words"][0].startswith("Nat Crewe (")
    assert client.post(PATH, json=body).status_code == 422  # it stands there already
    assert "Nathaniel" in shown(client) and "Nathaniel" not in shown(client, 5)
    [listed] = client.get(PATH).json()["corrections"]
    assert listed == first.json()["correction"]
    assert client.get(PATH, params={"as_of": 5}).json()["corrections"] == []
    assert client.delete(f"{PATH}/{listed['id']}").status_code == 204
    gone = client.delete(f"{PATH}/{listed['id']}")
    assert (gone.status_code, gone.json()["type"]) == (404, "urn:fabula:problem:no-such-correction")
    assert shown(client) == before


@pytest.mark.parametrize(("body", "said"), values(__file__, "corrections_refused.tsv"))
def test_what_is_refused(client, body, said):
    answer = client.post(PATH, json={"who": "Nat Crewe"} | body)
    assert (answer.status_code, said in answer.json()["detail"]) == (422, True), answer.text
    assert client.get(PATH).json()["corrections"] == []
