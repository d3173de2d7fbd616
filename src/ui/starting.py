"""Starts Streamlit on the app, with all that its pages need imported before the first visit."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..callers import own_names
from ..core.files.toml import load_toml

if TYPE_CHECKING:
    from starlette.middleware import Middleware

_SETTINGS = Path(__file__).with_name("streamlit.toml")
_LATER = ("PIL.Image", "networkx", "pandas", "pyarrow.pandas_compat", "pydantic.dataclasses", "sqlite3")
# in the folder "pages", not beside it: Streamlit would make pages of its modules
SCRIPT = Path(__file__).parent / "pages" / "visit.py"


def chosen(*, address: str, port: int, headless: bool, host_names: Sequence[str] = ()) -> dict[str, object]:
    """Streamlit's settings: those of ``streamlit.toml`` and what the user chose."""
    return _flat(load_toml(_SETTINGS)) | {
        "server.address": address,
        "server.port": port,
        "server.headless": headless,
        "server.allowedHosts": sorted(own_names(address, host_names)),
    }


def doors() -> list[Middleware]:
    """What every request passes before Streamlit."""
    from starlette.middleware import Middleware

    from .door import Door

    return [Middleware(Door)]


def start(*, address: str, port: int, headless: bool, host_names: Sequence[str] = ()) -> None:
    """Serves the app until the process is told to stop."""
    import streamlit as st

    from . import navigation

    app = importlib.import_module(".app", __package__)
    for module in _LATER:
        importlib.import_module(module)
    for info in navigation.PAGES:
        navigation.load(info)
    threading.Thread(target=app.open_ahead, name="open-ahead", daemon=True).start()
    sys.argv = [str(SCRIPT)]
    settings = chosen(address=address, port=port, headless=headless, host_names=host_names)
    st.App(SCRIPT, middleware=doors()).run(config=settings)


def _flat(table: dict[str, object], above: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in table.items():
        found |= _flat(value, f"{above}{name}.") if isinstance(value, dict) else {above + name: value}
    return found
