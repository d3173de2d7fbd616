import pytest
from tests.api.api_client import ApiError
from tests.api.conftest import STORY, scripted, serving

from fabula.api.settings import ServerSettings

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
