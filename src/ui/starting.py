"""Starts Streamlit on the app, with all that its pages need imported before the first visit."""

from __future__ import annotations

import importlib
import sys
import threading
import tomllib
from pathlib import Path

__all__ = ["flags", "start"]

_SETTINGS = Path(__file__).with_name("streamlit.toml")
_LATER = ("PIL.Image", "networkx", "pandas", "pyarrow.pandas_compat", "pydantic.dataclasses", "sqlite3")
# beside no folder "pages": Streamlit would make pages of its modules
_SCRIPT = Path(__file__).parent / "entry" / "visit.py"


def flags(*, address: str, port: int, headless: bool) -> list[str]:
    """Streamlit's command line for ``streamlit.toml`` and what the user chose."""
    chosen = {"server.address": address, "server.port": port, "server.headless": headless}
    settings = _flat(tomllib.loads(_SETTINGS.read_text("utf-8"))) | chosen
    return [f"--{name}={_said(value)}" for name, value in settings.items()]


def start(*, address: str, port: int, headless: bool) -> None:
    """Serves the app until the process is told to stop."""
    from streamlit.web.cli import main

    from . import navigation

    app = importlib.import_module(".app", __package__)
    for module in _LATER:
        importlib.import_module(module)
    for info in navigation.found():
        navigation.load(info)
    threading.Thread(target=app.open_ahead, name="open-ahead", daemon=True).start()
    sys.argv = ["streamlit", "run", str(_SCRIPT)]
    main(["run", str(_SCRIPT), *flags(address=address, port=port, headless=headless)], standalone_mode=False)


def _flat(table: dict[str, object], above: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in table.items():
        found |= _flat(value, f"{above}{name}.") if isinstance(value, dict) else {above + name: value}
    return found


def _said(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
