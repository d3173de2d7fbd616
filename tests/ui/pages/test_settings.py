import os

import pytest
from tests.llm.chat_server import ChatServer, answer

from fabula.config import Config, load_config
from fabula.errors import UsageError
from fabula.llm.connecting.endpoints import EndpointKind
from fabula.ui.pages.settings import forget_key, has_key, keep_key
from fabula.ui.state.setting_fields import GROUPS, Field, changes

KEY = "sk-no-one-may-see-this"


def group(title):
    return next(one for one in GROUPS if one.title == title)


def test_fields_are_settings_and_only_what_differs_is_written():
    config = Config()
    for field in (field for one in GROUPS for field in one.fields):
        assert isinstance(field.of(config), str | int | float | bool)
    assert Field("generator", "provider", "").choices[:2] == ("local", "openai")
    assert Field("generator", "model", "").choices == ()
    fields = group("Writing").fields
    now = Config()
    same = {field.name: field.of(now) for field in fields}
    assert changes(fields, same, now=now) == {}
    assert changes(fields, {**same, "comparison.seed": 7}, now=now) == {"comparison": {"seed": 7}}
    seven = load_config(assignments=["comparison.seed=7"])
    assert changes(fields, same, now=seven) == {"comparison": {"seed": None}}


def test_a_setting_is_kept_and_holds_at_once(with_demo, open_page):
    page = open_page("settings")
    page.one("number_input", "Budget, GiB").set_value(500.0)
    page.test.button(key="FormSubmitter:settings-Memory-Save").click().run()
    assert "Memory: saved in home/fabula.toml." in page.words
    assert (with_demo / "fabula.toml").read_text() == "[memory]\nbudget_gb = 500.0\n"
    assert "of 500.0 GB" in page.test.get("progress")[0].proto.text


def test_a_value_out_of_range_changes_nothing(with_demo, open_page):
    page = open_page("settings")
    page.one("number_input", "Temperature").set_value(-1.0)
    page.test.button(key="FormSubmitter:settings-Writing-Save").click().run()
    [alert] = page.alerts
    assert "comparison.temperature = -1.0" in alert
    assert not (with_demo / "fabula.toml").exists()


def test_a_model_is_found_used_tested_and_left(with_demo, open_page, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    (with_demo / "fabula.toml").write_text('[generator]\nmodel = "old"\n[memory]\nbudget_gb = 2.0\n')
    script = lambda _: answer("{}")  # noqa: E731
    with ChatServer(script, {"/v1/models": {"data": [{"id": "big"}]}}) as server:
        table = {"vllm": EndpointKind("vllm", "vLLM", server.url)}
        monkeypatch.setattr("fabula.llm.connecting.endpoints.endpoint_kinds", lambda: table)
        page = open_page("settings")
        page.press("Look for models")
        page.press("Use")
        assert "vllm/big is connected" in page.words and "not tested" in page.words
        assert "old" not in (with_demo / "fabula.toml").read_text()
        page.press("Test it")
        assert "fit for neither" in page.words
        page.press("Use none")
        assert "No model is connected" in page.words


def test_the_health_of_the_installation_is_there(home, open_page):
    words = open_page("settings").words
    assert "Everything is installed." in words
    assert "spacy" in words and "memory" in words


def test_what_was_spent_is_in_a_table(with_demo, open_page):
    from fabula.core.store.sqlite import ProjectStore

    assert "no model has been used yet" in open_page("settings").words
    [folder] = [path.parent for path in with_demo.rglob("fabula.db")]
    with ProjectStore.open(folder) as store:
        store.usage().add("m@host", "language", prompt_tokens=12_345, completion_tokens=7, seconds=1.0)
    words = open_page("settings").words
    assert "m@host" in words and "12,345" in words and "no price" in words


def test_a_key_is_kept_and_never_shown(with_demo, open_page, monkeypatch, caplog):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    page = open_page("settings")
    assert "does not hold a valid key" in page.words
    page.fill("Key of the endpoint", KEY).press("Use this key")
    assert os.environ.pop("OPENAI_API_KEY") == KEY
    assert KEY not in page.words and KEY not in caplog.text
    assert all(one.value != KEY for one in page.test.text_input)
    assert not any(KEY in file.read_text(errors="ignore") for file in with_demo.rglob("*.toml"))


WRONG = ["PATH", "LD_PRELOAD", "my_key", "A_API_KEY\n", "", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"]


@pytest.mark.parametrize("name", [*WRONG, "X" * 99 + "_API_KEY"])
def test_only_a_key_can_be_set(name):
    before = os.environ.get(name) if name else None
    with pytest.raises(UsageError, match="not the name of a key"):
        keep_key(name, "value")
    with pytest.raises(UsageError, match="not the name of a key"):
        forget_key(name)
    assert (os.environ.get(name) if name else None) == before


@pytest.mark.parametrize("value", ["", "  ", "two words", "schlüssel", "a\nb", "k" * 2000])
def test_what_is_no_key_is_refused_without_repeating_it(value):
    with pytest.raises(UsageError) as refused:
        keep_key("FABULA_TRIAL_API_KEY", value)
    assert "that does not look like a key" in str(refused.value)
    assert not has_key("FABULA_TRIAL_API_KEY")


def test_a_key_can_be_forgotten(monkeypatch):
    monkeypatch.setenv("FABULA_TRIAL_API_KEY", "x")
    assert has_key("FABULA_TRIAL_API_KEY")
    forget_key("FABULA_TRIAL_API_KEY")
    assert not has_key("FABULA_TRIAL_API_KEY")
