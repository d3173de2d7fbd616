import json

import pytest
from tests.api.api_client import ApiError
from tests.api.conftest import serving
from tests.tables import file_text

from fabula.api.settings import ServerSettings

ITEMS = json.loads(file_text(__file__, "pack.json"))


def keys(client, **asked):
    return [one["entry"]["key"] for one in client.get("packs/kettle/search", **asked)["items"]]


@pytest.mark.slow
def test_a_pack_is_put_in_looked_through_and_deleted(tmp_path):
    with serving(ServerSettings(tmp_path)) as client:
        assert client.get("packs") == {"items": []}
        kind, report = client.ended(
            client.upload("packs/kettle", "k.json", json.dumps(ITEMS).encode(), key="a")
        )
        assert (kind, report["items"], report["embedded"]) == ("done", 3, 3)
        assert [one["id"] for one in report["skipped"]] == ["bad"]
        told = client.get("packs/kettle")
        assert (told["items"], told["sections"]) == (3, ["Warranty"])
        assert told["tags"] == {"phase": ["buying"], "tag": ["care"]}
        early = client._http.get("/v1/packs/kettle", params={"as_of": 1}).json()
        assert (early["items"], early["tags"]) == (2, {"phase": ["buying"]})  # the lid has no chapter
        [first, *_] = client.get("packs/kettle/search", q="guarantee of two years")["items"]
        assert tuple(first["entry"][name] for name in ("key", "section", "page")) == ("w1", "Warranty", 14)
        assert first["entry"]["tags"] == [["phase", "buying"]]
        assert keys(client, q="kettle", tags=["tag=care"]) == ["w2"]
        assert sorted(keys(client, q="lid")) == ["w1", "w2"]
        assert keys(client, q="lid", inactive=True)[0] == "w3"
        assert keys(client, q="kettle", as_of=1) == ["w1"]
        answer = client.send("POST", "packs/kettle/ask", question="How long does the warranty run?")
        assert answer["told"] and "two years" in answer["text"]
        assert answer["citations"][0]["chunk_id"].startswith("w1")
        again = client.ended(client.upload("packs/kettle", "k.jsonl", json.dumps(ITEMS[1]).encode()))[1]
        assert (again["items"], again["embedded"]) == (1, 0)
        assert keys(client, q="kettle") == ["w2"]
        with pytest.raises(ApiError, match=r"a pack is a \.json"):
            client.upload("packs/kettle", "k.txt", b"x")
        assert client.ended(client.upload("packs/broken", "k.json", b"[{"))[0] == "failed"
        client.send("DELETE", "packs/kettle")
        assert client.get("packs") == {"items": []} and not list((tmp_path / ".packs").glob("kettle"))
        with pytest.raises(ApiError, match="no such pack"):
            client.get("packs/kettle/search", q="x")
