import pytest
from tests.llm.chat_server import ChatServer, answer

from .conftest import STORY, application

BASE = f"/v1/projects/{STORY}"


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
