import pytest
from tests.api.api_client import ApiError
from tests.tables import values

from fabula.api.settings import ServerSettings

from .conftest import STORY, scripted, serving

BASE = f"/v1/projects/{STORY}"


def test_ways_to_go_on_are_suggested_and_held_against_the_story(root):
    said = "1. Ambrose Keating loved Barnaby Pellow.\n2. Snow fell.\n"
    with serving(ServerSettings(root, opener=scripted([said], chosen=True))) as client:
        found = client.send("POST", f"projects/{STORY}/suggestions", wish="They meet.", as_of=9, count=2)
        texts = [one["text"] for one in found["items"]]
        assert (found["after"], texts) == (9, ["Ambrose Keating loved Barnaby Pellow.", "Snow fell."])
        [doubt], none = (one["findings"] for one in found["items"])
        assert "Ambrose Keating hated Barnaby Pellow." in doubt["quotes"] and none == []
    with serving(ServerSettings(root)) as client, pytest.raises(ApiError, match="too small: connect another"):
        client.send("POST", f"projects/{STORY}/suggestions", wish="They meet.")


PATH = f"/v1/projects/{STORY}/conversations"
ASK = f"/v1/projects/{STORY}/ask"


def ask(client, question, as_of=None, **more):
    body = {"question": question, "model": False, "conversation_id": "talk"} | more
    return client.post(ASK, params={"as_of": as_of} if as_of else {}, json=body)


def test_what_is_asked_is_kept_shown_and_deleted(client):
    first = ask(client, "Who hated Barnaby Pellow?").json()
    ask(client, "And where was he then?")
    [listed] = client.get(PATH).json()["conversations"]
    assert listed == {"id": "talk", "opened_with": "Who hated Barnaby Pellow?", "turns": 2}
    turns = client.get(f"{PATH}/talk").json()["turns"]
    assert [one["question"] for one in turns] == ["Who hated Barnaby Pellow?", "And where was he then?"]
    assert turns[0]["answer"] == first["text"] and turns[0]["as_of"] == 13
    assert client.delete(f"{PATH}/talk").status_code == 204
    assert client.get(PATH).json()["conversations"] == []
    for gone in (client.delete(f"{PATH}/talk"), client.get(f"{PATH}/talk")):
        assert (gone.status_code, gone.json()["type"]) == (404, "urn:fabula:problem:no-such-conversation")


def test_a_conversation_at_a_horizon_holds_nothing_that_was_asked_later(client):
    ask(client, "Who is dead?", as_of=9)
    assert client.get(PATH, params={"as_of": 5}).json() == {"as_of": 5, "conversations": []}
    assert client.get(f"{PATH}/talk", params={"as_of": 5}).status_code == 404
    assert client.get(f"{PATH}/talk", params={"as_of": 9}).status_code == 200


def test_what_is_no_id_is_refused(client):
    assert ask(client, "Who?", conversation_id="../x").status_code == 422
    assert client.get(f"{PATH}/a b").status_code == 422


CODEX = f"projects/{STORY}/codex"


def test_a_codex_is_read_and_written(root):
    with serving(ServerSettings(root, opener=scripted())) as client:
        first = client.get(CODEX)
        assert first["names"] == [] and "title" in first["text"]
        text = "characters:\n  - name: Anna Vale\n    description: A pilot with a scar\n"
        assert client.send("PUT", CODEX, text=text)["names"] == client.get(CODEX)["names"] == ["Anna Vale"]
        before, text = text, text + "rules:\n  - nobody can fly\n"
        written = client.send("PUT", CODEX, text=text, instead_of=before)
        assert written["rules"] == ["nobody can fly"]
        found = client.get(f"projects/{STORY}/memories", q="Can anybody fly?", collections=["codex"])["codex"]
        assert found[0]["text"] == "nobody can fly."
        with pytest.raises(ApiError, match="line 1"):
            client.send("PUT", CODEX, text="nonsense: x\n")
        with pytest.raises(ApiError, match="changed in the meantime"):
            client.send("PUT", CODEX, text=text, instead_of="title: x\n")
        assert client.get(CODEX)["text"] == text


CORRECTIONS = f"/v1/projects/{STORY}/corrections"


def shown(client, as_of=None):
    asked = {"min_confidence": 1.0, "limit": 1000} | ({"as_of": as_of} if as_of else {})
    return {node["name"] for node in client.get(f"/v1/projects/{STORY}/graph", params=asked).json()["nodes"]}


def test_one_is_added_listed_and_taken_back(client):
    before = shown(client)
    body = {"kind": "rename", "who": "Nat Crewe", "to": "Nathaniel", "from_chapter": 6}
    first = client.post(CORRECTIONS, json=body)
    assert first.status_code == 201, first.text
    assert first.json()["words"][0].startswith("Nat Crewe (")
    assert client.post(CORRECTIONS, json=body).status_code == 422  # it stands there already
    assert "Nathaniel" in shown(client) and "Nathaniel" not in shown(client, 5)
    [listed] = client.get(CORRECTIONS).json()["corrections"]
    assert listed == first.json()["correction"]
    assert client.get(CORRECTIONS, params={"as_of": 5}).json()["corrections"] == []
    assert client.delete(f"{CORRECTIONS}/{listed['id']}").status_code == 204
    gone = client.delete(f"{CORRECTIONS}/{listed['id']}")
    assert (gone.status_code, gone.json()["type"]) == (404, "urn:fabula:problem:no-such-correction")
    assert shown(client) == before


@pytest.mark.parametrize(("body", "said"), values(__file__, "corrections_refused.tsv"))
def test_a_correction_that_is_refused(client, body, said):
    answer = client.post(CORRECTIONS, json={"who": "Nat Crewe"} | body)
    assert (answer.status_code, said in answer.json()["detail"]) == (422, True), answer.text
    assert client.get(CORRECTIONS).json()["corrections"] == []
