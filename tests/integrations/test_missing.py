"""An adapter whose package is not installed says which extra installs it."""

import importlib
import sys

import pytest


def without(monkeypatch, module, package):
    """The adapter's name, not loaded yet, in a Python that does not have its package."""
    name = f"fabula.integrations.{module}"
    for loaded in [one for one in sys.modules if one == name or one.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, package, None)
    return name


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("langchain", "langchain_core", "langchain"),
        ("llama_index", "llama_index", "llama-index"),
        ("pyterrier", "pyterrier", "pyterrier"),
    ],
)
def test_it_names_its_extra(monkeypatch, module, package, extra):
    name = without(monkeypatch, module, package)
    with pytest.raises(ModuleNotFoundError, match=rf"{package}.*: pip install 'fabula\[{extra}\]'"):
        importlib.import_module(name)


def test_the_command_names_its_extra(monkeypatch, run_cli):
    without(monkeypatch, "mcp_server", "mcp")
    refused = run_cli("mcp", "nowhere")
    assert (refused.code, refused.err.count("\n")) == (2, 1) and "pip install 'fabula[mcp]'" in refused.err
