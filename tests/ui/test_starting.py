"""How the app is started."""

import os
from pathlib import Path

from click.testing import CliRunner
from streamlit import config

from fabula.cli import cli
from fabula.ui import starting

ROOT = Path(__file__).parents[2]


def test_both_ways_to_start_have_the_same_settings():
    own = Path(starting.__file__).with_name("streamlit.toml")
    assert own.read_bytes() == (ROOT / ".streamlit" / "config.toml").read_bytes()


def test_streamlit_knows_every_setting():
    flags = starting.flags(address="127.0.0.1", port=8600, headless=True)
    known = set(config.get_config_options())
    assert {flag[2:].split("=", 1)[0] for flag in flags} <= known
    assert {"--server.address=127.0.0.1", "--server.port=8600", "--server.headless=true"} <= set(flags)
    assert "--browser.gatherUsageStats=false" in flags
    assert "--theme.dark.primaryColor=#4677ad" in flags


def test_the_command_starts_it_on_the_stories_that_it_is_given(tmp_path, monkeypatch):
    started = {}
    monkeypatch.setattr(starting, "start", lambda **given: started.update(given))
    monkeypatch.setenv("FABULA_HOME", "elsewhere")
    told = CliRunner().invoke(cli, ["app", "--home", str(tmp_path / "mine"), "--port", "8601", "--headless"])
    assert told.exit_code == 0, told.output
    assert started == {"address": "127.0.0.1", "port": 8601, "headless": True}
    assert os.environ["FABULA_HOME"] == str(tmp_path / "mine")
