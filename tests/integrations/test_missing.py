"""An adapter whose package is not installed says which extra installs it."""

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("langchain", "langchain_core", "langchain"),
        ("llama_index", "llama_index", "llama-index"),
        ("pyterrier", "pyterrier", "pyterrier"),
    ],
)
def test_it_names_its_extra(monkeypatch, module, package, extra):
    name = f"fabula.integrations.{module}"
    for loaded in [one for one in sys.modules if one == name or one.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=rf"{package}.*: pip install 'fabula\[{extra}\]'"):
        importlib.import_module(name)


def test_the_command_names_its_extra(monkeypatch, run_cli):
    monkeypatch.delitem(sys.modules, "fabula.integrations.mcp_server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp", None)
    refused = run_cli("mcp", "nowhere")
    assert (refused.code, refused.err.count("\n")) == (2, 1) and "pip install 'fabula[mcp]'" in refused.err
