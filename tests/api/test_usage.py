import pytest

from fabula.core.store.sqlite import ProjectStore

from .conftest import STORY, application

PATH = f"/v1/projects/{STORY}"


def test_calls_tokens_and_dollars(client, root):
    told = client.get(f"{PATH}/usage").json()
    assert told.pop("prices").startswith("public prices of genai-prices")
    assert told == {"lines": [], "models": [], "dollars": 0.0, "unpriced": []}
    with ProjectStore.open(root / STORY) as store:
        store.usage().add("m@host", "language", prompt_tokens=3_000_000, completion_tokens=0, seconds=1.5)
    [line] = client.get(f"{PATH}/usage").json()["lines"]
    assert (line["model"], line["prompt_tokens"], line["dollars"]) == ("m@host", 3_000_000, None)
    assert client.get("/v1/projects/nothing/usage").status_code == 404
    assert client.get(f"{PATH}/usage", params={"x": 1}).status_code == 422


def test_dollars_are_by_the_servers_price_list(root, tmp_path, monkeypatch):
    prices = tmp_path / "prices.toml"
    prices.write_text('["m"]\nprompt = 0.5\ncompletion = 1.0\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "fabula").mkdir()
    (tmp_path / "fabula/fabula.toml").write_text(f'[generator]\nprices = "{prices}"\n')
    with ProjectStore.open(root / STORY) as store:
        store.usage().add("m@host", "language", prompt_tokens=3_000_000, completion_tokens=0, seconds=1.5)
    with application(root) as client:
        told = client.get(f"{PATH}/usage").json()
        assert told["dollars"] == pytest.approx(1.5) and told["unpriced"] == []


def test_a_search_with_a_threshold(reader):
    asked = {"q": "bees on the night train"}
    assert reader.get(f"{PATH}/search", params=asked).json()["passages"]
    held = reader.get(f"{PATH}/search", params={**asked, "least_score": 0.99})
    assert held.status_code == 200 and held.json()["passages"] == []
    assert reader.get(f"{PATH}/search", params={**asked, "least_score": 2}).status_code == 422
    lexical = reader.get(f"{PATH}/search", params={"q": "bees", "mode": "lexical", "least_score": 0.99})
    assert lexical.json()["passages"]
