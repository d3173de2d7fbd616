import os
from pathlib import Path

from click.testing import CliRunner
from streamlit import config

from fabula.cli.commands import cli
from fabula.ui import starting

ROOT = Path(__file__).parents[2]


def test_both_ways_to_start_have_the_same_settings():
    own = Path(starting.__file__).with_name("streamlit.toml")
    assert own.read_bytes() == (ROOT / ".streamlit" / "config.toml").read_bytes()


def test_streamlit_knows_every_setting():
    chosen = starting.chosen(address="192.0.2.7", port=8600, headless=True, host_names=["books.example"])
    assert chosen.keys() <= config.get_config_options().keys()
    assert (chosen["server.address"], chosen["server.port"]) == ("192.0.2.7", 8600)
    assert chosen["server.headless"] is True and chosen["browser.gatherUsageStats"] is False
    assert chosen["logger.hideWelcomeMessage"] is True  # nor the offer to install something, on the page
    assert chosen["theme.dark.primaryColor"] == "#4677ad"
    assert chosen["server.allowedHosts"] == ["127.0.0.1", "192.0.2.7", "::1", "books.example", "localhost"]


def test_the_command_starts_it_on_the_stories_that_it_is_given(tmp_path, monkeypatch):
    started = {}
    monkeypatch.setattr(starting, "start", lambda **given: started.update(given))
    monkeypatch.setenv("FABULA_HOME", "elsewhere")
    told = CliRunner().invoke(
        cli,
        ["app", "--home", str(tmp_path / "mine"), "--port", "8601", "--headless", "--host-name", "a.example"],
    )
    assert told.exit_code == 0, told.output
    assert "http://127.0.0.1:8601" in told.output
    assert started == {"address": "127.0.0.1", "port": 8601, "headless": True, "host_names": ("a.example",)}
    assert os.environ["FABULA_HOME"] == str(tmp_path / "mine")
