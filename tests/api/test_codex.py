import pytest
from tests.api.api_client import ApiError
from tests.api.conftest import STORY, scripted, serving

from fabula.api.settings import ServerSettings


def test_a_codex_is_read_written_and_added_to(root):
    with serving(ServerSettings(root, opener=scripted())) as client:
        first = client.codex(STORY)
        assert first["names"] == [] and "title" in first["text"]
        told = client.lay_down(STORY, "characters", "Anna Vale", "A pilot with a scar", key="k")
        assert told == client.lay_down(STORY, "characters", "Anna Vale", "A pilot with a scar", key="k")
        assert client.codex(STORY)["names"] == ["Anna Vale"]
        text = told["text"] + "rules:\n  - nobody can fly\n"
        assert client.write_codex(STORY, text, instead_of=told["text"])["rules"] == ["nobody can fly"]
        found = client.memories(STORY, "Can anybody fly?", collections=["codex"])["codex"]
        assert found[0]["text"] == "nobody can fly."
        with pytest.raises(ApiError, match="line 1"):
            client.write_codex(STORY, "nonsense: x\n")
        with pytest.raises(ApiError, match="changed meanwhile"):
            client.write_codex(STORY, text, instead_of="title: x\n")
        assert client.codex(STORY)["text"] == text
