import pytest
from tests.api.api_client import ApiError

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
