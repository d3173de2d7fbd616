"""``fabula serve``: where it may be reached from."""

import pytest


@pytest.mark.parametrize("host", ["::", "192.0.2.1", "example.org", ""])
def test_it_is_not_open_to_others_without_tokens(run_cli, tmp_path, host):
    refused = run_cli("serve", tmp_path / "root", "--host", host)
    assert refused.code == 2 and "--tokens" in refused.err
    assert not (tmp_path / "root").exists()


def test_a_damaged_token_file_stops_it(run_cli, tmp_path):
    (tmp_path / "tokens.toml").write_text("[[token]]\n")
    refused = run_cli("serve", tmp_path / "root", "--tokens", tmp_path / "tokens.toml")
    assert refused.code == 2 and "has no name" in refused.err


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_this_machine_may_ask_without_tokens(run_cli, tmp_path, monkeypatch, host):
    from fabula.cli import serve as cli_serve

    asked = {}

    class Fake:
        def run(self):
            asked["ran"] = True

    monkeypatch.setattr(cli_serve, "server", lambda settings, **how: asked.update(how) or Fake())
    assert run_cli("serve", tmp_path, "--host", host, "--port", 0).code == 0
    assert asked == {"host": host, "port": 0, "ran": True}
